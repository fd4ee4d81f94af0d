//! Measurements of a random part of the data, whose loss is smaller for who may not be in it; and of reports that are
//! shuffled.
//!
//! Each constructor does the sampling (or names it as the caller's promise), so that the charge and the sampling cannot
//! differ.

#[cfg(feature = "plans")]
mod entries;
pub(crate) mod poisson_sampling;
mod population_amplification;
mod sampling_without_replacement;
mod shuffled_reports;

#[cfg(feature = "plans")]
pub(crate) use entries::entries;
pub use poisson_sampling::make_poisson_sampling;
pub use population_amplification::{SecretSample, make_population_amplification};
pub use sampling_without_replacement::make_sampling_without_replacement;
pub use shuffled_reports::make_shuffled_reports;

use crate::{
    core::{Domain, Fallible, Measure, Measurement, Sealed, require},
    domains::VectorDomain,
    measures::{Approximate, CompositionMeasure, MaxDivergence},
    metrics::RowMetric,
};
use indistinct_accounting::{amplify_by_sampling, amplify_group_by_sampling};
use indistinct_numeric::{RoundedArithmetic, RoundedFrom, RoundedMath};

/// Measures under which sampling has a known effect, exact in the measure itself.
#[diagnostic::on_unimplemented(
    message = "what sampling does to a loss under `{Self}` is not known in that measure",
    label = "sampling amplifies (epsilon, delta) only",
    note = "convert the measurement first, such as by `make_zCDP_to_approxDP` and `make_fix_delta`"
)]
#[allow(private_bounds)]
pub trait AmplifiedMeasure: Sealed + CompositionMeasure {
    /// The loss of a measurement of a sample, where `loss` is its loss at the distance of the samples, and the samples
    /// differ with a probability of at most `rate`.
    #[doc(hidden)]
    fn amplified(loss: &<Self as Measure>::Distance, rate: f64) -> Fallible<<Self as Measure>::Distance>;

    /// The loss of a measurement of a sample in which each of several rows is by a coin of its own; `losses` are those
    /// where none, one, two … of them are in it.
    #[doc(hidden)]
    fn amplified_by_rows(losses: &[<Self as Measure>::Distance], rate: f64) -> Fallible<<Self as Measure>::Distance>;

    /// What is lost between data that so many steps join, each of this loss.
    #[doc(hidden)]
    fn in_steps(loss: &<Self as Measure>::Distance, steps: u32) -> Fallible<<Self as Measure>::Distance>;

    /// Of two losses that both hold, the one of the lesser epsilon.
    #[doc(hidden)]
    fn lesser(x: <Self as Measure>::Distance, y: <Self as Measure>::Distance) -> <Self as Measure>::Distance;
}

impl AmplifiedMeasure for MaxDivergence {
    fn amplified(epsilon: &f64, rate: f64) -> Fallible<f64> {
        Ok(amplify_by_sampling(*epsilon, 0.0, rate)?.0)
    }

    fn amplified_by_rows(epsilons: &[f64], rate: f64) -> Fallible<f64> {
        let losses: Vec<_> = epsilons.iter().map(|epsilon| (*epsilon, 0.0)).collect();
        Ok(amplify_group_by_sampling(&losses, rate)?.0)
    }

    fn in_steps(epsilon: &f64, steps: u32) -> Fallible<f64> {
        Ok(group(steps, *epsilon, 0.0)?.0)
    }

    fn lesser(x: f64, y: f64) -> f64 {
        x.min(y)
    }
}

impl AmplifiedMeasure for Approximate<MaxDivergence> {
    fn amplified((epsilon, delta): &(f64, f64), rate: f64) -> Fallible<(f64, f64)> {
        // What deltas add up to may exceed 1, and says no more than 1.
        Ok(amplify_by_sampling(*epsilon, delta.min(1.0), rate)?)
    }

