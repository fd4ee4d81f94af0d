//! Arithmetic that rounds in the safe direction.
//!
//! A privacy guarantee is only as good as the arithmetic that computes it: a loss rounded to nearest is below the true
//! loss half of the time, and a sum of floats can change by hundreds when one summand changes by one. This crate is the
//! arithmetic of the privacy maps of `indistinct`.
//!
//! | item | for |
//! |---|---|
//! | [`RoundedArithmetic`] | `inf_add`, `neg_inf_add`, … `sub`, `mul`, `div`, `powi` on f64, f32 and all integers |
//! | [`RoundedMath`] | `inf_sqrt`, … `powf`, `exp`, `exp_m1`, `ln`, `ln_1p`, `log2` on f64 and f32 |
//! | [`RoundedFrom`] | conversions between integers, floats, rationals and dyadics, rounded in a chosen direction or refused |
//! | [`Extended`] | fractions and infinities: a formula computed exactly and rounded once |
//! | [`Dyadic`] | an exact `mantissa * 2^exponent` |
//! | [`BigInt`], [`BigRational`] | integers and fractions of any size, from the crate `num` |
//! | [`ExactSum`] | the exact sum of floats, in any order |
//! | [`ExactDot`] | the exact sum of products, in any order |
//! | [`Above`], [`Below`], [`Range`] | bounds whose arithmetic keeps their direction |
//! | [`enclosure`] | formulas with proven bounds at the speed of floats: `exp`, `ln`, the normal tail |
//! | [`fft`] | the discrete Fourier transform with a proven error |
//! | [`read_float`] | the float in a text; `None` for a number that overflows or underflows |
//! | [`mpfr`] | the reference with which the fast paths are tested |
//!
//! No operation panics or returns NaN: an operation without a real result is an [`Error`].

mod arithmetic;
mod bins;
mod convert;
mod direction;
mod dyadic;
pub mod enclosure;
mod error;
mod exact_dot;
mod exact_sum;
mod extended;
mod fast;
pub mod fft;
mod float;
#[doc(hidden)]
pub mod gmp;
mod integer;
pub mod mpfr;
mod rounding;
mod text;

pub use arithmetic::{RoundedArithmetic, RoundedMath};
pub use convert::{Extended, FromExtended, RoundedFrom, ToExtended};
pub use direction::Direction;
pub use dyadic::Dyadic;
pub use enclosure::{Above, Below, Range};
pub use error::{Error, Fallible};
pub use exact_dot::ExactDot;
pub use exact_sum::{Addend, ExactSum};
pub use num::{BigInt, BigRational};
pub use rounding::Rounding;
pub use text::read_float;
