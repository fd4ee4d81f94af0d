//! The transform of a sampled Gaussian's loss along a path beside the real line, taken apart into what is near zero and the large losses.
//!
//! With `y = x + i a`, `theta = mu a`, the integrand of `E[e^(z L)]` at `z = c + i t` has the factor `e^(-t A)`, `A = arg g(y)` between 0 and theta: however large t is,
//! nothing oscillates that is not small, and the same points of the trapezoid rule will do. What is [`Cut`] off rises to 1 with large losses; without
//! them the transform falls slowly, since most losses are nearly zero, so they are kept apart to the end.
//!
//! The arguments are in `proofs/accounting/pld.md`.

use super::{
    cut::Cut,
    disk::{Disk, UNIT, circle, turns},
    lattice::safe_exp,
    sampled_gaussian::SampledGaussian,
    transform::{Line, middle},
};
use indistinct_numeric::{
    RoundedMath,
    enclosure::{Ball, Enclosure, exp_near},
};
use std::f64::consts::TAU;

/// Angles with lower bounds on their sines and cosines.
const ANGLES: [(f64, f64, f64); 4] =
    [(0.3, 0.2955, 0.9553), (0.5, 0.4794, 0.8775), (0.8, 0.7173, 0.6967), (1.04, 0.8624, 0.5062)];

/// Steps between two of which each point's value is found by one leap.
const LEAP: u32 = 32;

/// A cell of x.
#[derive(Debug)]
struct Cell {
    /// An upper bound on the logarithm of its mass under the tilted law, over `e^scale`.
    mass: f64,
    /// An upper bound on the logarithm of s.
    log_mean: f64,
    /// A lower bound on `p = q e^w/g`.
    share: f64,
    /// An upper bound on the s of what is not left out at all.
    far: f64,
}

/// Upper bounds on the large losses' part of the integrand, in cells of x.
#[derive(Debug)]
pub(super) struct Large {
    sigma: f64,
    cells: Vec<Cell>,
    /// What is outside of the cells, over the last and on the left.
    beyond: f64,
    left: f64,
}

impl Large {
    pub(super) fn new(law: &SampledGaussian, tilt: f64, cut: Cut, scale: f64) -> Option<Self> {
        let (left, right) = law.window(tilt);
        let mu = 1.0 / law.sigma;
        let width = 0.125f64.min(16.0 / ((tilt + 1.0) * mu));
        let count = ((left + right) / width).ceil();
        if count.is_nan() || count > 4096.0 {
            return None;
        }
        let ratio = |y: f64| mu * y - mu * mu / 2.0;
        let log_mean = |y: f64| (ratio(y) + cut.shift) + (ratio(y).abs() + cut.shift.abs() + 1.0) * 1e-9;
        let share = |y: f64| {
            let growth = exp_near(ratio(y).min(600.0)) * law.rate;
            growth / (1.0 - law.rate + growth) * 0.999_999_99
        };
        let mut cells = Vec::new();
        let mut index = 0.0;
        let log_width = (width * 0.4).inf_ln().ok()?;
        while index < count {
            let (from, to) = (index * width - left, (index + 1.0) * width - left);
            index += 1.0;
            let nearest = if from > 0.0 {
                from
            } else if to < 0.0 {
                to
            } else {
                0.0
            };
            let mass = law.rough(tilt, to) - nearest * nearest / 2.0 * 0.999_999_999 + log_width - scale;
            // Small enough to be nothing even at angles.
            if mass > -690.0 {
                // What is kept of the law at all falls in y, but for the angle's part.
                let far = law.cut.map_or(0.0, |cut| cut.mean(ratio(to)) * 1.000_001);
                let mass = mass + law.cut.map_or(0.0, |cut| Cut::log_most_kept(cut.mean(ratio(from))));
                cells.push(Cell { mass, log_mean: log_mean(to), share: share(from), far });
            }
        }
        // Left of the cells the density is below a normal one, of which there is less than e^-51 beyond 10, as an integral or as a sum.
        let left = exp_near((-51.0 - scale + Cut::most_dropped(log_mean(-left), 0.5)).clamp(-690.0, 690.0));
        Some(Self { sigma: law.sigma, cells, beyond: 1.0 + 0.1 / width * 1.000_001, left })
    }

