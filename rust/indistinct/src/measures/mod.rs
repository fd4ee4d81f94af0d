//! How far apart two output distributions are.
//!
//! | measure | distance | composition |
//! |---|---|---|
//! | [`MaxDivergence`] | epsilon | sum |
//! | [`RangeDivergence`] | eta | sum |
//! | [`ZeroConcentratedDivergence`] | rho | sum |
//! | [`RenyiDivergence`] | a [`RenyiCurve`] | sum at every order |
//! | [`GaussianDivergence`] | mu | root of the sum of squares |
//! | [`PrivacyLossDivergence`] | a [`PrivacyLossDistribution`] | side by side |
//! | [`SmoothedMaxDivergence`] | a [`PrivacyProfile`] | by kind |
//! | [`Approximate<M>`](Approximate) | (distance under M, delta) | M's own, and the sum of deltas |

mod adaptive;
mod additive;
mod approximate;
mod gaussian_divergence;
mod max_divergence;
mod privacy_loss_divergence;
mod range_divergence;
mod renyi_divergence;
mod smoothed_max_divergence;
mod zero_concentrated;

pub use adaptive::AdaptiveMeasure;
pub use additive::{AdditiveDistance, AdditiveMeasure};
pub use approximate::Approximate;
pub use gaussian_divergence::GaussianDivergence;
pub use indistinct_accounting::{PrivacyLossDistribution, PrivacyProfile, RenyiCurve};
pub use max_divergence::MaxDivergence;
pub use privacy_loss_divergence::PrivacyLossDivergence;
pub use range_divergence::RangeDivergence;
pub use renyi_divergence::RenyiDivergence;
pub use smoothed_max_divergence::{ProfileMeasure, SmoothedMaxDivergence};
pub use zero_concentrated::{ConcentratedMeasure, ZeroConcentratedDivergence};

use crate::core::{Fallible, Measure, sealed};
use indistinct_numeric::{ExactSum, Rounding};

sealed!(
    () MaxDivergence,
    () RangeDivergence,
    () ZeroConcentratedDivergence,
    () RenyiDivergence,
    () GaussianDivergence,
    () PrivacyLossDivergence,
    () SmoothedMaxDivergence,
    (M: Measure) Approximate<M>,
    () RenyiCurve,
    () PrivacyLossDistribution,
    () PrivacyProfile,
);

/// Measures under which the loss of several releases on the same data is known from the loss of each.
pub trait CompositionMeasure: Measure {
    /// The loss of all releases together; zero for none.
    fn compose(&self, distances: &[Self::Distance]) -> Fallible<Self::Distance>;

    /// A loss that promises nothing.
    #[doc(hidden)]
    fn infinite() -> Fallible<Self::Distance>;

    /// Whether the rule also holds where a release answers questions, which may depend on the other releases (concurrent composition); see
    /// [`AdaptiveMeasure`].
    fn is_concurrent(&self) -> bool {
        false
    }
}

/// The sum of non-negative numbers, rounded up once: ten losses of 0.1 (each a little above a tenth) sum to more than 1.
fn exact_sum(losses: &[f64]) -> Fallible<f64> {
    if losses.contains(&f64::INFINITY) {
        return Ok(f64::INFINITY);
    }
    let mut sum = ExactSum::new();
    sum.add_all(losses)?;
    Ok(sum.total()?.to_f64_rounded(Rounding::Up)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_hold_concurrently_and_losses_that_promise_nothing() {
        /// Whether the rule holds concurrently, and that no finite loss covers the infinite one.
        fn rule<M: CompositionMeasure>(measure: M, finite: &M::Distance) -> bool {
            use crate::core::Distance;
            let infinite = M::infinite().unwrap();
            assert!(finite.is_within(&infinite) && !infinite.is_within(finite), "{measure:?}");
            assert!(infinite.is_within(&measure.compose(&[finite.clone(), infinite.clone()]).unwrap()), "{measure:?}");
            measure.is_concurrent()
        }
        assert!(
            rule(MaxDivergence, &1e300) && rule(ZeroConcentratedDivergence, &1e300) && rule(GaussianDivergence, &1e300)
        );
        assert!(rule(RenyiDivergence, &RenyiCurve::concentrated(1e300).unwrap()));
        assert!(rule(Approximate(MaxDivergence), &(1e300, 0.5)));
        assert!(!rule(RangeDivergence, &1e300) && !rule(Approximate(ZeroConcentratedDivergence), &(1e300, 0.5)));
        assert!(!PrivacyLossDivergence.is_concurrent());
    }
}
