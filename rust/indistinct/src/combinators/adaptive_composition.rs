//! `make_adaptive_composition`: measurements chosen one after another, within losses declared in advance.

use super::compositor::{Compositor, Ledger};
use crate::{
    core::{
        Distance, Domain, Error, ErrorKind, Fallible, Measurement, Metric, MetricSpace, PrivacyMap, ToParameter,
        check_neighbors, require,
    },
    measures::AdaptiveMeasure,
};
use indistinct_derive::constructor;

/// Keeps the data, and releases one measurement for each declared loss, in that order. Each measurement may be chosen
/// after seeing all earlier releases, if its loss is at most the declared one (adaptive composition).
///
/// To choose the losses adaptively as well, use [`make_privacy_filter`](super::make_privacy_filter) or
/// [`make_fully_adaptive_composition`](super::make_fully_adaptive_composition), which support fewer measures.
///
/// # Parameters
///
/// - `d_in`: the distance for which the losses are declared.
/// - `losses`: the maximum loss of each release, in order.
///
/// # Privacy
///
/// The loss is the composition of the declared losses, for distances up to `d_in`. It is infinite beyond `d_in`, and 0
/// at distance 0. [`AdaptiveMeasure`] lists the sources.
///
/// # Errors
///
/// Returns an error if a value is not a distance, or if a loss has a delta above 1. Losses with a direction are an
/// error unless rows or individuals are added or removed and `d_in` is 1. [`Compositor::eval`] lists the errors of a
/// query.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
/// let two = (space.clone() >> then_adaptive_composition(MaxDivergence, 1, vec![0.5, 1.0]))?;
/// assert_eq!(two.map(&1)?, 1.5);
///
/// let data = two.invoke(&[3.0, 9.0, 8.0])?;
/// let count = (space.clone() >> then_count() >> then_laplace(2.0))?;
/// let rows: i64 = data.eval(&count)?;
/// let bound = if rows > 2 { 10.0 } else { 5.0 };
/// let sum = (space >> then_clamp((0.0, bound)) >> then_sum() >> then_laplace(bound))?;
/// let total: f64 = data.eval(&sum)?;
/// assert_eq!(data.eval(&count).unwrap_err().kind(), ErrorKind::Exhausted);
/// # let _ = total;
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("its release answers queries and is not a value"))]
pub fn make_adaptive_composition<
    DI: Domain,
    MI: Metric<Distance: Default + ToParameter>,
    MO: AdaptiveMeasure<Distance: ToParameter> + ToParameter,
>(
    input_domain: DI,
    input_metric: MI,
    output_measure: MO,
    d_in: MI::Distance,
    losses: Vec<MO::Distance>,
) -> Fallible<Measurement<DI, AdaptiveComposition<DI, MI, MO>, MI, MO>>
where
    (DI, MI): MetricSpace,
{
    check_neighbors(&input_domain, &input_metric, &d_in)?;
    losses.iter().try_for_each(Distance::validate_bound)?;
    let directed = losses.iter().any(|loss| output_measure.is_directed(loss));
    require(
        !directed || input_metric.has_direction(&d_in),
        "losses",
        "must be the same for adding and for removing, because the metric does not distinguish them at distance d_in",
    )?;
    let (nothing, all) = (output_measure.compose(&[])?, output_measure.compose(&losses)?);
    let ledger = DeclaredLosses { d_in: d_in.clone(), losses };
    let map = PrivacyMap::new(move |distance: &MI::Distance| {
        if distance.is_within(&MI::Distance::default()) {
            Ok(nothing.clone())
        } else if distance.is_within(&d_in) {
            Ok(all.clone())
        } else {
            MO::infinite()
        }
    });
    Compositor::measurement((input_domain, input_metric), output_measure, ledger, map)
}

/// The release of [`make_adaptive_composition`]: data that answer one measurement for each declared loss.
pub type AdaptiveComposition<DI, MI, MO> = Compositor<DI, MI, MO, DeclaredLosses<MI, MO>>;

/// A ledger that allows measurements within losses that were declared in advance.
pub struct DeclaredLosses<MI: Metric, MO: AdaptiveMeasure> {
    d_in: MI::Distance,
    losses: Vec<MO::Distance>,
}

impl<MI: Metric, MO: AdaptiveMeasure> Ledger<MI, MO> for DeclaredLosses<MI, MO> {
    const NAME: &'static str = "AdaptiveComposition";
    /// The number of releases so far.
    type Entries = usize;
    type Entry = MO::Distance;

