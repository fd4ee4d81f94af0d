//! The least noise, the largest sampling rate and the most steps for a budget: one guess, and one search over
//! [`delta`](PrivacyLossDistribution::delta).

use crate::{
    error::{Error, Fallible, non_negative, require},
    pld::{
        distribution::PrivacyLossDistribution,
        loss::finite_loss::{number, whole},
    },
    search::{SearchRange, least_that_does, log_excess, most_near},
    units::{Delta, Epsilon, Rate, Sigma},
};
use indistinct_numeric::enclosure::mills_estimate;

/// How near the logarithm of a parameter comes to the edge.
const NEAR: f64 = 5e-7;
/// No parameters beyond are looked at.
const LEAST_SIGMA: f64 = 1e-3;
const MOST_SIGMA: f64 = 1e6;
const LEAST_RATE: f64 = 1e-9;
const MOST_STEPS: u64 = (1 << 40) - 1;
/// Numbers of steps come to within a part `2^-GRAIN` of themselves of the edge.
const GRAIN: u32 = 22;
/// No excess is taken to fall faster than this, or slower: where a guess does, it jumps.
const SLOPES: (f64, f64) = (0.1, 1e3);

/// Gaussian noise on Poisson samples of a rate, so many times.
#[derive(Debug, Clone, Copy)]
struct Training {
    sigma: f64,
    rate: f64,
    steps: u64,
}

/// The budget.
#[derive(Debug, Clone, Copy)]
struct Budget {
    epsilon: f64,
    delta: f64,
}

impl Budget {
    fn new(Epsilon(epsilon): Epsilon, Delta(delta): Delta) -> Fallible<Self> {
        non_negative(epsilon, "epsilon")?;
        require(delta > 0.0 && delta <= 1.0, "delta", "must be above 0 and at most 1")?;
        Ok(Self { epsilon, delta })
    }

    /// The logarithm of how many times what is allowed a training's delta is: 0 or less exactly where
    /// [`delta`](PrivacyLossDistribution::delta) confirms it.
    fn excess(&self, Training { sigma, rate, steps }: Training) -> Fallible<f64> {
        let all = PrivacyLossDistribution::poisson_gaussian(Sigma(sigma), Rate(rate))?.repeat(steps)?;
        Ok(log_excess(all.delta(self.epsilon)?.upper, self.delta))
    }

    /// The same, guessed in floats.
    fn guessed(&self, Training { sigma, rate, steps }: Training) -> f64 {
        guess((sigma, rate), number(steps), self.epsilon) - self.delta.ln()
    }

    /// The least number of a range at which a training was seen to keep the budget. Delta falls as it rises.
    fn least(&self, range: (f64, f64), step: f64, training: impl Fn(f64) -> Training) -> Fallible<Option<f64>> {
        let (least, most) = range;
        let guessed = |s: f64| self.guessed(training(s));
        if guessed(least) < 1.0 && self.excess(training(least))? <= 0.0 {
            return Ok(Some(least));
        }
        let (mut low, mut start) = (least, most);
        for _ in 0..50 {
            let middle = low + (start - low) / 2.0;
            if guessed(middle) <= 0.0 { start = middle } else { low = middle }
        }
        let slope = (guessed(start - 1e-4) - guessed(start + 1e-4)) / 2e-4;
        let slope = if slope > SLOPES.0 && slope < SLOPES.1 { slope } else { 1.0 };
        let range = SearchRange { start, step, finest: NEAR, slope, least, most, tolerance: NEAR, slack: slope * NEAR };
        least_that_does(range, |s| self.excess(training(s)))
    }
}

