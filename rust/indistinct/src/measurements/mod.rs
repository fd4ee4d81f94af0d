//! Noise.
//!
//! | constructor | from | measure | map |
//! |---|---|---|---|
//! | [`make_laplace`] | a number or vector; [`AbsoluteDistance`](crate::metrics::AbsoluteDistance), [`L1Distance`](crate::metrics::L1Distance) | [`MaxDivergence`](crate::measures::MaxDivergence) | d_in / scale |
//! | [`make_gaussian`] | a number or vector; [`AbsoluteDistance`](crate::metrics::AbsoluteDistance), [`L2Distance`](crate::metrics::L2Distance) | [`ZeroConcentratedDivergence`](crate::measures::ZeroConcentratedDivergence) | (d_in / scale)^2 / 2 |
//! | [`make_above_threshold`] | any data, through a [`Queryable`](crate::core::Queryable) | [`MaxDivergence`](crate::measures::MaxDivergence) | sensitivity / a + 2 limit sensitivity / b |
//! | [`make_tree_aggregation`] | a stream of bounded integers or vectors, through a [`Queryable`](crate::core::Queryable) | [`MaxDivergence`](crate::measures::MaxDivergence), [`ZeroConcentratedDivergence`](crate::measures::ZeroConcentratedDivergence) | r L n, or r^2 L n / 2, for r = d_in (u - l) / scale and L levels |

mod above_threshold;
mod gaussian;
mod laplace;
mod noise;
mod tree_aggregation;

pub use above_threshold::{Monotonicity, ThresholdAtom, ThresholdQuestion, make_above_threshold, then_above_threshold};
pub use gaussian::{make_gaussian, then_gaussian};
pub use laplace::{make_laplace, then_laplace};
pub use noise::{GaussianMetric, LaplaceMetric, Noise, NoiseAtom, NoiseDomain, Scale};
pub use tree_aggregation::{StreamItem, TreeMeasure, make_tree_aggregation, then_tree_aggregation};
