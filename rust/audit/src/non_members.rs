//! Draws values just outside domains. Each of them violates one requirement of the domain.

use crate::{
    members::{Drawn, any_of},
    values::Value,
};
use indistinct::{
    core::Owned,
    domains::{AtomDomain, BallDomain, MapDomain, Norm, OptionDomain, PairDomain, VectorDomain},
    numeric::gmp::Rational,
};
use proptest::{
    arbitrary::any,
    collection::{btree_map, vec},
    prelude::{BoxedStrategy, Just, Strategy},
    sample::Index,
};
use std::{fmt::Debug, iter::successors};

/// The largest length of a drawn vector. Longer vectors may not fit into memory.
const LONGEST: usize = 1 << 12;

/// A domain for which an audit can draw values just outside.
pub trait Fenced: Drawn {
    /// Returns one strategy per kind of non-member. The list is empty if every value of the type is a member.
    fn non_members(&self) -> Vec<BoxedStrategy<Owned<Self>>>;
}

/// Draws any member.
fn member<D: Drawn>(domain: &D) -> BoxedStrategy<Owned<D>>
where
    Owned<D>: Debug,
{
    any_of(domain.ways())
}

/// The non-members are values beyond the bounds, and NaN with either sign if the domain excludes NaN.
impl<T: Value> Fenced for AtomDomain<T> {
    fn non_members(&self) -> Vec<BoxedStrategy<T>> {
        let beyond = self.bounds().map(T::non_members).unwrap_or_default();
        let nan = T::nan().filter(|_| !self.has_nan());
        let spelled = nan.as_ref().map(T::spelled);
        beyond.into_iter().chain(nan).chain(spelled).map(|value| Just(value).boxed()).collect()
    }
}

/// The non-members are present values that are not members of the element's domain.
impl<D: Fenced> Fenced for OptionDomain<D>
where
    Owned<D>: Debug,
{
    fn non_members(&self) -> Vec<BoxedStrategy<Option<Owned<D>>>> {
        self.element().non_members().into_iter().map(|non_member| non_member.prop_map(Some).boxed()).collect()
    }
}

/// One part is a non-member, and the other part is a member.
impl<A: Fenced, B: Fenced> Fenced for PairDomain<A, B>
where
    Owned<A>: Debug,
    Owned<B>: Debug,
{
    fn non_members(&self) -> Vec<BoxedStrategy<(Owned<A>, Owned<B>)>> {
        let (first, second) = (self.first(), self.second());
        let firsts = first.non_members().into_iter().map(|non_member| (non_member, member(second)).boxed());
        let seconds = second.non_members().into_iter().map(|non_member| (member(first), non_member).boxed());
        firsts.chain(seconds).collect()
    }
}

/// Either one element is a non-member (the first, the last, or one between them), or the size differs.
impl<D: Fenced> Fenced for VectorDomain<D>
where
    Owned<D>: Debug,
{
    fn non_members(&self) -> Vec<BoxedStrategy<Vec<Owned<D>>>> {
        let others = self.size().map_or(0..=3, |size| size.saturating_sub(1)..=size.saturating_sub(1));
        let of = |non_member: BoxedStrategy<Owned<D>>| {
            (vec(member(self.element()), others.clone()), non_member, any::<Index>())
                .prop_map(|(mut elements, non_member, place)| {
                    elements.insert(place.index(elements.len() + 1), non_member);
                    elements
                })
                .boxed()
        };
        // In a vector of no elements none can be wrong.
        let has_elements = self.size().is_none_or(|size| (1..=LONGEST).contains(&size));
        let non_members = if has_elements { self.element().non_members() } else { Vec::new() };
        let sizes = self
            .size()
            .into_iter()
            .flat_map(|size| [size.checked_add(1), size.checked_sub(1), (size > 1).then_some(0)].into_iter().flatten());
        let resized = sizes.filter(|size| *size <= LONGEST).map(|size| vec(member(self.element()), size).boxed());
        non_members.into_iter().map(of).chain(resized).collect()
    }
}

/// One entry has a non-member as its key or as its value.
impl<K: Value + Ord, D: Fenced> Fenced for MapDomain<K, D>
where
    Owned<D>: Debug,
{
    fn non_members(&self) -> Vec<BoxedStrategy<Self::Carrier>> {
        let entry = (member(self.key()), member(self.value()));
        let of = |non_member: BoxedStrategy<(K, Owned<D>)>| {
            (btree_map(entry.0.clone(), entry.1.clone(), 0..=3), non_member)
                .prop_map(|(mut map, (key, value))| {
                    map.insert(key, value);
                    map
                })
                .boxed()
        };
        PairDomain::new(self.key().clone(), self.value().clone()).non_members().into_iter().map(of).collect()
    }
}

