//! Randomized steps: noise, selection, randomized response.
//!
//! | constructor | from | measure | map |
//! |---|---|---|---|
//! | [`make_laplace`] | a number or vector; [`AbsoluteDistance`](crate::metrics::AbsoluteDistance), [`L1Distance`](crate::metrics::L1Distance) | [`MaxDivergence`](crate::measures::MaxDivergence) | d_in / scale |
//! | [`make_gaussian`] | a number or vector; [`AbsoluteDistance`](crate::metrics::AbsoluteDistance), [`L2Distance`](crate::metrics::L2Distance) | [`ZeroConcentratedDivergence`](crate::measures::ZeroConcentratedDivergence); for floats also [`GaussianDivergence`](crate::measures::GaussianDivergence) | (d_in / scale)^2 / 2; d_in / scale |
//! | [`make_geometric`] | an integer; [`AbsoluteDistance`](crate::metrics::AbsoluteDistance) | [`MaxDivergence`](crate::measures::MaxDivergence) | d_in / scale |
//! | [`make_staircase`] | an integer; [`AbsoluteDistance`](crate::metrics::AbsoluteDistance) | [`MaxDivergence`](crate::measures::MaxDivergence) | epsilon ceil(d_in / sensitivity) |
//! | [`make_snapping`] | a float; [`AbsoluteDistance`](crate::metrics::AbsoluteDistance) | [`MaxDivergence`](crate::measures::MaxDivergence) | d_in / scale, and a term for the arithmetic |
//! | [`make_canonical_noise`] | a float; [`AbsoluteDistance`](crate::metrics::AbsoluteDistance) | [`Approximate<MaxDivergence>`](crate::measures::Approximate) | the given (epsilon, delta) |
//! | [`make_randomized_response`], [`make_randomized_response_bool`] | a category, a Boolean; [`DiscreteDistance`](crate::metrics::DiscreteDistance) | [`MaxDivergence`](crate::measures::MaxDivergence) | ln(prob (k - 1) / (1 - prob)) |
//! | [`make_randomized_response_bitvec`] | bits; [`HammingDistance`](crate::metrics::HammingDistance) | [`MaxDivergence`](crate::measures::MaxDivergence) | d_in ln(prob / (1 - prob)) |
//! | [`make_noisy_max`] | scores; [`LInfDistance`](crate::metrics::LInfDistance) | max, range or zero-concentrated divergence | eta = 2 d_in / scale (monotonic: d_in / scale), eta, eta^2 / 8 |
//! | [`make_exponential`] | as above | as above | as above |
//! | [`make_permute_and_flip`] | as above | [`MaxDivergence`](crate::measures::MaxDivergence) | eta |
//! | [`make_noisy_top_k`] | as above | max, range or zero-concentrated divergence | k times as much (range: 2 k - 1 times) |
//! | [`make_private_quantile`] | rows; any row metric | max, range or zero-concentrated divergence | eta = 2 d_in max(alpha, 1 - alpha) / scale |
//! | [`make_private_bounds`] | rows; any row metric | [`MaxDivergence`](crate::measures::MaxDivergence) | d_in / scale, 2 d_in / scale where rows are replaced |
//! | [`make_user_measurement`] | any | any | user-defined |
//! | [`make_alp`] | a map from unknown keys to numbers; [`L01InfDistance`](crate::metrics::L01InfDistance) | max divergence | L1 / scale |
//! | [`make_laplace_threshold`] | a map from unknown keys to numbers; [`L01InfDistance`](crate::metrics::L01InfDistance) | [`Approximate`](crate::measures::Approximate) max divergence | (L1 / scale, delta of the threshold) |
//! | [`make_select_keys`] | a map from unknown keys to numbers of individuals; [`L01InfDistance`](crate::metrics::L01InfDistance) | [`Approximate`](crate::measures::Approximate) max divergence | (k epsilon, at most k delta) for k keys |
//! | [`make_gaussian_threshold`] | a map from unknown keys to numbers; [`L02InfDistance`](crate::metrics::L02InfDistance) | [`Approximate`](crate::measures::Approximate) zero-concentrated | ((L2 / scale)^2 / 2, delta of the threshold) |
//! | [`make_above_threshold`] | any data, through a [`Queryable`](crate::core::Queryable) | [`MaxDivergence`](crate::measures::MaxDivergence) | sensitivity / a + 2 limit sensitivity / b |
//! | [`make_tree_aggregation`] | a stream of bounded integers or vectors, through a [`Queryable`](crate::core::Queryable) | [`MaxDivergence`](crate::measures::MaxDivergence), [`ZeroConcentratedDivergence`](crate::measures::ZeroConcentratedDivergence) | r L n, or r^2 L n / 2, for r = d_in (u - l) / scale and L levels |
//! | [`make_matrix_factorization`] | parts of the data, and vectors of sums of each part in turn, through a [`Queryable`](crate::core::Queryable) | as for [`make_gaussian`] on floats | the map of Gaussian noise at distance n times sensitivity times S, for n differing parts and a factor of sensitivity S |

