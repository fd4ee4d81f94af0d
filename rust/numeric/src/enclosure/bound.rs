//! Bounds that keep their direction: [`Above`] and [`Below`], floats whose arithmetic rounds outward.
//!
//! A computation of an error bound has a direction: a rounding that goes the wrong way makes it untrue. These types let
//! the compiler keep it: the sum of two upper bounds is one, the difference of an upper and a lower bound is one, and
//! an expression that mixes them up has no type. They are for slack, which needs no digits but must be large enough;
//! for narrow enclosures of numbers see [`Enclosure`](crate::enclosure::Enclosure).
//!
//! A NaN, and whatever has no bound, is read as "nothing is known": infinity above, minus infinity below.
//!
//! ```
//! use indistinct_numeric::{Above, Below};
//! // An upper bound on e^-x/(1 - e^-x) for x = 0.3.
//! let ratio = (-Below::exact(0.3)).exp();
//! let sum = ratio / (Below::exact(1.0) - ratio);
//! assert!(sum.get() >= 2.858295913 && sum.get() < 2.858295915);
//! ```

use super::{
    arithmetic::Enclosure,
    near::{exp_m1_near, exp_near, ln_1p_near},
};
use crate::RoundedMath;
use std::{
    f64::consts::TAU,
    iter::Sum,
    ops::{Add, AddAssign, Div, Mul, Neg, Sub},
};

/// A float that a real number is at most.
#[derive(Debug, Clone, Copy)]
pub struct Above(f64);

/// A float that a real number is at least.
#[derive(Debug, Clone, Copy)]
pub struct Below(f64);

/// Not below any number that rounds to `x`.
///
/// `|x|` times 2^-52 is one to two units in the last place of x, and the least normal float covers what underflows.
#[inline]
fn up(x: f64) -> f64 {
    x + (x.abs() * f64::EPSILON + f64::MIN_POSITIVE)
}

/// Not above any number that rounds to `x`.
#[inline]
fn down(x: f64) -> f64 {
    x - (x.abs() * f64::EPSILON + f64::MIN_POSITIVE)
}

/// `x`, or 0 if it is negative; a NaN stays.
#[inline]
fn positive_part(x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { x }
}

/// More than the relative error of `exp_near` and `ln_1p_near`, 2^-49, and of one rounding.
const NEAR: f64 = f64::from_bits((1023 - 48) << 52);
/// More than that of `exp_m1_near`, 2^-41.
const NEAR_M1: f64 = f64::from_bits((1023 - 40) << 52);
/// `exp_near` is known between minus this and this.
const GREATEST_EXPONENT: f64 = 700.0;
/// `ln_1p_near` is known from here on.
const LEAST_LN_1P: f64 = -1.0 + f64::from_bits((1023 - 49) << 52);

/// What `ln_1p_near(x) = y` is off by, at most.
#[inline]
fn ln_1p_error(x: f64, y: f64) -> f64 {
    let size = if x.abs() < 0.006 || y.abs() > 1.0 { y.abs() } else { 1.0 };
    size * NEAR
}

