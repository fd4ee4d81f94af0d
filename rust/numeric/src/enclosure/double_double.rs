//! Unevaluated sums of two floats: about 106 significant bits.
//!
//! The algorithms and their error bounds are those of Joldes, Muller, Popescu (2017, "Tight and rigorous error bounds
//! for basic building blocks of double-word arithmetic", ACM TOMS 44), without fused multiply-add. With `u = 2^-53`,
//! and if nothing overflows, the relative error of a sum is at most `3 u^2 / (1 - 4u)` (their Algorithm 6), and that of
//! a product at most `7 u^2` (Algorithm 10), plus 2^-1070 if it underflows.

/// `high + low`, where `high` is the float nearest to the sum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DoubleDouble {
    pub(super) high: f64,
    pub(super) low: f64,
}

/// Returns the nearest sum and its exact error (Knuth).
#[inline]
fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let sum = x + y;
    let y_part = sum - x;
    let x_part = sum - y_part;
    (sum, (x - x_part) + (y - y_part))
}

/// Like `two_sum`, for `|x| >= |y|` (Dekker).
#[inline]
fn fast_two_sum(x: f64, y: f64) -> (f64, f64) {
    let sum = x + y;
    (sum, y - (sum - x))
}

/// Splits a float into two halves of 26 bits each, whose products are exact (Veltkamp). It overflows to NaN from 2^996
/// upwards.
#[inline]
fn split(x: f64) -> (f64, f64) {
    let scaled = 134_217_729.0 * x;
    let high = scaled - (scaled - x);
    (high, x - high)
}

/// Returns the nearest product and its error: exact (Dekker), or with an error of at most 3.5 * 2^-1074 if something
/// underflows (Boldo 2006, "Pitfalls of a full floating-point proof").
#[inline]
fn two_product(x: f64, y: f64) -> (f64, f64) {
    let product = x * y;
    let ((x_high, x_low), (y_high, y_low)) = (split(x), split(y));
    let error = x_low * y_low - (((product - x_high * y_high) - x_low * y_high) - x_high * y_low);
    (product, error)
}

impl DoubleDouble {
    #[inline]
    pub(super) const fn new(x: f64) -> Self {
        Self { high: x, low: 0.0 }
    }

    #[inline]
    pub(super) fn add(self, other: Self) -> Self {
        let (sum, error) = two_sum(self.high, other.high);
        let (low_sum, low_error) = two_sum(self.low, other.low);
        let (sum, error) = fast_two_sum(sum, error + low_sum);
        let (high, low) = fast_two_sum(sum, error + low_error);
        Self { high, low }
    }

    #[inline]
    pub(super) fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }

    #[inline]
    pub(super) fn mul(self, other: Self) -> Self {
        let (product, error) = two_product(self.high, other.high);
        let crossed = self.high * other.low + self.low * other.high;
        let (high, low) = fast_two_sum(product, error + crossed);
        Self { high, low }
    }

    /// Multiplies by a power of two, exactly unless it underflows.
    #[inline]
    pub(super) fn scale(self, power: f64) -> Self {
        Self { high: self.high * power, low: self.low * power }
    }
}
