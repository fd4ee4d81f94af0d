//! `make_private_bounds`: two powers of two between which most rows lie.

use super::{noise::Law, tail::upper_tail, then_laplace};
use crate::{
    core::{Error, Fallible, Function, Measurement, ToParameter, require},
    domains::{AtomDomain, Number, VectorDomain},
    measures::MaxDivergence,
    metrics::{L1Distance, RowMetric},
    search::smallest,
    transformations::{UnknownCategories, then_count_by_categories, then_find_bin},
};
use indistinct_derive::constructor;
use indistinct_numeric::{Dyadic, RoundedFrom};

/// Releases an interval that contains most rows, from a public grid of powers of two: bounds for clamping when none are
/// known in advance.
///
/// The rows are counted in the bins between `-2^b, …, -2^a, 0, 2^a, …, 2^b`; the outermost bins include everything
/// beyond. The counts get discrete Laplace noise, and a bin passes if its noisy count reaches a threshold. The release
/// is the lower end of the first bin that passes and the upper end of the last. It is `None` if no bin passes, for
/// example because there are few rows. Clamping to the interval cuts off rows in bins that did not pass. (Wilson,
/// Zhang, Lam, Desfontaines, Simmons-Marengo, Gipson 2020, Section 4.2.3, the approximate bounds of Google's library;
/// `get_bounds` of Tumult Analytics.)
///
/// # Parameters
///
/// - `exponents`: the public integers a and b, with `a < b`, such that the type contains all powers of two from `2^a`
///   to `2^b`: from -1074 to 1023 for floats, from 0 to 62 for `i64`. Unsigned types have only the bins from 0 upwards.
/// - `scale`: the scale of the noise on each count, in rows.
/// - `empty_passes`: the public probability, between 0 and 1, that a bin without rows may pass. The threshold is the
///   least integer m with `P(Z >= m) <= empty_passes`. If all `2 (b - a + 1)` bins are empty, the probability that any
///   of them passes is at most `2 (b - a + 1)` times as large.
///
/// # Privacy
///
/// `epsilon = d_in / scale` if rows are added or removed, `2 d_in / scale` if they are replaced, rounded up. This is
/// the loss of the noisy counts, from which the interval is computed.
///
/// # Errors
///
/// Returns an error if the exponents are out of order or beyond the type, if the scale is negative, not finite, or so
/// large that the threshold exceeds `2^62`, if the probability is not strictly between 0 and 1, or if rows may be NaN.
///
/// ```
/// use indistinct::prelude::*;
/// let incomes = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
/// let bounds = (incomes.clone() >> then_private_bounds((0, 40), 10.0, 1e-9))?;
/// let rows: Vec<f64> = (1..=4000).map(|i| 20_000.0 + 5.0 * f64::from(i)).collect();
/// assert_eq!(bounds.invoke(&rows)?, Some((16_384.0, 65_536.0)));
/// assert_eq!(bounds.map(&1)?, 0.1);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_private_bounds<T: Number + ToParameter + RoundedFrom<Dyadic>, M: RowMetric>(
    input_domain: VectorDomain<AtomDomain<T>>,
    input_metric: M,
    exponents: (i32, i32),
    scale: f64,
    empty_passes: f64,
) -> Fallible<Measurement<VectorDomain<AtomDomain<T>>, Option<(T, T)>, M, MaxDivergence>> {
    let grid = powers::<T>(exponents)?;
    let bins = u32::try_from(grid.len() - 1).map_err(|_| Error::parameter("exponents", "must be fewer than 2^31"))?;
    let inner = grid.get(1..grid.len() - 1).unwrap_or_default().to_vec();
    let counts = ((input_domain, input_metric)
        >> then_find_bin(inner)
        >> then_count_by_categories((0..bins).collect(), UnknownCategories::Drop, L1Distance::new())
        >> then_laplace(scale))?;
    let threshold = least_passing(scale, empty_passes)?;
    let told = counts.postprocess(Function::new(move |counts: &Vec<i64>| tell(counts, threshold, &grid)))?;
    Measurement::new(told.input_space(), MaxDivergence, told.function().clone(), told.privacy_map().clone())
}

/// Returns the powers of two with both signs and 0, in ascending order: at least three numbers.
fn powers<T: Number + RoundedFrom<Dyadic>>((least, greatest): (i32, i32)) -> Fallible<Vec<T>> {
    const RULE: &str = "must be in ascending order, and their powers of two must fit the type";
    require(least < greatest && least >= -1074 && greatest <= 1023, "exponents", RULE)?;
    let power = |sign: i64, exponent: i32| T::exact_from(&Dyadic::new(sign, exponent)?);
    let negative = (least..=greatest).rev().filter_map(|exponent| power(-1, exponent).ok());
    let zero = T::exact_from(&Dyadic::ZERO);
    let positive = (least..=greatest).map(|exponent| power(1, exponent));
    let grid: Result<Vec<T>, _> = negative.map(Ok).chain([zero]).chain(positive).collect();
    grid.map_err(|_| Error::parameter("exponents", RULE))
}

