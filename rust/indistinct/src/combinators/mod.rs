//! Measurements made from other measurements.
//!
//! | combinator | builds | map |
//! |---|---|---|
//! | `>>` | one step after another | the maps in sequence |
//! | [`make_composition`] | several releases on the same data | the measure's composition rule |
//! | [`make_parallel_composition`] | a release of each part of the data | the greatest sum of losses over splits of the distance |
//! | [`make_adaptive_composition`] | measurements chosen one after another, within declared losses | the measure's composition rule |
//! | [`make_fully_adaptive_composition`] | measurements chosen one after another, with an odometer | infinite |
//! | [`make_poisson_sampling`], [`make_sampling_without_replacement`] | a release of a new sample | smaller (amplification by sampling) |
//! | [`make_population_amplification`] | a release of data that are a secret sample | smaller, if the caller's promise holds |
//! | [`make_shuffled_reports`] | one report of each row, in random order | smaller (amplification by shuffling) |
//! | [`make_select_private_candidate`] | the best of a random number of runs | two or three times the loss of one |
//! | [`make_privacy_filter`] | measurements chosen one after another, within a budget | the budget |
//! | [`make_sums_of_unknown_keys`] | noisy sums beside the noisy counts of unknown keys | (the sum of L1 / scale of counts and sums, delta of the threshold) |
//! | [`split`] | parts of a budget for these | |
//! | [`make_pureDP_to_approxDP`] and other conversions | the same release, with its loss in another measure | by pair of measures |

mod adaptive_composition;
pub(crate) mod amplification;
pub(crate) mod chain;
pub(crate) mod composition;
pub(crate) mod compositor;
#[cfg(feature = "plans")]
mod entries;
mod fully_adaptive_composition;
mod measure_cast;
mod parallel_composition;
mod privacy_filter;
mod select_private_candidate;
mod split;
mod sums_of_unknown_keys;

pub use adaptive_composition::{
    AdaptiveComposition, DeclaredLosses, make_adaptive_composition, then_adaptive_composition,
};
pub use amplification::*;
pub use composition::make_composition;
pub use compositor::Compositor;
#[cfg(feature = "plans")]
pub(crate) use entries::entries;
pub use fully_adaptive_composition::{
    AllMaps, Odometer, make_fully_adaptive_composition, then_fully_adaptive_composition,
};
pub use measure_cast::*;
pub use parallel_composition::make_parallel_composition;
pub use privacy_filter::{Budget, PrivacyFilter, make_privacy_filter, then_privacy_filter};
pub use select_private_candidate::make_select_private_candidate;
pub use split::split;
pub use sums_of_unknown_keys::make_sums_of_unknown_keys;
