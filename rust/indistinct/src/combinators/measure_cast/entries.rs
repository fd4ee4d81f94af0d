//! The entries of this folder's constructors in the registry.

use crate::core::{Builder, Entry};

/// Returns the entries of this folder.
pub(crate) fn entries<B: Builder>() -> Vec<Entry<B>> {
    vec![
        super::GDP_to_PLD::entry(),
        super::GDP_to_approxDP::entry(),
        super::GDP_to_zCDP::entry(),
        super::PLD_to_RDP::entry(),
        super::PLD_to_approxDP::entry(),
        super::RDP_to_approxDP::entry(),
        super::approximate::entry(),
        super::bounded_range_to_PLD::entry(),
        super::bounded_range_to_pureDP::entry(),
        super::bounded_range_to_zCDP::entry(),
        super::fix_delta::entry(),
        super::fix_epsilon::entry(),
        super::fixed_approxDP_to_PLD::entry(),
        super::fixed_approxDP_to_approxDP::entry(),
        super::pureDP_to_PLD::entry(),
        super::pureDP_to_approxDP::entry(),
        super::pureDP_to_bounded_range::entry(),
        super::pureDP_to_zCDP::entry(),
        super::zCDP_to_RDP::entry(),
        super::zCDP_to_approxDP::entry(),
    ]
}
