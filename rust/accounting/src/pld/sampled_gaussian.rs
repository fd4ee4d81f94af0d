//! Gaussian noise on a random sample: its loss's transform, by the trapezoid rule with a proved error.
//!
//! With `g(y) = 1 - q + q e^(mu y - mu^2/2)`, mu = 1/sigma, and y standard normal, the laws are
//!
//! | | density of P | loss |
//! |---|---|---|
//! | remove | `phi(y) g(y)` | `ln g(y)` |
//! | add | `phi(y)` | `-ln g(y)` |
//! | replace | `phi(y) g(y)` | `ln g(y) - ln g(-y)` |
//!
//! The arguments are in `proofs/accounting/pld.md`.

use super::decay::{Cell, Decay};
use super::disk::turns;
use super::transform::{Atoms, Cumulants, Line, Values, cumulants, middle};
use indistinct_numeric::{
    RoundedMath,
    enclosure::{Ball, Enclosure},
};

/// Which of the laws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Remove,
    Add,
    Replace,
    /// A fixed size: the law of `Remove` above zero, that of `Add` below, and the rest at zero. Not smooth: it is put on a grid.
    Fixed,
}

/// Noise of standard deviation `sigma` on a sum that a person in the sample moves by 1; each is in it with probability `rate`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SampledGaussian {
    pub(super) sigma: f64,
    pub(super) rate: f64,
    pub(super) side: Side,
}

/// More quadrature points than this are not spent.
const MOST: u32 = 1 << 15;

/// Nor more terms in all sums on a line: some tenths of a second.
const MOST_TERMS: u64 = 1 << 26;

/// One point of the quadrature: the logarithm of the tilted density, the loss, and the logarithms of `p = q e^w/g(y)` and of the same at -y.
struct Point {
    density: Ball,
    loss: Ball,
    rise: Ball,
    fall: Ball,
}

impl SampledGaussian {
    /// `ln g(y)`.
    fn log_mixture(&self, exponent: &Ball) -> Ball {
        let rate = Ball::exact(self.rate);
        if exponent.lower() > 30.0 {
            let rest = Ball::exact(1.0).sub(&rate).div(&rate).mul(&Ball::exact(0.0).sub(exponent).exp());
            return rate.ln().add(exponent).add(&rest.ln_1p());
        }
        let growth = if exponent.upper() < -690.0 { Ball::between(-1.0, -1.0 + 1e-15) } else { exponent.exp_m1() };
        rate.mul(&growth).ln_1p()
    }

    fn point(&self, tilt: f64, mu: &Ball, y: f64) -> Point {
        let at = Ball::exact(y);
        let half = mu.mul(mu).mul(&Ball::exact(0.5));
        let (ahead, behind) = (mu.mul(&at).sub(&half), Ball::exact(0.0).sub(&mu.mul(&at)).sub(&half));
        let normal = at.mul(&at).mul(&Ball::exact(-0.5));
        let mixture = self.log_mixture(&ahead);
        let rise = ahead.sub(&mixture).add(&Ball::exact(self.rate).ln());
        let (base, loss, fall) = match self.side {
            Side::Remove | Side::Fixed => (normal.add(&mixture), mixture, rise),
            Side::Add => (normal, Ball::exact(0.0).sub(&mixture), rise),
            Side::Replace => {
                let other = self.log_mixture(&behind);
                let fall = behind.sub(&other).add(&Ball::exact(self.rate).ln());
                (normal.add(&mixture), mixture.sub(&other), fall)
            }
        };
        Point { density: base.add(&Ball::exact(tilt).mul(&loss)), loss, rise, fall }
    }

    /// The logarithm of the loss's slope in y, over mu.
    fn slope(&self, point: &Point) -> Ball {
        if self.side != Side::Replace {
            return point.rise;
        }
        let least = Ball::exact(-600.0);
        let share = |x: Ball| if x.upper() < -600.0 { least } else { x };
        share(point.rise).exp().add(&share(point.fall).exp()).ln()
    }

    /// Bounds on how fast the logarithm of the tilted density can grow rightwards and leftwards, beside `-y^2/2`.
    fn growth(&self, tilt: f64) -> (f64, f64) {
        let mu = 1.000_001 / self.sigma;
        match self.side {
            Side::Remove | Side::Fixed => (0.0, (tilt + 1.0) * mu),
            // Below zero, q e^w/g is at most q/(1 - q).
            Side::Add => (tilt * mu * (self.rate / (1.0 - self.rate) * 1.000_001).min(1.0), 0.0),
            Side::Replace => (0.0, (2.0 * tilt + 1.0) * mu),
        }
    }

