//! The transform of a loss with an exponential density, in closed form.

use crate::pld::{
    loss::exponential::Exponential,
    transform::nodes::{Nodes, Values},
};
use indistinct_numeric::enclosure::{Ball, ComplexBall, Enclosure, UNIT_ROUNDOFF, exp_or_tiny, midpoint};
use std::f64::consts::TAU;

impl Exponential {
    /// `E[e^(z L)] = a e^(z r) + a e^(-(z + 1) r) + 2 f (e^(z r) - e^(-(z + 1) r)) / (2 z + 1)`, a = 1/2 for Laplace,
    /// with the factor f.
    pub(crate) fn values(&self, nodes: &Nodes) -> Values {
        let (radius, exact) = (self.radius(), Ball::exact);
        let tilt = exact(nodes.tilt);
        // Both exponentials over the transform at the tilt, which is the log_normalizer, so that powers are about 1.
        let parts = self.tilted(nodes.tilt);
        let log_normalizer = midpoint(&tilt.mul(&radius).add(&parts.whole.ln())).0;
        let near = ComplexBall::real(midpoint(&exp_or_tiny(&tilt.mul(&radius).sub(&exact(log_normalizer)))));
        let far = exact(0.0).sub(&tilt.add(&exact(1.0)).mul(&radius)).sub(&exact(log_normalizer));
        let far = ComplexBall::real(midpoint(&exp_or_tiny(&far)));
        let atom = if self.atoms().is_some() { 0.5 } else { 0.0 };
        let twice = ComplexBall::real(midpoint(&self.factor().mul(&exact(2.0))));
        let (loss, error) = midpoint(&radius);
        let disks = (0..nodes.count).map(|n| {
            let n = f64::from(n);
            let angle = n * (loss / nodes.period);
            let off = n * error / nodes.period + 3.0 * UNIT_ROUNDOFF * angle.abs();
            let turn = ComplexBall::on_circle(angle, off);
            let (ahead, behind) = (near.mul(&turn), far.mul(&turn.conjugate()));
            let frequency = TAU * n / nodes.period;
            let double = 2.0 * nodes.tilt + 1.0;
            let divisor = ComplexBall::new(double, 2.0 * frequency, UNIT_ROUNDOFF * (8.0 * frequency + 4.0 * double));
            let smooth = ahead.add(&behind.neg()).mul(&divisor.inverse()).mul(&twice);
            ahead.add(&behind).scale(atom).add(&smooth)
        });
        Values::whole(log_normalizer, disks)
    }
}
