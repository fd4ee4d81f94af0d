//! Negative controls of transformations to vectors and to maps from keys.

use super::Family;
use crate::support::{datasets, on_neighbors};
use indistinct::{
    bounds::RowMetric,
    core::{MetricSpace, ToParameter},
    prelude::*,
};
use indistinct_audit::{Measured, Report, edits::Edits};
use std::collections::BTreeMap;

/// How often each of three categories comes.
fn histogram(rows: &[u8]) -> Vec<i64> {
    (0..3).map(|category| i64::try_from(rows.iter().filter(|row| **row == category).count()).unwrap()).collect()
}

/// How many different values each of two categories has: 0 and 1 are values of the first, 2 is as 0 in the second.
fn distinct(rows: &[u8]) -> Vec<i64> {
    let is_there = |row: u8| i64::from(rows.contains(&row));
    vec![is_there(0) + is_there(1), is_there(2), 0]
}

/// From categories to a vector.
fn vector<MI, MO>((metric, out): (MI, MO), function: fn(&[u8]) -> Vec<i64>, map: fn(f64) -> f64) -> Report
where
    MI: RowMetric + Measured<[u8]> + Edits<VectorDomain<AtomDomain<u8>>>,
    MO: Measured<[i64]> + Metric<Distance = f64> + ToParameter,
    (VectorDomain<AtomDomain<i64>>, MO): MetricSpace,
{
    let (rows, vectors) = (VectorDomain::new(AtomDomain::u8()), VectorDomain::new(AtomDomain::i64()).with_size(3));
    let control = make_user_transformation::<_, _, MI, MO>(rows, metric, vectors, out, function, move |d: &u32| {
        Ok(map(f64::from(*d)))
    });
    on_neighbors(0.0, &control.unwrap(), datasets(&[0, 1, 2]), &[])
}

/// Scores of three candidates for the lower quartile, from how many of four rows are below each, how many are not above
/// it, and all.
fn quartile(rows: &[u8], score: fn(i64, i64, i64) -> i64) -> Vec<i64> {
    let count = |test: &dyn Fn(&u8) -> bool| i64::try_from(rows.iter().filter(|row| test(row)).count()).unwrap();
    (0..3).map(|c| score(count(&|row| *row < c), count(&|row| *row <= c), count(&|_| true))).collect()
}

/// The number of surplus rows below or above, in quarters of a row.
fn excess(rows: &[u8]) -> Vec<i64> {
    quartile(rows, |below, through, all| -(4 * below - all).max(all - 4 * through).max(0))
}

/// Numbers summed by their keys.
fn by_key(rows: &[(u8, i64)]) -> BTreeMap<u8, i64> {
    let mut sums = BTreeMap::new();
    rows.iter().for_each(|(key, number)| *sums.entry(*key).or_insert(0) += number);
    sums
}

/// From keyed numbers between 2 and 5 to a map.
fn keys<MI, MO>(
    (metric, out): (MI, MO),
    function: fn(&[(u8, i64)]) -> BTreeMap<u8, i64>,
    map: fn(u32, f64) -> (u32, f64, f64),
) -> Report
where
    MI: Measured<[(u8, i64)]>
        + Edits<VectorDomain<PairDomain<AtomDomain<u8>, AtomDomain<i64>>>>
        + Metric<Distance = u32>,
    MO: Measured<BTreeMap<u8, i64>> + Metric<Distance = (u32, f64, f64)> + ToParameter,
    (VectorDomain<PairDomain<AtomDomain<u8>, AtomDomain<i64>>>, MI): MetricSpace,
    (MapDomain<u8, AtomDomain<i64>>, MO): MetricSpace,
{
    let rows = PairDomain::new(AtomDomain::u8(), AtomDomain::i64().with_bounds((2, 5)).unwrap());
    let maps = MapDomain::new(AtomDomain::u8(), AtomDomain::i64());
    let map = move |d: &u32| Ok(map(*d, f64::from(*d)));
    let control =
        make_user_transformation::<_, _, MI, MO>(VectorDomain::new(rows), metric, maps, out, function, map).unwrap();
    on_neighbors(0.0, &control, datasets(&[(0, 2), (0, 5), (1, 5)]), &[])
}

