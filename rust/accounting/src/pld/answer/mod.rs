//! Answers: delta, epsilon, calibrated parameters.

mod begin;
pub(crate) mod calibrate;
pub(crate) mod composed;
pub(crate) mod delta;
pub(crate) mod epsilon;
pub(crate) mod fallback;
pub(crate) mod fixed_size;
pub(crate) mod guess;
pub(crate) mod heterogeneous;
pub(crate) mod laplace;
mod least_training;
mod most_steps;
pub(crate) mod supremum;
pub(crate) mod training;
