//! `make_composition`: several releases on the same data.

use crate::{
    core::{
        Deviation, Domain, Error, ErrorKind, Fallible, Marks, Measurement, Metric, Plan, Planned, PrivacyMap,
        RandomizedFunction, Step, Trace, in_words, require,
    },
    measures::CompositionMeasure,
};
use indistinct_derive::constructor;

/// Releases several measurements of the same data, each with independent randomness.
///
/// All measurements are fixed before any is released (non-adaptive composition).
///
/// # Parameters
///
/// - `measurements`: a `Vec` of measurements with one type of release, which are released as a `Vec`; or a tuple of two
///   to eight measurements with any releases, which are released as a tuple. All must have the same input domain,
///   metric and measure.
///
/// # Privacy
///
/// The loss follows from the losses of the parts by the measure's composition rule: for max divergence and
/// zero-concentrated divergence it is their exact sum, rounded up once.
///
/// # Errors
///
/// Returns an error if there are no measurements, if their domains, metrics or measures differ, or if one is
/// interactive and the measure's rule is not known to hold for concurrent composition, such as the rule for bounded
/// range.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
/// let count = (space.clone() >> then_count() >> then_laplace(2.0))?;
/// let sum = (space >> then_clamp((0.0, 10.0)) >> then_sum() >> then_laplace(20.0))?;
/// let both = make_composition((count, sum))?;
/// let (noisy_count, noisy_sum): (i64, f64) = both.invoke(&[1.0, 2.0, 3.0])?;
/// assert_eq!(both.map(&1)?, 1.0);
/// # let _ = (noisy_count, noisy_sum);
/// # Ok::<(), Error>(())
/// ```
#[constructor(shared(measurements), rebuilt_by_hand())]
pub fn make_composition<P: Composable>(
    measurements: P,
) -> Fallible<Measurement<P::Domain, P::Release, P::Metric, P::Measure>> {
    let (space, measure) = measurements.common_space()?;
    let marks = check_concurrent(measurements.as_ref(), &measure)?;
    let deviation = Deviation::Parts(measurements.deviations().into());
    let (function, mapped, traced, rule) =
        (measurements.function(), measurements.clone(), measurements, measure.clone());
    let composition = Measurement::in_checked_space(
        space,
        measure,
        function,
        PrivacyMap::new(move |d_in| rule.compose_counted(&mapped.losses(d_in)?)),
    );
    let traced = Trace::new(move |d_in| traced.steps(d_in));
    Ok(composition.with_marks(marks).with_deviation(deviation).with_trace(traced))
}

/// Returns the marks of a release of all parts. If one is interactive, the measure must be concurrent, because queries
/// to it may depend on the other releases.
pub(super) fn check_concurrent<P: Composable>(measurements: &P, measure: &P::Measure) -> Fallible<Marks> {
    let interactive = measurements.is_interactive();
    let rule = "interactive measurements compose only under a measure whose rule is known to hold concurrently";
    require(!interactive || measure.is_concurrent(), "measurements", rule)?;
    Ok(Marks { interactive, ..Marks::default() })
}

/// A `Vec` or a tuple of measurements on the same space, under the same measure.
#[diagnostic::on_unimplemented(
    message = "these measurements cannot be composed",
    label = "a tuple of two to eight, or a `Vec`, of measurements with one input domain, metric and measure is needed",
    note = "found `{Self}`",
    note = "convert those under another measure first, such as by `make_pureDP_to_zCDP`"
)]
#[allow(private_bounds)] // the plans that it is made from are the library's own business
pub trait Composable: Planned {
    /// The input domain of all parts.
    type Domain: Domain;
    /// The input metric of all parts.
    type Metric: Metric;
    /// The output measure of all parts.
    type Measure: CompositionMeasure;
    /// The type of all releases together.
    type Release: 'static;

    /// Returns the space and measure that all parts share, or an error if they differ or the list is empty.
    fn common_space(&self) -> Fallible<CommonSpace<Self>>;
    /// Returns true if the release of any part answers queries.
    fn is_interactive(&self) -> bool;
    /// Returns the losses at `d_in`, in order, each with the number of times it occurs in a row.
    fn losses(&self, d_in: &Distance<Self>) -> Fallible<Vec<(Loss<Self>, usize)>>;
    /// Returns a function that releases each part in turn. Common first steps are evaluated once.
    fn function(&self) -> RandomizedFunction<<Self::Domain as Domain>::Carrier, Self::Release>;
    /// Returns the deviations of the releases from the values without noise, in order.
    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn deviations(&self) -> Vec<Deviation>;
    /// Returns the explanations at `d_in`, in order.
    fn steps(&self, d_in: &Distance<Self>) -> Fallible<Vec<Step>>;
}

