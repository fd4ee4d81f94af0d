//! Losses with a density of `e^(l/2)` up to a factor between -r and r: the Laplace mechanism (with atoms at the ends)
//! and the optimal bounded range mechanism.

use indistinct_numeric::enclosure::{Ball, Enclosure, exp_or_tiny};

/// The two kinds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Exponential {
    /// Laplace noise of a scale, on what one individual moves by 1: r = 1/scale, half the mass at r, `e^-r/2` at -r,
    /// the rest with density `e^((l - r)/2)/4`.
    Laplace { scale: f64 },
    /// The pair whose curve is the supremum over all pairs of a range eta: r = eta, density
    /// `e^((l - eta)/2)/(2 (1 - e^-eta))`.
    BoundedRange { eta: f64 },
}

/// The masses of the tilted distribution's parts.
pub(crate) struct TiltedMasses {
    pub(crate) rate: Ball,
    /// `e^(-2 s r)`.
    pub(crate) far: Ball,
    pub(crate) smooth: Ball,
    /// The masses of the atoms at r and at -r.
    pub(crate) high: Ball,
    pub(crate) low: Ball,
    pub(crate) whole: Ball,
}

impl Exponential {
    /// The largest loss.
    pub(crate) fn radius(&self) -> Ball {
        match self {
            Self::Laplace { scale } => Ball::exact(1.0).div(&Ball::exact(*scale)),
            Self::BoundedRange { eta } => Ball::exact(*eta),
        }
    }

    /// The factor of `e^((l - r)/2)` in the density.
    pub(crate) fn factor(&self) -> Ball {
        match self {
            Self::Laplace { .. } => Ball::exact(0.25),
            Self::BoundedRange { eta } => Ball::exact(-0.5).div(&Ball::exact(-eta).exp_m1()),
        }
    }

    /// The mass between two losses under the first distribution and under the second, by
    /// `2 factor e^((b - r)/2) (1 - e^((a - b)/2))` and `e^-l` times the density.
    pub(crate) fn cell(&self, from: &Ball, to: &Ball) -> (Ball, Ball) {
        let (half, zero) = (Ball::exact(0.5), Ball::exact(0.0));
        let share = zero.sub(&from.sub(to).mul(&half).exp_m1()).mul(&self.factor()).mul(&Ball::exact(2.0));
        let at = |end: Ball| exp_or_tiny(&end.sub(&self.radius()).mul(&half));
        (at(*to).mul(&share), at(zero.sub(from)).mul(&share))
    }

    /// The masses of the atoms at r and at -r, under the first distribution.
    pub(crate) fn atoms(&self) -> Option<(Ball, Ball)> {
        matches!(self, Self::Laplace { .. })
            .then(|| (Ball::exact(0.5), exp_or_tiny(&Ball::exact(0.0).sub(&self.radius())).mul(&Ball::exact(0.5))))
    }

    /// For a tilt c and `s = c + 1/2`, all over `e^(c r)`: atoms of 1/2 and `e^(-2 s r)/2`, if any, and the density
    /// `f e^(s (l - r))`, f the factor.
    pub(crate) fn tilted(&self, tilt: f64) -> TiltedMasses {
        let (exact, one) = (Ball::exact, Ball::exact(1.0));
        let rate = exact(tilt).add(&exact(0.5));
        let far = exp_or_tiny(&exact(-2.0).mul(&rate).mul(&self.radius()));
        let smooth = self.factor().mul(&one.sub(&far)).div(&rate);
        let high = exact(if self.atoms().is_some() { 0.5 } else { 0.0 });
        let low = high.mul(&far);
        TiltedMasses { rate, far, smooth, high, low, whole: smooth.add(&high).add(&low) }
    }
}
