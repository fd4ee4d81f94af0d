//! Delta as an integral of the moment generating function: where, how far, and what is charged.

pub(crate) mod aliasing;
pub(crate) mod chernoff;
pub(crate) mod contour;
mod difference;
pub(crate) mod discretized;
pub(crate) mod kernel;
pub(crate) mod lattice_sum;
pub(crate) mod low_rate;
pub(crate) mod saddle_point;
pub(crate) mod smoothed;
mod tail;
pub(crate) mod truncate;
pub(crate) mod walk;