pub(crate) mod above_threshold;
mod alp;
mod canonical_noise;
mod debias;
mod exponential;
pub(crate) mod gaussian;
mod gaussian_threshold;
mod geometric;
mod laplace;
mod laplace_threshold;
mod matrix_factorization;
pub(crate) mod noise;
mod noisy_max;
mod noisy_top_k;
mod permute_and_flip;
mod private_bounds;
mod private_quantile;
mod randomized_response;
mod randomized_response_bitvec;
mod randomized_response_bool;
mod select_keys;
pub(crate) mod selection;
mod snapping;
mod staircase;
mod tail;
pub(crate) mod threshold;
pub(crate) mod tree_aggregation;
mod user_measurement;

pub use above_threshold::{Monotonicity, ThresholdQuestion};
pub use alp::ProjectedCounts;
pub use constructors::*;
pub use debias::{debias_randomized_response, debias_randomized_response_bitvec, debias_randomized_response_bool};
pub use matrix_factorization::{StepQuestion, ToeplitzFactor};
pub use noise::Scale;
pub use selection::Scores;
pub(crate) use tail::upper_tail;

// Written by `cargo xtask lists` from the files of this folder.
/// The constructors below this folder. The prelude re-exports all of them.
#[rustfmt::skip]
pub(crate) mod constructors {
    pub use super::above_threshold::{make_above_threshold, then_above_threshold};
    pub use super::alp::{make_alp, then_alp};
    pub use super::canonical_noise::{make_canonical_noise, then_canonical_noise};
    pub use super::exponential::{make_exponential, then_exponential};
    pub use super::gaussian::{make_gaussian, then_gaussian};
    pub use super::gaussian_threshold::{make_gaussian_threshold, then_gaussian_threshold};
    pub use super::geometric::{make_geometric, then_geometric};
    pub use super::laplace::{make_laplace, then_laplace};
    pub use super::laplace_threshold::{make_laplace_threshold, then_laplace_threshold};
    pub use super::matrix_factorization::{make_matrix_factorization, then_matrix_factorization};
    pub use super::noisy_max::{make_noisy_max, then_noisy_max};
    pub use super::noisy_top_k::{make_noisy_top_k, then_noisy_top_k};
    pub use super::permute_and_flip::{make_permute_and_flip, then_permute_and_flip};
    pub use super::private_bounds::{make_private_bounds, then_private_bounds};
    pub use super::private_quantile::{make_private_quantile, then_private_quantile};
    pub use super::randomized_response::{make_randomized_response, then_randomized_response};
    pub use super::randomized_response_bitvec::{make_randomized_response_bitvec, then_randomized_response_bitvec};
    pub use super::randomized_response_bool::{make_randomized_response_bool, then_randomized_response_bool};
    pub use super::select_keys::{make_select_keys, then_select_keys};
    pub use super::snapping::{make_snapping, then_snapping};
    pub use super::staircase::{make_staircase, then_staircase};
    pub use super::tree_aggregation::{make_tree_aggregation, then_tree_aggregation};
    pub use super::user_measurement::{make_user_measurement, then_user_measurement};
}

/// The calls of these constructors from plans.
#[cfg(feature = "plans")]
#[rustfmt::skip]
pub(crate) fn entries<B: crate::core::Builder>() -> Vec<crate::core::Entry<B>> {
    vec![
        above_threshold::entry(),
        alp::entry(),
        canonical_noise::entry(),
        exponential::entry(),
        gaussian::entry(),
        gaussian_threshold::entry(),
        geometric::entry(),
        laplace::entry(),
        laplace_threshold::entry(),
        matrix_factorization::entry(),
        noisy_max::entry(),
        noisy_top_k::entry(),
        permute_and_flip::entry(),
        private_bounds::entry(),
        private_quantile::entry(),
        randomized_response::entry(),
        randomized_response_bitvec::entry(),
        randomized_response_bool::entry(),
        select_keys::entry(),
        snapping::entry(),
        staircase::entry(),
        tree_aggregation::entry(),
        user_measurement::entry(),
    ]
}
// The end of what is written.
