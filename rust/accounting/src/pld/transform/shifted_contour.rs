//! A contour that is shifted off the real axis, along which nothing oscillates, and the points of the trapezoid rule on
//! it.
//!
//! With `y = x + i a` (`x - i a` for adding) and `theta = mu a` the integrand of `E[e^(z L)]` at `z = c + i t` has the
//! factor `e^(-t A)`, where A is the imaginary part of the loss, between 0 and theta (twice for replacing): however
//! large t is, nothing oscillates that is not small, and the same points will do.
//!
//! The arguments are in `proofs/accounting/pld_lemmas.md`.

use crate::pld::{
    loss::{
        angle::{Angle, on_circle},
        sampled_gaussian::{Exponent, SampledGaussian, Side},
    },
    transform::{
        atoms::less_one,
        nodes::Nodes,
        recurrence::{LEAP, RotatingTerm},
    },
};
use indistinct_numeric::{
    Above, Below, Range,
    enclosure::{
        Ball, ComplexBall, Enclosure, UNIT_ROUNDOFF, argument, cosine_and_sine, exp_or_tiny, midpoint, one_over_two_pi,
    },
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

    /// The error of the rule, from the logarithm of the integral of the size at the edge, where it is greatest:
    /// `2/(e^X - 1)` of it.
    pub(crate) fn left_out(&self, logarithm: Above) -> Above {
        (logarithm - self.reached).exp() * 2.0 / (Below::exact(1.0) - (-self.reached).exp())
    }
}

/// Constants of all points.
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
    /// The angle, and that by which the s of the law's truncation turns.
    pub(crate) angle: Angle,
    pub(crate) angle_of_mean: Angle,
    turning: Turning,
    /// `ln(h/sqrt(2 pi)) - log_normalizer + a^2/2`.
    constant: Ball,
    /// The logarithms of what powers of g that are divided by grow by, and of what they are.
    growth_by_denominator: Above,
    growth_by_rate: Above,
    /// The square of the sine of half the angle.
    square: Above,
}

impl<'a> Integrand<'a> {
    pub(crate) fn new(law: &'a SampledGaussian, nodes: &Nodes, log_normalizer: f64, contour: &ShiftedContour) -> Self {
        let steepness = law.truncation.map_or(1.0, |truncation| truncation.steepness);
        let angle = Above::TWO_PI * contour.turn;
        let inverse = Ball::inverse_root_two_pi();
        let two_pi = Ball::exact(1.0).div(&one_over_two_pi());
        let shift = two_pi.mul(&Ball::exact(contour.turn)).mul(&Ball::exact(law.sigma));
        let constant = Ball::exact(contour.step).mul(&inverse).ln().sub(&Ball::exact(log_normalizer));
        Self {
            law,
            tilt: nodes.tilt,
            turn: contour.turn,
            shift: Above::of(&shift),
            exponent: law.exponent(),
            mu: Ball::exact(1.0).div(&Ball::exact(law.sigma)),
            rate: Ball::exact(law.rate),
            log_rate: Ball::exact(law.rate).ln(),
            angle: Angle::of_turns(contour.turn),
            angle_of_mean: Angle::of_turns(contour.turn * steepness),
            turning: Turning::new(nodes),
            constant: constant.add(&shift.mul(&shift).mul(&Ball::exact(0.5))),
            growth_by_denominator: law.growth_by_denominator(nodes.tilt, angle),
            growth_by_rate: law.growth_by_rate(nodes.tilt, angle),
            square: cosine_and_sine(contour.turn / 2.0).1.above.squared(),
        }
    }

    /// The logarithm of a point's size over `e^log_normalizer`, before a truncation.
    pub(crate) fn log_size(&self, x: f64) -> Above {
        let growth = self.growth_by_denominator.or(self.growth_by_share(x));
        let power = self.law.log_density(self.tilt, &self.exponent, x) + growth;
        power.or(self.growth_by_rate) - Range::square(x).below * 0.5 + Above::of(&self.constant)
    }

