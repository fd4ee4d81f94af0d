//! The least noise, the largest sampling rate and the most steps for a budget.

use super::PrivacyLossDistribution;
use crate::error::{Fallible, non_negative, require};

impl PrivacyLossDistribution {
    /// The smallest `sigma` for which `steps` of Gaussian noise on Poisson samples of rate `rate` are (`epsilon`, `delta`)-DP: see
    /// [`poisson_gaussian`](Self::poisson_gaussian).
    ///
    /// Rounded up: it was seen to do, and is within 1e-6 or so of the smallest that is seen to; none much below 1e-3 is looked for. Errors: rate outside 0 to 1, steps of 0 or above 2^40, epsilon negative or not a
    /// number, delta outside 0 to 1 or 0; a budget that no sigma up to 1e6 is seen to meet.
    ///
    /// ```
    /// use indistinct_accounting::PrivacyLossDistribution;
    /// let sigma = PrivacyLossDistribution::calibrate_sigma(0.01, 1000, 2.0, 1e-6)?;
    /// let training = PrivacyLossDistribution::poisson_gaussian(sigma, 0.01)?.repeat(1000)?;
    /// assert!(training.delta(2.0)?.upper <= 1e-6);
    /// # Ok::<(), indistinct_accounting::Error>(())
    /// ```
    pub fn calibrate_sigma(rate: f64, steps: u64, epsilon: f64, delta: f64) -> Fallible<f64> {
        check_budget(epsilon, delta)?;
        let at = |sigma: f64| -> Fallible<f64> {
            Ok(Self::poisson_gaussian(sigma, rate)?.repeat(steps.max(1))?.delta_beside(epsilon, delta))
        };
        require(steps >= 1, "steps", "must be at least 1")?;
        let (mut low, mut high) = (0.5, 1.0);
        let mut below = at(high)?;
        while below > delta {
            low = high;
            high *= 2.0;
            require(high <= 1e6, "epsilon", "must be one that a sigma up to 1e6 is seen to meet")?;
            below = at(high)?;
        }
        let mut above = at(low)?;
        while above <= delta && low > 1e-3 {
            (high, below) = (low, above);
            low /= 2.0;
            above = at(low)?;
        }
        inwards((low, above), (high, below), delta, at)
    }

    /// The largest sampling rate for which `steps` of Gaussian noise of `sigma` on Poisson samples are (`epsilon`, `delta`)-DP. Rounded down: it was seen
    /// to do, and is within 1e-6 or so of the largest that is seen to. Errors: as for [`calibrate_sigma`](Self::calibrate_sigma), with sigma outside 1e-100 to 1e100; a
    /// budget that no rate above 1e-9 is seen to meet.
    pub fn calibrate_rate(sigma: f64, steps: u64, epsilon: f64, delta: f64) -> Fallible<f64> {
        check_budget(epsilon, delta)?;
        require(steps >= 1, "steps", "must be at least 1")?;
        let at = |rate: f64| -> Fallible<f64> {
            Ok(Self::poisson_gaussian(sigma, rate)?.repeat(steps)?.delta_beside(epsilon, delta))
        };
        let (mut high, mut above) = (1.0, at(1.0)?);
        if above <= delta {
            return Ok(1.0);
        }
        let (mut low, mut below) = (0.1, at(0.1)?);
        while below > delta {
            (high, above) = (low, below);
            low /= 4.0;
            require(low >= 1e-9, "epsilon", "must be one that a rate above 1e-9 is seen to meet")?;
            below = at(low)?;
        }
        inwards((high, above), (low, below), delta, at)
    }

    /// The most steps of Gaussian noise of `sigma` on Poisson samples of rate `rate` that are (`epsilon`, `delta`)-DP together, up to 2^40. It was seen to do, and one
    /// more was not, or would be 2^40. Errors: as for [`calibrate_sigma`](Self::calibrate_sigma); a budget that one step is not seen to meet.
    pub fn calibrate_steps(sigma: f64, rate: f64, epsilon: f64, delta: f64) -> Fallible<u64> {
        check_budget(epsilon, delta)?;
        let one = Self::poisson_gaussian(sigma, rate)?;
        let fits = |steps: u64| -> Fallible<bool> { Ok(one.repeat(steps)?.delta_beside(epsilon, delta) <= delta) };
        require(fits(1)?, "epsilon", "must be one that a single step is seen to meet")?;
        let (mut low, mut high) = (1u64, 1024u64);
        while high < 1 << 40 && fits(high)? {
            (low, high) = (high, high * 2);
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if fits(middle)? {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }
}

fn check_budget(epsilon: f64, delta: f64) -> Fallible<()> {
    non_negative(epsilon, "epsilon")?;
    require(delta > 0.0 && delta <= 1.0, "delta", "must be above 0 and at most 1")
}

/// The point nearest to `bad` found whose delta is at most the wanted one, by false position on logarithms (Illinois). `good` is one.
fn inwards(bad: (f64, f64), good: (f64, f64), wanted: f64, at: impl Fn(f64) -> Fallible<f64>) -> Fallible<f64> {
    let excess = |delta: f64| delta.max(5e-324).ln() - wanted.ln();
    // The float that was seen to do, not what its logarithm gives back.
    let mut found = good.0;
    let ((mut bad, mut above), (mut good, mut below)) = ((bad.0.ln(), excess(bad.1)), (good.0.ln(), excess(good.1)));
    let (mut last, mut was_beside) = (None, false);
    for round in 0..90 {
        if (good - bad).abs() <= 1e-7 || above <= 0.0 {
            break;
        }
        let crossing = good - below * (bad - good) / (above - below);
        // A little to the good side, so that the good end closes in too.
        let crossing = crossing + (good - bad).signum() * 2e-8;
        let (least, most) = (good.min(bad), good.max(bad));
        // Next to the good end, one point within what is asked will tell.
        let beside = good + (bad - good).signum() * ((bad - good).abs() / 2.0).min(9e-8);
        let is_inside = crossing > least && crossing < most && below < 0.0;
        // By halves where logarithms tell too little, or after a while.
        let is_halved = if is_inside { round >= 12 && round % 2 == 0 } else { was_beside };
        was_beside = !is_inside && !was_beside;
        let next = if is_halved {
            good + (bad - good) / 2.0
        } else if is_inside {
            crossing
        } else {
            beside
        };
        let point = next.exp();
        let delta = at(point)?;
        let fits = delta <= wanted;
        let share = if last == Some(fits) { 0.5 } else { 1.0 };
        if fits {
            (good, below, found) = (next, excess(delta), point);
            above *= share;
        } else {
            (bad, above) = (next, excess(delta));
            below *= share;
        }
        last = Some(fits);
    }
    Ok(found)
}
