//! `make_privacy_filter`: measurements chosen one after another, within a budget.

use super::compositor::{Compositor, Ledger};
use crate::{
    core::{
        Distance, Domain, Error, ErrorKind, Fallible, Measurement, Metric, MetricSpace, PrivacyMap, ToParameter,
        check_neighbors, require,
    },
    measures::BudgetMeasure,
};
use indistinct_derive::constructor;
use indistinct_numeric::gmp::Integer;

/// Keeps the data, and releases measurements of them as long as a budget allows. Each measurement and its loss may be
/// chosen after seeing all earlier releases (fully adaptive composition).
///
/// # Parameters
///
/// - `d_in`: the distance at which losses are charged.
/// - `budget`: the maximum loss of all releases together, finite.
///
/// # Privacy
///
/// The loss is the budget, for distances up to `d_in`. It is infinite beyond `d_in`, and 0 at distance 0. The losses of
/// the releases are summed exactly: a budget can be spent to its last bit, and not beyond. The float 0.2 is above a
/// fifth, and five such floats exceed 1; use [`split`](super::split) for parts that sum to the budget. (Rogers, Roth,
/// Ullman, Vadhan 2016; Feldman, Zrnic 2021 for zero-concentrated and Renyi divergence; Smith, Thakurta 2022 for
/// Gaussian divergence, where squares add up; Haney et al. 2023 for interactive releases.)
///
/// A budget of Renyi divergence is a curve at some orders, preferably at one order: see
/// [`at_orders`](crate::measures::RenyiCurve::at_orders). It is enforced at *each* of its orders, and a measurement
/// that would exceed it at any of them is refused. The noise and the number of steps may be chosen during a run, for
/// example during a training; the orders must be chosen in advance.
///
/// # Errors
///
/// Returns an error if the budget is infinite or has a delta above 1, or if a curve is given at all orders. See
/// [`Compositor::eval`] for the errors of a query.
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
///
/// A training that halves its noise after some progress, and stops when the budget is spent:
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
/// let step = |noise: f64| {
///     let sum = space.clone() >> then_clamp((-1.0, 1.0)) >> then_sum() >> then_gaussian(GaussianDivergence, noise);
///     make_PLD_to_RDP(make_poisson_sampling(make_GDP_to_PLD(sum?)?, 0.1)?)
/// };
/// // What a hundred steps with noise of 2 lose at order 8, which is an epsilon of 2.9 at a delta of 1e-6.
/// let budget = step(2.0)?.map(&1)?.repeat(100)?.at_orders(&[8.0])?;
/// let filter = (space.clone() >> then_privacy_filter(RenyiDivergence, 1, budget))?;
/// let profile = make_RDP_to_approxDP(filter.clone())?.map(&1)?;
/// assert!(profile.epsilon(1e-6)? < 2.92);
///
/// let data = filter.invoke(&[0.5; 1000])?;
/// let (mut steps, mut noise) = (0, 3.0);
/// while let Ok(sum) = data.eval(&step(noise)?) {
///     steps += 1;
///     if sum > 40.0 && steps > 50 {
///         noise = 1.5;
///     }
/// }
/// assert!(steps > 50);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("its release answers queries and is not a value"))]
pub fn make_privacy_filter<
    DI: Domain,
    MI: Metric<Distance: Default + ToParameter>,
    MO: BudgetMeasure<Distance: ToParameter> + ToParameter,
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
    let limit = MO::taken(&budget, &budget)?;
    require(limit.is_some(), "budget", "must be finite")?;
    let ledger = Budget { d_in: d_in.clone(), budget: budget.clone(), limit: limit.unwrap_or_default() };
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

/// The release of [`make_privacy_filter`]: data that answer measurements within a budget. The loss of all releases so
/// far is known at any time.
pub type PrivacyFilter<DI, MI, MO> = Compositor<DI, MI, MO, Budget<MI, MO>>;

/// A ledger that allows measurements within a budget.
pub struct Budget<MI: Metric, MO: BudgetMeasure> {
    d_in: MI::Distance,
    budget: MO::Distance,
    /// The limit of each number of the budget.
    limit: Vec<Integer>,
}

impl<MI: Metric, MO: BudgetMeasure> Ledger<MI, MO> for Budget<MI, MO> {
    const NAME: &'static str = "PrivacyFilter";
    /// The amount taken of each number of the budget, in exact multiples of a smallest unit.
    type Entries = Vec<Integer>;
    /// The loss of a measurement, and the amount that it takes of the budget; `None` if it is infinite.
    type Entry = (MO::Distance, Option<Vec<Integer>>);

    fn open(&self) -> Vec<Integer> {
        vec![Integer::new(); self.limit.len()]
    }

    fn entry(&self, map: &PrivacyMap<MI, MO>) -> Fallible<Self::Entry> {
        let loss = map.eval(&self.d_in)?;
        let taken = MO::taken(&loss, &self.budget)?;
        Ok((loss, taken))
    }

