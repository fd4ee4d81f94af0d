//! `make_approximate`.

use crate::{
    core::{Domain, Fallible, Measure, Measurement, Metric},
    measures::Approximate,
};
use indistinct_derive::constructor;

/// Adds a failure probability of 0 to a loss, so the loss composes with losses that have a failure probability.
///
/// # Privacy
///
/// `(d, 0)`, by definition.
///
/// ```
/// use indistinct::prelude::*;
/// let noisy = make_gaussian(AtomDomain::i64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, 2.0)?;
/// let approximate = make_approximate(noisy)?;
/// assert_eq!(approximate.map(&1.0)?, (0.125, 0.0));
/// # Ok::<(), Error>(())
/// ```
#[constructor(children(measurement))]
pub fn make_approximate<DI: Domain, TO: 'static, MI: Metric, MO: Measure>(
    measurement: Measurement<DI, TO, MI, MO>,
) -> Fallible<Measurement<DI, TO, MI, Approximate<MO>>> {
    let measure = Approximate(measurement.output_measure().clone());
    Ok(measurement.under(measure, |distance| Ok((distance.clone(), 0.0))))
}
