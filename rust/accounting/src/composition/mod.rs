//! What many releases say together.

mod advanced;
mod basic;
mod exact;
mod factorial;
mod heterogeneous;
mod inverse;
mod laplace;
mod laplace_line;
mod optimal;
mod terms;

pub use advanced::advanced_composition;
pub(crate) use advanced::by_concentration;
pub(crate) use basic::sum_of;
pub use basic::{basic_composition, gaussian_composition};
pub use exact::ExactComposition;
pub(crate) use factorial::ln_factorial;
pub(crate) use laplace::{laplace_delta_bounds, laplace_epsilon_bounds};
pub use optimal::{optimal_composition_delta, optimal_composition_epsilon};