    fn allows(&self, measure: &MO, spent: &Vec<Integer>, (loss, taken): &Self::Entry) -> Fallible<()> {
        let left = self.left(spent);
        if taken.as_ref().is_some_and(|taken| taken.iter().zip(&left).all(|(loss, left)| loss <= left)) {
            return Ok(());
        }
        let (asked, left) = (measure.describe(loss), measure.describe(&MO::at_most(&left, &self.budget)?));
        let rule = format!("the measurement costs {asked}, but only {left} of the budget remains");
        Err(Error::new(ErrorKind::Budget, rule))
    }

    fn write(&self, spent: &mut Vec<Integer>, (_, taken): &Self::Entry) {
        spent.iter_mut().zip(taken.iter().flatten()).for_each(|(spent, loss)| *spent += loss);
    }
}

impl<MI: Metric, MO: BudgetMeasure> Budget<MI, MO> {
    /// Returns the remaining amount of each number.
    fn left(&self, spent: &[Integer]) -> Vec<Integer> {
        self.limit.iter().zip(spent).map(|(limit, spent)| Integer::from(limit - spent)).collect()
    }
}

impl<DI: Domain, MI: Metric<Distance: Default>, MO: BudgetMeasure> PrivacyFilter<DI, MI, MO> {
    /// Returns the loss of all releases so far, at the `d_in` of the filter (a distance between the data that it
    /// holds): their exact sum, rounded up once.
    pub fn spent(&self) -> Fallible<MO::Distance> {
        self.read(|spent| MO::at_least(spent, &self.ledger().budget))
    }

    /// Returns the remaining budget at the same distance. It is computed exactly, then rounded down once, so that a
    /// measurement with this loss is allowed.
    pub fn remaining(&self) -> Fallible<MO::Distance> {
        self.read(|spent| MO::at_most(&self.ledger().left(spent), &self.ledger().budget))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{core::RandomizedFunction, measures::CompositionMeasure, prelude::*, sampling::testing::BitTape};
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

    /// Exactly the amount that is shown as remaining can be spent, and the amount shown as spent is at least what was
    /// spent.
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
                format!("budget: the measurement costs epsilon {asked}, but only epsilon 0.25 of the budget remains");
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

    /// These measurements are refused where no theorem allows adaptively chosen responses, for example for a
    /// composition under another measure.
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

    /// A measurement of rows that costs what `loss` says at distance 1.
    fn of_rows<MO: BudgetMeasure>(
        measure: MO,
        loss: MO::Distance,
    ) -> Measurement<VectorDomain<AtomDomain<f64>>, usize, SymmetricDistance, MO> {
        let nothing = measure.compose(&[]).unwrap();
        let release = RandomizedFunction::new(|rows: &[f64], _: &mut dyn Entropy| Ok(rows.len()));
        let map = PrivacyMap::new(move |d_in: &u32| Ok(if *d_in == 0 { nothing.clone() } else { loss.clone() }));
        Measurement::new((VectorDomain::new(AtomDomain::f64()), SymmetricDistance), measure, release, map).unwrap()
    }

    fn rows() -> (VectorDomain<AtomDomain<f64>>, SymmetricDistance) {
        (VectorDomain::new(AtomDomain::f64()), SymmetricDistance)
    }

    /// Squares of mu add up, exactly: 3, 4 and 12 are 13, and nothing more is.
    #[test]
    fn a_budget_of_mu_is_spent_in_squares() {
        let filter = (rows() >> then_privacy_filter(GaussianDivergence, 1, 13.0)).unwrap();
        assert_eq!((filter.map(&0), filter.map(&1), filter.map(&2)), (Ok(0.0), Ok(13.0), Ok(f64::INFINITY)));
        let data = filter.invoke(&[7.0]).unwrap();
        assert!([3.0, 4.0].into_iter().all(|mu| data.eval(&of_rows(GaussianDivergence, mu)).is_ok()));
        assert_eq!((data.spent(), data.remaining()), (Ok(5.0), Ok(12.0)));
        let refused = data.eval(&of_rows(GaussianDivergence, 12f64.next_up())).unwrap_err();
        let told = "budget: the measurement costs mu 12.000000000000002, but only mu 12.0 of the budget remains";
        assert_eq!(refused.to_string(), told);
        assert!(data.eval(&of_rows(GaussianDivergence, 12.0)).is_ok());
        assert_eq!((data.spent(), data.remaining()), (Ok(13.0), Ok(0.0)));
        assert_eq!(data.eval(&of_rows(GaussianDivergence, 5e-324)).unwrap_err().kind(), ErrorKind::Budget);
        let refused = rows() >> then_privacy_filter(GaussianDivergence, 1, f64::INFINITY);
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::Parameter("budget"));
    }