    /// A bound on the integral of the size at an angle, of which the sine and the cosine are at least these; for every height from `height` on.
    fn at(&self, height: f64, (angle, sine, cosine): (f64, f64, f64)) -> f64 {
        let shift = angle * self.sigma;
        let grown = shift * shift / 2.0 * 1.000_001;
        let turned = height * sine * 0.999_999;
        let mut sum = 0.0;
        let mut last = 0.0;
        for Cell { mass, log_mean, share, far } in &self.cells {
            let kept = far * (1.0 - cosine) * 1.000_001;
            let logarithm = grown + mass + kept + Cut::most_dropped(*log_mean, cosine) - turned * share;
            last = exp_near(if logarithm < -690.0 { -690.0 } else { logarithm });
            sum += last;
        }
        // What is not among the cells is below e^-690 each before it is turned, which adds less than `grown` and 20, and some 4,000.
        let grown = exp_near(grown);
        (sum + last * self.beyond + self.left * grown + 1e-287 * grown) * 1.000_001
    }

    /// A bound on the size of the transform of large losses from a height on, over `e^scale`.
    pub(super) fn fallen(&self, height: f64) -> f64 {
        ANGLES.iter().skip(1).map(|angle| self.at(height, *angle)).fold(f64::INFINITY, f64::min)
    }
}

/// The values on a line, over `e^scale`.
pub(super) struct Split {
    pub(super) near: Vec<Disk>,
    pub(super) large: Vec<Disk>,
}

/// One point of the rule as it moves up the line.
struct Moving {
    at: Disk,
    step: Disk,
    leap: Disk,
}

/// A path `y = x + i a`, and the rule's step along it with what it leaves out of either part.
struct Path {
    turn: f64,
    step: f64,
    near_error: f64,
    large_error: f64,
}

impl Path {
    /// The strip's upper edge at one of the angles, its lower one the real line: `2 pi b/h` is then at least X with `N e^-X` small enough for both parts. N is the integral of the size
    /// at the upper edge, where it is greatest.
    fn new(
        law: &SampledGaussian,
        (tilt, cut, scale): (f64, Cut, f64),
        large: &Large,
        goals: (f64, f64),
    ) -> Option<Self> {
        let kept = SampledGaussian { cut: Some(cut), ..*law }.turned(tilt, scale)?;
        let mut best: Option<Self> = None;
        for angle in ANGLES {
            let Some((_, kept)) = kept.iter().find(|(most, _)| angle.0 <= *most) else { continue };
            let shift = angle.0 * law.sigma;
            let near = kept + shift * shift / 2.0;
            let large = large.at(0.0, angle);
            let half_width = shift / 2.0;
            let most = (near - goals.0).max(large.ln() - goals.1 + 3.0).max(12.0);
            let step = f64::from_bits((TAU * half_width / most).to_bits() & !0x3ff_ffff_ffff);
            if best.as_ref().is_some_and(|best| best.step >= step) || step.is_nan() || step <= 0.0 {
                continue;
            }
            // The angle as a float of turns, a little below half of the edge's.
            let reached = TAU * half_width / step * 0.999_999;
            let left_out = |logarithm: f64| 2.0 * exp_near((logarithm - reached + 1e-3).clamp(-690.0, 690.0)) * 1.001;
            best = Some(Self {
                turn: angle.0 / 2.0 / TAU,
                step,
                near_error: left_out(near),
                large_error: left_out(0.0) * large,
            });
        }
        best
    }
}

