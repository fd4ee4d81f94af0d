//! Exact dyadic numbers, such as sums of floats before rounding.

use crate::{Error, Fallible, Rounding, gmp};
use num::{BigInt, BigRational};
use rug::{Float, Integer, Rational, float::Round};
use std::{cmp::Ordering, fmt};

/// An exact number `mantissa * 2^exponent`.
///
/// ```
/// use indistinct_numeric::{BigInt, BigRational, Dyadic};
/// let x = Dyadic::from_f64(0.375)?;
/// assert_eq!((x.mantissa(), x.exponent()), (BigInt::from(3), -3));
/// assert_eq!(x.to_rational(), BigRational::new(3.into(), 8.into()));
/// assert_eq!(x, Dyadic::new(6, -4)?);
/// # Ok::<(), indistinct_numeric::Error>(())
/// ```
// Invariant: the mantissa is odd, or both fields are zero. Hence equal numbers have equal fields.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Dyadic {
    mantissa: Integer,
    exponent: i32,
}

impl Dyadic {
    /// Zero.
    pub const ZERO: Dyadic = Dyadic { mantissa: Integer::ZERO, exponent: 0 };

    /// The largest absolute value of an exponent that [`new`](Dyadic::new) accepts, so that aligning a number with
    /// another never needs much memory.
    pub const MAX_EXPONENT: i32 = 1 << 16;

    /// Returns `mantissa * 2^exponent`, or an error if the exponent's absolute value exceeds
    /// [`MAX_EXPONENT`](Dyadic::MAX_EXPONENT).
    pub fn new(mantissa: impl Into<BigInt>, exponent: i32) -> Fallible<Self> {
        Self::from_gmp(gmp::integer(&mantissa.into()), exponent)
    }

    #[doc(hidden)]
    pub fn from_gmp(mantissa: Integer, exponent: i32) -> Fallible<Self> {
        if exponent.unsigned_abs() > Self::MAX_EXPONENT.unsigned_abs() {
            return Err(Error::Overflow { operation: "Dyadic::new" });
        }
        let zeros = mantissa.find_one(0).unwrap_or(0);
        let overflow = Error::Overflow { operation: "Dyadic::new" };
        let odd_exponent = i32::try_from(zeros).ok().and_then(|zeros| exponent.checked_add(zeros)).ok_or(overflow)?;
        let exponent = if mantissa.is_zero() { 0 } else { odd_exponent };
        Ok(Self { mantissa: mantissa >> zeros, exponent })
    }

    /// Returns the exact value of a finite float, or an error for an infinity or NaN.
    pub fn from_f64(value: f64) -> Fallible<Self> {
        let (mantissa, exponent) = decompose(value)?;
        Self::from_gmp(mantissa.into(), exponent)
    }

    /// Returns the exact fraction, or an error if its denominator is not a power of two.
    ///
    /// The exponent has no limit here, because the fraction itself takes as many bits.
    pub fn from_rational(fraction: &BigRational) -> Fallible<Self> {
        Self::from_gmp_rational(&gmp::rational(fraction)?)
    }

    #[doc(hidden)]
    pub fn from_gmp_rational(fraction: &Rational) -> Fallible<Self> {
        let operation = "Dyadic::from_rational";
        if !fraction.denom().is_power_of_two() {
            return Err(Error::Inexact { operation });
        }
        let zeros = |part: &Integer| i32::try_from(part.find_one(0).unwrap_or(0));
        // One of the two is odd, because the fraction is in lowest terms.
        let (Ok(above), Ok(below)) = (zeros(fraction.numer()), zeros(fraction.denom())) else {
            return Err(Error::Overflow { operation });
        };
        Ok(Self { mantissa: Integer::from(fraction.numer() >> above), exponent: above - below })
    }

    /// Returns the odd part of the number (zero for zero).
    pub fn mantissa(&self) -> BigInt {
        gmp::big_int(&self.mantissa)
    }

    #[doc(hidden)]
    pub fn gmp_mantissa(&self) -> &Integer {
        &self.mantissa
    }

    /// Returns the exponent of the power of two that multiplies the odd part (zero for zero).
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// Returns the number as an exact fraction.
    pub fn to_rational(&self) -> BigRational {
        gmp::big_rational(&self.to_gmp_rational())
    }

    #[doc(hidden)]
    pub fn to_gmp_rational(&self) -> Rational {
        Rational::from(&self.mantissa) << self.exponent
    }

    /// Returns the nearest f64, ties to even; an infinity beyond the largest float.
    pub fn to_f64(&self) -> f64 {
        self.round_to_f64(Round::Nearest)
    }

    /// Returns the f64 chosen by `rounding`, or [`Error::Inexact`] for [`Rounding::Exact`] if no f64 equals the number.
    pub fn to_f64_rounded(&self, rounding: Rounding) -> Fallible<f64> {
        match rounding {
            Rounding::Up => Ok(self.round_to_f64(Round::Up)),
            Rounding::Down => Ok(self.round_to_f64(Round::Down)),
            Rounding::Nearest => Ok(self.to_f64()),
            Rounding::Exact => {
                let nearest = self.to_f64();
                let exact = Self::from_f64(nearest).is_ok_and(|back| back == *self);
                if exact { Ok(nearest) } else { Err(Error::Inexact { operation: "Dyadic::to_f64_rounded" }) }
            }
        }
    }

