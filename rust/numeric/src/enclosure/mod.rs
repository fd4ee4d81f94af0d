//! Numbers between two bounds: formulas are written once, over [`Enclosure`], and evaluated in the fastest arithmetic
//! that decides.
//!
//! [`Ball`] is fast (some 10 ns an operation) and keeps about 90 bits. [`Interval`] is MPFR with directed rounding and
//! a chosen number of bits. Every operation of either contains the real result for all real operands within its
//! operands, so the final bounds hold. An operation that an arithmetic cannot do returns an enclosure that contains
//! everything: it is wide, never wrong.
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

mod arithmetic;
mod ball;
mod bound;
mod circle;
mod complex;
mod complex_exp;
mod double_double;
mod exp;
mod functions;
mod interval;
mod ln;
mod midpoint;
mod mills;
mod near;

pub use arithmetic::{Bounds, Enclosure};
pub use ball::Ball;
pub use bound::{Above, Below, Range};
pub use circle::{argument, circle_point, one_over_two_pi};
pub use complex::{CIRCLE_ERROR, CompensatedSum, ComplexBall, UNIT_ROUNDOFF, cosine_and_sine, unit_circle};
pub use interval::Interval;
pub use midpoint::{exp_or_tiny, midpoint};
pub use mills::mills_estimate;
pub use near::{EXP_NEAR_ERROR, exp_m1_near, exp_near, ln_1p_near};

/// A formula that can be evaluated in any arithmetic.
pub trait Formula {
    /// Returns an enclosure of the value.
    fn evaluate<E: Enclosure>(&self) -> E;
}

/// Returns bounds on a formula's value, by [`Ball`] or, if these are not tight, by [`Interval`] with more and more
/// bits. If none are tight, the bounds with the most bits are returned, which hold too.
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
