//! The calls of these constructors from plans.

use crate::core::{Builder, Entry};

/// All of this folder.
pub(crate) fn entries<B: Builder>() -> Vec<Entry<B>> {
    vec![
        super::poisson_sampling::entry(),
        super::population_amplification::entry(),
        super::sampling_without_replacement::entry(),
        super::shuffled_reports::entry(),
    ]
}
