//! Measurements made from other measurements.
//!
//! | combinator | builds | map |
//! |---|---|---|
//! | `>>` | one step after another | the maps in sequence |
//! | [`make_composition`] | several releases on the same data | the measure's composition rule |
//! | [`make_parallel_composition`] | a release of each part of the data | the maximum sum of losses over splits of the distance |
//! | [`make_adaptive_composition`] | measurements chosen one after another, within declared losses | the measure's composition rule |
//! | [`make_fully_adaptive_composition`] | measurements chosen one after another, with an odometer | infinite |
//! | [`make_poisson_sampling`], [`make_sampling_without_replacement`] | a release of a new sample | smaller (amplification by sampling) |
//! | [`make_population_amplification`] | a release of data that are a secret sample | smaller, if the caller's promise holds |
//! | [`make_shuffled_reports`] | one report from each row, in random order | smaller (amplification by shuffling) |
//! | [`make_select_private_candidate`] | the best of a random number of runs | two or three times the loss of one run |
//! | [`make_privacy_filter`] | measurements chosen one after another, within a budget | the budget |
//! | [`make_sums_of_unknown_keys`] | noisy sums beside the noisy counts of unknown keys | (the sum of L1 / scale of counts and sums, delta of the threshold) |
//! | [`split`] | parts of a budget for these | |
//! | [`make_pureDP_to_approxDP`] and other conversions | the same release, with its loss in another measure | depends on the pair of measures |

mod adaptive_composition;
pub(crate) mod amplification;
pub(crate) mod chain;
pub(crate) mod composition;
pub(crate) mod compositor;
mod fully_adaptive_composition;
mod measure_cast;
mod parallel_composition;
mod privacy_filter;
mod select_private_candidate;
mod split;
mod sums_of_unknown_keys;

pub use adaptive_composition::{AdaptiveComposition, DeclaredLosses};
pub use amplification::*;
pub use compositor::Compositor;
pub use constructors::*;
pub use fully_adaptive_composition::{AllMaps, Odometer};
pub use privacy_filter::{Budget, PrivacyFilter};
pub use split::split;

// Written by `cargo xtask lists` from the files of this folder.
/// The constructors below this folder. The prelude re-exports all of them.
#[rustfmt::skip]
pub(crate) mod constructors {
    pub use super::adaptive_composition::{make_adaptive_composition, then_adaptive_composition};
    pub use super::amplification::poisson_sampling::make_poisson_sampling;
    pub use super::amplification::population_amplification::make_population_amplification;
    pub use super::amplification::sampling_without_replacement::make_sampling_without_replacement;
    pub use super::amplification::shuffled_reports::make_shuffled_reports;
    pub use super::composition::make_composition;
    pub use super::fully_adaptive_composition::{make_fully_adaptive_composition, then_fully_adaptive_composition};
    pub use super::measure_cast::GDP_to_PLD::make_GDP_to_PLD;
    pub use super::measure_cast::GDP_to_approxDP::make_GDP_to_approxDP;
    pub use super::measure_cast::GDP_to_zCDP::make_GDP_to_zCDP;
    pub use super::measure_cast::PLD_to_RDP::make_PLD_to_RDP;
    pub use super::measure_cast::PLD_to_approxDP::make_PLD_to_approxDP;
    pub use super::measure_cast::RDP_to_approxDP::make_RDP_to_approxDP;
    pub use super::measure_cast::approximate::make_approximate;
    pub use super::measure_cast::bounded_range_to_PLD::make_bounded_range_to_PLD;
    pub use super::measure_cast::bounded_range_to_pureDP::make_bounded_range_to_pureDP;
    pub use super::measure_cast::bounded_range_to_zCDP::make_bounded_range_to_zCDP;
    pub use super::measure_cast::fix_delta::make_fix_delta;
    pub use super::measure_cast::fix_epsilon::make_fix_epsilon;
    pub use super::measure_cast::fixed_approxDP_to_PLD::make_fixed_approxDP_to_PLD;
    pub use super::measure_cast::fixed_approxDP_to_approxDP::make_fixed_approxDP_to_approxDP;
    pub use super::measure_cast::pureDP_to_PLD::make_pureDP_to_PLD;
    pub use super::measure_cast::pureDP_to_approxDP::make_pureDP_to_approxDP;
    pub use super::measure_cast::pureDP_to_bounded_range::make_pureDP_to_bounded_range;
    pub use super::measure_cast::pureDP_to_zCDP::make_pureDP_to_zCDP;
    pub use super::measure_cast::zCDP_to_RDP::make_zCDP_to_RDP;
    pub use super::measure_cast::zCDP_to_approxDP::make_zCDP_to_approxDP;
    pub use super::parallel_composition::make_parallel_composition;
    pub use super::privacy_filter::{make_privacy_filter, then_privacy_filter};
    pub use super::select_private_candidate::make_select_private_candidate;
    pub use super::sums_of_unknown_keys::make_sums_of_unknown_keys;
}

/// The calls of these constructors from plans.
#[cfg(feature = "plans")]
#[rustfmt::skip]
pub(crate) fn entries<B: crate::core::Builder>() -> Vec<crate::core::Entry<B>> {
    vec![
        adaptive_composition::entry(),
        amplification::poisson_sampling::entry(),
        amplification::population_amplification::entry(),
        amplification::sampling_without_replacement::entry(),
        amplification::shuffled_reports::entry(),
        composition::entry(),
        fully_adaptive_composition::entry(),
        measure_cast::GDP_to_PLD::entry(),
        measure_cast::GDP_to_approxDP::entry(),
        measure_cast::GDP_to_zCDP::entry(),
        measure_cast::PLD_to_RDP::entry(),
        measure_cast::PLD_to_approxDP::entry(),
        measure_cast::RDP_to_approxDP::entry(),
        measure_cast::approximate::entry(),
        measure_cast::bounded_range_to_PLD::entry(),
        measure_cast::bounded_range_to_pureDP::entry(),
        measure_cast::bounded_range_to_zCDP::entry(),
        measure_cast::fix_delta::entry(),
        measure_cast::fix_epsilon::entry(),
        measure_cast::fixed_approxDP_to_PLD::entry(),
        measure_cast::fixed_approxDP_to_approxDP::entry(),
        measure_cast::pureDP_to_PLD::entry(),
        measure_cast::pureDP_to_approxDP::entry(),
        measure_cast::pureDP_to_bounded_range::entry(),
        measure_cast::pureDP_to_zCDP::entry(),
        measure_cast::zCDP_to_RDP::entry(),
        measure_cast::zCDP_to_approxDP::entry(),
        parallel_composition::entry(),
        privacy_filter::entry(),
        select_private_candidate::entry(),
        sums_of_unknown_keys::entry(),
    ]
}
// The end of what is written.