    /// The step that keeps the trapezoid rule's error below 2^-56 of the whole up to a height: `2 pi a / X` for the best half-width a of a strip, where
    /// `X = ln(4 / error) + a^2/2 + height mu a (twice for replace) - tilt ln cos(mu a/2)` (not for remove; for add and `mu a <= pi/2`,
    /// `-tilt ln(1 - q)` if that is less).
    fn step(&self, line: &Line, height: f64) -> Option<f64> {
        let mu = 1.000_001 / self.sigma;
        let strip = (std::f64::consts::PI / mu * 0.98).min(40.0);
        let turn = if self.side == Side::Replace { 2.0 } else { 1.0 };
        let turned = |half_width: f64| {
            let cosine = turns(mu * half_width / 2.0 / std::f64::consts::TAU).0 - 1e-12;
            -line.tilt * cosine.neg_inf_ln().unwrap_or(f64::NEG_INFINITY)
        };
        let missed = -line.tilt * (-self.rate).neg_inf_ln_1p().unwrap_or(f64::NEG_INFINITY);
        let mut best = 0f64;
        for i in 1..=48u32 {
            let half_width = strip * f64::from(i) / 48.0;
            let lost = match self.side {
                Side::Remove | Side::Fixed => 0.0,
                Side::Add if mu * half_width <= std::f64::consts::FRAC_PI_2 => missed.min(turned(half_width)),
                Side::Add | Side::Replace => turned(half_width),
            };
            let need = (40.9 + half_width * half_width / 2.0 + turn * height * mu * half_width + lost) * 1.000_001;
            best = best.max(std::f64::consts::TAU * half_width / need);
        }
        // A step of few bits, so that its multiples are floats.
        let step = f64::from_bits((best * 0.999).to_bits() & !0x3ff_ffff_ffff);
        let (left, right) = self.growth(line.tilt);
        (step > 0.0 && (left + right + 20.0) / step < f64::from(MOST)).then_some(step)
    }

    /// The tilted law as points of the trapezoid rule.
    fn points(&self, line: &Line, step: f64) -> Vec<Point> {
        let mu = Ball::exact(1.0).div(&Ball::exact(self.sigma));
        let (left, right) = self.growth(line.tilt);
        let (first, last) = (((left + 10.0) / step).ceil(), ((right + 10.0) / step).ceil());
        let mut points = Vec::new();
        let mut index = -first;
        while index <= last {
            points.push(self.point(line.tilt, &mu, index * step));
            index += 1.0;
        }
        points
    }

    pub(super) fn cumulants(&self, tilt: f64) -> Cumulants {
        let mu = 1.0 / self.sigma;
        let (left, right) = self.growth(tilt);
        let step = ((left + right + 16.0) / 64.0).max(0.25).min(1.0f64.max(mu) * 0.25);
        let count = ((left + right + 16.0) / step).min(4000.0);
        let log_g = |y: f64| {
            let exponent = mu * y - mu * mu / 2.0;
            if exponent > 30.0 { exponent + self.rate.ln() } else { (self.rate * exponent.exp_m1()).ln_1p() }
        };
        let mut atoms = Vec::new();
        let mut index = 0.0;
        while index <= count {
            let y = index * step - left - 8.0;
            index += 1.0;
            let (base, loss) = match self.side {
                // Half of it: close enough for looking.
                Side::Fixed if y < mu / 2.0 => (log_g(y), 0.0),
                Side::Remove | Side::Fixed => (log_g(y), log_g(y)),
                Side::Add => (0.0, -log_g(y)),
                Side::Replace => (log_g(y), log_g(y) - log_g(-y)),
            };
            atoms.push((base + tilt * loss - y * y / 2.0, loss));
        }
        let found = cumulants(atoms.iter().copied());
        Cumulants { value: found.value + (step * 0.398_942_280_401_432_7).ln(), ..found }
    }

    /// The transform on a line; none if it would take too many points.
    pub(super) fn values(&self, line: &Line) -> Option<Values> {
        if self.side == Side::Fixed {
            return None;
        }
        let step = self.step(line, if line.count == 1 { 0.0 } else { line.height() })?;
        let points = self.points(line, step);
        let weight = Ball::exact(step).mul(&Ball::inverse_root_two_pi()).ln();
        let pairs: Vec<_> = points.iter().map(|point| (point.density.add(&weight), point.loss)).collect();
        let mut atoms = Atoms::new(&pairs);
        // The tails beyond the first and the last point: there the logarithm of the density falls by at least 10 a unit. The points that the
        // rule leaves out are below the integral that it leaves out.
        let edge = |pair: Option<&(Ball, Ball)>| {
            pair.map_or(f64::INFINITY, |(weight, _)| (weight.upper() - atoms.scale).inf_exp().unwrap_or(f64::INFINITY))
        };
        let tails = (edge(pairs.first()) + edge(pairs.last())) / step * 0.100_001;
        let total: f64 = atoms.weights.iter().sum();
        // The rule's own error is below 2^-56 of the integral.
        if !(total > 0.5 && total < 1.5 && tails + atoms.error < 0.1) {
            return None;
        }
        atoms.error += 2.0 * tails + 2f64.powi(-55);
        let terms = u64::try_from(atoms.weights.len()).ok()?;
        (terms * u64::from(line.count) <= MOST_TERMS).then(|| atoms.values(line))
    }

