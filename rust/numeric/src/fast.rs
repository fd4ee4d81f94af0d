//! The fast road: one rounded operation of the hardware, and the sign of its exact error.
//!
//! Each function returns what [`mpfr`](crate::mpfr) returns, to the bit, or `None` where its argument does not hold
//! and MPFR must decide. The argument: IEEE 754 gives `s`, the f64 nearest to the real result `r`, and an error-free
//! transformation gives the sign of `r - s`. If `r` lies above `s`, the least f64 not below `r` is the successor of
//! `s`; otherwise it is `s` itself. Downwards likewise.
//!
//! Under underflow the computed residual may vanish although `r` differs from `s` (x = y = 2^-600 in a product), so
//! products, quotients and roots take this road only where every residual is a multiple of the least subnormal:
//! that is the case when the product, dividend or radicand is at least [`RESIDUAL_IS_EXACT`] in size.

use crate::Direction::{self, Down, Up};

/// Above this size the residual of a product, quotient or root is representable.
///
/// A product p = xy of floats is a multiple of ulp(x) ulp(y), and |p| < 2^106 ulp(x) ulp(y) for normal operands (a
/// subnormal operand makes the ulp larger still), so |p| >= 2^-960 makes the residual a multiple of 2^-1066, with at
/// most 53 significant bits. The residual x - qy of a quotient is a multiple of ulp(q) ulp(y) >= 2^-106 |qy|, and
/// |qy| >= |x|/2. That of a root is the case q = y.
const RESIDUAL_IS_EXACT: f64 = f64::from_bits((1023 - 960) << 52);

/// Move `nearest` one step if the real result, which lies on the side given by the sign of `error`, demands it.
#[inline]
fn step(nearest: f64, error: f64, direction: Direction) -> Option<f64> {
    if !(nearest.is_finite() && error.is_finite()) {
        return None;
    }
    let rounded = match direction {
        Up if error > 0.0 => nearest.next_up(),
        Down if error < 0.0 => nearest.next_down(),
        _ => nearest,
    };
    // Adding zero turns -0.0 into 0.0 and changes nothing else.
    Some(rounded + 0.0)
}

/// `x + y` by Knuth's two-sum, whose error term is exact even among the subnormals, unless something overflows.
#[inline]
pub(crate) fn add(x: f64, y: f64, direction: Direction) -> Option<f64> {
    let sum = x + y;
    let y_part = sum - x;
    let x_part = sum - y_part;
    step(sum, (x - x_part) + (y - y_part), direction)
}

/// `x * y`, with the residual by a fused multiply-add.
#[inline]
pub(crate) fn mul(x: f64, y: f64, direction: Direction) -> Option<f64> {
    let product = x * y;
    if product.abs() < RESIDUAL_IS_EXACT {
        return None;
    }
    step(product, x.mul_add(y, -product), direction)
}

/// `x / y`, with the residual `x - qy` by a fused multiply-add.
#[inline]
pub(crate) fn div(x: f64, y: f64, direction: Direction) -> Option<f64> {
    let quotient = x / y;
    if x.abs() < RESIDUAL_IS_EXACT || quotient.abs() < f64::MIN_POSITIVE || !quotient.is_finite() {
        return None;
    }
    let residual = (-quotient).mul_add(y, x);
    // The real quotient differs from the computed one by residual / y.
    let error = if y > 0.0 { residual } else { -residual };
    step(quotient, error, direction)
}

/// The square root of `x`, with the residual `x - s^2` by a fused multiply-add.
#[inline]
pub(crate) fn sqrt(x: f64, direction: Direction) -> Option<f64> {
    if !(RESIDUAL_IS_EXACT..=f64::MAX).contains(&x) {
        return None;
    }
    let root = x.sqrt();
    step(root, (-root).mul_add(root, x), direction)
}
