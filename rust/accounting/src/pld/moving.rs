//! Sums of points that turn and fall as they move up a line.

use super::disk::{Disk, Sum, UNIT};
use indistinct_numeric::enclosure::{Ball, Enclosure};

/// Steps between two of which each point's value is found by one leap: a power of 2.
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

/// By how much a point has moved at the last leap, and how far the truth may be; all as floats.
struct Moved {
    from: (f64, f64),
    off: f64,
    step: (f64, f64),
    add: (f64, f64),
    leap: (f64, f64),
    far: (f64, f64),
    /// Bounds on what is added in a step and on twice the weight: it has never moved by more than either, times the steps.
    most_added: f64,
    most: f64,
    /// What a step and a leap are off by, for each of what is moved, and beside.
    step_off: (f64, f64),
    leap_off: (f64, f64),
}

impl Moved {
    fn new(point: &Moving) -> Self {
        let center = |disk: &Disk| (disk.re, disk.im);
        let (step, leap) = (Disk::ONE.add(&point.step), Disk::ONE.add(&point.leap));
        let (add, far) = (point.at.mul(&point.step), point.at.mul(&point.leap));
        // A product rounds by less than 2.3 units, a sum by less than 1 of what it comes to.
        let off = |factor: &Disk, add: &Disk| (factor.radius + 4.0 * UNIT, add.radius + 2.0 * UNIT * add.modulus());
        Self {
            from: (0.0, 0.0),
            off: 0.0,
            step: center(&step),
            add: center(&add),
            leap: center(&leap),
            far: center(&far),
            most_added: add.modulus(),
            most: 2.0 * point.at.modulus(),
            step_off: off(&step, &add),
            leap_off: off(&leap, &far),
        }
    }

    /// A bound on its size in the next steps, and on what it is off by; then it leaps. Nothing that is off grows but by what the factors are off, as these are of modulus at most 1.
    fn leap(&mut self, steps: f64) -> (f64, f64) {
        let leap = f64::from(LEAP);
        let size = (self.most_added * steps).min(self.most) * 1.000_01;
        let within = size + leap * self.most_added;
        let off = self.off + leap * ((within + self.off) * self.step_off.0 * 1.000_01 + self.step_off.1);
        self.off += (size + self.off) * self.leap_off.0 + self.leap_off.1;
        let ((re, im), (cosine, sine)) = (self.from, self.leap);
        self.from = (re * cosine - im * sine + self.far.0, re * sine + im * cosine + self.far.1);
        (within, off)
    }
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
    let mut moved: Vec<Moved> = points.iter().map(Moved::new).collect();
    let mut moving: Vec<Step> = moved.iter().map(|moved| (moved.from, moved.step, moved.add)).collect();
    let rounding = rounding(moving.len());
    let mut found = Vec::new();
    let mut base = 0;
    while base < count {
        let (mut radius, mut sizes) = (0.0, 0.0);
        for (moved, step) in moved.iter_mut().zip(&mut moving) {
            step.0 = moved.from;
            let (size, off) = moved.leap(f64::from(base));
            sizes += size;
            radius += off;
        }
        radius = (radius + sizes * rounding) * 1.000_01 + 1e-270;
        let steps = count.min(base + LEAP) - base;
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
