//! Measurements of a random sample of the data, which have a smaller loss (privacy amplification by sampling), and of
//! shuffled reports.
//!
//! Each constructor either draws the sample itself or records that the caller did so, so the charge matches the
//! sampling.

pub(crate) mod poisson_sampling;
pub(crate) mod population_amplification;
pub(crate) mod sampling_without_replacement;
pub(crate) mod shuffled_reports;

pub use population_amplification::AssumeSecretSample;

use crate::{
    core::{Domain, Fallible, Measure, Measurement, Sealed, require},
    domains::VectorDomain,
    measures::{
        Approximate, CompositionMeasure, MaxDivergence, PrivacyLossDistribution, PrivacyLossDivergence, RenyiCurve,
        RenyiDivergence,
    },
    metrics::RowMetric,
};
use indistinct_accounting::{Delta, Epsilon, Rate, amplify_by_sampling, amplify_group_by_sampling};
use indistinct_numeric::{RoundedArithmetic, RoundedFrom, RoundedMath};

/// Measures under which the effect of sampling is known in the measure itself.
#[diagnostic::on_unimplemented(
    message = "no amplification by sampling is known for losses under `{Self}`",
    label = "sampling amplifies only (epsilon, delta) and privacy loss distributions, and samples of fixed size also Renyi divergences",
    note = "convert the measurement first, such as by `make_GDP_to_PLD`, or by `make_zCDP_to_approxDP` and `make_fix_delta`"
)]
#[allow(private_bounds)]
pub trait AmplifiedMeasure: Sealed + CompositionMeasure {
    /// Returns the loss of a measurement of a sample. `loss` is its loss at the distance of the samples, which is at
    /// most `d_in`, and the samples differ with probability at most `rate`, in either direction.
    #[doc(hidden)]
    fn amplified(loss: &<Self as Measure>::Distance, d_in: u32, rate: f64) -> Fallible<<Self as Measure>::Distance>;

    /// Returns `together`, or the loss of `steps` steps with loss `one` each, if that is known and smaller.
    #[doc(hidden)]
    fn or_in_steps(
        together: <Self as Measure>::Distance,
        _one: &dyn Fn() -> Fallible<<Self as Measure>::Distance>,
        _steps: u32,
    ) -> Fallible<<Self as Measure>::Distance> {
        Ok(together)
    }
}

/// Measures under which the effect of Poisson sampling is known.
#[diagnostic::on_unimplemented(
    message = "no amplification by Poisson sampling is known for losses under `{Self}`",
    label = "Poisson sampling amplifies only (epsilon, delta) and privacy loss distributions",
    note = "convert the measurement first, such as by `make_GDP_to_PLD`, or by `make_zCDP_to_approxDP` and `make_fix_delta`; the sampled loss converts to Renyi divergence by `make_PLD_to_RDP`"
)]
#[allow(private_bounds)]
pub trait PoissonMeasure: AmplifiedMeasure {
    /// Returns the loss of a measurement of a Poisson sample, for two datasets, one of which has one more row than the
    /// other. That row is sampled with probability `rate`, and `loss` is the measurement's loss at distance 1.
    #[doc(hidden)]
    fn amplified_by_one(loss: &<Self as Measure>::Distance, rate: f64) -> Fallible<<Self as Measure>::Distance> {
        Self::amplified(loss, 1, rate)
    }

    /// Returns `together`, or the loss in steps of several rows, each sampled independently, if that is known and
    /// smaller. `losses` are the losses if none, one, two … of the rows of a step are sampled.
    #[doc(hidden)]
    fn or_by_rows(
        together: <Self as Measure>::Distance,
        _losses: &dyn Fn() -> Fallible<Vec<<Self as Measure>::Distance>>,
        _rate: f64,
        _steps: u32,
    ) -> Fallible<<Self as Measure>::Distance> {
        Ok(together)
    }
}

impl AmplifiedMeasure for MaxDivergence {
    fn amplified(epsilon: &f64, _: u32, rate: f64) -> Fallible<f64> {
        Ok(amplify_by_sampling(Epsilon(*epsilon), Delta(0.0), Rate(rate))?.0)
    }

    fn or_in_steps(together: f64, one: &dyn Fn() -> Fallible<f64>, steps: u32) -> Fallible<f64> {
        Ok(together.min(group(steps, one()?, 0.0)?.0))
    }
}

impl PoissonMeasure for MaxDivergence {
    fn or_by_rows(together: f64, losses: &dyn Fn() -> Fallible<Vec<f64>>, rate: f64, steps: u32) -> Fallible<f64> {
        let losses: Vec<_> = losses()?.iter().map(|epsilon| (*epsilon, 0.0)).collect();
        let (epsilon, _) = amplify_group_by_sampling(&losses, rate)?;
        Ok(together.min(group(steps, epsilon, 0.0)?.0))
    }
}

impl AmplifiedMeasure for Approximate<MaxDivergence> {
    fn amplified((epsilon, delta): &(f64, f64), _: u32, rate: f64) -> Fallible<(f64, f64)> {
        // What deltas add up to may exceed 1, and says no more than 1.
        Ok(amplify_by_sampling(Epsilon(*epsilon), Delta(delta.min(1.0)), Rate(rate))?)
    }

