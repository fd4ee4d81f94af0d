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

/// One point of the quadrature: the logarithm of the tilted density, the loss, and the logarithm of the loss's slope in y.
struct Point {
    density: Ball,
    loss: Ball,
    slope: Ball,
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
        // The loss's slope over mu is q e^w / g(y), and the same at -y.
        let rise = ahead.sub(&mixture).add(&Ball::exact(self.rate).ln());
        let (base, loss, slope) = match self.side {
            Side::Remove | Side::Fixed => (normal.add(&mixture), mixture, rise),
            Side::Add => (normal, Ball::exact(0.0).sub(&mixture), rise),
            Side::Replace => {
                let other = self.log_mixture(&behind);
                let fall = behind.sub(&other).add(&Ball::exact(self.rate).ln());
                let least = Ball::exact(-600.0);
                let share = |x: Ball| if x.upper() < -600.0 { least } else { x };
                let slope = share(rise).exp().add(&share(fall).exp()).ln();
                (normal.add(&mixture), mixture.sub(&other), slope)
            }
        };
        Point { density: base.add(&Ball::exact(tilt).mul(&loss)), loss, slope: slope.add(&mu.ln()) }
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

    /// The step that keeps the trapezoid rule's error below 2^-53 of the whole up to a height: `2 pi a / X` for the best half-width a of a strip, where
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
            let need = (38.2 + half_width * half_width / 2.0 + turn * height * mu * half_width + lost) * 1.000_001;
            best = best.max(std::f64::consts::TAU * half_width / need);
        }
        // A step of few bits, so that its multiples are floats.
        let step = f64::from_bits((best * 0.999).to_bits() & !0x3ff_ffff_ffff);
        let (left, right) = self.growth(line.tilt);
        (step > 0.0 && (left + right + 20.0) / step < f64::from(MOST)).then_some(step)
    }

    /// The tilted law as points of the trapezoid rule, good up to a height, and their steps' density.
    fn points(&self, line: &Line, height: f64) -> Option<(f64, Vec<Point>)> {
        let step = self.step(line, height)?;
        let mu = Ball::exact(1.0).div(&Ball::exact(self.sigma));
        let (left, right) = self.growth(line.tilt);
        let (first, last) = (((left + 10.0) / step).ceil(), ((right + 10.0) / step).ceil());
        let mut points = Vec::new();
        let mut index = -first;
        while index <= last {
            points.push(self.point(line.tilt, &mu, index * step));
            index += 1.0;
        }
        Some((step, points))
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
        let (step, points) = self.points(line, if line.count == 1 { 0.0 } else { line.height() })?;
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
        // The rule's own error is below 2^-53 of the integral.
        if !(total > 0.5 && total < 1.5 && tails + atoms.error < 0.1) {
            return None;
        }
        atoms.error += 2.0 * tails + 2f64.powi(-52);
        let terms = u64::try_from(atoms.weights.len()).ok()?;
        (terms * u64::from(line.count) <= MOST_TERMS).then(|| atoms.values(line))
    }

    /// Rectangles under the tilted law's density of loss, for [`Decay`].
    pub(super) fn decay(&self, tilt: f64) -> Option<Decay> {
        if self.side == Side::Fixed {
            return None;
        }
        let line = Line::point(tilt);
        let (step, points) = self.points(&line, 0.0)?;
        let scale = self.cumulants(tilt).value;
        // Between points the logarithm of the density is above the chord by no more than this curvature allows to be below.
        let mu = 1.000_001 / self.sigma;
        let bend = match self.side {
            Side::Remove | Side::Fixed => (tilt + 2.0) * mu * mu / 4.0 - 1.0,
            Side::Add => (1.0 - tilt).max(0.0) * mu * mu / 4.0 - 1.0,
            Side::Replace => (tilt + 1.0) * mu * mu / 4.0 + 2.0 * mu * mu - 1.0,
        };
        let sag = (bend.max(0.0) * step * step / 8.0).inf_exp().ok()? * 1.000_001;
        let constant = Ball::inverse_root_two_pi().ln().sub(&Ball::exact(scale));
        let density = |point: &Point| {
            let logarithm = point.density.add(&constant).sub(&point.slope);
            if logarithm.upper() < -600.0 || logarithm.upper() > 600.0 { 0.0 } else { logarithm.exp().lower().max(0.0) }
        };
        let mut pieces = Vec::new();
        let mut before: Option<(f64, f64, f64)> = None;
        for point in &points {
            let (loss, error) = middle(&point.loss);
            let height = density(point);
            if let Some((last, last_error, last_height)) = before {
                let width = ((loss - last).abs() - error - last_error).max(0.0);
                pieces.push((height.min(last_height) / sag, width * 0.999_999));
            }
            before = Some((loss, error, height));
        }
        // `scale` is a guess of the logarithm of the whole, which the rule's sum bounds.
        let height = |point: &Point| {
            let logarithm = point.density.add(&constant);
            if logarithm.upper() < -600.0 { 1e-200 } else { logarithm.exp().upper() }
        };
        let ends = points.first().map_or(f64::INFINITY, height) + points.last().map_or(f64::INFINITY, height);
        let total = (points.iter().map(height).sum::<f64>() * step + ends) * 1.000_001;
        total.is_finite().then(|| Decay::new(&pieces, total))
    }
}

/// A law with at least the density of some nested rectangles: a bound on its characteristic function from any height on.
///
/// The part under the rectangles is a mixture of uniform laws; the rest has a characteristic function of at most its mass. So
/// `|m(t)| <= 1 - sum of w (1 - |sinc(t l/2)|)` over masses w and widths l.
#[derive(Debug, Clone, Default)]
pub(super) struct Decay(Vec<(f64, f64)>);

impl Decay {
    /// From lower bounds on the density on adjacent pieces, with their widths, and an upper bound on the law's mass.
    fn new(pieces: &[(f64, f64)], mass: f64) -> Self {
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
        Self(rectangles)
    }

    /// A lower bound on `1 - |m(t)|` for every t from `height` on.
    ///
    /// `1 - sin x/x >= x^2/6 - x^4/120` for `x >= 0` up to 2.4, and beyond that `|sin x/x|` stays below its value there.
    pub(super) fn below_one(&self, height: f64) -> f64 {
        let lost = self.0.iter().map(|(mass, width)| {
            let x = (height * width / 2.0).min(2.4);
            mass * (x * x / 6.0 - x * x * x * x / 120.0)
        });
        lost.sum::<f64>() * 0.999_999
    }
}
