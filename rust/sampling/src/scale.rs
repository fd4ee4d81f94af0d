//! A scale of noise, as an exact number.

use crate::{Error, Fallible, Rule};
use indistinct_numeric::{Dyadic, Rational};

/// A finite float that is not negative: `mantissa * 2^exponent` with a mantissa below 2^53.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scale {
    pub(crate) mantissa: u64,
    pub(crate) exponent: i32,
    value: f64,
}

impl Scale {
    pub(crate) fn new(value: f64) -> Fallible<Self> {
        let invalid = Error::Parameter(Rule::Scale);
        if !(value.is_finite() && value >= 0.0) {
            return Err(invalid);
        }
        let exact = Dyadic::from_f64(value)?;
        let mantissa = exact.mantissa().to_u64().ok_or(invalid)?;
        Ok(Self { mantissa, exponent: exact.exponent(), value })
    }

    pub(crate) fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    pub(crate) fn value(self) -> f64 {
        self.value
    }

    /// The scale as a fraction.
    pub(crate) fn exact(self) -> Rational {
        Rational::from(self.mantissa) << self.exponent
    }
}