/// Some non-members are longer than the radius by the smallest possible amount: at the end of an axis, beside it, and
/// at a corner. Others are not finite, or have another size.
impl Fenced for BallDomain {
    fn non_members(&self) -> Vec<BoxedStrategy<Vec<f64>>> {
        let (size, radius) = (self.size(), self.radius());
        let resized = |size: usize| Just(vec![0.0; size]).boxed();
        if size > LONGEST {
            return vec![resized(0)];
        }
        let mut non_members = vec![resized(size.saturating_add(1))];
        if size == 0 {
            return non_members;
        }
        non_members.push(resized(size.saturating_sub(1)));
        non_members.extend([radius.next_up(), f64::INFINITY, f64::NAN].map(|end| end_of_an_axis(size, end, 0.0)));
        if size > 1 && self.norm() != Norm::LInf {
            // Sums and squares in floats do not see what is so small.
            let tiny = [5e-324, f64::max(5e-324, radius * f64::EPSILON)];
            non_members.extend(tiny.map(|beside| end_of_an_axis(size, radius, beside)));
        }
        let corner = beyond_corner(self);
        let number = any::<bool>().prop_map(move |is_minus| if is_minus { -corner } else { corner });
        non_members.push(vec(number, size).boxed());
        non_members
    }
}

/// Draws a vector with the given number at any place, another number beside it, and zeros elsewhere.
fn end_of_an_axis(size: usize, end: f64, beside: f64) -> BoxedStrategy<Vec<f64>> {
    (any::<Index>(), any::<bool>())
        .prop_map(move |(axis, is_minus)| {
            let at = axis.index(size);
            let mut vector = vec![0.0; size];
            vector.rotate_left(at);
            let ends = [if is_minus { -end } else { end }, beside];
            vector.iter_mut().zip(ends).for_each(|(number, end)| *number = end);
            vector.rotate_right(at);
            vector
        })
        .boxed()
}