type Distance<P> = <<P as Composable>::Metric as Metric>::Distance;
type Loss<P> = <<P as Composable>::Measure as crate::core::Measure>::Distance;
type CommonSpace<P> = ((<P as Composable>::Domain, <P as Composable>::Metric), <P as Composable>::Measure);

/// Returns an error if a part differs from the first one in space or measure.
fn check_common<DI: Domain, T1, T2, MI: Metric, MO: CompositionMeasure>(
    first: &Measurement<DI, T1, MI, MO>,
    other: &Measurement<DI, T2, MI, MO>,
) -> Fallible<()>
where
    T1: 'static,
    T2: 'static,
{
    other.check_repeatable()?;
    let rule = |what, (first, other): (String, String)| {
        let message =
            format!("the measurements of a composition must share their {what}: one has `{first}`, another `{other}`");
        Err(Error::new(ErrorKind::Mismatch, message))
    };
    if first.input_domain() != other.input_domain() {
        return rule("input domain", in_words(first.input_domain(), other.input_domain()));
    }
    if first.input_metric() != other.input_metric() {
        return rule("input metric", in_words(first.input_metric(), other.input_metric()));
    }
    if first.output_measure() != other.output_measure() {
        return rule("measure", in_words(first.output_measure(), other.output_measure()));
    }
    Ok(())
}

impl<DI: Domain, TO: 'static, MI: Metric, MO: CompositionMeasure> Planned for Vec<Measurement<DI, TO, MI, MO>> {
    fn plans(&self) -> Vec<&Plan> {
        self.iter().map(Measurement::plan).collect()
    }
}

impl<DI: Domain, TO: 'static, MI: Metric, MO: CompositionMeasure> Composable for Vec<Measurement<DI, TO, MI, MO>> {
    type Domain = DI;
    type Metric = MI;
    type Measure = MO;
    type Release = Vec<TO>;

    fn common_space(&self) -> Fallible<CommonSpace<Self>> {
        let first = self.first().ok_or_else(|| Error::parameter("measurements", "must not be empty"))?;
        self.iter().try_for_each(|other| check_common(first, other))?;
        Ok((first.input_space(), first.output_measure().clone()))
    }

    fn is_interactive(&self) -> bool {
        self.iter().any(Measurement::is_interactive)
    }

    /// If a measurement occurs many times in a row, its map is evaluated once.
    fn losses(&self, d_in: &MI::Distance) -> Fallible<Vec<(MO::Distance, usize)>> {
        let alike = self.chunk_by(Measurement::is_clone_of);
        let counted = alike.filter_map(|alike| Some((alike.first()?, alike.len())));
        counted.map(|(first, count)| Ok((first.map(d_in)?, count))).collect()
    }

    fn function(&self) -> RandomizedFunction<DI::Carrier, Vec<TO>> {
        RandomizedFunction::all(self.iter().map(|part| part.function().clone()).collect())
    }

    fn steps(&self, d_in: &MI::Distance) -> Fallible<Vec<Step>> {
        Ok(self.iter().map(|part| part.steps(d_in)).collect::<Fallible<Vec<_>>>()?.concat())
    }

    #[allow(private_interfaces)]
    fn deviations(&self) -> Vec<Deviation> {
        self.iter().map(|part| part.deviation().clone()).collect()
    }
}

/// Nested pairs: `((a, b), c)`.
macro_rules! nested {
    (@ $all:tt) => { $all };
    (@ $all:tt $next:ident $($rest:ident)*) => { nested!(@ ($all, $next) $($rest)*) };
    ($first:ident $($rest:ident)+) => { nested!(@ $first $($rest)+) };
}

