//! `make_permute_and_flip`: selection with exponential noise.

use super::selection::{ScoreNumber, Scores, select};
use crate::{
    core::{Fallible, Measurement, MetricSpace},
    measures::MaxDivergence,
    metrics::LInfDistance,
};
use indistinct_derive::constructor;
use indistinct_sampling::SelectionNoise;

/// Selects the position of the highest score after exponential noise, with the distribution of permute-and-flip.
///
/// Its expected error is at most that of the exponential mechanism at the same epsilon, and can be half of it (McKenna,
/// Sheldon 2020). Its distribution differs, and epsilon does not bound its range, so it has no loss under
/// zero-concentrated divergence.
///
/// # Parameters
///
/// - `scale`: the scale of the noise in the scores' own unit, finite and at least 0. At 0, the highest score is
///   selected, and the first of equal scores.
///
/// # Privacy
///
/// `epsilon = 2 d_in / scale`, or half of that in the monotonic metric, rounded up (McKenna, Sheldon 2020, Theorem 1;
/// as noise: Ding, Kifer, Sayed, Wang 2021).
///
/// # Errors
///
/// Returns an error if the scale is negative or not finite, or if the domain has no size or may hold NaN.
///
/// ```
/// use indistinct::prelude::*;
/// let scores = VectorDomain::new(AtomDomain::i64()).with_size(3);
/// let select = make_permute_and_flip(scores, LInfDistance::monotonic(), 1.0)?;
/// let winner: usize = select.invoke(&[1, 50, 2])?;
/// assert!(winner < 3);
/// assert_eq!(select.map(&1.0)?, 1.0);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_permute_and_flip<T: ScoreNumber>(
    input_domain: Scores<T>,
    input_metric: LInfDistance,
    scale: f64,
) -> Fallible<Measurement<Scores<T>, usize, LInfDistance, MaxDivergence>>
where
    (Scores<T>, LInfDistance): MetricSpace,
{
    select((input_domain, input_metric), MaxDivergence, scale, SelectionNoise::Exponential)
}
