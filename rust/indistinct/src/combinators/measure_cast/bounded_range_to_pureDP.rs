//! `make_bounded_range_to_pureDP`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::{MaxDivergence, RangeDivergence},
};
use indistinct_accounting::bounded_range_to_pure;
use indistinct_derive::constructor;

/// Converts a bounded range to pure DP.
///
/// # Privacy
///
/// `epsilon = eta` (Durfee, Rogers 2019, Corollary 4.2).
///
/// ```
/// use indistinct::prelude::*;
/// let scores = VectorDomain::new(AtomDomain::i64()).with_size(3);
/// let select = make_exponential(scores, LInfDistance::new(), RangeDivergence, 4.0)?;
/// let pure = make_bounded_range_to_pureDP(select)?;
/// assert_eq!(pure.map(&1.0)?, 0.5);
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_bounded_range_to_pureDP<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, RangeDivergence>,
) -> Fallible<Measurement<DI, TO, MI, MaxDivergence>> {
    Ok(measurement.under(MaxDivergence, |eta| Ok(bounded_range_to_pure(*eta)?)))
}
