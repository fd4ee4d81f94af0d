//! Exact arithmetic: a formula of sums, products and quotients is computed as a fraction, and rounded once.

use crate::{Error, Extended, Fallible, ToExtended};
use rug::Rational;
use std::cmp::Ordering;

/// The operations are undefined exactly where those of [`RoundedArithmetic`](crate::RoundedArithmetic) are: a nonzero
/// number divided by zero is the infinity of its sign.
///
/// ```
/// use indistinct_numeric::{RoundedFrom, ToExtended};
/// // (1/5)^2 / 2: each step rounded up gives more than the float 0.02, which is itself above 1/50.
/// let ratio = 1f64.to_extended()?.div(&5f64.to_extended()?)?;
/// let half_square = ratio.mul(&ratio)?.div(&2f64.to_extended()?)?;
/// assert_eq!(f64::inf_from(&half_square)?, 0.02);
/// # Ok::<(), indistinct_numeric::Error>(())
/// ```
impl Extended {
    /// Returns the sum.
    pub fn add(&self, other: &Self) -> Fallible<Self> {
        match (self, other) {
            (Self::Finite(x), Self::Finite(y)) => Ok(Self::Finite(Rational::from(x + y))),
            (Self::Infinity, Self::NegInfinity) | (Self::NegInfinity, Self::Infinity) => undefined("add"),
            (Self::Finite(_), infinite) | (infinite, _) => Ok(infinite.clone()),
        }
    }

    /// Returns the difference.
    pub fn sub(&self, other: &Self) -> Fallible<Self> {
        self.add(&other.negated())
    }

    /// Returns the product. Zero times infinity is undefined.
    pub fn mul(&self, other: &Self) -> Fallible<Self> {
        match (self, other) {
            (Self::Finite(x), Self::Finite(y)) => Ok(Self::Finite(Rational::from(x * y))),
            _ => infinity(self.sign(), other.sign(), "mul"),
        }
    }

    /// Returns the quotient. A nonzero number divided by zero is the infinity of its sign, and a number divided by an
    /// infinity is zero.
    pub fn div(&self, other: &Self) -> Fallible<Self> {
        match (self, other) {
            (Self::Finite(x), Self::Finite(y)) if other.sign() != Ordering::Equal => {
                Ok(Self::Finite(Rational::from(x / y)))
            }
            (Self::Finite(_), Self::Finite(_)) => infinity(self.sign(), Ordering::Greater, "div"),
            (Self::Finite(_), _) => Ok(Self::Finite(Rational::new())),
            (_, Self::Finite(_)) => infinity(self.sign(), other.sign_of_divisor(), "div"),
            _ => undefined("div"),
        }
    }

    /// Returns true if this is zero.
    pub fn is_zero(&self) -> bool {
        self.sign() == Ordering::Equal
    }

    fn negated(&self) -> Self {
        match self {
            Self::NegInfinity => Self::Infinity,
            Self::Infinity => Self::NegInfinity,
            Self::Finite(x) => Self::Finite(Rational::from(-x)),
        }
    }

    /// Returns which infinity this is: `Less` for -infinity, `Greater` for infinity, and `Equal` for a finite number.
    fn end(&self) -> Ordering {
        if matches!(self, Self::Finite(_)) { Ordering::Equal } else { self.sign() }
    }

    fn sign(&self) -> Ordering {
        match self {
            Self::NegInfinity => Ordering::Less,
            Self::Finite(x) => x.cmp0(),
            Self::Infinity => Ordering::Greater,
        }
    }

    /// Zero counts as the limit from above.
    fn sign_of_divisor(&self) -> Ordering {
        if self.is_zero() { Ordering::Greater } else { self.sign() }
    }
}

impl ToExtended for Extended {
    fn to_extended(&self) -> Fallible<Extended> {
        Ok(self.clone())
    }
}

/// The order of the numbers.
impl PartialOrd for Extended {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(match (self, other) {
            (Self::Finite(x), Self::Finite(y)) => x.cmp(y),
            _ => self.end().cmp(&other.end()),
        })
    }
}

fn undefined(operation: &'static str) -> Fallible<Extended> {
    Err(Error::Undefined { operation })
}

/// Returns the infinity with the sign of a product.
fn infinity(sign: Ordering, other: Ordering, operation: &'static str) -> Fallible<Extended> {
    match (sign, other) {
        (Ordering::Equal, _) | (_, Ordering::Equal) => undefined(operation),
        (sign, other) if sign == other => Ok(Extended::Infinity),
        _ => Ok(Extended::NegInfinity),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Direction::Down, Direction::Up, RoundedArithmetic, RoundedFrom};

    const VALUES: [f64; 13] =
        [0.0, 5e-324, 1e-310, 0.1, 1.0, 3.0, 1e16, 1e200, f64::MAX, f64::INFINITY, -0.1, -3.0, f64::NEG_INFINITY];

    /// Tests that the rounded operation equals the exact operation rounded once: in its values, in its infinities, and
    /// in the cases without a result.
    #[test]
    fn one_operation_is_the_rounded_one() {
        type Exact = fn(&Extended, &Extended) -> Fallible<Extended>;
        type Rounded = fn(f64, f64, crate::Direction) -> Fallible<f64>;
        let operations: [(Exact, Rounded); 4] = [
            (Extended::add, f64::add_rounded),
            (Extended::sub, f64::sub_rounded),
            (Extended::mul, f64::mul_rounded),
            (Extended::div, f64::div_rounded),
        ];
        for (exact, rounded) in operations {
            for (x, y) in VALUES.iter().flat_map(|x| VALUES.map(|y| (*x, y))) {
                let (left, right) = (x.to_extended().unwrap(), y.to_extended().unwrap());
                let value = exact(&left, &right);
                let up = value.clone().and_then(|value| f64::inf_from(&value));
                let down = value.and_then(|value| f64::neg_inf_from(&value));
                let same = |one: Fallible<f64>, other: Fallible<f64>| one.ok() == other.ok();
                assert!(same(up, rounded(x, y, Up)) && same(down, rounded(x, y, Down)), "{x:e} {y:e}");
            }
        }
    }

    #[test]
    fn the_order_is_that_of_the_numbers() {
        for (x, y) in VALUES.iter().flat_map(|x| VALUES.map(|y| (*x, y))) {
            assert_eq!(x.to_extended().unwrap().partial_cmp(&y.to_extended().unwrap()), x.partial_cmp(&y));
        }
    }

    /// Nothing is rounded on the way: a third of three times, what overflows on the way, and what underflows.
    #[test]
    fn only_the_end_is_rounded() {
        let exact = |x: f64| x.to_extended().unwrap();
        let third = exact(1.0).div(&exact(3.0)).unwrap();
        assert_eq!(third.mul(&exact(3.0)), Ok(exact(1.0)));
        let large = exact(f64::MAX).mul(&exact(2.0)).unwrap().div(&exact(4.0)).unwrap();
        assert_eq!(f64::exact_from(&large), Ok(f64::MAX / 2.0));
        let small = exact(1e-200).mul(&exact(1e-200)).unwrap();
        assert_eq!(f64::inf_from(&small.div(&exact(1e-200)).unwrap()), Ok(1e-200));
        assert!(exact(0.0).is_zero() && exact(-0.0).is_zero() && !small.is_zero() && !exact(f64::INFINITY).is_zero());
    }
}
