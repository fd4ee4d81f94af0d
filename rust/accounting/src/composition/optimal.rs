//! The exact privacy of many mechanisms with the same guarantee.
//!
//! `k` mechanisms that are (epsilon, delta)-DP each are together (epsilon', delta')-DP for
//! `1 - delta' = (1 - delta)^k (1 - D)` with
//! `D = sum over l of C(k, l) (e^((k-l) epsilon) - e^(epsilon' + l epsilon))+ / (1 + e^epsilon)^k`, and a smaller
//! delta' does not serve for all such mechanisms (Kairouz, Oh, Viswanath 2015, Theorem 3.3, whose grid of epsilon' does
//! not restrict it: the sum is the hockey-stick divergence of their dominating pair at any epsilon').
use crate::{
    composition::{
        binomial::Repeated,
        inverse::{Estimate, NARROW, between, nearby},
        terms::Terms,
    },
    error::{Fallible, non_negative, probability_of_failure},
    gaussian::gaussian_epsilon,
    units::{Delta, Epsilon, Mu},
};
use indistinct_numeric::{
    RoundedArithmetic,
    enclosure::{Ball, Bounds, Enclosure, Formula, enclose},
};

/// Returns the smallest delta' such that `count` adaptively chosen (epsilon, delta)-DP mechanisms are together
/// (total_epsilon, delta')-DP, rounded up.
///
/// The relative error is at most 1e-14 if delta' exceeds 1e-300. A call takes some microseconds, and its time grows
/// with the square root of `count` (1e7: some milliseconds). Errors: a parameter that is negative or not a number, a
/// delta above 1. Source: Kairouz, Oh, Viswanath 2015, "The composition theorem for differential privacy", Theorem 3.3.
///
/// ```
/// use indistinct_accounting::{Delta, Epsilon};
/// let delta = indistinct_accounting::optimal_composition_delta(10, Epsilon(0.1), Delta(0.0), Epsilon(0.5))?;
/// assert!(0.009 < delta && delta < 0.01);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn optimal_composition_delta(
    count: u32,
    Epsilon(epsilon): Epsilon,
    Delta(delta): Delta,
    Epsilon(total_epsilon): Epsilon,
) -> Fallible<f64> {
    let part = check((count, epsilon, delta))?;
    Ok(optimal_delta_bounds(part, non_negative(total_epsilon, "total_epsilon")?)?.upper)
}

/// Checks that epsilons and deltas are numbers, not negative, and deltas at most 1.
pub(crate) fn check((count, epsilon, delta): Part) -> Fallible<Part> {
    Ok((count, non_negative(epsilon, "epsilon")?, probability_of_failure(delta, "delta")?))
}

/// Both bounds, for checked parameters of one mechanism.
pub(crate) fn optimal_delta_bounds((count, epsilon, delta): Part, total_epsilon: f64) -> Fallible<Bounds> {
    let exactly = |delta| Ok(Bounds { lower: delta, upper: delta });
    if count == 0 {
        return exactly(0.0);
    }
    // An infinite epsilon promises nothing, at any total: not even that what is impossible for one input is so for the
    // other.
    if delta == 1.0 || epsilon == f64::INFINITY {
        return exactly(1.0);
    }
    let formula = Optimal { part: (count, epsilon, delta), total_epsilon };
    let near = formula.evaluate::<Ball>().bounds();
    let bounds = if near.are_tight() {
        near
    } else if near.upper < 1e-300 {
        // Near the least floats no more is promised, and more costs much; it is at most the greatest loss less the
        // total.
        let greatest = f64::from(count).inf_mul(epsilon).and_then(|greatest| greatest.inf_sub(total_epsilon));
        let most = if delta == 0.0 { greatest.map_or(near.upper, |most| most.max(0.0)) } else { near.upper };
        Bounds { lower: near.lower.min(most), upper: near.upper.min(most) }
    } else {
        enclose(&formula)
    };
    Ok(Bounds { lower: bounds.lower.max(0.0), upper: bounds.upper.min(1.0) })
}

