//! The exact numbers used in computations, for the other crates of this project: GMP's, through the crate `rug`.
//!
//! They are not part of the interface, which uses `num`'s [`BigInt`] and [`BigRational`]. The conversions are exact.

use crate::{Error, Fallible};
use num::{BigInt, BigRational, Zero, bigint::Sign};
use rug::integer::Order;
pub use rug::{Integer, Rational};
use std::cmp::Ordering;

/// Returns the integer as GMP's type.
pub fn integer(value: &BigInt) -> Integer {
    let (sign, digits) = value.to_u64_digits();
    let size = Integer::from_digits(&digits, Order::Lsf);
    if sign == Sign::Minus { -size } else { size }
}

/// Returns the integer as `num`'s type.
pub fn big_int(value: &Integer) -> BigInt {
    let sign = match value.cmp0() {
        Ordering::Less => Sign::Minus,
        Ordering::Equal => Sign::NoSign,
        Ordering::Greater => Sign::Plus,
    };
    // The digits are those of the absolute value.
    BigInt::new(sign, value.to_digits::<u32>(Order::Lsf))
}

/// Returns the fraction as GMP's type, in lowest terms, or an error if the denominator is zero (which `Ratio::new_raw`
/// allows).
pub fn rational(value: &BigRational) -> Fallible<Rational> {
    if value.denom().is_zero() {
        return Err(Error::Undefined { operation: "conversion" });
    }
    Ok(Rational::from((integer(value.numer()), integer(value.denom()))))
}

/// Returns the fraction as `num`'s type.
pub fn big_rational(value: &Rational) -> BigRational {
    // Both keep fractions in lowest terms, with a denominator above 0.
    BigRational::new_raw(big_int(value.numer()), big_int(value.denom()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RoundedFrom;
    use proptest::prelude::*;

    /// 0, and both signs of sizes around a word, a digit of either library, and far beyond.
    fn integers() -> Vec<Integer> {
        let sizes = [1u32, 31, 32, 33, 63, 64, 65, 127, 128, 1000, 70_001].map(|bits| Integer::from(1) << bits);
        let near = sizes.into_iter().flat_map(|size| [Integer::from(&size - 1u32), Integer::from(&size + 1u32), size]);
        near.flat_map(|size| [Integer::from(-&size), size]).chain([Integer::new()]).collect()
    }

    #[test]
    fn integers_are_the_same_numbers() {
        for value in integers() {
            let other = big_int(&value);
            assert_eq!(other.to_string(), value.to_string());
            assert_eq!(integer(&other), value);
            assert_eq!(BigInt::exact_from(&value), Ok(other.clone()));
            assert_eq!(Integer::exact_from(&other), Ok(value));
        }
    }

    #[test]
    fn fractions_are_the_same_numbers_in_lowest_terms() {
        for numerator in integers().into_iter().step_by(5) {
            for denominator in integers().into_iter().step_by(4).filter(|denominator| *denominator != 0) {
                let value = Rational::from((numerator.clone(), denominator));
                let other = big_rational(&value);
                assert_eq!(other.to_string(), value.to_string());
                assert_eq!(other, BigRational::new(big_int(value.numer()), big_int(value.denom())));
                assert_eq!(rational(&other), Ok(value.clone()));
                assert_eq!(BigRational::exact_from(&value), Ok(other.clone()));
                assert_eq!(Rational::exact_from(&other), Ok(value));
            }
        }
    }

    /// `new_raw` keeps what it is given.
    #[test]
    fn fractions_not_in_lowest_terms_are_the_numbers_they_stand_for() {
        let raw = |numerator: i32, denominator: i32| BigRational::new_raw(numerator.into(), denominator.into());
        assert_eq!(rational(&raw(6, -4)), Ok(Rational::from((-3, 2))));
        assert_eq!(rational(&raw(0, -4)), Ok(Rational::new()));
        for numerator in [-1, 0, 1] {
            let undefined = Err(Error::Undefined { operation: "conversion" });
            assert_eq!(rational(&raw(numerator, 0)), undefined);
            assert_eq!(f64::inf_from(&raw(numerator, 0)).map(|_| Rational::new()), undefined);
        }
    }

    #[test]
    fn what_is_rounded_is_rounded_as_said() {
        let third = BigRational::new(1.into(), 3.into());
        assert_eq!(f64::neg_inf_from(&third), Ok(1.0 / 3.0));
        assert_eq!(f64::inf_from(&third), Ok((1f64 / 3.0).next_up()));
        assert_eq!(BigInt::inf_from(&-2.5), Ok(BigInt::from(-2)));
        assert_eq!(BigInt::neg_inf_from(&1e300).map(|n| n.bits()), Ok(997));
        assert!(BigInt::exact_from(&third).is_err() && BigRational::inf_from(&f64::INFINITY).is_err());
        assert_eq!(BigRational::exact_from(&0.375), Ok(BigRational::new(3.into(), 8.into())));
    }

    proptest! {
        #[test]
        fn arithmetic_agrees(a in any::<i128>(), b in any::<i128>(), c in any::<u64>()) {
            let fraction = |n: i128| Rational::from((n, Integer::from(c) + 1u32));
            let (x, y) = (fraction(a), fraction(b));
            let (p, q) = (big_rational(&x), big_rational(&y));
            prop_assert_eq!(rational(&(&p + &q)).unwrap(), Rational::from(&x + &y));
            prop_assert_eq!(rational(&(&p * &q)).unwrap(), Rational::from(&x * &y));
            prop_assert_eq!(p.cmp(&q), x.cmp(&y));
        }
    }
}
