//! Measurements from measurements.
//!
//! | what | builds | map |
//! |---|---|---|
//! | `>>` | one step after another | the maps, one after another |
//! | [`make_composition`] | several releases on the same data | the measure's composition rule |
//! | [`make_pureDP_to_approxDP`] and its like | the same release, its loss in another measure | by pair of measures |

mod chain;
mod composition;
mod measure_cast;

pub use composition::{Composable, make_composition};
pub use measure_cast::*;
