//! Bounds that keep their direction: [`Above`] and [`Below`], floats whose arithmetic rounds outward.
//!
//! A computation of an error bound has a direction: a rounding that goes the wrong way makes it untrue. These types let
//! the compiler keep it: the sum of two upper bounds is one, the difference of an upper and a lower bound is one, and
//! an expression that mixes them up has no type. They are for slack, which needs no digits but must be large enough;
//! for narrow enclosures of numbers see [`Enclosure`](crate::enclosure::Enclosure).
//!
//! A NaN, and whatever has no bound, is read as "nothing is known": infinity above, minus infinity below.
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
