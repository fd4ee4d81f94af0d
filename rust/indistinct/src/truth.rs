//! The reference for tests of outward-rounded bounds: the formula itself, with so many digits that its own rounding
//! does not matter.

use crate::numeric::gmp::Rational;
use proptest::{prelude::*, sample};
use rug::Float;

/// Precision in bits. No formula here loses more than about a hundred of them.
const BITS: u32 = 400;

/// Returns a float exactly.
pub(crate) fn real(x: f64) -> Float {
    Float::with_val(BITS, x)
}

/// Returns true if a bound is at least the truth.
pub(crate) fn covers(bound: f64, truth: impl Truth) -> bool {
    bound == f64::INFINITY || truth.is_at_most(bound)
}

/// A number that a bound must not be below.
pub(crate) trait Truth {
    fn is_at_most(&self, bound: f64) -> bool;
}

impl Truth for Rational {
    fn is_at_most(&self, bound: f64) -> bool {
        self <= &bound
    }
}

/// Compares to 250 bits, much more than a float has, so that formulas whose value is a float pass.
impl Truth for Float {
    fn is_at_most(&self, bound: f64) -> bool {
        let slack = Float::with_val(BITS, self.abs_ref()) >> 250u32;
        Float::with_val(BITS, self - slack) <= bound
    }
}

/// Returns the float nearest to a number, or the one `off` floats away from it.
pub(crate) fn near(x: &Float, off: i32) -> f64 {
    let step = if off < 0 { f64::next_down } else { f64::next_up };
    (0..off.abs()).fold(x.to_f64(), |x, _| step(x))
}

/// Draws numbers from `2^least` to `2^greatest` with few digits and with many: if most steps of a formula are exact, an
/// inexact one shows.
pub(crate) fn sizes(least: i32, greatest: i32) -> impl Strategy<Value = f64> {
    let mantissa = prop_oneof![
        Just(1.0),
        sample::select(vec![1.25, 1.5, 1.75]),
        (0u32..64).prop_map(|step| 1.0 + f64::from(step) * f64::EPSILON),
        1.0..2.0f64,
    ];
    (mantissa, least..greatest).prop_map(|(mantissa, exponent)| mantissa * 2f64.powi(exponent))
}