    fn open(&self) -> usize {
        0
    }

    fn entry(&self, map: &PrivacyMap<MI, MO>) -> Fallible<MO::Distance> {
        map.eval(&self.d_in)
    }

    fn allows(&self, measure: &MO, released: &usize, loss: &MO::Distance) -> Fallible<()> {
        let rule = "all declared measurements have been released";
        let declared = self.losses.get(*released).ok_or_else(|| Error::new(ErrorKind::Exhausted, rule))?;
        if loss.is_within(declared) {
            return Ok(());
        }
        let (asked, declared) = (measure.describe(loss), measure.describe(declared));
        let rule = format!("the loss of the measurement, {asked}, is not within its declared loss, {declared}");
        Err(Error::new(ErrorKind::Budget, rule))
    }

    fn write(&self, released: &mut usize, _: &MO::Distance) {
        *released = released.saturating_add(1);
    }
}

impl<DI: Domain, MI: Metric<Distance: Default>, MO: AdaptiveMeasure> AdaptiveComposition<DI, MI, MO> {
    /// Returns the composed losses declared for the releases so far: an upper bound on their loss, whatever their own
    /// maps give.
    pub fn spent(&self) -> Fallible<MO::Distance> {
        let losses = &self.ledger().losses;
        let released = self.read(|released| Ok(losses.iter().take(*released).cloned().collect::<Vec<_>>()))?;
        self.measure().compose(&released)
    }

