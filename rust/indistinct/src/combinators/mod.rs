//! Measurements from measurements.
//!
//! | what | builds | map |
//! |---|---|---|
//! | `>>` | one step after another | the maps, one after another |
//! | [`make_composition`] | several releases on the same data | the measure's composition rule |
//! | [`make_privacy_filter`] | releases chosen one after another, within a budget | the budget |

mod chain;
mod composition;
mod privacy_filter;

pub use composition::{Composable, make_composition};
pub use privacy_filter::{FilterMeasure, PrivacyFilter, make_privacy_filter, then_privacy_filter};
