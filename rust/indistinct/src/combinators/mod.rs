//! Measurements from measurements.
//!
//! | what | builds | map |
//! |---|---|---|
//! | `>>` | one step after another | the maps, one after another |
//! | [`make_composition`] | several releases on the same data | the measure's composition rule |
//! | [`make_privacy_filter`] | releases chosen one after another, within a budget | the budget |
//! | [`make_pureDP_to_approxDP`] and its like | the same release, its loss in another measure | by pair of measures |

mod chain;
mod composition;
mod measure_cast;
mod privacy_filter;

pub use composition::{Composable, make_composition};
pub use measure_cast::*;
pub use privacy_filter::{FilterMeasure, PrivacyFilter, make_privacy_filter, then_privacy_filter};
