//! `make_noisy_top_k`: the best few candidates.

use super::selection::{ScoreNumber, Scores, SelectionMeasure, check_selection, deviation, selection_map};
use crate::{
    core::{Error, Fallible, Measurement, MetricSpace, RandomizedFunction, require},
    metrics::LInfDistance,
};
use indistinct_derive::constructor;
use indistinct_sampling::{SelectionNoise, noisy_top_k};

/// Selects the positions of the k highest scores after Gumbel noise, the largest first.
///
/// The distribution is that of k exponential mechanisms in sequence, each among the remaining candidates (peeling;
/// Durfee, Rogers 2019, Lemma 4.2), in one pass.
///
/// # Parameters
///
/// - `k`: the number of candidates to select, from 1 to the number of candidates.
/// - `scale`: the scale of the noise in the scores' own unit, finite and at least 0.
///
/// # Privacy
///
/// With `eta = 2 d_in / scale`, or half of that in the monotonic metric: epsilon `k eta`, rho `k eta^2 / 8`, range `(2
/// k - 1) eta`, rounded up.
///
/// # Errors
///
/// Returns an error if k is out of range, if the scale is negative or not finite, or if the domain has no size or may
/// hold NaN.
///
/// ```
/// use indistinct::prelude::*;
/// let scores = VectorDomain::new(AtomDomain::i64()).with_size(4);
/// let select = make_noisy_top_k(scores, LInfDistance::monotonic(), ZeroConcentratedDivergence, 2, 10.0)?;
/// let best: Vec<usize> = select.invoke(&[10, 200, 30, 150])?;
/// assert_eq!(best.len(), 2);
/// assert!((select.map(&1.0)? - 2.0 * 0.1 * 0.1 / 8.0).abs() < 1e-15);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_noisy_top_k<T: ScoreNumber, MO: SelectionMeasure>(
    input_domain: Scores<T>,
    input_metric: LInfDistance,
    output_measure: MO,
    k: usize,
    scale: f64,
) -> Fallible<Measurement<Scores<T>, Vec<usize>, LInfDistance, MO>>
where
    (Scores<T>, LInfDistance): MetricSpace,
{
    check_selection(&input_domain, scale)?;
    let candidates = input_domain.size().unwrap_or(0);
    require(1 <= k && k <= candidates, "k", "must be from 1 to the number of candidates")?;
    let rounds = u32::try_from(k).map_err(|_| Error::parameter("k", "must be below 2^32"))?;
    let map = selection_map(&input_metric, scale, rounds);
    let deviation = deviation(SelectionNoise::Gumbel, candidates, k, scale)?;
    let measurement = Measurement::new(
        (input_domain, input_metric),
        output_measure,
        RandomizedFunction::new(move |scores: &[T], entropy| {
            Ok(noisy_top_k(scores, k, scale, SelectionNoise::Gumbel, entropy)?)
        }),
        map,
    )?;
    Ok(measurement.with_deviation(deviation))
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn the_loss_grows_with_k() {
        let scores = || VectorDomain::new(AtomDomain::i64()).with_size(9);
        let top = |k| make_noisy_top_k(scores(), LInfDistance::new(), MaxDivergence, k, 2.0);
        assert_eq!((top(1).unwrap().map(&1.0), top(3).unwrap().map(&1.0)), (Ok(1.0), Ok(3.0)));
        assert_eq!(top(3).unwrap().map(&0.0), Ok(0.0));
        let ranges = make_noisy_top_k(scores(), LInfDistance::new(), RangeDivergence, 3, 2.0).unwrap();
        assert_eq!(ranges.map(&1.0), Ok(5.0));
        assert_eq!(make_noisy_top_k(scores(), LInfDistance::new(), MaxDivergence, 3, 0.0).unwrap().map(&0.0), Ok(0.0));
        for k in [0, 10] {
            assert_eq!(top(k).unwrap_err().kind(), ErrorKind::Parameter("k"));
        }
        let mut all = top(9).unwrap().invoke(&[5; 9]).unwrap();
        all.sort_unstable();
        assert_eq!(all, (0..9).collect::<Vec<_>>());
    }
}
