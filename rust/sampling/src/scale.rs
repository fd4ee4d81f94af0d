//! A scale of noise, as an exact number.

use crate::{Error, Fallible};
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
        let rule = "must be finite and not negative";
        if !(value.is_finite() && value >= 0.0) {
            return Err(Error::Parameter { parameter: "scale", rule });
        }
        let exact = Dyadic::from_f64(value)?;
        let mantissa = exact.mantissa().to_u64().ok_or(Error::Parameter { parameter: "scale", rule })?;
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