    /// An MPFR number with enough bits is exact, so only the conversion to f64 rounds.
    fn round_to_f64(&self, round: Round) -> f64 {
        let bits = self.mantissa.significant_bits().max(rug::float::prec_min());
        let exact = Float::with_val(bits, &self.mantissa) << self.exponent;
        exact.to_f64_round(round) + 0.0
    }
}

/// Returns the integer mantissa and the exponent of a finite float: `value = mantissa * 2^exponent` with `|mantissa| <
/// 2^53` and `-1074 <= exponent <= 971`.
pub(crate) fn decompose(value: f64) -> Fallible<(i64, i32)> {
    let operation = "Dyadic::from_f64";
    if value.is_nan() {
        return Err(Error::NotANumber { operation });
    }
    let overflow = Error::Overflow { operation };
    if value.is_infinite() {
        return Err(overflow);
    }
    let bits = value.to_bits();
    let biased = i32::try_from((bits >> 52) & 0x7ff).map_err(|_| overflow)?;
    let fraction = i64::try_from(bits & ((1 << 52) - 1)).map_err(|_| overflow)?;
    let magnitude = if biased == 0 { fraction } else { fraction | (1 << 52) };
    let mantissa = if value.is_sign_negative() { -magnitude } else { magnitude };
    Ok((mantissa, biased.max(1) - 1075))
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        let exponent = self.exponent.min(other.exponent);
        let scaled = |x: &Self| Integer::from(&x.mantissa << x.exponent.abs_diff(exponent));
        scaled(self).cmp(&scaled(other))
    }
}

impl fmt::Debug for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}*2^{}", self.mantissa, self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn extremes_survive_the_round_trip() {
        for x in [0.0, 5e-324, f64::MIN_POSITIVE, f64::MIN_POSITIVE.next_down(), f64::MAX, -1.5, -f64::MAX] {
            let exact = Dyadic::from_f64(x).unwrap();
            assert_eq!(exact.to_f64(), x);
            assert_eq!(exact.to_f64_rounded(Rounding::Exact), Ok(x));
            assert_eq!(Some(exact.to_gmp_rational()), Rational::from_f64(x));
        }
        assert!(Dyadic::from_f64(f64::NAN).is_err() && Dyadic::from_f64(f64::INFINITY).is_err());
        assert_eq!(Dyadic::from_f64(-0.0).unwrap(), Dyadic::ZERO);
        assert!(Dyadic::new(1, Dyadic::MAX_EXPONENT + 1).is_err());
        assert!(Dyadic::new(1, i32::MIN).is_err());
    }

    #[test]
    fn fractions_whose_denominators_are_powers_of_two() {
        let two = |exponent: u32| Rational::from(1) << exponent;
        for (fraction, mantissa, exponent) in [
            (Rational::new(), 0, 0),
            (Rational::from((-12, 1)), -3, 2),
            (Rational::from((3, 8)), 3, -3),
            (two(70_000), 1, 70_000),
            (-two(70_000).recip(), -1, -70_000),
        ] {
            let x = Dyadic::from_gmp_rational(&fraction).unwrap();
            assert_eq!((x.mantissa(), x.exponent()), (mantissa.into(), exponent));
            assert_eq!(x.to_gmp_rational(), fraction);
            let same = gmp::big_rational(&fraction);
            assert_eq!((x.to_rational(), Dyadic::from_rational(&same)), (same, Ok(x)));
        }
        assert!(Dyadic::from_gmp_rational(&Rational::from((1, 3))).is_err_and(|e| matches!(e, Error::Inexact { .. })));
        let raw = |denominator: i32| Dyadic::from_rational(&BigRational::new_raw(6.into(), denominator.into()));
        assert_eq!(raw(-4), Dyadic::new(-3, -1));
        assert!(raw(3).is_ok_and(|two| two == Dyadic::new(1, 1).unwrap()) && raw(9).is_err() && raw(0).is_err());
    }

    #[test]
    fn rounding_to_f64() {
        let x = Dyadic::new((1i64 << 53) + 1, 0).unwrap();
        let near = 9_007_199_254_740_992.0;
        assert_eq!(x.to_f64(), near);
        assert_eq!(x.to_f64_rounded(Rounding::Up), Ok(near + 2.0));
        assert_eq!(x.to_f64_rounded(Rounding::Down), Ok(near));
        assert!(x.to_f64_rounded(Rounding::Exact).is_err());
        let tiny = Dyadic::new(-1, -2000).unwrap();
        assert_eq!(tiny.to_f64_rounded(Rounding::Down), Ok(-5e-324));
        assert_eq!(tiny.to_f64_rounded(Rounding::Up).map(f64::to_bits), Ok(0));
    }

    proptest! {
        #[test]
        fn order_and_equality_are_those_of_the_numbers(x in any::<i32>(), e in -80..80i32, y in any::<i32>(), f in -80..80i32) {
            let (p, q) = (Dyadic::new(x, e).unwrap(), Dyadic::new(y, f).unwrap());
            prop_assert_eq!(p.cmp(&q), p.to_gmp_rational().cmp(&q.to_gmp_rational()));
            prop_assert_eq!(p == q, p.to_gmp_rational() == q.to_gmp_rational());
        }
    }
}
