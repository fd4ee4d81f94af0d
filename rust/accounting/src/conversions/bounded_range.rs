//! What a bounded range implies: that the privacy losses of any two outcomes are within eta of each other.
//!
//! The range is taken over the outcomes that either of two neighbors can give, or in both directions: over those of one
//! alone, a point mass beside a fair coin would have range 0.

use crate::error::{Fallible, non_negative};
use indistinct_numeric::RoundedArithmetic;

/// An eta-bounded-range mechanism is `eta^2 / 8`-zCDP, rounded up (Cesar, Rogers 2021).
///
/// Errors: eta negative or not a number.
///
/// ```
/// assert_eq!(indistinct_accounting::bounded_range_to_zcdp(2.0)?, 0.5);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn bounded_range_to_zcdp(eta: f64) -> Fallible<f64> {
    let eta = non_negative(eta, "eta")?;
    // One factor is scaled first: the square may overflow where an eighth of it does not.
    Ok(eta.inf_div(8.0)?.inf_mul(eta)?)
}

/// An eta-bounded-range mechanism is eta-DP (Durfee, Rogers 2019): losses range over an interval of length eta that contains zero.
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