macro_rules! impl_tuples {
    ($(($first:ident $(, $release:ident)+);)+) => {$(
        #[allow(non_snake_case)]
        impl<DI: Domain, MI: Metric, MO: CompositionMeasure, $first: 'static, $($release: 'static),+> Planned
            for (Measurement<DI, $first, MI, MO>, $(Measurement<DI, $release, MI, MO>),+)
        {
            fn plans(&self) -> Vec<&Plan> {
                let ($first, $($release),+) = self;
                vec![$first.plan(), $($release.plan()),+]
            }
        }

        #[allow(non_snake_case)]
        impl<DI: Domain, MI: Metric, MO: CompositionMeasure, $first: 'static, $($release: 'static),+> Composable
            for (Measurement<DI, $first, MI, MO>, $(Measurement<DI, $release, MI, MO>),+)
        {
            type Domain = DI;
            type Metric = MI;
            type Measure = MO;
            type Release = ($first, $($release),+);

            fn common_space(&self) -> Fallible<CommonSpace<Self>> {
                let ($first, $($release),+) = self;
                $(check_common($first, $release)?;)+
                $first.check_repeatable()?;
                Ok(($first.input_space(), $first.output_measure().clone()))
            }

            fn is_interactive(&self) -> bool {
                let ($first, $($release),+) = self;
                $first.is_interactive() $(|| $release.is_interactive())+
            }

            fn losses(&self, d_in: &MI::Distance) -> Fallible<Vec<(MO::Distance, usize)>> {
                let ($first, $($release),+) = self;
                Ok(vec![($first.map(d_in)?, 1), $(($release.map(d_in)?, 1)),+])
            }

            fn function(&self) -> RandomizedFunction<DI::Carrier, Self::Release> {
                let ($first, $($release),+) = self;
                let all = $first.function().clone();
                $(let all = all.both($release.function().clone());)+
                all.map(|nested!($first $($release)+)| ($first, $($release),+))
            }

            fn steps(&self, d_in: &MI::Distance) -> Fallible<Vec<Step>> {
                let ($first, $($release),+) = self;
                Ok([$first.steps(d_in)?, $($release.steps(d_in)?),+].concat())
            }

            #[allow(private_interfaces)]
            fn deviations(&self) -> Vec<Deviation> {
                let ($first, $($release),+) = self;
                vec![$first.deviation().clone(), $($release.deviation().clone()),+]
            }
        }
    )+};
}

impl_tuples! {
    (T1, T2);
    (T1, T2, T3);
    (T1, T2, T3, T4);
    (T1, T2, T3, T4, T5);
    (T1, T2, T3, T4, T5, T6);
    (T1, T2, T3, T4, T5, T6, T7);
    (T1, T2, T3, T4, T5, T6, T7, T8);
}

