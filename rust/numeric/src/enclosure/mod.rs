//! Numbers known to lie between two bounds: formulas are written once, over [`Enclosure`], and evaluated in the cheapest
//! arithmetic that decides.
//!
//! [`Ball`] is fast (some 10 ns an operation) and keeps about 90 bits; [`Interval`] is MPFR with directed rounding, as
//! wide as asked for. Every operation of either contains the real result for all real operands within its operands, so
//! that a bound read off at the end holds whatever happened on the way. What an arithmetic cannot do gives an enclosure that
//! contains everything: it is wide, never wrong.
//!
//! ```
//! use indistinct_numeric::enclosure::{Enclosure, Formula, enclose};
//!
//! /// The logistic function, which cancels near neither end.
//! struct Logistic(f64);
//! impl Formula for Logistic {
//!     fn evaluate<E: Enclosure>(&self) -> E {
//!         let growth = E::exact(-self.0).exp();
//!         E::exact(1.0).div(&E::exact(1.0).add(&growth))
//!     }
//! }
//! let bounds = enclose(&Logistic(2.0));
//! assert!(0.88079707797788 < bounds.lower && bounds.upper < 0.88079707797789);
//! assert!(bounds.upper - bounds.lower < 1e-15);
//! ```

mod ball;
mod double_double;
mod exp;
mod interval;
mod ln;
mod mills;
mod near;

pub use ball::Ball;
pub use interval::Interval;
pub use mills::mills_estimate;
pub use near::{exp_m1_near, exp_near, ln_1p_near};

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
    /// The ratio of Mills at `x >= 0`: the upper tail of the standard normal law over its density,
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
    /// Whether the bounds are within a few units in the last place of each other.
    pub fn are_tight(&self) -> bool {
        let least = self.lower.abs().min(self.upper.abs());
        let width = self.upper - self.lower;
        width.is_finite() && (width <= least * 2f64.powi(-50) || self.upper == self.lower.next_up())
    }
}

/// A formula that can be evaluated in any arithmetic.
pub trait Formula {
    /// The value, enclosed.
    fn evaluate<E: Enclosure>(&self) -> E;
}

/// Bounds on a formula's value, by [`Ball`], or where these are not tight by [`Interval`] with more and more bits.
/// The widest attempt's bounds hold too, if none is tight.
pub fn enclose(formula: &impl Formula) -> Bounds {
    let bounds = formula.evaluate::<Ball>().bounds();
    if bounds.are_tight() {
        return bounds;
    }
    let bounds = formula.evaluate::<Interval<192>>().bounds();
    if bounds.are_tight() {
        return bounds;
    }
    formula.evaluate::<Interval<1536>>().bounds()
}