/// Ones of individuals, of each so many in a category and so many in all, summed by entries: those of the categories 0
/// and 1, and one for all others.
fn ones(map: fn(f64) -> f64, function: fn(&[(u8, u8)]) -> Vec<i64>) -> Report {
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::u8()));
    let (vectors, out) = (VectorDomain::new(AtomDomain::i64()).with_size(3), L2Distance::new());
    let map = move |d: &u32| Ok(map(f64::from(*d)));
    let control = make_user_transformation::<_, _, SymmetricIdDistance, L2Distance>(
        rows,
        SymmetricIdDistance,
        vectors,
        out,
        function,
        map,
    );
    on_neighbors(0.0, &control.unwrap(), datasets(&[(1, 0), (1, 1), (1, 8), (1, 9)]), &[])
}

/// How many rows count, of each individual so many by the key that a category has, and so many in all.
fn limited<const ALL: usize, const EACH: usize>(rows: &[(u8, u8)], key: fn(u8) -> u8) -> Vec<i64> {
    let (mut sums, mut seen) = (vec![0; 3], BTreeMap::new());
    for (person, category) in rows.iter().copied().collect::<std::collections::BTreeSet<_>>() {
        let number = rows.iter().filter(|row| **row == (person, category)).count();
        for _ in 0..number {
            let (in_key, in_all) = (seen.get(&(person, Some(key(category)))), seen.get(&(person, None)));
            if in_key.is_none_or(|in_key| *in_key < EACH) && in_all.is_none_or(|in_all| *in_all < ALL) {
                *seen.entry((person, Some(key(category)))).or_insert(0) += 1;
                *seen.entry((person, None)).or_insert(0) += 1;
                sums[usize::from(category.min(2))] += 1;
            }
        }
    }
    sums
}

