//! Exact sampling. Knows nothing of privacy.
//!
//! The law of each draw is exactly the law that its name promises: no probability is rounded. Randomness is a value, an
//! [`Entropy`], and nothing else is random.
//!
//! | what | law |
//! |---|---|
//! | [`IntegerNoise`] | integers: discrete Laplace, weight exp(-abs(z) / scale); discrete Gaussian, weight exp(-z^2 / (2 scale^2)) |
//! | [`RoundedNoise`] | Laplace and Gaussian over the reals, added to a number and correctly rounded to a multiple of 2^k |
//! | [`uniform_below`] | uniform on 0, …, n - 1 |
//! | [`bernoulli`], [`bernoulli_exp`] | true with probability p, with probability exp(-x) |
//! | [`OsEntropy`] | the operating system's bits: the source of every release |
//! | `testing`, `reference`, with the feature `testing` | seeded streams, tapes and the enumeration of a law; the same laws by other means |
//!
//! # How
//!
//! A draw is decided in 64-bit integers, with an error bound, wherever that is enough; where it is not, more digits of the
//! same random numbers are drawn and compared with enclosures by MPFR, until they decide. So the law is exactly that of real
//! numbers, and at ordinary scales and grids nearly all draws take nanoseconds. How long a draw takes depends on the noise.
//! Three parts do the work: a `table` of a distribution function, a `coin` of bias exp(-x), and the `half_line` laws made
//! from them.

mod bernoulli;
mod coin;
mod drawn;
mod entropy;
mod error;
mod half_line;
mod integer;
mod large;
mod lazy;
mod ln;
mod noisy_max;
mod real;
#[cfg(feature = "testing")]
pub mod reference;
mod rounded;
mod scale;
mod table;
mod truncated;
mod tulap;
mod uniform;
mod widths;

pub use bernoulli::{bernoulli, bernoulli_exp, bernoulli_rational};
#[cfg(feature = "testing")]
pub use entropy::testing;
pub use entropy::{Entropy, OsEntropy};
pub use error::{Error, Fallible, Rule};
pub use integer::IntegerNoise;
pub use lazy::LazyReal;
pub use noisy_max::{Score, SelectionNoise, noisy_top_k};
pub use real::{Real, RealNoise};
pub use rounded::RoundedNoise;
pub use rug::Rational;
pub use scale::Scale;
pub use truncated::TruncatedNoise;
pub use uniform::{uniform_below, uniform_below_u64, uniform_below_u128};
