//! Balls: a center of 106 bits, and a radius that every operation keeps large enough.

use super::double_double::DoubleDouble;
use crate::RoundedArithmetic;
use rug::Float;

/// All reals within a radius of a center, which is a sum of two floats.
///
/// The radius is computed in floats. The factors `CENTER` and `RADIUS` cover its few rounding errors and the relative
/// errors of the center, and `UNDERFLOW` covers errors from underflow. If anything overflows, the radius or the center
/// becomes infinite or NaN and stays so, and the bounds are then infinite.
#[derive(Debug, Clone, Copy)]
pub struct Ball {
    center: DoubleDouble,
    radius: f64,
}

/// A bound on the relative error of a sum or product of centers: 7 u^2 < 2^-103 is below it.
const CENTER: f64 = f64::from_bits((1023 - 102) << 52);
/// A radius is computed with fewer than 8 rounded operations on nonnegative numbers: (1 + 2^-53)^8 < 1 + 2^-49.
const RADIUS: f64 = 1.0 + f64::from_bits((1023 - 49) << 52);
/// More than underflow can lose in one operation.
const UNDERFLOW: f64 = f64::from_bits(1 << 14);

impl Ball {
    /// Contains every real.
    pub(super) const EVERYTHING: Ball = Ball { center: DoubleDouble::new(0.0), radius: f64::INFINITY };

    /// Makes a ball around a float.
    #[inline]
    pub(super) const fn new(center: f64, radius: f64) -> Self {
        Self { center: DoubleDouble::new(center), radius }
    }

    /// Makes a ball around a number known to many more than 106 bits.
    pub(super) fn from_mpfr(x: &Float) -> Self {
        let high = x.to_f64();
        let low = Float::with_val(x.prec(), x - high).to_f64();
        Self { center: DoubleDouble { high, low }, radius: high.abs() * CENTER + UNDERFLOW }
    }

    /// Returns the float nearest to the center.
    #[inline]
    pub(super) fn center(&self) -> f64 {
        self.center.high
    }

    /// Returns the radius.
    #[inline]
    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    /// Multiplies by a power of two.
    #[inline]
    pub(super) fn scale(&self, power: f64) -> Self {
        Self { center: self.center.scale(power), radius: self.radius * power + UNDERFLOW }
    }

    /// Returns a larger ball.
    #[inline]
    pub(super) fn widen(&self, by: f64) -> Self {
        Self { center: self.center, radius: (self.radius + by) * RADIUS }
    }

    #[inline]
    fn sum(&self, other: DoubleDouble, radius: f64) -> Self {
        let center = self.center.add(other);
        // The sum of two floats is exact.
        let rounding = if self.center.low == 0.0 && other.low == 0.0 { 0.0 } else { center.high.abs() * CENTER };
        Self { center, radius: (self.radius + radius + rounding) * RADIUS + UNDERFLOW }
    }
}

/// The arithmetic of [`Enclosure`](super::Enclosure), in which its functions are written.
impl Ball {
    #[inline]
    pub(super) fn exact(x: f64) -> Self {
        if x.is_finite() { Self::new(x, 0.0) } else { Self::EVERYTHING }
    }

    pub(super) fn between(lower: f64, upper: f64) -> Self {
        let center = lower + (upper - lower) / 2.0;
        Self::new(center, ((center - lower).max(upper - center)) * RADIUS + UNDERFLOW)
    }

    #[inline]
    pub(super) fn add(&self, other: &Self) -> Self {
        self.sum(other.center, other.radius)
    }

    #[inline]
    pub(super) fn sub(&self, other: &Self) -> Self {
        self.sum(other.center.neg(), other.radius)
    }

    #[inline]
    pub(super) fn mul(&self, other: &Self) -> Self {
        let center = self.center.mul(other.center);
        let (x, y) = (self.center.high.abs(), other.center.high.abs());
        let spread = (x + self.radius) * other.radius + y * self.radius;
        Self { center, radius: (spread + center.high.abs() * CENTER) * RADIUS + UNDERFLOW }
    }

    /// Any quotient `q` is correct up to the residual `self - q other`, divided by `other`.
    pub(super) fn div(&self, other: &Self) -> Self {
        let first = self.center.high / other.center.high;
        let remainder = self.sub(&other.mul(&Self::new(first, 0.0)));
        let second = remainder.center.high / other.center.high;
        let quotient = Self::new(first, 0.0).add(&Self::new(second, 0.0));
        let center = Self { radius: 0.0, ..quotient };
        let residual = self.sub(&other.mul(&center));
        let error = (residual.center.high.abs() * RADIUS + residual.radius) * RADIUS;
        // This is below the size of `other`: the factors cover the low part and rounding.
        let size = other.center.high.abs() * (2.0 - RADIUS) - other.radius * RADIUS;
        if size > 0.0 && error.is_finite() { center.widen(error / size + UNDERFLOW) } else { Self::EVERYTHING }
    }

    pub(super) fn lower(&self) -> f64 {
        let bound = self.center.low.neg_inf_sub(self.radius).and_then(|low| self.center.high.neg_inf_add(low));
        bound.unwrap_or(f64::NEG_INFINITY)
    }

    pub(super) fn upper(&self) -> f64 {
        let bound = self.center.low.inf_add(self.radius).and_then(|low| self.center.high.inf_add(low));
        bound.unwrap_or(f64::INFINITY)
    }
}
