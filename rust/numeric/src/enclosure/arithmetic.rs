//! The operations on enclosures.

/// A set of real numbers that contains the true value.
pub trait Enclosure: Clone {
    /// Returns the exact enclosure of a float. For NaN or an infinity, it contains everything.
    fn exact(x: f64) -> Self;
    /// Returns the enclosure between a float that is at most the number and one that is at least the number.
    fn between(lower: f64, upper: f64) -> Self;
    /// The sum.
    fn add(&self, other: &Self) -> Self;
    /// The difference.
    fn sub(&self, other: &Self) -> Self;
    /// The product.
    fn mul(&self, other: &Self) -> Self;
    /// The quotient; it contains everything if the divisor may be zero.
    fn div(&self, other: &Self) -> Self;
    /// `e^x`.
    fn exp(&self) -> Self;
    /// `e^x - 1`, without cancellation near zero.
    fn exp_m1(&self) -> Self;
    /// The natural logarithm, without cancellation near 1; it contains everything if the number may be zero or less.
    fn ln(&self) -> Self;
    /// `ln(1 + x)`, without cancellation near zero; it contains everything if the number may be -1 or less.
    fn ln_1p(&self) -> Self;
    /// The Mills ratio at `x >= 0`: the upper tail of the standard normal distribution divided by its density,
    /// `e^(x^2/2)` times the integral of `e^(-s^2/2)` from x upwards. It contains everything if the number may be below
    /// -2^-10.
    fn mills(&self) -> Self;
    /// `1 / sqrt(2 pi)`, the standard normal density at zero.
    fn inverse_root_two_pi() -> Self;
    /// Returns a float not above the number.
    fn lower(&self) -> f64;
    /// Returns a float not below the number.
    fn upper(&self) -> f64;

    /// Returns both bounds.
    fn bounds(&self) -> Bounds {
        Bounds { lower: self.lower(), upper: self.upper() }
    }
}

/// Floats on either side of a real number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// A lower bound on the number.
    pub lower: f64,
    /// An upper bound on the number.
    pub upper: f64,
}

impl Bounds {
    /// Returns true if the bounds are a few units in the last place apart.
    pub fn are_tight(&self) -> bool {
        let least = self.lower.abs().min(self.upper.abs());
        let width = self.upper - self.lower;
        width.is_finite() && (width <= least * 2f64.powi(-50) || self.upper == self.lower.next_up())
    }
}