    fn or_in_steps(together: (f64, f64), one: &dyn Fn() -> Fallible<(f64, f64)>, steps: u32) -> Fallible<(f64, f64)> {
        let (epsilon, delta) = one()?;
        Ok(lesser(together, group(steps, epsilon, delta)?))
    }
}

impl PoissonMeasure for Approximate<MaxDivergence> {
    fn or_by_rows(
        together: (f64, f64),
        losses: &dyn Fn() -> Fallible<Vec<(f64, f64)>>,
        rate: f64,
        steps: u32,
    ) -> Fallible<(f64, f64)> {
        let losses: Vec<_> = losses()?.iter().map(|(epsilon, delta)| (*epsilon, delta.min(1.0))).collect();
        let (epsilon, delta) = amplify_group_by_sampling(&losses, rate)?;
        // In one step both numbers are at most those of all rows at once, but for rounding; where the map of several
        // rows is more than that of one after another, the latter may be less in both, and is not taken.
        if steps == 1 { Ok((epsilon, delta)) } else { Ok(lesser(together, group(steps, epsilon, delta)?)) }
    }
}

impl AmplifiedMeasure for PrivacyLossDivergence {
    fn amplified(losses: &PrivacyLossDistribution, _: u32, rate: f64) -> Fallible<PrivacyLossDistribution> {
        Ok(losses.on_random_sample(rate)?)
    }
}

/// The loss has a direction: which dataset has one row more.
impl PoissonMeasure for PrivacyLossDivergence {
    fn amplified_by_one(losses: &PrivacyLossDistribution, rate: f64) -> Fallible<PrivacyLossDistribution> {
        Ok(losses.on_poisson_sample(rate)?)
    }
}

/// The largest order at which the curve of a sample is computed; higher orders are hardly ever the best.
const GREATEST_ORDER: u32 = 256;

/// The theorem is for one replaced row; at greater distances there is no amplification.
impl AmplifiedMeasure for RenyiDivergence {
    fn amplified(curve: &RenyiCurve, d_in: u32, rate: f64) -> Fallible<RenyiCurve> {
        match d_in {
            0 | 1 => Ok(curve.sampled_without_replacement(rate, GREATEST_ORDER)?),
            _ => Ok(curve.clone()),
        }
    }
}

/// Returns the second of two valid guarantees if neither of its numbers is greater, and otherwise the first.
fn lesser(x: (f64, f64), y: (f64, f64)) -> (f64, f64) {
    if y.0 <= x.0 && y.1 <= x.1 { y } else { x }
}

/// Returns the (epsilon, delta) of group privacy for several steps, from that of one step: the sum of `delta exp(i
/// epsilon)` is at most `steps` times its last term.
fn group(steps: u32, epsilon: f64, delta: f64) -> Fallible<(f64, f64)> {
    if epsilon == f64::INFINITY {
        return Ok((epsilon, delta));
    }
    let growth = f64::from(steps.saturating_sub(1)).inf_mul(epsilon)?.inf_exp()?;
    let sum = if delta == 0.0 { 0.0 } else { delta.inf_mul(f64::from(steps))?.inf_mul(growth)? };
    Ok((f64::from(steps).inf_mul(epsilon)?, sum.min(1.0)))
}

/// Returns an upper bound on the probability that a sample of `size` of `population` rows, with every set equally
/// likely, contains one of `changed` rows.
fn rate_without_replacement(changed: u32, size: usize, population: usize) -> Fallible<f64> {
    let each = f64::inf_from(&size)?.inf_div(f64::neg_inf_from(&population)?)?;
    Ok(f64::from(changed).inf_mul(each)?.min(1.0))
}

/// Returns the size of a sample that a measurement takes, which must be known and at most the number of rows from which
/// it is drawn.
fn sample_size<D: Domain>(sample: &VectorDomain<D>, population: usize) -> Fallible<usize> {
    let size = sample.size().unwrap_or(0);
    require(size >= 1, "measurement", "must have an input domain with a known size, the sample size, of at least 1")?;
    require(size <= population, "population_size", "must be at least the sample size")?;
    Ok(size)
}

/// Returns the loss of a measurement of a sample, where data at distance d have samples that differ with probability at
/// most `rate(d)`: the loss for all rows at once or, if that is smaller, for one row after another.
fn sampled_loss<DI: Domain, TO: 'static, MI: RowMetric, MO: AmplifiedMeasure>(
    measurement: &Measurement<DI, TO, MI, MO>,
    d_in: u32,
    rate: impl Fn(u32) -> Fallible<f64>,
) -> Fallible<MO::Distance> {
    let loss = measurement.map(&d_in)?;
    if !loses_nothing_at_0(measurement)? {
        return Ok(loss);
    }
    let together = MO::amplified(&loss, d_in, rate(d_in)?)?;
    if d_in < 2 {
        return Ok(together);
    }
    MO::or_in_steps(together, &|| MO::amplified(&measurement.map(&1)?, 1, rate(1)?), d_in)
}

