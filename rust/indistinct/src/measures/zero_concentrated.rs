//! Zero-concentrated differential privacy (zCDP).

use super::{Approximate, CompositionMeasure, PrivacyProfile, ProfileMeasure, SmoothedMaxDivergence, exact_sum};
use crate::core::{Fallible, Measure, Sealed, parameter_by_debug};

/// The largest ratio of a Renyi divergence to its order; the distance is rho.
///
/// Two distributions are rho-close if `D_alpha(P || Q) <= rho alpha` and `D_alpha(Q || P) <= rho alpha` for every order
/// `alpha > 1` (Bun, Steinke 2016, Definition 1.1). Composition adds rhos (their Lemma 1.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ZeroConcentratedDivergence;

impl Measure for ZeroConcentratedDivergence {
    type Distance = f64;

    fn describe(&self, rho: &f64) -> String {
        format!("rho {rho:?}")
    }

    fn is_infinite(&self, rho: &f64) -> Fallible<bool> {
        Ok(*rho == f64::INFINITY)
    }
}

impl CompositionMeasure for ZeroConcentratedDivergence {
    fn compose(&self, rhos: &[f64]) -> Fallible<f64> {
        exact_sum(rhos)
    }

    fn is_concurrent(&self) -> bool {
        true
    }

    fn infinite() -> Fallible<f64> {
        Ok(f64::INFINITY)
    }
}

/// Zero-concentrated divergence, with or without a probability of failure.
#[diagnostic::on_unimplemented(message = "`{Self}` is not zero-concentrated divergence", label = "has no rho")]
#[allow(private_bounds)]
pub trait ConcentratedMeasure: Sealed + Measure {
    /// The measure of its profile.
    type Profile: ProfileMeasure;
    /// Returns that measure.
    #[doc(hidden)]
    fn profile_measure() -> Self::Profile;
    /// Returns the profile of a distance.
    #[doc(hidden)]
    fn profile(distance: &<Self as Measure>::Distance) -> Fallible<<Self::Profile as Measure>::Distance>;
}

impl ConcentratedMeasure for ZeroConcentratedDivergence {
    type Profile = SmoothedMaxDivergence;

    fn profile_measure() -> SmoothedMaxDivergence {
        SmoothedMaxDivergence
    }

    fn profile(rho: &f64) -> Fallible<PrivacyProfile> {
        Ok(PrivacyProfile::concentrated(*rho)?)
    }
}

impl ConcentratedMeasure for Approximate<ZeroConcentratedDivergence> {
    type Profile = Approximate<SmoothedMaxDivergence>;

    fn profile_measure() -> Approximate<SmoothedMaxDivergence> {
        Approximate(SmoothedMaxDivergence)
    }

    fn profile((rho, delta): &(f64, f64)) -> Fallible<(PrivacyProfile, f64)> {
        Ok((PrivacyProfile::concentrated(*rho)?, *delta))
    }
}

parameter_by_debug!(() ZeroConcentratedDivergence);
