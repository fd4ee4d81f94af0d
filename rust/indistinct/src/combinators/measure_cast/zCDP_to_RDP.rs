//! `make_zCDP_to_RDP`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::{RenyiCurve, RenyiDivergence, ZeroConcentratedDivergence},
};
use indistinct_derive::constructor;

/// Converts zero-concentrated divergence (zCDP) to a Renyi curve.
///
/// # Privacy
///
/// `alpha rho` at every order alpha, by definition (Bun, Steinke 2016).
///
/// ```
/// use indistinct::prelude::*;
/// let noisy = make_gaussian(AtomDomain::i64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, 2.0)?;
/// let curve = make_zCDP_to_RDP(noisy)?.map(&1.0)?;
/// assert_eq!(curve.at(8.0)?, 1.0);
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_zCDP_to_RDP<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, ZeroConcentratedDivergence>,
) -> Fallible<Measurement<DI, TO, MI, RenyiDivergence>> {
    Ok(measurement.under(RenyiDivergence, |rho| Ok(RenyiCurve::concentrated(*rho)?)))
}
