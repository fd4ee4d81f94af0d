//! The logarithm of a ball, from a table of reciprocals and a Taylor polynomial, in ball arithmetic throughout.

use super::Ball;
use rug::{Float, float::Constant};
use std::sync::LazyLock;

const BITS: u32 = 256;
/// Mantissas between 0.7 and 1.42 are looked up by the nearest multiple of 1/128, from 90/128 to 182/128.
const FIRST: u64 = 90;

struct Table {
    ln_2: Ball,
    /// A float near 128/(i + 90), and the logarithm of that float.
    reciprocals: [(f64, Ball); 93],
    /// -1/2, 1/3, -1/4, 1/5.
    coefficients: [Ball; 4],
}

static TABLE: LazyLock<Table> = LazyLock::new(|| Table {
    ln_2: Ball::from_mpfr(&Float::with_val(BITS, Constant::Log2)),
    reciprocals: std::array::from_fn(|i| {
        let reciprocal = (Float::with_val(BITS, 128) / (Float::with_val(BITS, i) + FIRST)).to_f64();
        (reciprocal, Ball::from_mpfr(&Float::with_val(BITS, reciprocal).ln()))
    }),
    coefficients: [-2, 3, -4, 5].map(|n| Ball::from_mpfr(&(Float::with_val(BITS, 1) / n))),
});

/// Returns `ln(1 + z)` for a ball within 0.0065 of zero.
///
/// The tail of the series is `z^6 P(z)` with `P(z) = -1/6 + z/7 - ... + z^6/12` and a remainder of at most `1.01
/// |z|^7/13 < 2^-54`. P is evaluated in floats: its coefficients and the rounded operations have a total error below
/// 2^-54. Its derivative is below 1/4, so that the center may represent the ball.
fn small_ln_1p(z: &Ball, table: &Table) -> Ball {
    let c = z.center();
    let tail = -1.0 / 6.0
        + c * (1.0 / 7.0 + c * (-1.0 / 8.0 + c * (1.0 / 9.0 + c * (-1.0 / 10.0 + c * (1.0 / 11.0 - c / 12.0)))));
    let [second, third, fourth, fifth] = &table.coefficients;
    let tail = Ball::new(tail, 2f64.powi(-52) + z.radius());
    let series = fifth.add(&z.mul(&tail));
    let series = fourth.add(&z.mul(&series));
    let series = third.add(&z.mul(&series));
    let series = second.add(&z.mul(&series));
    z.add(&z.mul(z).mul(&series))
}

/// Returns the logarithm, for a positive normal center and a radius below 2^-12 of it. The result contains everything
/// for other balls.
pub(super) fn ln(x: &Ball) -> Ball {
    let center = x.center();
    if !(center >= 2f64.powi(-1000) && center < 2f64.powi(1000) && x.radius() <= center * 2f64.powi(-12)) {
        return Ball::EVERYTHING;
    }
    let table = &*TABLE;
    // The power of two that scales the center to between 0.7 and 1.42: 0x3fe66... is 0.7.
    let exponent = (center.to_bits().wrapping_sub(0.7f64.to_bits()) >> 52).wrapping_shl(52);
    let signed = exponent.cast_signed() >> 52;
    let power = f64::from_bits((1023u64 << 52).wrapping_sub(exponent));
    let mantissa = x.scale(power);
    // The nearest multiple of 1/128 is in the low bits.
    let shifted = mantissa.center() + 6_755_399_441_055_744.0 / 128.0;
    let index = (shifted.to_bits() & 0xffff).checked_sub(FIRST).and_then(|index| usize::try_from(index).ok());
    let Some((reciprocal, logarithm)) = index.and_then(|index| table.reciprocals.get(index)) else {
        return Ball::EVERYTHING;
    };
    let one = Ball::new(1.0, 0.0);
    // Near 1, the reciprocal is 1, and nothing is rounded.
    let scaled = if *reciprocal == 1.0 { mantissa } else { mantissa.mul(&Ball::new(*reciprocal, 0.0)) };
    let series = small_ln_1p(&scaled.sub(&one), table);
    if signed == 0 && *reciprocal == 1.0 {
        return series;
    }
    table.ln_2.mul(&Ball::new(integer(signed), 0.0)).add(&series.sub(logarithm))
}

/// Returns `ln(1 + x)`, for the same balls.
pub(super) fn ln_1p(x: &Ball) -> Ball {
    if x.center().abs() < 0.006 && x.radius() < 2f64.powi(-12) {
        small_ln_1p(x, &TABLE)
    } else {
        ln(&Ball::new(1.0, 0.0).add(x))
    }
}

/// Returns an integer below 2^51 in size as a float.
fn integer(n: i64) -> f64 {
    f64::from_bits(6_755_399_441_055_744f64.to_bits().wrapping_add(n.cast_unsigned())) - 6_755_399_441_055_744.0
}

/// Returns the exponent of a positive normal float, its mantissa between 0.7 and 1.42, a float near the mantissa's
/// reciprocal (the exact product is within 0.0065 of 1), and the logarithm of that reciprocal.
#[inline]
pub(super) fn parts(x: f64) -> Option<(f64, f64, f64, f64)> {
    let exponent = (x.to_bits().wrapping_sub(0.7f64.to_bits()) >> 52).wrapping_shl(52);
    let mantissa = x * f64::from_bits((1023u64 << 52).wrapping_sub(exponent));
    let shifted = mantissa + 6_755_399_441_055_744.0 / 128.0;
    let index = usize::try_from((shifted.to_bits() & 0xffff).checked_sub(FIRST)?).ok()?;
    let (reciprocal, logarithm) = TABLE.reciprocals.get(index)?;
    Some((integer(exponent.cast_signed() >> 52), mantissa, *reciprocal, logarithm.center()))
}
