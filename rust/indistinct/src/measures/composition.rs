//! The joint loss of several releases.

use crate::core::{Fallible, Measure};
use indistinct_numeric::{ExactSum, Rounding};
use std::iter::repeat_n;

/// Measures under which the loss of several releases on the same data can be computed from the loss of each.
pub trait CompositionMeasure: Measure {
    /// Returns the loss of all releases together; zero for none.
    fn compose(&self, distances: &[Self::Distance]) -> Fallible<Self::Distance>;

    /// Like `compose`, with each distance repeated the given number of times, at least once.
    #[doc(hidden)]
    fn compose_counted(&self, distances: &[(Self::Distance, usize)]) -> Fallible<Self::Distance> {
        let each = distances.iter().flat_map(|(distance, count)| repeat_n(distance, *count)).cloned();
        self.compose(&each.collect::<Vec<_>>())
    }

    /// Returns a loss that guarantees nothing.
    #[doc(hidden)]
    fn infinite() -> Fallible<Self::Distance>;

    /// Returns true if the rule also holds for a release that answers queries, which may depend on the other releases
    /// (concurrent composition); see [`AdaptiveMeasure`](super::AdaptiveMeasure).
    fn is_concurrent(&self) -> bool {
        false
    }
}

/// Returns the sum of nonnegative numbers, rounded up once. Ten losses of 0.1, a float slightly above a tenth, sum to
/// more than 1.
pub(super) fn exact_sum(losses: &[f64]) -> Fallible<f64> {
    if losses.contains(&f64::INFINITY) {
        return Ok(f64::INFINITY);
    }
    let mut sum = ExactSum::new();
    // Losses are public: of few the sum needs no table.
    if losses.len() < 100 {
        losses.iter().try_for_each(|loss| sum.add(*loss))?;
    } else {
        sum.add_all(losses)?;
    }
    Ok(sum.total()?.to_f64_rounded(Rounding::Up)?)
}