    /// The filter compares the loss at each order. If one order has too little left for a measurement, the measurement
    /// is refused, however much the others have left.
    #[test]
    fn a_budget_of_renyi_divergences_is_kept_at_each_order() {
        let curve = |points: &[(f64, f64)]| RenyiCurve::from_points(points.to_vec()).unwrap();
        let budget = curve(&[(2.0, 1.0), (8.0, 4.0)]);
        let filter = (rows() >> then_privacy_filter(RenyiDivergence, 1, budget.clone())).unwrap();
        assert_eq!((filter.map(&1), filter.map(&0)), (Ok(budget), RenyiDivergence.compose(&[])));
        let data = filter.invoke(&[7.0]).unwrap();
        let ask = |loss: RenyiCurve| data.eval(&of_rows(RenyiDivergence, loss)).map_err(|error| error.kind());
        // A line has half of the one budget, and half of the other; a point at a great order too much at that.
        assert_eq!(ask(RenyiCurve::concentrated(0.25).unwrap()), Ok(1));
        assert_eq!(data.spent(), Ok(curve(&[(2.0, 0.5), (8.0, 2.0)])));
        assert_eq!(ask(curve(&[(2.0, 0.0), (8.0, 2f64.next_up())])), Err(ErrorKind::Budget));
        assert_eq!(ask(curve(&[(2.0, 0.5f64.next_up()), (8.0, 1.0)])), Err(ErrorKind::Budget));
        // Nothing is known of the order 8: infinite there.
        assert_eq!(ask(curve(&[(2.0, 0.25)])), Err(ErrorKind::Budget));
        assert_eq!(ask(curve(&[(2.0, 0.5), (8.0, 1.0)])), Ok(1));
        assert_eq!(data.remaining(), Ok(curve(&[(2.0, 0.0), (8.0, 1.0)])));
        assert_eq!(ask(curve(&[(8.0, 0.5)])), Err(ErrorKind::Budget), "a bound at 8 is one at 2");
        assert_eq!(ask(RenyiCurve::concentrated(0.0).unwrap()), Ok(1));
        for budget in
            [RenyiCurve::concentrated(1.0).unwrap(), RenyiCurve::pure(1.0).unwrap(), curve(&[(2.0, f64::INFINITY)])]
        {
            let refused = rows() >> then_privacy_filter(RenyiDivergence, 1, budget);
            assert_eq!(refused.unwrap_err().kind(), ErrorKind::Parameter("budget"));
        }
    }

    /// Steps of a training, with noise that is chosen on the way: as many as the budget at its order has room for, by
    /// their curves; more than a plan with the least of these noises, fewer than one with the greatest.
    #[test]
    fn steps_of_a_training_are_counted_as_they_come() {
        let step = |noise: f64, rate: f64, clip: f64| {
            let sum = rows() >> then_clamp((-clip, clip)) >> then_sum() >> then_gaussian(GaussianDivergence, noise);
            make_PLD_to_RDP(make_poisson_sampling(make_GDP_to_PLD(sum.unwrap()).unwrap(), rate).unwrap()).unwrap()
        };
        let order = 12.0;
        let at = |noise, rate, clip| step(noise, rate, clip).map(&1).unwrap().at(order).unwrap();
        // Less noise, more rows and a greater clip cost more.
        assert!(at(1.5, 0.1, 1.0) > at(2.0, 0.1, 1.0) && at(2.0, 0.2, 1.0) > at(2.0, 0.1, 1.0));
        assert!(at(2.0, 0.1, 1.5) > at(2.0, 0.1, 1.0) && at(3.0, 0.1, 1.5) == at(2.0, 0.1, 1.0));
        let budget = step(2.0, 0.1, 1.0).map(&1).unwrap().repeat(100).unwrap().at_orders(&[order]).unwrap();
        let run = |noise: &dyn Fn(u32, f64) -> f64| {
            let filter = (rows() >> then_privacy_filter(RenyiDivergence, 1, budget.clone())).unwrap();
            let data = filter.invoke(&[0.5; 50]).unwrap();
            let (mut steps, mut last, mut total) = (0u32, 0.0, 0.0);
            loop {
                let noise = noise(steps, last);
                match data.eval(&step(noise, 0.1, 1.0)) {
                    Ok(sum) => (steps, last, total) = (steps + 1, sum, total + at(noise, 0.1, 1.0)),
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::Budget);
                        // All that was taken, and no room for one step more.
                        let spent = data.spent().unwrap().at(order).unwrap();
                        assert!((spent / total - 1.0).abs() < 1e-9 && spent <= budget.at(order).unwrap());
                        assert!(spent + at(noise, 0.1, 1.0) > budget.at(order).unwrap());
                        return steps;
                    }
                }
            }
        };
        let (even, falling) = (run(&|_, _| 2.0), run(&|steps, _| if steps < 50 { 3.0 } else { 1.5 }));
        let chosen = run(&|_, last| if last > 2.5 { 1.5 } else { 2.0 });
        let least = run(&|_, _| 1.5);
        assert!(
            (99..=100).contains(&even) && falling > least && (least..=even).contains(&chosen),
            "{even} {falling} {chosen} {least}"
        );
    }

    /// The filter remembers one number for any number of queries, so neither time nor memory grows with them.
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
