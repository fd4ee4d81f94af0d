//! The traits of outward rounding, for integers: results are exact or errors, and only quotients are rounded.

use crate::{Direction, Error, Fallible, RoundedArithmetic};
use std::cmp::Ordering;

/// `x^-n` for n > 0 lies in [-1, 1]: it is exact at 1 and -1, undefined at 0, and a proper fraction with x's sign
/// otherwise.
fn reciprocal_power<T: From<bool>>(
    sign: Ordering,
    magnitude_is_one: bool,
    odd: bool,
    minus_one: Option<T>,
    direction: Direction,
) -> Fallible<T> {
    let operation = "powi";
    let negative = sign == Ordering::Less && odd;
    let value = match (sign, magnitude_is_one, negative, direction) {
        (Ordering::Equal, ..) => return Err(Error::Undefined { operation }),
        (_, true, true, _) | (_, false, true, Direction::Down) => minus_one,
        (_, true, false, _) | (_, false, false, Direction::Up) => Some(T::from(true)),
        (_, false, true, Direction::Up) | (_, false, false, Direction::Down) => Some(T::from(false)),
    };
    value.ok_or(Error::Overflow { operation })
}

macro_rules! impl_integers {
    ($($integer:ty),+) => {$(
        impl RoundedArithmetic for $integer {
            fn add_rounded(self, other: Self, _: Direction) -> Fallible<Self> {
                self.checked_add(other).ok_or(Error::Overflow { operation: "add" })
            }
            fn sub_rounded(self, other: Self, _: Direction) -> Fallible<Self> {
                self.checked_sub(other).ok_or(Error::Overflow { operation: "sub" })
            }
            fn mul_rounded(self, other: Self, _: Direction) -> Fallible<Self> {
                self.checked_mul(other).ok_or(Error::Overflow { operation: "mul" })
            }
            fn div_rounded(self, other: Self, direction: Direction) -> Fallible<Self> {
                let operation = "div";
                if other == 0 {
                    return Err(Error::Undefined { operation });
                }
                let overflow = Error::Overflow { operation };
                let quotient = self.checked_div(other).ok_or(overflow)?;
                // Truncation rounded towards zero: up for a negative quotient, down for a positive one.
                let remainder = self.checked_rem(other).ok_or(overflow)?;
                let negative = remainder.cmp(&0) != other.cmp(&0);
                match direction {
                    _ if remainder == 0 => Ok(quotient),
                    Direction::Up if !negative => quotient.checked_add(1).ok_or(overflow),
                    Direction::Down if negative => quotient.checked_sub(1).ok_or(overflow),
                    _ => Ok(quotient),
                }
            }
            fn powi_rounded(self, exponent: i32, direction: Direction) -> Fallible<Self> {
                if exponent >= 0 {
                    return self.checked_pow(exponent.unsigned_abs()).ok_or(Error::Overflow { operation: "powi" });
                }
                let minus_one = <$integer>::default().checked_sub(1);
                let is_one = self == 1 || Some(self) == minus_one;
                reciprocal_power(self.cmp(&0), is_one, exponent % 2 != 0, minus_one, direction)
            }
        }
    )+};
}

impl_integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

#[cfg(test)]
mod tests {
    use crate::RoundedArithmetic;

    #[test]
    fn quotients_bracket_the_rational_for_all_of_i8() {
        for x in i8::MIN..=i8::MAX {
            for y in (i8::MIN..=i8::MAX).filter(|&y| y != 0) {
                let exact = f64::from(x) / f64::from(y);
                match (x.neg_inf_div(y), x.inf_div(y)) {
                    (Ok(low), Ok(high)) => {
                        assert_eq!(f64::from(low), exact.floor(), "{x}/{y}");
                        assert_eq!(f64::from(high), exact.ceil(), "{x}/{y}");
                    }
                    _ => assert_eq!((x, y), (i8::MIN, -1)),
                }
            }
        }
    }

    #[test]
    fn powers_bracket_the_rational() {
        for x in i8::MIN..=i8::MAX {
            for n in -5..=5 {
                let exact = f64::from(x).powi(n);
                if let Ok(high) = x.inf_powi(n) {
                    assert_eq!(f64::from(high), exact.ceil(), "{x}^{n}");
                    assert_eq!(f64::from(x.neg_inf_powi(n).unwrap()), exact.floor(), "{x}^{n}");
                } else {
                    assert!(!(-128.0..=127.0).contains(&exact), "{x}^{n}");
                }
            }
        }
        assert!(u8::MAX.inf_powi(-1).is_ok_and(|p| p == 1) && 0u8.inf_powi(-1).is_err());
    }

    #[test]
    fn sums_and_products_are_exact_or_refused() {
        for x in i8::MIN..=i8::MAX {
            for y in i8::MIN..=i8::MAX {
                assert_eq!(x.inf_add(y).ok(), i8::try_from(i16::from(x) + i16::from(y)).ok(), "{x} + {y}");
                assert_eq!(x.neg_inf_sub(y).ok(), i8::try_from(i16::from(x) - i16::from(y)).ok(), "{x} - {y}");
                assert_eq!(x.inf_mul(y).ok(), i8::try_from(i16::from(x) * i16::from(y)).ok(), "{x} {y}");
            }
        }
    }

    #[test]
    fn nothing_wraps() {
        assert!(i32::MAX.inf_add(1).is_err() && i32::MIN.neg_inf_sub(1).is_err());
        assert!(u64::MAX.inf_mul(2).is_err() && 0u64.neg_inf_sub(1).is_err());
        assert!(i64::MIN.inf_div(-1).is_err() && 1i64.inf_div(0).is_err() && 10i8.inf_powi(3).is_err());
    }
}
