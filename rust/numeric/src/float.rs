//! The traits of outward rounding, for f64 and f32.

use crate::{Direction, Fallible, RoundedArithmetic, RoundedFrom, RoundedMath, fast, mpfr};

/// Returns the fast path's answer, or MPFR's if it has none.
#[inline]
fn fast_or(fast: Option<f64>, exact: impl FnOnce() -> Fallible<f64>) -> Fallible<f64> {
    match fast {
        Some(value) => Ok(value),
        None => exact(),
    }
}

impl RoundedArithmetic for f64 {
    #[inline]
    fn add_rounded(self, other: Self, direction: Direction) -> Fallible<Self> {
        fast_or(fast::add(self, other, direction), || mpfr::add(self, other, direction))
    }
    #[inline]
    fn sub_rounded(self, other: Self, direction: Direction) -> Fallible<Self> {
        fast_or(fast::add(self, -other, direction), || mpfr::sub(self, other, direction))
    }
    #[inline]
    fn mul_rounded(self, other: Self, direction: Direction) -> Fallible<Self> {
        fast_or(fast::mul(self, other, direction), || mpfr::mul(self, other, direction))
    }
    #[inline]
    fn div_rounded(self, other: Self, direction: Direction) -> Fallible<Self> {
        fast_or(fast::div(self, other, direction), || mpfr::div(self, other, direction))
    }
    fn powi_rounded(self, exponent: i32, direction: Direction) -> Fallible<Self> {
        mpfr::powi(self, exponent, direction)
    }
}

impl RoundedMath for f64 {
    fn powf_rounded(self, exponent: Self, direction: Direction) -> Fallible<Self> {
        mpfr::powf(self, exponent, direction)
    }
    #[inline]
    fn sqrt_rounded(self, direction: Direction) -> Fallible<Self> {
        fast_or(fast::sqrt(self, direction), || mpfr::sqrt(self, direction))
    }
    fn exp_rounded(self, direction: Direction) -> Fallible<Self> {
        mpfr::exp(self, direction)
    }
    fn exp_m1_rounded(self, direction: Direction) -> Fallible<Self> {
        mpfr::exp_m1(self, direction)
    }
    fn ln_rounded(self, direction: Direction) -> Fallible<Self> {
        mpfr::ln(self, direction)
    }
    fn ln_1p_rounded(self, direction: Direction) -> Fallible<Self> {
        mpfr::ln_1p(self, direction)
    }
    fn log2_rounded(self, direction: Direction) -> Fallible<Self> {
        mpfr::log2(self, direction)
    }
}

/// Converts an f64 result to f32 in the direction in which it was already rounded: every f32 is an f64, so rounding
/// twice in one direction equals rounding once.
fn narrow(wide: Fallible<f64>, direction: Direction) -> Fallible<f32> {
    f32::from_rounded(&wide?, direction.into())
}

impl RoundedArithmetic for f32 {
    fn add_rounded(self, other: Self, direction: Direction) -> Fallible<Self> {
        narrow(f64::from(self).add_rounded(other.into(), direction), direction)
    }
    fn sub_rounded(self, other: Self, direction: Direction) -> Fallible<Self> {
        narrow(f64::from(self).sub_rounded(other.into(), direction), direction)
    }
    fn mul_rounded(self, other: Self, direction: Direction) -> Fallible<Self> {
        narrow(f64::from(self).mul_rounded(other.into(), direction), direction)
    }
    fn div_rounded(self, other: Self, direction: Direction) -> Fallible<Self> {
        narrow(f64::from(self).div_rounded(other.into(), direction), direction)
    }
    fn powi_rounded(self, exponent: i32, direction: Direction) -> Fallible<Self> {
        narrow(f64::from(self).powi_rounded(exponent, direction), direction)
    }
}

impl RoundedMath for f32 {
    fn powf_rounded(self, exponent: Self, direction: Direction) -> Fallible<Self> {
        narrow(f64::from(self).powf_rounded(exponent.into(), direction), direction)
    }
    fn sqrt_rounded(self, direction: Direction) -> Fallible<Self> {
        narrow(f64::from(self).sqrt_rounded(direction), direction)
    }
    fn exp_rounded(self, direction: Direction) -> Fallible<Self> {
        narrow(f64::from(self).exp_rounded(direction), direction)
    }
    fn exp_m1_rounded(self, direction: Direction) -> Fallible<Self> {
        narrow(f64::from(self).exp_m1_rounded(direction), direction)
    }
    fn ln_rounded(self, direction: Direction) -> Fallible<Self> {
        narrow(f64::from(self).ln_rounded(direction), direction)
    }
    fn ln_1p_rounded(self, direction: Direction) -> Fallible<Self> {
        narrow(f64::from(self).ln_1p_rounded(direction), direction)
    }
    fn log2_rounded(self, direction: Direction) -> Fallible<Self> {
        narrow(f64::from(self).log2_rounded(direction), direction)
    }
}