impl PrivacyLossDistribution {
    /// The smallest `sigma` for which `steps` of Gaussian noise on Poisson samples of rate `rate` are (`epsilon`,
    /// `delta`)-DP: see [`poisson_gaussian`](Self::poisson_gaussian).
    ///
    /// Rounded up: what is returned keeps the budget by [`delta`](Self::delta), and is within about 1e-6, relatively,
    /// of the smallest that does. None below 1e-3 is looked for. Errors: rate outside 0 to 1, steps of 0 or above 2^40,
    /// epsilon negative or not a number, delta outside 0 to 1 or 0; a budget that no sigma up to 1e6 is seen to meet.
    ///
    /// ```
    /// use indistinct_accounting::{Delta, Epsilon, PrivacyLossDistribution, Rate, Sigma};
    /// let sigma = PrivacyLossDistribution::calibrate_sigma(Rate(0.01), 1000, Epsilon(2.0), Delta(1e-6))?;
    /// let training = PrivacyLossDistribution::poisson_gaussian(Sigma(sigma), Rate(0.01))?.repeat(1000)?;
    /// assert!(training.delta(2.0)?.upper <= 1e-6);
    /// # Ok::<(), indistinct_accounting::Error>(())
    /// ```
    pub fn calibrate_sigma(Rate(rate): Rate, steps: u64, epsilon: Epsilon, delta: Delta) -> Fallible<f64> {
        let budget = Budget::new(epsilon, delta)?;
        require(steps >= 1, "steps", "must be at least 1")?;
        // In the logarithm of sigma, in which that of delta is nearly straight.
        let range = (LEAST_SIGMA.ln(), MOST_SIGMA.ln());
        let found = budget.least(range, 0.7, |s| Training { sigma: s.exp(), rate, steps })?;
        found.map(f64::exp).ok_or(unmet("is too small for this delta: no sigma up to 1e6 could be shown to satisfy it"))
    }

    /// The largest sampling rate for which `steps` of Gaussian noise of `sigma` on Poisson samples are (`epsilon`,
    /// `delta`)-DP. Rounded down, as [`calibrate_sigma`](Self::calibrate_sigma) is rounded up. Errors: as for it, with
    /// sigma outside 1e-100 to 1e100; a budget that no rate above 1e-9 is seen to meet.
    pub fn calibrate_rate(Sigma(sigma): Sigma, steps: u64, epsilon: Epsilon, delta: Delta) -> Fallible<f64> {
        let budget = Budget::new(epsilon, delta)?;
        require(steps >= 1, "steps", "must be at least 1")?;
        // In minus the logarithm of the rate.
        let training = |s: f64| Training { sigma, rate: (-s).exp(), steps };
        let found = budget.least((0.0, -LEAST_RATE.ln()), 1.4, training)?;
        found
            .map(|s| (-s).exp())
            .ok_or(unmet("is too small for this delta: no rate above 1e-9 could be shown to satisfy it"))
    }

    /// The most steps of Gaussian noise of `sigma` on Poisson samples of rate `rate` that are (`epsilon`, `delta`)-DP
    /// together, below 2^40. The result keeps the budget by [`delta`](Self::delta), and a number that is greater
    /// by a part of 2^-22 at most, or by one, does not. Errors: as for [`calibrate_sigma`](Self::calibrate_sigma); a
    /// budget that one step is not seen to meet.
    pub fn calibrate_steps(Sigma(sigma): Sigma, Rate(rate): Rate, epsilon: Epsilon, delta: Delta) -> Fallible<u64> {
        let budget = Budget::new(epsilon, delta)?;
        let training = |steps: u64| Training { sigma, rate, steps };
        if budget.excess(training(1))? > 0.0 {
            return Err(unmet("is too small for this delta: not even a single step could be shown to satisfy it"));
        }
        // In minus the logarithm of their number.
        let steps = |s: f64| whole((-s).exp()).clamp(1, MOST_STEPS);
        let found = budget.least((-number(MOST_STEPS).ln(), 0.0), 1.0, |s| training(steps(s)))?;
        let near = found.map_or(1, steps);
        most_near((near, near >> GRAIN), MOST_STEPS, |steps| Ok(budget.excess(training(steps))? <= 0.0))
    }
}

fn unmet(rule: &'static str) -> Error {
    Error::Parameter { parameter: "epsilon", rule }
}

/// No more large losses than these are looked at together.
const MOST_LARGE: u32 = 32;

