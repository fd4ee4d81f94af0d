//! `make_fix_epsilon`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric, require},
    measures::{Approximate, MaxDivergence, ProfileMeasure},
};
use indistinct_derive::constructor;

/// Evaluates a privacy profile at one epsilon.
///
/// # Parameters
///
/// - `epsilon`: not negative.
///
/// # Privacy
///
/// `(epsilon, delta(epsilon))`, with the profile's delta, rounded up, plus any failure probability.
///
/// # Errors
///
/// Returns an error if the epsilon is negative or NaN.
///
/// ```
/// use indistinct::prelude::*;
/// let noisy = make_gaussian(AtomDomain::i64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, 2.0)?;
/// let fixed = make_fix_epsilon(make_zCDP_to_approxDP(noisy)?, 2.0)?;
/// let (epsilon, delta) = fixed.map(&1.0)?;
/// assert!(epsilon == 2.0 && delta < 1e-3);
/// # Ok::<(), Error>(())
/// ```
#[constructor(children(measurement))]
pub fn make_fix_epsilon<DI: Domain, TO: 'static, MI: Metric, MO: ProfileMeasure>(
    measurement: Measurement<DI, TO, MI, MO>,
    epsilon: f64,
) -> Fallible<Measurement<DI, TO, MI, Approximate<MaxDivergence>>> {
    require(epsilon >= 0.0, "epsilon", "must be a number that is not negative")?;
    Ok(measurement.under(Approximate(MaxDivergence), move |profile| Ok((epsilon, MO::delta(profile, epsilon)?))))
}
