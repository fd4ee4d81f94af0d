//! Exponentials and logarithms of bounds.

use super::outward::{Above, Below, down, up};
use crate::{
    RoundedMath,
    enclosure::near::{exp_m1_near, exp_near, ln_1p_near},
};

/// More than the relative error of `exp_near` and `ln_1p_near`, 2^-49, plus one rounding.
const NEAR: f64 = f64::from_bits((1023 - 48) << 52);
/// More than the relative error of `exp_m1_near`, 2^-41.
const NEAR_M1: f64 = f64::from_bits((1023 - 40) << 52);
/// `exp_near` has its error bound between minus this and this.
const GREATEST_EXPONENT: f64 = 700.0;
/// `ln_1p_near` has its error bound from here on.
const LEAST_LN_1P: f64 = -1.0 + f64::from_bits((1023 - 49) << 52);

/// Returns the largest error of `y = ln_1p_near(x)`.
#[inline]
fn ln_1p_error(x: f64, y: f64) -> f64 {
    let size = if x.abs() < 0.006 || y.abs() > 1.0 { y.abs() } else { 1.0 };
    size * NEAR
}

impl Above {
    /// Returns an upper bound on the exponential.
    #[inline]
    pub fn exp(self) -> Self {
        Self(exp_near(if self.0 < -GREATEST_EXPONENT { -GREATEST_EXPONENT } else { self.0 }) * (1.0 + NEAR))
    }

    /// Returns an upper bound on `e^x - 1`.
    #[inline]
    pub fn exp_m1(self) -> Self {
        let found = exp_m1_near(self.0);
        Self(up(found + found.abs() * NEAR_M1))
    }

    /// Returns an upper bound on the logarithm of a positive number.
    #[inline]
    pub fn ln(self) -> Self {
        Self(self.0.inf_ln().unwrap_or(f64::NAN))
    }

    /// Returns an upper bound on `ln(1 + x)`, for x > -1.
    #[inline]
    pub fn ln_1p(self) -> Self {
        let x = if self.0 < LEAST_LN_1P { LEAST_LN_1P } else { self.0 };
        let found = ln_1p_near(x);
        Self(up(found + ln_1p_error(x, found)))
    }
}

impl Below {
    /// Returns a lower bound on the exponential.
    #[inline]
    pub fn exp(self) -> Self {
        // `min` would hide a NaN.
        let x = if self.0 > GREATEST_EXPONENT { GREATEST_EXPONENT } else { self.0 };
        Self(if x.is_nan() { x } else { exp_near(x) * (1.0 - NEAR) })
    }

    /// Returns a lower bound on `e^x - 1`.
    #[inline]
    pub fn exp_m1(self) -> Self {
        let x = if self.0 > GREATEST_EXPONENT { GREATEST_EXPONENT } else { self.0 };
        let found = if x.is_nan() { x } else { exp_m1_near(x) };
        Self(down(found - found.abs() * NEAR_M1))
    }

    /// Returns a lower bound on the logarithm of a positive number.
    #[inline]
    pub fn ln(self) -> Self {
        Self(self.0.neg_inf_ln().unwrap_or(f64::NAN))
    }

    /// Returns a lower bound on `ln(1 + x)`, for x > -1.
    #[inline]
    pub fn ln_1p(self) -> Self {
        let found = ln_1p_near(self.0);
        Self(down(found - ln_1p_error(self.0, found)))
    }
}
