//! Exact sampling from distributions. This crate knows nothing about privacy.
//!
//! Each draw has exactly the documented distribution: no probability is rounded. All random bits come from an
//! [`Entropy`] that is passed as an argument.
//!
//! | item | distribution |
//! |---|---|
//! | [`IntegerNoise`] | integers: discrete Laplace, discrete Gaussian, geometric |
//! | [`StaircaseNoise`] | integers with a step-shaped distribution |
//! | [`TruncatedNoise`] | discrete Laplace and discrete Gaussian, conditioned on lying in an interval |
//! | [`RoundedNoise`] | any [`RealNoise`], added to a number and correctly rounded to a multiple of 2^k |
//! | [`RealNoise`] | Laplace, Gaussian, exponential, Gumbel, logistic, uniform, Tulap; a draw is a [`Real`], whose digits are drawn on demand |
//! | [`SnappedNoise`] | Laplace noise in floats of 53 bits, snapped to a power of two (Mironov's mechanism) |
//! | [`noisy_top_k`] | the positions of the largest numbers after exponential or Gumbel noise, compared exactly |
//! | [`uniform_below`] | uniform on 0, …, n - 1; also in 64 and 128 bits |
//! | [`bernoulli`], [`bernoulli_rational`], [`bernoulli_exp`] | true with probability p, with probability exp(-x) |
//! | [`SelectionCoin`] | true with the largest probability that (epsilon, delta) allows for a number of individuals |
//! | [`OsEntropy`] | the operating system's bits: the source of every release |
//! | `testing`, with the feature of that name | seeded streams, tapes and the enumeration of a distribution |
//!
//! Each sampler except `StaircaseNoise` is also a `Distribution` of the crate `rand`, for simulations with your own
//! generator. Releases are drawn from [`OsEntropy`] alone.
//!
//! # How
//!
//! A draw is decided in 64-bit integers, with an error bound, where they are enough. Otherwise more digits of the same
//! random numbers are drawn, and compared with enclosures computed by MPFR, until they decide. So the distribution is
//! exactly the distribution on real numbers, and at ordinary scales and grids nearly all draws take nanoseconds. The
//! samplers share four parts: a `table` of a distribution function, a `coin` of bias exp(-x), the `half_line`
//! distributions made from them, and a logarithm, `ln`.
//!
//! # What a draw costs
//!
//! | distribution | words of 64 bits | rejected | left to more digits (microseconds to milliseconds) |
//! |---|---|---|---|
//! | discrete, scale below 32 (Gaussian: 1024) | 1/2 | never | below 10^-15 |
//! | discrete, larger, to scale 2^20 | 1 | one in 33 to 129 | below 10^-15 |
//! | discrete, larger, to scale 2^68 | 2 | one in 33 to 129 | below 10^-15 |
//! | discrete, larger still | in proportion to its digits | one in 33 to 129 | always |
//! | Laplace, Gaussian, exponential on a grid of `2^-32` of the scale | 1 1/2 | one in 33 to 41 | below 10^-5 |
//! | Gumbel, logistic, uniform on the same grid | 1 | never | below 10^-6, 10^-6, 10^-9 |
//! | Tulap on the same grid | 1 1/2 to 3 | with probability q, at most 3 in 4 (in microseconds where it would be more) | below 10^-9 |
//! | truncated | a hundred bits or so a round | fewer than ten rounds in expectation | always |
//! | Bernoulli(p), p a float | 1/2 | never | never |
//!
//! The number of rejection rounds is geometric: the probability of more than n rounds is at most the probability of a
//! rejection to the n-th power. If `d` digits do not decide a number, twice as many do except with a probability of
//! some `2^-d`. A draw fails with an error of the source if 1024 digits do not decide a table, if 2^18 digits do not
//! decide a comparison, or after 2^14 rejections. Each has probability below `2^-1000`, so every draw ends in bounded
//! memory, whatever the source. The cost of drawing noise does not depend on data. The cost of adding it to a shift
//! depends on the shift beyond 2^47 steps of the grid, and the cost of a selection depends on the scores.

mod bernoulli;
mod coin;
mod distributions;
mod drawn;
mod entropy;
mod error;
#[doc(hidden)]
pub mod gmp;
mod half_line;
mod integer;
mod large;
mod lazy;
mod ln;
mod noisy_max;
mod numbers;
mod real;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod reference;
mod rounded;
mod scale;
mod selection_coin;
mod snapped;
mod staircase;
mod table;
mod truncated;
mod tulap;
mod uniform;
mod widths;

/// The number of rejection rounds after which a draw fails. Each round keeps a draw with probability above a tenth, so
/// a fair source reaches this limit with probability below 2^-2000.
const MAX_ROUNDS: u32 = 1 << 14;

pub use bernoulli::bernoulli;
#[cfg(feature = "testing")]
pub use entropy::testing;
pub use entropy::{Entropy, OsEntropy};
pub use error::{Error, Fallible, Rule, SystemError};
pub use indistinct_numeric::{BigInt, BigRational};
pub use integer::IntegerNoise;
pub use noisy_max::{Score, SelectionNoise, noisy_top_k};
pub use numbers::{bernoulli_exp, bernoulli_rational, uniform_below};
pub use real::{Real, RealNoise};
pub use rounded::RoundedNoise;
pub use scale::ExactScale;
pub use selection_coin::SelectionCoin;
pub use snapped::SnappedNoise;
pub use staircase::StaircaseNoise;
pub use truncated::TruncatedNoise;
pub use uniform::{uniform_below_u64, uniform_below_u128};