    fn amplified_by_rows(losses: &[(f64, f64)], rate: f64) -> Fallible<(f64, f64)> {
        let losses: Vec<_> = losses.iter().map(|(epsilon, delta)| (*epsilon, delta.min(1.0))).collect();
        Ok(amplify_group_by_sampling(&losses, rate)?)
    }

    fn in_steps((epsilon, delta): &(f64, f64), steps: u32) -> Fallible<(f64, f64)> {
        group(steps, *epsilon, *delta)
    }

    fn lesser(x: (f64, f64), y: (f64, f64)) -> (f64, f64) {
        if y.0 < x.0 || (y.0 == x.0 && y.1 < x.1) { y } else { x }
    }
}

/// What (epsilon, delta) for one step is for several: the sum of `delta exp(i epsilon)` is at most so many times the
/// last of them.
fn group(steps: u32, epsilon: f64, delta: f64) -> Fallible<(f64, f64)> {
    if epsilon == f64::INFINITY {
        return Ok((epsilon, delta));
    }
    let growth = f64::from(steps.saturating_sub(1)).inf_mul(epsilon)?.inf_exp()?;
    let sum = if delta == 0.0 { 0.0 } else { delta.inf_mul(f64::from(steps))?.inf_mul(growth)? };
    Ok((f64::from(steps).inf_mul(epsilon)?, sum.min(1.0)))
}

/// At least the probability that a sample of `size` of `population` rows, every set as likely, contains one of
/// `changed` rows.
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

/// The loss of a measurement of a sample, where data at distance d have samples that differ with a probability of at
/// most `rate(d)`: that of all rows at once, or, if that is less, of one row after another.
///
/// Rows that two data sets have in common may be in another order, or written otherwise (-0.0 for 0.0): they are at
/// distance 0, and only where nothing is lost there do their samples have one distribution. A measurement that loses
/// something at distance 0 is charged as if it were released without sampling.
fn sampled_loss<DI: Domain, TO: 'static, MI: RowMetric, MO: AmplifiedMeasure>(
    measurement: &Measurement<DI, TO, MI, MO>,
    d_in: u32,
    rate: impl Fn(u32) -> Fallible<f64>,
) -> Fallible<MO::Distance> {
    let loss = measurement.map(&d_in)?;
    if !loses_nothing_at_0(measurement)? {
        return Ok(loss);
    }
    let together = MO::amplified(&loss, rate(d_in)?)?;
    if d_in < 2 {
        return Ok(together);
    }
    let one = MO::amplified(&measurement.map(&1)?, rate(1)?)?;
    Ok(MO::lesser(together, MO::in_steps(&one, d_in)?))
}

