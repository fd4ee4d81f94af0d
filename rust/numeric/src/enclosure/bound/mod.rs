//! Bounds that keep their direction: [`Above`] and [`Below`], floats whose arithmetic rounds outward.
//!
//! A computation of an error bound has a direction, and a rounding in the wrong direction makes it false. These types
//! let the compiler check the direction: the sum of two upper bounds is an upper bound, the difference of an upper and
//! a lower bound is an upper bound, and an expression that mixes directions has no type. They are for slack, which
//! needs few digits but must be large enough; for narrow enclosures of numbers see
//! [`Enclosure`](crate::enclosure::Enclosure).
//!
//! NaN, and any operation without a bound, means "nothing is known": infinity for upper bounds, minus infinity for
//! lower bounds.
//!
//! ```
//! use indistinct_numeric::{Above, Below};
//! // An upper bound on e^-x/(1 - e^-x) for x = 0.3.
//! let ratio = (-Below::exact(0.3)).exp();
//! let sum = ratio / (Below::exact(1.0) - ratio);
//! assert!(sum.get() >= 2.858295913 && sum.get() < 2.858295915);
//! ```

mod arithmetic;
mod functions;
mod outward;
mod range;
#[cfg(test)]
mod tests;

pub use outward::{Above, Below};
pub use range::Range;