/// About the logarithm of delta of Gaussian noise on Poisson samples of a rate, so many times, in floats: what one
/// large loss comes to, or a few, and what many small ones do together. Nothing rests on it.
fn guess((sigma, rate): (f64, f64), steps: f64, epsilon: f64) -> f64 {
    // Of many: the central limit theorem, but where a few of them are much greater than the others.
    let square = (1.0 / (sigma * sigma)).exp_m1();
    let skew = (square + 3.0) * (square / steps).sqrt();
    let mu = steps.sqrt() * (rate * square.sqrt()).min(1.0 / sigma);
    let many = of_gaussian(epsilon, mu) - skew.hypot(1.0).ln() * 2.0;
    if skew < 0.5 && epsilon < 3.0 * mu {
        return many;
    }
    let large = of_large((sigma, rate), steps, epsilon);
    let (most, least) = if large > many { (large, many) } else { (many, large) };
    let both = if least.is_finite() { most + (least - most).exp().ln_1p() } else { most };
    // Sampling only helps.
    both.min(of_gaussian(epsilon, steps.sqrt() / sigma))
}

/// The contribution of one large loss, or of a few, if more is likely: each of them `rate` times what noise makes of
/// it, where `1 + rate (e^x - 1)` is e to the power of its share of epsilon.
fn of_large((sigma, rate): (f64, f64), steps: f64, epsilon: f64) -> f64 {
    let expected = rate * steps;
    let share = |count: f64| ((epsilon / count).exp_m1() / rate).ln_1p();
    let one = of_gaussian(share(1.0), 1.0 / sigma);
    let mut most = (-(steps * (-rate * one.exp()).ln_1p()).exp_m1()).ln();
    if !most.is_finite() {
        most = expected.ln() + one;
    }
    // How many ways there are to choose them.
    let mut ways = expected.ln();
    for count in 2..=MOST_LARGE {
        let count = f64::from(count);
        ways += (expected / count).ln();
        let each = share(count);
        // Where so many are no rare event, there are many.
        if count > steps / 4.0 || expected * (-0.5 * (each * sigma - 0.5 / sigma).max(0.0).powi(2)).exp() > count {
            break;
        }
        let found = ways + of_gaussian(count * each, count.sqrt() / sigma);
        if found.is_nan() || found <= most {
            break;
        }
        most = found;
    }
    most
}

/// The logarithm of delta of a Gaussian mechanism of sensitivity `mu`: with `a, b = epsilon/mu -+ mu/2` it is
/// `phi(a) (R(a) - R(b))`, for the ratio of Mills R.
fn of_gaussian(epsilon: f64, mu: f64) -> f64 {
    let (a, b) = (epsilon / mu - mu / 2.0, epsilon / mu + mu / 2.0);
    let log_density = -0.5 * a * a - 0.918_938_533_204_672_8;
    if a >= 0.0 {
        log_density + (mills_estimate(a) - mills_estimate(b)).ln()
    } else {
        (-log_density.exp() * (mills_estimate(-a) + mills_estimate(b))).ln_1p()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PrivacyLossDistribution as P;

    /// By how much the logarithm of delta is more than is guessed.
    fn off(sigma: f64, rate: f64, steps: u64, epsilon: f64) -> f64 {
        let all = P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap();
        all.delta(epsilon).unwrap().upper.ln() - guess((sigma, rate), number(steps), epsilon)
    }

    #[test]
    fn near_what_delta_is() {
        // One large loss; none but that; many small ones.
        for (sigma, rate, steps, epsilon, most) in [
            (0.5, 1e-6, 100, 1.0, 0.02),
            (0.3, 1e-5, 1000, 3.0, 0.02),
            (0.13, 4.7e-6, 8, 0.74, 0.02),
            (0.8, 1e-3, 2, 0.5, 0.02),
            (1.0, 0.01, 10_000, 4.0, 3.0),
            (100.0, 0.01, 1000, 0.0, 0.01),
        ] {
            let off = off(sigma, rate, steps, epsilon);
            assert!(off.abs() < most, "{sigma} {rate} {steps} {epsilon}: {off}");
        }
    }
}
