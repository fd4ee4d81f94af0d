//! `make_quantile_scores`: scores candidates by how close in rank they are to a quantile.

use super::{count::add_counts, find_bin::is_rising};
use crate::{
    core::{Fallible, Function, StabilityMap, Stored, ToParameter, Transformation, more, require},
    domains::{AtomDomain, Number, VectorDomain},
    metrics::{LInfDistance, RowChange, RowMetric, moved},
};
use indistinct_derive::constructor;
use std::slice;

/// Computes a score for each candidate: minus the number of rows, in units of 2^-16 rows, that must change for it to be
/// a quantile.
///
/// A number is a quantile of level `alpha` if at most a share `alpha` of the rows lies below it, and at most `1 -
/// alpha` above it. The score is 0 if both hold, so the value of many equal rows is a quantile of every level that
/// falls on these rows. Otherwise the score is minus the excess number of rows on one side, `below - alpha rows` or
/// `above - (1 - alpha) rows`, in exact integers. This is the negative distance to the nearest dataset that has the
/// candidate as its quantile (Asi, Duchi 2020). The highest score is closest to the quantile:
/// [`make_noisy_max`](crate::measurements::make_noisy_max) selects its position, and
/// [`make_private_quantile`](crate::measurements::make_private_quantile) combines both steps.
///
/// A number between two rows has score 0 only if `alpha rows` is the number of rows below it, because the score counts
/// ranks, not distances. All candidates without a row between them have the same score. If the quantile lies between
/// two candidates, the candidate with fewer rows between itself and the quantile has the higher score, however far away
/// it is.
///
/// The score `-|(1 - alpha) below - alpha above|` (Smith 2011) has the same sensitivity, but tied rows lower the score
/// of their own value. The table compares the two for 5,638 people's visits to a doctor in a year, in steps of a half,
/// with the exponential mechanism at epsilon 0.1; the columns "found" give the probability of selecting the quantile:
///
/// | level | quantile | found | found with the older score | preferred by the older score |
/// |---|---|---|---|---|
/// | 0.25 | 0 (31 % of the rows) | 1.000 | 0.000 | 0.5 |
/// | 0.5 | 2 | 0.974 | 0.000 | 1.5 |
/// | 0.9 | 7 | 0.689 | 0.703 | 7 |
///
/// At epsilon 1 the older score still finds neither of the first two quantiles, and two of the medians of five groups,
/// where this score finds all five. For incomes, which have few ties, both scores miss the quantile by the same share
/// of the rows. `cargo test --package indistinct-tests --test integration quantiles_of_ties -- --nocapture` prints all
/// numbers.
///
/// # Parameters
///
/// - `candidates`: at least one number, in ascending order, stated in advance.
/// - `alpha`: the level of the quantile, from 0 to 1; 1/2 for the median. It is rounded to a multiple of 2^-16.
///
/// # Stability
///
/// `2^16 d_in max(alpha, 1 - alpha)` if rows are added or removed, `2^16 d_in` if they are replaced, and `2^16
/// floor(d_in / 2)` if rows are added or removed and the size is known.
///
/// # Errors
///
/// Returns an error if there are no candidates or they are not ascending, if the level is outside 0 to 1, or if rows
/// may be NaN.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::i32()), SymmetricDistance);
/// let scores = (space >> then_quantile_scores(vec![10, 20, 30], 0.5))?;
/// // Three rows below 30 and none above: 3/2 of 2^16.
/// assert_eq!(scores.invoke(&[11, 17, 25])?, [-98304, -32768, -98304]);
/// assert_eq!(scores.map(&1)?, 32768.0);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_quantile_scores<T: Number + ToParameter, M: RowMetric>(
    input_domain: VectorDomain<AtomDomain<T>>,
    input_metric: M,
    candidates: Vec<T>,
    alpha: f64,
) -> Fallible<Transformation<VectorDomain<AtomDomain<T>>, VectorDomain<AtomDomain<i64>>, M, LInfDistance>> {
    let (unit, scores) = (input_metric.unit(), QuantileScores::new(&input_domain, candidates, alpha)?);
    let output_domain = VectorDomain::new(AtomDomain::i64()).with_size(scores.candidates.len());
    let (moves, candidates, of_rows) = (scores.moves, scores.candidates.len(), scores.clone());
    Transformation::<_, _, M, LInfDistance>::new(
        (input_domain, input_metric),
        (output_domain, LInfDistance::new()),
        Function::fold(
            move || Ranks::new(candidates),
            move |ranks: &mut Ranks, rows: &[T]| {
                ranks.absorb(rows, &of_rows.candidates);
                Ok(())
            },
            |ranks, others| ranks.merge(&others),
            move |ranks| Ok(scores.of_ranks(&ranks)),
        ),
        StabilityMap::new(move |&d_in: &u32| moves.distance(unit, d_in)),
    )
}