/// Both parts on a line; `scale` is the logarithm of about the whole at its foot, and `goals` are logarithms of small errors for either part.
pub(super) fn split(
    law: &SampledGaussian,
    cut: Cut,
    line: &Line,
    (scale, goals): (f64, (f64, f64)),
    bound: &Large,
) -> Option<Split> {
    let path = Path::new(law, (line.tilt, cut, scale), bound, goals)?;
    let points = Points::new(law, cut, line, scale, &path);
    let (left, right) = law.window(line.tilt);
    let (first, last) = ((left / path.step).ceil(), (right / path.step).ceil());
    if first.is_nan() || last.is_nan() || first + last > 8192.0 {
        return None;
    }
    let (mut near, mut large) = (Vec::new(), Vec::new());
    // What lies beyond the ends falls by 10 a unit on the right, where next to nothing is kept, and is nothing on the left.
    if points.log_mean(right) < 4.0 {
        return None;
    }
    let grown = exp_near(points.shift * points.shift / 2.0 * 1.000_001);
    let mut near_error = path.near_error + exp_near((-51.0 - scale).clamp(-690.0, 690.0)) * grown;
    let mut large_error = path.large_error + bound.left * grown;
    let mut index = -first;
    let (mut last_near, mut last_large) = (f64::INFINITY, f64::INFINITY);
    while index <= last {
        let x = index * path.step;
        index += 1.0;
        let (kept, dropped) = points.rough(x);
        (last_near, last_large) = (exp_near(kept.clamp(-690.0, 690.0)), exp_near(dropped.clamp(-690.0, 690.0)));
        let (is_near, is_large) = (kept > goals.0 - 6.0, dropped > goals.1 - 6.0);
        if is_near || is_large {
            let (kept, dropped, step, leap) = points.at(x)?;
            if is_near {
                near.push(Moving { at: kept, step, leap });
            }
            if is_large {
                large.push(Moving { at: dropped, step, leap });
            }
        }
        near_error += if is_near { 0.0 } else { last_near };
        large_error += if is_large { 0.0 } else { last_large };
    }
    let after = 1.0 + 0.1 / path.step;
    near_error = (near_error + last_near * after) * 1.000_001;
    large_error = (large_error + last_large * after) * 1.000_001;
    Some(Split { near: values(near, line.count, near_error), large: values(large, line.count, large_error) })
}

/// What is the same for all points of the rule.
struct Points<'a> {
    law: &'a SampledGaussian,
    cut: Cut,
    tilt: f64,
    turn: f64,
    shift: f64,
    mu: Ball,
    rate: Ball,
    angle: (Ball, Ball),
    two_pi: Ball,
    period: Ball,
    /// `ln(h/sqrt(2 pi)) - scale + a^2/2`.
    constant: Ball,
}

impl<'a> Points<'a> {
    fn new(law: &'a SampledGaussian, cut: Cut, line: &Line, scale: f64, path: &Path) -> Self {
        let near = |x: f64| Ball::between(x - x.abs() * 2e-15, x + x.abs() * 2e-15);
        let (cosine, sine) = turns(path.turn);
        let inverse = Ball::inverse_root_two_pi();
        let two_pi = Ball::exact(1.0).div(&inverse.mul(&inverse));
        let shift = two_pi.mul(&Ball::exact(path.turn)).mul(&Ball::exact(law.sigma));
        let constant = Ball::exact(path.step).mul(&inverse).ln().sub(&Ball::exact(scale));
        Self {
            law,
            cut,
            tilt: line.tilt,
            turn: path.turn,
            shift: shift.upper(),
            mu: Ball::exact(1.0).div(&Ball::exact(law.sigma)),
            rate: Ball::exact(law.rate),
            angle: (near(cosine), near(sine)),
            two_pi,
            period: Ball::exact(line.period),
            constant: constant.add(&shift.mul(&shift).mul(&Ball::exact(0.5))),
        }
    }

    /// An upper bound on the logarithm of |s|.
    fn log_mean(&self, x: f64) -> f64 {
        let mu = 1.0 / self.law.sigma;
        let ratio = mu * x - mu * mu / 2.0;
        ratio + self.cut.shift + (ratio.abs() + self.cut.shift.abs() + 1.0) * 1e-9
    }

    /// Upper bounds on the logarithms of the two parts' sizes, over `e^scale`.
    fn rough(&self, x: f64) -> (f64, f64) {
        let log_mean = self.log_mean(x);
        let cosine = self.angle.0.lower();
        let size = self.law.rough(self.tilt, x) - x * x / 2.0 * 0.999_999_999 + self.constant.upper();
        // e^(-s cos) times the exponential series' beginning, which is at most e^s and at most 16 s^15/15! from 16 on.
        let kept = |log_mean: f64| {
            let mean = exp_near(log_mean.min(600.0));
            mean.min((15.0 * log_mean - 25.0).max(16.0)) - mean * cosine * 0.999_999 + 1e-6
        };
        let far = self.law.cut.map_or(0.0, |cut| kept(log_mean - self.cut.shift + cut.shift));
        (size + kept(log_mean), size + far + Cut::most_dropped(log_mean, cosine))
    }