    /// Returns the losses declared for the remaining releases.
    pub fn remaining(&self) -> Fallible<Vec<MO::Distance>> {
        self.read(|released| Ok(self.ledger().losses.iter().skip(*released).cloned().collect()))
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    type Number = AtomDomain<i64>;

    fn space() -> (Number, AbsoluteDistance) {
        (AtomDomain::i64(), AbsoluteDistance::new())
    }

    fn laplace(epsilon: f64) -> Measurement<Number, i64, AbsoluteDistance, MaxDivergence> {
        (space() >> then_laplace(1.0 / epsilon)).unwrap()
    }

    #[test]
    fn each_release_keeps_within_what_was_declared_for_it() {
        let three = (space() >> then_adaptive_composition(MaxDivergence, 1.0, vec![0.25, 1.0, 0.5])).unwrap();
        assert_eq!((three.map(&0.0), three.map(&0.5), three.map(&1.0)), (Ok(0.0), Ok(1.75), Ok(1.75)));
        assert_eq!(three.map(&1.0f64.next_up()), Ok(f64::INFINITY));
        let data = three.invoke(&7).unwrap();
        let error = data.eval(&laplace(0.5)).unwrap_err();
        let told = "budget: the loss of the measurement, epsilon 0.5, is not within its declared loss, epsilon 0.25";
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Budget, told));
        assert_eq!(data.spent(), Ok(0.0));
        assert!(data.eval(&laplace(0.25)).is_ok());
        assert_eq!((data.spent(), data.remaining()), (Ok(0.25), Ok(vec![1.0, 0.5])));
        assert!(data.eval(&laplace(0.125)).is_ok(), "less than declared");
        assert_eq!(
            data.eval(&laplace(1.0)).unwrap_err().kind(),
            ErrorKind::Budget,
            "what was left does not carry over"
        );
        assert!(data.eval(&laplace(0.5)).is_ok());
        // The second release was charged as declared, though its own map says less.
        assert_eq!((data.spent(), data.remaining()), (Ok(1.75), Ok(vec![])));
        for loss in [0.5, 1e-9] {
            assert_eq!(data.eval(&laplace(loss)).unwrap_err().kind(), ErrorKind::Exhausted);
        }
        assert!(format!("{data:?}").starts_with("AdaptiveComposition("));
    }

    #[test]
    fn gaussian_and_renyi_losses() {
        let gaussian = |scale| (AtomDomain::f64(), AbsoluteDistance::new()) >> then_gaussian(GaussianDivergence, scale);
        let space = || (AtomDomain::f64(), AbsoluteDistance::new());
        let two = (space() >> then_adaptive_composition(GaussianDivergence, 1.0, vec![3.0, 4.0])).unwrap();
        assert_eq!((two.map(&1.0), two.map(&2.0), two.map(&0.0)), (Ok(5.0), Ok(f64::INFINITY), Ok(0.0)));
        let data = two.invoke(&0.0).unwrap();
        assert!(data.eval(&gaussian(0.5).unwrap()).is_ok() && data.eval(&gaussian(0.125).unwrap()).is_err());
        let curve = RenyiCurve::concentrated(0.5).unwrap();
        let one = (space() >> then_adaptive_composition(RenyiDivergence, 1.0, vec![curve.clone()])).unwrap();
        assert_eq!(one.map(&1.0), Ok(curve));
        assert_eq!(one.map(&2.0).unwrap().at(2.0), Ok(f64::INFINITY));
    }

    /// Losses with a direction are kept apart, of noise on samples and of others.
    #[test]
    fn losses_of_samples_compose_along_the_way() {
        let rows = || (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
        let count = || (rows() >> then_count() >> then_laplace(2.0)).unwrap();
        let sampled = || make_poisson_sampling(make_pureDP_to_PLD(count()).unwrap(), 0.25).unwrap();
        let all = make_pureDP_to_PLD(count()).unwrap();
        let losses = vec![sampled().map(&1).unwrap(), all.map(&1).unwrap(), sampled().map(&1).unwrap()];
        let three = (rows() >> then_adaptive_composition(PrivacyLossDivergence, 1, losses.clone())).unwrap();
        let together = make_composition((sampled(), all.clone(), sampled())).unwrap().map(&1).unwrap();
        let told = three.map(&1).unwrap();
        assert!(told <= together && together <= told && told.delta(0.3) == together.delta(0.3));
        assert!(three.map(&2).unwrap().delta(100.0).unwrap().upper == 1.0);
        let data = three.invoke(&[1, 2, 3]).unwrap();
        assert_eq!(data.eval(&all).unwrap_err().kind(), ErrorKind::Budget);
        assert!(data.eval(&sampled()).is_ok() && data.eval(&all).is_ok());
        assert_eq!(data.remaining().unwrap(), losses[2..]);
        let refused = rows() >> then_adaptive_composition(PrivacyLossDivergence, 2, losses.clone());
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::Parameter("losses"));
        let replaced = (rows().0, ChangeOneDistance);
        let refused = replaced >> then_adaptive_composition(PrivacyLossDivergence, 1, losses);
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::Parameter("losses"));
        // A conversation is refused, for want of a theorem.
        let one = || (rows() >> then_adaptive_composition(PrivacyLossDivergence, 1, vec![])).unwrap();
        let refused = one().invoke(&[1]).unwrap().eval(&one()).map(drop);
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::Question);
    }

    #[test]
    fn of_sixty_four_threads_one_wins_the_last_release() {
        let one = (space() >> then_adaptive_composition(MaxDivergence, 1.0, vec![1.0])).unwrap();
        for _ in 0..20 {
            let data = one.invoke(&7).unwrap();
            let wins: u32 = std::thread::scope(|scope| {
                let race = || data.clone().eval(&laplace(1.0)).is_ok();
                let threads: Vec<_> = (0..64).map(|_| scope.spawn(race)).collect();
                threads.into_iter().map(|thread| u32::from(thread.join().unwrap())).sum()
            });
            assert_eq!(wins, 1);
        }
    }

    #[test]
    fn compositions_nest_and_bad_losses_are_refused() {
        let inner = (space() >> then_adaptive_composition(MaxDivergence, 1.0, vec![0.5])).unwrap();
        let outer = (space() >> then_adaptive_composition(MaxDivergence, 1.0, vec![0.5, 0.5])).unwrap();
        let data = outer.invoke(&7).unwrap();
        let (first, second) = (data.eval(&inner).unwrap(), data.eval(&inner).unwrap());
        // Queries to the two may be asked in turns.
        assert!(second.eval(&laplace(0.5)).is_ok() && first.eval(&laplace(0.5)).is_ok());
        assert!(second.eval(&laplace(0.5)).is_err() && data.eval(&inner).is_err());
        for losses in [vec![-1.0], vec![0.5, f64::NAN]] {
            let error = (space() >> then_adaptive_composition(MaxDivergence, 1.0, losses)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Distance);
        }
        let none = (space() >> then_adaptive_composition(MaxDivergence, 1.0, vec![])).unwrap();
        assert_eq!((none.map(&1.0), none.map(&2.0)), (Ok(0.0), Ok(f64::INFINITY)));
    }
}
