//! Composition with a concentration inequality.

use crate::{
    conversions::pure_to_zcdp,
    error::{Fallible, non_negative, probability_of_failure, require},
    units::{Delta, Epsilon},
};
use indistinct_numeric::{RoundedArithmetic, RoundedMath};

/// Returns the (epsilon, delta) of `count` mechanisms that are each (epsilon, delta)-DP, for an additional `slack` in
/// delta: `(sqrt(2 count ln(1/slack)) epsilon + count epsilon tanh(epsilon/2), count delta + slack)`, rounded up.
///
/// Epsilon is never more than `count epsilon`, which needs no slack, and delta is never above 1. The bound holds
/// adaptively. Errors: a parameter that is negative or not a number, a delta above 1; slack zero or above 1.
///
/// Source: Dwork, Rothblum, Vadhan 2010, Theorem III.3, with the mean loss `epsilon tanh(epsilon/2)` in place of
/// `epsilon (e^epsilon - 1)`: this is the largest Kullback-Leibler divergence of an epsilon-DP pair
/// (`proofs/accounting/composition.md`). The optimum is
/// [`optimal_composition_epsilon`](crate::optimal_composition_epsilon).
///
/// ```
/// use indistinct_accounting::{Delta, Epsilon};
/// let (epsilon, delta) = indistinct_accounting::advanced_composition(100, Epsilon(0.1), Delta(0.0), 1e-6)?;
/// assert!(5.75 < epsilon && epsilon < 5.76 && delta == 1e-6);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn advanced_composition(
    count: u32,
    Epsilon(epsilon): Epsilon,
    Delta(delta): Delta,
    slack: f64,
) -> Fallible<(f64, f64)> {
    let mean = pure_to_zcdp(epsilon)?;
    by_concentration(count, epsilon, mean, epsilon, (delta, slack))
}

/// `count mean + sqrt(2 count ln(1/slack)) deviation`, but no more than `count epsilon`; and the sum of deltas, at most
/// 1.
fn by_concentration(
    count: u32,
    epsilon: f64,
    mean: f64,
    deviation: f64,
    (delta, slack): (f64, f64),
) -> Fallible<(f64, f64)> {
    let (epsilon, delta) = (non_negative(epsilon, "epsilon")?, probability_of_failure(delta, "delta")?);
    require(slack > 0.0 && slack <= 1.0, "slack", "must be above 0 and at most 1")?;
    let count = f64::from(count);
    let basic = if count == 0.0 { 0.0 } else { count.inf_mul(epsilon)? };
    let delta = if count == 0.0 { slack } else { count.inf_mul(delta)?.inf_add(slack)?.min(1.0) };
    if !basic.is_finite() || basic == 0.0 {
        return Ok((basic, delta));
    }
    // ln(1/slack) = -ln(slack), rounded up.
    let logarithm = -slack.neg_inf_ln()?;
    let spread = count.inf_mul(2.0)?.inf_mul(logarithm + 0.0)?.inf_sqrt()?;
    let total = count.inf_mul(mean)?.inf_add(spread.inf_mul(deviation)?)?;
    Ok((total.min(basic), delta))
}
