//! The exact privacy of many mechanisms with the same guarantee.
//!
//! `k` mechanisms that are (epsilon, delta)-DP each are together (epsilon', delta')-DP for
//! `1 - delta' = (1 - delta)^k (1 - D)` with `D = sum over l of C(k, l) (e^((k-l) epsilon) - e^(epsilon' + l epsilon))+ / (1 + e^epsilon)^k`,
//! and no smaller delta' serves for all such mechanisms (Kairouz, Oh, Viswanath 2015, Theorem 3.3, whose grid of epsilon' is
//! no restriction: the sum is the hockey-stick divergence of their dominating pair at any epsilon').

use super::{
    factorial::ln_factorial,
    inverse::{Estimate, NARROW, between, nearby},
    terms::Terms,
};
use crate::{
    error::{Fallible, non_negative, probability_of_failure},
    gaussian::gaussian_epsilon,
};
use indistinct_numeric::{
    RoundedArithmetic,
    enclosure::{Ball, Bounds, Enclosure, Formula, enclose},
};

/// The smallest delta' such that `count` adaptively chosen (epsilon, delta)-DP mechanisms are together
/// (total_epsilon, delta')-DP, rounded up.
///
/// Exact up to 1e-14 of it where it exceeds 1e-300; in some microseconds, and more as the root of `count` (1e7: some milliseconds). Errors: a
/// parameter that is negative or not a number, a delta above 1. Source: Kairouz, Oh, Viswanath 2015, "The composition theorem for differential privacy", Theorem 3.3.
///
/// ```
/// let delta = indistinct_accounting::optimal_composition_delta(10, 0.1, 0.0, 0.5)?;
/// assert!(0.009 < delta && delta < 0.01);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn optimal_composition_delta(count: u32, epsilon: f64, delta: f64, total_epsilon: f64) -> Fallible<f64> {
    let part = check((count, epsilon, delta))?;
    Ok(optimal_delta_bounds(part, non_negative(total_epsilon, "total_epsilon")?)?.upper)
}

/// Mechanisms that may be: no epsilon or delta that is negative or not a number, no delta above 1.
pub(crate) fn check((count, epsilon, delta): Part) -> Fallible<Part> {
    Ok((count, non_negative(epsilon, "epsilon")?, probability_of_failure(delta, "delta")?))
}

