//! Sums of points that turn and fall as they move up a line.

use super::disk::{Disk, Sum, UNIT};
use indistinct_numeric::enclosure::{Ball, Enclosure};

/// Steps between two of which each point's value is found by one leap.
pub(super) const LEAP: u32 = 16;

/// One point of the rule as it moves up the line: what it weighs, and one less than what that is multiplied by from point to point of the line, and by a leap.
pub(super) struct Moving {
    pub(super) at: Disk,
    pub(super) step: Disk,
    pub(super) leap: Disk,
}

/// Floats from point to point between leaps: where a point is, what it is multiplied by, and what is added then.
type Step = ((f64, f64), (f64, f64), (f64, f64));

/// Sums over all points, which move by a step each time.
fn sums(moving: &mut [Step], count: u32, mut tell: impl FnMut((f64, f64))) {
    for _ in 0..count {
        let mut lanes = [(0.0, 0.0); 16];
        for chunk in moving.chunks_mut(16) {
            for (lane, (value, step, add)) in lanes.iter_mut().zip(chunk) {
                *lane = (lane.0 + value.0, lane.1 + value.1);
                *value = (value.0 * step.0 - value.1 * step.1 + add.0, value.0 * step.1 + value.1 * step.0 + add.1);
            }
        }
        tell(lanes.iter().fold((0.0, 0.0), |sum, lane| (sum.0 + lane.0, sum.1 + lane.1)));
    }
}

/// A bound on what a sum of so many terms in sixteen lanes rounds by, over the sum of their sizes.
fn rounding(terms: usize) -> f64 {
    (f64::from(u32::try_from(terms).unwrap_or(u32::MAX)) / 16.0 + 20.0) * UNIT
}

/// The sum of the weights as bounds on a positive number, and what all points move by, over that; `error` is what else the sum may be off by, at each point of the line.
///
/// From point to point `d = w (e^(i t L) - 1)` becomes `d s + w (s - 1)`: what rounds is small where the angle is.
pub(super) fn from_foot(points: &[Moving], count: u32, error: f64) -> Option<(Ball, Vec<Disk>)> {
    let mut sum = Sum::default();
    points.iter().for_each(|point| sum.add(point.at.re, point.at.radius));
    let (foot, off) = sum.bounds();
    let off = (off + error) * 1.000_01;
    if off.is_nan() || off >= foot / 2.0 {
        return None;
    }
    // Its reciprocal, and what that is off by, relatively.
    let (inverse, relative) = (1.0 / foot, off / (foot - off) * 1.001 + 2.0 * UNIT);
    let charged = 2.0 * error * inverse * (1.0 + relative) * 1.001;
    let over_foot = |sum: Disk| {
        let found = sum.scale(inverse);
        let radius = found.radius * (1.0 + relative) + found.modulus() * relative + charged;
        Disk::new(found.re, found.im, radius * 1.001)
    };
    struct Moved {
        from: Disk,
        step: Disk,
        add: Disk,
        leap: Disk,
        far: Disk,
    }
    let start = |point: &Moving| Moved {
        from: Disk::new(0.0, 0.0, 0.0),
        step: Disk::ONE.add(&point.step),
        add: point.at.mul(&point.step),
        leap: Disk::ONE.add(&point.leap),
        far: point.at.mul(&point.leap),
    };
    let mut moved: Vec<Moved> = points.iter().map(start).collect();
    let mut moving: Vec<Step> = Vec::with_capacity(points.len());
    let mut found = Vec::new();
    let mut base = 0;
    while base < count {
        let steps = count.min(base + LEAP) - base;
        moving.clear();
        // Nothing that is off grows; in each step, a product and a sum round, and either factor and what is added are off.
        let (mut radius, mut sizes) = (0.0, 0.0);
        for Moved { from, step, add, leap, far } in &mut moved {
            let size = from.modulus() + f64::from(LEAP) * add.modulus();
            sizes += size;
            radius += from.radius + f64::from(LEAP) * (size * (step.radius + 6.0 * UNIT) + add.radius);
            moving.push(((from.re, from.im), (step.re, step.im), (add.re, add.im)));
            *from = from.mul(leap).add(far);
        }
        radius = (radius + sizes * rounding(moving.len())) * 1.000_01 + f64::from(LEAP) * 1e-280;
        sums(&mut moving, steps, |(re, im)| found.push(over_foot(Disk::new(re, im, radius))));
        base += LEAP;
    }
    Some((Ball::between(foot - off, foot + off), found))
}

/// Sums of all points as they move up a line, and `error` with each.
pub(super) fn values(mut points: Vec<Moving>, count: u32, mut error: f64) -> Vec<Disk> {
    let mut found = Vec::new();
    let start: f64 = points.iter().map(|point| point.at.modulus()).sum();
    let mut moving: Vec<Step> = Vec::with_capacity(points.len());
    let mut base = 0;
    while base < count {
        // The points furthest out fall fastest, until they are nothing.
        while points.last().is_some_and(|point| point.at.modulus() < start * 1e-18) {
            error += points.pop().map_or(0.0, |point| point.at.modulus());
        }
        // Until the next leap nothing grows: what is off is, and each step adds what it is off by itself and 3 units.
        let mut radius = error;
        moving.clear();
        let mut sizes = 0.0;
        for point in &mut points {
            let size = point.at.modulus();
            let step = Disk::ONE.add(&point.step);
            radius += point.at.radius + size * f64::from(LEAP) * (step.radius + 3.0 * UNIT);
            sizes += size;
            moving.push(((point.at.re, point.at.im), (step.re, step.im), (0.0, 0.0)));
            point.at = point.at.mul(&Disk::ONE.add(&point.leap));
        }
        radius = (radius + sizes * rounding(points.len())) * 1.000_01 + 1e-270;
        let steps = count.min(base + LEAP) - base;
        sums(&mut moving, steps, |(re, im)| found.push(Disk::new(re, im, radius)));
        base += LEAP;
    }
    found
}
