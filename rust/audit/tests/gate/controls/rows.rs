//! Negative controls of transformations to a number, and from rows to rows.

use super::Family;
use crate::support::{datasets, on_neighbors};
use indistinct::{
    bounds::RowMetric,
    core::{MetricSpace, Owned, ToParameter},
    prelude::*,
};
use indistinct_audit::{
    Key, Measured, Report, Seen,
    edits::Edits,
    non_members::Fenced,
    stability::{ladder_of_numbers, ladder_of_rows, map_rises},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    sync::atomic::{AtomicU32, Ordering},
};

const BOUNDS: (f64, f64) = (-3.0, 2.0);

/// From rows between -3 and 2 to a number.
fn number<M>(metric: M, function: fn(&[f64]) -> f64, map: fn(u32) -> f64) -> Report
where
    M: RowMetric + Measured<[f64]> + Edits<VectorDomain<AtomDomain<f64>>>,
{
    on_bounds(BOUNDS, metric, function, map)
}

fn on_bounds<M>(bounds: (f64, f64), metric: M, function: fn(&[f64]) -> f64, map: fn(u32) -> f64) -> Report
where
    M: RowMetric + Measured<[f64]> + Edits<VectorDomain<AtomDomain<f64>>>,
{
    let rows = VectorDomain::new(AtomDomain::f64().with_bounds(bounds).unwrap());
    let control = make_user_transformation(
        rows,
        metric,
        AtomDomain::f64(),
        AbsoluteDistance::new(),
        function,
        move |d_in: &u32| Ok(map(*d_in)),
    );
    on_neighbors(0.0, &control.unwrap(), datasets(&[bounds.0, bounds.0 + (bounds.1 - bounds.0) * 0.6, bounds.1]), &[])
}

fn plain_sum(rows: &[f64]) -> f64 {
    rows.iter().sum()
}

/// Small integers: sums of them in floats are exact, so that only the map is at fault.
fn whole(rows: &[f64]) -> f64 {
    rows.iter().map(|row| row.trunc()).sum()
}

/// From rows to rows, in any domains of them.
pub(super) fn rows<D, E, MI, MO>(
    (from, few): (D, Vec<Owned<D>>),
    to: VectorDomain<E>,
    (metric, out): (MI, MO),
    function: impl Fn(&[Owned<D>]) -> Vec<Owned<E>> + Send + Sync + 'static,
    map: fn(u32) -> u32,
) -> Report
where
    D: Fenced,
    E: Fenced,
    MI: Measured<[Owned<D>]> + Edits<VectorDomain<D>> + Metric<Distance = u32>,
    MO: Measured<[Owned<E>]> + Metric<Distance = u32> + ToParameter,
    VectorDomain<E>: ToParameter,
    (VectorDomain<D>, MI): MetricSpace,
    (VectorDomain<E>, MO): MetricSpace,
    Owned<D>: Debug,
    Owned<E>: Debug + Seen,
{
    let map = move |d_in: &u32| Ok(map(*d_in));
    let control = make_user_transformation(VectorDomain::new(from), metric, to, out, function, map).unwrap();
    on_neighbors(0.0, &control, datasets(&few[..few.len().min(3)]), &[])
}

fn small() -> (AtomDomain<i64>, Vec<i64>) {
    (AtomDomain::i64().with_bounds((0, 5)).unwrap(), vec![0, 1, 2])
}

fn keyed() -> (PairDomain<AtomDomain<u8>, AtomDomain<i64>>, Vec<(u8, i64)>) {
    (PairDomain::new(AtomDomain::u8(), AtomDomain::i64()), vec![(1, 10), (1, 11), (2, 10), (1, 12), (2, 13)])
}

fn any() -> VectorDomain<AtomDomain<i64>> {
    VectorDomain::new(AtomDomain::i64())
}

