//! Epsilon, given mu and delta.

use super::{
    delta::Delta,
    search::{approach, estimate, fits, residual},
};
use crate::error::{Fallible, non_negative};

/// The smallest epsilon such that mu-GDP implies (epsilon, delta)-DP, rounded up: the inverse of
/// [`gaussian_delta`](super::gaussian_delta).
///
/// In nats; never below the truth, and above it by at most 1e-13 of it for epsilon between 1e-9 and 1e5 and delta between 1e-300 and
/// 1 - 1e-6. It is 0 where delta is enough for epsilon = 0, and infinite for delta = 0 or an infinite mu.
///
/// Errors: a parameter that is negative or not a number. Source: as for `gaussian_delta`.
///
/// ```
/// let epsilon = indistinct_accounting::gaussian_epsilon(1.0, 1e-5)?;
/// assert!(4.377178 < epsilon && epsilon < 4.377179);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn gaussian_epsilon(mu: f64, delta: f64) -> Fallible<f64> {
    let (mu, delta) = (non_negative(mu, "mu")?, non_negative(delta, "delta")?);
    if mu == 0.0 || delta >= 1.0 {
        return Ok(0.0);
    }
    if delta == 0.0 || mu == f64::INFINITY {
        return Ok(f64::INFINITY);
    }
    if fits(&Delta { mu, epsilon: 0.0 }, delta) {
        return Ok(0.0);
    }
    // By Chernoff's bound on the upper tail, a start above the root; near zero, where delta is nearly straight, the tangent's root.
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
    let correction = residual(&Delta { mu, epsilon: near }, delta) / slope(near).1;
    let near = if correction.abs() < near * 1e-3 { near - correction } else { near };
    let near = if near > 0.0 { near } else { start };
    // From there on to the first float that is seen to do.
    let mut step = (near * f64::EPSILON).max(f64::from_bits(1));
    let mut epsilon = near;
    while epsilon < f64::INFINITY && !fits(&Delta { mu, epsilon }, delta) {
        epsilon = (near + step).max(epsilon.next_up());
        step *= 2.0;
    }
    Ok(epsilon)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes() {
        assert_eq!(gaussian_epsilon(0.0, 0.0), Ok(0.0));
        assert_eq!(gaussian_epsilon(1.0, 0.0), Ok(f64::INFINITY));
        assert_eq!(gaussian_epsilon(f64::INFINITY, 0.5), Ok(f64::INFINITY));
        assert_eq!(gaussian_epsilon(f64::INFINITY, 1.0), Ok(0.0));
        assert_eq!(gaussian_epsilon(0.1, 0.5), Ok(0.0));
        for (mu, delta) in [(f64::NAN, 0.1), (-1.0, 0.1), (1.0, f64::NAN), (1.0, -1e-300)] {
            assert!(gaussian_epsilon(mu, delta).is_err());
        }
    }
}
