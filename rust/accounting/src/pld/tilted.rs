//! A sampled Gaussian's tilted law in floats with known errors: bounds on its mass, and in cells, for how fast its transform falls.
//!
//! Each logarithm comes with a margin that covers what its floats round; see `proofs/accounting/pld.md`.

use super::{
    decay::{Cell, Decay},
    sampled_gaussian::{SampledGaussian, Side},
    transform::Line,
};
use indistinct_numeric::{
    RoundedMath,
    enclosure::{Ball, Enclosure, exp_m1_near, exp_near, ln_1p_near},
};

/// A float's half unit in the last place.
const UNIT: f64 = f64::EPSILON / 2.0;

/// `ln g` at a point, what that is off by at most, and `p = q e^w/g` and `1 - p`, within a millionth of themselves.
struct Mixture {
    loss: f64,
    off: f64,
    share: f64,
    rest: f64,
}

/// A point of the noise.
struct Point {
    /// Bounds on the tilted density, over `e^scale`.
    low: f64,
    high: f64,
    /// The logarithm of the upper one without what a cut keeps, and an upper bound on the logarithm of that.
    whole: f64,
    kept: f64,
    /// An upper bound on s.
    mean: f64,
    loss: f64,
    off: f64,
    ahead: Mixture,
    behind: Option<Mixture>,
}

/// Where the law is looked at: the rule's points, which are `step` apart, and bounds on what is beyond their ends and on the mass, over `e^scale`.
pub(super) struct Tilted<'a> {
    law: &'a SampledGaussian,
    tilt: f64,
    scale: f64,
    step: f64,
    points: Vec<Point>,
    ends: f64,
    least: f64,
    most: f64,
}

impl<'a> Tilted<'a> {
    /// `finer` is what the step that the integral needs is divided by, a power of 2.
    pub(super) fn new(law: &'a SampledGaussian, tilt: f64, finer: f64) -> Option<Self> {
        // So near to 1 a rate may leave no digits of g; so small a one may count beside `e^600`.
        if law.side == Side::Fixed || law.rate > 1.0 - 1e-6 || law.rate < 1e-200 {
            return None;
        }
        let guess = law.cumulants(tilt).value;
        let at = |scale: f64| {
            let step = law.step(&Line::point(tilt), 0.0, scale)? / finer;
            let log_rate = Ball::exact(law.rate).ln().upper();
            let points: Option<Vec<_>> = law.rule(tilt, step).map(|y| point(law, (tilt, scale, log_rate), y)).collect();
            let points = points?;
            // Beyond the ends the density falls by at least 10 a unit. The rule's own error is a part of the whole, or of e^scale.
            let ends = points.first()?.high + points.last()?.high;
            let most = (points.iter().map(|point| point.high).sum::<f64>() * step + ends) * (1.0 + 1e-11);
            let least = (points.iter().map(|point| point.low).sum::<f64>() * step - ends) * (1.0 - 1e-11);
            Some(Self { law, tilt, scale, step, points, ends, least, most })
        };
        let is_seen = |found: &Self| {
            let is_near = law.cut.is_none() || (found.least > 0.5 && found.most < 1.5);
            found.most.is_finite() && found.least > 0.0 && is_near
        };
        let found = at(guess)?;
        if is_seen(&found) {
            return Some(found);
        }
        // The guess was not good enough, but this may be.
        at(guess + found.most.ln()).filter(is_seen)
    }

    /// About the logarithm of the moment generating function.
    pub(super) fn middle(&self) -> f64 {
        self.scale + self.most.ln()
    }

    /// An upper bound on the logarithm of the moment generating function.
    pub(super) fn log_most(&self) -> Option<f64> {
        Some((self.most.inf_ln().ok()? + self.scale).next_up())
    }

