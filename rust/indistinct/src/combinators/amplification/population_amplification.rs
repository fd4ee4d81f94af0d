//! `make_population_amplification`: data that are a secret sample of a population.

use super::{AmplifiedMeasure, rate_without_replacement, sample_size};
use crate::{
    core::{Domain, Fallible, Measurement, PrivacyMap, Trace},
    domains::VectorDomain,
    metrics::ChangeOneDistance,
};
use indistinct_derive::constructor;

/// Your word that the data are a sample of a population, drawn without replacement with every set of their size as likely, and that nobody who sees a release
/// knows who is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretSample;

/// Tell the loss of a measurement for the population that its data were drawn from, where every set of the data's size was as likely, and nobody knows which it was.
///
/// That the data are such a sample is *your* promise: the plan says so, and nothing checks it. If the data can still be sampled, let
/// [`make_sampling_without_replacement`](super::make_sampling_without_replacement) do it.
///
/// # Parameters
///
/// - `population_size`: the number of rows of the population, of which the data hold n, the size of the input domain.
///
/// - `sample`: your promise.
///
/// # Privacy
///
/// For populations that differ in `d_in` rows, with `q = min(1, d_in n / population_size)`: `epsilon = ln(1 + q (exp(e) - 1))` and `delta = q d`, rounded up, where `e` and `d` are the
/// measurement's loss at `d_in` (Ullman 2017; Balle, Barthe, Gaboardi 2018, Theorem 9).
///
/// # Errors
///
/// A measurement whose input domain has no size, or a greater one than the population.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()).with_size(10), ChangeOneDistance);
/// let sum = (space >> then_clamp((0.0, 1.0)) >> then_sum() >> then_laplace(1.0))?;
/// let of_population = make_population_amplification(sum, 1000, SecretSample)?;
/// assert!((of_population.map(&1)? - 0.0170368).abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
#[constructor(children(measurement), caller_trusted(sample))]
pub fn make_population_amplification<D: Domain, TO: 'static, MO: AmplifiedMeasure>(
    measurement: Measurement<VectorDomain<D>, TO, ChangeOneDistance, MO>,
    population_size: usize,
    sample: SecretSample,
) -> Fallible<Measurement<VectorDomain<D>, TO, ChangeOneDistance, MO>> {
    let SecretSample = sample;
    let size = sample_size(measurement.input_domain(), population_size)?;
    let (space, measure) = (measurement.input_space(), measurement.output_measure().clone());
    let (release, mapped) = (measurement.function().clone(), measurement.clone());
    let map = PrivacyMap::new(move |d_in: &u32| {
        MO::amplified(&mapped.map(d_in)?, rate_without_replacement(*d_in, size, population_size)?)
    });
    let interactive = measurement.is_interactive();
    let amplified = Measurement::new(space, measure, release, map)?.with_interactive(interactive);
    Ok(amplified.with_trace(Trace::new(move |d_in| measurement.steps(d_in))))
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn the_map_is_that_of_sampling_and_the_promise_is_in_the_plan() {
        let rows = || VectorDomain::new(AtomDomain::i64().with_bounds((0, 1)).unwrap()).with_size(10);
        let sum = ((rows(), ChangeOneDistance) >> then_sum() >> then_laplace(1.0)).unwrap();
        let promised = make_population_amplification(sum.clone(), 40, SecretSample).unwrap();
        let sampled = make_sampling_without_replacement(sum, 40).unwrap();
        for d_in in [0, 1, 2, 3, 4, 100] {
            assert_eq!(promised.map(&d_in), sampled.map(&d_in));
        }
        assert!(promised.invoke(&[1; 10]).is_ok() && promised.invoke(&[1; 40]).is_err());
        assert!(promised.explain(&1).unwrap().to_string().contains("sample = caller-trusted"));
        assert!(!sampled.explain(&1).unwrap().to_string().contains("caller-trusted"));
    }
}