/// The number of units in a rank: quantile levels are multiples of its inverse.
const UNITS: i64 = 1 << 16;

/// The parameters for scoring candidates.
#[derive(Clone)]
pub(crate) struct QuantileScores<T> {
    pub(crate) candidates: Vec<T>,
    pub(crate) moves: Moves,
}

/// The level in units of 2^-16, and whether the number of rows is known. They determine the sensitivity of a score.
#[derive(Clone, Copy)]
pub(crate) struct Moves {
    level: i64,
    sized: bool,
}

impl Moves {
    /// Returns the largest change of a score by `d_in` steps of a metric, rounded up.
    pub(crate) fn distance(self, unit: RowChange, d_in: u32) -> Fallible<f64> {
        let (steps, units) = match unit {
            RowChange::AddOrRemove if self.sized => (d_in / 2, UNITS),
            RowChange::AddOrRemove => (d_in, self.level.max(UNITS - self.level)),
            RowChange::Replace => (d_in, UNITS),
        };
        moved(steps, f64::from(i32::try_from(units).unwrap_or(i32::MAX)))
    }
}

impl<T: Number> QuantileScores<T> {
    pub(crate) fn new(rows: &VectorDomain<AtomDomain<T>>, candidates: Vec<T>, alpha: f64) -> Fallible<Self> {
        let nulls = rows.element().has_nan();
        require(!nulls, "input_domain", "numbers must not be NaN: impute or drop it first")?;
        require(is_rising(&candidates), "candidates", "must be at least one number, in ascending order")?;
        require((0.0..=1.0).contains(&alpha), "alpha", "must be from 0 to 1")?;
        Ok(Self { candidates, moves: Moves { level: level_units(alpha), sized: rows.size().is_some() } })
    }

    /// Returns the scores, in units of 2^-16 rows.
    pub(crate) fn of(&self, rows: &[T]) -> Vec<i64> {
        let mut ranks = Ranks::new(self.candidates.len());
        ranks.absorb(rows, &self.candidates);
        self.of_ranks(&ranks)
    }

    /// Returns the scores from the ranks of the rows.
    fn of_ranks(&self, ranks: &Ranks) -> Vec<i64> {
        let level = self.moves.level;
        let (mut rows_below, mut rows_above) = (0i64, ranks.rows);
        let mut scores = Vec::with_capacity(self.candidates.len());
        for (newly_below, no_longer_above) in ranks.below.iter().zip(&ranks.above).take(self.candidates.len()) {
            rows_below += newly_below;
            rows_above -= no_longer_above;
            let too_low = excess(level, rows_below, ranks.rows);
            let too_high = excess(UNITS - level, rows_above, ranks.rows);
            scores.push(-too_low.max(too_high).max(0));
        }
        scores
    }
}

