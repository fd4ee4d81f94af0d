//! `make_select_private_candidate`: the best of a random number of runs.

use crate::{
    core::{Domain, Fallible, Measurement, Metric, MetricSpace, PrivacyMap, RandomizedFunction, Trace, require},
    measures::MaxDivergence,
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedArithmetic;
use indistinct_sampling::bernoulli;

/// Runs a measurement that releases a candidate with its score, until a coin decides to stop, and releases the best
/// run. With a threshold, it releases the first run whose score reaches the threshold. Its loss does not grow with the
/// number of runs.
///
/// The number of runs is random: `1 / stop_probability` on average, at most a million. It is not part of the release,
/// but it determines the time.
///
/// # Parameters
///
/// - `measurement`: releases (score, candidate), with the score as private as the candidate. A NaN score is below all
///   other scores.
/// - `stop_probability`: the probability of stopping after each run, from a millionth to 1.
/// - `threshold`: if given, the first run whose score is at least the threshold is released, or nothing if the coin
///   stops first.
///
/// # Privacy
///
/// For a measurement of loss e at `d_in`: `epsilon = 2 e` with a threshold, `3 e` without, rounded up (Liu, Talwar
/// 2019, Theorems 3.1 and 3.2 for pure privacy; Papernot, Steinke 2022).
///
/// # Errors
///
/// Returns an error if the stop probability is out of range, the threshold is NaN, or the measurement is interactive.
///
/// ```
/// use indistinct::prelude::*;
/// // The length of the bins that fit a histogram best, with a noisy score.
/// let rows = (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
/// let scored = (rows >> then_count() >> then_laplace(10.0) >> Function::new(|count: &i64| (-(count - 100).abs() as f64, *count)))?;
/// let best = make_select_private_candidate(scored, 0.1, None)?;
/// let (score, candidate): (f64, i64) = best.invoke(&[0; 120])?.ok_or("no run")?;
/// assert_eq!(score, -(candidate - 100).abs() as f64);
/// assert!((best.map(&1)? - 0.3).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[constructor(
    children(measurement),
    exempt("it needs a measurement that releases a value with a score, and no measurement of a table does")
)]
pub fn make_select_private_candidate<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, (f64, TO), MI, MaxDivergence>,
    stop_probability: f64,
    threshold: Option<f64>,
) -> Fallible<Measurement<DI, Option<(f64, TO)>, MI, MaxDivergence>>
where
    (DI, MI): MetricSpace,
{
    measurement.check_repeatable()?;
    let range = LEAST_STOP_PROBABILITY..=1.0;
    require(range.contains(&stop_probability), "stop_probability", "must be from a millionth to 1")?;
    require(threshold.is_none_or(|threshold| !threshold.is_nan()), "threshold", "must not be NaN")?;
    require(!measurement.is_interactive(), "measurement", "must not be interactive")?;
    let (run, mapped, factor) =
        (measurement.function().clone(), measurement.clone(), if threshold.is_some() { 2.0 } else { 3.0 });
    let selected = Measurement::new(
        measurement.input_space(),
        MaxDivergence,
        RandomizedFunction::new(move |data: &DI::Carrier, entropy| {
            let mut best: Option<(f64, TO)> = None;
            loop {
                let (score, candidate) = run.eval(data, entropy)?;
                let score = if score.is_nan() { f64::NEG_INFINITY } else { score };
                match threshold {
                    Some(threshold) if score >= threshold => return Ok(Some((score, candidate))),
                    Some(_) => {}
                    // Of equal scores the first.
                    None if best.as_ref().is_none_or(|(highest, _)| score > *highest) => {
                        best = Some((score, candidate))
                    }
                    None => {}
                }
                if bernoulli(stop_probability, entropy)? {
                    return Ok(best);
                }
            }
        }),
        PrivacyMap::new(move |d_in: &MI::Distance| Ok(mapped.map(d_in)?.inf_mul(factor)?)),
    )?;
    Ok(selected.with_trace(Trace::new(move |d_in: &MI::Distance| measurement.steps(d_in))))
}

