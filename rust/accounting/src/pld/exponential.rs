//! Losses with a density of `e^(l/2)` up to a factor between -r and r: the Laplace mechanism (with atoms at the ends) and the optimal bounded range
//! mechanism.

use super::{
    disk::{Disk, UNIT, circle},
    lattice::safe_exp,
    transform::{Cumulants, Line, Values, middle},
};
use indistinct_numeric::enclosure::{Ball, Enclosure};
use std::f64::consts::TAU;

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Exponential {
    /// Laplace noise of a scale, on what one person moves by 1: r = 1/scale, half the mass at r, `e^-r/2` at -r, the rest with density `e^((l - r)/2)/4`.
    Laplace { scale: f64 },
    /// The pair whose curve is the supremum over all pairs of a range eta: r = eta, density `e^((l - eta)/2)/(2 (1 - e^-eta))`.
    BoundedRange { eta: f64 },
}

/// The masses of the tilted law's parts.
pub(super) struct Parts {
    pub(super) rate: Ball,
    /// `e^(-2 s r)`.
    pub(super) far: Ball,
    pub(super) smooth: Ball,
    /// Of the atoms at r and at -r.
    pub(super) high: Ball,
    pub(super) low: Ball,
    pub(super) whole: Ball,
}

impl Exponential {
    /// The largest loss.
    pub(super) fn radius(&self) -> Ball {
        match self {
            Self::Laplace { scale } => Ball::exact(1.0).div(&Ball::exact(*scale)),
            Self::BoundedRange { eta } => Ball::exact(*eta),
        }
    }

    /// What the density `e^((l - r)/2)` is multiplied by.
    pub(super) fn factor(&self) -> Ball {
        match self {
            Self::Laplace { .. } => Ball::exact(0.25),
            Self::BoundedRange { eta } => Ball::exact(-0.5).div(&Ball::exact(-eta).exp_m1()),
        }
    }

    /// The mass between two losses under the first law and under the second, by `2 factor e^((b - r)/2) (1 - e^((a - b)/2))` and
    /// `e^-l` times the density.
    pub(super) fn cell(&self, from: &Ball, to: &Ball) -> (Ball, Ball) {
        let (half, zero) = (Ball::exact(0.5), Ball::exact(0.0));
        let share = zero.sub(&from.sub(to).mul(&half).exp_m1()).mul(&self.factor()).mul(&Ball::exact(2.0));
        let at = |end: Ball| safe_exp(&end.sub(&self.radius()).mul(&half));
        (at(*to).mul(&share), at(zero.sub(from)).mul(&share))
    }

    /// The masses of the atoms at r and at -r, under the first law.
    pub(super) fn atoms(&self) -> Option<(Ball, Ball)> {
        matches!(self, Self::Laplace { .. })
            .then(|| (Ball::exact(0.5), safe_exp(&Ball::exact(0.0).sub(&self.radius())).mul(&Ball::exact(0.5))))
    }

    /// For a tilt c and `s = c + 1/2`, all over `e^(c r)`: atoms of 1/2 and `e^(-2 s r)/2`, if any, and the density `f e^(s (l - r))`, f the factor.
    pub(super) fn tilted(&self, tilt: f64) -> Parts {
        let (exact, one) = (Ball::exact, Ball::exact(1.0));
        let rate = exact(tilt).add(&exact(0.5));
        let far = safe_exp(&exact(-2.0).mul(&rate).mul(&self.radius()));
        let smooth = self.factor().mul(&one.sub(&far)).div(&rate);
        let high = exact(if self.atoms().is_some() { 0.5 } else { 0.0 });
        let low = high.mul(&far);
        Parts { rate, far, smooth, high, low, whole: smooth.add(&high).add(&low) }
    }

    /// `E[e^(z L)] = a e^(z r) + a e^(-(z + 1) r) + 2 f (e^(z r) - e^(-(z + 1) r)) / (2 z + 1)`, a = 1/2 for Laplace, with the factor f.
    pub(super) fn values(&self, line: &Line) -> Values {
        let (radius, exact) = (self.radius(), Ball::exact);
        let tilt = exact(line.tilt);
        // Both exponentials over the transform at the tilt, which is the scale, so that powers are about 1.
        let parts = self.tilted(line.tilt);
        let scale = middle(&tilt.mul(&radius).add(&parts.whole.ln())).0;
        let near = Disk::real(middle(&safe_exp(&tilt.mul(&radius).sub(&exact(scale)))));
        let far = exact(0.0).sub(&tilt.add(&exact(1.0)).mul(&radius)).sub(&exact(scale));
        let far = Disk::real(middle(&safe_exp(&far)));
        let atom = if self.atoms().is_some() { 0.5 } else { 0.0 };
        let twice = Disk::real(middle(&self.factor().mul(&exact(2.0))));
        let (loss, error) = middle(&radius);
        let disks = (0..line.count).map(|n| {
            let n = f64::from(n);
            let angle = n * (loss / line.period);
            let off = n * error / line.period + 3.0 * UNIT * angle.abs();
            let (ahead, behind) = (near.mul(&circle(angle, off)), far.mul(&circle(-angle, off)));
            let height = TAU * n / line.period;
            let double = 2.0 * line.tilt + 1.0;
            let divisor = Disk::new(double, 2.0 * height, UNIT * (8.0 * height + 4.0 * double));
            let smooth = ahead.add(&behind.neg()).mul(&divisor.inverse()).mul(&twice);
            ahead.add(&behind).scale(atom).add(&smooth)
        });
        Values::whole(scale, disks)
    }

    pub(super) fn cumulants(&self, tilt: f64) -> Cumulants {
        let radius = middle(&self.radius()).0;
        let factor = middle(&self.factor()).0;
        let weight = (2.0 * tilt + 1.0) * radius;
        let (atom, ends) = (if self.atoms().is_some() { 0.5 } else { 0.0 }, (-weight).exp());
        // By integrals of l^j e^((tilt + 1/2) l) over e^(tilt r), the variable from the upper end.
        let points = 64u32;
        let width = 2.0 * radius / f64::from(points);
        let (mut total, mut first, mut second) =
            (atom * (1.0 + ends), atom * radius * (1.0 - ends), atom * radius * radius * (1.0 + ends));
        let rate = tilt + 0.5;
        let cell = if rate * width < 1e-6 { width } else { -(-rate * width).exp_m1() / rate };
        for i in 0..points {
            let end = radius - width * f64::from(i);
            let mass = factor * (rate * (end - radius)).exp() * cell;
            let loss = end - (width / 2.0).min(1.0 / rate);
            total += mass;
            first += mass * loss;
            second += mass * loss * loss;
        }
        let mean = first / total;
        Cumulants {
            value: tilt * radius + total.ln(),
            slope: mean,
            curvature: (second / total - mean * mean).max(radius * radius * 1e-12),
        }
    }
}
