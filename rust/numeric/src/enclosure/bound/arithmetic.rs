//! Constants, sums, products and quotients of bounds.

use super::outward::{Above, Below, down, positive_part, up};
use crate::enclosure::Enclosure;
use std::{
    f64::consts::TAU,
    iter::Sum,
    ops::{Add, AddAssign, Div, Mul, Neg, Sub},
};

macro_rules! bound {
    ($name:ident, $other:ident, $round:ident, $widen:tt, $read:ident, $unknown:expr) => {
        impl $name {
            /// The bound when nothing is known.
            pub const UNKNOWN: Self = Self($unknown);

            /// Makes a bound on the number equal to this float.
            #[inline]
            pub const fn exact(x: f64) -> Self {
                Self(x)
            }

            /// Makes a bound from a float, which the caller promises to be a bound.
            #[inline]
            pub const fn promised(x: f64) -> Self {
                Self(x)
            }

            /// Makes a bound on an enclosed number.
            #[inline]
            pub fn of(enclosure: &impl Enclosure) -> Self {
                Self(enclosure.$read())
            }

            /// Makes a bound on the exact value that a float approximates after this many operations in a row, each a
            /// sum, a product or a quotient of nonnegative numbers (fewer than 2^26 operations, without underflow).
            /// Each operation has a relative error of at most 2^-53, and counts twice.
            #[inline]
            pub fn rounded(x: f64, operations: u32) -> Self {
                Self($round(x $widen x * (f64::from(operations) * f64::EPSILON)))
            }

            /// Returns the bound.
            #[inline]
            pub fn get(self) -> f64 {
                if self.0.is_nan() { $unknown } else { self.0 }
            }

            /// Returns a bound on the square root of a nonnegative number.
            #[inline]
            pub fn sqrt(self) -> Self {
                Self($round(positive_part(self.0).sqrt()))
            }

            /// Returns a bound on the square of a nonnegative number.
            #[inline]
            pub fn squared(self) -> Self {
                self * self
            }

            /// Returns a bound on a power of a nonnegative number.
            #[inline]
            pub fn power(self, exponent: u32) -> Self {
                (0..exponent).fold(Self(1.0), |power, _| power * self)
            }
        }

        impl Add for $name {
            type Output = Self;

            #[inline]
            fn add(self, other: Self) -> Self {
                Self($round(self.0 + other.0))
            }
        }

        impl Sub<$other> for $name {
            type Output = Self;

            #[inline]
            fn sub(self, other: $other) -> Self {
                Self($round(self.0 - other.0))
            }
        }

        /// Adds an exact number.
        impl Add<f64> for $name {
            type Output = Self;

            #[inline]
            fn add(self, other: f64) -> Self {
                Self($round(self.0 + other))
            }
        }

        /// Subtracts an exact number.
        impl Sub<f64> for $name {
            type Output = Self;

            #[inline]
            fn sub(self, other: f64) -> Self {
                Self($round(self.0 - other))
            }
        }

        /// Multiplies by an exact factor. A negative one would reverse the direction, so then nothing is known.
        impl Mul<f64> for $name {
            type Output = Self;

            #[inline]
            fn mul(self, factor: f64) -> Self {
                Self(if factor >= 0.0 { $round(self.0 * factor) } else { f64::NAN })
            }
        }

        /// Divides by an exact divisor. If it is not positive, nothing is known.
        impl Div<f64> for $name {
            type Output = Self;

            #[inline]
            fn div(self, divisor: f64) -> Self {
                Self(if divisor > 0.0 { $round(self.0 / divisor) } else { f64::NAN })
            }
        }

        impl Neg for $name {
            type Output = $other;

            #[inline]
            fn neg(self) -> $other {
                $other(-self.0)
            }
        }

        impl AddAssign for $name {
            #[inline]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        /// Returns a bound on a sum of nonnegative numbers. A sum of n floats has a relative error of at most n 2^-53,
        /// for n below 2^26; it counts twice, once for the whole sum.
        impl Sum for $name {
            #[inline]
            fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
                let (mut total, mut count) = (0.0, 0.0);
                for term in terms {
                    total += positive_part(term.0);
                    count += 1.0;
                }
                let charged = total * (count * f64::EPSILON);
                Self(if count < 67_108_864.0 { $round(total $widen charged) } else { f64::NAN })
            }
        }
    };
}

bound!(Above, Below, up, +, upper, f64::INFINITY);
bound!(Below, Above, down, -, lower, f64::NEG_INFINITY);

/// Returns a bound on a product of numbers of which at least one is nonnegative.
impl Mul for Above {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        // If both are negative, nothing is known.
        let is_open = self.0 < 0.0 && other.0 < 0.0;
        Self(if is_open { f64::NAN } else { up(positive_part(self.0) * positive_part(other.0)) })
    }
}

/// Returns a bound on a product of nonnegative numbers.
impl Mul for Below {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self(down(positive_part(self.0) * positive_part(other.0)))
    }
}

/// Divides by a positive number.
impl Div<Below> for Above {
    type Output = Self;

    #[inline]
    fn div(self, other: Below) -> Self {
        Self(if other.0 > 0.0 { up(positive_part(self.0) / other.0) } else { f64::NAN })
    }
}

/// Returns a bound on a nonnegative number divided by a positive one.
impl Div<Above> for Below {
    type Output = Self;

    #[inline]
    fn div(self, other: Above) -> Self {
        Self(if other.0 > 0.0 { down(positive_part(self.0) / other.0) } else { f64::NAN })
    }
}

impl Above {
    /// The bound 0.
    pub const ZERO: Self = Self(0.0);
    /// An upper bound on `2 pi`.
    pub const TWO_PI: Self = Self(TAU.next_up());

    /// Returns the largest relative error of this many roundings in a row: `k u/(1 - k u)` for k roundings, each with
    /// a relative error of at most `u = 2^-53`.
    #[inline]
    pub fn of_roundings(count: f64) -> Self {
        let units = Self(count) * (f64::EPSILON / 2.0);
        units / (Below(1.0) - units)
    }

    /// Returns the smaller of two upper bounds on one number.
    #[inline]
    pub fn or(self, other: Self) -> Self {
        if other.0 < self.0 || self.0.is_nan() { other } else { self }
    }

    /// Returns a bound on the larger of two numbers.
    #[inline]
    pub fn max(self, other: Self) -> Self {
        if other.0 > self.0 || other.0.is_nan() { other } else { self }
    }
}

impl Below {
    /// The bound 0.
    pub const ZERO: Self = Self(0.0);
    /// A lower bound on `2 pi`.
    pub const TWO_PI: Self = Self(TAU);

    /// Makes a bound on the difference of two nonnegative numbers, each computed with this many operations in a row, as
    /// in [`rounded`](Self::rounded). The operations and the subtraction count twice.
    #[inline]
    pub fn rounded_difference(x: f64, y: f64, operations: u32) -> Self {
        Self((x - y) - (x + y) * (f64::from(operations + 1) * f64::EPSILON))
    }

    /// Returns the larger of two lower bounds on one number.
    #[inline]
    pub fn or(self, other: Self) -> Self {
        if other.0 > self.0 || self.0.is_nan() { other } else { self }
    }

    /// Returns a bound on the smaller of two numbers.
    #[inline]
    pub fn min(self, other: Self) -> Self {
        if other.0 < self.0 || other.0.is_nan() { other } else { self }
    }
}
