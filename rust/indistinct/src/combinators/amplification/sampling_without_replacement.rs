//! `make_sampling_without_replacement`: a measurement of a fixed number of rows, with every set equally likely.

use super::{AmplifiedMeasure, rate_without_replacement, sample_size, sampled_loss};
use crate::{
    core::{Domain, Fallible, Measurement, Owned, PrivacyMap, RandomizedFunction, Trace},
    domains::VectorDomain,
    metrics::ChangeOneDistance,
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedFrom;
use indistinct_sampling::{Entropy, uniform_below_u64};

/// Draws a sample of the rows, with every set of its size equally likely, and releases a measurement of it. Each
/// release draws a new sample and does not keep it.
///
/// To release several measurements of one sample, compose them first; they are amplified together.
///
/// # Parameters
///
/// - `measurement`: the measurement of the sample. The size of its input domain is the size of the sample, n.
/// - `population_size`: the number of rows from which the sample is drawn, m, which the input domain states.
///
/// # Privacy
///
/// With `q = min(1, d_in n / m)`: `epsilon = ln(1 + q (exp(e) - 1))` and `delta = q d`, rounded up, where `e` and `d`
/// are the measurement's loss at `d_in` (Ullman 2017; Balle, Barthe, Gaboardi 2018, Theorem 9). A measurement with a
/// loss at distance 0 is not amplified. Group privacy from one row, `d_in` times its epsilon and
/// `d_in delta exp((d_in - 1) epsilon)`, is used instead if neither number is greater.
///
/// Under [`PrivacyLossDivergence`](crate::measures::PrivacyLossDivergence), the loss is the dominating pair of a sample
/// of fixed size (Zhu, Dong, Wang 2022, Theorem 11), with q as the rate. This pair is known for Gaussian noise; for a
/// mechanism with a bounded loss, the map uses only the maximum loss. Under
/// [`RenyiDivergence`](crate::measures::RenyiDivergence), at distance 1, the loss is the curve of
/// [`sampled_without_replacement`](crate::measures::RenyiCurve::sampled_without_replacement) up to order 256, for any
/// measurement; at larger distances, it is the measurement's own curve.
///
/// # Errors
///
/// Returns an error if the measurement's input domain has no size or a size above the population's. The map fails for
/// losses with no known effect of sampling.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()).with_size(10), ChangeOneDistance);
/// let sum = (space >> then_clamp((0.0, 1.0)) >> then_sum() >> then_laplace(1.0))?;
/// let sampled = make_sampling_without_replacement(sum, 1000)?;
/// let near_five: f64 = sampled.invoke(&[0.5; 1000])?;
/// assert!((sampled.map(&1)? - 0.0170368).abs() < 1e-6);
/// # let _ = near_five;
/// # Ok::<(), Error>(())
/// ```
#[constructor(
    children(measurement),
    exempt("it needs a measurement that starts with rows, but a plan starts with a table")
)]
pub fn make_sampling_without_replacement<D: Domain, TO: 'static, MO: AmplifiedMeasure>(
    measurement: Measurement<VectorDomain<D>, TO, ChangeOneDistance, MO>,
    population_size: usize,
) -> Fallible<Measurement<VectorDomain<D>, TO, ChangeOneDistance, MO>> {
    measurement.check_repeatable()?;
    let size = sample_size(measurement.input_domain(), population_size)?;
    let population = VectorDomain::new(measurement.input_domain().element().clone()).with_size(population_size);
    let (measure, release, mapped) =
        (measurement.output_measure().clone(), measurement.function().clone(), measurement.clone());
    let sampled = Measurement::new(
        (population, ChangeOneDistance),
        measure,
        RandomizedFunction::new(move |rows: &[Owned<D>], entropy| release.eval(&sample(rows, size, entropy)?, entropy)),
        PrivacyMap::new(move |d_in: &u32| {
            sampled_loss(&mapped, *d_in, |changed| rate_without_replacement(changed, size, population_size))
        }),
    )?;
    let marks = measurement.marks();
    Ok(sampled.with_marks(marks).with_trace(Trace::new(move |d_in| measurement.steps(d_in))))
}

