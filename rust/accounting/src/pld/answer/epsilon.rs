//! Epsilon of a delta: looked for in floats, then verified on either side.

use crate::{
    error::{Fallible, require},
    pld::{
        answer::{
            composed::{Composed, GREATEST},
            delta::directions,
            fixed_size::FixedSize,
        },
        distribution::PrivacyLossDistribution,
        integrate::{low_rate::by_single_loss, saddle_point as saddle, truncate::Truncated, walk::Integral},
        loss::{direction::Direction, once::once},
        transform::estimate::Estimate,
    },
    search::outwards,
};
use indistinct_numeric::enclosure::Bounds;

/// No more lines than this are chosen for one answer, nor grids, which take a tenth of a second.
const MOST_CONTOURS: u32 = 8;
const MOST_GRIDS: u32 = 3;

/// The relative width of epsilon at which no other contour is asked, and how often others are.
const ENOUGH: f64 = 1e-6;
const MOST_ROUNDS: u32 = 3;

/// No further outwards than so many times the first step.
const MOST_STRETCH: f64 = 1e18;

/// Deltas of a composition near some epsilon, and what they have verified.
struct Search<'a> {
    composed: &'a Composed,
    wanted: f64,
    prepared: Option<Integral>,
    /// How many were prepared.
    contours: u32,
    grids: u32,
    /// The delta at `low` was seen to be above the wanted one, that at `high` not to be.
    low: f64,
    high: f64,
}

impl Search<'_> {
    /// The costly part, for epsilons near this one.
    fn prepare(&mut self, epsilon: f64, known: f64) {
        // What has not helped so often will not: sums of the last contour are cheap, and true.
        if self.contours >= MOST_CONTOURS || self.grids >= MOST_GRIDS {
            return;
        }
        self.contours += 1;
        // One at a time: a grid takes most of the memory that is promised.
        self.prepared = None;
        self.prepared = self.composed.prepare(epsilon, known);
        self.grids += u32::from(matches!(self.prepared, Some(Integral::Grid(_) | Integral::None)));
    }

    fn at(&mut self, epsilon: f64) -> Bounds {
        let bounds = self.composed.delta(epsilon, self.prepared.as_ref());
        if bounds.upper <= self.wanted {
            self.high = self.high.min(epsilon);
        } else if bounds.lower > self.wanted {
            self.low = self.low.max(epsilon);
        }
        bounds
    }

    /// The logarithm of the middle of delta's bounds over the wanted one, in floats, and the bounds' width in it.
    fn excess(&mut self, epsilon: f64) -> (f64, f64) {
        let Bounds { lower, upper } = self.at(epsilon);
        let off = (lower / 2.0 + upper / 2.0).ln() - self.wanted.ln();
        (off, if lower > 0.0 && off.is_finite() { (upper / lower).ln() } else { f64::INFINITY })
    }

    /// Where the logarithm of delta is that of the wanted one, by secants on the bounds: the point, the slope there,
    /// and the width of what is known.
    fn secants(&mut self, start: f64, slope: f64) -> (f64, f64, f64) {
        let (mut near, mut slope) = (start, slope);
        let mut before: Option<(f64, f64)> = None;
        let (mut reached, mut inwards) = ((start, slope, 1.0), 0);
        for round in 0..24 {
            let (off, width) = self.excess(near);
            if width > 100.0 {
                // Too little is known here. If it is seen to do, look further in, while the contour may be good there;
                // else take another, or look further out.
                before = None;
                inwards += 1;
                let excess = (self.composed.delta(near, self.prepared.as_ref()).upper / self.wanted).ln();
                if self.high <= near && inwards % 6 != 0 {
                    let by_slope = near + excess.min(-1.0) / slope.abs() * 0.8;
                    let half = self.low + (near - self.low) / 2.0;
                    near = if by_slope > half { by_slope } else { half };
                    continue;
                }
                if self.high > near && inwards > 1 {
                    let outwards = near + (excess.max(1.0) * 2.0 / slope.abs()).min(near);
                    near = if self.high.is_finite() { near + (self.high - near) / 2.0 } else { outwards };
                }
                if near > GREATEST || self.contours >= MOST_CONTOURS || self.grids >= MOST_GRIDS {
                    break;
                }
                self.prepare(near, self.wanted.ln());
                continue;
            }
            if let Some((point, other)) = before {
                let secant = (off - other) / (near - point);
                slope = if secant < 0.0 { secant } else { slope };
            }
            reached = (near, slope, width);
            if off.abs() <= (width * 0.1).clamp(1e-15, 0.1) || slope.is_nan() || slope >= 0.0 {
                break;
            }
            before = Some((near, off));
            let next = near - off / slope;
            let inside = next > self.low && next < self.high;
            let halved = if self.high.is_finite() { self.low + (self.high - self.low) / 2.0 } else { near * 2.0 };
            let next = if inside && round < 20 { next.clamp(near / 16.0, near * 4.0) } else { halved };
            if next > GREATEST || next == near {
                break;
            }
            near = next;
        }
        reached
    }

    /// Outwards by what either bound is off by, until both sides are verified.
    fn verify(&mut self, (near, slope, width): (f64, f64, f64)) {
        let Bounds { lower, upper } = self.at(near);
        for upward in [true, false] {
            let excess = if upward { (upper / self.wanted).ln() } else { (self.wanted / lower).ln() };
            // A little more, and more than a float's last places; if nothing is known, what was thought to be.
            let excess = if excess.is_finite() { excess.max(0.0) * 1.02 + width * 0.02 } else { width };
            let step = (excess.max(1e-15) / slope.abs().max(1e-9)).max(near * f64::EPSILON * 2.0);
            let limit = if upward { GREATEST.min(near + step * MOST_STRETCH) } else { 0.0 };
            // What is seen is kept in `high` and `low`; the point is not needed.
            let _ = outwards((near, step), limit, |there| {
                if !self.is_verified(there, upward) {
                    if (there - near).abs() * slope.abs() > 4.0 {
                        self.prepare(there, 0.0);
                    }
                    self.at(there);
                }
                Ok(self.is_verified(there, upward))
            });
        }
    }

    /// True if a point was seen to be beyond epsilon, on either side.
    fn is_verified(&self, there: f64, upward: bool) -> bool {
        if upward { self.high <= there } else { self.low >= there }
    }

    /// Halves what is between bounds that are far apart, from either side.
    fn narrow(&mut self) {
        for upward in [true, false] {
            let (mut low, mut high) = (self.low, self.high);
            for _ in 0..MOST_BETWEEN {
                if high.is_infinite() || high - low <= APART * high {
                    break;
                }
                let middle = if low > 0.0 { (low * high).sqrt() } else { high / 16.0 };
                self.at(middle);
                let is_high = if upward { self.high <= middle } else { self.low < middle };
                if is_high { high = middle } else { low = middle }
            }
        }
    }
}

