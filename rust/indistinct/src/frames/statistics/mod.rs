//! Statistics of the rows of a table, computed from its columns.
//!
//! Each row belongs to a *place*, which a column of integers gives, counted from 0. Rows at places beyond the given
//! number of places are left out. [`KeySet::position`](super::KeySet::position) computes places from keys, and
//! [`Expr::cut`](super::Expr::cut) computes them from edges. For unknown keys, a column of texts gives the key of each
//! row.

mod bound_rows;
mod count_distinct_by;
mod count_individuals_by_key;
mod count_rows_by;
mod keys;
mod marginals;
mod places;
mod sum_column_by;
mod sum_column_by_key;
mod sum_column_by_of_individuals;
#[cfg(test)]
mod tests;

pub use bound_rows::{make_bound_rows, then_bound_rows};
pub use count_distinct_by::{make_count_distinct_by, then_count_distinct_by};
pub use count_individuals_by_key::{make_count_individuals_by_key, then_count_individuals_by_key};
pub use count_rows_by::{make_count_rows_by, then_count_rows_by};
#[cfg(feature = "plans")]
pub(super) use entries::entries;
pub use marginals::{make_marginals, then_marginals};
pub use sum_column_by::{make_sum_column_by, then_sum_column_by};
pub use sum_column_by_key::{make_sum_column_by_key, then_sum_column_by_key};
pub use sum_column_by_of_individuals::{make_sum_column_by_of_individuals, then_sum_column_by_of_individuals};

#[cfg(feature = "plans")]
mod entries {
    use crate::core::{Builder, Entry};
    use crate::frames::FrameDomain;

    /// The calls of these constructors from plans.
    pub(in crate::frames) fn entries<B: Builder<Domain = FrameDomain>>() -> Vec<Entry<B>> {
        vec![
            super::bound_rows::entry(),
            super::count_distinct_by::entry(),
            super::count_individuals_by_key::entry(),
            super::count_rows_by::entry(),
            super::marginals::entry(),
            super::sum_column_by::entry(),
            super::sum_column_by_key::entry(),
            super::sum_column_by_of_individuals::entry(),
        ]
    }
}
