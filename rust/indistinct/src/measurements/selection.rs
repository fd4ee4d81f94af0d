//! The common parts of mechanisms that select a candidate by its score.

use crate::{
    core::{
        Deviation, Error, ErrorKind, Fallible, Measure, Measurement, PrivacyMap, RandomizedFunction, Sealed,
        ToParameter, require,
    },
    domains::{AtomDomain, Number, VectorDomain},
    measures::{
        CompositionMeasure, MaxDivergence, PrivacyLossDistribution, PrivacyLossDivergence, RangeDivergence, RenyiCurve,
        RenyiDivergence, ZeroConcentratedDivergence, losses_of_range,
    },
    metrics::LInfDistance,
};
use indistinct_numeric::{Extended, RoundedArithmetic, RoundedFrom, ToExtended};
use indistinct_sampling::{Entropy, Score, SelectionNoise, noisy_top_k};

/// Vectors of scores, one for each candidate.
pub type Scores<T> = VectorDomain<AtomDomain<T>>;

/// Numbers that can be scores. An infinite score counts as the largest finite float of its sign.
pub trait ScoreNumber: Number + Score {}

impl<T: Number + Score> ScoreNumber for T {}

/// Measures for selections, and the noise with the smallest loss under each.
#[allow(private_bounds)]
pub trait SelectionMeasure: Sealed + CompositionMeasure + ToParameter {
    /// The noise that [`make_noisy_max`](super::make_noisy_max) adds.
    const NOISE: SelectionNoise;
    /// Returns the loss of k selections, at least one, in sequence among the remaining candidates (peeling), each of
    /// range at most eta.
    #[doc(hidden)]
    fn of_peeling(eta: &Extended, k: u32) -> Fallible<<Self as Measure>::Distance>;
}

/// Returns k times a loss, rounded up once.
fn times(k: impl ToExtended, loss: &Extended) -> Fallible<f64> {
    Ok(f64::inf_from(&k.to_extended()?.mul(loss)?)?)
}

/// Returns `eta^2 / 8`, exactly.
fn rho(eta: &Extended) -> Fallible<Extended> {
    Ok(eta.mul(eta)?.div(&8.0.to_extended()?)?)
}

/// Epsilon is at most eta (Durfee, Rogers 2019).
impl SelectionMeasure for MaxDivergence {
    const NOISE: SelectionNoise = SelectionNoise::Exponential;

    fn of_peeling(eta: &Extended, k: u32) -> Fallible<f64> {
        times(k, eta)
    }
}

impl SelectionMeasure for RangeDivergence {
    const NOISE: SelectionNoise = SelectionNoise::Gumbel;

    /// The range of an adaptive sequence is not the sum of the ranges, because the remaining candidates depend on the
    /// earlier selections.
    fn of_peeling(eta: &Extended, k: u32) -> Fallible<f64> {
        times(2 * i64::from(k) - 1, eta)
    }
}

/// Rho is at most `eta^2 / 8` (Cesar, Rogers 2021).
impl SelectionMeasure for ZeroConcentratedDivergence {
    const NOISE: SelectionNoise = SelectionNoise::Gumbel;

    fn of_peeling(eta: &Extended, k: u32) -> Fallible<f64> {
        times(k, &rho(eta)?)
    }
}

impl SelectionMeasure for RenyiDivergence {
    const NOISE: SelectionNoise = SelectionNoise::Gumbel;

    fn of_peeling(eta: &Extended, k: u32) -> Fallible<RenyiCurve> {
        Ok(RenyiCurve::concentrated(times(k, &rho(eta)?)?)?)
    }
}

impl SelectionMeasure for PrivacyLossDivergence {
    const NOISE: SelectionNoise = SelectionNoise::Gumbel;

    fn of_peeling(eta: &Extended, k: u32) -> Fallible<PrivacyLossDistribution> {
        Ok(losses_of_range(f64::inf_from(eta)?)?.repeat(k.into())?)
    }
}

/// Returns an error if the scale is out of range, or if there are no candidates.
pub(crate) fn check_selection<T: Number>(scores: &Scores<T>, scale: f64) -> Fallible<()> {
    require(scale.is_finite() && scale >= 0.0, "scale", "must be finite and not negative")?;
    let candidates = scores.size().unwrap_or(0);
    require(candidates >= 1, "input_domain", "must have a known size of at least 1: one score for each candidate")
}

/// Returns the largest change of the log-ratio of two candidates' weights `exp(score / scale)`, exactly: twice the
/// distance over the scale, or the distance over the scale in the monotonic metric.
pub(crate) fn range(metric: &LInfDistance, d_in: &f64, scale: f64) -> Fallible<Extended> {
    let d_in = d_in.to_extended()?;
    if d_in.is_zero() {
        return Ok(d_in);
    }
    let moved = if metric.is_monotonic() { d_in } else { d_in.add(&d_in)? };
    Ok(moved.div(&scale.to_extended()?)?)
}

/// Returns the map of k selections in sequence, each of the range above.
pub(crate) fn selection_map<MO: SelectionMeasure>(
    metric: &LInfDistance,
    scale: f64,
    k: u32,
) -> PrivacyMap<LInfDistance, MO> {
    let metric = *metric;
    PrivacyMap::new(move |d_in: &f64| MO::of_peeling(&range(&metric, d_in, scale)?, k))
}

/// Returns the measurement that selects the highest score after noise of one distribution.
pub(crate) fn select<T: ScoreNumber, MO: SelectionMeasure>(
    space: (Scores<T>, LInfDistance),
    output_measure: MO,
    scale: f64,
    noise: SelectionNoise,
) -> Fallible<Measurement<Scores<T>, usize, LInfDistance, MO>> {
    check_selection(&space.0, scale)?;
    let map = selection_map(&space.1, scale, 1);
    let deviation = deviation(noise, space.0.size().unwrap_or(0), 1, scale)?;
    let function = RandomizedFunction::new(move |scores: &[T], entropy| winner(scores, scale, noise, entropy));
    Ok(Measurement::new(space, output_measure, function, map)?.with_deviation(deviation))
}

/// Returns a bound on how far the score of a selected candidate is below the k-th best, with noise that is drawn once
/// for each candidate.
///
/// A candidate that is t below is selected before one of the best k only if its noise is greater by t. For Gumbel noise
/// this has probability `1 / (1 + exp(t / scale))`, for exponential noise `exp(-t / scale) / 2`. There are `k
/// (candidates - k)` such pairs.
pub(crate) fn deviation(noise: SelectionNoise, candidates: usize, k: usize, scale: f64) -> Fallible<Deviation> {
    let pairs = f64::inf_from(&k)?.inf_mul(f64::inf_from(&candidates.saturating_sub(k))?)?;
    let weight = match noise {
        SelectionNoise::Gumbel => pairs,
        SelectionNoise::Exponential => pairs / 2.0,
        _ => return Ok(Deviation::Unknown),
    };
    Ok(Deviation::Selection { scale, weight })
}

/// Returns the position of the highest score after noise.
pub(crate) fn winner<T: ScoreNumber>(
    scores: &[T],
    scale: f64,
    noise: SelectionNoise,
    entropy: &mut dyn Entropy,
) -> Fallible<usize> {
    let first = noisy_top_k(scores, 1, scale, noise, entropy)?.first().copied();
    first.ok_or_else(|| Error::new(ErrorKind::Domain, "there must be at least one score"))
}
