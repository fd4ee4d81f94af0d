//! `make_private_quantile`: one of several candidates that is close to a quantile.

use super::selection::{SelectionMeasure, range, winner};
use crate::{
    core::{Fallible, Measurement, PrivacyMap, RandomizedFunction, ToParameter, require},
    domains::{AtomDomain, Number, VectorDomain},
    metrics::{LInfDistance, RowChange, RowMetric},
};
use indistinct_derive::constructor;

/// Units of a rank: quantile levels are multiples of its inverse.
const UNITS: i64 = 1 << 16;

/// Select the candidate that is closest in rank to a quantile of the rows.
///
/// The score of a candidate is how many rows lie on the wrong side of it: minus the size of
/// `(1 - alpha) (rows below) - alpha (rows above)`, in exact integers, so that rows equal to the candidate count on neither side.
/// The winner is that of [`make_noisy_max`](super::make_noisy_max).
///
/// # Parameters
///
/// - `output_measure`: as for [`make_noisy_max`](super::make_noisy_max).
/// - `candidates`: the possible releases, rising; stated in advance, not taken from the rows.
/// - `alpha`: the level of the quantile, from 0 to 1; 1/2 for the median. It is rounded to a multiple of 2^-16.
/// - `scale`: the scale of the noise, in rows.
///
/// # Privacy
///
/// Adding or removing a row moves a score by at most `max(alpha, 1 - alpha)`, replacing one by at most 1. With
/// `eta = 2 d_in move / scale`: epsilon eta, range eta, rho `eta^2 / 8`, rounded up (Smith 2011; McSherry, Talwar 2007).
///
/// # Errors
///
/// Candidates that are not rising, or none; a level outside 0 to 1; a scale that is negative or not finite; rows that may be NaN.
///
/// ```
/// use indistinct::prelude::*;
/// let ages = VectorDomain::new(AtomDomain::i32());
/// let median =
///     make_private_quantile(ages, SymmetricDistance, MaxDivergence, (0..=100).collect(), 0.5, 2.0)?;
/// let release: i32 = median.invoke(&[23, 45, 37, 61, 52])?;
/// assert!((0..=100).contains(&release));
/// assert_eq!(median.map(&1)?, 0.5);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_private_quantile<T: Number + ToParameter, M: RowMetric, MO: SelectionMeasure>(
    input_domain: VectorDomain<AtomDomain<T>>,
    input_metric: M,
    output_measure: MO,
    candidates: Vec<T>,
    alpha: f64,
    scale: f64,
) -> Fallible<Measurement<VectorDomain<AtomDomain<T>>, T, M, MO>> {
    require(!input_domain.element().has_nan(), "input_domain", "numbers must not be NaN: impute or drop it first")?;
    let rising = candidates.windows(2).all(|pair| matches!(pair, [one, next] if one < next));
    let numbers = candidates.iter().all(|candidate| !candidate.is_nan());
    require(!candidates.is_empty() && rising && numbers, "candidates", "must be rising numbers, at least one")?;
    require((0.0..=1.0).contains(&alpha), "alpha", "must be from 0 to 1")?;
    require(scale.is_finite() && scale >= 0.0, "scale", "must be finite and not negative")?;
    let level = level_units(alpha);
    let moved = match M::UNIT {
        RowChange::AddOrRemove => level.max(UNITS - level),
        RowChange::Replace => UNITS,
    };
    // In units of 2^-16 rows, exactly: powers of two and small integers.
    // Beyond the greatest float, less noise: for the function and for the map.
    let scale = (scale * 65_536.0).min(f64::MAX);
    let moved = f64::from(i32::try_from(moved).unwrap_or(i32::MAX));
    Measurement::new(
        (input_domain, input_metric),
        output_measure,
        RandomizedFunction::new(move |rows: &[T], entropy| {
            let scores = quantile_scores(rows, &candidates, level);
            let winner = winner(&scores, scale, MO::NOISE, entropy)?;
            candidates.get(winner).cloned().ok_or_else(unreachable_candidate)
        }),
        PrivacyMap::new(move |d_in: &u32| {
            let moved = crate::metrics::moved(*d_in, moved)?;
            MO::of_range(range(&LInfDistance::new(), &moved, scale)?)
        }),
    )
}

fn unreachable_candidate() -> crate::core::Error {
    crate::core::Error::new(crate::core::ErrorKind::Domain, "there must be a candidate for each score")
}

/// The level in units of 2^-16, rounded to the nearest.
fn level_units(alpha: f64) -> i64 {
    // Adding 2^52 leaves the nearest integer in the low digits.
    const SHIFT: f64 = 4_503_599_627_370_496.0;
    let bits = (alpha * 65_536.0 + SHIFT).to_bits() - SHIFT.to_bits();
    i64::try_from(bits).unwrap_or(UNITS).min(UNITS)
}

