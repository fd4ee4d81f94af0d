//! `make_GDP_to_PLD`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::{CompositionMeasure, GaussianDivergence, PrivacyLossDistribution, PrivacyLossDivergence},
};
use indistinct_accounting::Sigma;
use indistinct_derive::constructor;
use indistinct_numeric::RoundedArithmetic;

/// Converts Gaussian divergence (GDP) to a privacy loss distribution, which composes with other losses without slack.
///
/// # Privacy
///
/// The result has the losses of Gaussian noise with standard deviation `1 / mu`, rounded down, at sensitivity 1 (Dong,
/// Roth, Su 2022, Definition 2.6). A mu below 1e-99 is raised to 1e-99, and a mu above 1e99 guarantees nothing.
///
/// ```
/// use indistinct::prelude::*;
/// let gaussian = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, 2.0)?;
/// let losses = make_GDP_to_PLD(gaussian)?.map(&1.0)?;
/// assert_eq!(losses.to_string(), "Gaussian noise of sigma 2.0");
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_GDP_to_PLD<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, GaussianDivergence>,
) -> Fallible<Measurement<DI, TO, MI, PrivacyLossDivergence>> {
    Ok(measurement.under(PrivacyLossDivergence, |mu| losses_of_gaussian(*mu)))
}

/// Less noise has a larger loss, so sigma is rounded down.
fn losses_of_gaussian(mu: f64) -> Fallible<PrivacyLossDistribution> {
    if mu == 0.0 {
        return Ok(PrivacyLossDistribution::none());
    }
    // Where sigma would be out of the range of the accountant.
    if mu > 1e99 {
        return PrivacyLossDivergence::infinite();
    }
    let mu = if mu < 1e-99 { 1e-99 } else { mu };
    Ok(PrivacyLossDistribution::gaussian(Sigma(1.0.neg_inf_div(mu)?))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sigma_is_never_above_the_reciprocal() {
        let losses = |mu| losses_of_gaussian(mu).unwrap();
        assert_eq!(losses(0.0), PrivacyLossDistribution::none());
        assert_eq!(losses(f64::INFINITY), PrivacyLossDivergence::infinite().unwrap());
        assert_eq!(losses(5e-324), losses(1e-99));
        assert_ne!(losses(1e99), losses(f64::INFINITY));
        assert!(losses(1e99).delta(1.0).is_ok() && losses_of_gaussian(f64::NAN).is_err());
        // The float nearest to 1/3 is below it, the one nearest to 1/10 above.
        for (mu, sigma) in [(3.0, 1.0 / 3.0), (10.0, 0.1f64.next_down())] {
            assert_eq!(losses(mu), PrivacyLossDistribution::gaussian(Sigma(sigma)).unwrap());
        }
    }
}
