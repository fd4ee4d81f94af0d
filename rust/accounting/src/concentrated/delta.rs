//! Delta, given rho and epsilon.

use crate::{
    concentrated::entropy::{entropy, root},
    error::{Fallible, non_negative},
    units::{Epsilon, Rho},
};
use indistinct_numeric::enclosure::{Enclosure, Formula, enclose};

/// Returns the smallest delta such that rho-zCDP implies (epsilon, delta)-DP by the bound at the best Renyi order,
/// `inf over alpha > 1 of exp((alpha - 1)(alpha rho - epsilon)) (1 - 1/alpha)^alpha / (alpha - 1)`, rounded up.
///
/// `rho` and `epsilon` are in nats. The result is never below the infimum, and exceeds it by a relative error of at
/// most 1e-12 if it exceeds 1e-300. It is 0 for rho = 0 and for infinite epsilon, and at most 1. If the infimum
/// underflows, the result is the smallest positive float.
///
/// Errors: a parameter that is negative or not a number. Source: Canonne, Kamath, Steinke 2020, "The discrete Gaussian
/// for differential privacy", Corollary 13.
///
/// ```
/// use indistinct_accounting::{Epsilon, Rho};
/// let delta = indistinct_accounting::cdp_delta(Rho(0.5), Epsilon(1.0))?;
/// assert!(0.24684633 < delta && delta < 0.24684634);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn cdp_delta(Rho(rho): Rho, Epsilon(epsilon): Epsilon) -> Fallible<f64> {
    let (rho, epsilon) = (non_negative(rho, "rho")?, non_negative(epsilon, "epsilon")?);
    if rho == 0.0 {
        return Ok(0.0);
    }
    if rho == f64::INFINITY {
        return Ok(1.0);
    }
    if epsilon == f64::INFINITY {
        return Ok(0.0);
    }
    let bound = Bound { rho, epsilon, t: best_order(rho, epsilon) };
    Ok(enclose(&bound).upper.min(1.0))
}

/// `delta(t)`.
struct Bound {
    rho: f64,
    epsilon: f64,
    t: f64,
}

impl Formula for Bound {
    fn evaluate<E: Enclosure>(&self) -> E {
        let (rho, t) = (E::exact(self.rho), E::exact(self.t));
        // rho t + (rho - epsilon), so that what cancels does so between floats.
        let margin = rho.mul(&t).add(&rho.sub(&E::exact(self.epsilon)));
        t.mul(&margin).sub(&entropy(self.t)).exp()
    }
}

/// The root of the derivative `2 rho t - (epsilon - rho) - ln(1 + 1/t)`, which increases in t.
fn best_order(rho: f64, epsilon: f64) -> f64 {
    let excess = epsilon - rho;
    // By ln(1 + 1/t) <= 1/t, a start above the root: of 2 rho t^2 - excess t = 1.
    let half = excess / (4.0 * rho);
    let root_part = (2.0 * rho).sqrt().recip();
    let spread = half.hypot(root_part);
    let above = if half >= 0.0 { half + spread } else { root_part * (root_part / (spread - half)) };
    // By ln(1 + 1/t) >= 2/(2t + 1), one below it, and close to it if it is large.
    let ratio = epsilon / rho;
    let below = ((ratio + ratio.hypot(4.0 * root_part)) / 2.0 - 1.0) / 2.0;
    let start = if below > 0.5 && below <= above {
        below
    } else {
        if excess < 0.0 { above.min((-excess).exp_m1().recip()) } else { above }
    };
    root(start, |t| {
        let inverse = t.recip();
        (2.0 * rho * t - excess - inverse.ln_1p(), 2.0 * rho * t + 1.0 / (1.0 + t), 1.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes() {
        assert_eq!(cdp_delta(Rho(0.0), Epsilon(0.0)), Ok(0.0));
        assert_eq!(cdp_delta(Rho(f64::INFINITY), Epsilon(1.0)), Ok(1.0));
        assert_eq!(cdp_delta(Rho(1.0), Epsilon(f64::INFINITY)), Ok(0.0));
        assert_eq!(cdp_delta(Rho(1e-300), Epsilon(1.0)), Ok(5e-324));
        // Where rho is epsilon, the start of the search is neither side's.
        for equal in [1e-3, 1.0, 700.0] {
            assert!(cdp_delta(Rho(equal), Epsilon(equal)).unwrap() < 0.999, "{equal}");
        }
        assert!((cdp_delta(Rho(1.0), Epsilon(1.0)).unwrap() - 0.4935).abs() < 1e-4);
        assert_eq!(cdp_delta(Rho(1e300), Epsilon(0.0)), Ok(1.0));
        for (rho, epsilon) in [(f64::NAN, 1.0), (-1.0, 1.0), (1.0, f64::NAN), (1.0, -1e-300)] {
            assert!(cdp_delta(Rho(rho), Epsilon(epsilon)).is_err());
        }
        assert_eq!(
            cdp_delta(Rho(f64::NAN), Epsilon(1.0)).unwrap_err().to_string(),
            "rho must be a number that is not negative"
        );
    }
}
