//! A path beside the real line, along which nothing oscillates, and the points of the trapezoid rule on it.
//!
//! With `y = x + i a` (`x - i a` for adding) and `theta = mu a` the integrand of `E[e^(z L)]` at `z = c + i t` has the factor `e^(-t A)`, where A is the imaginary part of
//! the loss, between 0 and theta (twice for replacing): however large t is, nothing oscillates that is not small, and the same points will do.
//!
//! The arguments are in `proofs/accounting/pld.md`.

use super::{
    disk::{Disk, UNIT, circle, turns},
    lattice::safe_exp,
    moving::{LEAP, Moving},
    sampled_gaussian::{SampledGaussian, Side},
    transform::{Line, less_one, middle},
};
use indistinct_numeric::enclosure::{Ball, Enclosure, exp_near};
use std::f64::consts::TAU;

/// A path in the middle of a strip whose lower edge is the real line, and the rule's step along it.
#[derive(Debug)]
pub(super) struct Path {
    /// The angle theta in turns.
    pub(super) turn: f64,
    pub(super) step: f64,
    /// The strip's half-width in steps, times `2 pi`: rounded down.
    reached: f64,
}

impl Path {
    /// With the strip's upper edge at an angle, and a step for which what is left out is `e^-need` of the integral of the size there.
    pub(super) fn new(angle: f64, sigma: f64, need: f64) -> Option<Self> {
        let half_width = angle * sigma / 2.0;
        // A step of few bits, so that its multiples are floats.
        let step = f64::from_bits((TAU * half_width / need.max(12.0)).to_bits() & !0x3ff_ffff_ffff);
        // The angle is a float of turns, a little below half of the edge's.
        let reached = TAU * half_width / step * 0.999_999;
        (step > 0.0 && reached.is_finite()).then_some(Self { turn: angle / 2.0 / TAU, step, reached })
    }

    /// A bound on what the rule leaves out, from the logarithm of the integral of the size at the edge, where it is greatest.
    pub(super) fn left_out(&self, logarithm: f64) -> f64 {
        2.0 * exp_near((logarithm - self.reached + 1e-3).clamp(-690.0, 690.0)) * 1.001
    }
}

/// What is the same for all points.
pub(super) struct Points<'a> {
    pub(super) law: &'a SampledGaussian,
    tilt: f64,
    turn: f64,
    /// a, rounded up.
    pub(super) shift: f64,
    mu: Ball,
    rate: Ball,
    log_rate: Ball,
    /// The cosine and the sine of the angle.
    pub(super) angle: (Ball, Ball),
    /// One over the period, and that times the square of `2 pi`.
    moves: (Ball, Ball),
    one_over_two_pi: Ball,
    /// `ln(h/sqrt(2 pi)) - scale + a^2/2`.
    constant: Ball,
    /// Bounds on the logarithm of what powers of g that are divided by grow by, and of what they are.
    divided: f64,
    missed: f64,
}

impl<'a> Points<'a> {
    pub(super) fn new(law: &'a SampledGaussian, line: &Line, scale: f64, path: &Path) -> Self {
        let (cosine, sine) = turns(path.turn);
        let inverse = Ball::inverse_root_two_pi();
        let one_over_two_pi = inverse.mul(&inverse);
        let two_pi = Ball::exact(1.0).div(&one_over_two_pi);
        let shift = two_pi.mul(&Ball::exact(path.turn)).mul(&Ball::exact(law.sigma));
        let constant = Ball::exact(path.step).mul(&inverse).ln().sub(&Ball::exact(scale));
        let share = Ball::exact(1.0).div(&Ball::exact(line.period));
        let moves = (share, share.mul(&two_pi).mul(&two_pi));
        Self {
            law,
            tilt: line.tilt,
            turn: path.turn,
            shift: shift.upper(),
            mu: Ball::exact(1.0).div(&Ball::exact(law.sigma)),
            rate: Ball::exact(law.rate),
            log_rate: Ball::exact(law.rate).ln(),
            angle: (near(cosine), near(sine)),
            moves,
            one_over_two_pi,
            constant: constant.add(&shift.mul(&shift).mul(&Ball::exact(0.5))),
            divided: law.divided(line.tilt, path.turn * TAU) * 1.000_001,
            missed: law.missed(line.tilt, path.turn * TAU) * 1.000_001,
        }
    }