/// How many mechanisms, and the epsilon and delta of each.
pub(crate) type Part = (u32, f64, f64);

struct Optimal {
    part: Part,
    total_epsilon: f64,
}

impl Formula for Optimal {
    fn evaluate<E: Enclosure>(&self) -> E {
        let (count, epsilon, delta) = self.part;
        let (one, count_of) = (E::exact(1.0), E::exact(f64::from(count)));
        let kept = count_of.mul(&E::exact(-delta).ln_1p());
        let lost = E::exact(0.0).sub(&kept.exp_m1());
        if self.total_epsilon == f64::INFINITY || epsilon == 0.0 {
            return lost;
        }
        let repeated = Repeated { count, epsilon, total: self.total_epsilon };
        lost.add(&one.sub(&lost).mul(&repeated.evaluate::<E>()))
    }
}

/// Returns the smallest total epsilon such that `count` adaptively chosen (epsilon, delta)-DP mechanisms are together
/// (total epsilon, total_delta)-DP, rounded up: the inverse of [`optimal_composition_delta`].
///
/// The result is never below the truth, and exceeds it by a relative error of at most 1e-12. It is infinite if
/// `total_delta` is below `1 - (1 - delta)^count`, because no epsilon is then enough. Errors: as for
/// [`optimal_composition_delta`].
///
/// ```
/// use indistinct_accounting::{Delta, Epsilon};
/// let epsilon = indistinct_accounting::optimal_composition_epsilon(100, Epsilon(0.1), Delta(0.0), Delta(1e-6))?;
/// assert!(epsilon < indistinct_accounting::advanced_composition(100, Epsilon(0.1), Delta(0.0), 1e-6)?.0);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn optimal_composition_epsilon(
    count: u32,
    Epsilon(epsilon): Epsilon,
    Delta(delta): Delta,
    Delta(total_delta): Delta,
) -> Fallible<f64> {
    let part = check((count, epsilon, delta))?;
    let total_delta = probability_of_failure(total_delta, "total_delta")?;
    Ok(optimal_epsilon_bounds(part, total_delta)?.upper)
}

/// Both bounds, for checked parameters.
pub(crate) fn optimal_epsilon_bounds(part: Part, total_delta: f64) -> Fallible<Bounds> {
    let (count, epsilon, delta) = part;
    let at = |total_epsilon| optimal_delta_bounds(part, total_epsilon);
    if count == 1 && epsilon < f64::INFINITY && at(0.0)?.upper > total_delta {
        return Ok(once(epsilon, delta, total_delta));
    }
    // At the sum of epsilons only the deltas are left.
    let k = f64::from(count);
    let greatest = if count == 0 { 0.0 } else { k.inf_mul(epsilon)? };
    // What the deltas leave of it, by the definition.
    let kept = (k * (-delta).ln_1p()).exp();
    let rest = ((total_delta - 1.0) / kept + 1.0).clamp(0.0, 1.0);
    // The loss is nearly normal; what its mean is more than half of its variance comes on top.
    let (mean, spread) = (epsilon * (epsilon / 2.0).tanh(), k.sqrt() * epsilon / (epsilon / 2.0).cosh());
    let normal = if spread > 0.0 { gaussian_epsilon(Mu(spread), Delta(rest))? } else { 0.0 };
    let guess = (normal + k * mean - spread * spread / 2.0).min(greatest * 0.9);
    let estimate = Terms::new((count, epsilon), guess).and_then(|terms| terms.inverse(rest, guess));
    if let Some(estimate) = estimate {
        let estimate = Estimate { slope: estimate.slope * rest * kept / total_delta, ..estimate };
        if let Some(bounds) = nearby(estimate, (total_delta, NARROW), at)? {
            return Ok(bounds);
        }
    }
    epsilon_between(greatest, (total_delta, guess), at)
}

