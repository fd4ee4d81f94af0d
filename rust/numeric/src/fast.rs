//! The fast path: one rounded operation of the hardware, and the sign of its exact error.
//!
//! Each function returns the same bits as [`mpfr`](crate::mpfr), or `None` if its argument does not hold and MPFR must
//! decide. The argument: IEEE 754 returns `s`, the f64 nearest to the real result `r`, and the sign of `r - s` is
//! computed exactly. If `r` lies above `s`, the smallest f64 not below `r` is the successor of `s`; otherwise it is `s`
//! itself. Rounding down is symmetric.
//!
//! A residual computed in floats (such as by a fused multiply-add) can underflow to zero although `r` differs from `s`,
//! for example in the product of 2^-600 and itself. Here residuals of products, quotients and roots are integers, which
//! cannot underflow: all numbers involved are normal, and each is its 53-bit mantissa times a power of two.

use crate::Direction::{self, Down, Up};

/// Returns true if a step in the given direction takes `nearest` away from zero.
///
/// The bit pattern of a float increases with its size, so a step away from zero adds one to it, and a step towards zero
/// subtracts one. The steps are unpredictable, so the code below has no branch on them.
#[inline]
fn is_outward(nearest: f64, direction: Direction) -> bool {
    (direction == Up) == nearest.is_sign_positive()
}

/// Returns `x + y` by Knuth's two-sum, whose error term is exact even for subnormals, unless something overflows.
#[inline]
pub(crate) fn add(x: f64, y: f64, direction: Direction) -> Option<f64> {
    let sum = x + y;
    let y_part = sum - x;
    let x_part = sum - y_part;
    let error = (x - x_part) + (y - y_part);
    let beyond = match direction {
        Up => u64::from(error > 0.0),
        Down => u64::from(error < 0.0),
    };
    let change = if is_outward(sum, direction) { beyond } else { beyond.wrapping_neg() };
    // A sum that is zero is exact. Adding zero changes -0.0 to 0.0 and nothing else.
    let stepped = f64::from_bits(sum.to_bits().wrapping_add(change)) + 0.0;
    (sum.is_finite() && error.is_finite()).then_some(stepped)
}

/// Returns the f64 next to `nearest` in the given direction if the real result lies there, and otherwise `nearest`. The
/// result's size minus that of `nearest` has the sign of `excess`.
#[inline]
fn step(nearest: f64, excess: i64, direction: Direction) -> f64 {
    // The sign of the excess: 1 if it is positive, and -1 if it is negative.
    let (one_more, one_less) = (excess.wrapping_neg().cast_unsigned() >> 63, (excess >> 63).cast_unsigned());
    let change = if is_outward(nearest, direction) { one_more } else { one_less };
    f64::from_bits(nearest.to_bits().wrapping_add(change))
}

const EXPONENT: u64 = 0x7ff << 52;

/// Returns the mantissa of a normal number, with its leading bit: the number's size is the mantissa times a power of
/// two.
#[inline]
fn mantissa(x: f64) -> u64 {
    x.to_bits() & !(0xfff << 52) | 1 << 52
}

/// Returns true if a result is normal and its operands are not subnormal. (If the result of a product, quotient or root
/// is finite and not zero, its operands are not infinite, NaN or zero.)
#[inline]
fn are_normal(result: f64, operand: f64, other: f64) -> bool {
    // One less than the exponent, which for a subnormal or zero sets every bit.
    let below = |x: f64| (x.to_bits() & EXPONENT).wrapping_sub(1 << 52);
    below(result) < EXPONENT - (1 << 52) && below(operand) | below(other) <= EXPONENT
}

/// Returns the mantissa of x times 2^k modulo 2^64, where k is 52 or 53, and odd if and only if the exponents' sum is
/// even.
///
/// Exponent and leading bit are shifted out, so the bit pattern can replace the mantissa. In the same way, the
/// exclusive or of the patterns can replace the sum of exponents.
#[inline]
fn shifted_mantissa(x: f64, exponents: u64) -> u64 {
    x.to_bits() << 52 << (!exponents >> 52 & 1)
}

/// Returns `x * y`. With e the biased exponents and p the computed product, `|mx my - mp 2^k| <= 2^52` for the integer
/// `k = ep + 1075 - ex - ey`, which is 52 or 53.
#[inline]
pub(crate) fn mul(x: f64, y: f64, direction: Direction) -> Option<f64> {
    let product = x * y;
    let exponents = product.to_bits() ^ x.to_bits() ^ y.to_bits();
    let excess = mantissa(x).wrapping_mul(mantissa(y)).wrapping_sub(shifted_mantissa(product, exponents));
    are_normal(product, x, y).then(|| step(product, excess.cast_signed(), direction))
}

/// Returns `x / y`. The real quotient exceeds the computed one q in size if `|x|` exceeds `|q y|`, and `|mx 2^k - mq
/// my| <= 2^52` for the integer `k = ex + 1075 - eq - ey`, which is 53 if `mx < my` and otherwise 52. (Modulo 2^64, the
/// low bits of the pattern of x can replace its mantissa.)
#[inline]
pub(crate) fn div(x: f64, y: f64, direction: Direction) -> Option<f64> {
    let quotient = x / y;
    let dividend = x.to_bits() << 52 << u64::from(mantissa(x) < mantissa(y));
    let excess = dividend.wrapping_sub(mantissa(quotient).wrapping_mul(mantissa(y)));
    are_normal(quotient, x, y).then(|| step(quotient, excess.cast_signed(), direction))
}

/// Returns the square root of `x`, which exceeds the computed one s if `x` exceeds `s^2`, and `|mx 2^k - ms^2| <= 2^53`
/// for the integer `k = ex + 1075 - 2 es`, which is 52 or 53.
#[inline]
pub(crate) fn sqrt(x: f64, direction: Direction) -> Option<f64> {
    let root = x.sqrt();
    let excess = shifted_mantissa(x, x.to_bits()).wrapping_sub(mantissa(root).wrapping_mul(mantissa(root)));
    // A positive normal number has a positive normal root.
    let applies = x.to_bits().wrapping_sub(1 << 52) < EXPONENT - (1 << 52);
    applies.then(|| step(root.abs(), excess.cast_signed(), direction))
}
