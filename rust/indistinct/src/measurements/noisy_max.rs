//! `make_noisy_max`: selects the best candidate, with the best noise for the measure.

use super::selection::{ScoreNumber, Scores, SelectionMeasure, select};
use crate::{
    core::{Fallible, Measurement, MetricSpace},
    metrics::LInfDistance,
};
use indistinct_derive::constructor;

/// Selects the position of the highest score after noise. Use it unless you need a particular noise distribution.
///
/// The noise is exponential under [`MaxDivergence`](crate::measures::MaxDivergence) (see
/// [`make_permute_and_flip`](super::make_permute_and_flip)), and Gumbel under
/// [`RangeDivergence`](crate::measures::RangeDivergence) and
/// [`ZeroConcentratedDivergence`](crate::measures::ZeroConcentratedDivergence) (see
/// [`make_exponential`](super::make_exponential)).
///
/// # Parameters
///
/// - `scale`: the scale of the noise in the scores' own unit, finite and at least 0. At 0, the highest score is
///   selected, and the first of equal scores.
///
/// # Privacy
///
/// With `eta = 2 d_in / scale`, or half of that in the monotonic metric: epsilon eta, range eta, rho `eta^2 / 8`,
/// rounded up.
///
/// # Errors
///
/// Returns an error if the scale is negative or not finite, or if the domain has no size or may hold NaN.
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
