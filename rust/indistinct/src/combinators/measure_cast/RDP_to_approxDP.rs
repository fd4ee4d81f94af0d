//! `make_RDP_to_approxDP`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::{PrivacyProfile, RenyiDivergence, SmoothedMaxDivergence},
};
use indistinct_derive::constructor;

/// Converts a Renyi curve (RDP) to a privacy profile: delta for every epsilon.
///
/// # Privacy
///
/// delta(epsilon) is the minimum of `exp((alpha - 1)(curve(alpha) - epsilon)) (1 - 1/alpha)^alpha / (alpha - 1)` over
/// orders above 1, rounded up (Canonne, Kamath, Steinke 2020, Proposition 12).
///
/// ```
/// use indistinct::prelude::*;
/// let noisy = make_gaussian(AtomDomain::i64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, 2.0)?;
/// let profile = make_RDP_to_approxDP(make_zCDP_to_RDP(noisy)?)?.map(&1.0)?;
/// assert!(profile.epsilon(1e-6)? < 2.7);
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_RDP_to_approxDP<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, RenyiDivergence>,
) -> Fallible<Measurement<DI, TO, MI, SmoothedMaxDivergence>> {
    Ok(measurement.under(SmoothedMaxDivergence, |curve| Ok(PrivacyProfile::renyi(curve.clone()))))
}
