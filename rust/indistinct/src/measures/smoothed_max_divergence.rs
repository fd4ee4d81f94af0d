//! Approximate differential privacy at every epsilon at once.

use super::{Approximate, CompositionMeasure};
use crate::core::{Distance, Error, ErrorKind, Fallible, Measure, Parameter, Sealed, ToParameter, parameter_by_debug};
use indistinct_accounting::PrivacyProfile;
use indistinct_numeric::RoundedArithmetic;

/// The hockey-stick divergences at all epsilons; the distance is a profile that bounds them, a [`PrivacyProfile`].
///
/// Two distributions are p-close if `P(S) <= exp(epsilon) Q(S) + p.delta(epsilon)`, and the same with P and Q
/// exchanged, for every event S and every `epsilon >= 0`. A profile also gives epsilon for delta, and the trade-off
/// between the errors of a test (Dong, Roth, Su 2022). Composition is known for profiles of (epsilon, delta) pairs, and
/// of pure and Gaussian guarantees. The map returns an error for profiles converted from zero-concentrated or Renyi
/// divergence, or from privacy loss distributions, because two releases with the deltas of rho may together lose more
/// than 2 rho. Compose before converting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SmoothedMaxDivergence;

impl Measure for SmoothedMaxDivergence {
    type Distance = PrivacyProfile;

    fn describe(&self, profile: &PrivacyProfile) -> String {
        format!("profile of {profile}")
    }

    /// Deltas decrease as epsilon rises, so the profile is evaluated at the largest epsilon.
    fn is_infinite(&self, profile: &PrivacyProfile) -> Fallible<bool> {
        Ok(profile.delta(f64::MAX)? >= 1.0)
    }
}

impl CompositionMeasure for SmoothedMaxDivergence {
    fn compose(&self, profiles: &[PrivacyProfile]) -> Fallible<PrivacyProfile> {
        let rule =
            "profiles of zero-concentrated or Renyi divergence or of losses do not compose: compose before converting";
        if !profiles.iter().all(PrivacyProfile::is_tight) {
            return Err(Error::new(ErrorKind::Mismatch, rule));
        }
        let (first, rest) = match profiles.split_first() {
            Some((first, rest)) => (first.clone(), rest),
            None => (PrivacyProfile::pure(0.0)?, profiles),
        };
        rest.iter().try_fold(first, |all, profile| Ok(all.compose(profile)?))
    }

    fn infinite() -> Fallible<PrivacyProfile> {
        Ok(PrivacyProfile::pure(f64::INFINITY)?)
    }
}

/// Measures whose distance gives delta for every epsilon, and epsilon for every delta.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not give a delta for every epsilon",
    label = "not a profile",
    note = "convert the measurement first, such as by `make_zCDP_to_approxDP`, `make_GDP_to_approxDP` or `make_fixed_approxDP_to_approxDP`"
)]
#[allow(private_bounds)]
pub trait ProfileMeasure: Sealed + Measure {
    /// Returns an upper bound on the delta at an epsilon.
    #[doc(hidden)]
    fn delta(distance: &<Self as Measure>::Distance, epsilon: f64) -> Fallible<f64>;
    /// Returns an upper bound on the epsilon at a delta; infinite if no finite one exists.
    #[doc(hidden)]
    fn epsilon(distance: &<Self as Measure>::Distance, delta: f64) -> Fallible<f64>;
}

impl ProfileMeasure for SmoothedMaxDivergence {
    fn delta(profile: &PrivacyProfile, epsilon: f64) -> Fallible<f64> {
        Ok(profile.delta(epsilon)?)
    }

    fn epsilon(profile: &PrivacyProfile, delta: f64) -> Fallible<f64> {
        Ok(profile.epsilon(delta)?)
    }
}

/// The two deltas add up.
impl ProfileMeasure for Approximate<SmoothedMaxDivergence> {
    fn delta((profile, failure): &(PrivacyProfile, f64), epsilon: f64) -> Fallible<f64> {
        Ok(profile.delta(epsilon)?.inf_add(*failure)?.min(1.0))
    }

