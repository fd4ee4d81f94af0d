//! Measurements from measurements.
//!
//! | what | builds | map |
//! |---|---|---|
//! | `>>` | one step after another | the maps, one after another |
//! | [`make_composition`] | several releases on the same data | the measure's composition rule |

mod chain;
mod composition;

pub use composition::{Composable, make_composition};
