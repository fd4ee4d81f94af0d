//! Where to integrate: the saddle point, and how long a period keeps what wraps around small.

use crate::pld::{integrate::chernoff::ChernoffBound, loss::cumulants::Cumulants, transform::estimate::Estimate};
use std::f64::consts::TAU;

/// The usual goal: the logarithm of the relative error that each of the charged parts is given, about 1e-14.
pub(crate) const GOAL: f64 = 32.0;
/// Where to integrate: found in floats; any choice gives true bounds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) tilt: f64,
    pub(crate) period: f64,
    /// A larger tilt, for the bound on what wraps from above.
    pub(crate) higher: f64,
    /// An estimate of the logarithm of delta.
    pub(crate) estimate: f64,
    /// The logarithm of the moment generating function at the tilt, less the tilt times epsilon.
    pub(crate) base: f64,
    /// About where it has fallen far enough, or 0.
    pub(crate) frequency: f64,
}

impl Plan {
    pub(crate) fn new(tilt: f64, period: f64, higher: f64, estimate: f64) -> Self {
        Self { tilt, period: short(period), higher, estimate, base: 0.0, frequency: 0.0 }
    }

    /// A longer period, if what was estimated in floats is less than what Chernoff's bound comes to, over many steps.
    pub(crate) fn make_room(&mut self, goal: f64, above: &ChernoffBound, epsilon: f64) {
        let period = (goal - self.estimate + above.at(epsilon).get().ln()) / (self.higher - self.tilt) * ROOM;
        if period > self.period {
            self.period = short(period);
        }
    }
}

/// A float of few bits, so that adding 1 is exact.
pub(crate) fn short(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !0x3fff_ffff)
}

/// The saddle point.
struct Saddle {
    tilt: f64,
    found: Cumulants,
    bend: f64,
    /// An estimate of the logarithm of delta.
    estimate: f64,
}

fn saddle(laws: &Estimate, epsilon: f64) -> Option<Saddle> {
    // The minimum of K(c) - c epsilon - ln c - ln(1 + c), whose slope rises: by Newton's steps in ln c within a
    // bracket.
    let (mut low, mut high) = (2f64.powi(-26), laws.greatest_tilt());
    let mut tilt = 1f64;
    let mut found = laws.cumulants(tilt);
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
        found = laws.cumulants(tilt);
    }
    let tilt = short(tilt);
    let found = if tilt.is_finite() { laws.cumulants(tilt) } else { return None };
    let bend = found.curvature + 1.0 / (tilt * tilt) + 1.0 / ((tilt + 1.0) * (tilt + 1.0));
    let estimate = found.value - tilt * epsilon - tilt.ln() - tilt.ln_1p() - 0.5 * (TAU * bend).ln();
    estimate.is_finite().then(|| Saddle { tilt, found, bend, estimate: estimate.min(0.0) })
}

/// A plan for an epsilon, to a goal; `known` is a number that the logarithm of delta is known to be near or below, or
/// 0.
pub(crate) fn plan(laws: &Estimate, epsilon: f64, goal: f64, known: f64) -> Option<Plan> {
    let Saddle { tilt, found, bend, estimate } = saddle(laws, epsilon)?;
    let estimate = estimate.min(known);
    let cost = |tilt: f64, value: f64| value - tilt * epsilon - tilt.ln() - tilt.ln_1p();
    let least = cost(tilt, found.value);
    let mut best = around(laws, epsilon, tilt, (estimate, bend, goal));
    // Where a few large losses weigh on the saddle point, a smaller tilt may do with a much shorter period, at some
    // cost in cancellation: as much as leaves six digits or so of what rounds, which grows a little with the number of
    // distributions.
    if best.0 * tilt > 1.5 * (goal - estimate) {
        let most_lost = (15.5 - laws.count().ln() * 0.3 - (least - estimate)).clamp(0.5, 8.0);
        let looked: Vec<(f64, f64, f64)> = (-24..=24)
            .map(|i| {
                let tilt = short(tilt * 1.1f64.powi(i));
                (tilt, cost(tilt, laws.cumulants(tilt).value) - least, value_above(laws, tilt))
            })
            .collect();
        let mut score = best.0.ln();
        for (smaller, lost, _) in looked.iter().take(25).filter(|(_, lost, _)| *lost <= most_lost) {
            for (higher, _, value) in looked.iter().filter(|(higher, ..)| higher > smaller) {
                let period = period((*smaller, *higher, *value), epsilon, goal - estimate);
                let worth = period.ln() + 0.2 * lost.max(0.0);
                if worth < score {
                    score = worth;
                    best = (period, Plan::new(*smaller, period, *higher, estimate));
                }
            }
        }
    }
    let (period, mut plan) = best;
    let found = laws.cumulants(plan.tilt);
    plan.base = found.value - plan.tilt * epsilon;
    plan.estimate = estimate;
    (period.is_finite() && period > 0.0).then_some(plan)
}