/// Returns the number of rows on one side beyond the share `allowed` of all rows, in units of 2^-16. A row counts in
/// one of the two products. These saturate at the ends of i64, which does not increase the change of their difference.
fn excess(allowed: i64, side: i64, rows: i64) -> i64 {
    let (on_side, elsewhere) = (UNITS - allowed, allowed);
    on_side.saturating_mul(side).saturating_sub(elsewhere.saturating_mul(rows - side))
}

/// For each candidate, the number of rows for which it is the first above the row, and the number for which it is the
/// first not below the row; and the number of rows.
struct Ranks {
    below: Vec<i64>,
    above: Vec<i64>,
    rows: i64,
}

impl Stored for Ranks {
    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        self.below.write(bytes)?;
        self.above.write(bytes)?;
        self.rows.write(bytes)
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        self.below.read(bytes)?;
        self.above.read(bytes)?;
        self.rows.read(bytes)?;
        // Each row is counted once on either side.
        let is_all = |counts: &[i64]| counts.iter().try_fold(0, |sum, count| more(sum, *count)) == Some(self.rows);
        (is_all(&self.below) && is_all(&self.above)).then_some(())
    }
}

impl Ranks {
    fn new(candidates: usize) -> Self {
        Self { below: vec![0; candidates + 1], above: vec![0; candidates + 1], rows: 0 }
    }

    fn absorb<T: Number>(&mut self, rows: &[T], candidates: &[T]) {
        let count = |counts: &mut [i64], position: usize| {
            if let Some(count) = counts.get_mut(position) {
                *count += 1;
            }
        };
        for row in rows {
            // The first candidate above the row has it below itself, and so have all after it.
            count(&mut self.below, candidates.partition_point(|candidate| candidate <= row));
            // The candidates below the row have it above themselves.
            count(&mut self.above, candidates.partition_point(|candidate| candidate < row));
            self.rows += 1;
        }
    }

    fn merge(&mut self, others: &Self) -> Fallible<()> {
        add_counts(&mut self.below, &others.below)?;
        add_counts(&mut self.above, &others.above)?;
        add_counts(slice::from_mut(&mut self.rows), &[others.rows])
    }
}

