//! `make_poisson_sampling`: a measurement of rows that are sampled independently.

use super::{PoissonMeasure, loses_nothing_at_0};
use crate::{
    core::{Domain, Fallible, Measurement, Owned, PrivacyMap, RandomizedFunction, Trace, require},
    domains::VectorDomain,
    metrics::{InsertDeleteDistance, RowMetric, SymmetricDistance},
};
use indistinct_derive::constructor;
use indistinct_numeric::{RoundedArithmetic, RoundedMath};
use indistinct_sampling::bernoulli;

/// Metrics for which the effect of Poisson sampling is known: metrics that count rows added or removed.
///
/// If rows are replaced, the size of the sample reveals nothing, and a different rule holds: see
/// [`make_sampling_without_replacement`](crate::combinators::make_sampling_without_replacement).
#[diagnostic::on_unimplemented(
    message = "Poisson sampling amplifies only for rows added or removed, and `{Self}` is another metric",
    label = "use `SymmetricDistance` or `InsertDeleteDistance`",
    note = "if rows are replaced, use `make_sampling_without_replacement`"
)]
pub trait PoissonMetric: RowMetric {}

impl PoissonMetric for SymmetricDistance {}
impl PoissonMetric for InsertDeleteDistance {}

/// Samples each row independently with a given probability, and releases a measurement of the sample. Each release
/// draws a new sample and does not keep it.
///
/// To release several measurements of one sample, compose them first; they are amplified together.
///
/// # Parameters
///
/// - `measurement`: the measurement of the sample. Its domain has no size, because the size of a sample is random.
/// - `rate`: the probability of each row, from 0 to 1.
///
/// # Privacy
///
/// Let J of `d_in` rows be sampled, each with probability `rate`. Then `epsilon = ln E[exp(e(J))]` and `delta =
/// E[d(J)]`, rounded up, where `e(j)` and `d(j)` are the measurement's loss at distance j. For one row this is `ln(1 +
/// rate (exp(e) - 1))` and `rate d` (Balle, Barthe, Gaboardi 2018, Theorem 8). For more than 256 rows, the loss is
/// computed in steps of at most 256 rows (group privacy), unless all rows at once have a smaller epsilon or delta. A
/// measurement with a loss at distance 0 is not amplified.
///
/// Under [`PrivacyLossDivergence`](crate::measures::PrivacyLossDivergence), at distance 1, the pair (P, Q) of the
/// measurement becomes `((1 - rate) Q + rate P, Q)` in the direction in which a row is removed, and the same pair
/// exchanged in the other direction (Zhu, Dong, Wang 2022, Theorem 11). So the loss has a direction, which chains keep.
/// At larger distances the map takes the worse of both directions, with `1 - (1 - rate)^d_in` in place of the rate. The
/// map is known for Gaussian noise (from [`make_GDP_to_PLD`](crate::combinators::make_GDP_to_PLD)); for a mechanism
/// with a bounded loss, it uses only the maximum loss.
///
/// # Errors
///
/// Returns an error if the rate is not a probability, or if the measurement's input domain has a size. The map fails
/// for losses with no known effect of sampling: Gaussian noise together with other mechanisms, and discrete Gaussian
/// noise.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
/// let count = (space >> then_count() >> then_laplace(1.0))?;
/// let sampled = make_poisson_sampling(count, 0.01)?;
/// let near_ten: i64 = sampled.invoke(&[0; 1000])?;
/// assert!((sampled.map(&1)? - 0.0170368).abs() < 1e-6);
/// # let _ = near_ten;
/// # Ok::<(), Error>(())
/// ```
#[constructor(
    children(measurement),
    exempt("it needs a measurement that starts with rows, but a plan starts with a table")
)]
pub fn make_poisson_sampling<D: Domain, TO: 'static, MI: PoissonMetric, MO: PoissonMeasure>(
    measurement: Measurement<VectorDomain<D>, TO, MI, MO>,
    rate: f64,
) -> Fallible<Measurement<VectorDomain<D>, TO, MI, MO>> {
    measurement.check_repeatable()?;
    require((0.0..=1.0).contains(&rate), "rate", "must be a probability")?;
    let unsized_rows = measurement.input_domain().size().is_none();
    require(unsized_rows, "measurement", "must have an input domain without a declared size")?;
    let (space, measure) = (measurement.input_space(), measurement.output_measure().clone());
    let (release, mapped) = (measurement.function().clone(), measurement.clone());
    let sampled = Measurement::new(
        space,
        measure,
        RandomizedFunction::new(move |rows: &[Owned<D>], entropy| {
            let mut sample = Vec::new();
            for row in rows {
                if bernoulli(rate, entropy)? {
                    sample.push(row.clone());
                }
            }
            release.eval(&sample, entropy)
        }),
        PrivacyMap::new(move |d_in: &u32| loss(&mapped, *d_in, rate)),
    )?;
    let marks = measurement.marks();
    Ok(sampled.with_marks(marks).with_trace(Trace::new(move |d_in| measurement.steps(d_in))))
}