/// Rows that two datasets have in common may be in another order, or have another form (-0.0 for 0.0). Such datasets
/// are at distance 0, and their samples have the same distribution only if the measurement loses nothing at distance 0.
/// A measurement with a loss at distance 0 is charged as if it were released without sampling.
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
    use indistinct_accounting::Sigma;

    /// Tests one third, three tenths, and sizes that are not floats.
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

    type Sum<MI, MO> = Measurement<VectorDomain<AtomDomain<f64>>, f64, MI, MO>;

    /// A sum of numbers up to 1, with Gaussian noise.
    fn sum<MI: RowMetric>(metric: MI, size: Option<usize>, scale: f64) -> Sum<MI, GaussianDivergence> {
        let rows = VectorDomain::new(AtomDomain::f64());
        let rows = size.map_or(rows.clone(), |size| rows.with_size(size));
        (make_clamp(rows, metric, (0.0, 1.0)) >> then_sum() >> then_gaussian(GaussianDivergence, scale)).unwrap()
    }

    #[test]
    fn poisson_samples_have_the_losses_of_the_pair() {
        type P = PrivacyLossDistribution;
        let losses = make_GDP_to_PLD(sum(SymmetricDistance, None, 2.0)).unwrap();
        let step = make_poisson_sampling(losses.clone(), 0.01).unwrap();
        assert_eq!(
            (step.map(&0), step.map(&1)),
            (Ok(P::none()), P::poisson_gaussian(Sigma(2.0), Rate(0.01)).map_err(Error::from))
        );
        // Of two rows, which may be one more and one less, one is in the sample with probability 1 - 0.99^2.
        let two = step.map(&2).unwrap();
        assert_eq!(two, P::fixed_size_gaussian(Sigma(1.0), Rate(poisson_sampling::any_of(2, 0.01).unwrap())).unwrap());
        let group = losses.map(&2).unwrap();
        assert!(two.delta(0.5).unwrap().upper < 0.1 * group.delta(0.5).unwrap().lower);
        // Ten steps in a chain, and their Renyi divergences.
        let steps = make_composition(vec![step.clone(); 10]).unwrap();
        assert_eq!(steps.map(&1), P::poisson_gaussian(Sigma(2.0), Rate(0.01)).unwrap().repeat(10).map_err(Error::from));
        let renyi = make_PLD_to_RDP(steps.clone()).unwrap().map(&1).unwrap();
        assert_eq!(renyi, steps.map(&1).unwrap().renyi().unwrap());
        // Two releases of one sample are one of their joint loss.
        let joint = make_composition(vec![losses.clone(); 4]).unwrap();
        let joint = make_poisson_sampling(joint, 0.01).unwrap();
        assert_eq!(joint.map(&1), P::poisson_gaussian(Sigma(1.0), Rate(0.01)).map_err(Error::from));
        // A sample of a sample is none whose losses are known.
        assert!(make_poisson_sampling(step, 0.5).unwrap().map(&1).is_err());
        assert_eq!(make_poisson_sampling(losses, 1.0).unwrap().map(&1), P::gaussian(Sigma(2.0)).map_err(Error::from));
    }

    #[test]
    fn samples_of_fixed_size_have_losses_and_curves() {
        type P = PrivacyLossDistribution;
        let losses = make_GDP_to_PLD(sum(ChangeOneDistance, Some(10), 2.0)).unwrap();
        let sampled = make_sampling_without_replacement(losses, 1000).unwrap();
        assert_eq!(
            (sampled.map(&0), sampled.map(&1)),
            (Ok(P::none()), P::fixed_size_gaussian(Sigma(2.0), Rate(0.01)).map_err(Error::from))
        );
        assert_eq!(
            sampled.map(&3),
            P::fixed_size_gaussian(Sigma(2.0 / 3.0), Rate(3.0f64.inf_mul(0.01).unwrap())).map_err(Error::from)
        );
        let curve = make_zCDP_to_RDP(make_GDP_to_zCDP(sum(ChangeOneDistance, Some(10), 2.0)).unwrap()).unwrap();
        let own = curve.map(&2).unwrap();
        let sampled = make_sampling_without_replacement(curve.clone(), 1000).unwrap();
        let expected = curve.map(&1).unwrap().sampled_without_replacement(0.01, GREATEST_ORDER).unwrap();
        assert_eq!((sampled.map(&1), sampled.map(&2)), (Ok(expected), Ok(own)));
    }

    /// Vectors of a failure: the map of a sample said that nothing is lost at distance 0.
    #[test]
    fn what_is_lost_at_distance_0_is_not_made_less() {
        let poisson = make_poisson_sampling(signs(SymmetricDistance, None), 0.1).unwrap();
        let ordered = make_poisson_sampling(signs(InsertDeleteDistance, None), 0.1).unwrap();
        let drawn = make_sampling_without_replacement(signs(ChangeOneDistance, Some(20)), 200).unwrap();
        let secret =
            make_population_amplification(signs(ChangeOneDistance, Some(200)), 1000, AssumeSecretSample).unwrap();
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
        let secret = make_population_amplification(sum(10), 1000, AssumeSecretSample).unwrap();
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
