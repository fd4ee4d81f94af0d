//! The whole distribution of the privacy loss.

use super::CompositionMeasure;
use crate::core::{Distance, Error, ErrorKind, Fallible, Measure, Parameter, ToParameter, parameter_by_debug};
use indistinct_accounting::PrivacyLossDistribution;

/// The hockey-stick divergences of all epsilons, given by a pair of distributions that has them; the distance is a list
/// of such pairs, a [`PrivacyLossDistribution`].
///
/// Two distributions P and Q are d-close if `P(S) <= exp(epsilon) Q(S) + d.delta(epsilon)` and the same with P and Q
/// exchanged, for every event S and every `epsilon >= 0`. Composition puts the lists together, and delta is computed
/// when it is asked for: nothing is lost on the way, where adding epsilons or Renyi curves loses much (Zhu, Dong, Wang
/// 2022, Theorem 10). The pairs must be the same in both directions: a chain does not say which of its inputs has one
/// individual more. So noise on Poisson samples and a pair of distributions of one's own have no place here; they are
/// refused, by an error of the map, when they are composed, and no promise is checked against them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PrivacyLossDivergence;

impl Measure for PrivacyLossDivergence {
    type Distance = PrivacyLossDistribution;

    fn describe(&self, losses: &PrivacyLossDistribution) -> String {
        format!("losses of {losses}")
    }

    fn is_infinite(&self, losses: &PrivacyLossDistribution) -> Fallible<bool> {
        Ok(Self::infinite()?.is_within(losses))
    }
}

impl CompositionMeasure for PrivacyLossDivergence {
    fn compose(&self, distances: &[PrivacyLossDistribution]) -> Fallible<PrivacyLossDistribution> {
        distances.iter().try_fold(PrivacyLossDistribution::none(), |all, losses| {
            symmetric(losses, ErrorKind::Mismatch)?;
            Ok(all.compose(losses)?)
        })
    }

    fn infinite() -> Fallible<PrivacyLossDistribution> {
        Ok(PrivacyLossDistribution::approximate(0.0, 1.0)?)
    }
}

fn symmetric(losses: &PrivacyLossDistribution, kind: ErrorKind) -> Fallible<()> {
    if losses.is_symmetric() {
        return Ok(());
    }
    Err(Error::new(
        kind,
        "losses must be the same in both directions: not those of Poisson samples or of laws of one's own",
    ))
}

/// A distribution is within another if each of its mechanisms has one beside it there that is known to lose as much.
impl Distance for PrivacyLossDistribution {
    fn validate(&self) -> Fallible<()> {
        symmetric(self, ErrorKind::Distance)
    }

    fn is_within(&self, bound: &Self) -> bool {
        self <= bound
    }
}

/// In words that differ where the guarantees do.
impl ToParameter for PrivacyLossDistribution {
    fn to_parameter(&self) -> Parameter {
        format!("{self:#}").to_parameter()
    }
}

parameter_by_debug!(() PrivacyLossDivergence);

#[cfg(test)]
mod tests {
    use crate::{core::Distance, measures::CompositionMeasure, prelude::*};
    use indistinct_accounting::{gaussian_composition, optimal_composition_delta};

    type P = PrivacyLossDistribution;

