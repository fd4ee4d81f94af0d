//! A scale of noise, as an exact number.

use crate::{Error, Fallible, Rule};
use indistinct_numeric::{BigRational, gmp};
use rug::Rational;

/// The scale of a distribution on the integers: an exact number that is 0 or between `2^-1074` and `2^1024`.
///
/// Make it from a float or a fraction.
///
/// ```
/// use indistinct_sampling::{BigRational, IntegerNoise};
/// let third = IntegerNoise::laplace(BigRational::new(1.into(), 3.into()))?;
/// let half = IntegerNoise::laplace(0.5)?;
/// # let _ = (third, half);
/// # Ok::<(), indistinct_sampling::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ExactScale(Rational);

impl ExactScale {
    pub(crate) fn exact(&self) -> &Rational {
        &self.0
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0 == 0
    }

    /// Returns `floor(log2(scale))`, for a positive scale.
    pub(crate) fn binary_exponent(&self) -> i32 {
        let bits = |n: &rug::Integer| i32::try_from(n.significant_bits()).unwrap_or(i32::MAX);
        let guess = bits(self.0.numer()) - bits(self.0.denom());
        // The quotient lies between 2^(guess - 1) and 2^(guess + 1).
        if self.0 >= Rational::from(1) << guess { guess } else { guess - 1 }
    }
}

#[doc(hidden)]
impl TryFrom<Rational> for ExactScale {
    type Error = Error;

    fn try_from(value: Rational) -> Fallible<Self> {
        let bound = |exponent: i32| Rational::from(1) << exponent;
        let valid = value == 0 || (value >= bound(-1074) && value < bound(1024));
        if valid { Ok(Self(value)) } else { Err(Error::Parameter(Rule::Scale)) }
    }
}

impl TryFrom<BigRational> for ExactScale {
    type Error = Error;

    fn try_from(value: BigRational) -> Fallible<Self> {
        gmp::rational(&value).map_err(|_| Error::Parameter(Rule::Scale))?.try_into()
    }
}

impl TryFrom<f64> for ExactScale {
    type Error = Error;

    fn try_from(value: f64) -> Fallible<Self> {
        Rational::from_f64(value).ok_or(Error::Parameter(Rule::Scale))?.try_into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_the_floor_of_the_logarithm() {
        for (value, exponent) in [(1.0, 0), (1.999, 0), (2.0, 1), (0.75, -1), (5e-324, -1074), (f64::MAX, 1023)] {
            assert_eq!(ExactScale::try_from(value).unwrap().binary_exponent(), exponent, "{value}");
        }
        assert_eq!(ExactScale::try_from(Rational::from((1, 3))).unwrap().binary_exponent(), -2);
        assert_eq!(ExactScale::try_from(Rational::from((8, 3))).unwrap().binary_exponent(), 1);
        let same = BigRational::new(8.into(), 3.into());
        assert_eq!(ExactScale::try_from(same), ExactScale::try_from(Rational::from((8, 3))));
    }

    #[test]
    fn scales_out_of_range_are_refused() {
        for value in [-1.0, f64::NAN, f64::INFINITY, -5e-324] {
            assert_eq!(ExactScale::try_from(value), Err(Error::Parameter(Rule::Scale)));
        }
        for value in [Rational::from(1) << 1024, Rational::from(1) >> 1075, Rational::from(-1)] {
            assert!(ExactScale::try_from(gmp::big_rational(&value)).is_err() && ExactScale::try_from(value).is_err());
        }
        let over_zero = BigRational::new_raw(1.into(), 0.into());
        assert_eq!(ExactScale::try_from(over_zero), Err(Error::Parameter(Rule::Scale)));
        assert!(ExactScale::try_from(-0.0).unwrap().is_zero());
        let scale = ExactScale::try_from(2.5).unwrap();
        assert!(!scale.is_zero() && *scale.exact() == Rational::from((5, 2)));
    }
}
