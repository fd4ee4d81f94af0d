//! The proof level of each constructor. Written by `cargo xtask proofs --update` from the pages under `proofs`.

/// Name, level, and page under `proofs`.
pub(crate) const LEVELS: &[(&str, &str, &str)] = &[
    ("make_bound_contributions", "B", "transformations/bound_contributions.md"),
    ("make_canonical_noise", "C", "measurements/canonical_noise.md"),
    ("make_clamp", "B", "transformations/clamp.md"),
    ("make_composition", "A", "combinators/composition.md"),
    ("make_count", "B", "transformations/count.md"),
    ("make_count_by_categories", "A", "transformations/count_by_categories.md"),
    ("make_exponential", "C", "measurements/exponential.md"),
    ("make_gaussian", "C", "measurements/gaussian.md"),
    ("make_geometric", "C", "measurements/geometric.md"),
    ("make_laplace", "B", "measurements/laplace.md"),
    ("make_map", "B", "transformations/map.md"),
    ("make_noisy_max", "C", "measurements/noisy_max.md"),
    ("make_noisy_top_k", "C", "measurements/noisy_top_k.md"),
    ("make_permute_and_flip", "C", "measurements/permute_and_flip.md"),
    ("make_private_quantile", "C", "measurements/private_quantile.md"),
    ("make_randomized_response", "C", "measurements/randomized_response.md"),
    ("make_randomized_response_bitvec", "C", "measurements/randomized_response_bitvec.md"),
    ("make_randomized_response_bool", "C", "measurements/randomized_response_bool.md"),
    ("make_snapping", "C", "measurements/snapping.md"),
    ("make_sum", "A", "transformations/sum.md"),
    ("make_sum_by_categories", "A", "transformations/sum_by_categories.md"),
    ("make_user_measurement", "C", "measurements/user_measurement.md"),
    ("make_user_transformation", "C", "transformations/user_transformation.md"),
];
