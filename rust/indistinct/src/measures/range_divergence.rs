//! Bounded range.

use super::{CompositionMeasure, exact_sum};
use crate::core::{Fallible, Measure, parameter_by_debug};

/// The range of the log-ratio of probabilities (bounded range); the distance is eta.
///
/// Two distributions are eta-close if there is a t with `exp(t) Q(S) <= P(S) <= exp(t + eta) Q(S)` for every event S:
/// they have the same null events, and the log-ratio of their probabilities varies by at most eta (Durfee, Rogers 2019,
/// Definition 2.2, in both directions). An infinite eta guarantees nothing. The measure is symmetric, and tighter than
/// max divergence for selection: it implies max divergence eta, and zero-concentrated divergence `eta^2 / 8` (Cesar,
/// Rogers 2021). Composition adds etas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RangeDivergence;

impl Measure for RangeDivergence {
    type Distance = f64;

    fn describe(&self, eta: &f64) -> String {
        format!("eta {eta:?}")
    }

    fn is_infinite(&self, eta: &f64) -> Fallible<bool> {
        Ok(*eta == f64::INFINITY)
    }
}

impl CompositionMeasure for RangeDivergence {
    fn compose(&self, etas: &[f64]) -> Fallible<f64> {
        exact_sum(etas)
    }

    fn infinite() -> Fallible<f64> {
        Ok(f64::INFINITY)
    }
}

parameter_by_debug!(() RangeDivergence);
