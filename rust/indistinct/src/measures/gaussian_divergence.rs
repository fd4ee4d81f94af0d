//! Gaussian differential privacy (GDP).

use super::CompositionMeasure;
use crate::core::{Fallible, Measure, parameter_by_debug};
use indistinct_accounting::gaussian_composition;

/// The difficulty of distinguishing two distributions, compared with normal distributions; the distance is mu.
///
/// Two distributions are mu-close if no test distinguishes them better than the best test distinguishes a standard
/// normal distribution from a normal distribution with mean mu and variance 1, in either direction (Dong, Roth, Su
/// 2022, Definition 2.6). Composition takes the root of the sum of squares (their Corollary 3.3), also for adaptive
/// choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GaussianDivergence;

impl Measure for GaussianDivergence {
    type Distance = f64;

    fn describe(&self, mu: &f64) -> String {
        format!("mu {mu:?}")
    }

    fn is_infinite(&self, mu: &f64) -> Fallible<bool> {
        Ok(*mu == f64::INFINITY)
    }
}

impl CompositionMeasure for GaussianDivergence {
    fn compose(&self, mus: &[f64]) -> Fallible<f64> {
        Ok(gaussian_composition(mus)?)
    }

    fn is_concurrent(&self) -> bool {
        true
    }

    fn infinite() -> Fallible<f64> {
        Ok(f64::INFINITY)
    }
}

parameter_by_debug!(() GaussianDivergence);
