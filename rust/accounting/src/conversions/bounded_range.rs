//! Consequences of a bounded range: the privacy losses of any two outcomes are within eta of each other.
//!
//! The range covers all outcomes that either of two neighbors can give, in both directions. If it covered only the
//! outcomes of one neighbor, a point mass and a fair coin would have range 0.

use crate::error::{Fallible, non_negative};
use indistinct_numeric::{RoundedFrom, ToExtended};

/// Returns the rho of an eta-bounded-range mechanism, `eta^2 / 8`, rounded up to the next float (Cesar, Rogers 2021).
///
/// Errors: eta negative or not a number.
///
/// ```
/// assert_eq!(indistinct_accounting::bounded_range_to_zcdp(2.0)?, 0.5);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn bounded_range_to_zcdp(eta: f64) -> Fallible<f64> {
    let eta = non_negative(eta, "eta")?;
    let exact = eta.to_extended()?;
    Ok(f64::inf_from(&exact.mul(&exact)?.div(&8.0.to_extended()?)?)?)
}

/// Returns the epsilon of an eta-bounded-range mechanism, eta (Durfee, Rogers 2019): its losses lie in an interval of
/// length eta that contains zero.
///
/// Errors: eta negative or not a number.
///
/// ```
/// assert_eq!(indistinct_accounting::bounded_range_to_pure(0.5)?, 0.5);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn bounded_range_to_pure(eta: f64) -> Fallible<f64> {
    non_negative(eta, "eta")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_eighth_of_the_square_and_the_range_itself() {
        for (eta, rho) in [(0.0, 0.0), (0.5, 0.03125), (4.0, 2.0), (2e154, 5e307), (1e-200, 5e-324), (5e-324, 5e-324)] {
            let bound = bounded_range_to_zcdp(eta).unwrap();
            assert!(rho <= bound && bound <= rho * (1.0 + 1e-15), "{eta}: {bound}");
        }
        for eta in [0.0, 0.5, 4.0, f64::INFINITY] {
            assert_eq!(bounded_range_to_pure(eta), Ok(eta));
        }
        assert_eq!(bounded_range_to_zcdp(f64::INFINITY), Ok(f64::INFINITY));
        for eta in [-1.0, f64::NAN] {
            assert!(bounded_range_to_zcdp(eta).is_err() && bounded_range_to_pure(eta).is_err());
        }
    }
}