/// Bounds on epsilon that are as near as this are not looked between, and others only so often on either side.
const APART: f64 = 1e-3;
const MOST_BETWEEN: u32 = 10;

/// Where epsilon may be as small as this, and is not seen not to be 0, it may be seen to be.
const NOTHING: f64 = 1e-9;

/// Bounds on the least epsilon whose delta is at most the wanted one.
fn epsilon_of(composed: &Composed, wanted: f64) -> Bounds {
    let mut search = Search { composed, wanted, prepared: None, contours: 0, grids: 0, low: 0.0, high: f64::INFINITY };
    let finite = ((wanted - composed.infinite.upper) / (1.0 - composed.infinite.upper)).max(wanted * 1e-9).ln();
    // Where delta is estimated to be the wanted one; by one large loss, where that is all there is.
    let by_one = by_single_loss(&composed.losses, finite).filter(|one| {
        let estimate = saddle::estimate(&Estimate::new(&composed.losses), one.epsilon);
        // It is too much there, but not by so much if one is all there is.
        estimate.is_none_or(|(logarithm, _)| logarithm - finite < 8.0)
    });
    let truncated = Truncated::new(&composed.losses, finite - 12.0);
    let estimated = saddle::invert(&Estimate::new(&truncated.losses), finite);
    // Below, there may be nothing to look for.
    let (near, slope, least) = match (by_one, estimated) {
        (Some(one), _) => (one.epsilon, one.slope, 4.0 * one.rate),
        (None, Some((near, tilt))) => (near, -tilt, 0.01),
        (None, None) => (0.0, -1.0, 0.01),
    };
    // All together lose no less than one.
    let is_more = composed.losses.iter().any(|(loss, _)| once(loss, 0.0).is_some_and(|delta| delta.lower > wanted));
    if (near.is_nan() || near < least) && !is_more {
        search.prepare(0.0, 0.0);
        search.at(0.0);
        if search.high == 0.0 {
            return Bounds { lower: 0.0, upper: 0.0 };
        }
    }
    let near = if near > 0.0 { near.min(GREATEST) } else { 1e-3 };
    search.prepare(near, finite);
    let (mut started, mut reached) = (near, search.secants(near, slope));
    let mut is_first = true;
    for _ in 0..MOST_ROUNDS {
        // Where epsilon is not known well enough, a contour that is chosen there is better; a grid, if the last was far
        // off.
        let is_far = ((reached.0 - started) * reached.1).abs() > 0.5;
        let is_smooth = matches!(search.prepared, Some(Integral::Contour(_)));
        if reached.2 <= ENOUGH * reached.0 * reached.1.abs() || !(is_far || is_smooth) {
            break;
        }
        if reached.0 == started && !is_first {
            break;
        }
        is_first = false;
        started = reached.0;
        search.prepare(reached.0, finite);
        let before = reached.2;
        reached = search.secants(reached.0, reached.1);
        // What is not known better there will not be.
        if !is_far && reached.2 > before / 2.0 {
            break;
        }
    }
    search.verify(reached);
    search.narrow();
    if search.low == 0.0 && search.high < NOTHING {
        search.at(0.0);
    }
    Bounds { lower: search.low, upper: search.high }
}

