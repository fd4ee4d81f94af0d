//! `make_pureDP_to_zCDP`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::{MaxDivergence, ZeroConcentratedDivergence},
};
use indistinct_accounting::pure_to_zcdp;
use indistinct_derive::constructor;

/// Converts pure DP to zero-concentrated divergence (zCDP).
///
/// # Privacy
///
/// `rho = epsilon tanh(epsilon / 2)`, rounded up: at most `epsilon^2 / 2` (Bun, Steinke 2016, Proposition 3.3), and the
/// smallest possible rho.
///
/// ```
/// use indistinct::prelude::*;
/// let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 2.0)?;
/// let concentrated = make_pureDP_to_zCDP(noisy)?;
/// let rho = concentrated.map(&1.0)?;
/// assert!(rho > 0.1224 && rho < 0.1225);
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_pureDP_to_zCDP<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, MaxDivergence>,
) -> Fallible<Measurement<DI, TO, MI, ZeroConcentratedDivergence>> {
    Ok(measurement.under(ZeroConcentratedDivergence, |epsilon| Ok(pure_to_zcdp(*epsilon)?)))
}