    pub(super) fn decay(&self) -> Option<Decay> {
        let Self { law, tilt, step, least, most, .. } = *self;
        let mu = 1.000_001 / law.sigma;
        // Bounds on the second derivative of the logarithm of the density in y, and of that of the loss from above.
        let (above, below, bend) = match law.side {
            Side::Remove | Side::Fixed => ((tilt + 1.0) * mu * mu / 4.0 - 1.0, 1.0, (tilt + 2.0) * mu * mu / 4.0 - 1.0),
            Side::Add => (-1.0, 1.0 + tilt * mu * mu / 4.0, (1.0 - tilt).max(0.0) * mu * mu / 4.0 - 1.0),
            Side::Replace => (
                (tilt + 1.0) * mu * mu / 4.0 - 1.0,
                1.0 + tilt * mu * mu / 4.0,
                (tilt + 1.0) * mu * mu / 4.0 + 2.0 * mu * mu - 1.0,
            ),
        };
        let sag = |bend: f64| Some((bend.max(0.0) * step * step / 8.0).inf_exp().ok()? * 1.000_001);
        let (above, below, bend) = (sag(above)?, sag(below)?, sag(bend)?);
        let mut decay = Decay { rest: self.ends / least * 1.000_001, sigma: law.sigma, ..Decay::default() };
        decay.far = self.points.last()?.mean;
        decay.power = if law.side == Side::Remove { 0.0 } else { tilt / 2.0 };
        let mut pieces = Vec::new();
        for pair in self.points.windows(2) {
            let [from, to] = pair else { continue };
            let width = ((to.loss - from.loss).abs() * 0.999_999_999 - from.off - to.off).max(0.0);
            // The density of the loss is that of y over its slope.
            let slope = |point: &Point| {
                let share = point.ahead.share + point.behind.as_ref().map_or(0.0, |behind| behind.share);
                point.low / (share * 1.000_002 * mu + 1e-200)
            };
            pieces.push((slope(from).min(slope(to)) / bend * 0.999_999, width * 0.999_999));
            // p grows in y.
            let (mut share, mut spread) = (from.ahead.share, most_spread(&from.ahead, &to.ahead));
            if let (Some(from), Some(to)) = (&from.behind, &to.behind) {
                share += to.share;
                spread = most_spread(to, from);
            }
            // What is kept falls in y: the chord of the rest, times what is kept at the left.
            let high = (from.high + bounded(to.whole + from.kept).1) / 2.0;
            decay.cells.push(Cell {
                low: (from.low * to.low).sqrt() * step / above / most * 0.999_999,
                high: high * step * below / least * 1.000_001,
                share: share * 0.999_998,
                spread,
                far: to.mean,
            });
        }
        decay.rectangles = rectangles(&pieces, most);
        Some(decay)
    }
}

/// `ln g`, from w and its error.
fn mixture(law: &SampledGaussian, log_rate: f64, w: f64, error: f64) -> Option<Mixture> {
    let growth = exp_near(w.min(600.0)) * law.rate;
    let whole = 1.0 - law.rate + growth;
    let share = growth / whole;
    let change = law.rate * exp_m1_near(w.min(600.0));
    let loss = if w > 600.0 { w + log_rate } else { ln_1p_near(change) };
    // By the logarithm, which is good to 2^-49 of itself, or of 1 where it is above 0.005; by w; and by e^w - 1, good to 2^-42 of itself.
    let off = loss.abs() * 1e-11 + share * error * 1.001 + change.abs() / whole * 1e-12 + 1e-250;
    (error < 1e-7 && off.is_finite()).then_some(Mixture { loss, off, share, rest: (1.0 - law.rate) / whole })
}

fn point(law: &SampledGaussian, (tilt, scale, log_rate): (f64, f64, f64), y: f64) -> Option<Point> {
    let mu = 1.0 / law.sigma;
    let error = 8.0 * UNIT * ((mu * y).abs() + mu * mu);
    let w = mu * y - mu * mu / 2.0;
    let ahead = mixture(law, log_rate, w, error)?;
    let behind = match law.side {
        Side::Replace => Some(mixture(law, log_rate, -mu * y - mu * mu / 2.0, error)?),
        _ => None,
    };
    let (loss, off, base) = match (law.side, &behind) {
        (Side::Replace, Some(behind)) => (ahead.loss - behind.loss, ahead.off + behind.off, ahead.loss),
        (Side::Add, _) => (-ahead.loss, ahead.off, 0.0),
        _ => (ahead.loss, ahead.off, ahead.loss),
    };
    let size = (tilt + 1.0) * (ahead.loss.abs() + behind.as_ref().map_or(0.0, |behind| behind.loss.abs()));
    // ln(1/sqrt(2 pi)).
    let logarithm = base + tilt * loss - y * y / 2.0 - 0.918_938_533_204_672_7 - scale;
    let margin = (tilt + 1.0) * off * 1.001 + 8.0 * UNIT * (size + y * y + scale.abs() + 2.0);
    let mean = law.cut.map_or(0.0, |cut| cut.mean(w));
    let (least_kept, kept) = match law.cut {
        None => (0.0, 0.0),
        // The bound is within twice its own margin, which covers what s is off by.
        Some(cut) if error < 1e-11 && mean < 9e3 => {
            let kept = cut.log_most_kept(mean);
            (kept - (mean + 1.0) * 1e-8, kept)
        }
        Some(cut) if error < 1e-11 => (f64::NEG_INFINITY, cut.log_most_kept(mean)),
        Some(_) => return None,
    };
    let mean = mean * 1.000_001;
    let off = off + UNIT * loss.abs();
    let whole = logarithm + margin;
    let (low, high) = (bounded(logarithm - margin + least_kept).0, bounded(whole + kept).1);
    margin.is_finite().then_some(Point { low, high, whole, kept, mean, loss, off, ahead, behind })
}

