//! The entries of this folder's constructors in the registry.

use crate::core::{Builder, Entry};

/// Returns the entries of this folder.
pub(crate) fn entries<B: Builder>() -> Vec<Entry<B>> {
    vec![
        super::above_threshold::entry(),
        super::alp::entry(),
        super::canonical_noise::entry(),
        super::exponential::entry(),
        super::gaussian::entry(),
        super::gaussian_threshold::entry(),
        super::geometric::entry(),
        super::laplace::entry(),
        super::laplace_threshold::entry(),
        super::matrix_factorization::entry(),
        super::noisy_max::entry(),
        super::noisy_top_k::entry(),
        super::permute_and_flip::entry(),
        super::private_bounds::entry(),
        super::private_quantile::entry(),
        super::randomized_response::entry(),
        super::randomized_response_bitvec::entry(),
        super::randomized_response_bool::entry(),
        super::select_keys::entry(),
        super::snapping::entry(),
        super::tree_aggregation::entry(),
        super::user_measurement::entry(),
    ]
}
