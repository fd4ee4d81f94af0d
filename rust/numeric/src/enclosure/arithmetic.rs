//! The operations that every arithmetic of enclosures has.

/// A set of real numbers that contains the one meant.
pub trait Enclosure: Clone {
    /// A float, exactly. A NaN or an infinity gives the enclosure that contains everything.
    fn exact(x: f64) -> Self;
    /// A float that the number is below, and one that it is above.
    fn between(lower: f64, upper: f64) -> Self;
    /// The sum.
    fn add(&self, other: &Self) -> Self;
    /// The difference.
    fn sub(&self, other: &Self) -> Self;
    /// The product.
    fn mul(&self, other: &Self) -> Self;
    /// The quotient; everything, if the divisor may be zero.
    fn div(&self, other: &Self) -> Self;
    /// `e^x`.
    fn exp(&self) -> Self;
    /// `e^x - 1`, without cancellation near zero.
    fn exp_m1(&self) -> Self;
    /// The natural logarithm, without cancellation near 1; everything, if the number may be zero or less.
    fn ln(&self) -> Self;
    /// `ln(1 + x)`, without cancellation near zero; everything, if the number may be -1 or less.
    fn ln_1p(&self) -> Self;
    /// The ratio of Mills at `x >= 0`: the upper tail of the standard normal distribution over its density,
    /// `e^(x^2/2)` times the integral of `e^(-s^2/2)` from x upwards. Everything, if the number may be below -2^-10.
    fn mills(&self) -> Self;
    /// One over the root of two pi, the standard normal density at zero.
    fn inverse_root_two_pi() -> Self;
    /// A float not above the number.
    fn lower(&self) -> f64;
    /// A float not below the number.
    fn upper(&self) -> f64;

    /// Both bounds.
    fn bounds(&self) -> Bounds {
        Bounds { lower: self.lower(), upper: self.upper() }
    }
}

/// Floats on either side of a real number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Not above the number.
    pub lower: f64,
    /// Not below the number.
    pub upper: f64,
}

impl Bounds {
    /// Returns true if the bounds are within a few units in the last place of each other.
    pub fn are_tight(&self) -> bool {
        let least = self.lower.abs().min(self.upper.abs());
        let width = self.upper - self.lower;
        width.is_finite() && (width <= least * 2f64.powi(-50) || self.upper == self.lower.next_up())
    }
}
