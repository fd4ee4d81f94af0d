//! The composition of many releases.

mod advanced;
mod basic;
mod binomial;
mod closed_form;
mod factorial;
mod inverse;
mod optimal;
mod terms;

pub use advanced::advanced_composition;
pub(crate) use basic::sum_of;
pub use basic::{basic_composition, gaussian_composition};
pub(crate) use closed_form::ClosedForm;
pub(crate) use factorial::ln_factorial;
pub use optimal::{optimal_composition_delta, optimal_composition_epsilon};
