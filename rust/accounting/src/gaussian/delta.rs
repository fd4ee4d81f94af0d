//! Delta, given mu and epsilon.
use crate::error::{Fallible, non_negative};
use crate::units::{Epsilon, Mu};
use indistinct_numeric::{
    RoundedMath,
    enclosure::{Bounds, Enclosure, Formula, enclose},
};

/// Returns the smallest delta such that mu-GDP implies (epsilon, delta)-DP, rounded up: exact for Gaussian noise of
/// standard deviation sensitivity / mu.
///
/// `epsilon` is in nats. The result is never below the truth, and exceeds it by a relative error of at most 1e-13 if it
/// exceeds 1e-300 and mu is at most 1e12. It is 0 for mu = 0 or infinite epsilon, and at most 1. If the truth
/// underflows, the result is the smallest positive float.
///
/// Errors: a parameter that is negative or not a number. Source: Balle, Wang 2018, "Improving the Gaussian mechanism
/// for differential privacy", Theorem 8.
///
/// ```
/// use indistinct_accounting::{Epsilon, Mu};
/// let delta = indistinct_accounting::gaussian_delta(Mu(1.0), Epsilon(1.0))?;
/// assert!(0.12693673750664 < delta && delta < 0.12693673750665);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn gaussian_delta(Mu(mu): Mu, Epsilon(epsilon): Epsilon) -> Fallible<f64> {
    Ok(gaussian_delta_bounds(mu, epsilon)?.upper)
}

/// Returns the natural logarithm of [`gaussian_delta`], rounded up, even if delta is smaller than all positive floats.
/// It is minus infinity if delta is 0. Errors: as for [`gaussian_delta`].
///
/// ```
/// use indistinct_accounting::{Epsilon, Mu};
/// let logarithm = indistinct_accounting::gaussian_log_delta(Mu(0.01), Epsilon(1.0))?;
/// assert!(-5015.0 < logarithm && logarithm < -5014.0);
/// assert!(indistinct_accounting::gaussian_delta(Mu(0.01), Epsilon(1.0))? < 1e-307);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn gaussian_log_delta(Mu(mu): Mu, Epsilon(epsilon): Epsilon) -> Fallible<f64> {
    let delta = gaussian_delta(Mu(mu), Epsilon(epsilon))?;
    if delta > 1e-290 {
        return Ok(delta.inf_ln()?.min(0.0));
    }
    if delta == 0.0 {
        return Ok(f64::NEG_INFINITY);
    }
    let (upper, known) = (enclose(&LogDelta { mu: mu + 0.0, epsilon: epsilon + 0.0 }).upper, delta.inf_ln()?);
    Ok(if upper < known { upper } else { known })
}

/// The logarithm of a small delta, for a positive mu.
struct LogDelta {
    mu: f64,
    epsilon: f64,
}

impl Formula for LogDelta {
    fn evaluate<E: Enclosure>(&self) -> E {
        let (mu, middle) = (E::exact(self.mu), E::exact(self.epsilon).div(&E::exact(self.mu)));
        let half = mu.mul(&E::exact(0.5));
        let (a, b) = (middle.sub(&half), middle.add(&half));
        let rest = a.mills().sub(&b.mills()).mul(&E::inverse_root_two_pi()).ln();
        rest.sub(&a.mul(&a).mul(&E::exact(0.5)))
    }
}

/// Both bounds on delta.
pub(crate) fn gaussian_delta_bounds(mu: f64, epsilon: f64) -> Fallible<Bounds> {
    let (mu, epsilon) = (non_negative(mu, "mu")?, non_negative(epsilon, "epsilon")?);
    let exactly = |delta| Ok(Bounds { lower: delta, upper: delta });
    if mu == 0.0 || (epsilon == f64::INFINITY && mu < f64::INFINITY) {
        return exactly(0.0);
    }
    if mu == f64::INFINITY {
        return exactly(1.0);
    }
    let bounds = enclose(&GaussianDelta { mu, epsilon });
    Ok(Bounds { lower: bounds.lower.max(0.0), upper: bounds.upper.min(1.0) })
}

/// Delta, for a positive mu.
pub(super) struct GaussianDelta {
    pub(super) mu: f64,
    pub(super) epsilon: f64,
}

