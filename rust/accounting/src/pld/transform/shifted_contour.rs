//! A contour that is shifted off the real axis, along which nothing oscillates, and the points of the trapezoid rule on
//! it.
//!
//! With `y = x + i a` (`x - i a` for adding) and `theta = mu a` the integrand of `E[e^(z L)]` at `z = c + i t` has the
//! factor `e^(-t A)`, where A is the imaginary part of the loss, between 0 and theta (twice for replacing): however
//! large t is, nothing oscillates that is not small, and the same points will do.
//!
//! The arguments are in `proofs/accounting/pld_sampled_gaussian.md`.

use crate::pld::{
    loss::sampled_gaussian::{Exponent, SampledGaussian, Side},
    transform::{
        atoms::less_one,
        nodes::Nodes,
        recurrence::{LEAP, RotatingTerm},
    },
};
use indistinct_numeric::{
    Above, Below, Range,
    enclosure::{Ball, CIRCLE_ERROR, ComplexBall, Enclosure, UNIT_ROUNDOFF, exp_or_tiny, midpoint, unit_circle},
};
use std::f64::consts::TAU;

/// A contour in the middle of a strip whose lower edge is the real axis, and the rule's step along it.
#[derive(Debug)]
pub(crate) struct ShiftedContour {
    /// The angle theta in turns.
    pub(crate) turn: f64,
    pub(crate) step: f64,
    /// The strip's half-width in steps, times `2 pi`.
    reached: Below,
}

impl ShiftedContour {
    /// With the strip's upper edge at an angle, and a step for which what is left out is `e^-need` of the integral of
    /// the size there.
    pub(crate) fn new(angle: f64, sigma: f64, need: f64) -> Option<Self> {
        let turn = angle / 2.0 / TAU;
        // The distances to the lower and to the upper edge: half of the whole, but for rounding.
        let lower = Below::TWO_PI * turn * sigma;
        let upper = Below::exact(angle) * sigma - Above::TWO_PI * turn * sigma;
        let half_width = lower.min(upper);
        // A step of few bits, so that its multiples are floats.
        let step = f64::from_bits((TAU * half_width.get() / need.max(12.0)).to_bits() & !0x3ff_ffff_ffff);
        let reached = Below::TWO_PI * half_width / Above::exact(step);
        (step > 0.0 && reached.get() > 1.0).then_some(Self { turn, step, reached })
    }

    /// What the rule leaves out, from the logarithm of the integral of the size at the edge, where it is greatest:
    /// `2/(e^X - 1)` of it.
    pub(crate) fn left_out(&self, logarithm: Above) -> Above {
        (logarithm - self.reached).exp() * 2.0 / (Below::exact(1.0) - (-self.reached).exp())
    }
}

/// What is the same for all points.
pub(crate) struct Integrand<'a> {
    pub(crate) law: &'a SampledGaussian,
    tilt: f64,
    turn: f64,
    /// a.
    pub(crate) shift: Above,
    exponent: Exponent,
    mu: Ball,
    rate: Ball,
    log_rate: Ball,
    /// The cosine and the sine of the angle.
    pub(crate) angle: (Ball, Ball),
    /// One over the period, and that times the square of `2 pi`.
    moves: (Ball, Ball),
    one_over_two_pi: Ball,
    /// `ln(h/sqrt(2 pi)) - log_normalizer + a^2/2`.
    constant: Ball,
    /// The logarithms of what powers of g that are divided by grow by, and of what they are.
    growth_by_denominator: Above,
    growth_by_rate: Above,
}

impl<'a> Integrand<'a> {
    pub(crate) fn new(law: &'a SampledGaussian, nodes: &Nodes, log_normalizer: f64, contour: &ShiftedContour) -> Self {
        let (cosine, sine) = unit_circle(contour.turn);
        let angle = Above::TWO_PI * contour.turn;
        let inverse = Ball::inverse_root_two_pi();
        let one_over_two_pi = inverse.mul(&inverse);
        let two_pi = Ball::exact(1.0).div(&one_over_two_pi);
        let shift = two_pi.mul(&Ball::exact(contour.turn)).mul(&Ball::exact(law.sigma));
        let constant = Ball::exact(contour.step).mul(&inverse).ln().sub(&Ball::exact(log_normalizer));
        let share = Ball::exact(1.0).div(&Ball::exact(nodes.period));
        let moves = (share, share.mul(&two_pi).mul(&two_pi));
        Self {
            law,
            tilt: nodes.tilt,
            turn: contour.turn,
            shift: Above::of(&shift),
            exponent: law.exponent(),
            mu: Ball::exact(1.0).div(&Ball::exact(law.sigma)),
            rate: Ball::exact(law.rate),
            log_rate: Ball::exact(law.rate).ln(),
            angle: (enclosed(cosine), enclosed(sine)),
            moves,
            one_over_two_pi,
            constant: constant.add(&shift.mul(&shift).mul(&Ball::exact(0.5))),
            growth_by_denominator: law.growth_by_denominator(nodes.tilt, angle),
            growth_by_rate: law.growth_by_rate(nodes.tilt, angle),
        }
    }