    /// An upper bound on the logarithm of a point's size over `e^scale`, before what is cut.
    pub(super) fn rough(&self, x: f64) -> f64 {
        let power = (self.law.rough(self.tilt, x) + self.divided).min(self.missed);
        power - x * x / 2.0 * 0.999_999_999 + self.constant.upper() + 1e-9
    }

    /// The logarithm of the densities' ratio.
    pub(super) fn ratio(&self, x: f64) -> Ball {
        self.mu.mul(&Ball::exact(x)).sub(&self.mu.mul(&self.mu).mul(&Ball::exact(0.5)))
    }

    /// What a point weighs, before what is cut.
    pub(super) fn at(&self, x: f64) -> Option<Moving> {
        let zero = Ball::exact(0.0);
        let square = Ball::exact(x).mul(&Ball::exact(x)).mul(&Ball::exact(0.5));
        let along = Ball::exact(x).mul(&Ball::exact(self.turn)).mul(&Ball::exact(self.law.sigma));
        let (size, argument) = self.mixture(&self.ratio(x))?;
        // The logarithm of the loss's own size, its imaginary part in turns, and those of the density.
        let (loss, risen, base, turned) = match self.law.side {
            Side::Remove | Side::Fixed => (size, argument, size, argument.sub(&along)),
            Side::Add => (zero.sub(&size), argument, zero, along),
            Side::Replace => {
                let (other, behind) = self.mixture(&self.ratio(-x))?;
                (size.sub(&other), argument.add(&behind), size, argument.sub(&along))
            }
        };
        let tilt = Ball::exact(self.tilt);
        let size = safe_exp(&base.add(&tilt.mul(&loss)).sub(&square).add(&self.constant));
        let (turn, error) = middle(&turned.add(&tilt.mul(&risen)));
        let (share, fall) = &self.moves;
        let (turn_step, turn_error) = middle(&loss.mul(share));
        let fall = zero.sub(&risen.mul(fall));
        let fallen = if fall.upper() < -690.0 { Ball::between(-1.0, -1.0 + 1e-15) } else { fall.exp_m1() };
        // e^-f e^(i x) - 1 = (e^-f - 1) e^(i x) + (e^(i x) - 1), good to 20 units where the angle is.
        let (re, im) = less_one(turn_step);
        let turned = Disk::new(re, im, (re.abs() + im.abs()) * 20.0 * UNIT + turn_error * 6.3);
        let step = Disk::real(middle(&fallen)).mul(&circle(turn_step, turn_error)).add(&turned);
        // (1 + x)^2 - 1 = 2 x + x^2.
        let leap = (0..LEAP.ilog2()).fold(step, |x, _| x.add(&x).add(&x.mul(&x)));
        Some(Moving { at: Disk::real(middle(&size)).mul(&circle(turn, error)), step, leap })
    }

    /// The logarithm of the size of g beside the real line, and its argument in turns.
    fn mixture(&self, ratio: &Ball) -> Option<(Ball, Ball)> {
        let (cosine, sine) = self.angle;
        let growth = safe_exp(&ratio.add(&self.log_rate));
        // g - 1 = u + i v
        let (u, v) = (growth.mul(&cosine).sub(&self.rate), growth.mul(&sine));
        let size = u.add(&u).add(&u.mul(&u)).add(&v.mul(&v)).ln_1p().mul(&Ball::exact(0.5));
        Some((size, self.argument(&Ball::exact(1.0).add(&u), &v)?))
    }

    /// The argument of `re + i im`, in turns: a float near it, and what that is off by, whose tangent is known.
    fn argument(&self, re: &Ball, im: &Ball) -> Option<Ball> {
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
        Some(Ball::exact(guess).add(&off.add(&Ball::between(-cube, cube)).mul(&self.one_over_two_pi)))
    }
}

/// A sine or a cosine of `turns`, which is within 8 units of itself.
fn near(x: f64) -> Ball {
    Ball::between(x - x.abs() * 2e-15, x + x.abs() * 2e-15)
}
