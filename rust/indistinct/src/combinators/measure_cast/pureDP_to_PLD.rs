//! `make_pureDP_to_PLD`.

use super::fixed_approxDP_to_PLD::losses_of_pair;
use crate::{
    core::{Domain, Fallible, Measurement, Metric},
    measures::{MaxDivergence, PrivacyLossDivergence},
};
use indistinct_derive::constructor;

/// Tell epsilon as a privacy loss distribution, which composes without slack.
///
/// # Privacy
///
/// The losses of binary randomized response of the same epsilon, which dominates every mechanism with it (Kairouz, Oh,
/// Viswanath 2015). An epsilon above 600 promises nothing.
///
/// ```
/// use indistinct::prelude::*;
/// let noisy = || make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 10.0);
/// let losses = (0..100).map(|_| make_pureDP_to_PLD(noisy()?)).collect::<Fallible<Vec<_>>>()?;
/// let all = make_PLD_to_approxDP(make_composition(losses)?)?;
/// let (epsilon, _) = make_fix_delta(all, 1e-6)?.map(&1.0)?;
/// assert!(epsilon > 4.0 && epsilon < 5.5, "{epsilon}"); // not 10
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_pureDP_to_PLD<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, MaxDivergence>,
) -> Fallible<Measurement<DI, TO, MI, PrivacyLossDivergence>> {
    Ok(measurement.under(PrivacyLossDivergence, |epsilon| losses_of_pair(*epsilon, 0.0)))
}
