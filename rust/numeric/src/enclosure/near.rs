//! The exponential and the logarithm as floats with a proven error, for long sums of positive terms that need some 45
//! bits and a bound.

use super::{exp, ln};

/// `ln(2) / 64` in 32 bits, so that small multiples are exact, and the remainder.
const STEP_HIGH: f64 = f64::from_bits((std::f64::consts::LN_2 / 64.0).to_bits() & !((1 << 21) - 1));
const STEP_LOW: f64 = (std::f64::consts::LN_2 / 64.0 - STEP_HIGH) + 2.319_046_813_846_299_6e-17 / 64.0;
/// Adding this to a float below 2^51 in size rounds it to an integer, which is then in the low bits.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// Returns `e^r - 1` for `|r| < 0.006`, with a relative error of at most 2^-51: the series up to the sixth power; the
/// next term is below 2^-56 of the first.
#[inline]
fn small(r: f64) -> f64 {
    r + r * r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0)))))
}

/// Returns a power of two in steps of 1/64, the integer part of its exponent, and the rest of x.
#[inline]
fn reduce(x: f64) -> Option<(f64, f64, f64)> {
    let shifted = x * (64.0 * std::f64::consts::LOG2_E) + TO_INTEGER;
    let multiple = shifted - TO_INTEGER;
    let integer = shifted.to_bits().wrapping_sub(TO_INTEGER.to_bits()).cast_signed();
    // Both products are of numbers with at most 17 and 32 bits, or tiny.
    let rest = (x - multiple * STEP_HIGH) - multiple * STEP_LOW;
    let power = f64::from_bits(((1023 + (integer >> 6)).cast_unsigned()) << 52);
    Some((exp::power(usize::try_from(integer & 63).ok()?)?, power, rest))
}

/// The largest relative error of `exp_near`: 3 units. The root of two from the table has an error of at most one unit,
/// and one sum is rounded. The remaining term is below 0.0055; it has an error of 0.006 units, and its addition has an
/// error of 0.02 units.
pub const EXP_NEAR_ERROR: f64 = 1.5 * f64::EPSILON;

/// Returns `e^x` with a relative error of at most [`EXP_NEAR_ERROR`], for x between -700 and 700; 0 below, and infinity
/// above or for NaN.
///
/// ```
/// let (near, truth) = (indistinct_numeric::enclosure::exp_near(1.0), 2.718281828459045);
/// assert!((near - truth).abs() < truth * 2f64.powi(-51));
/// ```
#[inline]
pub fn exp_near(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    if x.is_nan() || x > 700.0 {
        return f64::INFINITY;
    }
    reduce(x).map_or(f64::INFINITY, |(root, power, rest)| (root + root * small(rest)) * power)
}

/// Returns `e^x - 1` with a relative error of at most 2^-41, for x up to 700; -1 below -700, and infinity above or for
/// NaN.
#[inline]
pub fn exp_m1_near(x: f64) -> f64 {
    if x.abs() < 0.006 { small(x) } else { exp_near(x) - 1.0 }
}

/// Returns `ln(1 + x)` for -1 + 2^-50 <= x <= 2^900. The relative error is at most 2^-49 for |x| < 0.006, and the error
/// is at most `2^-49 max(1, |ln(1 + x)|)` elsewhere. Returns NaN for other x.
///
/// ```
/// let near = indistinct_numeric::enclosure::ln_1p_near(1.0);
/// assert!((near - 0.6931471805599453).abs() < 2f64.powi(-49));
/// ```
#[inline]
pub fn ln_1p_near(x: f64) -> f64 {
    if x.abs() < 0.006 {
        return series(x);
    }
    let shifted = 1.0 + x;
    if !(shifted > 2f64.powi(-51) && shifted <= 2f64.powi(900)) {
        return f64::NAN;
    }
    ln::parts(shifted).map_or(f64::NAN, |(exponent, mantissa, reciprocal, logarithm)| {
        exponent * std::f64::consts::LN_2 + (series(mantissa * reciprocal - 1.0) - logarithm)
    })
}

/// Returns `ln(1 + z)` for `|z| < 0.0065`, with a relative error of at most 2^-50: the series up to the eighth power.
#[inline]
fn series(z: f64) -> f64 {
    let tail = 1.0 / 3.0 - z * (0.25 - z * (0.2 - z * (1.0 / 6.0 - z * (1.0 / 7.0 - z * 0.125))));
    z - z * z * (0.5 - z * tail)
}
