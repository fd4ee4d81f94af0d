//! Epsilon, given rho and delta.

use crate::{
    concentrated::entropy::{entropy, root},
    error::{Fallible, non_negative, probability_of_failure},
    units::{Delta, Rho},
};
use indistinct_numeric::enclosure::{Enclosure, Formula, enclose};

/// Returns the smallest epsilon such that rho-zCDP implies (epsilon, delta)-DP by the bound of
/// [`cdp_delta`](super::cdp_delta), rounded up: the inverse of that function.
///
/// The result is in nats, and at most a few units in the last place above the infimum over orders. It is 0 for rho = 0
/// and if delta is enough for epsilon = 0, and infinite for delta = 0 or an infinite rho.
///
/// Errors: a parameter that is negative or not a number, a delta above 1. Source: as for `cdp_delta`.
///
/// ```
/// use indistinct_accounting::{Delta, Rho};
/// let epsilon = indistinct_accounting::cdp_epsilon(Rho(0.1), Delta(1e-6))?;
/// assert!(2.1 < epsilon && epsilon < 2.2);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn cdp_epsilon(Rho(rho): Rho, Delta(delta): Delta) -> Fallible<f64> {
    let (rho, delta) = (non_negative(rho, "rho")?, probability_of_failure(delta, "delta")?);
    if rho == 0.0 || delta == 1.0 {
        return Ok(0.0);
    }
    if delta == 0.0 || rho == f64::INFINITY {
        return Ok(f64::INFINITY);
    }
    let bound = Bound { rho, delta, t: best_order(rho, delta) };
    Ok(enclose(&bound).upper.max(0.0))
}

/// `epsilon(t) = rho (t + 1) + (ln(1/delta) - h(t))/t`.
struct Bound {
    rho: f64,
    delta: f64,
    t: f64,
}

impl Formula for Bound {
    fn evaluate<E: Enclosure>(&self) -> E {
        let (rho, t) = (E::exact(self.rho), E::exact(self.t));
        let rest = E::exact(self.delta).ln().add(&entropy(self.t));
        rho.mul(&t).add(&rho).sub(&rest.div(&t))
    }
}

/// The root of `rho t^2 + ln(1 + t) - ln(1/delta)`, which has the sign of the derivative.
fn best_order(rho: f64, delta: f64) -> f64 {
    let logarithm = -delta.ln();
    // Either term alone.
    let start = (logarithm.sqrt() / rho.sqrt()).min(logarithm.exp_m1());
    root(start, |t| {
        let square = rho * t * t;
        (square + t.ln_1p() - logarithm, 2.0 * square + t / (1.0 + t), 1.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes() {
        assert_eq!(cdp_epsilon(Rho(0.0), Delta(0.0)), Ok(0.0));
        assert_eq!(cdp_epsilon(Rho(1.0), Delta(0.0)), Ok(f64::INFINITY));
        assert_eq!(cdp_epsilon(Rho(f64::INFINITY), Delta(0.5)), Ok(f64::INFINITY));
        assert_eq!(cdp_epsilon(Rho(f64::INFINITY), Delta(1.0)), Ok(0.0));
        assert_eq!(cdp_epsilon(Rho(1e-8), Delta(0.5)), Ok(0.0));
        for (rho, delta) in [(f64::NAN, 0.1), (-1.0, 0.1), (1.0, f64::NAN), (1.0, -1e-300), (1.0, 1.5), (0.0, 2.0)] {
            assert!(cdp_epsilon(Rho(rho), Delta(delta)).is_err());
        }
    }
}
