//! By Markov's inequality on a moment of the privacy loss.

use crate::error::{Fallible, non_negative, require};
use crate::units::{Delta, Order, Rho};
use indistinct_numeric::{RoundedArithmetic, RoundedMath};

/// A positive delta of at most 1, and `ln(1/delta)` rounded up.
pub(super) fn logarithm(delta: f64, parameter: &'static str) -> Fallible<f64> {
    require(delta > 0.0 && delta <= 1.0, parameter, "must be above 0 and at most 1")?;
    Ok(-delta.neg_inf_ln()? + 0.0)
}

/// `rho + 2 sqrt(rho ln(1/delta))`, rounded up: an epsilon of a rho-zCDP mechanism.
///
/// Errors: rho negative or not a number; delta outside (0, 1]. Source: Bun, Steinke 2016, Proposition 1.3 (in lecture
/// notes by Brown, Claim 4.2, where the Markov step is an inequality, not an equation).
///
/// ```
/// use indistinct_accounting::{Delta, Rho};
/// let loose = indistinct_accounting::bounds::concentrated_epsilon(Rho(0.1), Delta(1e-6))?;
/// assert!(loose > indistinct_accounting::cdp_epsilon(Rho(0.1), Delta(1e-6))?);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn concentrated_epsilon(Rho(rho): Rho, Delta(delta): Delta) -> Fallible<f64> {
    let (rho, logarithm) = (non_negative(rho, "rho")?, logarithm(delta, "delta")?);
    if logarithm == 0.0 {
        return Ok(rho);
    }
    Ok(rho.inf_add(rho.inf_mul(logarithm)?.inf_sqrt()?.inf_mul(2.0)?)?)
}

/// `divergence + ln(1/delta) / (alpha - 1)`, rounded up: an epsilon of a mechanism whose Renyi divergence of order
/// `alpha` is bounded.
///
/// Errors: alpha not above 1; divergence negative or not a number; delta outside (0, 1]. Source: Mironov 2017,
/// Proposition 3.
///
/// ```
/// use indistinct_accounting::{Delta, Order};
/// let loose = indistinct_accounting::bounds::renyi_epsilon(Order(8.0), 1.0, Delta(1e-6))?;
/// assert!(loose > indistinct_accounting::RenyiCurve::from_points(vec![(8.0, 1.0)])?.epsilon(1e-6)?);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn renyi_epsilon(Order(alpha): Order, divergence: f64, Delta(delta): Delta) -> Fallible<f64> {
    require(alpha > 1.0, "alpha", "must be above 1")?;
    let (divergence, logarithm) = (non_negative(divergence, "divergence")?, logarithm(delta, "delta")?);
    Ok(divergence.inf_add(logarithm.inf_div(alpha.neg_inf_sub(1.0)?)?)?)
}