/// The smallest number such that a vector of only this number is too long.
fn beyond_corner(ball: &BallDomain) -> f64 {
    let (radius, number) = (ball.radius(), u32::try_from(ball.size()).unwrap_or(u32::MAX));
    let is_beyond = |corner: &f64| match (Rational::from_f64(*corner), Rational::from_f64(radius)) {
        (Some(corner), Some(radius)) => match ball.norm() {
            Norm::LInf => corner > radius,
            Norm::L1 => corner * number > radius,
            Norm::L2 => corner.square() * number > radius.square(),
        },
        _ => true,
    };
    let about = match ball.norm() {
        Norm::LInf => radius,
        Norm::L1 => radius / f64::from(number),
        Norm::L2 => radius / f64::from(number).sqrt(),
    };
    let corners = successors(Some(about * (1.0 - 4.0 * f64::EPSILON)), |corner| Some(corner.next_up()));
    corners.take(64).find(is_beyond).unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::members::Described;
    use indistinct::{numeric::Dyadic, prelude::*};
    use proptest::{
        strategy::ValueTree,
        test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
    };
    use std::borrow::Borrow;

    /// Checks that all drawn values are outside the domain by both implementations. Returns the number of kinds.
    fn kinds<D: Fenced>(domain: &D) -> usize
    where
        Owned<D>: Debug,
    {
        let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
        let kinds = domain.non_members();
        for non_member in &kinds {
            for _ in 0..20 {
                let value = non_member.new_tree(&mut runner).unwrap().current();
                let (member, described) = (domain.member(value.borrow()), domain.describes(value.borrow()));
                assert!(!member && !described, "{value:?} of {domain:?}: {member}, {described}");
            }
        }
        kinds.len()
    }

    #[test]
    fn non_members_are_outside() {
        let bounded = |bounds| AtomDomain::f64().with_bounds(bounds).unwrap();
        assert_eq!(kinds(&AtomDomain::i64()), 0);
        assert_eq!(kinds(&AtomDomain::f64()), 2);
        assert_eq!(kinds(&AtomDomain::f64().with_nan()), 0);
        for bounds in [(0.0, 1.0), (-3.0, 2.0), (0.1, 0.1), (-1e308, 1e308), (f64::MIN, f64::MAX), (-0.0, 5e-324)] {
            assert!(kinds(&bounded(bounds)) >= 4);
            assert_eq!(kinds(&bounded(bounds)), kinds(&bounded(bounds).with_nan()) + 2);
        }
        assert!(kinds(&AtomDomain::f32().with_bounds((0.5, 2.0)).unwrap()) >= 6);
        assert!(kinds(&AtomDomain::i8().with_bounds((-128, 3)).unwrap()) >= 2);
        assert_eq!(kinds(&AtomDomain::u8().with_bounds((0, 255)).unwrap()), 0);
        assert_eq!(kinds(&AtomDomain::bool().with_bounds((false, false)).unwrap()), 1);
        assert!(kinds(&AtomDomain::<char>::new().with_bounds(('b', 'y')).unwrap()) >= 2);
        assert!(kinds(&AtomDomain::<&'static str>::new().with_bounds(("b", "c")).unwrap()) >= 2);
        assert!(kinds(&AtomDomain::string().with_bounds(("b".into(), "c".into())).unwrap()) >= 2);
        let one = || Dyadic::from_f64(1.0).unwrap();
        assert!(kinds(&AtomDomain::dyadic().with_bounds((one(), one())).unwrap()) >= 4);
        let row =
            PairDomain::new(AtomDomain::u8().with_bounds((1, 9)).unwrap(), OptionDomain::new(bounded((0.0, 1.0))));
        let rows = VectorDomain::new(row.clone());
        assert!(kinds(&row) >= 9 && kinds(&rows) == kinds(&row));
        assert_eq!(kinds(&rows.clone().with_size(3)), kinds(&row) + 3);
        assert_eq!((kinds(&rows.clone().with_size(0)), kinds(&rows.with_size(1))), (1, kinds(&row) + 2));
        let key = AtomDomain::string().with_bounds(("a".into(), "b".into())).unwrap();
        assert!(kinds(&MapDomain::new(key, AtomDomain::i64().with_bounds((0, 9)).unwrap())) >= 6);
        for norm in [Norm::L1, Norm::L2, Norm::LInf] {
            for (size, radius) in [(0, 1.0), (1, 2.0), (2, 5.0), (7, 0.3), (3, 1e300), (3, 5e-324), (3, f64::MAX)] {
                assert!(kinds(&BallDomain::new(size, norm, radius).unwrap()) >= if size == 0 { 1 } else { 6 });
            }
        }
    }

    /// The kind that each slip of a domain lets in is there.
    #[test]
    fn the_next_float_and_the_next_size_are_non_members() {
        let has = |kinds: Vec<BoxedStrategy<Vec<f64>>>, value: Vec<f64>| {
            let mut runner =
                TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
            (0..200).any(|_| kinds.iter().any(|kind| kind.new_tree(&mut runner).unwrap().current() == value))
        };
        let rows = || VectorDomain::new(AtomDomain::f64().with_bounds((0.1, 0.1)).unwrap()).with_size(2);
        for beyond in [0.1f64.next_up(), 0.1f64.next_down(), f64::INFINITY, -0.1] {
            assert!(has(rows().non_members(), vec![beyond, 0.1]) && has(rows().non_members(), vec![0.1, beyond]));
        }
        assert!([0, 1, 3].iter().all(|size| has(rows().non_members(), vec![0.1; *size])));
        let ball = |norm| BallDomain::new(2, norm, 5.0).unwrap();
        assert!(
            has(ball(Norm::L2).non_members(), vec![5e-324, -5.0])
                && has(ball(Norm::L1).non_members(), vec![5.0, 5e-324])
        );
        assert!(has(ball(Norm::L1).non_members(), vec![2.5f64.next_up(), -2.5f64.next_up()]));
        assert!(has(ball(Norm::LInf).non_members(), vec![0.0, 5f64.next_up()]));
    }

    /// Datasets are looked at in chunks.
    #[test]
    fn one_non_member_after_a_thousand_rows_is_found() {
        let rows = VectorDomain::new(AtomDomain::u8().with_bounds((0, 9)).unwrap());
        let sum = make_sum(rows.clone(), SymmetricDistance).unwrap();
        for at in [0, 1023, 1024, 3000] {
            let mut data = vec![9; 3001];
            assert!(rows.member(&data) && rows.describes(&data) && sum.invoke(&data).is_ok());
            data[at] = 10;
            assert!(!rows.member(&data) && !rows.describes(&data) && sum.invoke(&data).is_err());
        }
    }
}
