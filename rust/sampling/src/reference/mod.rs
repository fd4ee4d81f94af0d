//! The same laws by other means, simple and slow: what the samplers are tested against.

mod continuous;
mod discrete;

pub use continuous::{gaussian, laplace};
pub use discrete::{discrete_gaussian, discrete_laplace};
