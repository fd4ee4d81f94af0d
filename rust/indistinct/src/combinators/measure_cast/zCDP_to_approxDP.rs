//! `make_zCDP_to_approxDP`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::ConcentratedMeasure,
};
use indistinct_derive::constructor;

/// Converts zero-concentrated divergence (zCDP) to a privacy profile: delta for every epsilon.
///
/// # Privacy
///
/// delta(epsilon) is the minimum of `exp((alpha - 1)(alpha rho - epsilon)) (1 - 1/alpha)^alpha / (alpha - 1)` over
/// orders above 1, rounded up (Canonne, Kamath, Steinke 2020, Proposition 12). A failure probability
/// ([`Approximate`](crate::measures::Approximate)) is kept in addition to the profile.
///
/// ```
/// use indistinct::prelude::*;
/// let noisy = make_gaussian(AtomDomain::i64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, 2.0)?;
/// let profile = make_zCDP_to_approxDP(noisy)?.map(&1.0)?;
/// assert!(profile.delta(1.0)? < 0.08 && profile.epsilon(1e-6)? < 2.7);
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_zCDP_to_approxDP<DI: Domain, TO: 'static, MI: Metric, MO: ConcentratedMeasure>(
    measurement: Measurement<DI, TO, MI, MO>,
) -> Fallible<Measurement<DI, TO, MI, MO::Profile>> {
    Ok(measurement.under(MO::profile_measure(), MO::profile))
}