/// The smallest probability of stopping after a run. With less, all runs together would take too long.
const LEAST_STOP_PROBABILITY: f64 = 1e-6;

#[cfg(test)]
mod tests {
    use crate::{
        core::RandomizedFunction,
        prelude::*,
        sampling::{bernoulli, testing::SeededEntropy},
    };
    use indistinct_sampling::Entropy;

    #[test]
    fn two_or_three_losses_are_rounded_up() {
        let exact = |x: f64| crate::numeric::gmp::Rational::from_f64(x).unwrap();
        for step in 1u32..200 {
            let epsilon = f64::from(step) / 10.0;
            let release = RandomizedFunction::new(|_: &bool, _: &mut dyn Entropy| Ok((0.0, 0u8)));
            let map = crate::core::PrivacyMap::new(move |_: &u32| Ok(epsilon));
            let run = Measurement::new((AtomDomain::bool(), DiscreteDistance), MaxDivergence, release, map).unwrap();
            for (threshold, factor) in [(None, 3u32), (Some(1.0), 2)] {
                let loss = make_select_private_candidate(run.clone(), 0.5, threshold).unwrap().map(&1).unwrap();
                assert!(exact(loss) >= exact(epsilon) * factor, "{epsilon} {factor}");
            }
        }
    }

    type Candidate = Measurement<AtomDomain<bool>, (f64, u8), DiscreteDistance, MaxDivergence>;

    /// Three candidates with scores 0, 1 and 1, drawn with probabilities that the data decide, in quarters; the ratios
    /// are at most 2.
    fn candidate() -> Candidate {
        let release = RandomizedFunction::new(|data: &bool, entropy: &mut dyn Entropy| {
            let (first, second) = if *data { (0.5, 0.5) } else { (0.25, 1.0 / 3.0) };
            Ok(if bernoulli(first, entropy)? {
                (0.0, 0)
            } else if bernoulli(second, entropy)? {
                (1.0, 1)
            } else {
                (1.0, 2)
            })
        });
        let map = crate::core::PrivacyMap::new(|d_in: &u32| Ok(if *d_in == 0 { 0.0 } else { 2f64.ln().next_up() }));
        Measurement::new((AtomDomain::bool(), DiscreteDistance), MaxDivergence, release, map).unwrap()
    }

    /// The distribution of the release by its definition: a geometric number of runs, the first of the best.
    fn law(data: bool, stop: f64) -> [f64; 3] {
        let p = if data { [0.5, 0.25, 0.25] } else { [0.25, 0.25, 0.5] };
        let generating = |s: f64| stop * s / (1.0 - (1.0 - stop) * s);
        let low = generating(p[0]);
        [low, (1.0 - low) * p[1] / (p[1] + p[2]), (1.0 - low) * p[2] / (p[1] + p[2])]
    }

    #[test]
    fn the_release_has_its_law_and_the_law_its_loss() {
        let mut entropy = SeededEntropy::new(6);
        for stop in [0.1, 0.5, 1.0] {
            let best = make_select_private_candidate(candidate(), stop, None).unwrap();
            let claim = best.map(&1).unwrap();
            for (a, b) in law(true, stop).into_iter().zip(law(false, stop)) {
                assert!((a / b).ln().abs() <= claim, "{stop}");
            }
            for data in [false, true] {
                let mut counts = [0u32; 3];
                for _ in 0..100_000 {
                    let (_, index) = best.invoke_with(&data, &mut entropy).unwrap().unwrap();
                    counts[usize::from(index)] += 1;
                }
                for (count, p) in counts.into_iter().zip(law(data, stop)) {
                    // 6.5 deviations: false alarm below 1e-9 for all of them.
                    let (mean, deviation) = (1e5 * p, (1e5 * p * (1.0 - p)).sqrt());
                    assert!((f64::from(count) - mean).abs() <= 6.5 * deviation + 1.0, "{stop} {data}: {count} {mean}");
                }
            }
        }
    }

