//! The least noise, the largest sampling rate and the most steps for a budget.

use crate::{
    error::{Fallible, non_negative, require},
    pld::{
        answer::{
            begin::UNKNOWN,
            least_training::least_training,
            most_steps::most_steps,
            training::{Pass, Training},
        },
        distribution::PrivacyLossDistribution,
        loss::finite_loss::number,
        transform::work::Work,
    },
    search::SearchRange,
    units::{Delta, Epsilon, Rate, Sigma},
};
use std::f64::consts::LN_2;

/// How near the logarithm of a parameter comes to the edge.
const NEAR: f64 = 5e-7;
/// No parameters beyond are looked at.
const LEAST_SIGMA: f64 = 1e-3;
const MOST_SIGMA: f64 = 1e6;
const LEAST_RATE: f64 = 1e-9;
/// No more work than this, in microseconds or so, is spent on the sums of a contour; where that is too little, simpler
/// bounds have to do.
const MOST_AT_ONCE: f64 = 10_000.0;

impl PrivacyLossDistribution {
    /// The smallest `sigma` for which `steps` of Gaussian noise on Poisson samples of rate `rate` are (`epsilon`,
    /// `delta`)-DP: see [`poisson_gaussian`](Self::poisson_gaussian).
    ///
    /// Rounded up: what is returned was seen to keep the budget; where delta is not known so well, the upper bound of
    /// [`delta`](Self::delta) may be above it. It is within about 1e-6, relatively, of the smallest that is seen to
    /// without a grid; within 1e-4 to 5e-2 where evaluations of delta take long; further off where delta is not known
    /// so well, or where twenty evaluations do not come nearer. None much below 1e-3 is looked for. Where an individual
    /// is hardly ever sampled, it may be some percent above the smallest. Errors: rate outside 0 to 1, steps of 0 or
    /// above 2^40, epsilon negative or not a number, delta outside 0 to 1 or 0; a budget that no sigma up to 1e6 is
    /// seen to meet.
    ///
    /// ```
    /// use indistinct_accounting::{Delta, Epsilon, PrivacyLossDistribution, Rate, Sigma};
    /// let sigma = PrivacyLossDistribution::calibrate_sigma(Rate(0.01), 1000, Epsilon(2.0), Delta(1e-6))?;
    /// let training = PrivacyLossDistribution::poisson_gaussian(Sigma(sigma), Rate(0.01))?.repeat(1000)?;
    /// assert!(training.delta(2.0)?.upper <= 1e-6);
    /// # Ok::<(), indistinct_accounting::Error>(())
    /// ```
    pub fn calibrate_sigma(
        Rate(rate): Rate,
        steps: u64,
        Epsilon(epsilon): Epsilon,
        Delta(delta): Delta,
    ) -> Fallible<f64> {
        let allowed = check_budget(epsilon, delta)?;
        require(steps >= 1, "steps", "must be at least 1")?;
        // In the logarithm of sigma, in which that of delta is nearly straight.
        let work = Work::up_to(MOST_AT_ONCE);
        let at = |s: f64| Training::new(s.exp(), rate, steps, &work);
        let range =
            SearchRange { step: LN_2, least: LEAST_SIGMA.ln(), most: MOST_SIGMA.ln(), tolerance: NEAR, ..UNKNOWN };
        let found = least_training(range, (epsilon, allowed), |s| (s.exp(), rate, number(steps)), at)?;
        require(found.is_some(), "epsilon", "must be one that a sigma up to 1e6 is seen to meet")?;
        Ok(found.map_or(f64::INFINITY, f64::exp))
    }

    /// The largest sampling rate for which `steps` of Gaussian noise of `sigma` on Poisson samples are (`epsilon`,
    /// `delta`)-DP. Rounded down: it was seen to do, and is as near the largest that is seen to as a sigma is. Errors:
    /// as for [`calibrate_sigma`](Self::calibrate_sigma), with sigma outside 1e-100 to 1e100; a budget that no rate
    /// above 1e-9 is seen to meet.
    pub fn calibrate_rate(
        Sigma(sigma): Sigma,
        steps: u64,
        Epsilon(epsilon): Epsilon,
        Delta(delta): Delta,
    ) -> Fallible<f64> {
        let allowed = check_budget(epsilon, delta)?;
        require(steps >= 1, "steps", "must be at least 1")?;
        let work = Work::up_to(MOST_AT_ONCE);
        let at = |rate: f64| Training::new(sigma, rate, steps, &work);
        if at(1.0)?.fits(epsilon, allowed) {
            return Ok(1.0);
        }
        // Minus the logarithm of the rate.
        let range = SearchRange { step: 2.0 * LN_2, most: -LEAST_RATE.ln(), tolerance: NEAR, ..UNKNOWN };
        let of = |s: f64| (sigma, (-s).exp(), number(steps));
        let found = least_training(range, (epsilon, allowed), of, |s| at((-s).exp()))?;
        require(found.is_some(), "epsilon", "must be one that a rate above 1e-9 is seen to meet")?;
        Ok(found.map_or(0.0, |s| (-s).exp()))
    }

    /// The most steps of Gaussian noise of `sigma` on Poisson samples of rate `rate` that are (`epsilon`, `delta`)-DP
    /// together, up to 2^40. What is returned was seen to keep the budget, and one more was not, or would be 2^40. The
    /// distance to a number that was not seen to is more, relatively, in these cases: 2^-24, where that is more than
    /// one step; 1e-4 to 1e-2, where evaluations of delta take long; an eighth of how far apart its bounds are, where
    /// that is above 1e-6, or half of it, where it is above a tenth; and any, where twenty evaluations do not come
    /// nearer. Errors: as for [`calibrate_sigma`](Self::calibrate_sigma); a budget that one step is not seen to meet.
    pub fn calibrate_steps(
        Sigma(sigma): Sigma,
        Rate(rate): Rate,
        Epsilon(epsilon): Epsilon,
        Delta(delta): Delta,
    ) -> Fallible<u64> {
        let allowed = check_budget(epsilon, delta)?;
        let work = Work::up_to(MOST_AT_ONCE);
        let at = |steps: u64| Training::new(sigma, rate, steps, &work);
        let by_first = most_steps((sigma, rate), (epsilon, allowed), Pass::First, at)?;
        if by_first > 1 && at(by_first)?.keeps_added(epsilon, allowed) {
            return Ok(by_first);
        }
        require(at(1)?.fits(epsilon, allowed), "epsilon", "must be one that a single step is seen to meet")?;
        if by_first > 1 { most_steps((sigma, rate), (epsilon, allowed), Pass::Again, at) } else { Ok(1) }
    }
}

fn check_budget(epsilon: f64, delta: f64) -> Fallible<f64> {
    non_negative(epsilon, "epsilon")?;
    require(delta > 0.0 && delta <= 1.0, "delta", "must be above 0 and at most 1")?;
    Ok(delta)
}
