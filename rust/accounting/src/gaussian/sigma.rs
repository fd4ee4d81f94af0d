//! The smallest noise, given epsilon and delta.
use crate::{
    error::{Fallible, non_negative, require},
    gaussian::mu::gaussian_mu,
    units::{Delta, Epsilon},
};
use indistinct_numeric::RoundedArithmetic;

/// Returns the smallest standard deviation of Gaussian noise that is (epsilon, delta)-DP for a statistic with this
/// `sensitivity`, rounded up: the sensitivity divided by [`gaussian_mu`].
///
/// `sensitivity` is the maximum distance between neighbors, in the Euclidean norm for vectors. It and the result are in
/// the statistic's unit; epsilon is in nats. The result is never below the truth, and exceeds it by a relative error of
/// at most 1e-13 for epsilon between 1e-9 and 1e5 and delta between 1e-300 and 1 - 1e-6. It is 0 if no noise is needed
/// (sensitivity 0, a delta of 1 or more, an infinite epsilon) and infinite for delta = 0.
///
/// Errors: a parameter that is negative or not a number; an infinite sensitivity. Source: Balle, Wang 2018, Theorem 8
/// and Algorithm 1.
///
/// ```
/// use indistinct_accounting::{Delta, Epsilon};
/// let sigma = indistinct_accounting::gaussian_sigma(1.0, Epsilon(1.0), Delta(1e-5))?;
/// assert!(3.7306 < sigma && sigma < 3.7307);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn gaussian_sigma(sensitivity: f64, Epsilon(epsilon): Epsilon, Delta(delta): Delta) -> Fallible<f64> {
    let sensitivity = non_negative(sensitivity, "sensitivity")?;
    require(sensitivity < f64::INFINITY, "sensitivity", "must be finite")?;
    let mu = gaussian_mu(Epsilon(epsilon), Delta(delta))?;
    if sensitivity == 0.0 || mu == f64::INFINITY {
        return Ok(0.0);
    }
    if mu == 0.0 {
        return Ok(f64::INFINITY);
    }
    Ok(sensitivity.inf_div(mu)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes() {
        assert_eq!(gaussian_sigma(1.0, Epsilon(1.0), Delta(0.0)), Ok(f64::INFINITY));
        assert_eq!(gaussian_sigma(1.0, Epsilon(1.0), Delta(1.0)), Ok(0.0));
        assert_eq!(gaussian_sigma(0.0, Epsilon(1.0), Delta(1e-9)), Ok(0.0));
        assert_eq!(gaussian_sigma(0.0, Epsilon(1.0), Delta(0.0)), Ok(0.0));
        assert_eq!(gaussian_sigma(1.0, Epsilon(f64::INFINITY), Delta(1e-9)), Ok(0.0));
        assert!(gaussian_sigma(2.0, Epsilon(0.0), Delta(1e-300)).unwrap() > 1e299);
        for (sensitivity, epsilon, delta) in
            [(f64::NAN, 1.0, 0.1), (f64::INFINITY, 1.0, 0.1), (-1.0, 1.0, 0.1), (1.0, -1.0, 0.1), (1.0, 1.0, f64::NAN)]
        {
            assert!(gaussian_sigma(sensitivity, Epsilon(epsilon), Delta(delta)).is_err());
        }
        assert_eq!(
            gaussian_sigma(-1.0, Epsilon(1.0), Delta(0.1)).unwrap_err().to_string(),
            "sensitivity must be a number that is not negative"
        );
    }
}
