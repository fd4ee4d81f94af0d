//! Measurements from measurements.
//!
//! | what | builds | map |
//! |---|---|---|
//! | `>>` | one step after another | the maps, one after another |
//! | [`make_composition`] | several releases on the same data | the measure's composition rule |
//! | [`make_parallel_composition`] | a release of each part of the data | the greatest sum of losses over splits of the distance |
//! | [`make_privacy_filter`] | releases chosen one after another, within a budget | the budget |
//! | [`make_pureDP_to_approxDP`] and its like | the same release, its loss in another measure | by pair of measures |

mod chain;
mod composition;
mod measure_cast;
mod parallel_composition;
mod privacy_filter;

pub use composition::{Composable, make_composition};
pub use measure_cast::*;
pub use parallel_composition::make_parallel_composition;
pub use privacy_filter::{PrivacyFilter, make_privacy_filter, then_privacy_filter};
