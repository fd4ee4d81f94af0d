//! Zero-concentrated differential privacy.

use super::{CompositionMeasure, exact_sum};
use crate::core::{Fallible, Measure, parameter_by_debug};

/// The greatest ratio of a Renyi divergence to its order; the distance is rho.
///
/// Two distributions are rho-close if `D_alpha(P || Q) <= rho alpha` and `D_alpha(Q || P) <= rho alpha` for every order
/// `alpha > 1` (Bun, Steinke 2016, Definition 1.1). Composition adds rhos (their Lemma 1.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ZeroConcentratedDivergence;

impl Measure for ZeroConcentratedDivergence {
    type Distance = f64;

    fn describe(&self, rho: &f64) -> String {
        format!("rho {rho:?}")
    }
}

impl CompositionMeasure for ZeroConcentratedDivergence {
    fn compose(&self, rhos: &[f64]) -> Fallible<f64> {
        exact_sum(rhos)
    }

    fn is_concurrent(&self) -> bool {
        true
    }

    fn infinite() -> Fallible<f64> {
        Ok(f64::INFINITY)
    }
}

parameter_by_debug!(() ZeroConcentratedDivergence);
