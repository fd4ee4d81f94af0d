//! Two bounds on one number.

use super::outward::{Above, Below};
use std::ops::{Add, Mul, Neg, Sub};

/// Bounds on either side of one number, a few units in the last place apart: coarser than a
/// [`Ball`](crate::enclosure::Ball), and a few times as fast.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    /// Not above the number.
    pub below: Below,
    /// Not below the number.
    pub above: Above,
}

impl Range {
    /// The range that holds only this float.
    #[inline]
    pub const fn exact(x: f64) -> Self {
        Self { below: Below::exact(x), above: Above::exact(x) }
    }

    /// A number that is so far from a float at most.
    #[inline]
    pub fn around(center: f64, radius: Above) -> Self {
        Self { below: Below::exact(center) - radius, above: Above::exact(center) + radius }
    }

    /// A range of the square of this float, of either sign.
    #[inline]
    pub fn square(x: f64) -> Self {
        let size = x.abs();
        Self { below: Below::exact(size).squared(), above: Above::exact(size).squared() }
    }

    /// How far the bounds are apart, at most.
    #[inline]
    pub fn width(self) -> Above {
        Above(self.above.0) - Below(self.below.0)
    }

    /// The size of the number, at most.
    #[inline]
    pub fn size(self) -> Above {
        self.above.max(-self.below)
    }

    /// The exponential.
    #[inline]
    pub fn exp(self) -> Self {
        Self { below: self.below.exp(), above: self.above.exp() }
    }

    /// `e^x - 1`.
    #[inline]
    pub fn exp_m1(self) -> Self {
        Self { below: self.below.exp_m1(), above: self.above.exp_m1() }
    }

    /// `ln(1 + x)`, for an x above -1.
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

/// With an exact number.
impl Add<f64> for Range {
    type Output = Self;

    #[inline]
    fn add(self, other: f64) -> Self {
        Self { below: self.below + other, above: self.above + other }
    }
}

/// With an exact number.
impl Sub<f64> for Range {
    type Output = Self;

    #[inline]
    fn sub(self, other: f64) -> Self {
        Self { below: self.below - other, above: self.above - other }
    }
}

/// By an exact factor, of either sign.
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
