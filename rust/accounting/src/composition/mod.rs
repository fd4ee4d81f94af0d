//! What many releases say together.

mod advanced;
mod basic;
mod binomial;
mod closed_form;
mod factorial;
mod heterogeneous;
mod inverse;
mod laplace_estimate;
mod laplace_sum;
mod optimal;
mod terms;

pub use advanced::advanced_composition;
pub(crate) use advanced::by_concentration;
pub(crate) use basic::sum_of;
pub use basic::{basic_composition, gaussian_composition};
pub(crate) use closed_form::ClosedForm;
pub(crate) use factorial::ln_factorial;
pub(crate) use inverse::{NARROW, nearby};
pub(crate) use laplace_estimate::{laplace_estimate, laplace_guess};
pub(crate) use laplace_sum::LaplaceSum;
pub(crate) use optimal::{epsilon_between, optimal_delta_bounds, optimal_epsilon_bounds};
pub use optimal::{optimal_composition_delta, optimal_composition_epsilon};