    fn epsilon((profile, failure): &(PrivacyProfile, f64), delta: f64) -> Fallible<f64> {
        let rest = delta.neg_inf_sub(*failure)?;
        if rest < 0.0 { Ok(f64::INFINITY) } else { Ok(profile.epsilon(rest)?) }
    }
}

/// A profile is within another if it is known to be nowhere above it.
impl Distance for PrivacyProfile {
    fn validate(&self) -> Fallible<()> {
        // A profile that is not one cannot be made.
        Ok(())
    }

    fn is_within(&self, bound: &Self) -> bool {
        self <= bound
    }
}

/// Texts that differ where the guarantees do.
impl ToParameter for PrivacyProfile {
    fn to_parameter(&self) -> Parameter {
        format!("{self:#}").to_parameter()
    }
}

parameter_by_debug!(() SmoothedMaxDivergence);

#[cfg(test)]
mod tests {
    use super::ProfileMeasure;
    use crate::{core::Distance, measures::CompositionMeasure, prelude::*};
    use indistinct_accounting::Mu;

    #[test]
    fn two_deltas_are_rounded_up() {
        let profile = PrivacyProfile::gaussian(Mu(1.0)).unwrap();
        let both = (profile.clone(), 1e-30);
        for epsilon in [0.0, 0.1, 1.0, 3.0] {
            let delta = Approximate::<SmoothedMaxDivergence>::delta(&both, epsilon);
            assert_eq!(delta, profile.delta(epsilon).map(f64::next_up).map_err(Error::from), "{epsilon}");
        }
        // Where epsilon is near 0, a float of delta is many of it.
        assert_ne!(profile.epsilon(0.38), profile.epsilon(0.38f64.next_down()));
        for delta in [0.38, 0.3, 1e-2, 1e-6] {
            let epsilon = Approximate::<SmoothedMaxDivergence>::epsilon(&both, delta);
            assert_eq!(epsilon, profile.epsilon(delta.next_down()).map_err(Error::from), "{delta}");
        }
    }

    #[test]
    fn only_profiles_that_say_all_compose() {
        let pure = PrivacyProfile::pure(0.5).unwrap();
        let gaussian = PrivacyProfile::gaussian(Mu(0.5)).unwrap();
        let concentrated = PrivacyProfile::concentrated(0.125).unwrap();
        let compose = |profiles: &[PrivacyProfile]| SmoothedMaxDivergence.compose(profiles);
        assert_eq!(compose(&[pure.clone(), pure.clone()]), Ok(PrivacyProfile::pure(1.0).unwrap()));
        assert!(compose(&[gaussian.clone(), gaussian, pure.clone()]).is_ok());
        assert!(compose(&[]).is_ok_and(|none| none.delta(0.0) == Ok(0.0)));
        for profiles in [vec![concentrated.clone(), concentrated.clone()], vec![pure, concentrated]] {
            assert_eq!(compose(&profiles).unwrap_err().kind(), ErrorKind::Mismatch);
        }
    }

    #[test]
    fn a_failure_is_taken_from_the_delta_and_nothing_may_be_left() {
        type Failing = Approximate<SmoothedMaxDivergence>;
        let failing = (PrivacyProfile::pure(0.5).unwrap(), 0.25);
        let epsilon = |delta| Failing::epsilon(&failing, delta);
        assert_eq!((epsilon(0.25), epsilon(0.25f64.next_down())), (Ok(0.5), Ok(f64::INFINITY)));
        assert_eq!(Failing::delta(&failing, 0.5), Ok(0.25));
    }

    #[test]
    fn a_profile_is_within_those_above_it() {
        let pure = |epsilon| PrivacyProfile::pure(epsilon).unwrap();
        assert!(
            pure(0.5).is_within(&pure(0.5)) && pure(0.5).is_within(&pure(0.75)) && !pure(0.75).is_within(&pure(0.5))
        );
        assert!(pure(0.5).validate().is_ok());
    }
}
