//! The entries of this folder's constructors in the registry.

use crate::core::{Builder, Entry};

/// Returns the entries of this folder.
pub(crate) fn entries<B: Builder>() -> Vec<Entry<B>> {
    let mut all = vec![
        super::adaptive_composition::entry(),
        super::composition::entry(),
        super::fully_adaptive_composition::entry(),
        super::parallel_composition::entry(),
        super::privacy_filter::entry(),
        super::select_private_candidate::entry(),
        super::sums_of_unknown_keys::entry(),
    ];
    all.extend(super::amplification::entries());
    all.extend(super::measure_cast::entries());
    all
}
