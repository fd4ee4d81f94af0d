//! Measurements from measurements.
//!
//! | what | builds | map |
//! |---|---|---|
//! | `>>` | one step after another | the maps, one after another |
//! | [`make_composition`] | several releases on the same data | the measure's composition rule |
//! | [`make_parallel_composition`] | a release of each part of the data | the greatest sum of losses over splits of the distance |
//! | [`make_adaptive_composition`] | releases chosen one after another, within declared losses | the measure's composition rule |
//! | [`make_fully_adaptive_composition`] | releases chosen one after another, and an odometer | infinite |
//! | [`make_poisson_sampling`], [`make_sampling_without_replacement`] | a release of a sample drawn anew | less, for who may not be in it |
//! | [`make_population_amplification`] | a release of data that are a secret sample | less, on the caller's word |
//! | [`make_shuffled_reports`] | one report of each row, in random order | less, for who hides among others |
//! | [`make_select_private_candidate`] | the best of a random number of runs | twice or three times that of one |
//! | [`make_privacy_filter`] | releases chosen one after another, within a budget | the budget |
//! | [`split`] | parts of a budget for these | |
//! | [`make_pureDP_to_approxDP`] and its like | the same release, its loss in another measure | by pair of measures |

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
