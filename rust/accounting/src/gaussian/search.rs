//! From a delta back to a parameter: found in floats, corrected once by balls, and then verified.

use crate::gaussian::delta::GaussianDelta;
use indistinct_numeric::enclosure::{Ball, Enclosure, Formula, Interval, mills_estimate};

/// The true delta less a wanted one.
struct Residual<'a> {
    delta: &'a GaussianDelta,
    wanted: f64,
}

impl Formula for Residual<'_> {
    fn evaluate<E: Enclosure>(&self) -> E {
        self.delta.evaluate::<E>().sub(&E::exact(self.wanted))
    }
}

/// The middle of what is known about `delta - wanted`.
pub(super) fn residual(delta: &GaussianDelta, wanted: f64) -> f64 {
    let formula = Residual { delta, wanted };
    let mut bounds = formula.evaluate::<Ball>().bounds();
    let is_close = bounds.upper - bounds.lower <= wanted;
    if !is_close {
        bounds = formula.evaluate::<Interval<192>>().bounds();
    }
    bounds.lower + (bounds.upper - bounds.lower) / 2.0
}

/// True if the true delta is certainly no more than the wanted one.
pub(super) fn fits(delta: &GaussianDelta, wanted: f64) -> bool {
    let formula = Residual { delta, wanted };
    let bounds = formula.evaluate::<Ball>().bounds();
    if bounds.upper <= 0.0 || bounds.lower > 0.0 {
        return bounds.upper <= 0.0;
    }
    formula.evaluate::<Interval<192>>().upper() <= 0.0
}

/// Delta and its derivatives at a point, in floats.
pub(super) struct Estimate {
    /// Delta, and one less delta; each good where it is small.
    pub(super) delta: f64,
    pub(super) rest: f64,
    /// Minus the derivative in epsilon, `e^epsilon Phi(-b) = phi(a) R(b)`.
    pub(super) by_epsilon: f64,
    /// The derivative in mu, `phi(a)`.
    pub(super) by_mu: f64,
}

pub(super) fn estimate(mu: f64, epsilon: f64) -> Estimate {
    let middle = epsilon / mu;
    let (a, b) = (middle - mu / 2.0, middle + mu / 2.0);
    let density = (-a * a / 2.0).exp() * 0.398_942_280_401_432_7;
    let tail = mills_estimate(b);
    let (delta, rest) = if mu < 1e-4 {
        let delta = density * mu * (1.0 - middle * mills_estimate(middle));
        (delta, 1.0 - delta)
    } else if a >= 0.0 {
        let delta = density * (mills_estimate(a) - tail);
        (delta, 1.0 - delta)
    } else {
        let rest = density * (mills_estimate(-a) + tail);
        (1.0 - rest, rest)
    };
    Estimate { delta, rest, by_epsilon: density * tail, by_mu: density }
}

