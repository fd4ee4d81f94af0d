//! The least noise, the largest sampling rate and the most steps for a budget.

use crate::search::{SearchRange, least_that_does, log_excess, most_that_does};
use crate::{
    error::{Fallible, non_negative, require},
    pld::distribution::PrivacyLossDistribution,
};
use std::f64::consts::{LN_2, LN_10};

/// How near the logarithm of a parameter comes to the edge.
const NEAR: f64 = 1e-7;
/// No parameters beyond are looked at.
const LEAST_SIGMA: f64 = 1e-3;
const MOST_SIGMA: f64 = 1e6;
const LEAST_RATE: f64 = 1e-9;

impl PrivacyLossDistribution {
    /// The smallest `sigma` for which `steps` of Gaussian noise on Poisson samples of rate `rate` are (`epsilon`,
    /// `delta`)-DP: see [`poisson_gaussian`](Self::poisson_gaussian).
    ///
    /// Rounded up: it was seen to do, and is within 1e-6 or so of the smallest that is seen to; none much below 1e-3 is
    /// looked for. Errors: rate outside 0 to 1, steps of 0 or above 2^40, epsilon negative or not a number, delta
    /// outside 0 to 1 or 0; a budget that no sigma up to 1e6 is seen to meet.
    ///
    /// ```
    /// use indistinct_accounting::PrivacyLossDistribution;
    /// let sigma = PrivacyLossDistribution::calibrate_sigma(0.01, 1000, 2.0, 1e-6)?;
    /// let training = PrivacyLossDistribution::poisson_gaussian(sigma, 0.01)?.repeat(1000)?;
    /// assert!(training.delta(2.0)?.upper <= 1e-6);
    /// # Ok::<(), indistinct_accounting::Error>(())
    /// ```
    pub fn calibrate_sigma(rate: f64, steps: u64, epsilon: f64, delta: f64) -> Fallible<f64> {
        let allowed = check_budget(epsilon, delta)?;
        require(steps >= 1, "steps", "must be at least 1")?;
        // In the logarithm of sigma, in which that of delta is nearly straight.
        let excess = |s: f64| {
            let delta = Self::poisson_gaussian(s.exp(), rate)?.repeat(steps)?.delta_if_within(epsilon, allowed);
            Ok(log_excess(delta, allowed))
        };
        let range =
            SearchRange { start: 0.0, step: LN_2, least: LEAST_SIGMA.ln(), most: MOST_SIGMA.ln(), tolerance: NEAR };
        let found = least_that_does(range, excess)?;
        require(found.is_some(), "epsilon", "must be one that a sigma up to 1e6 is seen to meet")?;
        Ok(found.map_or(f64::INFINITY, f64::exp))
    }

    /// The largest sampling rate for which `steps` of Gaussian noise of `sigma` on Poisson samples are (`epsilon`,
    /// `delta`)-DP. Rounded down: it was seen to do, and is within 1e-6 or so of the largest that is seen to. Errors:
    /// as for [`calibrate_sigma`](Self::calibrate_sigma), with sigma outside 1e-100 to 1e100; a budget that no rate
    /// above 1e-9 is seen to meet.
    pub fn calibrate_rate(sigma: f64, steps: u64, epsilon: f64, delta: f64) -> Fallible<f64> {
        let allowed = check_budget(epsilon, delta)?;
        require(steps >= 1, "steps", "must be at least 1")?;
        let at = |rate: f64| -> Fallible<f64> {
            let delta = Self::poisson_gaussian(sigma, rate)?.repeat(steps)?.delta_if_within(epsilon, allowed);
            Ok(log_excess(delta, allowed))
        };
        if at(1.0)? <= 0.0 {
            return Ok(1.0);
        }
        // Minus the logarithm of the rate.
        let most = -LEAST_RATE.ln();
        let range = SearchRange { start: LN_10, step: 2.0 * LN_2, least: 0.0, most, tolerance: NEAR };
        let found = least_that_does(range, |s| at((-s).exp()))?;
        require(found.is_some(), "epsilon", "must be one that a rate above 1e-9 is seen to meet")?;
        Ok(found.map_or(0.0, |s| (-s).exp()))
    }

    /// The most steps of Gaussian noise of `sigma` on Poisson samples of rate `rate` that are (`epsilon`, `delta`)-DP
    /// together, up to 2^40. It was seen to do, and one more was not, or would be 2^40. Errors: as for
    /// [`calibrate_sigma`](Self::calibrate_sigma); a budget that one step is not seen to meet.
    pub fn calibrate_steps(sigma: f64, rate: f64, epsilon: f64, delta: f64) -> Fallible<u64> {
        check_budget(epsilon, delta)?;
        let one = Self::poisson_gaussian(sigma, rate)?;
        let fits = |steps: u64| -> Fallible<bool> { Ok(one.repeat(steps)?.delta_if_within(epsilon, delta) <= delta) };
        require(fits(1)?, "epsilon", "must be one that a single step is seen to meet")?;
        most_that_does((1 << 40) - 1, fits)
    }
}

fn check_budget(epsilon: f64, delta: f64) -> Fallible<f64> {
    non_negative(epsilon, "epsilon")?;
    require(delta > 0.0 && delta <= 1.0, "delta", "must be above 0 and at most 1")?;
    Ok(delta)
}
