//! Noise.
//!
//! | constructor | from | measure | map |
//! |---|---|---|---|
//! | [`make_laplace`] | a number or vector; [`AbsoluteDistance`](crate::metrics::AbsoluteDistance), [`L1Distance`](crate::metrics::L1Distance) | [`MaxDivergence`](crate::measures::MaxDivergence) | d_in / scale |
//! | [`make_gaussian`] | a number or vector; [`AbsoluteDistance`](crate::metrics::AbsoluteDistance), [`L2Distance`](crate::metrics::L2Distance) | [`ZeroConcentratedDivergence`](crate::measures::ZeroConcentratedDivergence) | (d_in / scale)^2 / 2 |
//! | [`make_laplace_threshold`] | a map from unknown keys to integers; [`L01InfDistance`](crate::metrics::L01InfDistance) | [`Approximate`](crate::measures::Approximate) max divergence | (L1 / scale, delta of the threshold) |
//! | [`make_gaussian_threshold`] | a map from unknown keys to integers; [`L02InfDistance`](crate::metrics::L02InfDistance) | [`Approximate`](crate::measures::Approximate) zero-concentrated | ((L2 / scale)^2 / 2, delta of the threshold) |

mod gaussian;
mod gaussian_threshold;
mod laplace;
mod laplace_threshold;
mod noise;
mod tail;
mod threshold;

pub use gaussian::{make_gaussian, then_gaussian};
pub use gaussian_threshold::{make_gaussian_threshold, then_gaussian_threshold};
pub use laplace::{make_laplace, then_laplace};
pub use laplace_threshold::{make_laplace_threshold, then_laplace_threshold};
pub use noise::{GaussianMetric, LaplaceMetric, Noise, NoiseAtom, NoiseDomain, Scale};
pub use threshold::ThresholdAtom;
