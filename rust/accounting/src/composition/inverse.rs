//! From a delta back to an epsilon, when delta comes as an enclosure.

use crate::{error::Fallible, search::outwards};
use indistinct_numeric::{RoundedArithmetic, enclosure::Bounds};

/// Both bounds on the least epsilon at which delta is no more than wanted, for a delta that falls in epsilon: by
/// secants of the root of the logarithm (nearly straight, as losses are nearly normal), or by halves where these leave
/// the bracket; from `guess` on.
///
/// Delta is seen not to exceed what is wanted at `high`; it may exceed it at `low`, below which nothing is looked for.
pub(crate) fn between(
    (low, at_low): (f64, Bounds),
    (high, at_high): (f64, Bounds),
    (wanted, guess): (f64, f64),
    at: impl Fn(f64) -> Fallible<Bounds>,
) -> Fallible<Bounds> {
    let height = |delta: f64| (-delta.ln()).max(0.0).sqrt();
    let excess = |delta: Bounds| height(wanted) - height(delta.upper);
    let (mut before, mut last) = ((high, excess(at_high)), (low, excess(at_low)));
    let (mut lower, mut low, mut high) = (low, low, high);
    for step in 0..200 {
        let nudge = high * 2f64.powi(-46);
        if high - low <= 4.0 * nudge {
            break;
        }
        let secant = last.0 - last.1 * (last.0 - before.0) / (last.1 - before.1);
        let next = if step == 0 { guess } else { secant };
        // In the end by halves, so that it ends whatever the shape.
        let is_inside = next > low - nudge && next < high + nudge && (step < 20 || step % 2 == 0);
        let next = if is_inside { next } else { low + (high - low) / 2.0 };
        // A root that is within a nudge of an end is looked for just beyond it.
        let next = next.clamp(low + 2.0 * nudge, high - 2.0 * nudge);
        let delta = at(next)?;
        if delta.upper <= wanted {
            high = next;
        } else {
            low = next;
            if delta.lower > wanted {
                lower = next;
            }
        }
        (before, last) = (last, (next, excess(delta)));
    }
    // An enclosure that contains what is wanted leaves it open on which side a point lies: step back until one does
    // not.
    let back = if lower < low {
        outwards((low, low * f64::EPSILON), lower, |epsilon| Ok(at(epsilon)?.lower > wanted))?
    } else {
        low
    };
    Ok(Bounds { lower: back, upper: high })
}

/// Where delta is thought to be what is wanted, minus the derivative of its logarithm there, and about what the
/// logarithm may be off by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Estimate {
    pub(crate) epsilon: f64,
    pub(crate) slope: f64,
    pub(crate) error: f64,
}

/// The epsilon at which a delta in floats, given with minus its derivative, is what is wanted: by Newton's method on
/// the root of the logarithm.
pub(crate) fn newton(wanted: f64, guess: f64, at: impl Fn(f64) -> (f64, f64)) -> Option<Estimate> {
    let height = |delta: f64| (-delta.ln()).max(0.0).sqrt();
    let (goal, mut epsilon) = (height(wanted), guess);
    for _ in 0..30 {
        let (delta, fall) = at(epsilon);
        if !(delta > 0.0 && fall > 0.0 && wanted > 0.0) {
            return None;
        }
        let (slope, here) = (fall / delta, height(delta));
        let step = if here > 0.1 { (goal - here) * 2.0 * here / slope } else { (delta / wanted).ln() / slope };
        epsilon += step;
        if step.abs() <= epsilon.abs() * 4.0 * f64::EPSILON {
            return Some(Estimate { epsilon, slope, error: 0.0 });
        }
    }
    None
}

/// The width that bounds may have where there is another way.
pub(crate) const NARROW: f64 = 1e-9;

/// Bounds as narrow as this share of epsilon, on either side, are not improved.
const CLOSE: f64 = f64::from_bits((1023 - 44) << 52);

/// Both bounds likewise, from an estimate: by steps of Newton, each of which lands a little beyond the root, on the
/// side of which less is known. None, if it does not come near, or if bounds on delta leave more than a share
/// `most_open` of epsilon open.
pub(crate) fn nearby(
    estimate: Estimate,
    (wanted, most_open): (f64, f64),
    at: impl Fn(f64) -> Fallible<Bounds>,
) -> Fallible<Option<Bounds>> {
    let Estimate { epsilon, mut slope, error } = estimate;
    // Nearest points seen on either side, with the upper bounds on delta there.
    let (mut low, mut high) = ((0.0, f64::INFINITY), (f64::INFINITY, 0.0));
    let (mut next, mut last, mut caution) = (epsilon * (1.0 + CLOSE / 4.0) + error / slope, None, 1.0);
    for _ in 0..12 {
        if !(next > 0.0 && next < f64::INFINITY && slope > 0.0 && slope < f64::INFINITY) {
            return Ok(None);
        }
        let delta = at(next)?;
        if delta.upper <= wanted && next < high.0 {
            high = (next, delta.upper);
        } else if delta.lower > wanted && next > low.0 {
            low = (next, delta.upper);
        } else {
            caution *= 2.0;
        }
        let half = (delta.upper - delta.lower) / 2.0;
        let excess = ((delta.lower + half) / wanted).ln();
        slope = match last {
            Some((point, other)) if f64::abs(next - point) > next * 1e-7 => (other - excess) / (next - point),
            _ => slope,
        };
        last = Some((next, excess));
        let root = next + excess / slope;
        // What is not known of the root: the enclosure's width, the curvature of the logarithm, and rounding.
        let (away, open) = (root - next, half / (delta.upper * slope));
        // Where delta is flat or hardly known, nearness says nothing.
        if open.is_nan() || open >= root * most_open {
            return Ok(None);
        }
        let margin = caution * (1.25 * open + away * away / root + root * f64::EPSILON);
        let (upper, enough) = (chord(low, high, wanted).unwrap_or(high.0), (root * CLOSE).max(3.0 * open));
        next = if low.0 < root - enough {
            root - margin
        } else if upper > root + enough {
            root + margin
        } else {
            return Ok(Some(Bounds { lower: low.0, upper }));
        };
    }
    Ok(None)
}

/// A point at which delta is no more than wanted, seen from one on either side and upper bounds there: delta is convex
/// in the exponential of epsilon, so that it lies below the chord, which is at most as steep in epsilon than `e^(low -
/// high)` of what it is on the whole.
fn chord(low: (f64, f64), high: (f64, f64), wanted: f64) -> Option<f64> {
    let width = high.0.inf_sub(low.0).ok()?;
    if !(width < 1e-3 && high.1 < wanted && low.1 < f64::INFINITY) {
        return None;
    }
    let (rise, fall) = (low.1.inf_sub(wanted).ok()?, low.1.neg_inf_sub(high.1).ok()?);
    let share = rise.inf_div(fall.neg_inf_mul(1.0.neg_inf_sub(width).ok()?).ok()?).ok()?;
    Some(low.0.inf_add(share.inf_mul(width).ok()?).ok()?.min(high.0))
}
