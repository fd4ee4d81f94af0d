//! Exact amounts of privacy loss, as decimals.

use crate::error::{Error, Fallible};
use num::{BigUint, Integer, Zero, pow::pow};
use std::{cmp::Ordering, fmt, str::FromStr};

/// An exact decimal number, 0 or more.
///
/// Sums, differences and comparisons are exact: ten times 0.1 is 1. Each number has a unique text, which a ledger
/// stores and hashes: `0.1`, `0.000001`, `2.5e-30`.
///
/// | from | amount |
/// |---|---|
/// | a text, such as `"0.10"` or `"1e-6"` ([`str::parse`]) | the written number |
/// | a float that a person chose (`TryFrom<f64>`) | the shortest decimal that parses to the float: 0.1 is one tenth |
/// | a float that was computed ([`Amount::exact`]) | the float itself: 0.1 is 0.1000000000000000055511151231257827… |
///
/// Use the exact value for bounds: a bound from a privacy map must never be replaced by a smaller decimal.
///
/// An amount has at most 1,100 digits before the point, and 1,100 after it.
///
/// ```
/// use indistinct_ledger::Amount;
/// let (tenth, third): (Amount, Amount) = (0.1.try_into()?, "0.30".parse()?);
/// let sum = tenth.plus(&tenth).plus(&tenth);
/// assert_eq!((sum.to_string().as_str(), sum == third), ("0.3", true));
/// assert!(Amount::exact(0.1)? > tenth);
/// # Ok::<(), indistinct_ledger::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Amount {
    /// The digits as an integer that is not a multiple of ten; 0 for the amount 0.
    digits: BigUint,
    /// The exponent of ten; 0 for the amount 0.
    exponent: i64,
}

/// The maximum number of digits before the point, and after it. A float has at most 309 and 1,074.
const MAX_PLACES: i64 = 1100;
/// The maximum number of characters of a text that is parsed.
const MAX_TEXT: usize = 3000;
/// The number of digits of a rounded amount: enough to distinguish any two floats.
const DIGITS: u32 = 17;
/// A number with at most this many digits before the point, or at most this many zeros after it, is written without an
/// exponent.
const PLAIN: i64 = 20;

impl Amount {
    /// Returns the amount 0.
    pub fn zero() -> Self {
        Self { digits: BigUint::ZERO, exponent: 0 }
    }

    /// Returns the amount 1.
    pub(crate) fn one() -> Self {
        Self { digits: BigUint::from(1u8), exponent: 0 }
    }

    /// Returns true if the amount is 0.
    pub fn is_zero(&self) -> bool {
        self.digits.is_zero()
    }

    /// Returns the exact value of a float, for computed bounds. Every float is a decimal.
    ///
    /// # Errors
    ///
    /// Returns an error if the float is negative or not finite.
    pub fn exact(value: f64) -> Fallible<Self> {
        check(value)?;
        let bits = value.abs().to_bits();
        let (biased, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
        let (mantissa, biased) = if biased == 0 { (fraction, 1) } else { (fraction | 1 << 52, biased) };
        let (mantissa, power) =
            (BigUint::from(mantissa), i64::try_from(biased).unwrap_or(i64::MAX).saturating_sub(1075));
        // m / 2^k is m 5^k / 10^k.
        let size = usize::try_from(power.unsigned_abs()).unwrap_or(usize::MAX);
        Ok(match power < 0 {
            true => Self::normal(mantissa * pow(BigUint::from(5u8), size), power),
            false => Self::normal(mantissa << size, 0),
        })
    }

    /// Returns the same number with digits that are not a multiple of ten.
    fn normal(mut digits: BigUint, mut exponent: i64) -> Self {
        if digits.is_zero() {
            return Self::zero();
        }
        let ten = BigUint::from(10u8);
        loop {
            let (rest, last) = digits.div_rem(&ten);
            if !last.is_zero() {
                return Self { digits, exponent };
            }
            (digits, exponent) = (rest, exponent.saturating_add(1));
        }
    }

    /// Returns the digits of both at the smaller of their exponents, and that exponent. Both exponents are within the
    /// bounds of amounts.
    fn aligned(&self, other: &Self) -> (BigUint, BigUint, i64) {
        let exponent = self.exponent.min(other.exponent);
        let at = |amount: &Self| match amount.digits.is_zero() {
            true => BigUint::ZERO,
            false => &amount.digits * power_of_ten(amount.exponent.abs_diff(exponent)),
        };
        (at(self), at(other), exponent)
    }

    /// Returns the exact sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let (left, right, exponent) = self.aligned(other);
        Self::normal(left + right, exponent)
    }

