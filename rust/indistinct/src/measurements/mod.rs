//! Noise.
//!
//! | constructor | from | measure | map |
//! |---|---|---|---|
//! | [`make_laplace`] | a number or vector; [`AbsoluteDistance`](crate::metrics::AbsoluteDistance), [`L1Distance`](crate::metrics::L1Distance) | [`MaxDivergence`](crate::measures::MaxDivergence) | d_in / scale |
//! | [`make_gaussian`] | a number or vector; [`AbsoluteDistance`](crate::metrics::AbsoluteDistance), [`L2Distance`](crate::metrics::L2Distance) | [`ZeroConcentratedDivergence`](crate::measures::ZeroConcentratedDivergence) | (d_in / scale)^2 / 2 |

mod gaussian;
mod laplace;
mod noise;

pub use gaussian::{make_gaussian, then_gaussian};
pub use laplace::{make_laplace, then_laplace};
pub use noise::{GaussianMetric, LaplaceMetric, Noise, NoiseAtom, NoiseDomain, Scale};
