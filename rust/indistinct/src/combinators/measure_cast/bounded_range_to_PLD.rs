//! `make_bounded_range_to_PLD`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::{PrivacyLossDivergence, RangeDivergence, losses_of_range},
};
use indistinct_derive::constructor;

/// Converts a bounded range to a privacy loss distribution, which composes without slack.
///
/// # Privacy
///
/// The result has the losses of the pair whose delta, at every epsilon, is the largest among all pairs with this range
/// (from Dong, Durfee, Rogers 2020). A range above 600 guarantees nothing.
///
/// ```
/// use indistinct::prelude::*;
/// let scores = || VectorDomain::new(AtomDomain::i64()).with_size(3);
/// let select = make_exponential(scores(), LInfDistance::new(), RangeDivergence, 2.0)?;
/// let losses = make_bounded_range_to_PLD(select)?.map(&1.0)?;
/// // Half of what a loss of the same epsilon has.
/// assert!((losses.delta(0.0)?.upper / 0.5f64.tanh() - 0.53).abs() < 0.01);
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_bounded_range_to_PLD<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, RangeDivergence>,
) -> Fallible<Measurement<DI, TO, MI, PrivacyLossDivergence>> {
    Ok(measurement.under(PrivacyLossDivergence, |eta| losses_of_range(*eta)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::{CompositionMeasure, PrivacyLossDistribution};

    #[test]
    fn every_range_has_losses() {
        assert_eq!(losses_of_range(0.0), Ok(PrivacyLossDistribution::none()));
        assert_eq!(losses_of_range(5e-324).unwrap(), PrivacyLossDistribution::bounded_range(1e-100).unwrap());
        assert_eq!(losses_of_range(600.0).unwrap(), PrivacyLossDistribution::bounded_range(600.0).unwrap());
        for eta in [601.0, f64::INFINITY] {
            assert_eq!(losses_of_range(eta), PrivacyLossDivergence::infinite());
        }
        assert!(losses_of_range(f64::NAN).is_err());
    }
}
