//! The proof level of each constructor. Written by `cargo xtask proofs --update` from the pages under `proofs`.

/// Name, level, and page under `proofs`.
pub(crate) const LEVELS: &[(&str, &str, &str)] = &[
    ("make_bound_contributions", "B", "transformations/bound_contributions.md"),
    ("make_clamp", "B", "transformations/clamp.md"),
    ("make_composition", "B", "combinators/composition.md"),
    ("make_count", "B", "transformations/count.md"),
    ("make_count_by", "C", "transformations/count_by.md"),
    ("make_count_by_categories", "B", "transformations/count_by_categories.md"),
    ("make_count_persons_by", "C", "transformations/count_persons_by.md"),
    ("make_gaussian", "C", "measurements/gaussian.md"),
    ("make_gaussian_threshold", "C", "measurements/gaussian_threshold.md"),
    ("make_laplace", "B", "measurements/laplace.md"),
    ("make_laplace_threshold", "C", "measurements/laplace_threshold.md"),
    ("make_map", "B", "transformations/map.md"),
    ("make_sum", "B", "transformations/sum.md"),
    ("make_sum_by", "C", "transformations/sum_by.md"),
    ("make_sum_by_categories", "B", "transformations/sum_by_categories.md"),
];
