//! `make_pureDP_to_approxDP`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::{Approximate, MaxDivergence},
};
use indistinct_derive::constructor;

/// Converts pure DP to approximate DP, `(epsilon, 0)`.
///
/// # Privacy
///
/// `(epsilon, 0)`, by definition.
///
/// ```
/// use indistinct::prelude::*;
/// let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 2.0)?;
/// let approximate = make_pureDP_to_approxDP(noisy)?;
/// assert_eq!(approximate.map(&1.0)?, (0.5, 0.0));
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_pureDP_to_approxDP<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, MaxDivergence>,
) -> Fallible<Measurement<DI, TO, MI, Approximate<MaxDivergence>>> {
    Ok(measurement.under(Approximate(MaxDivergence), |epsilon| Ok((*epsilon, 0.0))))
}
