//! Consequences of Gaussian differential privacy.

use crate::error::{Fallible, non_negative};
use indistinct_numeric::{RoundedFrom, ToExtended};

/// Returns the rho of a mu-GDP mechanism, `mu^2 / 2`, rounded up to the next float (Dong, Roth, Su 2019, Corollary B.6;
/// Renyi divergences of normal distributions).
///
/// Errors: mu negative or not a number.
///
/// ```
/// assert_eq!(indistinct_accounting::gaussian_to_zcdp(2.0)?, 2.0);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn gaussian_to_zcdp(mu: f64) -> Fallible<f64> {
    let mu = non_negative(mu, "mu")?;
    let exact = mu.to_extended()?;
    Ok(f64::inf_from(&exact.mul(&exact)?.div(&2.0.to_extended()?)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_square() {
        for (mu, rho) in
            [(0.0, 0.0), (0.5, 0.125), (3.0, 4.5), (1e-200, 5e-324), (5e-324, 5e-324), (f64::INFINITY, f64::INFINITY)]
        {
            assert_eq!(gaussian_to_zcdp(mu), Ok(rho));
        }
        for mu in [-1.0, f64::NAN] {
            assert!(gaussian_to_zcdp(mu).is_err());
        }
    }
}
