//! `make_GDP_to_approxDP`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::{GaussianDivergence, PrivacyProfile, SmoothedMaxDivergence},
};
use indistinct_accounting::Mu;
use indistinct_derive::constructor;

/// Converts Gaussian divergence (GDP) to a privacy profile: delta for every epsilon.
///
/// # Privacy
///
/// `delta(epsilon) = Phi(-epsilon / mu + mu / 2) - exp(epsilon) Phi(-epsilon / mu - mu / 2)`, rounded up (Dong, Roth,
/// Su 2022, Corollary 2.13; Balle, Wang 2018).
///
/// ```
/// use indistinct::prelude::*;
/// let gaussian = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, 1.0)?;
/// let profile = make_GDP_to_approxDP(gaussian)?.map(&1.0)?;
/// assert!((profile.delta(1.0)? - 0.126937).abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_GDP_to_approxDP<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, GaussianDivergence>,
) -> Fallible<Measurement<DI, TO, MI, SmoothedMaxDivergence>> {
    Ok(measurement.under(SmoothedMaxDivergence, |mu| Ok(PrivacyProfile::gaussian(Mu(*mu))?)))
}