pub(super) fn family() -> Family {
    let (add, replace) = (SymmetricDistance, ChangeOneDistance);
    let (l1, l2, linf) = (L1Distance::new, L2Distance::new, LInfDistance::new);
    let controls = vec![
        ("histogram: a replaced row as an added one, L1", vector((replace, l1()), histogram, |d| d)),
        ("histogram: a replaced row as an added one, L2", vector((replace, l2()), histogram, |d| d)),
        ("histogram: root of the rows in L2", vector((add, l2()), histogram, f64::sqrt)),
        (
            "histogram: root of two, rounded down",
            vector((replace, l2()), histogram, |d| (d * 2f64.sqrt()).next_down().max(0.0)),
        ),
        ("histogram: one for all rows in the greatest difference", vector((add, linf()), histogram, |d| d.min(1.0))),
        ("histogram: rise and fall as one", vector((replace, LInfDistance::monotonic()), histogram, |d| d)),
        ("histogram: max for sum", vector((HammingDistance, l1()), histogram, |d| d.min(2.0))),
        (
            "histogram: each row in its category and the next",
            vector(
                (add, l1()),
                |rows| {
                    let counts = histogram(rows);
                    vec![counts[0], counts[0] + counts[1], counts[1] + counts[2]]
                },
                |d| d,
            ),
        ),
        (
            "histogram: running totals in L1",
            vector(
                (add, l1()),
                |rows| {
                    let counts = histogram(rows);
                    vec![counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]]
                },
                |d| d,
            ),
        ),
        (
            "histogram: as long as the data have categories",
            vector((add, l1()), |rows| histogram(rows).into_iter().filter(|count| *count > 0).collect(), |d| d),
        ),
        ("different values: a replaced row as an added one", vector((replace, l1()), distinct, |d| d)),
        (
            "different values: nothing for a row that stays in its category",
            vector((replace, linf()), |rows| vec![distinct(rows).iter().sum(), 0, 0], |_| 0.0),
        ),
        (
            "different values: each in the first category that has it",
            vector(
                (add, l1()),
                |rows| {
                    let counts = distinct(rows);
                    vec![counts[0], if rows.contains(&0) { 0 } else { counts[1] }, 0]
                },
                |d| d,
            ),
        ),
        ("scores of quantiles: the lesser share", vector((add, linf()), excess, |d| d)),
        ("scores of quantiles: a replaced row as an added one", vector((replace, linf()), excess, |d| 3.0 * d)),
        ("scores of quantiles: rise and fall as one", vector((add, LInfDistance::monotonic()), excess, |d| 3.0 * d)),
        (
            "scores of quantiles: the level in whole rows",
            vector(
                (add, linf()),
                |rows| {
                    quartile(rows, |below, through, all| {
                        let level = (all + 2) / 4;
                        -4 * (below - level).max(level - through).max(0)
                    })
                },
                |d| 3.0 * d,
            ),
        ),
        (
            "scores of quantiles: both sides added up",
            vector(
                (add, linf()),
                |rows| quartile(rows, |below, through, all| -(4 * below - all).abs() - (all - 4 * through).abs()),
                |d| 3.0 * d,
            ),
        ),
        (
            "sums by key: the range where rows are added",
            keys((add, L01InfDistance), by_key, |d, x| (d, 3.0 * x, 3.0 * x)),
        ),
        (
            "sums by key: one key where two change",
            keys((replace, L01InfDistance), by_key, |d, x| (d, 10.0 * x, 5.0 * x)),
        ),
        (
            "sums by key: the range where a key may go",
            keys((replace, L01InfDistance), by_key, |d, x| (2 * d, 6.0 * x, 5.0 * x)),
        ),
        (
            "sums by key: the greatest change of one row",
            keys((add, L01InfDistance), by_key, |d, x| (d, 5.0 * x, 5.0 * x.min(1.0))),
        ),
        (
            "sums by key: root of the rows in L2",
            keys((add, L02InfDistance), by_key, |d, x| (d, 5.0 * x.sqrt(), 5.0 * x)),
        ),
        (
            "sums by key: a replaced row as an added one in L2",
            keys((replace, L02InfDistance), by_key, |d, x| (2 * d, 5.0 * x, 5.0 * x)),
        ),
        (
            "sums by key: keys in all, not by row",
            keys((add, L01InfDistance), by_key, |d, x| (d.min(1), 5.0 * x, 5.0 * x)),
        ),
        (
            "ones of individuals: the root of the categories, without the rows in each",
            ones(|d| d * 2f64.sqrt(), |rows| limited::<4, 2>(rows, |category| category.min(2))),
        ),
        (
            "ones of individuals: the root of the rows in each",
            ones(|d| d * 2.0, |rows| limited::<4, 2>(rows, |category| category.min(2))),
        ),
        (
            "ones of individuals: no limit in a category",
            ones(|d| d * 2f64.sqrt().next_up(), |rows| limited::<2, 2>(rows, |category| category.min(2))),
        ),
        (
            "ones of individuals: no limit in all",
            ones(|d| d * 2f64.sqrt().next_up(), |rows| limited::<3, 1>(rows, |category| category.min(2))),
        ),
        (
            "ones of individuals: a limit for each unknown category",
            ones(|d| d * 2f64.sqrt().next_up(), |rows| limited::<2, 1>(rows, |category| category)),
        ),
        ("sums by key: a person as a row", keys((SymmetricIdDistance, L01InfDistance), by_value, |d, x| (d, x, x))),
    ];
    let sound = vec![
        ("histogram", vector((add, l1()), histogram, |d| d)),
        ("histogram, rows replaced", vector((replace, l1()), histogram, |d| 2.0 * d)),
        ("histogram in L2", vector((add, l2()), histogram, |d| d)),
        ("different values", vector((add, l1()), distinct, |d| d)),
        ("different values, rows replaced", vector((replace, l1()), distinct, |d| 2.0 * d)),
        ("scores of quantiles", vector((add, linf()), excess, |d| 3.0 * d)),
        ("scores of quantiles, rows replaced", vector((replace, linf()), excess, |d| 4.0 * d)),
        ("scores of quantiles, rise and fall", vector((add, LInfDistance::monotonic()), excess, |d| 6.0 * d)),
        (
            "ones of individuals",
            ones(|d| d * 8f64.sqrt().next_up(), |rows| limited::<4, 2>(rows, |category| category.min(2))),
        ),
        (
            "ones of individuals, one in a category",
            ones(|d| d * 2f64.sqrt().next_up(), |rows| limited::<2, 1>(rows, |category| category.min(2))),
        ),
        ("sums by key", keys((add, L01InfDistance), by_key, |d, x| (d, 5.0 * x, 5.0 * x))),
        ("sums by key, rows replaced", keys((replace, L02InfDistance), by_key, |d, x| (2 * d, 8.0 * x, 5.0 * x))),
    ];
    Family { controls, sound }
}

/// The number of rows that have each number, whoever brings them.
fn by_value(rows: &[(u8, i64)]) -> BTreeMap<u8, i64> {
    let mut counts = BTreeMap::new();
    rows.iter().for_each(|(_, number)| *counts.entry(u8::try_from(*number).unwrap()).or_insert(0) += 1);
    counts
}
