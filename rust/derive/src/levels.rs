//! The proof level of each constructor. Written by `cargo xtask proofs --update` from the pages under `proofs`.

/// Name, level, and page under `proofs`.
pub(crate) const LEVELS: &[(&str, &str, &str)] = &[
    ("make_bound_contributions", "B", "transformations/bound_contributions.md"),
    ("make_clamp", "B", "transformations/clamp.md"),
    ("make_composition", "A", "combinators/composition.md"),
    ("make_count", "B", "transformations/count.md"),
    ("make_count_by_categories", "A", "transformations/count_by_categories.md"),
    ("make_gaussian", "C", "measurements/gaussian.md"),
    ("make_laplace", "B", "measurements/laplace.md"),
    ("make_map", "B", "transformations/map.md"),
    ("make_sum", "A", "transformations/sum.md"),
    ("make_sum_by_categories", "A", "transformations/sum_by_categories.md"),
];
