//! Where to integrate: the saddle point, and how long a period keeps what wraps around small.

use super::{
    shape::{Shapes, cumulants, number},
    transform::Cumulants,
};
use std::{f64::consts::TAU, ops::RangeInclusive};

/// The usual goal: the logarithm of the relative error that each of the charged parts is given, about 1e-14.
pub(super) const GOAL: f64 = 32.0;
/// Where to integrate: found in floats; any choice gives true bounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    pub(super) tilt: f64,
    pub(super) period: f64,
    /// A larger tilt, for the bound on what wraps from above.
    pub(super) higher: f64,
    /// The logarithm of delta, and the standard deviation under the tilted law.
    pub(super) estimate: f64,
    pub(super) deviation: f64,
}

/// A float of few bits, so that adding 1 is exact.
pub(super) fn short(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !0x3fff_ffff)
}

/// The saddle point.
struct Saddle {
    tilt: f64,
    found: Cumulants,
    bend: f64,
    /// Of the logarithm of delta.
    estimate: f64,
}

fn saddle(shapes: &Shapes, epsilon: f64) -> Option<Saddle> {
    // The minimum of K(c) - c epsilon - ln c - ln(1 + c), whose slope rises: by Newton's steps in ln c within a bracket.
    let (mut low, mut high) = (2f64.powi(-26), 2f64.powi(27));
    let mut tilt = 1f64;
    let mut found = cumulants(shapes, tilt);
    for _ in 0..80 {
        let slope = found.slope - epsilon - 1.0 / tilt - 1.0 / (tilt + 1.0);
        let bend = found.curvature + 1.0 / (tilt * tilt) + 1.0 / ((tilt + 1.0) * (tilt + 1.0));
        if slope.is_nan() || slope > 0.0 {
            high = tilt;
        } else {
            low = tilt;
        }
        let next = tilt * (-slope / (bend * tilt + slope.abs())).clamp(-2.0, 2.0).exp();
        let next = if next > low && next < high { next } else { (low * high).sqrt() };
        let done = slope * slope <= 1e-3 * bend || high / low < 1.0 + 1e-9;
        if done {
            break;
        }
        tilt = next;
        found = cumulants(shapes, tilt);
    }
    let tilt = short(tilt);
    let found = if tilt.is_finite() { cumulants(shapes, tilt) } else { return None };
    let bend = found.curvature + 1.0 / (tilt * tilt) + 1.0 / ((tilt + 1.0) * (tilt + 1.0));
    let estimate = found.value - tilt * epsilon - tilt.ln() - tilt.ln_1p() - 0.5 * (TAU * bend).ln();
    estimate.is_finite().then(|| Saddle { tilt, found, bend, estimate: estimate.min(0.0) })
}

/// A plan for an epsilon, to a goal; `known` is a number that the logarithm of delta is known to be near or below, or 0.
pub(super) fn plan(shapes: &Shapes, epsilon: f64, goal: f64, known: f64) -> Option<Plan> {
    let Saddle { tilt, found, bend, estimate } = saddle(shapes, epsilon)?;
    let estimate = estimate.min(known);
    let cost = |tilt: f64, value: f64| value - tilt * epsilon - tilt.ln() - tilt.ln_1p();
    let least = cost(tilt, found.value);
    let (mut best, mut at) = around(shapes, epsilon, tilt, (estimate, bend, goal), -3..=7);
    // Where a few large losses weigh on the saddle point, a smaller tilt may do with a much shorter period, at little cost in cancellation: as much as
    // leaves seven digits of what the powers round to.
    let count: f64 = shapes.iter().map(|(_, count)| number(*count)).sum();
    let most_lost = (3e5 / count).ln().clamp(0.5, 6.0);
    let mut score = best.0.ln();
    let (mut smaller, mut lost) = (tilt, 0.0);
    while score.is_finite()
        && best.0 * best.1.tilt > 3.0 * (goal - estimate)
        && smaller > (tilt / 16.0).max(2f64.powi(-28))
    {
        // Where the law falls into two parts, a little less may leave one of them out.
        smaller = short(smaller * if lost < 1.0 { 0.95 } else { 0.8 });
        let found = cumulants(shapes, smaller);
        lost = cost(smaller, found.value) - least;
        let bend = found.curvature + 1.0 / (smaller * smaller);
        let next;
        (next, at) = around(shapes, epsilon, smaller, (estimate, bend, goal), at - 1..=at + 1);
        let worth = next.0.ln() + 0.75 * lost;
        if lost > most_lost {
            break;
        }
        if worth < score {
            (score, best) = (worth, next);
        }
    }
    let (period, mut plan) = best;
    plan.deviation = cumulants(shapes, plan.tilt).curvature.sqrt();
    plan.estimate = estimate;
    (period.is_finite() && period > 0.0).then_some(plan)
}

/// The period that a tilt needs, and the plan; and which power of 2 of a deviation the larger tilt is away.
fn around(
    shapes: &Shapes,
    epsilon: f64,
    tilt: f64,
    (estimate, bend, goal): (f64, f64, f64),
    powers: RangeInclusive<i32>,
) -> ((f64, Plan), i32) {
    let below = (goal - estimate) / tilt;
    let (mut above, mut higher, mut at) = (f64::INFINITY, tilt, 0);
    for i in powers {
        let candidate = short(tilt + 2f64.powi(i) / bend.sqrt());
        let value = cumulants(shapes, candidate).value;
        let need = (goal - estimate + value - candidate * epsilon - candidate.ln_1p()) / (candidate - tilt);
        if need < above {
            (above, higher, at) = (need, candidate, i);
        }
    }
    let period = below.max(above) * 1.01;
    ((period, Plan { tilt, period: short(period), higher, estimate, deviation: 0.0 }), at)
}

/// An estimate of the logarithm of delta, and its slope in epsilon, in floats.
pub(super) fn estimate(shapes: &Shapes, epsilon: f64) -> Option<(f64, f64)> {
    saddle(shapes, epsilon).map(|saddle| (saddle.estimate, saddle.tilt))
}