fn loses_nothing_at_0<DI: Domain, TO: 'static, MI: RowMetric, MO: AmplifiedMeasure>(
    measurement: &Measurement<DI, TO, MI, MO>,
) -> Fallible<bool> {
    measurement.check(&0, &measurement.output_measure().compose(&[])?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        core::{PrivacyMap, RandomizedFunction},
        prelude::*,
        sampling::Entropy,
    };

    /// A tenth, three times; and sizes that are no floats.
    #[test]
    fn rates_are_rounded_up() {
        assert_eq!(rate_without_replacement(1, 1, 3), Ok(1.0f64 / 3.0 + f64::EPSILON / 4.0));
        assert_eq!(rate_without_replacement(3, 1, 10), Ok(0.30000000000000004));
        assert_eq!(rate_without_replacement(1, (1 << 53) + 1, (1 << 53) + 2), Ok(1.0));
        assert_eq!(rate_without_replacement(1, 1 << 52, (1 << 53) + 1), Ok(0.5));
    }

    /// A response to whether any row is -0.0, whose map admits that it distinguishes data at distance 0.
    fn signs<MI: RowMetric>(
        metric: MI,
        size: Option<usize>,
    ) -> Measurement<VectorDomain<AtomDomain<f64>>, bool, MI, MaxDivergence> {
        let rows = VectorDomain::new(AtomDomain::f64());
        let rows = size.map_or(rows.clone(), |size| rows.with_size(size));
        let release = RandomizedFunction::new(|rows: &[f64], entropy: &mut dyn Entropy| {
            Ok((entropy.bits(2)? == 0) != rows.iter().any(|row| row.is_sign_negative()))
        });
        Measurement::new((rows, metric), MaxDivergence, release, PrivacyMap::new(|_: &u32| Ok(1.1))).unwrap()
    }

    /// Vectors of a failure: the map of a sample said that nothing is lost at distance 0.
    #[test]
    fn what_is_lost_at_distance_0_is_not_made_less() {
        let poisson = make_poisson_sampling(signs(SymmetricDistance, None), 0.1).unwrap();
        let ordered = make_poisson_sampling(signs(InsertDeleteDistance, None), 0.1).unwrap();
        let drawn = make_sampling_without_replacement(signs(ChangeOneDistance, Some(20)), 200).unwrap();
        let secret = make_population_amplification(signs(ChangeOneDistance, Some(200)), 1000, SecretSample).unwrap();
        for d_in in [0, 1, 5] {
            let losses = [poisson.map(&d_in), ordered.map(&d_in), drawn.map(&d_in), secret.map(&d_in)];
            assert_eq!(losses, [const { Ok(1.1) }; 4]);
        }
        // 200 rows of which a sample surely has some: the release of 0.0 and of -0.0 is as unlike as without sampling.
        let trues = |row: f64| (0..4000).filter(|_| poisson.invoke(&[row; 200]).unwrap()).count();
        // Each count is within 200 of the 1000 or 3000 expected: more than 7 deviations of 27.4.
        assert!((800..1200).contains(&trues(0.0)) && (2800..3200).contains(&trues(-0.0)));
    }

    /// Vectors of a looseness: ten rows lost 45 times what ten steps of one row do.
    #[test]
    fn several_rows_lose_no_more_than_one_after_another() {
        let count = |scale| {
            ((VectorDomain::new(AtomDomain::i64()), SymmetricDistance) >> then_count() >> then_laplace(scale)).unwrap()
        };
        let sum = |size| {
            let rows = VectorDomain::new(AtomDomain::i64()).with_size(size);
            ((rows, ChangeOneDistance) >> then_clamp((0, 1)) >> then_sum() >> then_laplace(1.0)).unwrap()
        };
        let poisson = make_poisson_sampling(count(1.0), 0.01).unwrap();
        let approximate = make_poisson_sampling(make_approximate(count(1.0)).unwrap(), 0.01).unwrap();
        let drawn = make_sampling_without_replacement(sum(10), 1000).unwrap();
        let secret = make_population_amplification(sum(10), 1000, SecretSample).unwrap();
        let one = poisson.map(&1).unwrap();
        for d_in in [2, 10, 100, 257, 5000] {
            let bound = f64::from(d_in) * one * (1.0 + 1e-12);
            let losses = [poisson.map(&d_in), drawn.map(&d_in), secret.map(&d_in)].map(Result::unwrap);
            assert!(losses.iter().all(|loss| *loss <= bound), "{d_in}: {losses:?} {bound}");
            let (epsilon, delta) = approximate.map(&d_in).unwrap();
            assert!(epsilon <= bound && delta == 0.0, "{d_in}: {epsilon} {delta}");
        }
        assert!(poisson.map(&10).unwrap() < 0.18);
    }

    #[test]
    fn rates_are_rounded_up_and_at_most_one() {
        assert_eq!(rate_without_replacement(1, 1, 3), Ok((1f64 / 3.0).next_up()));
        assert_eq!(rate_without_replacement(1, 1, 4), Ok(0.25));
        assert_eq!((rate_without_replacement(5, 1, 4), rate_without_replacement(0, 3, 4)), (Ok(1.0), Ok(0.0)));
        assert_eq!(rate_without_replacement(1, usize::MAX, usize::MAX), Ok(1.0));
    }
}
