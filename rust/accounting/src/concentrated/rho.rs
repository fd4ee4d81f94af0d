//! Rho, given epsilon and delta.

use crate::{
    concentrated::entropy::{entropy, root},
    error::{Fallible, non_negative, probability_of_failure},
    units::{Delta, Epsilon},
};
use indistinct_numeric::enclosure::{Enclosure, Formula, enclose};

/// Returns the largest rho such that rho-zCDP implies (epsilon, delta)-DP by the bound of
/// [`cdp_delta`](super::cdp_delta), rounded down: the rho that an (epsilon, delta) budget allows.
///
/// The result is at most a few units in the last place below the supremum over orders. It is 0 for delta = 0 and
/// infinite for delta = 1 or an infinite epsilon.
///
/// Errors: a parameter that is negative or not a number, a delta above 1. Source: as for `cdp_delta`.
///
/// ```
/// use indistinct_accounting::{Delta, Epsilon, Rho};
/// let rho = indistinct_accounting::cdp_rho(Epsilon(1.0), Delta(1e-6))?;
/// assert!(indistinct_accounting::cdp_delta(Rho(rho), Epsilon(1.0))? <= 1.0000001e-6);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn cdp_rho(Epsilon(epsilon): Epsilon, Delta(delta): Delta) -> Fallible<f64> {
    let (epsilon, delta) = (non_negative(epsilon, "epsilon")?, probability_of_failure(delta, "delta")?);
    if delta >= 1.0 || epsilon == f64::INFINITY {
        return Ok(f64::INFINITY);
    }
    if delta == 0.0 {
        return Ok(0.0);
    }
    let bound = Bound { epsilon, delta, t: best_order(epsilon, delta) };
    Ok(enclose(&bound).lower.max(0.0))
}

/// `rho(t) = (epsilon + (h(t) - ln(1/delta))/t)/(t + 1)`.
struct Bound {
    epsilon: f64,
    delta: f64,
    t: f64,
}

impl Formula for Bound {
    fn evaluate<E: Enclosure>(&self) -> E {
        let t = E::exact(self.t);
        let rest = E::exact(self.delta).ln().add(&entropy(self.t));
        E::exact(self.epsilon).add(&rest.div(&t)).div(&E::exact(1.0).add(&t))
    }
}

/// With `rho = (ln(1/delta) - ln(1 + t))/t^2`, which holds at the best order, the root of
/// `epsilon + ln(1 + 1/t) - rho (2t + 1)`.
fn best_order(epsilon: f64, delta: f64) -> f64 {
    let logarithm = -delta.ln();
    let start = (logarithm + logarithm.hypot((epsilon * logarithm).sqrt())) / epsilon;
    let greatest = logarithm.exp_m1();
    root(start.min(greatest * 0.9), |t| {
        let (inverse, rest) = (t.recip(), logarithm - t.ln_1p());
        if rest <= 0.0 {
            // Beyond the greatest order: bisect.
            return (1.0, f64::NAN, 1.0);
        }
        // The logarithm of the ratio of both parts: nearly straight in ln t.
        let left = epsilon + inverse.ln_1p();
        let right = rest * (2.0 + inverse) * inverse;
        let falling = rest * (2.0 + 2.0 * inverse) * inverse + (2.0 + inverse) / (1.0 + t);
        let slope = falling / right - 1.0 / ((1.0 + t) * left);
        ((left / right).ln(), slope, (rest * (1.0 + inverse)).min(1.0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Not above the greatest over all orders at 50 digits (mpmath), rounded down.
    #[test]
    fn rounded_down() {
        for (epsilon, delta, truth) in [
            (1.0, 1e-6, 0.024355970359538372),
            (0.5, 1e-9, 0.003953191141217897),
            (3.0, 1e-5, 0.22424916824634533),
            (0.1, 1e-3, 0.0011820521662360955),
            (8.0, 1e-12, 0.5610359054493199),
            (2.0, 0.01, 0.30507833194730566),
            (0.7, 1e-7, 0.010278941666914926),
            (5.0, 1e-8, 0.3500545910106281),
        ] {
            let rho = cdp_rho(Epsilon(epsilon), Delta(delta)).unwrap();
            assert!(rho <= truth && rho > truth * (1.0 - 1e-14), "{epsilon} {delta}: {rho}");
        }
    }

    #[test]
    fn extremes() {
        assert_eq!(cdp_rho(Epsilon(1.0), Delta(0.0)), Ok(0.0));
        assert_eq!(cdp_rho(Epsilon(1.0), Delta(1.0)), Ok(f64::INFINITY));
        assert_eq!(cdp_rho(Epsilon(f64::INFINITY), Delta(1e-9)), Ok(f64::INFINITY));
        assert!(cdp_rho(Epsilon(0.0), Delta(1e-9)).unwrap() > 0.0);
        for (epsilon, delta) in [(f64::NAN, 0.1), (-1.0, 0.1), (1.0, f64::NAN), (1.0, -1e-300)] {
            assert!(cdp_rho(Epsilon(epsilon), Delta(delta)).is_err());
        }
    }
}
