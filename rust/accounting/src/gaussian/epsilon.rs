//! Epsilon, given mu and delta.

use crate::{
    error::{Fallible, non_negative, probability_of_failure},
    gaussian::{
        delta::GaussianDelta,
        search::{approach, estimate, fits, residual},
    },
    search::from_on,
    units::{Delta, Mu},
};
use indistinct_numeric::{RoundedArithmetic, RoundedMath};

/// Returns the smallest epsilon such that mu-GDP implies (epsilon, delta)-DP, rounded up: the inverse of
/// [`gaussian_delta`](super::gaussian_delta).
///
/// The result is in nats. It is never below the truth, and exceeds it by a relative error of at most 1e-13 for epsilon
/// between 1e-9 and 1e5 and delta between 1e-300 and 1 - 1e-6. It is 0 if delta is enough for epsilon = 0, and infinite
/// for delta = 0 or an infinite mu.
///
/// Errors: a parameter that is negative or not a number, a delta above 1. Source: as for `gaussian_delta`.
///
/// ```
/// use indistinct_accounting::{Delta, Mu};
/// let epsilon = indistinct_accounting::gaussian_epsilon(Mu(1.0), Delta(1e-5))?;
/// assert!(4.377178 < epsilon && epsilon < 4.377179);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn gaussian_epsilon(Mu(mu): Mu, Delta(delta): Delta) -> Fallible<f64> {
    let (mu, delta) = (non_negative(mu, "mu")?, probability_of_failure(delta, "delta")?);
    if mu == 0.0 || delta >= 1.0 {
        return Ok(0.0);
    }
    if delta == 0.0 || mu == f64::INFINITY {
        return Ok(f64::INFINITY);
    }
    if fits(&GaussianDelta { mu, epsilon: 0.0 }, delta) {
        return Ok(0.0);
    }
    // By Chernoff's bound on the upper tail, a start above the root; near zero, where delta is nearly straight, the
    // tangent's root.
    let above = mu * (mu / 2.0 + (-2.0 * delta.ln()).sqrt());
    let at_zero = estimate(mu, 0.0);
    let tangent = (at_zero.delta - delta) / at_zero.by_epsilon;
    let start = if tangent > 0.0 && tangent < mu / 2.0 { tangent } else { above };
    let slope = |epsilon| {
        let estimate = estimate(mu, epsilon);
        let slope = -estimate.by_epsilon;
        (estimate, slope)
    };
    let near = approach(start, delta, slope);
    let correction = residual(&GaussianDelta { mu, epsilon: near }, delta) / slope(near).1;
    let near = if correction.abs() < near * 1e-3 { near - correction } else { near };
    let near = if near > 0.0 { near } else { start };
    // From there on to the first float that is seen to do.
    let epsilon = from_on(near, f64::INFINITY, |epsilon| Ok(fits(&GaussianDelta { mu, epsilon }, delta)))?;
    // Where mu is so large that no evaluation tells neighboring floats apart, the first that is seen to do may be far
    // above.
    Ok(epsilon.min(by_chernoff(mu, delta)?))
}

/// `mu^2 / 2 + mu sqrt(2 ln(1 / delta))`, rounded up: the loss is normal with mean `mu^2 / 2` and standard deviation
/// mu, and exceeds this with probability delta at most.
fn by_chernoff(mu: f64, delta: f64) -> Fallible<f64> {
    let deviations = (-delta.neg_inf_ln()?).inf_mul(2.0)?.inf_sqrt()?;
    Ok(mu.inf_div(2.0)?.inf_add(deviations)?.inf_mul(mu)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Epsilons of great mu are within what the logarithm allows, and rise.
    #[test]
    fn great_losses_are_not_told_as_far_greater() {
        for delta in [0.27214813232421875, 1e-9] {
            let mus: Vec<f64> = (13..150).flat_map(|power| [1.0, 2.5, 7.0].map(|x| x * 10f64.powi(power))).collect();
            let epsilons: Vec<f64> = mus.iter().map(|mu| gaussian_epsilon(Mu(*mu), Delta(delta)).unwrap()).collect();
            assert!(epsilons.is_sorted());
            for (mu, epsilon) in mus.iter().zip(epsilons) {
                assert!((0.0..1e-11).contains(&(epsilon / (mu * mu / 2.0) - 1.0)), "{mu:e}: {epsilon:e}");
            }
        }
        assert_eq!(gaussian_epsilon(Mu(1e200), Delta(1e-9)), Ok(f64::INFINITY));
    }

    /// Never below the truth at 200 bits, to the last digit.
    #[test]
    fn the_bound_by_chernoff_is_rounded_up() {
        let wide = |x: f64| rug::Float::with_val(200, x);
        for i in 1..1000u32 {
            let (mu, delta) = (f64::from(i) * 1.7e-5, f64::from(1000 - i) * 1.3e-5);
            let truth = (wide(delta).ln() * -2i32).sqrt() * mu + wide(mu).square() / 2u32;
            let own = by_chernoff(mu, delta).unwrap();
            assert!(own >= truth && own < truth * (1.0 + 2e-15), "{mu} {delta}");
        }
    }

    #[test]
    fn extremes() {
        assert_eq!(gaussian_epsilon(Mu(0.0), Delta(0.0)), Ok(0.0));
        assert_eq!(gaussian_epsilon(Mu(1.0), Delta(0.0)), Ok(f64::INFINITY));
        assert_eq!(gaussian_epsilon(Mu(f64::INFINITY), Delta(0.5)), Ok(f64::INFINITY));
        assert_eq!(gaussian_epsilon(Mu(f64::INFINITY), Delta(1.0)), Ok(0.0));
        assert_eq!(gaussian_epsilon(Mu(0.1), Delta(0.5)), Ok(0.0));
        for (mu, delta) in [(f64::NAN, 0.1), (-1.0, 0.1), (1.0, f64::NAN), (1.0, -1e-300)] {
            assert!(gaussian_epsilon(Mu(mu), Delta(delta)).is_err());
        }
    }
}
