//! `make_PLD_to_approxDP`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::{PrivacyLossDivergence, PrivacyProfile, SmoothedMaxDivergence},
};
use indistinct_derive::constructor;

/// Converts a privacy loss distribution to a privacy profile: delta for every epsilon.
///
/// # Privacy
///
/// The profile has the upper bounds on delta and on epsilon from
/// [`PrivacyLossDistribution`](crate::measures::PrivacyLossDistribution). The epsilon of a delta of 0 is infinite.
///
/// ```
/// use indistinct::prelude::*;
/// let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 1.0)?;
/// let profile = make_PLD_to_approxDP(make_pureDP_to_PLD(noisy)?)?.map(&1.0)?;
/// assert!((profile.delta(0.0)? - 0.5f64.tanh()).abs() < 1e-9);
/// assert_eq!(profile.delta(1.0)?, 0.0);
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_PLD_to_approxDP<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, PrivacyLossDivergence>,
) -> Fallible<Measurement<DI, TO, MI, SmoothedMaxDivergence>> {
    Ok(measurement.under(SmoothedMaxDivergence, |losses| Ok(PrivacyProfile::losses(losses.clone()))))
}
