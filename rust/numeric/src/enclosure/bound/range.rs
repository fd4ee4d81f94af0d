//! Two bounds on one number.

use super::outward::{Above, Below};
use std::ops::{Add, Mul, Neg, Sub};

/// Bounds on both sides of one number, a few units in the last place apart. It is coarser than a
/// [`Ball`](crate::enclosure::Ball), and a few times as fast.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    /// The lower bound.
    pub below: Below,
    /// The upper bound.
    pub above: Above,
}

impl Range {
    /// Makes the range that contains only this float.
    #[inline]
    pub const fn exact(x: f64) -> Self {
        Self { below: Below::exact(x), above: Above::exact(x) }
    }

    /// Makes a range of numbers within a radius of a float.
    #[inline]
    pub fn around(center: f64, radius: Above) -> Self {
        Self { below: Below::exact(center) - radius, above: Above::exact(center) + radius }
    }

    /// Returns the range of the square of this float, of either sign.
    #[inline]
    pub fn square(x: f64) -> Self {
        let size = x.abs();
        Self { below: Below::exact(size).squared(), above: Above::exact(size).squared() }
    }

    /// Returns an upper bound on the distance between the bounds.
    #[inline]
    pub fn width(self) -> Above {
        Above(self.above.0) - Below(self.below.0)
    }

    /// Returns an upper bound on the absolute value.
    #[inline]
    pub fn size(self) -> Above {
        self.above.max(-self.below)
    }

    /// Returns the range of the exponential.
    #[inline]
    pub fn exp(self) -> Self {
        Self { below: self.below.exp(), above: self.above.exp() }
    }

    /// Returns the range of `e^x - 1`.
    #[inline]
    pub fn exp_m1(self) -> Self {
        Self { below: self.below.exp_m1(), above: self.above.exp_m1() }
    }

    /// Returns the range of `ln(1 + x)`, for an x above -1.
    #[inline]
    pub fn ln_1p(self) -> Self {
        Self { below: self.below.ln_1p(), above: self.above.ln_1p() }
    }
}

impl Add for Range {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self { below: self.below + other.below, above: self.above + other.above }
    }
}

impl Sub for Range {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { below: self.below - other.above, above: self.above - other.below }
    }
}

impl Neg for Range {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { below: -self.above, above: -self.below }
    }
}

/// Adds an exact number.
impl Add<f64> for Range {
    type Output = Self;

    #[inline]
    fn add(self, other: f64) -> Self {
        Self { below: self.below + other, above: self.above + other }
    }
}

/// Subtracts an exact number.
impl Sub<f64> for Range {
    type Output = Self;

    #[inline]
    fn sub(self, other: f64) -> Self {
        Self { below: self.below - other, above: self.above - other }
    }
}

/// Multiplies by an exact factor of either sign.
impl Mul<f64> for Range {
    type Output = Self;

    #[inline]
    fn mul(self, factor: f64) -> Self {
        if factor < 0.0 {
            let size = -factor;
            Self { below: -(self.above * size), above: -(self.below * size) }
        } else {
            Self { below: self.below * factor, above: self.above * factor }
        }
    }
}
