//! Distances between output distributions.
//!
//! | measure | distance | composition |
//! |---|---|---|
//! | [`MaxDivergence`] | epsilon | sum |
//! | [`RangeDivergence`] | eta | sum |
//! | [`ZeroConcentratedDivergence`] | rho | sum |
//! | [`RenyiDivergence`] | a [`RenyiCurve`] | sum at every order |
//! | [`GaussianDivergence`] | mu | root of the sum of squares |
//! | [`PrivacyLossDivergence`] | a [`PrivacyLossDistribution`] | concatenation |
//! | [`SmoothedMaxDivergence`] | a [`PrivacyProfile`] | by kind |
//! | [`Approximate<M>`](Approximate) | (distance under M, delta) | the composition of M, and the sum of deltas |

pub(crate) mod adaptive;
pub(crate) mod additive;
mod approximate;
pub(crate) mod budget;
pub(crate) mod composition;
mod gaussian_divergence;
mod max_divergence;
mod privacy_loss_divergence;
mod range_divergence;
mod renyi_divergence;
pub(crate) mod smoothed_max_divergence;
pub(crate) mod zero_concentrated;

pub(crate) use adaptive::AdaptiveMeasure;
pub(crate) use additive::{AdditiveDistance, AdditiveMeasure};
pub use approximate::Approximate;
pub(crate) use budget::BudgetMeasure;
pub(crate) use composition::CompositionMeasure;
pub use gaussian_divergence::GaussianDivergence;
pub use indistinct_accounting::{PrivacyLossDistribution, PrivacyProfile, RenyiCurve};
pub use max_divergence::MaxDivergence;
pub use privacy_loss_divergence::PrivacyLossDivergence;
pub(crate) use privacy_loss_divergence::{losses_of_pair, losses_of_range};
pub use range_divergence::RangeDivergence;
pub use renyi_divergence::RenyiDivergence;
pub(crate) use smoothed_max_divergence::ProfileMeasure;
pub use smoothed_max_divergence::SmoothedMaxDivergence;
pub(crate) use zero_concentrated::ConcentratedMeasure;
pub use zero_concentrated::ZeroConcentratedDivergence;

use crate::core::{Measure, sealed};
use composition::exact_sum;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_hold_concurrently_and_losses_that_promise_nothing() {
        /// Returns true if the rule holds concurrently, and that no finite loss covers the infinite one.
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
