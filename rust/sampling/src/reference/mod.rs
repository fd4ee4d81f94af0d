//! The same distributions by other means, simple and slow: what the samplers are tested against.
//!
//! The distributions that are functions of one uniform number have their reference in
//! [`RoundedNoise::add_exact`](crate::RoundedNoise): enclosures by MPFR, of the same digits.

mod continuous;
mod discrete;

pub use continuous::{gaussian, laplace};
pub use discrete::{discrete_gaussian, discrete_laplace, geometric};
