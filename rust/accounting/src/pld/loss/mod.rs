//! The loss of one mechanism: the pair of distributions that dominates it, and what its loss is distributed as.

pub(crate) mod angle;
pub(crate) mod cumulants;
pub(crate) mod direction;
pub(crate) mod discrete;
pub(crate) mod discretize;
pub(crate) mod exponential;
pub(crate) mod finite_loss;
pub(crate) mod fixed_size_gaussian;
pub(crate) mod lattice;
pub(crate) mod mixture;
pub(crate) mod normal_loss;
pub(crate) mod once;
pub(crate) mod pair;
pub(crate) mod sampled_gaussian;
pub(crate) mod tails;
pub(crate) mod truncated_gaussian;
pub(crate) mod truncation;
