//! One guarantee in the terms of another, by a closed form: ready to be a privacy map.

mod bounded_range;
mod gaussian;
mod least_rho;
mod pure;

pub use bounded_range::{bounded_range_to_pure, bounded_range_to_zcdp};
pub use gaussian::gaussian_to_zcdp;
pub use least_rho::{laplace_to_zcdp, range_to_zcdp};
pub use pure::{pure_to_bounded_range, pure_to_renyi, pure_to_zcdp};
