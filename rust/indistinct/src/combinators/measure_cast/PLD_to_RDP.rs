//! `make_PLD_to_RDP`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::{PrivacyLossDivergence, RenyiDivergence},
};
use indistinct_derive::constructor;

/// Converts a privacy loss distribution to a Renyi curve. This can give smaller Renyi divergences than those of the
/// parts, such as for Gaussian noise on Poisson samples.
///
/// # Privacy
///
/// The map computes the Renyi divergences of the pairs, in the worse direction at each order, or bounds on them
/// ([`renyi`](crate::measures::PrivacyLossDistribution::renyi); Zhu, Dong, Wang 2022, for dominating pairs). The curve
/// is infinite if a loss is infinite with positive probability.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
/// let sum = (space >> then_clamp((0.0, 1.0)) >> then_sum() >> then_gaussian(GaussianDivergence, 2.0))?;
/// let step = make_poisson_sampling(make_GDP_to_PLD(sum)?, 0.01)?;
/// let curve = make_PLD_to_RDP(step.clone())?.map(&1)?;
/// assert_eq!(curve, step.map(&1)?.renyi()?);
/// assert!(curve.at(8.0)? < 2e-4);
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_PLD_to_RDP<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, PrivacyLossDivergence>,
) -> Fallible<Measurement<DI, TO, MI, RenyiDivergence>> {
    Ok(measurement.under(RenyiDivergence, |losses| Ok(losses.renyi()?)))
}