    /// What both parts weigh at a point, and by what they turn and fall from point to point of the line, and by a leap.
    fn at(&self, x: f64) -> Option<(Disk, Disk, Disk, Disk)> {
        let zero = Ball::exact(0.0);
        let (cosine, sine) = self.angle;
        let half = self.mu.mul(&self.mu).mul(&Ball::exact(0.5));
        let ratio = self.mu.mul(&Ball::exact(x)).sub(&half);
        let growth = ratio.exp().mul(&self.rate);
        // g - 1 = u + i v
        let (u, v) = (growth.mul(&cosine).sub(&self.rate), growth.mul(&sine));
        let one = Ball::exact(1.0);
        let logarithm = u.add(&u).add(&u.mul(&u)).add(&v.mul(&v)).ln_1p().mul(&Ball::exact(0.5));
        let argument = self.argument(&one.add(&u), &v)?;
        let power = Ball::exact(self.tilt).add(&one);
        let square = Ball::exact(x).mul(&Ball::exact(x)).mul(&Ball::exact(0.5));
        let size = safe_exp(&power.mul(&logarithm).sub(&square).add(&self.constant));
        let along = Ball::exact(x).mul(&Ball::exact(self.turn)).mul(&Ball::exact(self.law.sigma));
        let (turn, error) = middle(&power.mul(&argument).sub(&along));
        let weight = Disk::real(middle(&size)).mul(&circle(turn, error));
        let (kept, mut dropped) = self.cut.split(&ratio, self.angle);
        // Neither near nor far.
        if let Some(far) = &self.law.cut {
            dropped = dropped.add(&far.split(&ratio, self.angle).1.neg());
        }
        let moved = |steps: f64| {
            let share = Ball::exact(steps).div(&self.period);
            let fall = zero.sub(&self.two_pi.mul(&self.two_pi).mul(&argument).mul(&share));
            let (turn, error) = middle(&logarithm.mul(&share));
            Disk::real(middle(&safe_exp(&fall))).mul(&circle(turn, error))
        };
        Some((weight.mul(&kept), weight.mul(&dropped), moved(1.0), moved(f64::from(LEAP))))
    }

    /// The argument of `re + i im`, in turns: a float near it, and what that is off by, whose tangent is known.
    fn argument(&self, re: &Ball, im: &Ball) -> Option<Ball> {
        let near = |x: f64| Ball::between(x - x.abs() * 2e-15, x + x.abs() * 2e-15);
        let guess = im.upper().atan2(re.upper()) / TAU;
        let (cosine, sine) = turns(guess);
        let (cosine, sine) = (near(cosine), near(sine));
        let along = re.mul(&cosine).add(&im.mul(&sine));
        let off = im.mul(&cosine).sub(&re.mul(&sine)).div(&along);
        let size = off.upper().max(-off.lower());
        // |x - atan x| <= |x|^3.
        if !(along.lower() > 0.0 && size <= 1e-7) {
            return None;
        }
        let cube = size * size * size * 1.000_001;
        Some(Ball::exact(guess).add(&off.add(&Ball::between(-cube, cube)).div(&self.two_pi)))
    }
}

