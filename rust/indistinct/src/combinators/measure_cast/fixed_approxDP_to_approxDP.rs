//! `make_fixed_approxDP_to_approxDP`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::{Approximate, MaxDivergence, PrivacyProfile, SmoothedMaxDivergence},
};
use indistinct_derive::constructor;

/// Converts one pair of epsilon and delta to a privacy profile.
///
/// # Privacy
///
/// The profile of the pair: its delta at its epsilon, a smaller delta above, and a larger one below (Kairouz, Oh,
/// Viswanath 2015).
///
/// ```
/// use indistinct::prelude::*;
/// let noisy = make_canonical_noise(AtomDomain::f64(), AbsoluteDistance::new(), 1.0, (1.0, 1e-6))?;
/// let profile = make_fixed_approxDP_to_approxDP(noisy)?.map(&1.0)?;
/// assert!(profile.delta(1.0)? >= 1e-6 && profile.delta(1.0)? < 1.01e-6);
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_fixed_approxDP_to_approxDP<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, Approximate<MaxDivergence>>,
) -> Fallible<Measurement<DI, TO, MI, SmoothedMaxDivergence>> {
    Ok(measurement.under(SmoothedMaxDivergence, |(epsilon, delta)| {
        Ok(PrivacyProfile::approximate(vec![(*epsilon, delta.min(1.0))])?)
    }))
}
