//! `make_GDP_to_zCDP`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::{GaussianDivergence, ZeroConcentratedDivergence},
};
use indistinct_accounting::gaussian_to_zcdp;
use indistinct_derive::constructor;

/// Converts Gaussian divergence (GDP) to zero-concentrated divergence (zCDP).
///
/// # Privacy
///
/// `rho = mu^2 / 2`, rounded up (Dong, Roth, Su 2022, Corollary B.6).
///
/// ```
/// use indistinct::prelude::*;
/// let gaussian = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, 1.0)?;
/// assert_eq!(make_GDP_to_zCDP(gaussian)?.map(&0.5)?, 0.125);
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_GDP_to_zCDP<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, GaussianDivergence>,
) -> Fallible<Measurement<DI, TO, MI, ZeroConcentratedDivergence>> {
    Ok(measurement.under(ZeroConcentratedDivergence, |mu| Ok(gaussian_to_zcdp(*mu)?)))
}
