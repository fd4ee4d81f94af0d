//! `make_bounded_range_to_zCDP`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::{RangeDivergence, ZeroConcentratedDivergence},
};
use indistinct_accounting::bounded_range_to_zcdp;
use indistinct_derive::constructor;

/// Converts a bounded range to zero-concentrated divergence (zCDP).
///
/// # Privacy
///
/// `rho = eta^2 / 8`, rounded up (Cesar, Rogers 2021).
///
/// ```
/// use indistinct::prelude::*;
/// let scores = VectorDomain::new(AtomDomain::i64()).with_size(3);
/// let select = make_exponential(scores, LInfDistance::new(), RangeDivergence, 2.0)?;
/// let concentrated = make_bounded_range_to_zCDP(select)?;
/// assert_eq!(concentrated.map(&1.0)?, 0.125);
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_bounded_range_to_zCDP<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, RangeDivergence>,
) -> Fallible<Measurement<DI, TO, MI, ZeroConcentratedDivergence>> {
    Ok(measurement.under(ZeroConcentratedDivergence, |eta| Ok(bounded_range_to_zcdp(*eta)?)))
}