impl Formula for GaussianDelta {
    fn evaluate<E: Enclosure>(&self) -> E {
        let (one, mu) = (E::exact(1.0), E::exact(self.mu));
        let middle = E::exact(self.epsilon).div(&mu);
        let half = mu.mul(&E::exact(0.5));
        let (a, b) = (middle.sub(&half), middle.add(&half));
        let density = a.mul(&a).mul(&E::exact(-0.5)).exp().mul(&E::inverse_root_two_pi());
        if self.mu < 1e-10 {
            // R(a) - R(b) is the integral of -R' = 1 - x R over an interval of length mu about the middle: mu times its
            // value there, and its second derivative, between 0 and 2.1, times mu^3/24.
            let slope = one.sub(&middle.mul(&middle.mills()));
            let curvature = E::between(0.0, 0.09).mul(&mu).mul(&mu);
            return density.mul(&mu).mul(&slope.add(&curvature));
        }
        // Either form is right on both sides of a = 0, as far as the ratio reaches.
        if self.epsilon >= self.mu * self.mu / 2.0 {
            density.mul(&a.mills().sub(&b.mills()))
        } else {
            let (a, tail) = (half.sub(&middle), b.mills());
            one.sub(&density.mul(&a.mills().add(&tail)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// delta(1, 1) is 0.12693673750664394580 (mpmath): this float and 2.8e-18.
    #[test]
    fn rounded_outward() {
        let (lower, upper) = (0.12693673750664394, 0.12693673750664394f64.next_up());
        assert_eq!(gaussian_delta_bounds(1.0, 1.0), Ok(Bounds { lower, upper }));
    }

    /// Against `phi(a)/a^2 mu` and two terms more of its series, to 2,000 bits.
    #[test]
    fn logarithms_of_what_is_below_all_floats() {
        for (mu, epsilon) in [(0.01, 1.0), (1e-3, 0.5), (1.0, 60.0), (3.0, 200.0), (0.02, 0.8), (1e-6, 1e-4)] {
            let wide = |x: f64| rug::Float::with_val(4000, x);
            let tail = |x: rug::Float| (x / wide(2.0).sqrt()).erfc() / 2u32;
            let (middle, half) = (wide(epsilon) / mu, wide(mu) / 2u32);
            let truth = tail(rug::Float::with_val(4000, &middle - &half))
                - wide(epsilon).exp() * tail(rug::Float::with_val(4000, &middle + &half));
            let (truth, own) = (truth.ln(), gaussian_log_delta(Mu(mu), Epsilon(epsilon)).unwrap());
            assert!(own >= truth && own <= truth.to_f64() * (1.0 - 1e-14), "{mu} {epsilon}: {own} {truth:.20}");
        }
        assert_eq!(gaussian_log_delta(Mu(0.0), Epsilon(1.0)), Ok(f64::NEG_INFINITY));
        assert_eq!(gaussian_log_delta(Mu(1.0), Epsilon(f64::INFINITY)), Ok(f64::NEG_INFINITY));
        assert_eq!(gaussian_log_delta(Mu(f64::INFINITY), Epsilon(1.0)), Ok(0.0));
        assert!((gaussian_log_delta(Mu(1.0), Epsilon(1.0)).unwrap() - 0.126_936_737_506_643_94f64.ln()).abs() < 1e-15);
        // Where little is known, a float's least is: its logarithm.
        assert!(gaussian_log_delta(Mu(1e-300), Epsilon(1.0)).unwrap() <= -744.0);
        assert!(
            gaussian_log_delta(Mu(-1.0), Epsilon(1.0)).is_err()
                && gaussian_log_delta(Mu(1.0), Epsilon(f64::NAN)).is_err()
        );
    }

    #[test]
    fn extremes() {
        assert_eq!(gaussian_delta(Mu(0.0), Epsilon(0.0)), Ok(0.0));
        assert_eq!(gaussian_delta(Mu(f64::INFINITY), Epsilon(1.0)), Ok(1.0));
        assert_eq!(gaussian_delta(Mu(1.0), Epsilon(f64::INFINITY)), Ok(0.0));
        // Distributions that have nothing in common, whatever epsilon.
        assert_eq!(gaussian_delta(Mu(f64::INFINITY), Epsilon(f64::INFINITY)), Ok(1.0));
        assert_eq!(gaussian_delta(Mu(1e-10), Epsilon(1.0)), Ok(5e-324));
        assert_eq!(gaussian_delta(Mu(1e10), Epsilon(1.0)), Ok(1.0));
        for (mu, epsilon) in [(f64::NAN, 1.0), (-1.0, 1.0), (1.0, f64::NAN), (1.0, -1e-300)] {
            assert!(gaussian_delta(Mu(mu), Epsilon(epsilon)).is_err());
        }
    }
}
