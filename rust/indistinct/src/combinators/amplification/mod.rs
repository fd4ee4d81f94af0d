//! Measurements of a random part of the data, whose loss is smaller for who may not be in it; and of reports that are shuffled.
//!
//! Each constructor does the sampling (or names it as the caller's promise), so that the charge and the sampling cannot differ.

mod poisson_sampling;
mod population_amplification;
mod sampling_without_replacement;
mod shuffled_reports;

pub use poisson_sampling::{PoissonMetric, make_poisson_sampling};
pub use population_amplification::{SecretSample, make_population_amplification};
pub use sampling_without_replacement::make_sampling_without_replacement;
pub use shuffled_reports::make_shuffled_reports;

use crate::{
    core::{Domain, Fallible, Measure, Measurement, Owned, Sealed, require},
    domains::VectorDomain,
    measures::{Approximate, CompositionMeasure, MaxDivergence},
    metrics::RowMetric,
};
use indistinct_accounting::amplify_by_sampling;
use indistinct_numeric::{RoundedArithmetic, RoundedFrom};
use indistinct_sampling::{Entropy, uniform_below_u64};

/// Measures under which sampling has a known effect, exact in the measure itself.
#[diagnostic::on_unimplemented(
    message = "what sampling does to a loss under `{Self}` is not known in that measure",
    label = "sampling amplifies (epsilon, delta) only",
    note = "convert the measurement first, such as by `make_zCDP_to_approxDP` and `make_fix_delta`"
)]
#[allow(private_bounds)]
pub trait AmplifiedMeasure: Sealed + CompositionMeasure {
    /// The loss of a measurement of a sample, where `loss` is its loss at the distance of the samples, and the samples differ with a probability of at most
    /// `rate`.
    #[doc(hidden)]
    fn amplified(loss: &<Self as Measure>::Distance, rate: f64) -> Fallible<<Self as Measure>::Distance>;
}

impl AmplifiedMeasure for MaxDivergence {
    fn amplified(epsilon: &f64, rate: f64) -> Fallible<f64> {
        Ok(amplify_by_sampling(*epsilon, 0.0, rate)?.0)
    }
}

impl AmplifiedMeasure for Approximate<MaxDivergence> {
    fn amplified((epsilon, delta): &(f64, f64), rate: f64) -> Fallible<(f64, f64)> {
        Ok(amplify_by_sampling(*epsilon, *delta, rate)?)
    }
}

/// At least the probability that a sample of `size` of `population` rows, every set as likely, contains one of `changed` rows.
fn rate_without_replacement(changed: u32, size: usize, population: usize) -> Fallible<f64> {
    let each = f64::inf_from(&size)?.inf_div(f64::neg_inf_from(&population)?)?;
    Ok(f64::from(changed).inf_mul(each)?.min(1.0))
}

/// The size of a sample that a measurement takes, which must be known and not larger than what it is drawn from.
fn sample_size<D: Domain>(sample: &VectorDomain<D>, population: usize) -> Fallible<usize> {
    let size = sample.size().unwrap_or(0);
    require(size >= 1, "measurement", "must have an input domain of a known size, at least 1: the size of the sample")?;
    require(size <= population, "population_size", "must not be less than the size of the sample")?;
    Ok(size)
}

/// Whether the law of the measurement's release is the same for rows in any order, by its own promise: it loses nothing at distance 0.
fn is_free_of_order<D: Domain, TO: 'static, MI: RowMetric, MO: AmplifiedMeasure>(
    measurement: &Measurement<VectorDomain<D>, TO, MI, MO>,
) -> Fallible<bool> {
    let nothing = measurement.output_measure().compose(&[])?;
    Ok(measurement.check(&0, &nothing).unwrap_or(false))
}

/// A release of rows, which are put in random order before unless order plays no part. Data in another order are at distance 0 where the metric ignores order, and only a
/// release whose law is the same for them has one that two samples share.
fn release_of_sample<D: Domain, TO: 'static, MI: RowMetric, MO: AmplifiedMeasure>(
    measurement: &Measurement<VectorDomain<D>, TO, MI, MO>,
    keeps_order: bool,
) -> impl Fn(Vec<Owned<D>>, &mut dyn Entropy) -> Fallible<TO> + Send + Sync + 'static {
    let release = measurement.function().clone();
    move |rows, entropy| {
        let rows = if keeps_order { rows } else { shuffle(rows, entropy)? };
        release.eval(&rows, entropy)
    }
}

