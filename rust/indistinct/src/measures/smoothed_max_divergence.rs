//! Approximate differential privacy at every epsilon at once.

use super::CompositionMeasure;
use crate::core::{Distance, Fallible, Measure, parameter_by_debug};
use indistinct_accounting::PrivacyProfile;

/// The hockey-stick divergences of all epsilons; the distance is a profile that bounds them, a [`PrivacyProfile`].
///
/// Two distributions are p-close if `P(S) <= exp(epsilon) Q(S) + p.delta(epsilon)` and the same with P and Q exchanged, for every event S
/// and every `epsilon >= 0`. A profile also tells epsilon for delta, and the tradeoff between the errors of a test (Dong, Roth, Su
/// 2022). Composition is known for profiles of one kind; for others it is refused: compose before converting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SmoothedMaxDivergence;

impl Measure for SmoothedMaxDivergence {
    type Distance = PrivacyProfile;

    fn describe(&self, profile: &PrivacyProfile) -> String {
        format!("profile of {profile}")
    }
}

impl CompositionMeasure for SmoothedMaxDivergence {
    fn compose(&self, profiles: &[PrivacyProfile]) -> Fallible<PrivacyProfile> {
        let (first, rest) = match profiles.split_first() {
            Some((first, rest)) => (first.clone(), rest),
            None => (PrivacyProfile::pure(0.0)?, profiles),
        };
        rest.iter().try_fold(first, |all, profile| Ok(all.compose(profile)?))
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

parameter_by_debug!(() SmoothedMaxDivergence);