/// Returns the smallest number of rows at which a bin passes, such that noise alone reaches it with at most this
/// probability.
fn least_passing(scale: f64, empty_passes: f64) -> Fallible<i64> {
    require(empty_passes > 0.0 && empty_passes < 1.0, "empty_passes", "must be above 0 and below 1")?;
    let passes = |rows: i64| Ok(upper_tail(Law::Laplace, scale, f64::neg_inf_from(&rows)?)? <= empty_passes);
    const MOST: i64 = 1 << 62;
    require(passes(MOST)?, "scale", "must not be so large that the threshold exceeds 2^62")?;
    smallest((1, MOST), passes)
}

/// Returns the outer ends of the bins that pass.
fn tell<T: Clone>(counts: &[i64], threshold: i64, grid: &[T]) -> Option<(T, T)> {
    let passes = |count: &i64| *count >= threshold;
    let (first, last) = (counts.iter().position(passes)?, counts.iter().rposition(passes)?);
    Some((grid.get(first)?.clone(), grid.get(last + 1)?.clone()))
}

#[cfg(test)]
mod tests {
    use super::{least_passing, powers, tell};
    use crate::{prelude::*, sampling::testing::SeededEntropy};

    type Bounds<T> = Measurement<VectorDomain<AtomDomain<T>>, Option<(T, T)>, SymmetricDistance, MaxDivergence>;

    fn floats(exponents: (i32, i32), scale: f64, empty_passes: f64) -> Fallible<Bounds<f64>> {
        make_private_bounds(VectorDomain::new(AtomDomain::f64()), SymmetricDistance, exponents, scale, empty_passes)
    }

    fn exactly(exponents: (i32, i32), rows: &[f64]) -> Option<(f64, f64)> {
        floats(exponents, 0.0, 0.5).unwrap().accept_infinite_loss().invoke(rows).unwrap()
    }

    #[test]
    fn without_noise_the_bounds_are_the_powers_around_the_rows() {
        assert_eq!(exactly((0, 10), &[]), None);
        assert_eq!(exactly((0, 10), &[3.0]), Some((2.0, 4.0)));
        assert_eq!(exactly((0, 10), &[4.0]), Some((4.0, 8.0)), "a bin has its lower end");
        assert_eq!(exactly((0, 10), &[-4.0]), Some((-4.0, -2.0)));
        assert_eq!(exactly((0, 10), &[-0.0, 0.5]), Some((0.0, 1.0)));
        assert_eq!(exactly((0, 10), &[-5e-324, 700.0]), Some((-1.0, 1024.0)));
        assert_eq!(exactly((-3, 2), &[-1e300, f64::INFINITY]), Some((-4.0, 4.0)), "beyond the grid");
        assert_eq!(exactly((-1074, 1023), &[5e-324]), Some((5e-324, 1e-323)));
    }

    #[test]
    fn grids_are_those_of_the_type() {
        assert_eq!(powers::<f64>((-1, 1)), Ok(vec![-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0]));
        assert_eq!(powers::<i64>((0, 2)), Ok(vec![-4, -2, -1, 0, 1, 2, 4]));
        assert_eq!(powers::<u8>((0, 7)).unwrap(), [0, 1, 2, 4, 8, 16, 32, 64, 128]);
        assert_eq!(powers::<i64>((0, 62)).unwrap().last(), Some(&(1 << 62)));
        for exponents in [(0, 63), (-1, 5), (3, 3), (4, 3), (i32::MIN, i32::MAX)] {
            assert_eq!(powers::<i64>(exponents).unwrap_err().kind(), ErrorKind::Parameter("exponents"));
        }
        assert!(powers::<f64>((-1074, 1023)).is_ok() && powers::<f64>((-1075, 0)).is_err());
        assert!(powers::<f64>((0, 1024)).is_err() && powers::<f32>((0, 128)).is_err());
    }

    #[test]
    fn the_interval_is_that_of_the_bins_that_pass() {
        let grid = [0, 1, 2, 4, 8];
        assert_eq!(tell(&[0, 5, 4, 0], 5, &grid), Some((1, 2)));
        assert_eq!(tell(&[9, 0, 0, 9], 5, &grid), Some((0, 8)));
        assert_eq!(tell(&[4, 4, i64::MIN, 4], 5, &grid), None);
        assert_eq!(tell(&[0, 0, 0, i64::MAX], 5, &grid), Some((4, 8)));
    }

