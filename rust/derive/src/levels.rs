//! The proof level of each constructor. Written by `cargo xtask proofs --update` from the pages under `proofs`.

/// Name, level, and page under `proofs`.
pub(crate) const LEVELS: &[(&str, &str, &str)] = &[
    ("make_above_threshold", "C", "measurements/above_threshold.md"),
    ("make_bound_contributions", "B", "transformations/bound_contributions.md"),
    ("make_clamp", "B", "transformations/clamp.md"),
    ("make_composition", "B", "combinators/composition.md"),
    ("make_count", "B", "transformations/count.md"),
    ("make_count_by_categories", "B", "transformations/count_by_categories.md"),
    ("make_gaussian", "C", "measurements/gaussian.md"),
    ("make_laplace", "B", "measurements/laplace.md"),
    ("make_map", "B", "transformations/map.md"),
    ("make_privacy_filter", "C", "combinators/privacy_filter.md"),
    ("make_sum", "B", "transformations/sum.md"),
    ("make_sum_by_categories", "B", "transformations/sum_by_categories.md"),
    ("make_tree_aggregation", "C", "measurements/tree_aggregation.md"),
];