macro_rules! bound {
    ($name:ident, $other:ident, $round:ident, $widen:tt, $read:ident, $unknown:expr) => {
        impl $name {
            /// Where nothing is known.
            pub const UNKNOWN: Self = Self($unknown);

            /// Of the number that the float is.
            #[inline]
            pub const fn exact(x: f64) -> Self {
                Self(x)
            }

            /// Of a number for which the caller sees that the float is such a bound.
            #[inline]
            pub const fn promised(x: f64) -> Self {
                Self(x)
            }

            /// Of a number that is enclosed.
            #[inline]
            pub fn of(enclosure: &impl Enclosure) -> Self {
                Self(enclosure.$read())
            }

            /// Of what a float came to by so many operations in a row, each a sum, a product or a quotient of numbers
            /// that are not negative (below 2^26 of them, without underflow): each is within 2^-53 of itself, and
            /// charged twice.
            #[inline]
            pub fn rounded(x: f64, operations: u32) -> Self {
                Self($round(x $widen x * (f64::from(operations) * f64::EPSILON)))
            }

            /// The bound.
            #[inline]
            pub fn get(self) -> f64 {
                if self.0.is_nan() { $unknown } else { self.0 }
            }

            /// Of the square root of a number that is not negative.
            #[inline]
            pub fn sqrt(self) -> Self {
                Self($round(positive_part(self.0).sqrt()))
            }

            /// Of the square of a number that is not negative.
            #[inline]
            pub fn squared(self) -> Self {
                self * self
            }

            /// Of a power of a number that is not negative.
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

        /// With an exact number.
        impl Add<f64> for $name {
            type Output = Self;

            #[inline]
            fn add(self, other: f64) -> Self {
                Self($round(self.0 + other))
            }
        }

        /// With an exact number.
        impl Sub<f64> for $name {
            type Output = Self;

            #[inline]
            fn sub(self, other: f64) -> Self {
                Self($round(self.0 - other))
            }
        }

        /// By an exact factor; a negative one would turn the direction around: nothing is known.
        impl Mul<f64> for $name {
            type Output = Self;

            #[inline]
            fn mul(self, factor: f64) -> Self {
                Self(if factor >= 0.0 { $round(self.0 * factor) } else { f64::NAN })
            }
        }

        /// By an exact divisor; by one that is not positive nothing is known.
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

        /// Of numbers that are not negative. A sum of n floats is within n 2^-53 of itself, for n below 2^26: charged
        /// twice, once.
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

/// Of numbers of which one at least is not negative.
impl Mul for Above {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        // Of two that are negative nothing is known.
        let is_open = self.0 < 0.0 && other.0 < 0.0;
        Self(if is_open { f64::NAN } else { up(positive_part(self.0) * positive_part(other.0)) })
    }
}

/// Of numbers that are not negative.
impl Mul for Below {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self(down(positive_part(self.0) * positive_part(other.0)))
    }
}

/// By a positive number.
impl Div<Below> for Above {
    type Output = Self;

    #[inline]
    fn div(self, other: Below) -> Self {
        Self(if other.0 > 0.0 { up(positive_part(self.0) / other.0) } else { f64::NAN })
    }
}

/// Of a number that is not negative, by a positive one.
impl Div<Above> for Below {
    type Output = Self;

    #[inline]
    fn div(self, other: Above) -> Self {
        Self(if other.0 > 0.0 { down(positive_part(self.0) / other.0) } else { f64::NAN })
    }
}

impl Above {
    /// Nothing.
    pub const ZERO: Self = Self(0.0);
    /// Of `2 pi`.
    pub const TWO_PI: Self = Self(TAU.next_up());

    /// What so many roundings in a row make of a number at most, over its size: `k u/(1 - k u)` for k of them, each of
    /// which changes what it is by `u = 2^-53` of itself.
    #[inline]
    pub fn of_roundings(count: f64) -> Self {
        let units = Self(count) * (f64::EPSILON / 2.0);
        units / (Below(1.0) - units)
    }

    /// The lesser of two bounds on one number.
    #[inline]
    pub fn or(self, other: Self) -> Self {
        if other.0 < self.0 || self.0.is_nan() { other } else { self }
    }

    /// Of the greater of two numbers.
    #[inline]
    pub fn max(self, other: Self) -> Self {
        if other.0 > self.0 || other.0.is_nan() { other } else { self }
    }

    /// Of the exponential.
    #[inline]
    pub fn exp(self) -> Self {
        Self(exp_near(if self.0 < -GREATEST_EXPONENT { -GREATEST_EXPONENT } else { self.0 }) * (1.0 + NEAR))
    }

    /// Of `e^x - 1`.
    #[inline]
    pub fn exp_m1(self) -> Self {
        let found = exp_m1_near(self.0);
        Self(up(found + found.abs() * NEAR_M1))
    }

    /// Of the logarithm of a positive number.
    #[inline]
    pub fn ln(self) -> Self {
        Self(self.0.inf_ln().unwrap_or(f64::NAN))
    }

    /// Of `ln(1 + x)`, for an x above -1.
    #[inline]
    pub fn ln_1p(self) -> Self {
        let x = if self.0 < LEAST_LN_1P { LEAST_LN_1P } else { self.0 };
        let found = ln_1p_near(x);
        Self(up(found + ln_1p_error(x, found)))
    }
}

impl Below {
    /// Nothing.
    pub const ZERO: Self = Self(0.0);
    /// Of `2 pi`.
    pub const TWO_PI: Self = Self(TAU);

    /// Of a difference of two numbers that are not negative, from what so many operations in a row gave for each, as in
    /// [`rounded`](Self::rounded): these, and the subtraction, are charged twice.
    #[inline]
    pub fn rounded_difference(x: f64, y: f64, operations: u32) -> Self {
        Self((x - y) - (x + y) * (f64::from(operations + 1) * f64::EPSILON))
    }

    /// The greater of two bounds on one number.
    #[inline]
    pub fn or(self, other: Self) -> Self {
        if other.0 > self.0 || self.0.is_nan() { other } else { self }
    }

    /// Of the lesser of two numbers.
    #[inline]
    pub fn min(self, other: Self) -> Self {
        if other.0 < self.0 || other.0.is_nan() { other } else { self }
    }

    /// Of the exponential.
    #[inline]
    pub fn exp(self) -> Self {
        // Not `min`, which would hide a NaN.
        let x = if self.0 > GREATEST_EXPONENT { GREATEST_EXPONENT } else { self.0 };
        Self(if x.is_nan() { x } else { exp_near(x) * (1.0 - NEAR) })
    }

    /// Of `e^x - 1`.
    #[inline]
    pub fn exp_m1(self) -> Self {
        let x = if self.0 > GREATEST_EXPONENT { GREATEST_EXPONENT } else { self.0 };
        let found = if x.is_nan() { x } else { exp_m1_near(x) };
        Self(down(found - found.abs() * NEAR_M1))
    }

    /// Of the logarithm of a positive number.
    #[inline]
    pub fn ln(self) -> Self {
        Self(self.0.neg_inf_ln().unwrap_or(f64::NAN))
    }

    /// Of `ln(1 + x)`, for an x above -1.
    #[inline]
    pub fn ln_1p(self) -> Self {
        let found = ln_1p_near(self.0);
        Self(down(found - ln_1p_error(self.0, found)))
    }
}

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
    /// Of the number that the float is.
    #[inline]
    pub const fn exact(x: f64) -> Self {
        Self { below: Below::exact(x), above: Above::exact(x) }
    }

    /// A number that is so far from a float at most.
    #[inline]
    pub fn around(center: f64, radius: Above) -> Self {
        Self { below: Below::exact(center) - radius, above: Above::exact(center) + radius }
    }

    /// Of the square of the number that the float is, of either sign.
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rug::Float;

    fn float(x: f64) -> Float {
        Float::with_val(300, x)
    }

    /// Floats of all sizes and both signs.
    fn any() -> impl Strategy<Value = f64> {
        (-1.0f64..1.0, -1074i32..1023)
            .prop_map(|(x, exponent)| x * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2))
    }

    fn between(below: Below, truth: &Float, above: Above) -> bool {
        below.get() <= *truth && above.get() >= *truth
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn arithmetic_rounds_outward(x in any(), y in any()) {
            let (a, b) = ((Below::exact(x), Above::exact(x)), (Below::exact(y), Above::exact(y)));
            prop_assert!(between(a.0 + b.0, &(float(x) + y), a.1 + b.1));
            prop_assert!(between(a.0 - b.1, &(float(x) - y), a.1 - b.0));
            prop_assert!(between(a.0 + y, &(float(x) + y), a.1 + y));
            prop_assert!(between(a.0 - y, &(float(x) - y), a.1 - y));
            prop_assert!(between(-a.1, &float(-x), -a.0));
            let (size, other) = (x.abs(), y.abs());
            prop_assert!(between(a.0 * other, &(float(x) * other), a.1 * other));
            if other > 0.0 {
                prop_assert!(between(a.0 / other, &(float(x) / other), a.1 / other));
            }
            let (a, b) = ((Below::exact(size), Above::exact(size)), (Below::exact(other), Above::exact(other)));
            prop_assert!(between(a.0 * b.0, &(float(size) * other), a.1 * b.1));
            prop_assert!(between(a.0.squared(), &(float(size) * size), a.1.squared()));
            prop_assert!(between(a.0.power(3), &(float(size) * size * size), a.1.power(3)));
            prop_assert!(between(a.0.sqrt(), &float(size).sqrt(), a.1.sqrt()));
            if other > 0.0 {
                prop_assert!(between(a.0 / b.1, &(float(size) / other), a.1 / b.0));
            }
            prop_assert!((Above::exact(x) * Above::exact(other)).get() >= float(x) * other);
            let (a, b) = (Range::exact(x), Range::exact(y));
            let within = |range: Range, truth: Float| between(range.below, &truth, range.above);
            prop_assert!(within(a + b, float(x) + y) && within(a - b, float(x) - y) && within(a + y, float(x) + y));
            prop_assert!(within(a * y, float(x) * y) && within(-a - y, -float(x) - y) && a.size().get() >= size);
            prop_assert!(within(Range::square(x), float(x) * x));
            prop_assert!(within(Range::around(x, Above::exact(other)), float(x) + y) && a.width().get() >= 0.0);
        }

        #[test]
        fn functions_round_outward(x in -750.0f64..750.0, size in -60i32..9) {
            for x in [x, x * 2f64.powi(size - 9)] {
                let (a, b) = (Below::exact(x), Above::exact(x));
                prop_assert!(between(a.exp(), &float(x).exp(), b.exp()), "{}", x);
                prop_assert!(between(a.exp_m1(), &float(x).exp_m1(), b.exp_m1()), "{}", x);
                if x > 0.0 {
                    prop_assert!(between(a.ln(), &float(x).ln(), b.ln()), "{}", x);
                }
                if x > -1.0 {
                    prop_assert!(between(a.ln_1p(), &float(x).ln_1p(), b.ln_1p()), "{}", x);
                }
            }
        }

        #[test]
        fn sums_round_outward(terms in proptest::collection::vec(0.0f64..1.0, 0..300)) {
            let truth = terms.iter().fold(float(0.0), |sum, term| sum + term);
            let below: Below = terms.iter().map(|term| Below::exact(*term)).sum();
            let above: Above = terms.iter().map(|term| Above::exact(*term)).sum();
            prop_assert!(between(below, &truth, above) && above.get() - below.get() <= 1e-10);
        }
    }

    proptest! {
        #[test]
        fn products_and_sums_in_a_row_are_charged(terms in proptest::collection::vec(1e-3f64..1e3, 1..60)) {
            let (mut x, mut truth, mut operations) = (1.0, float(1.0), 0);
            for (i, term) in terms.iter().enumerate() {
                match i % 3 {
                    0 => (x, truth) = (x + term, truth + term),
                    1 => (x, truth) = (x * term, truth * term),
                    _ => (x, truth) = (x / term, truth / term),
                }
                operations += 1;
            }
            prop_assert!(between(Below::rounded(x, operations), &truth, Above::rounded(x, operations)));
            for y in [0.0, 1e-9, 1.0, x] {
                let least = Below::rounded_difference(x * y, x, operations + 1);
                prop_assert!(least.get() <= float(y) * &truth - &truth);
                let least = Below::rounded_difference(x, x * y, operations + 1);
                prop_assert!(least.get() <= Float::with_val(300, &truth) - float(y) * &truth);
            }
        }
    }

    #[test]
    fn two_pi_is_between() {
        let truth = Float::with_val(300, rug::float::Constant::Pi) * 2u32;
        assert!(between(Below::TWO_PI, &truth, Above::TWO_PI));
    }

    /// A NaN, an overflow, what has no sign that it needs: nothing is known, and it stays so.
    #[test]
    fn nothing_is_known_by_a_nan() {
        let (nan_above, nan_below) = (Above::exact(f64::NAN), Below::exact(f64::NAN));
        for above in [
            nan_above,
            nan_above * nan_above,
            nan_above.exp() + 1.0,
            nan_above.ln_1p(),
            Above::exact(1.0) * -1.0,
            Above::exact(1.0) / 0.0,
            Above::exact(1.0) / Below::exact(-1.0),
            Above::exact(1.0) / nan_below,
            Above::exact(1e300) * Above::exact(1e300),
            Above::exact(1.0) - Below::UNKNOWN,
            Above::exact(-2.0).squared(),
            Above::ZERO.max(nan_above),
            [Above::ZERO, nan_above].into_iter().sum(),
        ] {
            assert_eq!(above.get(), f64::INFINITY, "{above:?}");
        }
        for below in [
            nan_below,
            nan_below * nan_below,
            nan_below.exp(),
            nan_below.exp_m1(),
            Below::exact(1e300) * Below::exact(1e300),
            Below::exact(-2.0).ln_1p(),
            Below::exact(1.0) * -1.0,
            Below::ZERO.min(nan_below),
        ] {
            assert_eq!(below.get(), f64::NEG_INFINITY, "{below:?}");
        }
        assert_eq!(Above::exact(2.0).or(nan_above).get(), 2.0);
        assert_eq!(nan_above.or(Above::exact(2.0)).get(), 2.0);
        assert_eq!(nan_below.or(Below::exact(2.0)).get(), 2.0);
        assert!(Below::exact(1e6).exp().get() < 1.1e304 && Above::exact(1e6).exp().get() == f64::INFINITY);
    }
}
