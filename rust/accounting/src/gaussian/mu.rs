//! Mu, given epsilon and delta, which determines the smallest noise.

use crate::{
    error::{Fallible, non_negative, probability_of_failure},
    gaussian::{
        delta::GaussianDelta,
        search::{approach, estimate, fits, residual},
    },
    search::from_on,
    units::{Delta, Epsilon},
};

/// Returns the largest mu such that mu-GDP implies (epsilon, delta)-DP, rounded down. The smallest standard deviation
/// of Gaussian noise is the sensitivity divided by mu, rounded up.
///
/// The result is never above the truth, and is below it by a relative error of at most 1e-13 for epsilon between 1e-9
/// and 1e5 and delta between 1e-300 and 1 - 1e-6. It is 0 for delta = 0, and infinite for delta = 1 or an infinite
/// epsilon.
///
/// Errors: a parameter that is negative or not a number, a delta above 1. Source: Balle, Wang 2018, Theorem 8 and
/// Algorithm 1.
///
/// ```
/// use indistinct_accounting::{Delta, Epsilon};
/// use indistinct_numeric::RoundedArithmetic;
/// let mu = indistinct_accounting::gaussian_mu(Epsilon(1.0), Delta(1e-5))?;
/// let least_noise = 1f64.inf_div(mu)?;
/// assert!(3.7306 < least_noise && least_noise < 3.7307);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn gaussian_mu(Epsilon(epsilon): Epsilon, Delta(delta): Delta) -> Fallible<f64> {
    let (epsilon, delta) = (non_negative(epsilon, "epsilon")?, probability_of_failure(delta, "delta")?);
    if delta >= 1.0 || epsilon == f64::INFINITY {
        return Ok(f64::INFINITY);
    }
    if delta == 0.0 {
        return Ok(0.0);
    }
    // Two starts below the root: by Chernoff's bound on the upper tail, and by delta <= mu / sqrt(2 pi).
    let deviations = (-2.0 * delta.ln()).sqrt();
    let sum = deviations + deviations.hypot(std::f64::consts::SQRT_2 * epsilon.sqrt());
    let start = (epsilon / (sum / 2.0)).max(2.5 * delta);
    let slope = |mu| {
        let estimate = estimate(mu, epsilon);
        let slope = estimate.by_mu;
        (estimate, slope)
    };
    let near = approach(start, delta, slope);
    let correction = residual(&GaussianDelta { mu: near, epsilon }, delta) / slope(near).1;
    let near = if correction.abs() < near * 1e-3 { near - correction } else { near };
    let near = if near < f64::INFINITY { near } else { start };
    // From there down to the first float that is seen to do.
    from_on(near, 0.0, |mu| Ok(fits(&GaussianDelta { mu, epsilon }, delta)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes() {
        assert_eq!(gaussian_mu(Epsilon(1.0), Delta(0.0)), Ok(0.0));
        assert_eq!(gaussian_mu(Epsilon(1.0), Delta(1.0)), Ok(f64::INFINITY));
        assert_eq!(gaussian_mu(Epsilon(f64::INFINITY), Delta(1e-9)), Ok(f64::INFINITY));
        assert!(gaussian_mu(Epsilon(0.0), Delta(1e-9)).unwrap() > 2.5e-9);
        for (epsilon, delta) in [(f64::NAN, 0.1), (-1.0, 0.1), (1.0, f64::NAN), (1.0, -1e-300)] {
            assert!(gaussian_mu(Epsilon(epsilon), Delta(delta)).is_err());
        }
    }
}