    /// For `Add`, what powers of g that are divided by grow by at a point, in logarithms:
    /// `-tilt/2 ln(1 - 4 p (1 - p) sin^2(angle/2))` for a share p of the individual in g.
    fn growth_by_share(&self, x: f64) -> Above {
        if self.law.side != Side::Add {
            return Above::UNKNOWN;
        }
        let grown = self.exponent.at(x).above.exp() * self.law.rate;
        if !grown.get().is_finite() {
            return Above::UNKNOWN;
        }
        let share = grown / (Below::exact(1.0) - self.law.rate + grown.get());
        -((-(share * 4.0 * self.square)).ln_1p() * (self.tilt / 2.0))
    }

    /// The logarithm of the densities' ratio.
    pub(crate) fn ratio(&self, x: f64) -> Ball {
        self.mu.mul(&Ball::exact(x)).sub(&self.mu.mul(&self.mu).mul(&Ball::exact(0.5)))
    }

    /// The weight of a point, before a truncation.
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
        let at = ComplexBall::real(midpoint(&size)).mul(&on_circle(&turned.add(&tilt.mul(&risen))));
        Some(self.turning.term(at, &loss, &risen))
    }

    /// The logarithm of the size of g off the real axis, and its argument in turns.
    fn mixture(&self, ratio: &Ball) -> Option<(Ball, Ball)> {
        let Angle { cosine, sine, .. } = self.angle;
        let growth = exp_or_tiny(&ratio.add(&self.log_rate));
        // g - 1 = u + i v
        let (u, v) = (growth.mul(&cosine).sub(&self.rate), growth.mul(&sine));
        logarithm_of_one_plus(&u, &v)
    }
}

/// The logarithm of the size of `1 + x + i y`, and its argument in turns; none where that is not seen.
fn logarithm_of_one_plus(x: &Ball, y: &Ball) -> Option<(Ball, Ball)> {
    let size = x.add(x).add(&x.mul(x)).add(&y.mul(y)).ln_1p().mul(&Ball::exact(0.5));
    Some((size, argument(&Ball::exact(1.0).add(x), y)?))
}

/// Constants of all points: one over the period, and that times the square of `2 pi`.
struct Turning(Ball, Ball);

impl Turning {
    fn new(nodes: &Nodes) -> Self {
        let share = Ball::exact(1.0).div(&Ball::exact(nodes.period));
        let two_pi = Ball::exact(1.0).div(&one_over_two_pi());
        Self(share, share.mul(&two_pi).mul(&two_pi))
    }

    /// A term that is multiplied by `e^(i x L)` from node to node, from L's real part and its imaginary one in turns.
    fn term(&self, at: ComplexBall, loss: &Ball, risen: &Ball) -> RotatingTerm {
        let Self(share, fall) = self;
        let (turn, fall) = (loss.mul(share), risen.mul(fall));
        let (turn_step, turn_error) = midpoint(&turn);
        let fallen = Ball::exact(0.0).sub(&fall);
        let fallen = if fallen.upper() < -690.0 { Ball::between(-1.0, -1.0 + 1e-15) } else { fallen.exp_m1() };
        // e^-f e^(i x) - 1 = (e^-f - 1) e^(i x) + (e^(i x) - 1), good to 20 units where the angle is.
        let (re, im) = less_one(turn_step);
        let radius = (Above::exact(re.abs()) + im.abs()) * (20.0 * UNIT_ROUNDOFF) + Above::exact(turn_error) * 6.3;
        let turned = ComplexBall::new(re, im, radius.get());
        let step =
            ComplexBall::real(midpoint(&fallen)).mul(&ComplexBall::on_circle(turn_step, turn_error)).add(&turned);
        // (1 + x)^2 - 1 = 2 x + x^2.
        let leap = (0..LEAP.ilog2()).fold(step, |x, _| x.add(&x).add(&x.mul(&x)));
        RotatingTerm { at, step, leap, turn, fall }
    }
}
