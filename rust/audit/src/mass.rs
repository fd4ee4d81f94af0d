//! Represents probabilities by enclosures.

use indistinct::numeric::{
    enclosure::{Enclosure, Interval},
    gmp::{Integer, Rational},
};

/// An interval between two MPFR numbers of 256 bits, for probabilities and numbers computed from them.
pub type Mass = Interval<256>;

/// Returns an enclosure of a fraction. It is exact if the numerator has at most 256 bits and the denominator is a power
/// of two.
pub fn fraction(x: &Rational) -> Mass {
    integer(x.numer()).div(&integer(x.denom()))
}

fn integer(x: &Integer) -> Mass {
    let digits = x.to_string_radix(16);
    let (negative, digits) = digits.strip_prefix('-').map_or((false, digits.as_str()), |digits| (true, digits));
    let sixteen = Mass::exact(16.0);
    let size = digits
        .chars()
        .filter_map(|digit| digit.to_digit(16))
        .fold(Mass::exact(0.0), |number, digit| number.mul(&sixteen).add(&Mass::exact(digit.into())));
    if negative { Mass::exact(0.0).sub(&size) } else { size }
}

/// Returns the number, or 0 if the number is negative.
pub(crate) fn positive_part(x: &Mass) -> Mass {
    if x.lower() >= 0.0 {
        x.clone()
    } else if x.upper() <= 0.0 {
        Mass::exact(0.0)
    } else {
        Mass::between(0.0, x.upper())
    }
}

/// Returns true if the number is certainly 0.
pub(crate) fn is_zero(x: &Mass) -> bool {
    x.lower() >= 0.0 && x.upper() <= 0.0
}

/// Converts an integer to a float, rounded to 53 bits.
pub(crate) fn float(n: u64) -> f64 {
    // Two exact parts, and one rounding.
    let (high, low) = (u32::try_from(n >> 32).unwrap_or(u32::MAX), u32::try_from(n & 0xffff_ffff).unwrap_or(0));
    f64::from(high) * 4_294_967_296.0 + f64::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_enclosed_and_binary_ones_exact() {
        let third = fraction(&Rational::from((1, 3)));
        assert!(third.lower() <= 1.0 / 3.0 && third.upper() >= 1.0 / 3.0);
        let binary = fraction(&Rational::from((-3, 1u64 << 40)));
        assert_eq!(binary.lower(), binary.upper());
        assert_eq!(binary.lower(), -3.0 * 2f64.powi(-40));
        // Wider than a float: the difference is exact.
        let wide = fraction(&(Rational::from(1) + (Rational::from(1) >> 200u32)));
        assert!(wide.sub(&Mass::exact(1.0)).lower() == 2f64.powi(-200));
    }

    #[test]
    fn counts_as_floats() {
        assert_eq!([0, 7, 1 << 40, u64::MAX].map(float), [0.0, 7.0, 1099511627776.0, 18446744073709551616.0]);
    }
}
