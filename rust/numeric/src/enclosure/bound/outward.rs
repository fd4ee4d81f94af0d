//! The two types, and the rounding outward that their arithmetic shares.

/// A float that a real number is at most.
#[derive(Debug, Clone, Copy)]
pub struct Above(pub(super) f64);

/// A float that a real number is at least.
#[derive(Debug, Clone, Copy)]
pub struct Below(pub(super) f64);

/// Not below any number that rounds to `x`.
///
/// `|x|` times 2^-52 is one to two units in the last place of x, and the least normal float covers what underflows.
#[inline]
pub(super) fn up(x: f64) -> f64 {
    x + (x.abs() * f64::EPSILON + f64::MIN_POSITIVE)
}

/// Not above any number that rounds to `x`.
#[inline]
pub(super) fn down(x: f64) -> f64 {
    x - (x.abs() * f64::EPSILON + f64::MIN_POSITIVE)
}

/// `x`, or 0 if it is negative; a NaN stays.
#[inline]
pub(super) fn positive_part(x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { x }
}