/// Returns a sample of `size` rows, in their order: each remaining row is taken with the probability of remaining
/// places over remaining rows.
fn sample<T: Clone>(rows: &[T], size: usize, entropy: &mut dyn Entropy) -> Fallible<Vec<T>> {
    let mut sample = Vec::with_capacity(size);
    for (index, row) in rows.iter().enumerate() {
        let (left, places) = (rows.len() - index, size - sample.len());
        if uniform_below_u64(u64::exact_from(&left)?, entropy)? < u64::exact_from(&places)? {
            sample.push(row.clone());
        }
    }
    Ok(sample)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{prelude::*, sampling::testing::enumerate};
    use std::collections::BTreeSet;

    type Sum = Measurement<VectorDomain<AtomDomain<i64>>, i128, ChangeOneDistance, MaxDivergence>;

    fn sum(size: usize, scale: f64) -> Sum {
        let rows = VectorDomain::new(AtomDomain::i64()).with_size(size);
        ((rows, ChangeOneDistance) >> then_clamp((0, 1 << 40)) >> then_sum() >> then_laplace(scale)).unwrap()
    }

    /// Every set of rows is drawn with the same probability, exactly: all tapes that decide, and the rest is too little
    /// to change that.
    #[test]
    fn every_set_is_as_likely() {
        for (size, rows) in [(1usize, 3u32), (2, 4), (2, 5), (3, 5), (4, 4)] {
            let all: Vec<u32> = (0..rows).collect();
            let law =
                enumerate(24, |entropy| sample(&all, size, entropy).map_err(|_| indistinct_sampling::Error::Entropy))
                    .unwrap();
            assert!(law.mass.keys().all(|set| set.len() == size && set.is_sorted()));
            let sets = f64::from(u32::try_from(law.mass.len()).unwrap());
            let choose = [3.0, 6.0, 10.0, 10.0, 1.0]
                [[(1, 3), (2, 4), (2, 5), (3, 5), (4, 4)].iter().position(|x| *x == (size, rows)).unwrap()];
            assert_eq!(sets, choose);
            assert!(law.undecided < 0.05, "{}", law.undecided);
            assert!(law.mass.values().all(|mass| *mass <= 1.0 / sets + 1e-12 && *mass >= 1.0 / sets - law.undecided));
        }
    }

    #[test]
    fn the_sample_has_its_size_and_its_rows_are_distinct() {
        let sampled = make_sampling_without_replacement(sum(10, 0.0), 40).unwrap().accept_infinite_loss();
        let rows: Vec<i64> = (0..40).map(|bit| 1 << bit).collect();
        let samples: BTreeSet<i128> = (0..20).map(|_| sampled.invoke(&rows).unwrap()).collect();
        assert!(samples.iter().all(|sample| sample.count_ones() == 10) && samples.len() > 15, "drawn anew each time");
        assert_eq!(sampled.invoke(&rows[..39]).unwrap_err().kind(), ErrorKind::Domain);
    }

    #[test]
    fn the_map_grows_with_the_rows_that_may_be_in_the_sample() {
        let one = 2f64.powi(40);
        let sampled = make_sampling_without_replacement(sum(10, one), 40).unwrap();
        // ln(1 + (e - 1) / 4), and so many times that, which is less than ln(1 + (e^2 - 1) / 2).
        let (first, second) = (sampled.map(&1).unwrap(), sampled.map(&2).unwrap());
        assert!((0.357_3..0.357_5).contains(&first) && (0.714_7..0.714_9).contains(&second), "{first} {second}");
        assert_eq!((sampled.map(&0), sampled.map(&7)), (Ok(0.0), Ok(7.0 * first)));
        // Where seven rows lose no more than one does, and surely one of them is in it: what one loses.
        let step = |d_in: &u32| Ok(if *d_in == 0 { 0.0 } else { 1.0 });
        let rows = VectorDomain::new(AtomDomain::bool()).with_size(10);
        let any =
            make_user_measurement(rows, ChangeOneDistance, MaxDivergence, |rows: &[bool], _| Ok(rows.len()), step);
        assert_eq!(make_sampling_without_replacement(any.unwrap(), 40).unwrap().map(&7), Ok(1.0));
    }

    #[test]
    fn sizes_must_be_known_and_fit() {
        let error = make_sampling_without_replacement(sum(10, 1.0), 9).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("population_size"));
        let rows = VectorDomain::new(AtomDomain::i64());
        let unknown = ((rows, ChangeOneDistance) >> then_count() >> then_laplace(1.0)).unwrap();
        let error = make_sampling_without_replacement(unknown, 9).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("measurement"));
    }

    #[test]
    fn a_conversation_on_a_sample_is_a_conversation() {
        let conversation = sum(10, 1.0).with_marks(crate::core::Marks { interactive: true, ..Default::default() });
        let sampled = make_sampling_without_replacement(conversation, 40).unwrap();
        assert!(sampled.is_interactive() && sampled.check_repeatable().is_ok());
    }
}
