//! Exact amounts of privacy loss.

use crate::error::{Error, Fallible};
use num::{BigUint, Zero};
use std::{cmp::Ordering, fmt, str::FromStr};

/// A number that is 0 or more, exactly: an odd mantissa times a power of two.
///
/// Its text is `3602879701896397p-55` for the float that is written 0.1, and 0 for nothing; each number has one text,
/// and no other is read. Sums are exact, so that ten times 0.1, which is a little above a tenth, exceeds 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Amount {
    mantissa: BigUint,
    exponent: i64,
}

/// Texts of more digits are refused: no sum of charges comes near it.
const MAX_DIGITS: usize = 4096;
/// The exponents of floats and their squares, and room for sums.
const EXPONENTS: std::ops::RangeInclusive<i64> = -2148..=4096;

impl Amount {
    /// Nothing.
    pub fn zero() -> Self {
        Self { mantissa: BigUint::ZERO, exponent: 0 }
    }

    /// 1.
    pub(crate) fn one() -> Self {
        Self { mantissa: BigUint::from(1u8), exponent: 0 }
    }

    /// A float that is finite and not negative.
    ///
    /// # Errors
    ///
    /// Another float.
    pub fn new(value: f64) -> Fallible<Self> {
        if !(value.is_finite() && value >= 0.0) {
            return Err(Error::parameter("loss", "must be finite and not negative"));
        }
        let bits = value.to_bits();
        let (biased, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
        let (mantissa, biased) = if biased == 0 { (fraction, 1) } else { (fraction | 1 << 52, biased) };
        let exponent = i64::try_from(biased).unwrap_or(i64::MAX).saturating_sub(1075);
        Ok(Self::normal(mantissa.into(), exponent))
    }

    /// The same number with an odd mantissa.
    fn normal(mantissa: BigUint, exponent: i64) -> Self {
        match mantissa.trailing_zeros() {
            None => Self::zero(),
            Some(zeros) => Self {
                mantissa: mantissa >> zeros,
                exponent: exponent.saturating_add(i64::try_from(zeros).unwrap_or(i64::MAX)),
            },
        }
    }

    /// The mantissas at the lesser of both exponents, and that.
    fn aligned(&self, other: &Self) -> (BigUint, BigUint, i64) {
        let exponent = self.exponent.min(other.exponent);
        let at = |amount: &Self| &amount.mantissa << amount.exponent.abs_diff(exponent);
        (at(self), at(other), exponent)
    }

    /// The exact sum.
    pub fn plus(&self, other: &Self) -> Self {
        let (left, right, exponent) = self.aligned(other);
        Self::normal(left + right, exponent)
    }

    /// The exact difference; none if the other one is greater.
    pub fn minus(&self, other: &Self) -> Option<Self> {
        let (left, right, exponent) = self.aligned(other);
        (left >= right).then(|| Self::normal(left - right, exponent))
    }

    /// The exact square.
    pub(crate) fn squared(&self) -> Self {
        Self::normal(&self.mantissa * &self.mantissa, self.exponent.saturating_mul(2))
    }

    /// As a float, for people: the nearest one, or one next to it.
    pub fn to_f64(&self) -> f64 {
        let bits = self.mantissa.bits();
        let dropped = bits.saturating_sub(64);
        let top = u64::try_from(&self.mantissa >> dropped).unwrap_or(u64::MAX);
        let exponent = self.exponent.saturating_add(i64::try_from(dropped).unwrap_or(i64::MAX));
        // In two steps, so that a subnormal number is not lost on the way.
        let half = i32::try_from(exponent.clamp(-4000, 4000) / 2).unwrap_or(0);
        let rest = i32::try_from(exponent.clamp(-4000, 4000)).unwrap_or(0).saturating_sub(half);
        let (high, low) = (u32::try_from(top >> 32).unwrap_or(0), u32::try_from(top & 0xffff_ffff).unwrap_or(0));
        (f64::from(high) * 4_294_967_296.0 + f64::from(low)) * 2f64.powi(half) * 2f64.powi(rest)
    }
}

impl Amount {
    /// The greatest float that is not above it, exactly.
    pub(crate) fn rounded_down(&self) -> Self {
        // The nearest float, or one next to it.
        let near = self.to_f64().next_up();
        let floats = [near, near.next_down(), near.next_down().next_down(), near.next_down().next_down().next_down()];
        let below = floats.into_iter().filter_map(|float| Self::new(float).ok()).find(|float| float <= self);
        below.unwrap_or_else(Self::zero)
    }
}

impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Amount {
    fn cmp(&self, other: &Self) -> Ordering {
        let (left, right, _) = self.aligned(other);
        left.cmp(&right)
    }
}

/// The exact text.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.mantissa.is_zero() { f.write_str("0") } else { write!(f, "{}p{}", self.mantissa, self.exponent) }
    }
}

