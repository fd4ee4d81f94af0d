//! `make_population_amplification`: data that are a secret sample of a population.

use super::{AmplifiedMeasure, rate_without_replacement, sample_size, sampled_loss};
use crate::{
    core::{Domain, Fallible, Marks, Measurement, PrivacyMap, Trace},
    domains::VectorDomain,
    metrics::ChangeOneDistance,
};
use indistinct_derive::constructor;

/// The caller's promise about three facts. The data are a sample of a population, drawn without replacement, and every
/// set of this size was equally likely. Nobody who sees the release learns in another way who is in the sample. There
/// is only *one* release from the sample, whatever is computed from it. Two releases from one sample may lose far more
/// than twice the loss of one. (The mechanism with epsilon 1 on one row in a hundred loses 0.017; ten such releases
/// from the same sample lose not 0.17 but 5.4.)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AssumeSecretSample;

/// States the loss of a measurement for the population from which its data were sampled, if every set of that size was
/// equally likely and nobody knows which one was drawn.
///
/// The plan records the sampling as your promise, which nothing checks. If the data can still be sampled, use
/// [`make_sampling_without_replacement`](crate::combinators::make_sampling_without_replacement) instead.
///
/// This is the last step: the result cannot be part of a composition, filter, selection or sampling, and you may call
/// `invoke` once per sample. Compose all releases from the sample before this step.
///
/// # Parameters
///
/// - `population_size`: the number of rows of the population. The data contain n of them, the size of the input domain.
///
/// - `sample`: your promise.
///
/// # Privacy
///
/// For populations that differ in `d_in` rows, with `q = min(1, d_in n / population_size)`:
/// `epsilon = ln(1 + q (exp(e) - 1))` and `delta = q d`, rounded up, where `e` and `d` are the measurement's loss at
/// `d_in` (Ullman 2017; Balle, Barthe, Gaboardi 2018, Theorem 9). A measurement with a loss at distance 0
/// is not amplified. Group privacy from one row, `d_in` times its epsilon and `d_in delta exp((d_in - 1) epsilon)`, is
/// used instead if neither number is greater.
///
/// # Errors
///
/// Returns an error if the measurement's input domain has no size or a size above the population's, or if its loss is
/// already stated for a population.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()).with_size(10), ChangeOneDistance);
/// let sum = (space >> then_clamp((0.0, 1.0)) >> then_sum() >> then_laplace(1.0))?;
/// let of_population = make_population_amplification(sum, 1000, AssumeSecretSample)?;
/// assert!((of_population.map(&1)? - 0.0170368).abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
#[constructor(
    children(measurement),
    caller_trusted(sample),
    exempt("it needs a measurement that starts with rows, but a plan starts with a table")
)]
pub fn make_population_amplification<D: Domain, TO: 'static, MO: AmplifiedMeasure>(
    measurement: Measurement<VectorDomain<D>, TO, ChangeOneDistance, MO>,
    population_size: usize,
    sample: AssumeSecretSample,
) -> Fallible<Measurement<VectorDomain<D>, TO, ChangeOneDistance, MO>> {
    let AssumeSecretSample = sample;
    measurement.check_repeatable()?;
    let size = sample_size(measurement.input_domain(), population_size)?;
    let (space, measure) = (measurement.input_space(), measurement.output_measure().clone());
    let (release, mapped) = (measurement.function().clone(), measurement.clone());
    let map = PrivacyMap::new(move |d_in: &u32| {
        sampled_loss(&mapped, *d_in, |changed| rate_without_replacement(changed, size, population_size))
    });
    let marks = Marks { secret_sample: true, ..measurement.marks() };
    let deviation = measurement.deviation().clone();
    let amplified = Measurement::new(space, measure, release, map)?.with_marks(marks).with_deviation(deviation);
    Ok(amplified.with_trace(Trace::new(move |d_in| measurement.steps(d_in))))
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn the_map_is_that_of_sampling_and_the_promise_is_in_the_plan() {
        let rows = || VectorDomain::new(AtomDomain::i64().with_bounds((0, 1)).unwrap()).with_size(10);
        let sum = ((rows(), ChangeOneDistance) >> then_sum() >> then_laplace(1.0)).unwrap();
        let promised = make_population_amplification(sum.clone(), 40, AssumeSecretSample).unwrap();
        let sampled = make_sampling_without_replacement(sum, 40).unwrap();
        for d_in in [0, 1, 2, 3, 4, 100] {
            assert_eq!(promised.map(&d_in), sampled.map(&d_in));
        }
        assert!(promised.invoke(&[1; 10]).is_ok() && promised.invoke(&[1; 40]).is_err());
        assert!(promised.explain(&1).unwrap().to_string().contains("sample = caller-trusted"));
        assert!(!sampled.explain(&1).unwrap().to_string().contains("caller-trusted"));
    }

    /// Randomized response of the only row of a sample of one in m. Two releases of the same sample lose more than two
    /// amplified losses, exactly.
    #[test]
    fn a_secret_sample_is_released_once() {
        let rows = VectorDomain::new(AtomDomain::bool()).with_size(1);
        let one = make_user_measurement(
            rows,
            ChangeOneDistance,
            MaxDivergence,
            |rows: &[bool], _| Ok(rows.len()),
            |d_in: &u32| Ok(if *d_in == 0 { 0.0 } else { 1.0 }),
        )
        .unwrap();
        let promised = make_population_amplification(one.clone(), 2, AssumeSecretSample).unwrap();
        let (p, q): (f64, f64) = (1.0 / (1.0 + (-1f64).exp()), 1.0 / (1.0 + 1f64.exp()));
        // Both responses say 1: of a row that is 1 with probability one half, or surely 0.
        let true_loss = (0.5 + 0.5 * (p / q).powi(2)).ln();
        assert!(2.0 * promised.map(&1).unwrap() < 1.2403 && true_loss > 1.4337);
        let refused = |kind: ErrorKind| assert_eq!(kind, ErrorKind::Mismatch);
        refused(make_composition(vec![promised.clone(), promised.clone()]).unwrap_err().kind());
        refused(make_composition((one.clone(), promised.clone())).unwrap_err().kind());
        refused(make_composition((promised.clone(), one.clone())).unwrap_err().kind());
        refused(make_population_amplification(promised.clone(), 2, AssumeSecretSample).unwrap_err().kind());
        refused(make_sampling_without_replacement(promised.clone(), 2).unwrap_err().kind());
        refused(make_composition(vec![make_pureDP_to_zCDP(promised.clone()).unwrap()]).unwrap_err().kind());
        let scored = (promised.clone() >> Function::new(|_: &usize| (0.0, 0))).unwrap();
        refused(make_select_private_candidate(scored, 0.5, None).unwrap_err().kind());
        let filter = (promised.input_space() >> then_privacy_filter(MaxDivergence, 1, 5.0)).unwrap();
        assert_eq!(filter.invoke(&[true]).unwrap().eval(&promised).unwrap_err().kind(), ErrorKind::Question);
        // The other way round is right.
        let joint = make_population_amplification(make_composition((one.clone(), one)).unwrap(), 2, AssumeSecretSample)
            .unwrap();
        assert!(joint.map(&1).unwrap() >= true_loss * (1.0 - 1e-14), "and attained");
    }
}
