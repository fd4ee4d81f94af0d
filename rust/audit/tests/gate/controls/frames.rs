//! Negative controls of steps on tables of named columns.

use super::Family;
use crate::{
    frames::{columns, few, few_apart, frames, individuals_or_null},
    support::on_neighbors,
};
use arrow_array::{Array, Float64Array, Int64Array};
use indistinct::{
    core::{MetricSpace, ToParameter},
    frames::{Batch, Cell, Column, FrameDomain},
    prelude::*,
};
use indistinct_audit::{Measured, Report, edits::Edits, frames::rows};
use std::collections::{BTreeMap, BTreeSet};

type Numbers = VectorDomain<AtomDomain<i64>>;

/// From frames to rows of integers.
fn numbers<M>(domain: FrameDomain, metric: M, out: impl OutOf, function: fn(&[Batch]) -> Vec<i64>) -> Report
where
    M: Measured<[Batch]> + Edits<FrameDomain> + Metric<Distance = u32>,
    (FrameDomain, M): MetricSpace,
{
    out.audit(domain, metric, function)
}

/// The metric between what comes out.
trait OutOf {
    fn audit<M>(self, domain: FrameDomain, metric: M, function: fn(&[Batch]) -> Vec<i64>) -> Report
    where
        M: Measured<[Batch]> + Edits<FrameDomain> + Metric<Distance = u32>,
        (FrameDomain, M): MetricSpace;
}

impl<O> OutOf for O
where
    O: Measured<[i64]> + Metric<Distance = u32> + ToParameter,
    (Numbers, O): MetricSpace,
{
    fn audit<M>(self, domain: FrameDomain, metric: M, function: fn(&[Batch]) -> Vec<i64>) -> Report
    where
        M: Measured<[Batch]> + Edits<FrameDomain> + Metric<Distance = u32>,
        (FrameDomain, M): MetricSpace,
    {
        let to = VectorDomain::new(AtomDomain::i64());
        let pairs = frames(&domain, &if domain.has_individuals_or_null() { few_apart() } else { few() });
        let step = make_user_transformation(domain, metric, to, self, function, |d_in: &u32| Ok(*d_in)).unwrap();
        on_neighbors(0.0, &step, pairs, &[])
    }
}

/// A transformation from frames to numbers by key, with a map of this form.
fn by_key<M>(
    metric: M,
    domain: FrameDomain,
    function: fn(&[Batch]) -> BTreeMap<String, i64>,
    map: fn(u32) -> (u32, f64, f64),
) -> Report
where
    M: Measured<[Batch]> + Edits<FrameDomain> + Metric<Distance = u32>,
    (FrameDomain, M): MetricSpace,
{
    let to = MapDomain::new(AtomDomain::string(), AtomDomain::i64());
    let pairs = frames(&domain, &few());
    let map = move |d_in: &u32| Ok(map(*d_in));
    let step = make_user_transformation::<_, _, M, L01InfDistance>(domain, metric, to, L01InfDistance, function, map);
    on_neighbors(0.0, &step.unwrap(), pairs, &[])
}

/// One key for each individual: as one of `max_keys` is 1.
fn one_key(d_in: u32) -> (u32, f64, f64) {
    (d_in, f64::from(d_in), f64::from(d_in))
}

/// The individual and the key of each row.
fn keys(frame: &[Batch]) -> Vec<(i64, String)> {
    let key = |row: &Vec<Cell>| match (row.first(), row.get(5)) {
        (Some(Cell::Integer(who)), Some(Cell::Text(key))) => Some((*who, key.to_string())),
        (Some(Cell::Integer(who)), _) => Some((*who, String::new())),
        _ => None,
    };
    rows(frame).iter().filter_map(key).collect()
}

/// How often each key is there.
fn counted(keys: impl IntoIterator<Item = (i64, String)>) -> BTreeMap<String, i64> {
    let mut counts = BTreeMap::new();
    keys.into_iter().for_each(|(_, key)| *counts.entry(key).or_insert(0) += 1);
    counts
}

/// Who each row says it belongs to.
fn who(rows: &[Vec<Cell>]) -> Vec<i64> {
    let who = |row: &Vec<Cell>| if let Some(Cell::Integer(who)) = row.first() { Some(*who) } else { None };
    rows.iter().filter_map(who).collect()
}

/// Each individual once.
fn once(frame: &[Batch]) -> Vec<i64> {
    who(&rows(frame)).into_iter().collect::<BTreeSet<_>>().into_iter().collect()
}

/// The rows without an identifier.
fn nobodys(frame: &[Batch]) -> i64 {
    i64::try_from(rows(frame).iter().filter(|row| row.first().is_some_and(Cell::is_null)).count()).unwrap()
}