    /// Returns the exact difference, or `None` if the other amount is larger.
    pub fn minus(&self, other: &Self) -> Option<Self> {
        let (left, right, exponent) = self.aligned(other);
        (left >= right).then(|| Self::normal(left - right, exponent))
    }

    /// Returns the exact square.
    pub(crate) fn squared(&self) -> Fallible<Self> {
        Self::normal(&self.digits * &self.digits, self.exponent.saturating_mul(2)).checked()
    }

    /// Rounds up to 17 digits, for the charge of a computed bound. A number with at most 17 digits is unchanged.
    #[must_use]
    pub fn rounded_up(&self) -> Self {
        let surplus = self.length().saturating_sub(i64::from(DIGITS));
        match u64::try_from(surplus) {
            Ok(surplus) if surplus > 0 => {
                // There is a remainder: the last digit is not 0.
                let kept = &self.digits / power_of_ten(surplus) + 1u8;
                Self::normal(kept, self.exponent.saturating_add_unsigned(surplus))
            }
            _ => self.clone(),
        }
    }

    /// Returns the nearest float, for display.
    pub fn to_f64(&self) -> f64 {
        // The standard library rounds correctly, and parses every such text.
        self.to_string().parse().unwrap_or(f64::INFINITY)
    }

    /// Returns the largest float whose shortest decimal is at most this amount, for the budget of a query. For one
    /// tenth this is 0.1, which the query reads as one tenth again.
    pub fn to_f64_down(&self) -> f64 {
        let near = self.to_f64().min(f64::MAX);
        match Self::try_from(near) {
            Ok(written) if written > *self => near.next_down(),
            _ => near,
        }
    }

    /// Returns the smallest float that is not below the amount; infinite if there is none.
    pub fn to_f64_up(&self) -> f64 {
        let near = self.to_f64();
        match Self::exact(near) {
            Ok(exact) if exact < *self => near.next_up(),
            _ => near,
        }
    }

    /// Returns the number of digits.
    fn length(&self) -> i64 {
        i64::try_from(self.digits.to_string().len()).unwrap_or(i64::MAX)
    }

    /// Checks that the amount is within the bounds.
    fn checked(self) -> Fallible<Self> {
        let is_one = self.exponent >= -MAX_PLACES && self.length().saturating_add(self.exponent) <= MAX_PLACES;
        let rule = format!("must have at most {MAX_PLACES} digits before the point, and {MAX_PLACES} after it");
        if is_one || self.is_zero() { Ok(self) } else { Err(Error::parameter("amount", rule)) }
    }
}

fn power_of_ten(exponent: u64) -> BigUint {
    pow(BigUint::from(10u8), usize::try_from(exponent).unwrap_or(usize::MAX))
}

fn check(value: f64) -> Fallible<()> {
    let is_amount = value.is_finite() && value >= 0.0;
    if is_amount { Ok(()) } else { Err(Error::parameter("amount", "must be finite and not negative")) }
}

/// The shortest decimal that parses to the float.
impl TryFrom<f64> for Amount {
    type Error = Error;

    fn try_from(value: f64) -> Fallible<Self> {
        check(value)?;
        format!("{:e}", value.abs()).parse()
    }
}

impl TryFrom<&str> for Amount {
    type Error = Error;

