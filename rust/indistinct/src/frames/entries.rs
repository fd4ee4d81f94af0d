//! The entries of this folder's constructors in the registry.

use super::FrameDomain;
use crate::core::{Builder, Entry};

/// Returns the entries of this folder.
pub(crate) fn entries<B: Builder<Domain = FrameDomain>>() -> Vec<Entry<B>> {
    let steps = vec![
        super::aggregate_individuals::entry(),
        super::bound_groups::entry(),
        super::filter_rows::entry(),
        super::flat_map::entry(),
        super::join_rows::entry(),
        super::window_per_individual::entry(),
        super::rows::entry(),
        super::rows_of_individuals::entry(),
        super::with_columns::entry(),
    ];
    steps.into_iter().chain(super::statistics::entries()).collect()
}
