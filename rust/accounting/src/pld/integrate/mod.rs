//! Delta as an integral of the moment generating function: where, how far, and what is charged.

pub(crate) mod aliasing;
pub(crate) mod chernoff;
pub(crate) mod contour;
mod difference;
pub(crate) mod discretized;
pub(crate) mod exponent;
pub(crate) mod few_fixed_size;
pub(crate) mod few_large_losses;
pub(crate) mod huge_losses;
pub(crate) mod integral;
pub(crate) mod kernel;
pub(crate) mod lattice_sum;
pub(crate) mod low_rate;
mod power_pair;
pub(crate) mod progress;
pub(crate) mod saddle_point;
pub(crate) mod separable;
pub(crate) mod smooth;
pub(crate) mod smoothed;
mod tail;
pub(crate) mod truncate;