/// The exact text, and no other for the same number.
impl FromStr for Amount {
    type Err = Error;

    fn from_str(text: &str) -> Fallible<Self> {
        let refuse = || Error::Refused(format!("{:?} is not an amount", text.chars().take(64).collect::<String>()));
        if text == "0" {
            return Ok(Self::zero());
        }
        let (mantissa, exponent) = text.split_once('p').filter(|_| text.len() <= MAX_DIGITS).ok_or_else(refuse)?;
        let exponent: i64 = exponent.parse().ok().filter(|e| EXPONENTS.contains(e)).ok_or_else(refuse)?;
        let amount = Self::normal(mantissa.parse().map_err(|_| refuse())?, exponent);
        if amount.to_string() == text { Ok(amount) } else { Err(refuse()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num::{BigInt, BigRational};
    use proptest::prelude::*;

    fn rational(amount: &Amount) -> BigRational {
        let two = BigRational::from_integer(BigInt::from(2));
        BigRational::from_integer(amount.mantissa.clone().into())
            * num::pow::Pow::pow(&two, &BigInt::from(amount.exponent))
    }

    proptest! {
        #[test]
        fn amounts_are_their_floats(x in any::<f64>().prop_filter("an amount", |x| x.is_finite() && *x >= 0.0), y in 0.0..1e6f64) {
            let (left, right) = (Amount::new(x).unwrap(), Amount::new(y).unwrap());
            prop_assert_eq!(rational(&left), BigRational::from_float(x).unwrap());
            prop_assert_eq!(left.to_string().parse::<Amount>().unwrap(), left.clone());
            prop_assert_eq!(left.to_f64(), x);
            prop_assert_eq!(rational(&left.plus(&right)), rational(&left) + rational(&right));
            prop_assert_eq!(rational(&left.squared()), rational(&left) * rational(&left));
            prop_assert_eq!(left.cmp(&right), x.partial_cmp(&y).unwrap());
            prop_assert_eq!(left.plus(&right).minus(&right), Some(left.clone()));
            prop_assert_eq!(left.minus(&right).is_some(), x >= y);
            prop_assert_eq!(left.rounded_down(), left.clone());
            let sum = left.plus(&right);
            let below = sum.rounded_down();
            prop_assert!(below <= sum && (x > 1e308 || Amount::new(below.to_f64().next_up()).unwrap() > sum));
        }

        #[test]
        fn no_text_panics(text in ".{0,40}", mantissa in "[0-9]{1,30}", exponent in -3000i64..5000) {
            let _ = text.parse::<Amount>();
            let text = format!("{mantissa}p{exponent}");
            if let Ok(amount) = text.parse::<Amount>() {
                prop_assert_eq!(amount.to_string(), text);
            }
        }
    }

    #[test]
    fn ten_tenths_exceed_one() {
        let sum = |x: f64| (0..10).fold(Amount::zero(), |sum, _| sum.plus(&Amount::new(x).unwrap()));
        let one = Amount::new(1.0).unwrap();
        assert!(sum(0.1) > one && sum(0.0625) < one);
        for text in ["", "00", "2p0", "1p-2149", "01p0", "+1p0", "1p+0", "1p-0", "1p1.0", "0p0", "-1p0"] {
            assert!(text.parse::<Amount>().is_err(), "{text}");
        }
        for value in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(Amount::new(value).is_err());
        }
        assert_eq!(Amount::new(-0.0).unwrap(), Amount::zero());
        assert_eq!(
            (Amount::new(5e-324).unwrap().to_f64(), Amount::new(f64::MAX).unwrap().to_f64()),
            (5e-324, f64::MAX)
        );
    }
}