    /// With a threshold of 1, the result is the first run of candidate 1 or 2, or nothing.
    #[test]
    fn the_first_run_that_reaches_the_threshold() {
        let mut entropy = SeededEntropy::new(7);
        let stop = 0.25;
        let first = make_select_private_candidate(candidate(), stop, Some(1.0)).unwrap();
        assert!(first.map(&1).unwrap() >= 2.0 * 2f64.ln() && first.map(&1).unwrap() < 1.3863);
        let law = |p: [f64; 3]| {
            let last = 1.0 - p[0] * (1.0 - stop);
            [p[0] * stop / last, p[1] / last, p[2] / last]
        };
        let (a, b) = (law([0.5, 0.25, 0.25]), law([0.25, 0.25, 0.5]));
        assert!(a.iter().zip(&b).all(|(a, b)| (a / b).ln().abs() <= first.map(&1).unwrap()));
        for (data, p) in [(true, a), (false, b)] {
            let mut counts = [0u32; 3];
            for _ in 0..100_000 {
                let index = first.invoke_with(&data, &mut entropy).unwrap().map_or(0, |(_, index)| index);
                counts[usize::from(index)] += 1;
            }
            for (count, p) in counts.into_iter().zip(p) {
                let (mean, deviation) = (1e5 * p, (1e5 * p * (1.0 - p)).sqrt());
                assert!((f64::from(count) - mean).abs() <= 6.5 * deviation + 1.0, "{data}: {count} {mean}");
            }
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        for stop in [0.0, -0.5, 1.5, f64::NAN, 1e-300, 1e-6f64.next_down()] {
            let error = make_select_private_candidate(candidate(), stop, None).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Parameter("stop_probability"));
        }
        assert!(make_select_private_candidate(candidate(), 1e-6, None).is_ok());
        let error = make_select_private_candidate(candidate(), 0.5, Some(f64::NAN)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("threshold"));
        assert_eq!(make_select_private_candidate(candidate(), 0.5, Some(0.0)).unwrap().map(&0), Ok(0.0));
    }

    #[test]
    fn a_score_that_is_not_a_number_is_the_lowest() {
        let release = RandomizedFunction::new(|_: &bool, _: &mut dyn Entropy| Ok((f64::NAN, 0u8)));
        let map = crate::core::PrivacyMap::new(|_: &u32| Ok(0.0));
        let nan = Measurement::new((AtomDomain::bool(), DiscreteDistance), MaxDivergence, release, map).unwrap();
        let best = make_select_private_candidate(nan.clone(), 0.5, None).unwrap().invoke(&true).unwrap();
        assert_eq!(best, Some((f64::NEG_INFINITY, 0)));
        assert_eq!(make_select_private_candidate(nan, 0.5, Some(-1e308)).unwrap().invoke(&true), Ok(None));
    }

    #[test]
    fn of_equal_scores_the_first_is_chosen() {
        use std::sync::atomic::{AtomicU8, Ordering};
        for seed in 0..20 {
            let runs = AtomicU8::new(0);
            let release = RandomizedFunction::new(move |_: &bool, _: &mut dyn Entropy| {
                let run = runs.fetch_add(1, Ordering::Relaxed);
                // Some lower scores before the highest.
                Ok((f64::from(run.min(2)), run))
            });
            let map = crate::core::PrivacyMap::new(|_: &u32| Ok(0.0));
            let runs = Measurement::new((AtomDomain::bool(), DiscreteDistance), MaxDivergence, release, map).unwrap();
            let best = make_select_private_candidate(runs, 0.1, None).unwrap();
            let (score, run) = best.invoke_with(&true, &mut SeededEntropy::new(seed)).unwrap().unwrap();
            assert_eq!(score, f64::from(run), "the first with its score");
        }
    }
}
