//! The exponential of a ball, from a table of 64 powers and a Taylor polynomial, in ball arithmetic throughout.

use super::Ball;
use rug::{Float, float::Constant};
use std::sync::LazyLock;

/// Bits of the numbers from which tables are made. Their rounding errors are far below a ball's radius.
const BITS: u32 = 256;

struct Table {
    /// `ln(2) / 64`.
    step: Ball,
    /// 2^(i/64).
    powers: [Ball; 64],
    /// 1/2!, 1/3!, 1/4!.
    inverse_factorials: [Ball; 3],
}

static TABLE: LazyLock<Table> = LazyLock::new(|| Table {
    step: Ball::from_mpfr(&Float::with_val(BITS, Float::with_val(BITS, Constant::Log2) / 64u32)),
    powers: std::array::from_fn(|i| {
        let exponent = Float::with_val(BITS, i) / 64u32;
        Ball::from_mpfr(&exponent.exp2())
    }),
    inverse_factorials: [2u32, 6, 24].map(|n| Ball::from_mpfr(&(Float::with_val(BITS, 1) / n))),
});

/// Adding this to a float below 2^51 in size rounds it to an integer, which is then in the low bits.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// Returns `e^x - 1` for a ball within 0.0065 of zero.
///
/// The tail of the series is `r^5 P(r)` with `P(r) = 1/5! + r/6! + ... + r^5/10!` and a remainder of at most `1.01
/// |r|^6/11! < 2^-68`. P is evaluated in floats: its coefficients and the rounded operations have a total error below
/// 2^-59, because only the last addition has a result above 2^-7. Its derivative is below 2^-9, so that the center may
/// represent the ball.
fn small_exp_m1(x: &Ball, table: &Table) -> Ball {
    let r = x.center();
    let tail = 1.0 / 120.0
        + r * (1.0 / 720.0 + r * (1.0 / 5040.0 + r * (1.0 / 40320.0 + r * (1.0 / 362_880.0 + r / 3_628_800.0))));
    let [half, third, fourth] = &table.inverse_factorials;
    let tail = Ball::new(tail, 2f64.powi(-58) + x.radius() * 2f64.powi(-8));
    let series = fourth.add(&x.mul(&tail));
    let series = third.add(&x.mul(&series));
    let series = half.add(&x.mul(&series));
    x.add(&x.mul(x).mul(&series))
}

/// Returns `e^x`, for a center between -701 and 700 and a radius below 2^-11. The result is between zero and 1e-304 if
/// x is below -700.4, and contains everything for other balls.
pub(super) fn exp(x: &Ball) -> Ball {
    let center = x.center();
    // The sum is rounded by less than 0.01, and the center's low part is below 0.01: e^-700.4 < 1e-304.
    if center + x.radius() <= -700.5 && center >= -1e14 {
        return Ball::new(0.0, 1e-304);
    }
    if !((-701.0..=700.0).contains(&center) && x.radius() < 2f64.powi(-11)) {
        return Ball::EVERYTHING;
    }
    let table = &*TABLE;
    let shifted = x.center() * (64.0 * std::f64::consts::LOG2_E) + TO_INTEGER;
    // Any integer near it would be correct. The remainder is within half a step, 0.00542, and slightly more.
    let multiple = shifted - TO_INTEGER;
    let integer = shifted.to_bits().wrapping_sub(TO_INTEGER.to_bits()).cast_signed();
    let remainder = x.sub(&table.step.mul(&Ball::new(multiple, 0.0)));
    let Some(power) = usize::try_from(integer & 63).ok().and_then(|i| table.powers.get(i)) else {
        return Ball::EVERYTHING;
    };
    let value = power.add(&power.mul(&small_exp_m1(&remainder, table)));
    // Between 2^-1012 and 2^1010.
    let exponent = (1023 + (integer >> 6)).cast_unsigned();
    value.scale(f64::from_bits(exponent << 52))
}

/// Returns `e^x - 1`, for the same balls.
pub(super) fn exp_m1(x: &Ball) -> Ball {
    if x.center().abs() < 0.005 && x.radius() < 2f64.powi(-11) {
        small_exp_m1(x, &TABLE)
    } else {
        exp(x).sub(&Ball::new(1.0, 0.0))
    }
}

/// Returns 2^(i/64), approximately to the nearest float.
#[inline]
pub(super) fn power(i: usize) -> Option<f64> {
    TABLE.powers.get(i).map(Ball::center)
}
