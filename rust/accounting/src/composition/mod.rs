//! What many releases say together.

mod advanced;
mod basic;
mod optimal;

pub use advanced::advanced_composition;
pub(crate) use advanced::by_concentration;
pub(crate) use basic::sum_of;
pub use basic::{basic_composition, gaussian_composition};
pub(crate) use optimal::check_count;
pub use optimal::{optimal_composition_delta, optimal_composition_epsilon};
