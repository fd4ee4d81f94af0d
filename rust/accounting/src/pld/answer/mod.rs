//! Answers: delta, epsilon, calibrated parameters.

pub(crate) mod calibrate;
pub(crate) mod composed;
pub(crate) mod delta;
pub(crate) mod enumeration;
pub(crate) mod epsilon;
pub(crate) mod fallback;
pub(crate) mod fixed_size;
pub(crate) mod supremum;
