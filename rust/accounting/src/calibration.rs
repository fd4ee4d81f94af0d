//! The least noise, the largest sampling rate, and the most steps that a budget allows, for Gaussian noise on Poisson
//! samples (as in private gradient descent), by Renyi divergences.
//!
//! What is returned is always a value at which the certified bound on epsilon was seen to keep the budget: the search
//! costs tightness, never truth.

use crate::search::{SearchRange, least_that_does, log_excess, most_that_does};
use crate::{
    error::{Fallible, non_negative, require},
    renyi::RenyiCurve,
};
use std::f64::consts::LN_2;

/// How near the logarithm of a parameter comes to the edge.
const NEAR: f64 = 1e-6;

/// A budget, checked.
#[derive(Clone, Copy)]
struct Budget {
    epsilon: f64,
    delta: f64,
}

impl Budget {
    fn new(epsilon: f64, delta: f64) -> Fallible<Self> {
        let (epsilon, delta) = (non_negative(epsilon, "epsilon")?, non_negative(delta, "delta")?);
        require(epsilon > 0.0 && epsilon < f64::INFINITY, "epsilon", "must be above 0 and finite")?;
        require(delta > 0.0 && delta < 1.0, "delta", "must be above 0 and below 1")?;
        Ok(Self { epsilon, delta })
    }

    /// The logarithm of how many times the budget a number of steps costs: 0 or less if they keep it.
    fn excess(&self, rate: f64, sigma: f64, steps: u32) -> Fallible<f64> {
        let cost = RenyiCurve::sampled_gaussian(rate, sigma)?.repeat(steps)?.epsilon(self.delta)?;
        Ok(log_excess(cost, self.epsilon))
    }
}

/// The smallest standard deviation, over the sensitivity, of Gaussian noise such that `steps` releases, each on its own
/// Poisson sample of this `rate`, are (epsilon, delta)-DP by [`RenyiCurve::epsilon`]; to 1e-6 of it, and never too
/// small.
///
/// Neighbors differ by adding or removing one row. Errors: a rate outside 0 to 1, no steps, an epsilon that is not
/// above 0 and finite, a delta that is not between 0 and 1; a budget that no sigma up to 10^6 keeps.
///
/// ```
/// let sigma = indistinct_accounting::sampled_gaussian_sigma(0.01, 1000, 2.0, 1e-6)?;
/// assert!(1.09 < sigma && sigma < 1.1);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn sampled_gaussian_sigma(rate: f64, steps: u32, epsilon: f64, delta: f64) -> Fallible<f64> {
    let budget = Budget::new(epsilon, delta)?;
    check_rate(rate)?;
    require(steps > 0, "steps", "must be at least 1")?;
    if rate == 0.0 {
        return Ok(0.0);
    }
    // In the logarithm of sigma, in which the logarithm of the cost is nearly straight.
    let range = SearchRange { start: 0.0, step: LN_2, least: -7.0, most: 14.0, tolerance: NEAR };
    let found = least_that_does(range, |s| budget.excess(rate, s.exp(), steps))?;
    require(found.is_some(), "epsilon", "must be greater, for this rate, delta and number of steps")?;
    Ok(found.map_or(f64::INFINITY, f64::exp))
}

/// The largest sampling rate such that `steps` releases with Gaussian noise of standard deviation `sigma` times the
/// sensitivity, each on its own Poisson sample, are (epsilon, delta)-DP, likewise; to 1e-6 of it, and never too large.
/// At most 1; 0, if none above 1e-12 does.
///
/// Errors: a sigma that is not above 0, no steps, and the budget as there.
///
/// ```
/// let rate = indistinct_accounting::sampled_gaussian_rate(1.2, 1000, 2.0, 1e-6)?;
/// assert!(0.01 < rate && rate < 0.02);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn sampled_gaussian_rate(sigma: f64, steps: u32, epsilon: f64, delta: f64) -> Fallible<f64> {
    let budget = Budget::new(epsilon, delta)?;
    require(sigma > 0.0, "sigma", "must be a number above 0")?;
    require(steps > 0, "steps", "must be at least 1")?;
    if budget.excess(1.0, sigma, steps)? <= 0.0 {
        return Ok(1.0);
    }
    // Minus the logarithm of the rate.
    let range = SearchRange { start: 3.0, step: 2.0 * LN_2, least: 0.0, most: 27.6, tolerance: NEAR };
    let found = least_that_does(range, |s| budget.excess((-s).exp(), sigma, steps))?;
    Ok(found.map_or(0.0, |s| (-s).exp()))
}

/// The greatest number of releases with Gaussian noise of standard deviation `sigma` times the sensitivity, each on its
/// own Poisson sample of this `rate`, that is (epsilon, delta)-DP, likewise; 2^32 - 1 at most, and never too great.
///
/// Errors: a rate outside 0 to 1, a sigma that is not above 0, and the budget as there.
///
/// ```
/// let steps = indistinct_accounting::sampled_gaussian_steps(0.01, 1.2, 2.0, 1e-6)?;
/// assert!(1000 < steps && steps < 1500);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn sampled_gaussian_steps(rate: f64, sigma: f64, epsilon: f64, delta: f64) -> Fallible<u32> {
    let budget = Budget::new(epsilon, delta)?;
    check_rate(rate)?;
    require(sigma > 0.0, "sigma", "must be a number above 0")?;
    let fits = |steps| {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        Ok(budget.excess(rate, sigma, steps)? <= 0.0)
    };
    Ok(u32::try_from(most_that_does(u64::from(u32::MAX), fits)?).unwrap_or(u32::MAX))
}

fn check_rate(rate: f64) -> Fallible<()> {
    require(non_negative(rate, "rate")? <= 1.0, "rate", "must be at most 1")
}