    /// What the tilted law is at least and at most in cells of the noise, for [`Decay`].
    pub(super) fn decay(&self, tilt: f64) -> Option<Decay> {
        if self.side == Side::Fixed {
            return None;
        }
        let line = Line::point(tilt);
        // Finer than the integral needs; a step of few bits stays one.
        let step = self.step(&line, 0.0)? / 2.0;
        let points = self.points(&line, step);
        let scale = self.cumulants(tilt).value;
        let mu = 1.000_001 / self.sigma;
        // Bounds on the second derivative of the logarithm of the density in y, and of that of the loss from above.
        let (above, below, bend) = match self.side {
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
        let constant = Ball::inverse_root_two_pi().ln().sub(&Ball::exact(scale));
        // Densities in y on either side of the truth, and a density of the loss below it.
        let height = |point: &Point| {
            let logarithm = point.density.add(&constant);
            if logarithm.upper() < -600.0 {
                return (0.0, 1e-200);
            }
            let found = logarithm.exp();
            (found.lower().max(0.0), found.upper())
        };
        let heights: Vec<(f64, f64)> = points.iter().map(height).collect();
        // `scale` is a guess of the logarithm of the whole, which the rule's sum bounds; beyond the ends the density falls by at least 10 a unit.
        let ends =
            heights.first().map_or(f64::INFINITY, |ends| ends.1) + heights.last().map_or(f64::INFINITY, |ends| ends.1);
        let total = (heights.iter().map(|height| height.1).sum::<f64>() * step + ends) * 1.000_001;
        let least = (heights.iter().map(|height| height.0).sum::<f64>() * step - ends) * 0.999_999;
        if !(total.is_finite() && least > 0.0) {
            return None;
        }
        let mut decay = Decay { rest: ends / least * 1.000_001, sigma: self.sigma, ..Decay::default() };
        decay.power = if self.side == Side::Remove { 0.0 } else { tilt / 2.0 };
        let is_double = self.side == Side::Replace;
        let part = |logarithm: &Ball| {
            if logarithm.upper() < -600.0 {
                (0.0, 1e-200)
            } else {
                (logarithm.exp().lower(), logarithm.exp().upper().min(1.0))
            }
        };
        let mut pieces = Vec::new();
        for (pair, heights) in points.windows(2).zip(heights.windows(2)) {
            let ([from, to], [first, second]) = (pair, heights) else { continue };
            let (ends, next) = (middle(&from.loss), middle(&to.loss));
            let width = ((next.0 - ends.0).abs() - ends.1 - next.1).max(0.0);
            let slope = |point: &Point, height: f64| {
                let logarithm = self.slope(point);
                let slope = if logarithm.upper() < -600.0 { 1e-200 } else { logarithm.exp().upper() };
                height / (slope * mu) * 0.999_999
            };
            pieces.push((slope(from, first.0).min(slope(to, second.0)) / bend, width * 0.999_999));
            // p grows in y.
            let ((low, _), (_, high)) = (part(&from.rise), part(&to.rise));
            let (mut share, mut spread) = (low, most_spread(low, high));
            if is_double {
                let ((low, _), (_, high)) = (part(&to.fall), part(&from.fall));
                share += low;
                spread = most_spread(low, high);
            }
            decay.cells.push(Cell {
                low: (first.0 * second.0).sqrt() * step / above / total * 0.999_999,
                high: (first.1 + second.1) / 2.0 * step * below / least * 1.000_001,
                share: share * 0.999_999,
                spread,
            });
        }
        decay.rectangles = rectangles(&pieces, total);
        Some(decay)
    }
}

/// An upper bound on `4 p (1 - p)` between two values of p.
fn most_spread(low: f64, high: f64) -> f64 {
    let at = |p: f64| 4.0 * p * (1.0 - p) * 1.000_001;
    if low < 0.5 && high > 0.5 { 1.0 } else { at(low).max(at(high)).min(1.0) }
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