/// The place of a column, for each of whose cells there is a number.
fn each(batches: &[Batch], name: &str, of: impl Fn(&Column, usize) -> i64) -> Vec<i64> {
    // One without rows may lack the column.
    let all = batches.iter().filter(|batch| batch.rows() > 0).flat_map(|batch| {
        let place = batch.names().iter().position(|listed| listed == name).unwrap();
        (0..batch.rows()).map(|row| of(&batch.columns()[place], row)).collect::<Vec<_>>()
    });
    all.collect()
}

fn float_bits(column: &Column, row: usize) -> u64 {
    match column.cell(row) {
        Cell::Float(value) => value.to_bits(),
        _ => 1,
    }
}

/// What the array of a column of integers holds in a place, null or not.
fn raw(column: &Column, row: usize) -> i64 {
    column.to_arrow().as_any().downcast_ref::<Int64Array>().unwrap().value(row)
}

fn sign_of_nan(column: &Column, row: usize) -> i64 {
    let value = column.to_arrow().as_any().downcast_ref::<Float64Array>().unwrap().value(row);
    i64::from(value.is_nan() && value.is_sign_negative())
}

pub(super) fn family() -> Family {
    const ROWS: SymmetricDistance = SymmetricDistance;
    let persons = || columns().with_individuals("who").unwrap();
    let controls = vec![
        (
            "a filter that looks at the row before",
            numbers(columns(), ROWS, ROWS, |frame| {
                let all = who(&rows(frame));
                let pairs = all.iter().zip(all.iter().skip(1));
                pairs.filter(|(before, row)| before != row).map(|(_, row)| *row).collect()
            }),
        ),
        (
            "a filter that looks at the row before in a batch",
            numbers(columns(), InsertDeleteDistance, InsertDeleteDistance, |frame| {
                let of = |batch: &Batch| {
                    let all = who(&rows(std::slice::from_ref(batch)));
                    all.iter().zip(all.iter().skip(1)).map(|(before, row)| before ^ row).collect::<Vec<_>>()
                };
                frame.iter().flat_map(of).collect()
            }),
        ),
        (
            "a column of places in a batch",
            numbers(columns(), HammingDistance, HammingDistance, |frame| {
                let places =
                    |batch: &Batch| (0..batch.rows()).map(|row| i64::try_from(row).unwrap()).collect::<Vec<_>>();
                frame.iter().flat_map(places).collect()
            }),
        ),
        (
            "a column of sizes of batches",
            numbers(columns(), ROWS, ROWS, |frame| {
                let sizes = |batch: &Batch| vec![i64::try_from(batch.rows()).unwrap(); batch.rows()];
                frame.iter().flat_map(sizes).collect()
            }),
        ),
        (
            "the first row of each batch is lost",
            numbers(columns(), ROWS, ROWS, |frame| {
                let rest =
                    |batch: &Batch| who(&rows(std::slice::from_ref(batch))).into_iter().skip(1).collect::<Vec<_>>();
                frame.iter().flat_map(rest).collect()
            }),
        ),
        (
            "batches after one without rows are lost",
            numbers(columns(), ROWS, ROWS, |frame| {
                let first: Vec<Batch> = frame.iter().take_while(|batch| batch.rows() > 0).cloned().collect();
                who(&rows(&first))
            }),
        ),
        ("a row for each batch", numbers(columns(), ROWS, ROWS, |frame| frame.iter().map(|_| 0).collect())),
        (
            "the sign of zero",
            numbers(columns(), ROWS, ROWS, |frame| {
                each(frame, "x", |column, row| i64::from(float_bits(column, row) == (-0.0f64).to_bits()))
            }),
        ),
        ("what lies under a null", numbers(columns(), ROWS, ROWS, |frame| each(frame, "n", raw))),
        ("which NaN it is", numbers(columns(), ROWS, ROWS, |frame| each(frame, "x", sign_of_nan))),
        (
            "whether a null can be, in a batch",
            numbers(columns(), ROWS, ROWS, |frame| {
                let of = |batch: &Batch| {
                    let any =
                        batch.columns().iter().any(|column| (0..batch.rows()).any(|row| column.cell(row).is_null()));
                    vec![i64::from(any); batch.rows()]
                };
                frame.iter().flat_map(of).collect()
            }),
        ),
        (
            "a row twice, counted once",
            numbers(columns(), ROWS, ROWS, |frame| {
                who(&rows(frame)).into_iter().flat_map(|who| [who, who + 1]).collect()
            }),
        ),
        (
            "individuals: beside rows of others that agree",
            numbers(persons(), SymmetricIdDistance, ROWS, |frame| {
                let all = once(frame);
                let others = i64::try_from(all.len()).unwrap();
                all.into_iter().map(|who| who ^ others).collect()
            }),
        ),
        ("individuals: each row is one", numbers(persons(), SymmetricIdDistance, ROWS, |frame| who(&rows(frame)))),
        (
            "individuals: in the order of their rows",
            numbers(persons(), SymmetricIdDistance, ROWS, |frame| {
                let (mut seen, all) = (BTreeSet::new(), rows(frame));
                let days = all
                    .iter()
                    .filter_map(|row| if let Some(Cell::Integer(day)) = row.get(7) { Some(*day) } else { None });
                who(&all).into_iter().zip(days).filter(|(who, _)| seen.insert(*who)).map(|(_, day)| day).collect()
            }),
        ),
        (
            "individuals: one row of each batch",
            numbers(persons(), SymmetricIdDistance, ROWS, |frame| {
                frame.iter().flat_map(|batch| once(std::slice::from_ref(batch))).collect()
            }),
        ),
        (
            "individuals: one row at each place",
            numbers(persons(), SymmetricIdDistance, ROWS, |frame| {
                let all = rows(frame);
                let placed = all.iter().filter_map(|row| match (row.first(), row.get(7)) {
                    (Some(Cell::Integer(who)), Some(Cell::Integer(day))) => Some((*who, *day)),
                    _ => None,
                });
                placed.collect::<BTreeSet<_>>().into_iter().map(|(who, _)| who).collect()
            }),
        ),
        ("individuals replaced: each is one row", numbers(persons(), ChangeOneIdDistance, ROWS, once)),
        (
            "rows without an identifier: two rows for each",
            numbers(individuals_or_null(), SymmetricIdDistance, ROWS, |frame| (0..2 * nobodys(frame)).collect()),
        ),
        (
            "rows without an identifier: as of one individual",
            numbers(individuals_or_null(), SymmetricIdDistance, ROWS, |frame| {
                (0..nobodys(frame)).map(|_| nobodys(frame)).collect()
            }),
        ),
        (
            "individuals of a known number of rows: a row for each",
            numbers(persons().with_size(3), SymmetricIdDistance, ROWS, |frame| who(&rows(frame))),
        ),
        (
            "individuals by key: each row counts",
            by_key(SymmetricIdDistance, persons(), |frame| counted(keys(frame)), one_key),
        ),
        (
            "individuals by key: in all of their keys",
            by_key(
                SymmetricIdDistance,
                persons(),
                |frame| counted(keys(frame).into_iter().collect::<BTreeSet<_>>()),
                one_key,
            ),
        ),
        (
            "individuals by key: in the key of their first row",
            by_key(
                SymmetricIdDistance,
                persons(),
                |frame| counted(keys(frame).into_iter().rev().collect::<BTreeMap<_, _>>()),
                one_key,
            ),
        ),
        (
            "individuals by key: replaced as if they were added",
            by_key(
                ChangeOneIdDistance,
                persons(),
                |frame| {
                    counted(
                        keys(frame).into_iter().collect::<BTreeSet<_>>().into_iter().rev().collect::<BTreeMap<_, _>>(),
                    )
                },
                one_key,
            ),
        ),
        (
            "rows by key: replaced as if they were added",
            by_key(ChangeOneDistance, columns(), |frame| counted(keys(frame)), one_key),
        ),
    ];
    let sound = vec![
        ("who it is", numbers(columns(), ROWS, ROWS, |frame| who(&rows(frame)))),
        ("who it is, in order", numbers(columns(), HammingDistance, HammingDistance, |frame| who(&rows(frame)))),
        (
            "whether a cell is missing",
            numbers(columns(), ROWS, ROWS, |frame| {
                each(frame, "n", |column, row| i64::from(column.cell(row).is_null()))
            }),
        ),
        ("rows by key", by_key(ROWS, columns(), |frame| counted(keys(frame)), one_key)),
        (
            "individuals by key: in the least of their keys",
            by_key(
                SymmetricIdDistance,
                persons(),
                |frame| {
                    counted(
                        keys(frame).into_iter().collect::<BTreeSet<_>>().into_iter().rev().collect::<BTreeMap<_, _>>(),
                    )
                },
                one_key,
            ),
        ),
        ("each individual once", numbers(persons(), SymmetricIdDistance, ROWS, once)),
        (
            "each row without an identifier once",
            numbers(individuals_or_null(), SymmetricIdDistance, ROWS, |frame| (0..nobodys(frame)).collect()),
        ),
    ];
    Family { controls, sound }
}