    /// `P(Z >= m) = q^m / (1 + q)`.
    #[test]
    fn the_threshold_is_the_least_that_empty_bins_seldom_reach() {
        for scale in [0.5, 1.0, 10.0, 1e6] {
            for empty_passes in [0.4, 0.01, 1e-9, 1e-300] {
                let q = f64::exp(-1.0 / scale);
                let rows = least_passing(scale, empty_passes).unwrap();
                let tail = |rows: i64| (-rows.to_string().parse::<f64>().unwrap() / scale).exp() / (1.0 + q);
                assert!(tail(rows) <= empty_passes * (1.0 + 1e-9), "{scale} {empty_passes}: {rows}");
                assert!(rows == 1 || tail(rows - 1) > empty_passes * (1.0 - 1e-9), "{scale} {empty_passes}: {rows}");
            }
        }
        assert_eq!(least_passing(0.0, 1e-300), Ok(1));
        assert_eq!(least_passing(1e300, 0.01).unwrap_err().kind(), ErrorKind::Parameter("scale"));
    }

    /// At least one of 22 bins without rows passes with probability about 0.19. The probability of a false alarm is
    /// below 1e-9 (Hoeffding).
    #[test]
    fn empty_bins_pass_as_often_as_was_chosen() {
        let (scale, chosen, draws) = (1.0, 0.01, 4_000u32);
        let q = f64::exp(-1.0);
        let one = (-f64::from(u32::try_from(least_passing(scale, chosen).unwrap()).unwrap())).exp() / (1.0 + q);
        let truth = 1.0 - (1.0 - one).powi(22);
        let (bounds, mut entropy) = (floats((0, 10), scale, chosen).unwrap(), SeededEntropy::new(9));
        let told = (0..draws).filter(|_| bounds.invoke_with(&[], &mut entropy).unwrap().is_some()).count();
        let share = f64::from(u32::try_from(told).unwrap()) / f64::from(draws);
        assert!((share - truth).abs() < 0.052 && share > 0.05 && truth <= 22.0 * chosen, "{share} {truth}");
    }

    #[test]
    fn maps_are_those_of_the_counts() {
        let rows = || VectorDomain::new(AtomDomain::i64());
        let added = make_private_bounds(rows(), SymmetricDistance, (0, 62), 3.0, 0.01).unwrap();
        let replaced = make_private_bounds(rows(), ChangeOneDistance, (0, 62), 3.0, 0.01).unwrap();
        assert_eq!((added.map(&0), added.map(&3), replaced.map(&3)), (Ok(0.0), Ok(1.0), Ok(2.0)));
        assert_eq!(added.map(&1), Ok((1f64 / 3.0).next_up()));
        assert_eq!(floats((0, 9), 0.0, 0.1).unwrap().map(&1), Ok(f64::INFINITY));
        let text = added.explain(&1).unwrap().to_string();
        assert!(text.starts_with("make_private_bounds("), "{text}");
    }

    #[test]
    fn data_in_parts_have_the_bounds_of_all() {
        let bounds = floats((0, 10), 0.01, 0.01).unwrap();
        let parts = [[3.0, 5.0, 4.0], [900.0, 700.0, 3.5]];
        let all = parts.iter().try_fold(bounds.aggregate().unwrap(), |all, part| all.absorb(part)).unwrap();
        // Noise of a hundredth of a row: not once in 10^40.
        assert_eq!(all.release(), Ok(Some((2.0, 1024.0))));
    }

    #[test]
    fn bad_parameters_are_named() {
        for exponents in [(1, 1), (2, 1), (-1075, 0), (0, 1024)] {
            assert_eq!(floats(exponents, 1.0, 0.1).unwrap_err().kind(), ErrorKind::Parameter("exponents"));
        }
        for scale in [-1.0, f64::NAN, f64::INFINITY, f64::MAX] {
            assert_eq!(floats((0, 9), scale, 0.1).unwrap_err().kind(), ErrorKind::Parameter("scale"));
        }
        for empty_passes in [0.0, 1.0, -0.1, f64::NAN] {
            assert_eq!(floats((0, 9), 1.0, empty_passes).unwrap_err().kind(), ErrorKind::Parameter("empty_passes"));
        }
        let nulls = VectorDomain::new(AtomDomain::f64().with_nan());
        let error = make_private_bounds(nulls, SymmetricDistance, (0, 9), 1.0, 0.1).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("input_domain"));
    }
}