/// Bounds on an exponential.
fn bounded(x: f64) -> (f64, f64) {
    if x < -600.0 {
        return (0.0, 1e-200);
    }
    let found = exp_near(x);
    (found * (1.0 - 1e-12), found * (1.0 + 1e-12))
}

/// An upper bound on `4 p (1 - p)` between two points, the first with the smaller p.
fn most_spread(low: &Mixture, high: &Mixture) -> f64 {
    let at = |point: &Mixture| 4.0 * point.share * point.rest * 1.000_003;
    if low.share < 0.500_001 && high.share > 0.499_999 { 1.0 } else { at(low).max(at(high)).min(1.0) }
}

/// Nested rectangles, as masses and widths, from lower bounds on the density on adjacent pieces, with their widths, and an upper bound on the law's mass.
fn rectangles(pieces: &[(f64, f64)], mass: f64) -> Vec<(f64, f64)> {
    let top = pieces.iter().fold(0f64, |most, piece| most.max(piece.0));
    let at = pieces.iter().position(|piece| piece.0 >= top).unwrap_or(0);
    let levels = 24u32;
    let (mut rectangles, mut below) = (Vec::new(), 0.0);
    for i in 1..=levels {
        // Finer towards the ground: half of the levels below a hundredth.
        let share = f64::from(i) / f64::from(levels);
        let level = top * share * share * share;
        let (front, back) = pieces.split_at(at.min(pieces.len()));
        let run = |pieces: &mut dyn Iterator<Item = &(f64, f64)>| -> f64 {
            pieces.take_while(|piece| piece.0 >= level).map(|piece| piece.1).sum()
        };
        let width = run(&mut front.iter().rev()) + run(&mut back.iter());
        rectangles.push(((level - below) * width / mass * 0.999_999, width * 0.999_999));
        below = level;
    }
    rectangles
}

#[cfg(test)]
mod tests {
    use super::super::cut::Order;
    use super::*;

    /// The bounds in floats contain what the integral has in balls, and are near it.
    #[test]
    fn the_mass_is_within_its_bounds() {
        let mut seen = 0;
        for (sigma, rate) in [(0.7, 0.001), (1.0, 0.3), (5.0, 0.01), (0.3, 1e-6), (2.0, 0.999)] {
            for side in [Side::Remove, Side::Add, Side::Replace] {
                let law = SampledGaussian { sigma, rate, side, cut: None };
                let cut = law.without_far(1.0, -12.0, Order::Sharp).map(|found| found.0);
                for law in [Some(law), cut].into_iter().flatten() {
                    for tilt in [0.5, 3.0, 20.0] {
                        let (Some(tilted), Some(values)) =
                            (Tilted::new(&law, tilt, 1.0), law.values(&Line::point(tilt)))
                        else {
                            continue;
                        };
                        seen += 1;
                        let (most, truth) = (tilted.log_most().unwrap(), values.scale);
                        assert!(most >= truth.lower() && most <= truth.upper() + 1e-7, "{law:?} {tilt}: {most}");
                        let least = tilted.least.ln() + tilted.scale;
                        assert!(least <= truth.upper() && least >= truth.lower() - 1e-6, "{law:?} {tilt}: {least}");
                    }
                }
            }
        }
        assert!(seen > 50, "{seen}");
    }
}