/// Newton's steps towards `ln delta = ln wanted` (or `ln (1 - delta)` where that is the smaller), for a slope of delta
/// that has one sign.
///
/// `at` gives the estimate and the slope at x, which stays positive.
pub(super) fn approach(start: f64, wanted: f64, at: impl Fn(f64) -> (Estimate, f64)) -> f64 {
    let logarithm = if wanted > 0.5 { (1.0 - wanted).ln() } else { wanted.ln() };
    let (mut x, mut before) = (start, f64::INFINITY);
    for _ in 0..100 {
        let (estimate, slope) = at(x);
        let step = if wanted > 0.5 {
            (estimate.rest.ln() - logarithm) * estimate.rest / -slope
        } else {
            (estimate.delta.ln() - logarithm) * estimate.delta / slope
        };
        if step.is_nan() {
            break;
        }
        x = (x - step).clamp(x / 4.0, x * 4.0);
        // Steps that no longer shrink are the noise of floats.
        if step.abs() <= 1e-8 * x || (step.abs() <= 1e-3 * x && step.abs() > before / 2.0) {
            break;
        }
        before = step.abs();
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gaussian::{gaussian_delta, gaussian_delta_bounds};
    use crate::units::{Epsilon, Mu};

    /// What decides: a delta fits if it is certainly no more than the wanted one, and where floats do not tell, more
    /// digits do.
    #[test]
    fn what_fits() {
        for (mu, epsilon) in [(1.0, 1.0), (0.25, 2.0), (1e-6, 0.0), (1e-12, 0.0), (8.0, 3.0)] {
            let (delta, bounds) = (GaussianDelta { mu, epsilon }, gaussian_delta_bounds(mu, epsilon).unwrap());
            assert!(fits(&delta, bounds.upper.next_up()) && fits(&delta, 1.0), "{mu} {epsilon}");
            assert!(!fits(&delta, bounds.lower.next_down()) && !fits(&delta, 0.0), "{mu} {epsilon}");
        }
        // 1 - delta is 1.6e-41.
        assert!(
            fits(&GaussianDelta { mu: 27.0, epsilon: 0.0 }, 1.0)
                && !fits(&GaussianDelta { mu: 27.0, epsilon: 0.0 }, 1.0f64.next_down())
        );
        // delta(1, 1) is the float and 2.848762575e-18 (mpmath, 40 digits).
        let near = residual(&GaussianDelta { mu: 1.0, epsilon: 1.0 }, 0.12693673750664394);
        assert!((near / 2.848762575e-18 - 1.0).abs() < 1e-9, "{near:e}");
        assert!((residual(&GaussianDelta { mu: 1.0, epsilon: 1.0 }, 0.5) + 0.373063262493356).abs() < 1e-15);
    }

    /// Beside the exact delta, and its differences.
    #[test]
    fn estimates_are_near() {
        for (mu, epsilon) in
            [(1.0, 1.0), (0.25, 2.0), (3.0, 0.5), (0.5, 0.0), (9e-5, 0.0), (9e-5, 1e-4), (1.1e-4, 1e-4), (6.0, 2.0)]
        {
            let own = estimate(mu, epsilon);
            let delta = gaussian_delta(Mu(mu), Epsilon(epsilon)).unwrap();
            assert!(
                (own.delta / delta - 1.0).abs() < 1e-8 && (own.rest + own.delta - 1.0).abs() < 1e-15,
                "{mu} {epsilon}"
            );
            let (h, k) = (mu * 1e-4, mu * 1e-4);
            let by_mu = (gaussian_delta(Mu(mu + h), Epsilon(epsilon)).unwrap()
                - gaussian_delta(Mu(mu - h), Epsilon(epsilon)).unwrap())
                / (2.0 * h);
            assert!((own.by_mu / by_mu - 1.0).abs() < 1e-5, "{mu} {epsilon}: {} {by_mu}", own.by_mu);
            // Forward from epsilon = 0.
            let d = |epsilon: f64| gaussian_delta(Mu(mu), Epsilon(epsilon)).unwrap();
            let by_epsilon = (4.0 * d(epsilon + k) - 3.0 * d(epsilon) - d(epsilon + 2.0 * k)) / (2.0 * k);
            assert!(
                (own.by_epsilon / -by_epsilon - 1.0).abs() < 1e-4,
                "{mu} {epsilon}: {} {by_epsilon}",
                own.by_epsilon
            );
        }
        // Each is good where it is small.
        let far = estimate(20.0, 1.0);
        assert!((far.rest / 2.5095237742e-23 - 1.0).abs() < 1e-9, "{:e}", far.rest);
    }

    #[test]
    fn roots_are_approached() {
        let by_mu = |epsilon: f64| {
            move |mu: f64| {
                let estimate = estimate(mu, epsilon);
                let slope = estimate.by_mu;
                (estimate, slope)
            }
        };
        for (start, mu, epsilon) in
            [(0.5, 1.0, 1.0), (0.125, 0.25, 2.0), (8.0, 1.0, 1.0), (0.5, 4.0, 0.5), (9.0, 5.0, 1.0)]
        {
            let wanted = gaussian_delta(Mu(mu), Epsilon(epsilon)).unwrap();
            let found = approach(start, wanted, by_mu(epsilon));
            assert!((found / mu - 1.0).abs() < 1e-8, "{mu} {epsilon}: {found}");
        }
    }
}
