//! `make_pureDP_to_bounded_range`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::{MaxDivergence, RangeDivergence},
};
use indistinct_accounting::pure_to_bounded_range;
use indistinct_derive::constructor;

/// Converts pure DP to a bounded range.
///
/// # Privacy
///
/// `eta = 2 epsilon`, rounded up (Durfee, Rogers 2019, Corollary 4.2).
///
/// ```
/// use indistinct::prelude::*;
/// let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 2.0)?;
/// let ranged = make_pureDP_to_bounded_range(noisy)?;
/// assert_eq!(ranged.map(&1.0)?, 1.0);
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_pureDP_to_bounded_range<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, MaxDivergence>,
) -> Fallible<Measurement<DI, TO, MI, RangeDivergence>> {
    Ok(measurement.under(RangeDivergence, |epsilon| Ok(pure_to_bounded_range(*epsilon)?)))
}
