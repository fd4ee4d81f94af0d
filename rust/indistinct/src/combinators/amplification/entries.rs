//! The entries of this folder's constructors in the registry.

use crate::core::{Builder, Entry};

/// Returns the entries of this folder.
pub(crate) fn entries<B: Builder>() -> Vec<Entry<B>> {
    vec![
        super::poisson_sampling::entry(),
        super::population_amplification::entry(),
        super::sampling_without_replacement::entry(),
        super::shuffled_reports::entry(),
    ]
}