    /// A hundred answers of epsilon 0.1 each: basic composition says 10.
    #[test]
    fn a_hundred_pure_mechanisms_compose_to_what_is_optimal() {
        let noisy = || make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 10.0).unwrap();
        let own = noisy().map(&1.0).unwrap();
        let basic = make_composition(vec![noisy(); 100]).unwrap().map(&1.0).unwrap();
        let losses = || vec![make_pureDP_to_PLD(noisy()).unwrap(); 100];
        let all = make_PLD_to_approxDP(make_composition(losses()).unwrap()).unwrap();
        let (epsilon, _) = make_fix_delta(all.clone(), 1e-6).unwrap().map(&1.0).unwrap();
        assert!(epsilon < 0.6 * basic, "{epsilon} {basic}");
        for at in [0.5, 2.0, 5.0, 9.0] {
            let (_, delta) = make_fix_epsilon(all.clone(), at).unwrap().map(&1.0).unwrap();
            let optimal = optimal_composition_delta(100, own, 0.0, at).unwrap();
            assert!((delta / optimal - 1.0).abs() < 1e-9, "{at}: {delta} {optimal}");
            // Bounds on one number: neither upper bound is below the other's lower one.
            let enclosure = P::pure(own).unwrap().repeat(100).unwrap().delta(at).unwrap();
            assert!(enclosure.lower <= optimal && delta == enclosure.upper);
        }
        // No loss at all beyond what basic composition has.
        assert_eq!(make_fix_epsilon(all, basic).unwrap().map(&1.0).unwrap(), (basic, 0.0));
    }

    #[test]
    fn unlike_mechanisms_lose_more_than_each_and_less_than_all_apart() {
        let gaussian = || make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, 4.0).unwrap();
        let noise = || make_canonical_noise(AtomDomain::f64(), AbsoluteDistance::new(), 1.0, (0.25, 1e-8)).unwrap();
        let (mu, pair) = (gaussian().map(&1.0).unwrap(), noise().map(&1.0).unwrap());
        let mut parts = vec![make_GDP_to_PLD(gaussian()).unwrap(); 10];
        parts.extend(vec![make_fixed_approxDP_to_PLD(noise()).unwrap(); 10]);
        let losses = make_composition(parts).unwrap().map(&1.0).unwrap();
        let all = PrivacyProfile::losses(losses);
        let gaussians = PrivacyProfile::gaussian(gaussian_composition(&[mu; 10]).unwrap()).unwrap();
        for epsilon in [0.5, 2.0] {
            // Together they lose more than either kind alone, and less than the sum of both.
            let alone = optimal_composition_delta(10, pair.0, pair.1, epsilon).unwrap();
            let delta = all.delta(epsilon).unwrap();
            assert!(delta > alone && delta > gaussians.delta(epsilon).unwrap());
            let at = epsilon / 2.0;
            let halves = optimal_composition_delta(10, pair.0, pair.1, at).unwrap() * at.exp();
            assert!(delta < halves + gaussians.delta(at).unwrap(), "{epsilon}: {delta}");
        }
    }

    #[test]
    fn losses_that_know_a_direction_are_refused() {
        let sampled = P::poisson_gaussian(1.0, 0.1).unwrap();
        let own = P::discrete(&[(0.25, 0.75), (0.75, 0.25)]).unwrap();
        for losses in [sampled, own, P::pure(1.0).unwrap().poisson_sampled(0.5).unwrap()] {
            assert_eq!(losses.validate().unwrap_err().kind(), ErrorKind::Distance);
            let both = [losses.clone(), P::pure(0.5).unwrap()];
            assert_eq!(PrivacyLossDivergence.compose(&both).unwrap_err().kind(), ErrorKind::Mismatch);
        }
        // A sample of fixed size is alike in both.
        let fixed = P::fixed_size_gaussian(1.0, 0.1).unwrap();
        assert!(fixed.validate().is_ok() && PrivacyLossDivergence.compose(&[fixed.clone(), fixed]).is_ok());
    }

    #[test]
    fn of_nothing_there_is_no_loss_and_of_everything_no_promise() {
        assert_eq!(PrivacyLossDivergence.compose(&[]), Ok(P::none()));
        let nothing = PrivacyLossDivergence::infinite().unwrap();
        assert_eq!(nothing.delta(600.0).unwrap().lower, 1.0);
        assert!(P::pure(600.0).unwrap().is_within(&nothing) && !nothing.is_within(&P::pure(600.0).unwrap()));
        let profile = PrivacyProfile::losses(nothing);
        assert_eq!((profile.delta(1.0), profile.epsilon(0.5)), (Ok(1.0), Ok(f64::INFINITY)));
        let profile = PrivacyProfile::losses(P::none());
        assert_eq!((profile.delta(0.0), profile.epsilon(0.0)), (Ok(0.0), Ok(0.0)));
    }
}
