//! Sums.

use crate::error::{Fallible, non_negative, probability_of_failure};
use indistinct_numeric::{ExactSum, RoundedArithmetic, RoundedMath, Rounding};

/// Returns the exact sum of losses, rounded up once: epsilons, rhos and deltas compose in this way.
pub(crate) fn sum_of(losses: impl Iterator<Item = f64>, parameter: &'static str) -> Fallible<f64> {
    let mut sum = ExactSum::new();
    let mut is_infinite = false;
    for loss in losses {
        let loss = non_negative(loss, parameter)?;
        if loss == f64::INFINITY {
            is_infinite = true;
        } else {
            sum.add(loss)?;
        }
    }
    if is_infinite { Ok(f64::INFINITY) } else { Ok(sum.total()?.to_f64_rounded(Rounding::Up)?) }
}

/// Returns the (epsilon, delta) of mechanisms that are each (epsilon, delta)-DP: the sums of both parts, each rounded
/// up once, with delta at most 1.
///
/// The bound holds adaptively: each mechanism may be chosen after seeing the earlier results. Errors: a part that is
/// negative or not a number, a delta above 1. Source: Dwork, Lei 2009; Dwork, Roth 2014, Theorem 3.16 and Appendix B.
///
/// ```
/// let (epsilon, delta) = indistinct_accounting::basic_composition(&[(0.1, 1e-9); 10])?;
/// assert!(epsilon > 1.0 && delta > 1e-8, "the double 0.1 is more than a tenth");
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn basic_composition(losses: &[(f64, f64)]) -> Fallible<(f64, f64)> {
    let epsilon = sum_of(losses.iter().map(|loss| loss.0), "epsilon")?;
    losses.iter().try_for_each(|loss| probability_of_failure(loss.1, "delta").map(|_| ()))?;
    Ok((epsilon, sum_of(losses.iter().map(|loss| loss.1), "delta")?.min(1.0)))
}

/// Returns the mu of mechanisms that are each mu-GDP: the root of the sum of squares, rounded up.
///
/// The bound holds adaptively. Errors: a mu that is negative or not a number. Source: Dong, Roth, Su 2019, Corollary
/// 3.3.
///
/// ```
/// assert_eq!(indistinct_accounting::gaussian_composition(&[3.0, 4.0])?, 5.0);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn gaussian_composition(mus: &[f64]) -> Fallible<f64> {
    let mut greatest = 0f64;
    for &mu in mus {
        greatest = greatest.max(non_negative(mu, "mu")?);
    }
    if greatest == 0.0 || greatest == f64::INFINITY {
        return Ok(greatest);
    }
    // In units of a power of two near the greatest no square overflows.
    let unit = f64::from_bits(greatest.to_bits() & (0x7ff << 52)).max(f64::MIN_POSITIVE);
    let mut squares = Vec::with_capacity(mus.len());
    for mu in mus {
        let scaled = mu.inf_div(unit)?;
        squares.push(scaled.inf_mul(scaled)?);
    }
    Ok(sum_of(squares.into_iter(), "mu")?.inf_sqrt()?.inf_mul(unit)?)
}
