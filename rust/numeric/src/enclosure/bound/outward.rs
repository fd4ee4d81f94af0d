//! The two types of bounds, and their outward rounding.

/// A float that is at least a real number.
#[derive(Debug, Clone, Copy)]
pub struct Above(pub(super) f64);

/// A float that is at most a real number.
#[derive(Debug, Clone, Copy)]
pub struct Below(pub(super) f64);

/// Returns a float not below any number that rounds to `x`.
///
/// `|x|` times 2^-52 is one to two units in the last place of x, and the smallest normal float covers underflow.
#[inline]
pub(super) fn up(x: f64) -> f64 {
    x + (x.abs() * f64::EPSILON + f64::MIN_POSITIVE)
}

/// Returns a float not above any number that rounds to `x`.
#[inline]
pub(super) fn down(x: f64) -> f64 {
    x - (x.abs() * f64::EPSILON + f64::MIN_POSITIVE)
}

/// Returns `x`, or 0 if it is negative. NaN stays NaN.
#[inline]
pub(super) fn positive_part(x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { x }
}