/// Sums of all points as they move up a line, and `error` with each.
fn values(mut points: Vec<Moving>, count: u32, mut error: f64) -> Vec<Disk> {
    let mut found = Vec::new();
    let start: f64 = points.iter().map(|point| point.at.modulus()).sum();
    let mut moving: Vec<((f64, f64), (f64, f64))> = Vec::with_capacity(points.len());
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
            radius += point.at.radius + size * f64::from(LEAP) * (point.step.radius + 3.0 * UNIT);
            sizes += size;
            moving.push(((point.at.re, point.at.im), (point.step.re, point.step.im)));
            point.at = point.at.mul(&point.leap);
        }
        let terms = f64::from(u32::try_from(points.len()).unwrap_or(u32::MAX));
        radius = (radius + sizes * (terms / 16.0 + 20.0) * UNIT) * 1.000_01 + terms * 1e-280;
        for _ in base..count.min(base + LEAP) {
            let mut lanes = [(0.0, 0.0); 16];
            for chunk in moving.chunks_mut(16) {
                for (lane, (value, step)) in lanes.iter_mut().zip(chunk) {
                    *lane = (lane.0 + value.0, lane.1 + value.1);
                    *value = (value.0 * step.0 - value.1 * step.1, value.0 * step.1 + value.1 * step.0);
                }
            }
            let (re, im) = lanes.iter().fold((0.0, 0.0), |sum, lane| (sum.0 + lane.0, sum.1 + lane.1));
            found.push(Disk::new(re, im, radius));
        }
        base += LEAP;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::sampled_gaussian::Side;
    use super::*;

    const LAWS: [(f64, f64, f64, f64); 4] =
        [(0.7, 0.001, 5.0, 0.3), (1.0, 0.01, 6.0, 0.2), (1.0, 0.1, 3.0, 0.5), (3.0, 0.002, 60.0, 0.02)];

    fn parts((sigma, rate, tilt, at): (f64, f64, f64, f64)) -> (SampledGaussian, Cut, Line, f64, Large) {
        let law = SampledGaussian { sigma, rate, side: Side::Remove, cut: None };
        let cut = Cut::at((at.exp_m1() / rate).ln_1p());
        let line = Line { tilt, period: 6.0 / tilt, count: 200 };
        let scale = law.cumulants(tilt).value;
        let large = Large::new(&law, tilt, cut, scale).unwrap();
        (law, cut, line, scale, large)
    }

    /// Both parts together are the transform, which is known along the real line; beside it they are summed at another path.
    #[test]
    fn the_parts_add_up_to_the_whole() {
        for given in LAWS {
            let (law, cut, line, scale, large) = parts(given);
            let split = split(&law, cut, &line, (scale, (-36.0, -50.0)), &large).unwrap();
            let whole = law.values(&line).unwrap();
            assert_eq!(split.near.len(), whole.disks.len());
            let factor = (whole.scale - scale).exp();
            for (n, ((near, large), whole_disk)) in
                (0..200u32).zip(split.near.iter().zip(&split.large).zip(&whole.disks))
            {
                let sum = near.add(large);
                let angle = f64::from(n) * whole.center / line.period;
                let there = whole_disk.mul(&circle(angle, 1e-13)).scale(factor);
                let off = (sum.re - there.re).hypot(sum.im - there.im);
                assert!(off <= sum.radius + there.radius + 1e-12, "{given:?} {n}: {off:e}");
                assert!(sum.radius < 1e-11, "{given:?} {n}: {:e}", sum.radius);
            }
        }
    }

    /// The bound on large losses holds, is not idle, and a twin that claims twice the person's share is caught.
    #[test]
    fn large_losses_fall_as_is_claimed() {
        let mut caught = false;
        for given in LAWS {
            let (law, cut, line, scale, large) = parts(given);
            let split = split(&law, cut, &line, (scale, (-36.0, -50.0)), &large).unwrap();
            let mut twin = Large::new(&law, line.tilt, cut, scale).unwrap();
            twin.cells.iter_mut().for_each(|cell| cell.share *= 4.0);
            for (n, disk) in (0..200u32).zip(&split.large) {
                let height = TAU * f64::from(n) / line.period;
                let least = disk.re.hypot(disk.im) - disk.radius;
                assert!(least <= large.fallen(height), "{given:?} {n}");
                caught |= least > twin.fallen(height);
            }
            assert!(large.fallen(1e5) < 1e-6 * large.fallen(0.0), "{given:?}");
            // Without what is far, as well.
            let (law, _) = law.without_far(1.0, -30.0).unwrap();
            let scale = law.cumulants(line.tilt).value;
            let large = Large::new(&law, line.tilt, cut, scale).unwrap();
            let split = super::split(&law, cut, &line, (scale, (-36.0, -50.0)), &large).unwrap();
            for (n, disk) in (0..200u32).zip(&split.large) {
                let height = TAU * f64::from(n) / line.period;
                assert!(disk.re.hypot(disk.im) - disk.radius <= large.fallen(height), "{given:?} {n}");
            }
        }
        assert!(caught);
    }

    /// What is far out is left out by a cut, and bounded.
    #[test]
    fn what_is_far_is_charged() {
        for (sigma, rate, ..) in LAWS {
            let law = SampledGaussian { sigma, rate, side: Side::Remove, cut: None };
            let (near, beyond) = law.without_far(10.0, -20.0).unwrap();
            let mass = |law: &SampledGaussian| {
                let values = law.values(&Line::point(f64::MIN_POSITIVE)).unwrap();
                let disk = values.disks[0];
                values.scale.exp() * disk.re
            };
            let lost = 10.0 * (mass(&law) - mass(&near));
            assert!(lost <= beyond + 1e-13 && beyond < 1e-7 && beyond > 0.0, "{sigma} {rate}: {lost:e} {beyond:e}");
        }
    }
}
