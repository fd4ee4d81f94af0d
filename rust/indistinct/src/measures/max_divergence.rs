//! Pure differential privacy.

use super::{CompositionMeasure, exact_sum};
use crate::core::{Fallible, Measure, parameter_by_debug};

/// The largest log-ratio of the probabilities of an event, in either direction; the distance is epsilon.
///
/// Two distributions are epsilon-close if `P(S) <= exp(epsilon) Q(S)` and `Q(S) <= exp(epsilon) P(S)` for every event S
/// (Dwork, McSherry, Nissim, Smith 2006). Composition adds epsilons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MaxDivergence;

impl Measure for MaxDivergence {
    type Distance = f64;

    fn describe(&self, epsilon: &f64) -> String {
        format!("epsilon {epsilon:?}")
    }

    fn is_infinite(&self, epsilon: &f64) -> Fallible<bool> {
        Ok(*epsilon == f64::INFINITY)
    }
}

impl CompositionMeasure for MaxDivergence {
    fn compose(&self, epsilons: &[f64]) -> Fallible<f64> {
        exact_sum(epsilons)
    }

    fn is_concurrent(&self) -> bool {
        true
    }

    fn infinite() -> Fallible<f64> {
        Ok(f64::INFINITY)
    }
}

parameter_by_debug!(() MaxDivergence);