const SYMMETRIC: (SymmetricDistance, SymmetricDistance) = (SymmetricDistance, SymmetricDistance);
const PERSONS: (SymmetricIdDistance, SymmetricDistance) = (SymmetricIdDistance, SymmetricDistance);

/// The first `limit` rows of each individual, in the order of the data.
fn first_rows(rows: &[(u8, i64)], limit: usize) -> Vec<i64> {
    let mut kept: BTreeMap<u8, usize> = BTreeMap::new();
    let keep = |row: &&(u8, i64)| {
        let count = kept.entry(row.0).or_insert(0);
        *count += 1;
        *count <= limit
    };
    rows.iter().filter(keep).map(|row| row.1).collect()
}

fn sorted<T: Ord + Clone>(rows: &[T]) -> Vec<T> {
    let mut rows = rows.to_vec();
    rows.sort();
    rows
}

pub(super) fn family() -> Family {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let numbers = vec![
        ("sum: the lesser of the bounds", number(SymmetricDistance, whole, |d| 2.0 * f64::from(d))),
        ("sum: a forgotten bound", number(SymmetricDistance, whole, f64::from)),
        ("sum: the magnitude where rows are replaced", number(ChangeOneDistance, whole, |d| 3.0 * f64::from(d))),
        ("sum: half of the range", number(HammingDistance, whole, |d| 2.5 * f64::from(d))),
        ("sum: zero where rows are replaced", number(ChangeOneDistance, whole, |_| 0.0)),
        ("sum: one step for all", number(SymmetricDistance, whole, |d| 3.0 * f64::from(d.min(1)))),
        ("sum: rounded down", number(SymmetricDistance, whole, |d| (3.0 * f64::from(d)).next_down().max(0.0))),
        ("sum: in floats, in order of the data", number(SymmetricDistance, plain_sum, |d| 3.0 * f64::from(d))),
        (
            "sum: in floats, across a binade",
            on_bounds((0.0, 9007199254740994.0), InsertDeleteDistance, plain_sum, |d| {
                9007199254740994.0 * f64::from(d)
            }),
        ),
        (
            "sum of squares: the bound, not its square",
            number(
                SymmetricDistance,
                |rows| rows.iter().map(|row| row.trunc() * row.trunc()).sum(),
                |d| 3.0 * f64::from(d),
            ),
        ),
        (
            "mean: as if of three rows",
            number(SymmetricDistance, |rows| whole(rows) / f64::max(1.0, whole_count(rows)), f64::from),
        ),
        ("count: as if rows were replaced", number(SymmetricDistance, whole_count, |_| 0.0)),
        ("count: halved", number(InsertDeleteDistance, whole_count, |d| f64::from(d / 2))),
        ("count of distinct rows: halved", number(ChangeOneDistance, distinct, |d| f64::from(d) / 2.0)),
        (
            "maximum: as a sum of its rows' change",
            number(SymmetricDistance, |rows| rows.iter().copied().fold(-3.0, f64::max), f64::from),
        ),
        ("median: as stable as a mean", number(SymmetricDistance, median, |d| 0.5 * f64::from(d))),
        (
            "minimum of no rows: an infinity",
            number(
                SymmetricDistance,
                |rows| rows.iter().copied().fold(f64::INFINITY, f64::min),
                |d| 5.0 * f64::from(d),
            ),
        ),
        (
            "a mean of no rows: not a number",
            number(SymmetricDistance, |rows| whole(rows) / whole_count(rows), |d| 5.0 * f64::from(d)),
        ),
        ("a count that remembers its calls", {
            let remembers = |rows: &[f64]| whole_count(rows) + f64::from(CALLS.fetch_add(1, Ordering::Relaxed) / 101);
            number(SymmetricDistance, remembers, |d| 1e9 * f64::from(d))
        }),
        ("a count of zeros by their bits", {
            let zeros = |rows: &[f64]| rows.iter().filter(|row| row.to_bits() == 0).fold(0.0, |n, _| n + 1.0);
            number(SymmetricDistance, zeros, f64::from)
        }),
        ("integers that wrap", {
            let wrap = |rows: &[f64]| {
                f64::from(rows.iter().fold(120i8, |sum, row| sum.wrapping_add(if *row > 0.0 { 2 } else { 0 })))
            };
            number(SymmetricDistance, wrap, |d| 2.0 * f64::from(d))
        }),
        ("integers that saturate, in order of the data", {
            let saturate = |rows: &[f64]| {
                f64::from(rows.iter().fold(0i8, |sum, row| sum.saturating_add(if *row > 0.0 { 100 } else { -100 })))
            };
            // Rows of size 100: the map of their sum would be 100 d.
            number(SymmetricDistance, saturate, |d| 100.0 * f64::from(d))
        }),
    ];
    let to_rows = vec![
        (
            "clamp: a bound is missing",
            rows(
                small(),
                VectorDomain::new(AtomDomain::i64().with_bounds((1, 4)).unwrap()),
                SYMMETRIC,
                |rows| rows.iter().map(|row| *row.max(&1)).collect(),
                |d| d,
            ),
        ),
        (
            "clamp: stale bounds after a step that scales",
            rows(
                small(),
                VectorDomain::new(AtomDomain::i64().with_bounds((0, 5)).unwrap()),
                SYMMETRIC,
                |rows| rows.iter().map(|row| row * 2).collect(),
                |d| d,
            ),
        ),
        (
            "filter: a stale size",
            rows(
                small(),
                any().with_size(3),
                SYMMETRIC,
                |rows| rows.iter().copied().filter(|row| *row > 0).collect(),
                |d| d,
            ),
        ),
        (
            "filter: half",
            rows(small(), any(), SYMMETRIC, |rows| rows.iter().copied().filter(|row| *row > 0).collect(), |d| d / 2),
        ),
        (
            "distinct neighbors: order of the data",
            rows(
                small(),
                any(),
                SYMMETRIC,
                |rows| {
                    let mut rows = rows.to_vec();
                    rows.dedup();
                    rows
                },
                |d| d,
            ),
        ),
        (
            "the first two rows: order of the data",
            rows(small(), any(), SYMMETRIC, |rows| rows.iter().take(2).copied().collect(), |d| d),
        ),
        (
            "the least two rows: as if none came after",
            rows(small(), any(), SYMMETRIC, |rows| sorted(rows).into_iter().take(2).collect(), |d| d),
        ),
        (
            "padding to three rows: as if none was dropped",
            rows(
                small(),
                any().with_size(3),
                SYMMETRIC,
                |rows| {
                    let mut rows = sorted(rows);
                    rows.resize(3, 0);
                    rows
                },
                |d| d,
            ),
        ),
        (
            "pairs of rows, an odd one dropped",
            rows(
                small(),
                any(),
                SYMMETRIC,
                |rows| rows.chunks_exact(2).map(|pair| pair[0] + 10 * pair[1]).collect(),
                |d| d,
            ),
        ),
        (
            "differences of rows",
            rows(
                small(),
                any(),
                (InsertDeleteDistance, InsertDeleteDistance),
                |rows| rows.windows(2).map(|pair| pair[1] - pair[0]).collect(),
                |d| d,
            ),
        ),
        (
            "running sums",
            rows(
                small(),
                any(),
                (HammingDistance, HammingDistance),
                |rows| {
                    rows.iter()
                        .scan(0, |sum, row| {
                            *sum += row;
                            Some(*sum)
                        })
                        .collect()
                },
                |d| d,
            ),
        ),
        (
            "rows over the greatest",
            rows(
                small(),
                any(),
                SYMMETRIC,
                |rows| {
                    let most = rows.iter().copied().max().unwrap_or(0);
                    rows.iter().map(|row| 10 * row / most.max(1)).collect()
                },
                |d| d,
            ),
        ),
        (
            "codes in order of first sight",
            rows(
                small(),
                any(),
                (ChangeOneDistance, ChangeOneDistance),
                |rows| {
                    let mut seen: Vec<i64> = Vec::new();
                    rows.iter()
                        .map(|row| {
                            if !seen.contains(row) {
                                seen.push(*row);
                            }
                            i64::try_from(seen.iter().position(|known| known == row).unwrap()).unwrap()
                        })
                        .collect()
                },
                |d| d,
            ),
        ),
        (
            "an ordered metric from one without order",
            rows(small(), any(), (SymmetricDistance, InsertDeleteDistance), <[i64]>::to_vec, |d| d),
        ),
        (
            "positions from a metric without order",
            rows(small(), any(), (ChangeOneDistance, HammingDistance), <[i64]>::to_vec, |d| d),
        ),
        (
            "replaced rows as added ones",
            rows(small(), any(), (ChangeOneDistance, SymmetricDistance), <[i64]>::to_vec, |d| d),
        ),
        ("each row twice: as if once", rows(small(), any(), SYMMETRIC, |rows| [rows, rows].concat(), |d| d)),
        (
            "rows of persons: the first ones in order of the data",
            rows(keyed(), any(), PERSONS, |rows| first_rows(rows, 1), |d| d),
        ),
        ("rows of persons: one too many", rows(keyed(), any(), PERSONS, |rows| first_rows(&sorted(rows), 2), |d| d)),
        (
            "rows of persons: a person as a row",
            rows(keyed(), any(), PERSONS, |rows| first_rows(&sorted(rows), 3), |d| d.min(1) * 2),
        ),
        (
            "rows of persons: bounded in all, not each",
            rows(keyed(), any(), PERSONS, |rows| sorted(rows).into_iter().take(2).map(|row| row.1).collect(), |d| d),
        ),
    ];
    let maps = vec![
        ("a map that wraps", map_rises(|d: &u32| Some(d.wrapping_mul(3)), &ladder_of_rows(), &0)),
        ("a map that is not 0 at 0", map_rises(|d: &f64| Some(d + 1e-300), &ladder_of_numbers(), &0.0)),
        (
            "a map that falls beyond its range",
            map_rises(|d: &f64| Some(if *d > 1e200 { 0.0 } else { *d }), &ladder_of_numbers(), &0.0),
        ),
        ("a map that is not a number", map_rises(|d: &f64| Some(d * f64::INFINITY), &ladder_of_numbers(), &0.0)),
        (
            "a map that refuses what is small",
            map_rises(|d: &f64| (*d == 0.0 || *d > 1e-300).then_some(*d), &ladder_of_numbers(), &0.0),
        ),
    ];
    let sound = vec![
        ("sum", number(SymmetricDistance, whole, |d| 3.0 * f64::from(d))),
        ("sum, rows replaced", number(ChangeOneDistance, whole, |d| 5.0 * f64::from(d))),
        ("count", number(InsertDeleteDistance, whole_count, f64::from)),
        ("identity", rows(small(), any(), SYMMETRIC, <[i64]>::to_vec, |d| d)),
        ("rows of persons", rows(keyed(), any(), PERSONS, |rows| first_rows(&sorted(rows), 1), |d| d)),
    ];
    Family { controls: [numbers, to_rows, maps].into_iter().flatten().collect(), sound }
}

fn whole_count(rows: &[f64]) -> f64 {
    rows.iter().fold(0.0, |n, _| n + 1.0)
}

fn distinct(rows: &[f64]) -> f64 {
    let rows: BTreeSet<Key> = rows.iter().map(Seen::key).collect();
    f64::from(u32::try_from(rows.len()).unwrap())
}

fn median(rows: &[f64]) -> f64 {
    let mut rows = rows.to_vec();
    rows.sort_by(f64::total_cmp);
    rows.get(rows.len() / 2).copied().unwrap_or(0.0)
}
