//! Draws members of domains in ways that break careless code, and decides membership a second time from the description
//! of the domain.

use crate::{key::Key, values::Value};
use indistinct::{
    core::{Domain, Owned},
    domains::{AtomDomain, BallDomain, MapDomain, Norm, OptionDomain, PairDomain, VectorDomain},
    numeric::{Extended, ToExtended, gmp::Rational},
};
use proptest::{
    arbitrary::any,
    collection::{btree_map, vec},
    option,
    prelude::{BoxedStrategy, Just, Strategy},
    sample::Index,
    strategy::Union,
};
use std::{borrow::Borrow, cmp::Ordering, fmt::Debug};

/// A domain whose membership an audit decides by a second implementation.
pub trait Described: Domain {
    /// Returns true if the value satisfies everything that the domain requires of its members: bounds, sizes and
    /// missing values.
    fn describes(&self, value: &Self::Carrier) -> bool;

    /// Returns each row with its individual, if the domain identifies the individual of a row.
    fn persons(&self, _: &Self::Carrier) -> Option<Vec<(Key, Key)>> {
        None
    }

    /// Returns the text that shows a value in a witness.
    fn shown(&self, value: &Self::Carrier) -> String
    where
        Owned<Self>: Debug,
    {
        format!("{:?}", value.to_owned())
    }
}

/// A domain whose members an audit can draw.
pub trait Drawn: Described {
    /// Returns ways to draw a member, the simplest first. All rows of one dataset are drawn in one way, so that their
    /// sums cascade or cancel. A failing input is shrunk towards the first way.
    fn ways(&self) -> Vec<BoxedStrategy<Owned<Self>>>;

    /// Returns an equal member that is written differently, if there is one.
    fn spelled(&self, value: &Self::Carrier) -> Owned<Self>;
}

/// Draws in any of several ways.
pub(crate) fn any_of<T: Debug + 'static>(ways: Vec<BoxedStrategy<T>>) -> BoxedStrategy<T> {
    Union::new(ways).boxed()
}

impl<T: Value> Described for AtomDomain<T> {
    fn describes(&self, value: &T) -> bool {
        if value.order(value).is_none() {
            return self.has_nan();
        }
        self.bounds().is_none_or(|(lower, upper)| {
            [(lower, value), (value, upper)].iter().all(|(one, other)| one.order(other).is_some_and(Ordering::is_le))
        })
    }
}

impl<T: Value> Drawn for AtomDomain<T> {
    fn ways(&self) -> Vec<BoxedStrategy<T>> {
        let ways = T::ways(self.bounds());
        match T::nan().filter(|_| self.has_nan()) {
            Some(nan) => {
                ways.into_iter().map(|way| any_of(vec![way.clone(), way, Just(nan.clone()).boxed()])).collect()
            }
            None => ways,
        }
    }

    fn spelled(&self, value: &T) -> T {
        value.spelled()
    }
}

impl<D: Described> Described for OptionDomain<D> {
    fn describes(&self, value: &Option<Owned<D>>) -> bool {
        value.iter().all(|value| self.element().describes(value.borrow()))
    }
}

impl<D: Drawn> Drawn for OptionDomain<D>
where
    Owned<D>: Debug,
{
    fn ways(&self) -> Vec<BoxedStrategy<Option<Owned<D>>>> {
        self.element().ways().into_iter().map(|way| option::weighted(0.75, way).boxed()).collect()
    }

    fn spelled(&self, value: &Option<Owned<D>>) -> Option<Owned<D>> {
        value.as_ref().map(|value| self.element().spelled(value.borrow()))
    }
}

impl<A: Described, B: Described> Described for PairDomain<A, B> {
    fn describes(&self, (first, second): &(Owned<A>, Owned<B>)) -> bool {
        self.first().describes(first.borrow()) && self.second().describes(second.borrow())
    }
}