/// The items in an order drawn at random, every order as likely: from the last place down, each is exchanged with one that is not placed yet, or with itself.
fn shuffle<T>(mut items: Vec<T>, entropy: &mut dyn Entropy) -> Fallible<Vec<T>> {
    for place in (1..items.len()).rev() {
        let choice = uniform_below_u64(u64::exact_from(&place)? + 1, entropy)?;
        items.swap(place, usize::exact_from(&choice)?);
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        core::{PrivacyMap, RandomizedFunction},
        prelude::*,
        sampling::testing::enumerate,
    };

    #[test]
    fn every_order_is_as_likely() {
        for size in [0u32, 1, 2, 3, 4] {
            let items: Vec<u32> = (0..size).collect();
            let law = enumerate(24, |entropy| {
                shuffle(items.clone(), entropy).map_err(|_| indistinct_sampling::Error::Entropy)
            })
            .unwrap();
            let orders = f64::from((1..=size).product::<u32>());
            assert_eq!(f64::from(u32::try_from(law.mass.len()).unwrap()), orders);
            assert!(law.undecided < 0.01, "{}", law.undecided);
            assert!(
                law.mass.values().all(|mass| *mass <= 1.0 / orders + 1e-12 && *mass >= 1.0 / orders - law.undecided)
            );
        }
    }

    /// Says whether the first row is less than the last, and admits that this tells data apart which differ in nothing but order.
    fn ascent<MI>(
        metric: MI,
        size: Option<usize>,
    ) -> Measurement<VectorDomain<AtomDomain<i64>>, bool, MI, MaxDivergence>
    where
        MI: RowMetric,
    {
        let rows = VectorDomain::new(AtomDomain::i64());
        let rows = size.map_or(rows.clone(), |size| rows.with_size(size));
        let release = RandomizedFunction::new(|rows: &[i64], _: &mut dyn Entropy| Ok(rows.first() < rows.last()));
        let map = PrivacyMap::new(|_: &u32| Ok(f64::INFINITY));
        Measurement::new((rows, metric), MaxDivergence, release, map).unwrap()
    }

    fn ascents(sampled: impl Fn() -> bool) -> usize {
        (0..400).filter(|_| sampled()).count()
    }

    /// A vector of a failure: rows in order, and the same in reverse, are at distance 0, where the map of a sample says that nothing is lost.
    #[test]
    fn the_order_of_rows_is_not_told_where_the_metric_ignores_it() {
        let up: Vec<i64> = (0..200).collect();
        let down: Vec<i64> = up.iter().rev().copied().collect();
        let poisson = make_poisson_sampling(ascent(SymmetricDistance, None), 0.5).unwrap();
        let drawn = make_sampling_without_replacement(ascent(ChangeOneDistance, Some(20)), 200).unwrap();
        let secret = make_population_amplification(ascent(ChangeOneDistance, Some(200)), 1000, SecretSample).unwrap();
        assert_eq!((poisson.map(&0), drawn.map(&0), secret.map(&0)), (Ok(0.0), Ok(0.0), Ok(0.0)));
        for rows in [&up, &down] {
            for ascents in [
                ascents(|| poisson.invoke(rows).unwrap()),
                ascents(|| drawn.invoke(rows).unwrap()),
                ascents(|| secret.invoke(rows).unwrap()),
            ] {
                // 200 expected of 400, give or take 6.2 deviations of 10: false alarm below 1e-9 for each.
                assert!((138..262).contains(&ascents), "{ascents}");
            }
        }
        // Where order is part of the data it stays, and has its price.
        let ordered = make_poisson_sampling(ascent(InsertDeleteDistance, None), 0.5).unwrap();
        assert_eq!((ascents(|| ordered.invoke(&up).unwrap()), ascents(|| ordered.invoke(&down).unwrap())), (400, 0));
    }

    #[test]
    fn rates_are_rounded_up_and_at_most_one() {
        assert_eq!(rate_without_replacement(1, 1, 3), Ok((1f64 / 3.0).next_up()));
        assert_eq!(rate_without_replacement(1, 1, 4), Ok(0.25));
        assert_eq!((rate_without_replacement(5, 1, 4), rate_without_replacement(0, 3, 4)), (Ok(1.0), Ok(0.0)));
        assert_eq!(rate_without_replacement(1, usize::MAX, usize::MAX), Ok(1.0));
    }
}