    fn try_from(text: &str) -> Fallible<Self> {
        text.parse()
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

/// Writes the exact text; each number has one text.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.digits.to_string();
        let point = self.length().saturating_add(self.exponent);
        let zeros = |number: i64| "0".repeat(usize::try_from(number).unwrap_or(0));
        let split = |place: i64| usize::try_from(place).ok().and_then(|place| digits.split_at_checked(place));
        if (-PLAIN..=PLAIN).contains(&point) {
            return match split(point) {
                Some(("", _)) | None if point <= 0 => write!(f, "0.{}{digits}", zeros(point.saturating_neg())),
                Some((whole, fraction)) if !fraction.is_empty() => write!(f, "{whole}.{fraction}"),
                _ => write!(f, "{digits}{}", zeros(self.exponent)),
            };
        }
        let exponent = point.saturating_sub(1);
        match split(1) {
            Some((first, rest)) if !rest.is_empty() => write!(f, "{first}.{rest}e{exponent}"),
            _ => write!(f, "{digits}e{exponent}"),
        }
    }
}

/// Parses a number: digits, with or without a point and an exponent, such as `0.1`, `.5` and `1e-6`.
impl FromStr for Amount {
    type Err = Error;

    fn from_str(text: &str) -> Fallible<Self> {
        let refuse = || {
            let start: String = text.chars().take(64).collect();
            Error::parameter(
                "amount",
                format!("must be a decimal number of at least 0, such as 0.1 or 1e-6, not {start:?}"),
            )
        };
        if text.len() > MAX_TEXT {
            return Err(Error::parameter("amount", format!("must be written in at most {MAX_TEXT} characters")));
        }
        let (is_negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (number, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse::<i64>().map_err(|_| refuse())?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let written = format!("{whole}{fraction}");
        if written.is_empty() || !written.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(refuse());
        }
        let places = i64::try_from(fraction.len()).unwrap_or(i64::MAX);
        let amount = Self::normal(written.parse().map_err(|_| refuse())?, exponent.saturating_sub(places));
        if is_negative && !amount.is_zero() { Err(refuse()) } else { amount.checked() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num::{BigInt, BigRational};
    use proptest::prelude::*;

    fn rational(amount: &Amount) -> BigRational {
        let ten = BigRational::from_integer(BigInt::from(10));
        BigRational::from_integer(amount.digits.clone().into())
            * num::pow::Pow::pow(&ten, &BigInt::from(amount.exponent))
    }

    fn amount(text: &str) -> Amount {
        text.parse().unwrap()
    }

    fn written(value: f64) -> Amount {
        value.try_into().unwrap()
    }

    /// Draws any float of at least 0.
    fn float() -> impl Strategy<Value = f64> {
        let any_bits = any::<f64>().prop_map(f64::abs).prop_filter("finite", |x| x.is_finite());
        prop_oneof![any_bits, 0.0..10.0f64, (0..1000u32).prop_map(|x| f64::from(x) / 10.0)]
    }

    proptest! {
        #[test]
        fn amounts_are_their_numbers(x in float(), y in float()) {
            let (left, right) = (Amount::exact(x).unwrap(), Amount::exact(y).unwrap());
            prop_assert_eq!(rational(&left), BigRational::from_float(x).unwrap());
            prop_assert_eq!(amount(&left.to_string()), left.clone());
            prop_assert_eq!((left.to_f64(), left.to_f64_up()), (x, x));
            prop_assert_eq!(rational(&left.plus(&right)), rational(&left) + rational(&right));
            prop_assert_eq!(left.cmp(&right), x.partial_cmp(&y).unwrap());
            prop_assert_eq!(left.plus(&right).minus(&right), Some(left.clone()));
            prop_assert_eq!(left.minus(&right).is_some(), x >= y);
            if let Ok(square) = left.squared() {
                prop_assert_eq!(rational(&square), rational(&left) * rational(&left));
            }
            let up = left.rounded_up();
            prop_assert!(up >= left && up.length() <= 17);
            prop_assert!((rational(&up) - rational(&left)) * BigRational::from_integer(10u64.pow(16).into()) <= rational(&left));
            let sum = written(x).plus(&written(y));
            let (down, above) = (sum.to_f64_down(), sum.to_f64_up());
            prop_assert!(written(down) <= sum);
            prop_assert!(down == f64::MAX || written(down.next_up()) > sum);
            prop_assert!(above == f64::INFINITY || Amount::exact(above).unwrap() >= sum);
            prop_assert!(above == 0.0 || Amount::exact(above.next_down()).unwrap() < sum);
        }

        #[test]
        fn a_float_is_the_shortest_decimal_that_is_read_back_as_it(x in float()) {
            let shortest = written(x);
            prop_assert!(shortest.length() <= 17);
            prop_assert_eq!((shortest.to_f64(), shortest.to_f64_down()), (x, x));
            prop_assert_eq!(amount(&format!("{x:?}")), shortest);
        }

        #[test]
        fn no_text_panics(text in ".{0,40}", digits in "[0-9]{1,30}", point in 0..31usize, exponent in -3000i64..3000) {
            let _ = text.parse::<Amount>();
            let point = point.min(digits.len());
            let text = format!("{}.{}e{exponent}", &digits[..point], &digits[point..]);
            if let Ok(amount) = text.parse::<Amount>() {
                prop_assert_eq!(amount.to_string().parse::<Amount>().unwrap(), amount.clone());
                let ten = BigRational::from_integer(BigInt::from(10));
                let places = i64::try_from(digits.len() - point).unwrap();
                let expected = BigRational::from_integer(digits.parse::<BigInt>().unwrap())
                    * num::pow::Pow::pow(&ten, &BigInt::from(exponent - places));
                prop_assert_eq!(rational(&amount), expected);
            }
        }
    }

    #[test]
    fn each_number_has_one_text() {
        for (text, expected) in [
            ("0.1", "0.1"),
            ("00.100", "0.1"),
            (".1", "0.1"),
            ("1e-1", "0.1"),
            ("+0.1", "0.1"),
            ("1.", "1"),
            ("10E0", "10"),
            ("0.000001", "0.000001"),
            ("1e20", "1e20"),
            ("12345678901234567890", "12345678901234567890"),
            ("1e-20", "0.00000000000000000001"),
            ("1e-21", "0.000000000000000000001"),
            ("1e-22", "1e-22"),
            ("2.5e-30", "2.5e-30"),
            ("0.1000000000000000000000001", "0.1000000000000000000000001"),
            ("1e-400", "1e-400"),
            ("1e400", "1e400"),
            ("-0", "0"),
            ("0e99999", "0"),
        ] {
            assert_eq!(amount(text).to_string(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_amount_is_an_error() {
        for text in
            ["", ".", "-", "e5", "1e", "1e1.5", "-0.1", "1 ", " 1", "1_0", "0x1", "1e5e5", "1.2.3", "nan", "inf", "١"]
        {
            let error = text.parse::<Amount>().unwrap_err().to_string();
            assert!(error.starts_with("parameter amount: must be a decimal number"), "{text}: {error}");
        }
        let long = "1".repeat(3001);
        for text in ["1e1100", "1e-1101", "1e999999999999", "1e-999999999999", &"1".repeat(1101), &long] {
            let error = text.parse::<Amount>().unwrap_err().to_string();
            assert!(error.starts_with("parameter amount: must "), "{error}");
        }
        for value in [-0.1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Amount::exact(value).is_err() && Amount::try_from(value).is_err());
        }
        assert_eq!((Amount::exact(-0.0).unwrap(), written(-0.0)), (Amount::zero(), Amount::zero()));
    }

    #[test]
    fn tenths_add_up() {
        let sum = |number: u32| (0..number).fold(Amount::zero(), |sum, _| sum.plus(&written(0.1)));
        assert_eq!((sum(10), sum(3)), (Amount::one(), written(0.3)));
        assert_eq!(Amount::one().minus(&sum(8)).unwrap().to_string(), "0.2");
        // The floats themselves, which are a little above a tenth, do not fit: bounds stay bounds.
        let exact = (0..10).fold(Amount::zero(), |sum, _| sum.plus(&Amount::exact(0.1).unwrap()));
        assert!(exact > Amount::one());
        assert_eq!(Amount::exact(0.1).unwrap().rounded_up().to_string(), "0.10000000000000001");
        assert_eq!((amount("1e-400").to_f64_down(), amount("1e400").to_f64_down()), (0.0, f64::MAX));
        assert_eq!((amount("1e-400").to_f64_up(), amount("1e400").to_f64_up()), (5e-324, f64::INFINITY));
    }
}