/// Up to this number of rows, the number of sampled rows is considered exactly.
const MOST_ROWS: u32 = 256;

/// Returns the loss at a distance: by whether any of the rows is sampled, by one row after another, or by the number of
/// sampled rows.
fn loss<D: Domain, TO: 'static, MI: PoissonMetric, MO: PoissonMeasure>(
    measurement: &Measurement<VectorDomain<D>, TO, MI, MO>,
    d_in: u32,
    rate: f64,
) -> Fallible<MO::Distance> {
    let loss = measurement.map(&d_in)?;
    if !loses_nothing_at_0(measurement)? {
        return Ok(loss);
    }
    let any = any_of(d_in, rate)?;
    if d_in == 1 {
        return MO::amplified_by_one(&loss, any);
    }
    let together = MO::amplified(&loss, d_in, any)?;
    if d_in == 0 {
        return Ok(together);
    }
    let together = MO::or_in_steps(together, &|| MO::amplified(&measurement.map(&1)?, 1, any_of(1, rate)?), d_in)?;
    let steps = d_in.div_ceil(MOST_ROWS);
    let losses = || (0..=d_in.div_ceil(steps)).map(|rows| measurement.map(&rows)).collect();
    MO::or_by_rows(together, &losses, rate, steps)
}

/// Returns an upper bound on `1 - (1 - rate)^rows`, the probability that at least one of the rows is sampled.
pub(super) fn any_of(rows: u32, rate: f64) -> Fallible<f64> {
    let sum = f64::from(rows).inf_mul(rate)?;
    let none = f64::from(rows).neg_inf_mul((-rate).neg_inf_ln_1p()?);
    // No rows and a rate of 1 have no product; nothing is taken of no rows.
    let any = if rows == 0 { 0.0 } else { 0.0 - none?.neg_inf_exp_m1()? };
    Ok(sum.min(any).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        prelude::*,
        sampling::testing::SeededEntropy,
        truth::{covers, real, sizes},
    };
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn each_step_is_rounded_up(rows in 1u32..40, rate in prop_oneof![sizes(-60, -50), sizes(-8, 0)]) {
            let any = any_of(rows, rate).unwrap();
            let none = (1u32 - real(rate)).ln() * rows;
            prop_assert!(covers(any, -none.exp_m1()), "{any:e}");
        }
    }

    type Count = Measurement<VectorDomain<AtomDomain<i64>>, i64, SymmetricDistance, MaxDivergence>;

    fn count(scale: f64) -> Count {
        ((VectorDomain::new(AtomDomain::i64()), SymmetricDistance) >> then_count() >> then_laplace(scale)).unwrap()
    }

    #[test]
    fn the_map_is_that_of_one_run_of_the_sample() {
        let sampled = make_poisson_sampling(count(1.0), 0.5).unwrap();
        // ln(1 + (e - 1) / 2) and, for two rows, ln((1 + 2 e + e^2) / 4), which is twice that.
        let (one, two) = (sampled.map(&1).unwrap(), sampled.map(&2).unwrap());
        assert!((0.620_114_506..0.620_114_508).contains(&one) && (1.240_2..1.240_3).contains(&two), "{one} {two}");
        assert_eq!(sampled.map(&0), Ok(0.0));
        let (all, none) =
            (make_poisson_sampling(count(2.0), 1.0).unwrap(), make_poisson_sampling(count(2.0), 0.0).unwrap());
        assert_eq!((all.map(&3), none.map(&3), all.map(&0)), (Ok(1.5), Ok(0.0), Ok(0.0)));
        let approximate = make_poisson_sampling(make_pureDP_to_approxDP(count(1.0)).unwrap(), 0.5).unwrap();
        assert_eq!(approximate.map(&1), Ok((one, 0.0)));
    }

    /// Two releases of one sample are charged as one of their joint loss, which is more than two amplified losses.
    #[test]
    fn two_releases_of_one_sample_are_amplified_together() {
        let joint = make_poisson_sampling(make_composition((count(1.0), count(1.0))).unwrap(), 0.5).unwrap();
        let apart = make_poisson_sampling(count(1.0), 0.5).unwrap();
        let apart = make_composition((apart.clone(), apart)).unwrap();
        assert!((1.433_780_8..1.433_780_9).contains(&joint.map(&1).unwrap()));
        assert!((1.240_229_0..1.240_229_1).contains(&apart.map(&1).unwrap()));
    }

    #[test]
    fn each_row_is_taken_by_its_own_coin_anew_for_each_release() {
        let rows = (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
        let exact = (rows >> then_count() >> then_laplace(0.0)).unwrap();
        let sampled = make_poisson_sampling(exact, 0.25).unwrap().accept_infinite_loss();
        let mut entropy = SeededEntropy::new(4);
        let sizes: Vec<i64> = (0..400).map(|_| sampled.invoke_with(&[7; 100], &mut entropy).unwrap()).collect();
        let mean = sizes.iter().sum::<i64>();
        // 10,000 expected of 40,000 coins, give or take 6.1 deviations of 87: false alarm below 1e-9. Sizes vary as
        // those of independent coins do.
        assert!((9_470..10_530).contains(&mean), "{mean}");
        let squares: i64 = sizes.iter().map(|size| (size - 25) * (size - 25)).sum();
        assert!((4_000..12_000).contains(&squares), "400 times a variance of 18.75: {squares}");
        // An empty sample is measured like any other.
        assert_eq!(make_poisson_sampling(count(0.0), 0.0).unwrap().invoke(&[1, 2, 3]), Ok(0));
    }

    #[test]
    fn bad_rates_and_sizes_are_refused() {
        for rate in [-0.1, 1.0f64.next_up(), f64::NAN, f64::INFINITY] {
            assert_eq!(make_poisson_sampling(count(1.0), rate).unwrap_err().kind(), ErrorKind::Parameter("rate"));
        }
        let sized = (VectorDomain::new(AtomDomain::i64()).with_size(5), SymmetricDistance);
        let sized = (sized >> then_count() >> then_laplace(1.0)).unwrap();
        assert_eq!(make_poisson_sampling(sized, 0.5).unwrap_err().kind(), ErrorKind::Parameter("measurement"));
    }

    #[test]
    fn any_of_many_rows() {
        assert_eq!(
            (any_of(1, 0.1), any_of(0, 1.0), any_of(3, 1.0), any_of(7, 0.0)),
            (Ok(0.1), Ok(0.0), Ok(1.0), Ok(0.0))
        );
        let any = any_of(3, 0.5).unwrap();
        assert!((0.875..=0.875 * (1.0 + 1e-15)).contains(&any));
        assert!(any_of(u32::MAX, 1e-9).unwrap() < 0.9865);
    }

    #[test]
    fn a_conversation_on_a_sample_is_a_conversation() {
        let conversation = count(1.0).with_marks(crate::core::Marks { interactive: true, ..Default::default() });
        let sampled = make_poisson_sampling(conversation, 0.5).unwrap();
        assert!(sampled.is_interactive() && sampled.check_repeatable().is_ok());
    }
}
