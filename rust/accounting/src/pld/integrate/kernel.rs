//! `1/(z (z + 1))` at the nodes of a contour, which makes delta of a moment generating function, and the exponent that
//! is common to all nodes.

use crate::pld::loss::{
    angle::of_parts,
    finite_loss::{FiniteLoss, FiniteLosses, number},
};
use indistinct_numeric::enclosure::{Ball, ComplexBall, Enclosure, Interval, UNIT_ROUNDOFF, one_over_two_pi};
use std::f64::consts::TAU;

/// At so many nodes, where the integrand is largest, it is rounded once.
const EXACT: u32 = 128;

pub(crate) struct Kernel {
    tilt: f64,
    period: f64,
    frequency: Ball,
}

impl Kernel {
    pub(crate) fn new(tilt: f64, period: f64) -> Self {
        Self { tilt, period, frequency: Ball::exact(1.0).div(&one_over_two_pi().mul(&Ball::exact(period))) }
    }

    /// At `c + 2 pi i n/period`.
    pub(crate) fn at(&self, node: u32) -> ComplexBall {
        let (tilt, n) = (self.tilt, f64::from(node));
        if node >= EXACT {
            let frequency = TAU * n / self.period;
            let off = |real: f64| (4.0 * frequency + real) * UNIT_ROUNDOFF;
            let point = |real: f64| ComplexBall::new(real, frequency, off(real));
            return point(tilt).mul(&point(tilt + 1.0)).inverse();
        }
        let (low, one) = (Ball::exact(self.tilt), Ball::exact(1.0));
        let (high, t) = (low.add(&one), self.frequency.mul(&Ball::exact(n)));
        let square = t.mul(&t);
        let norm = low.mul(&low).add(&square).mul(&high.mul(&high).add(&square));
        let (re, im) = (low.mul(&high).sub(&square).div(&norm), t.mul(&low.add(&high)).div(&norm));
        of_parts(&re, &Ball::exact(0.0).sub(&im))
    }
}

/// The variance of the Gaussian distributions together: the variance of the loss, 1/sigma^2 each.
pub(crate) fn variance(losses: &FiniteLosses) -> Ball {
    let mut total = Ball::exact(0.0);
    for (loss, count) in losses {
        if let FiniteLoss::Gaussian { sigma } = loss {
            let square = Ball::exact(*sigma).mul(&Ball::exact(*sigma));
            total = total.add(&Ball::exact(number(*count)).div(&square));
        }
    }
    total
}

/// The sum of logarithms, each so many times.
pub(crate) fn total(logarithms: &[(Ball, u64)]) -> Interval<192> {
    type E = Interval<192>;
    logarithms.iter().fold(E::exact(0.0), |sum, (logarithm, count)| {
        sum.add(&E::between(logarithm.lower(), logarithm.upper()).mul(&E::exact(number(*count))))
    })
}

/// `log_normalizer + (variance/2) tilt (tilt + 1) - tilt epsilon` for a Gaussian variance, exactly
/// enclosed.
pub(crate) struct Exponent<'a> {
    /// The total of all losses.
    pub(crate) log_normalizer: &'a Interval<192>,
    pub(crate) variance: &'a Ball,
    pub(crate) tilt: f64,
    pub(crate) epsilon: Interval<192>,
}

impl Exponent<'_> {
    pub(crate) fn value(&self) -> Interval<192> {
        type E = Interval<192>;
        let spread = E::between(self.variance.lower(), self.variance.upper()).mul(&E::exact(0.5));
        let tilt = E::exact(self.tilt);
        self.log_normalizer.add(&spread.mul(&tilt).mul(&tilt.add(&E::exact(1.0)))).sub(&tilt.mul(&self.epsilon))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rug::{Float, float::Constant};

    /// Against 300 bits, on either side of where it is rounded once; there, to two units.
    #[test]
    fn contains_the_truth() {
        let mut worst = 0f64;
        for (tilt, period) in [(3.7, 1.3), (1e-4, 1e3), (2e5, 1e-4), (0.9, 77.0)] {
            let kernel = Kernel::new(tilt, period);
            for node in [0, 1, 5, 100, 127, 128, 129, 5000] {
                let float = |x: f64| Float::with_val(300, x);
                let t: Float = Float::with_val(300, Constant::Pi) * 2u32 * node / period;
                // The inverse of x + i y, of which the kernel is the product for z and z + 1.
                let inverse = |x: Float| {
                    let norm = x.clone().square() + t.clone().square();
                    (x / &norm, -t.clone() / norm)
                };
                let ((a, b), (c, d)) = (inverse(float(tilt)), inverse(float(tilt) + 1u32));
                let truth = (a.clone() * &c - b.clone() * &d, a * d + b * c);
                let found = kernel.at(node);
                let off = (truth.0.clone() - found.re).hypot(&(truth.1.clone() - found.im)).to_f64();
                let size = truth.0.clone().hypot(&truth.1).to_f64();
                assert!(off <= found.radius && found.radius <= 1e-14 * size, "{tilt} {node}: {off:e} {found:?}");
                if node < EXACT {
                    worst = worst.max(found.radius / size);
                }
            }
        }
        assert!(worst < 5.0 * UNIT_ROUNDOFF, "{worst:e}");
    }
}
