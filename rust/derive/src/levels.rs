//! The proof level of each constructor. Written by `cargo xtask proofs --update` from the pages under `proofs`.

/// Name, level, and page under `proofs`.
pub(crate) const LEVELS: &[(&str, &str, &str)] = &[
    ("make_bound_contributions", "C", "transformations/bound_contributions.md"),
    ("make_clamp", "C", "transformations/clamp.md"),
    ("make_composition", "C", "combinators/composition.md"),
    ("make_count", "C", "transformations/count.md"),
    ("make_count_by_categories", "C", "transformations/count_by_categories.md"),
    ("make_gaussian", "C", "measurements/gaussian.md"),
    ("make_laplace", "C", "measurements/laplace.md"),
    ("make_map", "C", "transformations/map.md"),
    ("make_sum", "C", "transformations/sum.md"),
    ("make_sum_by_categories", "C", "transformations/sum_by_categories.md"),
];