#[cfg(test)]
mod tests {
    use crate::{core::Function, prelude::*, sampling::testing::SeededEntropy};
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    fn laplace(scale: f64) -> Measurement<AtomDomain<i64>, i64, AbsoluteDistance, MaxDivergence> {
        make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), scale).unwrap()
    }

    #[test]
    fn ten_charges_of_a_tenth_exceed_one() {
        let ten = make_composition(vec![laplace(10.0); 10]).unwrap();
        // 1/10 rounded up is the double 0.1, which is above a tenth; the exact sum of ten is above 1.
        assert_eq!(ten.map(&1.0), Ok(1f64.next_up()));
        assert_eq!(ten.check(&1.0, &1.0), Ok(false));
        let eight = make_composition(vec![laplace(8.0); 8]).unwrap();
        assert_eq!(eight.check(&1.0, &1.0), Ok(true));
    }

    #[test]
    fn small_charges_are_not_absorbed() {
        let mut parts = vec![laplace(1.0)];
        parts.extend(vec![laplace(2f64.powi(53)); 1000]);
        assert_eq!(make_composition(parts).unwrap().map(&1.0), Ok(1.0 + 500.0 * f64::EPSILON));
    }

    #[test]
    fn parts_must_agree() {
        let bounded = AtomDomain::i64().with_bounds((0, 9)).unwrap();
        let other = make_laplace(bounded, AbsoluteDistance::new(), 1.0).unwrap();
        let error = make_composition((laplace(1.0), other)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Mismatch);
        let none: Vec<Measurement<AtomDomain<i64>, i64, AbsoluteDistance, MaxDivergence>> = vec![];
        assert_eq!(make_composition(none).unwrap_err().kind(), ErrorKind::Parameter("measurements"));
    }

    #[test]
    fn an_infinite_part_makes_an_infinite_whole() {
        let parts = make_composition((laplace(0.0), laplace(1.0))).unwrap();
        assert_eq!((parts.map(&1.0), parts.map(&0.0)), (Ok(f64::INFINITY), Ok(0.0)));
    }

    #[test]
    fn interactive_parts_need_a_rule_that_holds_for_them() {
        let numbers = (AtomDomain::i64(), AbsoluteDistance::new());
        let sparse = || {
            make_above_threshold(numbers.0.clone(), numbers.1, (1.0, 1.0), Monotonicity::Unknown, 0i64, 1, (2.0, 4.0))
                .unwrap()
        };
        assert!(sparse().is_interactive() && !laplace(1.0).is_interactive());
        let both = make_composition((sparse(), laplace(1.0))).unwrap();
        assert!(both.is_interactive() && make_pureDP_to_zCDP(both).unwrap().is_interactive());
        let range = |part| make_pureDP_to_bounded_range(part).unwrap();
        let laplace = make_pureDP_to_bounded_range(laplace(1.0)).unwrap();
        assert_eq!(
            make_composition((range(sparse()), laplace.clone())).unwrap_err().kind(),
            ErrorKind::Parameter("measurements")
        );
        assert!(make_composition((laplace.clone(), laplace)).is_ok());
        let approximate = make_approximate(make_pureDP_to_zCDP(sparse()).unwrap()).unwrap();
        assert!(make_composition(vec![approximate]).is_err());
        let approximate = make_approximate(sparse()).unwrap();
        assert!(make_composition(vec![approximate]).is_ok());
    }

    #[test]
    fn a_list_releases_and_plans_every_part() {
        let three = make_composition(vec![laplace(0.0), laplace(0.0), laplace(0.0)]).unwrap().accept_infinite_loss();
        assert_eq!(three.invoke(&7), Ok(vec![7, 7, 7]));
        assert_eq!(
            (three.plan().children.iter().count(), three.explain(&0.0).unwrap().steps[0].children.len()),
            (3, 3)
        );
        let two = make_composition((laplace(0.0), laplace(0.0))).unwrap().accept_infinite_loss();
        assert_eq!((two.invoke(&7), two.plan().children.iter().count()), (Ok((7, 7)), 2));
    }

    /// What parts begin with is evaluated once, whether rows are treated one by one or by individuals; what merely
    /// looks alike is not.
    #[test]
    fn shared_steps_are_evaluated_once() {
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = || {
            let calls = calls.clone();
            let double = move |row: &i64| {
                calls.fetch_add(1, Ordering::Relaxed);
                2 * row
            };
            let rows = (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
            (rows >> then_map(AtomDomain::i64(), 0, double)).unwrap()
        };
        let data: Vec<i64> = (0..5000).collect();
        let count = |chain: &Transformation<_, _, _, _>| (chain.clone() >> then_count() >> then_laplace(1.0)).unwrap();
        let sum = |chain: &Transformation<_, _, _, _>| {
            (chain.clone() >> then_clamp((0, 5)) >> then_sum() >> then_laplace(1.0)).unwrap()
        };
        let calls_of = |release: &dyn Fn()| {
            calls.store(0, Ordering::Relaxed);
            release();
            calls.load(Ordering::Relaxed)
        };
        let chain = counted();
        let both = make_composition((count(&chain), sum(&chain))).unwrap();
        assert_eq!(calls_of(&|| assert!(both.invoke(&data).is_ok())), 5000);
        let three = make_composition(vec![count(&chain), count(&counted()), count(&chain)]).unwrap();
        assert_eq!(calls_of(&|| assert!(three.invoke(&data).is_ok())), 10_000);
        let parts = |part: &[i64]| both.aggregate().unwrap().absorb(part).unwrap();
        let merged = || parts(&data[..9]).merge(parts(&data[9..])).unwrap().release_with(&mut SeededEntropy::new(4));
        assert_eq!(calls_of(&|| assert!(merged().is_ok())), 5000);
        assert_eq!(merged(), both.invoke_with(&data, &mut SeededEntropy::new(4)));
    }

    /// Parts of all kinds draw as they would one after the other.
    #[test]
    fn parts_draw_in_turn() {
        let people = || VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::i64()));
        let space = || (people(), SymmetricIdDistance);
        let data: Vec<(u32, i64)> = (0..400).map(|row| (row * row % 37, i64::from(row % 9))).collect();
        let bounded = (space() >> then_bound_contributions(2)).unwrap();
        let bounded = || bounded.clone();
        let count = (bounded() >> then_count() >> then_laplace(3.0)).unwrap();
        let sum = (bounded() >> then_clamp((0, 5)) >> then_sum() >> then_laplace(9.0)).unwrap();
        let resized = bounded() >> then_resize(9, 0) >> then_clamp((0, 5)) >> then_sum() >> then_laplace(9.0);
        let resized = resized.unwrap();
        let mut one = SeededEntropy::new(7);
        let apart = (
            count.invoke_with(&data, &mut one).unwrap(),
            sum.invoke_with(&data, &mut one).unwrap(),
            count.invoke_with(&data, &mut one).unwrap(),
        );
        let folds = make_composition((count.clone(), sum.clone(), count.clone())).unwrap();
        assert_eq!(folds.invoke_with(&data, &mut SeededEntropy::new(7)), Ok(apart));
        // One whose function needs all rows, not those of each individual alone.
        let mut one = SeededEntropy::new(7);
        let apart =
            vec![count.invoke_with(&data, &mut one).unwrap().into(), resized.invoke_with(&data, &mut one).unwrap()];
        let wide = count.clone() >> Function::new(|x: &i64| i128::from(*x));
        let mixed = make_composition(vec![wide.unwrap(), resized]).unwrap();
        assert_eq!(mixed.invoke_with(&data, &mut SeededEntropy::new(7)), Ok(apart));
        // By parts, somebody's rows might not come together.
        assert_eq!(folds.aggregate().unwrap_err().kind(), ErrorKind::Whole);
    }
}