/// A period is so many times what floats say that it needs. A choice: what wraps around is charged as it is.
pub(crate) const ROOM: f64 = 1.01;

/// The period that a tilt needs, beside a larger one where the logarithm of the moment generating function is `value`.
fn period((tilt, higher, value): (f64, f64, f64), epsilon: f64, wanted: f64) -> f64 {
    let above = (wanted + value - higher * epsilon - higher.ln_1p()) / (higher - tilt);
    (wanted / tilt).max(above) * ROOM
}

/// The logarithm of the moment generating function; infinite where more lies beyond what floats look at.
fn value_above(laws: &Estimate, tilt: f64) -> f64 {
    if laws.reaches(tilt) { laws.cumulants(tilt).value } else { f64::INFINITY }
}

/// The same with the best of some larger tilts, and the plan.
fn around(laws: &Estimate, epsilon: f64, tilt: f64, (estimate, bend, goal): (f64, f64, f64)) -> (f64, Plan) {
    let mut best = (f64::INFINITY, tilt);
    for i in -3..=7 {
        let higher = short(tilt + 2f64.powi(i) / bend.sqrt());
        let value = value_above(laws, higher);
        let need = period((tilt, higher, value), epsilon, goal - estimate);
        if need < best.0 {
            best = (need, higher);
        }
    }
    (best.0, Plan::new(tilt, best.0, best.1, estimate))
}

/// An estimate of the logarithm of delta, and its slope in epsilon, in floats.
pub(crate) fn estimate(laws: &Estimate, epsilon: f64) -> Option<(f64, f64)> {
    saddle(laws, epsilon).map(|saddle| (saddle.estimate, saddle.tilt))
}

/// An epsilon whose delta is estimated to have this logarithm, and the tilt there; not above 0 if none exists.
///
/// Each tilt is the saddle point of one epsilon, of which the estimate falls as the tilt grows.
pub(crate) fn invert(laws: &Estimate, wanted: f64) -> Option<(f64, f64)> {
    let at = |log_tilt: f64| {
        let tilt = log_tilt.exp();
        let found = laws.cumulants(tilt);
        let epsilon = found.slope - 1.0 / tilt - 1.0 / (tilt + 1.0);
        let bend = found.curvature + 1.0 / (tilt * tilt) + 1.0 / ((tilt + 1.0) * (tilt + 1.0));
        let estimate = found.value - tilt * epsilon - log_tilt - tilt.ln_1p() - 0.5 * (TAU * bend).ln();
        (estimate - wanted, epsilon)
    };
    let (mut low, mut high) = ((-18.0, f64::NAN), (18.0, f64::NAN));
    let mut next: f64 = 1.0;
    for round in 0..60 {
        let (excess, epsilon) = at(next);
        if excess.is_nan() {
            return None;
        }
        let is_at_end = next.abs() >= 18.0 || high.0 - low.0 <= 1e-6;
        if excess.abs() <= 1e-2 || is_at_end {
            return Some((epsilon, next.exp()));
        }
        if excess > 0.0 {
            low = (next, excess)
        } else {
            high = (next, excess)
        }
        let crossing = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
        next = if crossing.is_nan() {
            // Until there is one on either side.
            (next + if excess > 0.0 { 2.0 } else { -2.0 }).clamp(-18.0, 18.0)
        } else if round % 3 == 2 {
            low.0 + (high.0 - low.0) / 2.0
        } else {
            crossing
        };
    }
    None
}