    /// The logarithm of a point's size over `e^log_normalizer`, before a truncation.
    pub(crate) fn log_size(&self, x: f64) -> Above {
        let power = self.law.log_density(self.tilt, &self.exponent, x) + self.growth_by_denominator;
        power.or(self.growth_by_rate) - Range::square(x).below * 0.5 + Above::of(&self.constant)
    }

    /// The logarithm of the densities' ratio.
    pub(crate) fn ratio(&self, x: f64) -> Ball {
        self.mu.mul(&Ball::exact(x)).sub(&self.mu.mul(&self.mu).mul(&Ball::exact(0.5)))
    }

    /// What a point weighs, before a truncation.
    pub(crate) fn at(&self, x: f64) -> Option<RotatingTerm> {
        let zero = Ball::exact(0.0);
        let square = Ball::exact(x).mul(&Ball::exact(x)).mul(&Ball::exact(0.5));
        let along = Ball::exact(x).mul(&Ball::exact(self.turn)).mul(&Ball::exact(self.law.sigma));
        let (size, argument) = self.mixture(&self.ratio(x))?;
        // The logarithm of the loss's own size, its imaginary part in turns, and those of the density.
        let (loss, risen, base, turned) = match self.law.side {
            Side::Remove => (size, argument, size, argument.sub(&along)),
            Side::Add => (zero.sub(&size), argument, zero, along),
            Side::Replace => {
                let (other, behind) = self.mixture(&self.ratio(-x))?;
                (size.sub(&other), argument.add(&behind), size, argument.sub(&along))
            }
        };
        let tilt = Ball::exact(self.tilt);
        let size = exp_or_tiny(&base.add(&tilt.mul(&loss)).sub(&square).add(&self.constant));
        let (turn, error) = midpoint(&turned.add(&tilt.mul(&risen)));
        let (share, fall) = &self.moves;
        let (turn_step, turn_error) = midpoint(&loss.mul(share));
        let fall = zero.sub(&risen.mul(fall));
        let fallen = if fall.upper() < -690.0 { Ball::between(-1.0, -1.0 + 1e-15) } else { fall.exp_m1() };
        // e^-f e^(i x) - 1 = (e^-f - 1) e^(i x) + (e^(i x) - 1), good to 20 units where the angle is.
        let (re, im) = less_one(turn_step);
        let radius = (Above::exact(re.abs()) + im.abs()) * (20.0 * UNIT_ROUNDOFF) + Above::exact(turn_error) * 6.3;
        let turned = ComplexBall::new(re, im, radius.get());
        let step =
            ComplexBall::real(midpoint(&fallen)).mul(&ComplexBall::on_circle(turn_step, turn_error)).add(&turned);
        // (1 + x)^2 - 1 = 2 x + x^2.
        let leap = (0..LEAP.ilog2()).fold(step, |x, _| x.add(&x).add(&x.mul(&x)));
        Some(RotatingTerm {
            at: ComplexBall::real(midpoint(&size)).mul(&ComplexBall::on_circle(turn, error)),
            step,
            leap,
        })
    }

    /// The logarithm of the size of g off the real axis, and its argument in turns.
    fn mixture(&self, ratio: &Ball) -> Option<(Ball, Ball)> {
        let (cosine, sine) = self.angle;
        let growth = exp_or_tiny(&ratio.add(&self.log_rate));
        // g - 1 = u + i v
        let (u, v) = (growth.mul(&cosine).sub(&self.rate), growth.mul(&sine));
        let size = u.add(&u).add(&u.mul(&u)).add(&v.mul(&v)).ln_1p().mul(&Ball::exact(0.5));
        Some((size, self.argument(&Ball::exact(1.0).add(&u), &v)?))
    }

    /// The argument of `re + i im`, in turns: a float near it, and what that is off by, whose tangent is known.
    fn argument(&self, re: &Ball, im: &Ball) -> Option<Ball> {
        let guess = im.upper().atan2(re.upper()) / TAU;
        let (cosine, sine) = unit_circle(guess);
        let (cosine, sine) = (enclosed(cosine), enclosed(sine));
        let along = re.mul(&cosine).add(&im.mul(&sine));
        let off = im.mul(&cosine).sub(&re.mul(&sine)).div(&along);
        let size = off.upper().max(-off.lower());
        // |x - atan x| <= |x|^3.
        if !(along.lower() > 0.0 && size <= 1e-7) {
            return None;
        }
        let cube = Above::exact(size).power(3).get();
        Some(Ball::exact(guess).add(&off.add(&Ball::between(-cube, cube)).mul(&self.one_over_two_pi)))
    }
}

/// A sine or a cosine of `unit_circle`, which is within 8 units of itself.
fn enclosed(x: f64) -> Ball {
    let error = Above::exact(x.abs()) * CIRCLE_ERROR;
    Ball::between((Below::exact(x) - error).get(), (Above::exact(x) + error).get())
}
