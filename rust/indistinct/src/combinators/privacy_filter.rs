//! `make_privacy_filter`: measurements chosen one after another, within a budget.

use super::compositor::{Compositor, Ledger};
use crate::{
    core::{
        Distance, Domain, Error, ErrorKind, Fallible, Measurement, Metric, MetricSpace, PrivacyMap, ToParameter,
        check_neighbors, require,
    },
    measures::{AdaptiveMeasure, AdditiveMeasure},
};
use indistinct_derive::constructor;
use indistinct_numeric::gmp::Integer;

/// Keep the data, and release measurements of them as long as a budget allows. Each measurement, its loss included, may
/// be chosen in view of all releases before it (fully adaptive composition).
///
/// # Parameters
///
/// - `d_in`: the distance at which losses are counted.
/// - `budget`: the greatest loss of all releases together, finite.
///
/// # Privacy
///
/// The budget, for distances up to `d_in`; infinite beyond, 0 at distance 0. The losses of the releases are summed
/// exactly: a budget can be spent to its last bit, and not beyond. The floats that are written 0.2 are above a fifth,
/// and five of them above 1: ask [`split`](super::split) for parts that sum to the budget (Rogers, Roth, Ullman, Vadhan
/// 2016; Feldman, Zrnic 2021 for zero-concentrated divergence; Haney et al. 2023 where releases are interactive).
///
/// # Errors
///
/// A budget that is infinite, or whose delta is above 1. See [`Compositor::eval`] for those of a query.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
/// let filter = (space.clone() >> then_privacy_filter(MaxDivergence, 1, 1.0))?;
/// assert_eq!(filter.map(&1)?, 1.0);
///
/// let data = filter.invoke(&[3.0, 9.0, 8.0])?;
/// let count = (space.clone() >> then_count() >> then_laplace(2.0))?;
/// let rows: i64 = data.eval(&count)?;
/// let bound = if rows > 2 { 10.0 } else { 5.0 };
/// let sum = (space >> then_clamp((0.0, bound)) >> then_sum() >> then_laplace(2.0 * bound))?;
/// let total: f64 = data.eval(&sum)?;
/// assert_eq!(data.spent()?, 1.0);
/// assert_eq!(data.eval(&count).unwrap_err().kind(), ErrorKind::Budget);
/// # let _ = total;
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("its release answers queries, and is no value"))]
pub fn make_privacy_filter<
    DI: Domain,
    MI: Metric<Distance: Default + ToParameter>,
    MO: AdditiveMeasure<Distance: ToParameter> + AdaptiveMeasure + ToParameter,
>(
    input_domain: DI,
    input_metric: MI,
    output_measure: MO,
    d_in: MI::Distance,
    budget: MO::Distance,
) -> Fallible<Measurement<DI, PrivacyFilter<DI, MI, MO>, MI, MO>>
where
    (DI, MI): MetricSpace,
{
    check_neighbors(&input_domain, &input_metric, &d_in)?;
    budget.validate_bound()?;
    let limit = MO::exact(&budget)?;
    require(limit.is_some(), "budget", "must be finite")?;
    let ledger = Budget { d_in: d_in.clone(), budget: limit.unwrap_or_default() };
    let rule = output_measure.clone();
    let map = PrivacyMap::new(move |distance: &MI::Distance| {
        if distance.is_within(&MI::Distance::default()) {
            rule.compose(&[])
        } else if distance.is_within(&d_in) {
            Ok(budget.clone())
        } else {
            MO::infinite()
        }
    });
    Compositor::measurement((input_domain, input_metric), output_measure, ledger, map)
}

/// Data that answer measurements within a budget: the release of [`make_privacy_filter`]. What releases have cost is
/// known at any time.
pub type PrivacyFilter<DI, MI, MO> = Compositor<DI, MI, MO, Budget<MI>>;

/// A ledger that allows what a budget is enough for.
pub struct Budget<MI: Metric> {
    d_in: MI::Distance,
    budget: Vec<Integer>,
}

impl<MI: Metric, MO: AdditiveMeasure + AdaptiveMeasure> Ledger<MI, MO> for Budget<MI> {
    const NAME: &'static str = "PrivacyFilter";
    /// What is spent, number by number, in multiples of the least float.
    type Entries = Vec<Integer>;
    /// The loss of a measurement, and the same in multiples of the least float; nothing if it is infinite.
    type Entry = (MO::Distance, Option<Vec<Integer>>);

    fn open(&self) -> Vec<Integer> {
        vec![Integer::new(); self.budget.len()]
    }

    fn entry(&self, map: &PrivacyMap<MI, MO>) -> Fallible<Self::Entry> {
        let loss = map.eval(&self.d_in)?;
        let exact = MO::exact(&loss)?;
        Ok((loss, exact))
    }

