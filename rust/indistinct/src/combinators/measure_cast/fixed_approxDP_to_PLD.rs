//! `make_fixed_approxDP_to_PLD`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::{Approximate, MaxDivergence, PrivacyLossDivergence, losses_of_pair},
};
use indistinct_derive::constructor;

/// Converts one pair of epsilon and delta to a privacy loss distribution, which composes without slack.
///
/// # Privacy
///
/// The result has the losses of the pair of distributions that dominates every mechanism with this guarantee: infinite
/// with probability delta, and otherwise the losses of binary randomized response (Kairouz, Oh, Viswanath 2015). An
/// epsilon above 600, or a delta of 1 or more, guarantees nothing.
///
/// ```
/// use indistinct::prelude::*;
/// let noisy = || make_canonical_noise(AtomDomain::f64(), AbsoluteDistance::new(), 1.0, (0.1, 1e-9));
/// let losses = (0..100).map(|_| make_fixed_approxDP_to_PLD(noisy()?)).collect::<Fallible<Vec<_>>>()?;
/// let all = make_PLD_to_approxDP(make_composition(losses)?)?;
/// let (epsilon, _) = make_fix_delta(all, 1e-6)?.map(&1.0)?;
/// assert!(epsilon > 4.0 && epsilon < 5.5, "{epsilon}"); // not 10
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_fixed_approxDP_to_PLD<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, Approximate<MaxDivergence>>,
) -> Fallible<Measurement<DI, TO, MI, PrivacyLossDivergence>> {
    Ok(measurement.under(PrivacyLossDivergence, |(epsilon, delta)| losses_of_pair(*epsilon, *delta)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::{CompositionMeasure, PrivacyLossDistribution};
    use indistinct_accounting::{Delta, Epsilon};

    #[test]
    fn every_guarantee_has_losses_and_none_is_understated() {
        let losses = |epsilon, delta| losses_of_pair(epsilon, delta).unwrap();
        assert_eq!(losses(0.0, 0.0), PrivacyLossDistribution::none());
        assert_eq!(losses(0.5, 0.0), PrivacyLossDistribution::pure(0.5).unwrap());
        assert_eq!(losses(5e-324, 0.0), PrivacyLossDistribution::pure(1e-100).unwrap());
        assert_eq!(losses(5e-324, 0.1), PrivacyLossDistribution::approximate(Epsilon(1e-100), Delta(0.1)).unwrap());
        assert_eq!(losses(600.0, 0.1), PrivacyLossDistribution::approximate(Epsilon(600.0), Delta(0.1)).unwrap());
        let nothing = PrivacyLossDivergence::infinite().unwrap();
        for (epsilon, delta) in [(600.5, 0.0), (f64::INFINITY, 0.0), (f64::INFINITY, 1e-9), (0.0, 1.5), (0.0, 1.0)] {
            assert_eq!(losses(epsilon, delta), nothing, "{epsilon} {delta}");
        }
        assert!(losses_of_pair(f64::NAN, 0.0).is_err() && losses_of_pair(1.0, f64::NAN).is_err());
    }
}