/// Both bounds, for checked parameters of one mechanism.
pub(crate) fn optimal_delta_bounds((count, epsilon, delta): Part, total_epsilon: f64) -> Fallible<Bounds> {
    let exactly = |delta| Ok(Bounds { lower: delta, upper: delta });
    if count == 0 {
        return exactly(0.0);
    }
    // An infinite epsilon promises nothing, at any total: not even that what is impossible for one input is so for the other.
    if delta == 1.0 || epsilon == f64::INFINITY {
        return exactly(1.0);
    }
    let formula = Optimal { part: (count, epsilon, delta), total_epsilon };
    let near = formula.evaluate::<Ball>().bounds();
    let bounds = if near.are_tight() {
        near
    } else if near.upper < 1e-300 {
        // Near the least floats no more is promised, and more costs much; it is at most the greatest loss less the total.
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

/// The sum D: `(1 + e^-epsilon)^-k` times the sum of `C(k, l) e^(-l epsilon) (1 - e^(total - (k - 2l) epsilon))+`.
///
/// Weights are those of a binomial law, so that nearly all of the sum is within some deviations of its mean, or of the last positive term.
/// What is left out on either side is bounded by a geometric series and enters as an interval.
pub(super) struct Repeated {
    pub(super) count: u32,
    pub(super) epsilon: f64,
    pub(super) total: f64,
}

/// Sums that end within so many terms of zero start there, and so do those whose weights do.
const NEAR: (f64, f64) = (8.0, 64.0);
/// What is left out, relatively.
const NEGLIGIBLE: f64 = f64::from_bits((1023 - 60) << 52);

/// Losses below this in all are scaled up, by its root.
const TINY: f64 = f64::from_bits((1023 - 200) << 52);
const TINY_ROOT: f64 = f64::from_bits((1023 - 100) << 52);
/// What the sum may be off from a linear one, relatively, where losses are below `TINY_ROOT`: 8 times that.
const NEARLY_LINEAR: f64 = f64::from_bits((1023 - 97) << 52);

impl Formula for Repeated {
    fn evaluate<E: Enclosure>(&self) -> E {
        let k = f64::from(self.count);
        if k * self.epsilon < TINY && self.epsilon > 0.0 {
            // The sum is all but linear there; larger numbers have all their bits.
            let larger = Self { count: self.count, epsilon: self.epsilon / TINY_ROOT, total: self.total / TINY_ROOT };
            let value = larger.evaluate::<E>().mul(&E::exact(TINY_ROOT));
            return value.add(&value.mul(&E::between(-NEARLY_LINEAR, NEARLY_LINEAR)));
        }
        // A term is positive up to here; the margin is more than what rounding takes off.
        let ratio = self.total / self.epsilon;
        let last = (k - ratio) / 2.0 + (k + ratio) * 1e-15;
        if last.is_nan() || last < 0.0 {
            return E::exact(0.0);
        }
        let last = last.floor().min(k);
        let shrunk = (-self.epsilon).exp();
        let mean = k * shrunk / (1.0 + shrunk);
        let far = (mean + 10.0 * (mean / (1.0 + shrunk)).sqrt() + 16.0).floor();
        if last <= NEAR.0 || far <= NEAR.1 { self.upwards(last) } else { self.downwards(last.min(far), last) }
    }
}

impl Repeated {
    fn scale<E: Enclosure>(&self, shrunk: &E) -> E {
        E::exact(-f64::from(self.count)).mul(&shrunk.ln_1p()).exp()
    }

    /// `total - (k - 2l) epsilon`.
    fn excess<E: Enclosure>(&self, l: f64) -> E {
        let loss = E::exact(f64::from(self.count) - 2.0 * l).mul(&E::exact(self.epsilon));
        E::exact(self.total).sub(&loss)
    }

    /// `1 - e^excess`.
    fn share<E: Enclosure>(&self, l: f64) -> E {
        E::exact(0.0).sub(&self.excess::<E>(l).exp_m1())
    }

    /// From l = 0 upwards, by products.
    fn upwards<E: Enclosure>(&self, last: f64) -> E {
        let k = f64::from(self.count);
        let shrunk = E::exact(-self.epsilon).exp();
        if !shrunk.upper().is_finite() {
            return E::between(0.0, 1.0);
        }
        let (mut weight, mut sum, mut l) = (E::exact(1.0), E::exact(0.0), 0.0);
        while l <= last {
            sum = sum.add(&weight.mul(&positive(&self.share(l))));
            weight = weight.mul(&shrunk).mul(&E::exact(k - l)).div(&E::exact(l + 1.0));
            l += 1.0;
            // Ratios of neighbors fall: what is left is less than a geometric series.
            let ratio = shrunk.upper() * (k - l) / (l + 1.0);
            if ratio < 0.5 && weight.upper() <= sum.lower() * NEGLIGIBLE {
                sum = sum.add(&E::between(0.0, weight.upper() * 2.001));
                break;
            }
        }
        sum.mul(&self.scale(&shrunk))
    }

    /// From l = start downwards, with the weight there by factorials.
    fn downwards<E: Enclosure>(&self, start: f64, last: f64) -> E {
        let (k, epsilon) = (f64::from(self.count), E::exact(self.epsilon));
        let growth = epsilon.exp();
        // What a share lacks of 1 shrinks from term to term by e^(-2 epsilon), and 1 less that is added to the share: nothing cancels.
        let twice = E::exact(-2.0 * self.epsilon);
        let (kept, lost) = (twice.exp(), E::exact(0.0).sub(&twice.exp_m1()));
        let Some(weight) = self.weight::<E>(start) else { return E::between(0.0, 1.0) };
        let mut sum = E::exact(0.0);
        if last > start {
            // Above the mean ratios of neighbors fall, too.
            let shrunk = E::exact(-self.epsilon).exp().upper();
            let ratio = shrunk * (k - start) / (start + 1.0);
            let above = if ratio < 1.0 - 1e-6 { ratio / (1.0 - ratio) * (1.0 + 1e-6) } else { f64::INFINITY };
            sum = E::between(0.0, 1.0).mul(&E::exact(above)).mul(&weight);
        }
        let (mut weight, mut l) = (weight, start);
        let (mut rest, mut share) = (self.excess::<E>(start).exp(), self.share::<E>(start));
        // The same in floats, relative to the first weight, to see when to stop.
        let (mut near_weight, mut near_sum, growth_near) = (1.0f64, 0.0f64, growth.upper());
        let mut is_positive = false;
        // Of two neighbors' ratios at a time, as divisions take longest.
        let mut second: Option<E> = None;
        loop {
            is_positive = is_positive || share.lower() >= 0.0;
            let term = if is_positive { weight.mul(&share) } else { weight.mul(&positive(&share)) };
            sum = sum.add(&term);
            near_sum += near_weight * share.upper().max(0.0);
            if l == 0.0 {
                return sum;
            }
            let ratio = l * growth_near / (k - l + 1.0);
            if ratio < 1.0 - 1e-6 && near_weight * ratio <= near_sum * NEGLIGIBLE * (1.0 - ratio) {
                let below = E::exact(ratio / (1.0 - ratio) * (1.0 + 1e-6));
                return sum.add(&E::between(0.0, 1.0).mul(&below).mul(&weight));
            }
            let exact_ratio = second.take().unwrap_or_else(|| {
                let (one_less, less) = (E::exact(k - l + 1.0), E::exact(k - l + 2.0));
                let inverse = E::exact(1.0).div(&one_less.mul(&less));
                second = Some(E::exact(l - 1.0).mul(&one_less).mul(&inverse));
                E::exact(l).mul(&less).mul(&inverse)
            });
            weight = weight.mul(&growth).mul(&exact_ratio);
            share = share.add(&rest.mul(&lost));
            rest = rest.mul(&kept);
            near_weight *= ratio;
            l -= 1.0;
        }
    }

    /// `C(k, l) e^(-l epsilon) (1 + e^-epsilon)^-k`.
    pub(super) fn weight<E: Enclosure>(&self, l: f64) -> Option<E> {
        let chosen = to_count(l)?;
        let rest = self.count.checked_sub(chosen)?;
        let choices = ln_factorial::<E>(self.count).sub(&ln_factorial(chosen)).sub(&ln_factorial(rest));
        let shrunk = E::exact(-self.epsilon).exp();
        let scale = E::exact(f64::from(self.count)).mul(&shrunk.ln_1p());
        Some(choices.sub(&E::exact(l).mul(&E::exact(self.epsilon))).sub(&scale).exp())
    }
}

/// The positive part: where the sign is open, something between zero and the upper bound.
fn positive<E: Enclosure>(share: &E) -> E {
    if share.lower() >= 0.0 { share.clone() } else { E::between(0.0, share.upper().max(0.0)) }
}

/// A float that is an integer below 2^32.
pub(super) fn to_count(x: f64) -> Option<u32> {
    // In the low bits of x + 2^52.
    let bits = (x + 4_503_599_627_370_496.0).to_bits() & ((1 << 52) - 1);
    u32::try_from(bits).ok().filter(|&count| f64::from(count) == x)
}

/// The smallest total epsilon such that `count` adaptively chosen (epsilon, delta)-DP mechanisms are together
/// (total epsilon, total_delta)-DP, rounded up: the inverse of [`optimal_composition_delta`].
///
/// Never below the truth, and above it by at most 1e-12 of it. Infinite where `total_delta` is below `1 - (1 - delta)^count`, which
/// no epsilon makes up for. Errors: as there.
///
/// ```
/// let epsilon = indistinct_accounting::optimal_composition_epsilon(100, 0.1, 0.0, 1e-6)?;
/// assert!(epsilon < indistinct_accounting::advanced_composition(100, 0.1, 0.0, 1e-6)?.0);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn optimal_composition_epsilon(count: u32, epsilon: f64, delta: f64, total_delta: f64) -> Fallible<f64> {
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
    let normal = if spread > 0.0 { gaussian_epsilon(spread, rest)? } else { 0.0 };
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

/// Both bounds on the least epsilon at which delta is no more than wanted, for a delta that falls in epsilon and stays the same from `greatest` on.
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