    fn allows(&self, measure: &MO, spent: &Vec<Integer>, (loss, exact): &Self::Entry) -> Fallible<()> {
        let left = self.left(spent);
        if exact.as_ref().is_some_and(|exact| exact.iter().zip(&left).all(|(loss, left)| loss <= left)) {
            return Ok(());
        }
        let (asked, left) = (measure.describe(loss), measure.describe(&MO::rounded_down(&left)?));
        let rule = format!("the measurement may lose {asked}, and {left} is left of the budget");
        Err(Error::new(ErrorKind::Budget, rule))
    }

    fn write(&self, spent: &mut Vec<Integer>, (_, exact): &Self::Entry) {
        spent.iter_mut().zip(exact.iter().flatten()).for_each(|(spent, loss)| *spent += loss);
    }
}

impl<MI: Metric> Budget<MI> {
    /// What is left, number by number.
    fn left(&self, spent: &[Integer]) -> Vec<Integer> {
        self.budget.iter().zip(spent).map(|(limit, spent)| Integer::from(limit - spent)).collect()
    }
}

impl<DI: Domain, MI: Metric<Distance: Default>, MO: AdditiveMeasure + AdaptiveMeasure> PrivacyFilter<DI, MI, MO> {
    /// The loss of all releases so far, at the `d_in` of the filter (a distance of the data that it holds): their exact
    /// sum, rounded up once.
    pub fn spent(&self) -> Fallible<MO::Distance> {
        self.read(|spent| MO::rounded_up(spent))
    }

