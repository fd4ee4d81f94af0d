//! The exact privacy of many mechanisms with the same guarantee.
//!
//! `k` mechanisms that are (epsilon, delta)-DP each are together (epsilon', delta')-DP for
//! `1 - delta' = (1 - delta)^k (1 - D)` with `D = sum over l of C(k, l) (e^((k-l) epsilon) - e^(epsilon' + l epsilon))+ / (1 + e^epsilon)^k`,
//! and no smaller delta' serves for all such mechanisms (Kairouz, Oh, Viswanath 2015, Theorem 3.3, whose grid of epsilon' is
//! no restriction: the sum is the hockey-stick divergence of their dominating pair at any epsilon').

use crate::error::{Fallible, non_negative, require};
use indistinct_numeric::{
    RoundedArithmetic,
    enclosure::{Enclosure, Formula, enclose},
};

/// The smallest delta' such that `count` adaptively chosen (epsilon, delta)-DP mechanisms are together
/// (total_epsilon, delta')-DP, rounded up.
///
/// Exact up to 1e-14 of it. Takes time in proportion to `count`. Errors: a parameter that is negative or not a number, a delta above 1, a
/// count above 2^20. Source: Kairouz, Oh, Viswanath 2015, "The composition theorem for differential privacy", Theorem 3.3.
///
/// ```
/// let delta = indistinct_accounting::optimal_composition_delta(10, 0.1, 0.0, 0.5)?;
/// assert!(0.009 < delta && delta < 0.01);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn optimal_composition_delta(count: u32, epsilon: f64, delta: f64, total_epsilon: f64) -> Fallible<f64> {
    let (epsilon, delta) = (non_negative(epsilon, "epsilon")?, non_negative(delta, "delta")?);
    let total_epsilon = non_negative(total_epsilon, "total_epsilon")?;
    require(delta <= 1.0, "delta", "must be at most 1")?;
    if count == 0 {
        return Ok(0.0);
    }
    // An infinite epsilon promises nothing, at any total: not even that what is impossible for one input is so for the other.
    if delta == 1.0 || epsilon == f64::INFINITY {
        return Ok(1.0);
    }
    check_count(count)?;
    Ok(enclose(&Optimal { count, epsilon, delta, total_epsilon }).upper.min(1.0))
}

/// The sum has as many terms as half of the count: refuse what would take minutes.
pub(crate) fn check_count(count: u32) -> Fallible<()> {
    require(count <= 1 << 20, "count", "must be at most 2^20")
}

struct Optimal {
    count: u32,
    epsilon: f64,
    delta: f64,
    total_epsilon: f64,
}

impl Formula for Optimal {
    fn evaluate<E: Enclosure>(&self) -> E {
        let (one, count) = (E::exact(1.0), E::exact(f64::from(self.count)));
        let kept = count.mul(&E::exact(-self.delta).ln_1p());
        let lost = E::exact(0.0).sub(&kept.exp_m1());
        lost.add(&one.sub(&lost).mul(&self.pure()))
    }
}

impl Optimal {
    /// The sum D, as `(1 + e^-epsilon)^-k` times the sum of `C(k, l) e^(-l epsilon) (1 - e^(epsilon' - (k - 2l) epsilon))+`.
    fn pure<E: Enclosure>(&self) -> E {
        if self.total_epsilon == f64::INFINITY || self.epsilon == 0.0 {
            return E::exact(0.0);
        }
        let (epsilon, total, zero) = (E::exact(self.epsilon), E::exact(self.total_epsilon), E::exact(0.0));
        let shrunk = zero.sub(&epsilon).exp();
        let (mut weight, mut sum) = (E::exact(1.0), E::exact(0.0));
        let k = f64::from(self.count);
        for l in 0..self.count.div_ceil(2) {
            let l = f64::from(l);
            let excess = total.sub(&E::exact(k - 2.0 * l).mul(&epsilon));
            let share = if excess.upper() < -690.0 {
                E::exact(1.0).sub(&E::between(0.0, 1e-299))
            } else {
                zero.sub(&excess.exp_m1())
            };
            if share.upper() <= 0.0 {
                break;
            }
            // At the edge the positive part is somewhere between zero and what the bound allows.
            let share = if share.lower() < 0.0 { E::between(0.0, share.upper()) } else { share };
            sum = sum.add(&weight.mul(&share));
            weight = weight.mul(&shrunk).mul(&E::exact(k - l)).div(&E::exact(l + 1.0));
        }
        let scale = zero.sub(&E::exact(k)).mul(&shrunk.ln_1p()).exp();
        sum.mul(&scale)
    }
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
    let total_delta = non_negative(total_delta, "total_delta")?;
    let at = |total_epsilon| optimal_composition_delta(count, epsilon, delta, total_epsilon);
    let at_zero = at(0.0)?;
    if at_zero <= total_delta {
        return Ok(0.0);
    }
    if count == 1 && epsilon < f64::INFINITY {
        return Ok(if total_delta < delta { f64::INFINITY } else { once(epsilon, delta, total_delta) });
    }
    // At the sum of epsilons only the deltas are left.
    let greatest = f64::from(count).inf_mul(epsilon)?;
    let at_greatest = at(greatest)?;
    if at_greatest > total_delta {
        return Ok(f64::INFINITY);
    }
    between((0.0, at_zero), (greatest, at_greatest), total_delta, at)
}

/// The least point found whose delta is seen to be at most the wanted one, by false position on the logarithm (Illinois), or by
/// halves where that is infinite. The delta is too great at `low` and not at `high`.
fn between(low: (f64, f64), high: (f64, f64), wanted: f64, at: impl Fn(f64) -> Fallible<f64>) -> Fallible<f64> {
    let excess = |delta: f64| (delta / wanted).ln();
    let ((mut low, mut above), (mut high, mut below)) = ((low.0, excess(low.1)), (high.0, excess(high.1)));
    let mut last_fits = None;
    for _ in 0..200 {
        let nudge = high * 2f64.powi(-46);
        if high - low <= 4.0 * nudge {
            break;
        }
        let crossing = high - below * (high - low) / (below - above);
        let next = if crossing.is_finite() { crossing } else { low + (high - low) / 2.0 };
        let next = next.clamp(low + nudge, high - nudge);
        let delta = at(next)?;
        let fits = delta <= wanted;
        // An end that stays twice counts half.
        let share = if last_fits == Some(fits) { 0.5 } else { 1.0 };
        if fits {
            (high, below) = (next, excess(delta));
            above *= share;
        } else {
            (low, above) = (next, excess(delta));
            below *= share;
        }
        last_fits = Some(fits);
    }
    Ok(high)
}

/// The inverse for one mechanism: `epsilon + ln(1 - (total - delta)(1 + e^-epsilon)/(1 - delta))`.
fn once(epsilon: f64, delta: f64, total: f64) -> f64 {
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
    enclose(&Once { epsilon, delta, total }).upper.clamp(0.0, epsilon)
}