/// Returns the level in units of 2^-16, rounded to the nearest.
fn level_units(alpha: f64) -> i64 {
    // Adding 2^52 leaves the nearest integer in the low digits.
    const SHIFT: f64 = 4_503_599_627_370_496.0;
    let bits = (alpha * 65_536.0 + SHIFT).to_bits() - SHIFT.to_bits();
    i64::try_from(bits).unwrap_or(UNITS).min(UNITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    /// The scores by their definition.
    fn by_definition(rows: &[i32], candidates: &[i32], level: i64) -> Vec<i64> {
        let count = |test: &dyn Fn(&i32) -> bool| i64::try_from(rows.iter().filter(|row| test(row)).count()).unwrap();
        let (all, quantile) = (count(&|_| true), level * count(&|_| true));
        let too_many =
            |c: &i32| (UNITS * count(&|row| row < c) - quantile).max(quantile - UNITS * count(&|row| row <= c));
        assert!(candidates.iter().all(|c| too_many(c) <= UNITS * all));
        candidates.iter().map(|c| -too_many(c).max(0)).collect()
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
            let candidates = vec![1, 3, 4, 7];
            let level = i64::from(next(65_537));
            let scorer = QuantileScores { candidates: candidates.clone(), moves: Moves { level, sized: false } };
            let scores = scorer.of(&rows);
            assert_eq!(scores, by_definition(&rows, &candidates, level));
            let greatest = |other: &[i64]| scores.iter().zip(other).map(|(a, b)| (a - b).abs()).max().unwrap();
            rows.push(next(8));
            let moved = greatest(&scorer.of(&rows));
            assert!(moved <= level.max(UNITS - level));
            attained = attained.max(moved);
            rows.swap_remove(0);
            assert!(greatest(&scorer.of(&rows)) <= UNITS);
        }
        assert!(attained > UNITS - 100);
    }

    /// The value of tied rows is the quantile of every level that falls on them.
    #[test]
    fn the_value_of_tied_rows_is_their_quantile() {
        let ages = [[17; 3], [22; 3], [27; 3], [40; 3]].concat();
        let candidates: Vec<i32> = (10..50).collect();
        let best = |alpha| {
            let space = (VectorDomain::new(AtomDomain::i32()), SymmetricDistance);
            let scores = (space >> then_quantile_scores(candidates.clone(), alpha)).unwrap().invoke(&ages).unwrap();
            let scored = candidates.iter().zip(scores).filter(|(_, score)| *score == 0);
            scored.map(|(candidate, _)| *candidate).collect::<Vec<_>>()
        };
        assert_eq!((best(0.3), best(0.4), best(0.7), best(0.9)), (vec![22], vec![22], vec![27], vec![40]));
        // Just between two values all that lies between them is a quantile, and so are they.
        assert_eq!(best(0.25), (17..=22).collect::<Vec<_>>());
        assert_eq!((best(0.0), best(1.0)), ((10..=17).collect(), (40..50).collect()));
    }

    /// Where a product is beyond i64, one row still moves the score no further than claimed.
    #[test]
    fn saturated_scores_move_no_further() {
        for level in [0, 1, 20_000, 32_768, 65_535, UNITS] {
            let ends = [0, 1, 1 << 46, (1 << 47) - 1, 1 << 47, (1 << 47) + 1, 1 << 50, 1 << 61];
            for (side, others) in ends.iter().flat_map(|side| ends.map(|others| (*side, others))) {
                let at = |side: i64, others: i64| excess(level, side, side + others);
                let here = at(side, others);
                let most = level.max(UNITS - level);
                assert!(at(side + 1, others).abs_diff(here) <= most.unsigned_abs(), "{level} {side} {others}");
                assert!(at(side, others + 1).abs_diff(here) <= most.unsigned_abs(), "{level} {side} {others}");
            }
        }
    }

    #[test]
    fn distances_by_metric() {
        let rows = || VectorDomain::new(AtomDomain::f64());
        let unit = 65_536.0;
        let candidates = vec![0.0, 1.0];
        let map = make_quantile_scores(rows(), SymmetricDistance, candidates.clone(), 0.25).unwrap();
        assert_eq!((map.map(&0), map.map(&2)), (Ok(0.0), Ok(1.5 * unit)));
        let map = make_quantile_scores(rows(), HammingDistance, candidates.clone(), 0.25).unwrap();
        assert_eq!(map.map(&2), Ok(2.0 * unit));
        let map = make_quantile_scores(rows().with_size(3), SymmetricDistance, candidates.clone(), 0.25).unwrap();
        assert_eq!((map.map(&1), map.map(&5)), (Ok(0.0), Ok(2.0 * unit)));
        let nulls = VectorDomain::new(AtomDomain::f64().with_nan());
        let error = make_quantile_scores(nulls, SymmetricDistance, candidates, 0.25).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("input_domain"));
    }

    #[test]
    fn ranks_of_parts_add_up() {
        let bounded = VectorDomain::new(AtomDomain::i32());
        let scores = make_quantile_scores(bounded, SymmetricDistance, vec![1, 3, 4, 7], 0.25).unwrap();
        let rows = [5, 3, 3, 0, 9, 7, 1, 4];
        let truth = scores.invoke(&rows).unwrap();
        assert_eq!(truth, by_definition(&rows, &[1, 3, 4, 7], 16_384));
        for at in 0..=rows.len() {
            let (left, right) = rows.split_at(at);
            let absorbed = |rows: &[i32]| scores.aggregate().unwrap().absorb(rows).unwrap();
            assert_eq!(absorbed(left).merge(absorbed(right)).unwrap().finish(), Ok(truth.clone()));
        }
    }
}