    /// What is left of the budget, at the same distance: exactly, then rounded down once, so that a measurement that
    /// loses as much is allowed.
    pub fn remaining(&self) -> Fallible<MO::Distance> {
        self.read(|spent| MO::rounded_down(&self.ledger().left(spent)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{core::RandomizedFunction, prelude::*, sampling::testing::BitTape};
    use indistinct_sampling::Entropy;

    type Number = AtomDomain<i64>;
    type Filter = PrivacyFilter<Number, AbsoluteDistance, MaxDivergence>;

    fn space() -> (Number, AbsoluteDistance) {
        (AtomDomain::i64(), AbsoluteDistance::new())
    }

    fn filter(budget: f64) -> Filter {
        (space() >> then_privacy_filter(MaxDivergence, 1.0, budget)).unwrap().invoke(&7).unwrap()
    }

    /// A measurement that costs `loss`, and releases the data times one.
    fn costing(loss: f64) -> Measurement<Number, i64, AbsoluteDistance, MaxDivergence> {
        let release = RandomizedFunction::new(|data: &i64, _: &mut dyn Entropy| Ok(*data));
        let map = PrivacyMap::new(move |d_in: &f64| Ok(if *d_in == 0.0 { 0.0 } else { loss }));
        Measurement::new(space(), MaxDivergence, release, map).unwrap()
    }

    /// Submit all losses; whether the last was allowed.
    fn last_allowed(budget: f64, losses: &[f64]) -> bool {
        let filter = filter(budget);
        let releases: Vec<_> = losses.iter().map(|loss| filter.eval(&costing(*loss))).collect();
        releases.last().unwrap().is_ok()
    }

    #[test]
    fn budgets_are_spent_to_the_end_and_not_beyond() {
        // Vectors of known failures: sums in f64 decide the first, third and fourth wrongly.
        assert!(!last_allowed(1.0, &[0.1; 10]), "ten doubles 0.1 are more than 1");
        assert!(!last_allowed(0.3, &[0.1, 0.2]));
        assert!(!last_allowed(1.0, &[&[1.0][..], &[2f64.powi(-53); 1000]].concat()));
        assert!(!last_allowed(1.0, &[1.0, 5e-324]));
        assert!(last_allowed(1.0, &[1.0 / 3.0; 3]) && !last_allowed(1.0, &[1.0 / 3.0; 4]));
        // A tenth of a budget that has one.
        assert!(last_allowed(10.0 * 2f64.powi(-40), &[2f64.powi(-40); 10]) && last_allowed(0.625, &[0.0625; 10]));
        assert!(!last_allowed(0.625, &[0.0625; 11]) && last_allowed(f64::MAX, &[f64::MAX / 2.0; 2]));
        assert!(!last_allowed(f64::MAX, &[f64::MAX, f64::MAX]) && last_allowed(0.0, &[0.0; 3]));
    }

    #[test]
    fn a_refusal_costs_nothing_and_leaves_the_filter_usable() {
        let filter = filter(1.0);
        assert!(filter.eval(&costing(0.75)).is_ok());
        for loss in [0.5, f64::INFINITY, 0.25f64.next_up()] {
            assert_eq!(filter.eval(&costing(loss)).unwrap_err().kind(), ErrorKind::Budget);
        }
        for invalid in [f64::NAN, -0.125, -5e-324, f64::NEG_INFINITY] {
            assert_eq!(filter.eval(&costing(invalid)).unwrap_err().kind(), ErrorKind::Distance);
        }
        let bounded = AtomDomain::i64().with_bounds((0, 9)).unwrap();
        let other = make_laplace(bounded, AbsoluteDistance::new(), 100.0).unwrap();
        assert_eq!(filter.eval(&other).unwrap_err().kind(), ErrorKind::Question);
        let release = RandomizedFunction::new(|_: &i64, _: &mut dyn Entropy| Ok(0));
        let not_at_zero = Measurement::new(space(), MaxDivergence, release, PrivacyMap::new(|_| Ok(0.1))).unwrap();
        assert_eq!(filter.eval(&not_at_zero).unwrap_err().kind(), ErrorKind::Question);
        assert_eq!((filter.spent(), filter.eval(&costing(0.25)), filter.spent()), (Ok(0.75), Ok(7), Ok(1.0)));
    }

    /// What is shown as left can be spent, and nothing more; what is shown as spent is not less than it.
    #[test]
    fn what_remains_is_rounded_down_and_can_be_spent() {
        let filter = filter(1.0);
        assert_eq!((filter.spent(), filter.remaining()), (Ok(0.0), Ok(1.0)));
        // 1 - 2^-60 lies between floats.
        assert!(filter.eval(&costing(2f64.powi(-60))).is_ok());
        let left = filter.remaining().unwrap();
        assert_eq!((filter.spent(), left), (Ok(2f64.powi(-60)), 1f64.next_down()));
        assert_eq!(filter.eval(&costing(left.next_up())).unwrap_err().kind(), ErrorKind::Budget);
        assert!(filter.eval(&costing(left)).is_ok());
        let least = 2f64.powi(-53) - 2f64.powi(-60);
        assert_eq!((filter.spent(), filter.remaining()), (Ok(1.0), Ok(least)));
        assert!(filter.eval(&costing(least)).is_ok() && filter.remaining() == Ok(0.0));
    }

    #[test]
    fn a_refusal_tells_what_was_asked_and_what_is_left() {
        let filter = filter(1.0);
        assert!(filter.eval(&costing(0.75)).is_ok());
        for (loss, asked) in [(0.5, "0.5"), (f64::INFINITY, "inf")] {
            let told =
                format!("budget: the measurement may lose epsilon {asked}, and epsilon 0.25 is left of the budget");
            assert_eq!(filter.eval(&costing(loss)).unwrap_err().to_string(), told);
        }
    }

    #[test]
    fn a_measurement_that_is_refused_does_not_run_on_the_data() {
        use std::sync::{
            Arc,
            atomic::{AtomicU32, Ordering},
        };
        let runs = Arc::new(AtomicU32::new(0));
        let counted = |loss: f64, at_zero: f64| {
            let runs = runs.clone();
            let release =
                RandomizedFunction::new(move |_: &i64, _: &mut dyn Entropy| Ok(runs.fetch_add(1, Ordering::Relaxed)));
            let map = PrivacyMap::new(move |d_in: &f64| Ok(if *d_in == 0.0 { at_zero } else { loss }));
            Measurement::new(space(), MaxDivergence, release, map).unwrap()
        };
        let filter = filter(1.0);
        assert!(filter.eval(&counted(0.75, 0.0)).is_ok());
        for (refused, kind) in [(counted(0.5, 0.0), ErrorKind::Budget), (counted(0.1, 0.1), ErrorKind::Question)] {
            assert_eq!(filter.eval(&refused).unwrap_err().kind(), kind);
        }
        assert_eq!(runs.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_release_that_fails_is_not_given_back() {
        let filter = filter(1.0);
        let failing = costing(0.125) >> Function::new_fallible(|_: &i64| Err::<i64, _>(Error::parameter("x", "fails")));
        let failing = failing.unwrap();
        assert_eq!((0..100).filter(|_| filter.eval(&failing).unwrap_err().kind() != ErrorKind::Budget).count(), 8);
        assert_eq!(filter.spent(), Ok(1.0));
        let dry = self::filter(1.0);
        let laplace = make_laplace(space().0, space().1, 4.0).unwrap();
        assert_eq!(dry.eval_with(&laplace, &mut BitTape::new(&[])).unwrap_err().kind(), ErrorKind::Entropy);
        assert_eq!(dry.spent(), Ok(0.25));
    }

    #[test]
    fn of_sixty_four_threads_one_wins_the_last_unit() {
        for _ in 0..50 {
            let filter = filter(1.0);
            (0..63).for_each(|_| assert!(filter.eval(&costing(1.0 / 64.0)).is_ok()));
            let wins = std::thread::scope(|scope| {
                let race = || filter.clone().eval(&costing(1.0 / 64.0)).is_ok();
                let threads: Vec<_> = (0..64).map(|_| scope.spawn(race)).collect();
                threads.into_iter().map(|thread| u32::from(thread.join().unwrap())).sum::<u32>()
            });
            assert_eq!((wins, filter.spent()), (1, Ok(1.0)));
        }
    }

    #[test]
    fn epsilon_and_delta_are_both_counted() {
        let measure = Approximate(MaxDivergence);
        let filter = (space() >> then_privacy_filter(measure, 1.0, (1.0, 1e-6))).unwrap();
        assert_eq!((filter.map(&0.0), filter.map(&1.0)), (Ok((0.0, 0.0)), Ok((1.0, 1e-6))));
        assert_eq!(filter.map(&2.0), Ok((f64::INFINITY, 1.0)));
        let filter = filter.invoke(&7).unwrap();
        let costing = |epsilon, delta| {
            let release = RandomizedFunction::new(|data: &i64, _: &mut dyn Entropy| Ok(*data));
            let map = PrivacyMap::new(move |d_in: &f64| Ok(if *d_in == 0.0 { (0.0, 0.0) } else { (epsilon, delta) }));
            Measurement::new(space(), measure, release, map).unwrap()
        };
        assert!(filter.eval(&costing(0.5, 1e-6)).is_ok());
        assert_eq!(filter.eval(&costing(0.125, 5e-324)).unwrap_err().kind(), ErrorKind::Budget);
        assert_eq!(filter.eval(&costing(0.75, 0.0)).unwrap_err().kind(), ErrorKind::Budget);
        assert!(filter.eval(&costing(0.5, 0.0)).is_ok());
        assert_eq!((filter.spent(), filter.remaining()), (Ok((1.0, 1e-6)), Ok((0.0, 0.0))));
    }

    #[test]
    fn interactive_releases_and_bad_budgets() {
        let filter = filter(2.0);
        let sparse = make_above_threshold(space().0, space().1, (1.0, 1.0), Monotonicity::Unknown, 0i64, 1, (2.0, 4.0));
        assert!(filter.eval(&sparse.unwrap()).is_ok());
        assert_eq!(filter.spent(), Ok(1.0));
        assert!(format!("{filter:?}").starts_with("PrivacyFilter("));
        let error = (space() >> then_privacy_filter(MaxDivergence, 1.0, f64::INFINITY)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("budget"));
        assert!((space() >> then_privacy_filter(MaxDivergence, 1.0, f64::NAN)).is_err());
        // A delta is a probability, in every budget and bound.
        let measure = Approximate(MaxDivergence);
        for budget in [(1.0, 1f64.next_up()), (1.0, 2.0), (1.0, f64::INFINITY)] {
            let error = (space() >> then_privacy_filter(measure, 1.0, budget)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Distance);
            assert!((space() >> then_adaptive_composition(measure, 1.0, vec![budget])).is_err());
            let filter = (space() >> then_privacy_filter(measure, 1.0, (1.0, 1.0))).unwrap();
            assert_eq!(filter.check(&1.0, &budget).unwrap_err().kind(), ErrorKind::Distance);
            assert_eq!(filter.check(&1.0, &(1.0, 1.0)), Ok(true));
        }
    }

    /// So that they are refused where no theorem lets responses be chosen one by one: what is composed under another
    /// measure, among others.
    #[test]
    fn conversations_are_known_as_such() {
        let (domain, metric) = space();
        let filter = || (space() >> then_privacy_filter(MaxDivergence, 1.0, 1.0)).unwrap();
        assert!(filter().is_interactive() && !costing(1.0).is_interactive());
        let losses = vec![1.0];
        assert!(make_adaptive_composition(domain, metric, MaxDivergence, 1.0, losses).unwrap().is_interactive());
        let (domain, metric) = space();
        assert!(make_fully_adaptive_composition(domain, metric, MaxDivergence).unwrap().is_interactive());
        let range = || make_pureDP_to_bounded_range(filter()).unwrap();
        assert_eq!(make_composition((range(), range())).unwrap_err().kind(), ErrorKind::Parameter("measurements"));
    }

    /// What is remembered is one number, however many queries there were: neither time nor memory grows with them.
    #[test]
    fn a_hundred_thousand_questions_are_counted_exactly() {
        let (filter, question) = (filter(100.0), costing(0.001));
        assert_eq!(
            (0..100_000).filter(|_| filter.eval(&question).is_ok()).count(),
            99_999,
            "0.001 is above a thousandth"
        );
        let (spent, float) = (filter.spent().unwrap(), 99_999.0 * 0.001);
        assert!((spent - float).abs() < 1e-12 && spent <= 100.0);
    }
}
