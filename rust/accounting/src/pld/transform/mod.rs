//! Moment generating functions of losses: on a contour, on a shifted contour, and how fast they fall.

pub(crate) mod atoms;
pub(crate) mod decay;
pub(crate) mod discrete_gaussian;
pub(crate) mod estimate;
pub(crate) mod exponential;
pub(crate) mod exponential_decay;
pub(crate) mod far_out;
pub(crate) mod fixed_size;
pub(crate) mod fixed_size_decay;
pub(crate) mod lanes;
pub(crate) mod lattice;
pub(crate) mod mgf;
pub(crate) mod nodes;
pub(crate) mod off_axis;
pub(crate) mod real_axis;
pub(crate) mod recurrence;
pub(crate) mod returns;
pub(crate) mod shifted_contour;
pub(crate) mod strip;
pub(crate) mod tabulated;
pub(crate) mod tail_bound;
pub(crate) mod tilted;