impl Composed {
    /// Bounds on the least epsilon for a delta.
    fn epsilon(&self, wanted: f64) -> Bounds {
        if let Some(bounds) = self.closed_form.as_ref().and_then(|closed_form| closed_form.epsilon(wanted).ok()) {
            return bounds;
        }
        let top = self.supremum().filter(|_| self.infinite.upper == 0.0 && wanted < 1.0);
        let top = top.map_or(Bounds { lower: 0.0, upper: f64::INFINITY }, |top| top.epsilon(wanted));
        if top.upper < f64::INFINITY && top.upper - top.lower <= 1e-10 * top.upper {
            return top;
        }
        let found = epsilon_of(self, wanted);
        Bounds { lower: found.lower.max(top.lower), upper: found.upper.min(top.upper) }
    }
}

impl PrivacyLossDistribution {
    /// The smallest epsilon such that everything together is (epsilon, `delta`)-DP, as the pairs of distributions have
    /// it: a float below and one above.
    ///
    /// In nats. The upper bound is one whose delta was seen to do, the lower one whose delta was seen not to; the upper
    /// is infinite if none up to 1e6 was. Errors: a delta outside 0 to 1, or 0, or below the probability of an infinite
    /// loss.
    pub fn epsilon(&self, delta: f64) -> Fallible<Bounds> {
        require(delta > 0.0 && delta <= 1.0, "delta", "must be above 0 and at most 1")?;
        let found = self.epsilon_of_parts(delta)?;
        let worst = FixedSize::of(self.laws(), found).map_or(found, |fixed| fixed.epsilon(delta, found));
        // Nobody's budget, and no closed form is to say more than a search.
        let upper = if worst.upper > GREATEST { f64::INFINITY } else { worst.upper };
        Ok(Bounds { lower: worst.lower.min(GREATEST), upper })
    }

    /// The same as [`epsilon`](Self::epsilon) in one direction alone: see [`delta_in`](Self::delta_in). Errors: as for
    /// it.
    pub fn epsilon_in(&self, delta: f64, direction: Direction) -> Fallible<Bounds> {
        if self.is_symmetric() {
            return self.epsilon(delta);
        }
        require(delta > 0.0 && delta <= 1.0, "delta", "must be above 0 and at most 1")?;
        let Some(composed) = Composed::new(self.laws(), direction) else {
            return Ok(Bounds { lower: 0.0, upper: f64::INFINITY });
        };
        let rule = "must be above the probability of an infinite loss";
        require(composed.infinite.lower < delta || composed.infinite.upper == 0.0, "delta", rule)?;
        let found = composed.epsilon(delta);
        let upper = if found.upper > GREATEST { f64::INFINITY } else { found.upper };
        Ok(Bounds { lower: found.lower.min(GREATEST), upper })
    }

    /// Epsilon of the worse direction, by what is composed alone.
    fn epsilon_of_parts(&self, delta: f64) -> Fallible<Bounds> {
        let mut worst = Bounds { lower: 0.0, upper: 0.0 };
        for direction in directions(self.laws()) {
            let Some(composed) = Composed::new(self.laws(), *direction) else {
                return Ok(Bounds { lower: 0.0, upper: f64::INFINITY });
            };
            let rule = "must be above the probability of an infinite loss";
            require(composed.infinite.lower < delta || composed.infinite.upper == 0.0, "delta", rule)?;
            // The second direction is mostly the lesser one: at the first one's epsilon, all that counts is whether its
            // delta does.
            if worst.lower > 0.0 && composed.is_certified_within(worst.lower, delta) {
                continue;
            }
            let bounds = composed.epsilon(delta);
            worst = Bounds { lower: worst.lower.max(bounds.lower), upper: worst.upper.max(bounds.upper) };
        }
        Ok(worst)
    }

    /// In one direction; none where nothing is known.
    pub(crate) fn epsilon_in_direction(&self, delta: f64, direction: Direction) -> Option<Bounds> {
        let composed = Composed::new(self.laws(), direction)?;
        (composed.infinite.upper == 0.0).then(|| composed.epsilon(delta))
    }
}
