//! Exact sampling. Knows nothing of privacy.
//!
//! The law of each draw is exactly the law that its name promises: no probability is rounded. Randomness is a value, an
//! [`Entropy`], and nothing else is random.
//!
//! | what | law |
//! |---|---|
//! | [`uniform_below`] | uniform on 0, …, n - 1 |
//! | [`bernoulli`], [`bernoulli_exp`] | true with probability p, with probability exp(-x) |
//! | [`discrete_laplace`] | integers, weight exp(-abs(z) / scale) |
//! | [`discrete_gaussian`] | integers, weight exp(-z^2 / (2 scale^2)) |
//! | [`laplace`], [`gaussian`] | the continuous laws, shifted, scaled and correctly rounded to a multiple of 2^k |
//! | [`OsEntropy`] | the operating system's bits: the source of every release |
//! | `testing`, with the feature of that name | seeded streams, tapes and the enumeration of a law |
//!
//! These are the reference samplers, in exact rationals and in MPFR with growing precision: a draw takes microseconds.
//! What does not depend on the draw, such as the number of bits first asked for, is chosen for simplicity.

mod bernoulli;
mod continuous;
mod discrete;
mod entropy;
mod error;
mod uniform;

pub use bernoulli::{bernoulli, bernoulli_exp};
pub use continuous::{gaussian, laplace};
pub use discrete::{discrete_gaussian, discrete_laplace};
#[cfg(feature = "testing")]
pub use entropy::testing;
pub use entropy::{Entropy, OsEntropy};
pub use error::{Error, Fallible};
pub use uniform::uniform_below;
