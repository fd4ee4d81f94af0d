//! `make_noisy_max`: the best candidate, with the noise that suits the measure.

use super::selection::{ScoreNumber, Scores, SelectionMeasure, select};
use crate::{
    core::{Fallible, Measurement, MetricSpace},
    metrics::LInfDistance,
};
use indistinct_derive::constructor;

/// Select the position of the greatest score with noise: what to take if one does not care about the distribution.
///
/// Under [`MaxDivergence`](crate::measures::MaxDivergence) the noise is exponential
/// ([`make_permute_and_flip`](super::make_permute_and_flip)), under
/// [`RangeDivergence`](crate::measures::RangeDivergence) and
/// [`ZeroConcentratedDivergence`](crate::measures::ZeroConcentratedDivergence) it is Gumbel
/// ([`make_exponential`](super::make_exponential)).
///
/// # Parameters
///
/// - `scale`: the scale of the noise in the scores' own unit, finite and at least 0; at 0 the greatest score wins, the
///   first of them if there are several.
///
/// # Privacy
///
/// With `eta = 2 d_in / scale`, and half of that in the monotonic metric: epsilon eta, range eta, rho `eta^2 / 8`,
/// rounded up.
///
/// # Errors
///
/// A scale that is negative or not finite; a domain without a size, or that may hold NaN.
///
/// ```
/// use indistinct::prelude::*;
/// let wards = vec!["North", "East", "South"];
/// let rows = VectorDomain::new(AtomDomain::<&str>::new());
/// let most_common = ((rows, SymmetricDistance)
///     >> then_count_by_categories(wards.clone(), UnknownCategories::Drop, LInfDistance::monotonic())
///     >> then_noisy_max(MaxDivergence, 2.0))?;
/// let winner = most_common.invoke(&["East", "North", "East"])?;
/// println!("the most common ward is {}", wards[winner]);
/// assert_eq!(most_common.map(&1)?, 0.5);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_noisy_max<T: ScoreNumber, MO: SelectionMeasure>(
    input_domain: Scores<T>,
    input_metric: LInfDistance,
    output_measure: MO,
    scale: f64,
) -> Fallible<Measurement<Scores<T>, usize, LInfDistance, MO>>
where
    (Scores<T>, LInfDistance): MetricSpace,
{
    select((input_domain, input_metric), output_measure, scale, MO::NOISE)
}