/// Keys are mostly drawn in the simplest way, so that several rows share a key.
impl<A: Drawn, B: Drawn> Drawn for PairDomain<A, B>
where
    Owned<A>: Debug,
    Owned<B>: Debug,
{
    fn ways(&self) -> Vec<BoxedStrategy<(Owned<A>, Owned<B>)>> {
        let (mut keys, others) = (self.first().ways(), any_of(self.first().ways()));
        keys.truncate(1);
        let key = any_of([keys.clone(), keys.clone(), keys, vec![others]].concat());
        self.second().ways().into_iter().map(|way| (key.clone(), way).boxed()).collect()
    }

    fn spelled(&self, (first, second): &(Owned<A>, Owned<B>)) -> (Owned<A>, Owned<B>) {
        (self.first().spelled(first.borrow()), self.second().spelled(second.borrow()))
    }
}

impl<D: Described> Described for VectorDomain<D> {
    fn describes(&self, value: &[Owned<D>]) -> bool {
        self.size().is_none_or(|size| size == value.len())
            && value.iter().all(|element| self.element().describes(element.borrow()))
    }
}

/// These ways draw vectors as elements of other domains. Whole datasets are drawn together with their neighbors.
impl<D: Drawn> Drawn for VectorDomain<D>
where
    Owned<D>: Debug,
{
    fn ways(&self) -> Vec<BoxedStrategy<Vec<Owned<D>>>> {
        let sizes = self.size().map_or(0..=3, |size| size..=size);
        self.element().ways().into_iter().map(|way| vec(way, sizes.clone()).boxed()).collect()
    }

    fn spelled(&self, value: &[Owned<D>]) -> Vec<Owned<D>> {
        value.iter().map(|element| self.element().spelled(element.borrow())).collect()
    }
}

impl<K: Value + Ord, D: Described> Described for MapDomain<K, D> {
    fn describes(&self, map: &Self::Carrier) -> bool {
        map.iter().all(|(key, value)| self.key().describes(key) && self.value().describes(value.borrow()))
    }
}

impl<K: Value + Ord, D: Drawn> Drawn for MapDomain<K, D>
where
    Owned<D>: Debug,
{
    fn ways(&self) -> Vec<BoxedStrategy<Self::Carrier>> {
        let key = any_of(self.key().ways());
        self.value().ways().into_iter().map(|value| btree_map(key.clone(), value, 0..=3).boxed()).collect()
    }

    fn spelled(&self, map: &Self::Carrier) -> Self::Carrier {
        map.iter().map(|(key, value)| (key.spelled(), self.value().spelled(value.borrow()))).collect()
    }
}

/// The length is computed in exact fractions.
impl Described for BallDomain {
    fn describes(&self, vector: &[f64]) -> bool {
        let exact = |x: &f64| match x.to_extended() {
            Ok(Extended::Finite(x)) => Some(x.abs()),
            _ => None,
        };
        let (Some(sizes), Some(radius)) = (vector.iter().map(exact).collect::<Option<Vec<_>>>(), exact(&self.radius()))
        else {
            return false;
        };
        vector.len() == self.size()
            && match self.norm() {
                Norm::LInf => sizes.iter().all(|size| *size <= radius),
                Norm::L1 => sizes.iter().sum::<Rational>() <= radius,
                Norm::L2 => sizes.into_iter().map(Rational::square).sum::<Rational>() <= radius.square(),
            }
    }
}

