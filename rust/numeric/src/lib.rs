//! Arithmetic that errs on the safe side.
//!
//! A privacy guarantee is only as good as the arithmetic that computes it: a loss rounded to nearest is below the truth
//! half of the time, and a sum of floats can move by hundreds when one summand moves by one. This crate is the
//! arithmetic that the privacy maps of `indistinct` are written in.
//!
//! | what | for |
//! |---|---|
//! | [`RoundedArithmetic`] | `inf_add`, `neg_inf_add`, … `sub`, `mul`, `div`, `powi` on f64, f32 and all integers |
//! | [`RoundedMath`] | `inf_sqrt`, … `powf`, `exp`, `exp_m1`, `ln`, `ln_1p`, `log2` on f64 and f32 |
//! | [`RoundedFrom`] | conversions between integers, floats, rationals and dyadics, rounded a chosen way or refused |
//! | [`Extended`] | fractions and infinities: a formula computed exactly and rounded once |
//! | [`Dyadic`] | an exact `mantissa * 2^exponent` |
//! | [`BigInt`], [`BigRational`] | the crate `num`'s: integers and fractions of any size |
//! | [`ExactSum`] | the exact sum of floats, in any order |
//! | [`ExactDot`] | the exact sum of products, in any order |
//! | [`Above`], [`Below`], [`Range`] | bounds whose arithmetic keeps their direction |
//! | [`enclosure`] | formulas with proven bounds at the speed of floats: `exp`, `ln`, the normal tail |
//! | [`fft`] | the discrete Fourier transform with a proven error |
//! | [`read_float`] | the float of a text; none for a number beyond all floats, or below them |
//! | [`mpfr`] | the truth that the fast paths are tested against |
//!
//! No operation panics, and a NaN never comes out of one: what has no real value is an [`Error`].

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