/// Both bounds on the least epsilon at which delta is no more than wanted, for a delta that falls in epsilon and stays
/// the same from `greatest` on.
pub(crate) fn epsilon_between(
    greatest: f64,
    (wanted, guess): (f64, f64),
    at: impl Fn(f64) -> Fallible<Bounds>,
) -> Fallible<Bounds> {
    let at_zero = at(0.0)?;
    if at_zero.upper <= wanted {
        return Ok(Bounds { lower: 0.0, upper: 0.0 });
    }
    let at_greatest = at(greatest)?;
    if at_greatest.lower > wanted {
        return Ok(Bounds { lower: f64::INFINITY, upper: f64::INFINITY });
    }
    if at_greatest.upper > wanted || greatest == f64::INFINITY {
        return Ok(Bounds { lower: 0.0, upper: f64::INFINITY });
    }
    between((0.0, at_zero), (greatest, at_greatest), (wanted, guess), at)
}

/// The inverse for one mechanism: `epsilon + ln(1 - (total - delta)(1 + e^-epsilon)/(1 - delta))`.
fn once(epsilon: f64, delta: f64, total: f64) -> Bounds {
    let exactly = |epsilon| Bounds { lower: epsilon, upper: epsilon };
    if total < delta {
        return exactly(f64::INFINITY);
    }
    if total >= 1.0 || delta == 1.0 {
        return exactly(0.0);
    }
    struct Once {
        epsilon: f64,
        delta: f64,
        total: f64,
    }
    impl Formula for Once {
        fn evaluate<E: Enclosure>(&self) -> E {
            let (one, delta) = (E::exact(1.0), E::exact(self.delta));
            let excess = delta.sub(&E::exact(self.total)).div(&one.sub(&delta));
            let shrunk = E::exact(-self.epsilon).exp();
            E::exact(self.epsilon).add(&excess.mul(&one.add(&shrunk)).ln_1p())
        }
    }
    let bounds = enclose(&Once { epsilon, delta, total });
    Bounds { lower: bounds.lower.clamp(0.0, epsilon), upper: bounds.upper.clamp(0.0, epsilon) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By halves, certified at every step, from nothing known.
    fn by_halves(part: Part, wanted: f64) -> Fallible<Bounds> {
        let at = |total| optimal_delta_bounds(part, total);
        let halve = |is_above: &dyn Fn(Bounds) -> bool| {
            let (mut low, mut high) = (0.0, f64::from(part.0) * part.1);
            for _ in 0..70 {
                let middle = low + (high - low) / 2.0;
                if is_above(at(middle)?) { low = middle } else { high = middle }
            }
            Ok::<_, crate::Error>((low, high))
        };
        Ok(Bounds { lower: halve(&|delta| delta.lower > wanted)?.0, upper: halve(&|delta| delta.upper > wanted)?.1 })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// The estimate is a road, not a truth: bounds lie around what halving finds, and close to it.
        #[test]
        fn estimates_lead_to_the_root(count in 1u32..30_000, power in -4.0f64..1.0, wanted in -30.0f64..-0.1, lost in prop_oneof![Just(0.0), -18.0f64..-1.0]) {
            let wanted = 10f64.powf(wanted);
            let lost = if lost == 0.0 { 0.0 } else { wanted * 10f64.powf(lost) / f64::from(count) };
            let part = (count, 10f64.powf(power), lost);
            let (bounds, slow) = (optimal_epsilon_bounds(part, wanted)?, by_halves(part, wanted)?);
            prop_assert!(bounds.lower <= slow.upper && slow.lower <= bounds.upper, "{bounds:?} {slow:?}");
            prop_assert!(bounds.upper - bounds.lower <= (slow.upper - slow.lower) + 2e-13 * bounds.upper, "{bounds:?} {slow:?}");
        }
    }
}