/// These ways draw zero, ends of an axis, and corners, which are vectors of equal numbers whose length differs from the
/// radius only by a few roundings.
impl Drawn for BallDomain {
    fn ways(&self) -> Vec<BoxedStrategy<Vec<f64>>> {
        let (size, radius) = (self.size(), self.radius());
        let number = f64::from(u32::try_from(size.max(1)).unwrap_or(u32::MAX));
        let corner = match self.norm() {
            Norm::LInf => radius,
            Norm::L1 => radius / number * (1.0 - 4.0 * f64::EPSILON),
            Norm::L2 => radius / number.sqrt() * (1.0 - 4.0 * f64::EPSILON),
        };
        // Subnormal ones round too far.
        let corner = if self.describes(&vec![corner; size]) { corner } else { 0.0 };
        let signs = || vec(any::<bool>().prop_map(|is_minus| if is_minus { -1.0 } else { 1.0 }), size..=size);
        let axis = (any::<Index>(), any::<bool>(), 0..2u8).prop_map(move |(axis, is_minus, steps)| {
            let end = if steps == 0 { radius } else { radius.next_down() };
            let at = if size == 0 { 0 } else { axis.index(size) };
            (0..size)
                .map(|i| {
                    if i != at {
                        0.0
                    } else if is_minus {
                        -end
                    } else {
                        end
                    }
                })
                .collect()
        });
        let scaled = move |length: f64| signs().prop_map(move |signs| signs.iter().map(|sign| sign * length).collect());
        vec![Just(vec![0.0; size]).boxed(), axis.boxed(), scaled(corner).boxed(), scaled(corner / 3.0).boxed()]
    }

    fn spelled(&self, vector: &[f64]) -> Vec<f64> {
        vector.iter().map(Value::spelled).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

    fn all_are_members<D: Drawn>(domain: &D)
    where
        Owned<D>: Debug,
    {
        let config = Config { cases: 300, failure_persistence: None, ..Config::default() };
        for way in domain.ways() {
            let mut runner = TestRunner::new_with_rng(config.clone(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
            runner
                .run(&way, |value| {
                    assert!(
                        domain.describes(value.borrow()) && domain.member(value.borrow()),
                        "{value:?} of {domain:?}"
                    );
                    Ok(())
                })
                .unwrap();
        }
    }

    #[test]
    fn what_is_drawn_is_a_member() {
        let bounded = |bounds| AtomDomain::f64().with_bounds(bounds).unwrap();
        all_are_members(&AtomDomain::f64());
        all_are_members(&AtomDomain::f32().with_nan());
        for bounds in [(0.0, 1.0), (-3.0, 2.0), (1125899906842624.0, 1125899906842625.0), (0.1, 0.1), (-1e308, 1e308)] {
            all_are_members(&bounded(bounds));
        }
        all_are_members(&AtomDomain::i8().with_bounds((-5, 3)).unwrap());
        all_are_members(&AtomDomain::u128());
        all_are_members(&AtomDomain::string());
        all_are_members(&OptionDomain::new(PairDomain::new(AtomDomain::u8(), bounded((0.0, 0.5)))));
        all_are_members(&VectorDomain::new(AtomDomain::bool()).with_size(4));
        all_are_members(&AtomDomain::i8().with_bounds((i8::MIN, i8::MIN)).unwrap());
        all_are_members(&MapDomain::new(AtomDomain::string(), AtomDomain::f64().with_nan()));
        for norm in [Norm::L1, Norm::L2, Norm::LInf] {
            for (size, radius) in [(0, 1.0), (2, 5.0), (7, 0.3), (3, 1e300), (3, 5e-324)] {
                all_are_members(&BallDomain::new(size, norm, radius).unwrap());
            }
        }
    }

    #[test]
    fn what_a_domain_denies_is_no_member() {
        let percent = AtomDomain::f64().with_bounds((0.0, 100.0)).unwrap();
        assert!(percent.describes(&100.0) && percent.describes(&-0.0));
        assert!(![100f64.next_up(), -5e-324, f64::INFINITY, f64::NAN].iter().any(|x| percent.describes(x)));
        assert!(percent.clone().with_nan().describes(&f64::NAN));
        assert!(!VectorDomain::new(percent.clone()).with_size(2).describes(&[1.0]));
        assert!(!OptionDomain::new(percent).describes(&Some(101.0)));
        let disk = BallDomain::new(2, Norm::L2, 5.0).unwrap();
        assert!(disk.describes(&[3.0, -4.0]) && !disk.describes(&[3.0, 4f64.next_up()]) && !disk.describes(&[0.0]));
        assert!(!BallDomain::new(2, Norm::L1, 1.0).unwrap().describes(&[1.0, 5e-324]));
        assert!(!BallDomain::new(1, Norm::LInf, 1.0).unwrap().describes(&[f64::NAN]));
    }
}
