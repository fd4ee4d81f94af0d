//! Points off the real axis: logarithms of complex numbers, and what a term is multiplied by from node to node.
//!
//! The arguments are in `proofs/accounting/pld_truncation.md`.

use crate::pld::{
    loss::complex::{Complex, PreciseComplex},
    transform::{
        atoms::less_one,
        nodes::Nodes,
        precise::PreciseTerm,
        recurrence::{LEAP, RotatingTerm},
    },
};
use indistinct_numeric::{
    Above,
    enclosure::{Ball, ComplexBall, Enclosure, UNIT_ROUNDOFF, argument, exp_or_tiny, midpoint, one_over_two_pi},
};

/// The logarithm of the size of `1 + x + i y`, and its argument in turns; none where that is not seen.
pub(crate) fn logarithm_of_one_plus(x: &Ball, y: &Ball) -> Option<(Ball, Ball)> {
    let size = x.add(x).add(&x.mul(x)).add(&y.mul(y)).ln_1p().mul(&Ball::exact(0.5));
    Some((size, argument(&Ball::exact(1.0).add(x), y)?))
}

/// What is the same for all points: one over the period, and that times the square of `2 pi`.
pub(crate) struct Turning(Ball, Ball);

impl Turning {
    pub(crate) fn new(nodes: &Nodes) -> Self {
        let share = Ball::exact(1.0).div(&Ball::exact(nodes.period));
        let two_pi = Ball::exact(1.0).div(&one_over_two_pi());
        Self(share, share.mul(&two_pi).mul(&two_pi))
    }

    /// A term that is multiplied by `e^(i x L)` from node to node, from L's real part and its imaginary one in turns.
    pub(crate) fn term(&self, at: ComplexBall, loss: &Ball, risen: &Ball) -> RotatingTerm {
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

    /// The same to many digits.
    pub(crate) fn precisely(&self, at: PreciseComplex, loss: &Ball, risen: &Ball) -> PreciseTerm {
        let Self(share, fall) = self;
        let fallen = exp_or_tiny(&Ball::exact(0.0).sub(&risen.mul(fall)));
        PreciseTerm { at, step: PreciseComplex::on_circle(&loss.mul(share)).scale(&fallen) }
    }
}