/// The scores, in units of 2^-16 rows. They saturate at the ends of i64, for more rows than there can be.
fn quantile_scores<T: Number>(rows: &[T], candidates: &[T], level: i64) -> Vec<i64> {
    // For each row: how many candidates lie below it, and how many at or below it.
    let (mut below, mut above) = (vec![0i64; candidates.len() + 1], vec![0i64; candidates.len() + 1]);
    let count = |counts: &mut [i64], position: usize| {
        if let Some(count) = counts.get_mut(position) {
            *count += 1;
        }
    };
    for row in rows {
        // The first candidate above the row has it below itself, and so have all after it.
        count(&mut below, candidates.partition_point(|candidate| candidate <= row));
        // The candidates below the row have it above themselves.
        count(&mut above, candidates.partition_point(|candidate| candidate < row));
    }
    let mut rows_below = 0i64;
    let mut rows_above = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let mut scores = Vec::with_capacity(candidates.len());
    for (newly_below, no_longer_above) in below.iter().zip(&above).take(candidates.len()) {
        rows_below += newly_below;
        rows_above -= no_longer_above;
        let difference = (UNITS - level).saturating_mul(rows_below).saturating_sub(level.saturating_mul(rows_above));
        scores.push(-difference.saturating_abs());
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    /// The scores by their definition.
    fn by_definition(rows: &[i32], candidates: &[i32], level: i64) -> Vec<i64> {
        let count = |test: &dyn Fn(&i32) -> bool| i64::try_from(rows.iter().filter(|row| test(row)).count()).unwrap();
        let score = |c: &i32| -((UNITS - level) * count(&|row| row < c) - level * count(&|row| row > c)).abs();
        candidates.iter().map(score).collect()
    }

    #[test]
    fn scores_are_those_of_the_definition_and_move_no_more_than_claimed() {
        let mut state = 7u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i32::try_from((state >> 33) % below).unwrap()
        };
        let mut attained = 0;
        for _ in 0..20_000 {
            let mut rows: Vec<i32> = (0..next(6)).map(|_| next(8)).collect();
            let candidates = [1, 3, 4, 7];
            let level = i64::from(next(65_537));
            let scores = quantile_scores(&rows, &candidates, level);
            assert_eq!(scores, by_definition(&rows, &candidates, level));
            let greatest = |other: &[i64]| scores.iter().zip(other).map(|(a, b)| (a - b).abs()).max().unwrap();
            rows.push(next(8));
            let moved = greatest(&quantile_scores(&rows, &candidates, level));
            assert!(moved <= level.max(UNITS - level));
            attained = attained.max(moved);
            rows.swap_remove(0);
            assert!(greatest(&quantile_scores(&rows, &candidates, level)) <= UNITS);
        }
        assert!(attained > UNITS - 100);
    }

    #[test]
    fn without_noise_it_is_the_quantile() {
        let rows = VectorDomain::new(AtomDomain::f64());
        let candidates: Vec<f64> = (0..=100).map(f64::from).collect();
        let quantile = |alpha| {
            make_private_quantile(rows.clone(), SymmetricDistance, RangeDivergence, candidates.clone(), alpha, 0.0)
                .unwrap()
        };
        let data: Vec<f64> = (0..=100).map(f64::from).collect();
        assert_eq!(quantile(0.5).invoke(&data), Ok(50.0));
        assert_eq!(quantile(0.25).invoke(&data), Ok(25.0));
        assert_eq!((quantile(0.0).invoke(&data), quantile(1.0).invoke(&data)), (Ok(0.0), Ok(100.0)));
        assert_eq!(quantile(0.5).invoke(&[f64::INFINITY, 3.0, f64::NEG_INFINITY]), Ok(3.0));
        assert!(quantile(0.5).invoke(&[]).is_ok());
    }

    #[test]
    fn maps_and_bad_parameters() {
        let make = |candidates: Vec<f64>, alpha, scale| {
            let rows = VectorDomain::new(AtomDomain::f64());
            make_private_quantile(rows, SymmetricDistance, MaxDivergence, candidates, alpha, scale)
        };
        assert_eq!(make(vec![1.0], 0.25, 1.0).unwrap().map(&1), Ok(1.5));
        assert_eq!(make(vec![1.0], 0.25, 0.0).unwrap().map(&1), Ok(f64::INFINITY));
        assert_eq!(make(vec![1.0], 0.25, 0.0).unwrap().map(&0), Ok(0.0));
        let replaced = make_private_quantile(
            VectorDomain::new(AtomDomain::f64()),
            ChangeOneDistance,
            ZeroConcentratedDivergence,
            vec![1.0],
            0.5,
            1.0,
        );
        assert_eq!(replaced.unwrap().map(&2), Ok(2.0));
        let kind = |made: Fallible<_>| made.map(|_: Measurement<_, f64, _, _>| ()).unwrap_err().kind();
        for candidates in [vec![], vec![1.0, 1.0], vec![2.0, 1.0], vec![f64::NAN], vec![1.0, f64::NAN]] {
            assert_eq!(kind(make(candidates, 0.5, 1.0)), ErrorKind::Parameter("candidates"));
        }
        for alpha in [-0.1, 1.1, f64::NAN] {
            assert_eq!(kind(make(vec![1.0], alpha, 1.0)), ErrorKind::Parameter("alpha"));
        }
        for scale in [-0.1, f64::INFINITY, f64::NAN] {
            assert_eq!(kind(make(vec![1.0], 0.5, scale)), ErrorKind::Parameter("scale"));
        }
    }
}
