//! Simple and slow samplers of the same distributions, with which tests compare the fast ones.
//!
//! The reference of a distribution that is a function of one uniform number is
//! [`RoundedNoise::add_exact`](crate::RoundedNoise), which computes enclosures of the same digits with MPFR.

mod continuous;
mod discrete;

pub use continuous::{gaussian, laplace};
pub use discrete::{discrete_gaussian, discrete_laplace, geometric};
