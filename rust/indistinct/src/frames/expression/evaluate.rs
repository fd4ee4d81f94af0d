//! The evaluation of expressions.

use super::{
    super::{
        batch::{BATCH_ROWS, Batch},
        cell::{Cell, Kind, Storage},
        column::Cells,
        domain::ColumnDomain,
    },
    calendar::{DAY, Part, of_day, of_time},
    convert::cast,
    evaluated::{Evaluated, repeated},
    kernels::{FALSE, Integers, MISSING, TRUE, both, finite, float_truth, map, missing_where, overflowing, truth, zip},
    keys::Keys,
    text::list,
};
use crate::transformations::Castable;
use arrow_array::{Array, LargeStringArray};
use arrow_buffer::ScalarBuffer;
use std::sync::Arc;

/// An expression with all names and types resolved, ready for evaluation.
pub(super) enum Node {
    Column(usize, Kind),
    Constant(Constant),
    Floats(Arithmetic, Box<Node>, Box<Node>),
    Integers(Arithmetic, Box<Node>, Box<Node>),
    NegativeFloat(Box<Node>),
    ToFloat(Box<Node>),
    Compare(Comparison, Storage, Box<Node>, Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    Not(Box<Node>),
    IsMissing(Box<Node>),
    /// The lesser of two values if the flag is true, and the greater otherwise.
    Extreme(bool, Storage, Box<Node>, Box<Node>),
    Fill(Box<Node>, Box<Node>),
    When(Box<Node>, Box<Node>, Box<Node>),
    Cast {
        part: Box<Node>,
        from: Kind,
        labels: Option<Arc<[String]>>,
        to: ColumnDomain,
    },
    Bins(Box<Node>, Arc<[f64]>),
    /// The results, one for each number that the keys return.
    Lookup(Vec<Node>, Keys, Evaluated),
    /// A part of a date, or of a time if the flag is true.
    Calendar(Part, bool, Box<Node>),
    DayOfTime(Box<Node>),
    TextKey(Vec<Node>),
    Length(Box<Node>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
}

/// A constant, repeated for as many rows as a batch has. A text, which may be long, is repeated only where it is
/// needed.
pub(super) struct Constant {
    cell: Cell,
    storage: Storage,
    written: usize,
    rows: Evaluated,
}

impl Constant {
    pub(super) fn new(cell: &Cell, storage: Storage) -> Self {
        let written = if storage == Storage::Text { 0 } else { BATCH_ROWS };
        Self { cell: cell.clone(), storage, written, rows: repeated(cell, storage, written) }
    }

    pub(super) fn cell(&self) -> &Cell {
        &self.cell
    }

    /// Returns the number as a float.
    pub(super) fn to_float(&self) -> Self {
        Self::new(&self.cell.to_float().into(), Storage::Float)
    }

    fn rows(&self, rows: usize) -> Evaluated {
        if rows > self.written {
            return repeated(&self.cell, self.storage, rows);
        }
        match &self.rows {
            Evaluated::Floats(values) => Evaluated::Floats(values.slice(0, rows)),
            Evaluated::Integers(Integers { values, present }) => Evaluated::Integers(Integers {
                values: values.slice(0, rows),
                present: present.as_ref().map(|present| present.slice(0, rows)),
            }),
            Evaluated::Truths(values) => Evaluated::Truths(values.slice(0, rows)),
            Evaluated::Texts(values) => Evaluated::Texts(values.slice(0, rows)),
        }
    }
}

/// After the types are checked, the empty results do not occur.
impl Node {
    /// Returns the float, if it is a constant.
    fn float(&self) -> Option<f64> {
        match self {
            Node::Constant(Constant { cell: Cell::Float(value), storage: Storage::Float, .. }) => Some(*value),
            _ => None,
        }
    }

    /// Returns the integer, if it is a constant.
    fn integer(&self) -> Option<i64> {
        match self {
            Node::Constant(Constant { cell: Cell::Integer(value), storage: Storage::Integer, .. }) => Some(*value),
            _ => None,
        }
    }

    /// Returns the text, if it is a constant.
    fn text(&self) -> Option<&str> {
        match self {
            Node::Constant(Constant { cell: Cell::Text(text), storage: Storage::Text, .. }) => Some(text),
            _ => None,
        }
    }

    fn floats(&self, batch: &Batch) -> ScalarBuffer<f64> {
        if let Evaluated::Floats(values) = self.eval(batch) { values } else { vec![f64::NAN; batch.rows()].into() }
    }

    fn integers(&self, batch: &Batch) -> Integers {
        match self.eval(batch) {
            Evaluated::Integers(values) => values,
            _ => std::iter::repeat_n(None, batch.rows()).collect(),
        }
    }

    pub(super) fn truths(&self, batch: &Batch) -> ScalarBuffer<u8> {
        if let Evaluated::Truths(values) = self.eval(batch) { values } else { vec![MISSING; batch.rows()].into() }
    }

    fn texts(&self, batch: &Batch) -> LargeStringArray {
        match self.eval(batch) {
            Evaluated::Texts(values) => values,
            _ => std::iter::repeat_n(None::<&str>, batch.rows()).collect(),
        }
    }

    pub(super) fn eval(&self, batch: &Batch) -> Evaluated {
        match self {
            Node::Column(position, kind) => of_column(batch, *position, *kind),
            Node::Constant(constant) => constant.rows(batch.rows()),
            Node::Floats(operation, left, right) => {
                let parts = (&**left, &**right);
                Evaluated::Floats(match operation {
                    Arithmetic::Add => floats_of(parts, batch, |x, y| finite(x + y)),
                    Arithmetic::Subtract => floats_of(parts, batch, |x, y| finite(x - y)),
                    Arithmetic::Multiply => floats_of(parts, batch, |x, y| finite(x * y)),
                    Arithmetic::Divide => floats_of(parts, batch, |x, y| finite(x / y)),
                })
            }
            Node::Integers(operation, left, right) => {
                let (left, right) = (left.integers(batch), right.integers(batch));
                Evaluated::Integers(match operation {
                    Arithmetic::Add => overflowing(&left, &right, i64::overflowing_add),
                    Arithmetic::Subtract => overflowing(&left, &right, i64::overflowing_sub),
                    Arithmetic::Multiply => overflowing(&left, &right, i64::overflowing_mul),
                    Arithmetic::Divide => std::iter::repeat_n(None, batch.rows()).collect(),
                })
            }
            Node::NegativeFloat(part) => Evaluated::Floats(map(part.floats(batch), |x: f64| -x)),
            Node::ToFloat(part) => {
                let Integers { values, present } = part.integers(batch);
                let nearest = |value: &i64| value.cast().unwrap_or(f64::NAN);
                let floats: Vec<f64> = match present {
                    None => values.iter().map(nearest).collect(),
                    Some(present) => {
                        let value = |(value, is_present)| if is_present { nearest(value) } else { f64::NAN };
                        values.iter().zip(present.iter()).map(value).collect()
                    }
                };
                Evaluated::Floats(floats.into())
            }
            Node::Compare(comparison, storage, left, right) => {
                Evaluated::Truths(compare(*comparison, *storage, (left, right), batch).into())
            }
            Node::And(left, right) => Evaluated::Truths(zip(&left.truths(batch), &right.truths(batch), u8::min).into()),
            Node::Or(left, right) => Evaluated::Truths(zip(&left.truths(batch), &right.truths(batch), u8::max).into()),
            Node::Not(part) => {
                let not = |truth: &u8| match *truth {
                    FALSE => TRUE,
                    TRUE => FALSE,
                    missing => missing,
                };
                Evaluated::Truths(part.truths(batch).iter().map(not).collect::<Vec<_>>().into())
            }
            Node::IsMissing(part) => {
                let present = part.eval(batch).present();
                Evaluated::Truths(present.into_iter().map(|is_present| truth(!is_present)).collect::<Vec<_>>().into())
            }
            Node::Extreme(is_least, storage, left, right) => extreme(*is_least, *storage, (left, right), batch),
            Node::Fill(part, other) => {
                let part = part.eval(batch);
                Evaluated::choose(&part.present(), part, other.eval(batch))
            }
            Node::When(condition, then, otherwise) => {
                let chosen: Vec<bool> = condition.truths(batch).iter().map(|&truth| truth == TRUE).collect();
                Evaluated::choose(&chosen, then.eval(batch), otherwise.eval(batch))
            }
            Node::Cast { part, from, labels, to } => cast(&part.eval(batch), *from, labels.as_deref(), to),
            Node::Bins(part, edges) => {
                let bin = |x: &f64| {
                    let bin = edges.partition_point(|edge| edge <= x);
                    (!x.is_nan()).then(|| i64::try_from(bin).unwrap_or(i64::MAX))
                };
                Evaluated::Integers(part.floats(batch).iter().map(bin).collect())
            }
            Node::Lookup(parts, keys, results) => {
                results.at(&keys.of(batch.rows(), parts.iter().map(|part| part.eval(batch))))
            }
            Node::TextKey(parts) => {
                let parts: Vec<Evaluated> = parts.iter().map(|part| part.eval(batch)).collect();
                let mut cells: Vec<_> = parts.iter().map(Evaluated::cells).collect();
                let short = |cell: &Cell| !matches!(cell, Cell::Text(text) if text.len() > MAX_TEXT);
                let mut key = |_| {
                    let parts = cells.iter_mut().map(|part| part.next().filter(short).unwrap_or(Cell::Missing));
                    let row: Vec<Cell> = parts.collect();
                    Some(format!("({})", list(&row)))
                };
                Evaluated::Texts((0..batch.rows()).map(&mut key).collect())
            }
            Node::Calendar(part, is_time, inner) => {
                let of = if *is_time { of_time } else { of_day };
                let value = |value: Option<i64>| of(*part, value?);
                Evaluated::Integers(inner.integers(batch).iter().map(value).collect())
            }
            Node::DayOfTime(part) => {
                let Integers { values, present } = part.integers(batch);
                let values: Vec<i64> = values.iter().map(|time| time.div_euclid(DAY)).collect();
                Evaluated::Integers(Integers { values: values.into(), present })
            }
            Node::Length(part) => {
                let length = |text: &str| i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
                Evaluated::Integers(part.texts(batch).iter().map(|text| text.map(length)).collect())
            }
        }
    }
}

/// The maximum length of a text key, in bytes. Nested keys would otherwise double in length with each level.
const MAX_TEXT: usize = 1 << 16;

/// Applies a function to two floats in each row. A constant is not repeated for each row.
fn floats_of((left, right): (&Node, &Node), batch: &Batch, of: impl Fn(f64, f64) -> f64) -> ScalarBuffer<f64> {
    match (left.float(), right.float()) {
        (_, Some(right)) => map(left.floats(batch), |left| of(left, right)),
        (Some(left), _) => map(right.floats(batch), |right| of(left, right)),
        _ => zip(&left.floats(batch), &right.floats(batch), of).into(),
    }
}

/// Compares two floats in each row.
fn compare_floats(left: &Node, right: &Node, batch: &Batch, holds: impl Fn(&f64, &f64) -> bool) -> Vec<u8> {
    match (left.float(), right.float()) {
        (_, Some(right)) => left.floats(batch).iter().map(|left| float_truth(*left, right, &holds)).collect(),
        (Some(left), _) => right.floats(batch).iter().map(|right| float_truth(left, *right, &holds)).collect(),
        _ => zip(&left.floats(batch), &right.floats(batch), |left, right| float_truth(left, right, &holds)),
    }
}

/// Compares two integers in each row.
fn compare_integers(left: &Node, right: &Node, batch: &Batch, holds: impl Fn(&i64, &i64) -> bool) -> Vec<u8> {
    match (left.integer(), right.integer()) {
        (_, Some(right)) => {
            let Integers { values, present } = left.integers(batch);
            missing_where(values.iter().map(|left| truth(holds(left, &right))).collect(), present.as_ref())
        }
        (Some(left), _) => {
            let Integers { values, present } = right.integers(batch);
            missing_where(values.iter().map(|right| truth(holds(&left, right))).collect(), present.as_ref())
        }
        _ => {
            let (left, right) = (left.integers(batch), right.integers(batch));
            let truths = zip(&left.values, &right.values, |left, right| truth(holds(&left, &right)));
            missing_where(truths, both(&left, &right).as_ref())
        }
    }
}

/// Compares two texts in each row.
fn compare_texts(left: &Node, right: &Node, batch: &Batch, holds: impl Fn(&str, &str) -> bool) -> Vec<u8> {
    let of = |left: Option<&str>, right: Option<&str>| match (left, right) {
        (Some(left), Some(right)) => truth(holds(left, right)),
        _ => MISSING,
    };
    match (left.text(), right.text()) {
        (_, Some(right)) => left.texts(batch).iter().map(|left| of(left, Some(right))).collect(),
        (Some(left), _) => right.texts(batch).iter().map(|right| of(Some(left), right)).collect(),
        _ => left.texts(batch).iter().zip(right.texts(batch).iter()).map(|(left, right)| of(left, right)).collect(),
    }
}

/// Returns the cells of a column, shared where possible.
fn of_column(batch: &Batch, position: usize, kind: Kind) -> Evaluated {
    let column = batch.columns().get(position).map(|column| &column.0);
    match (kind.storage(), column) {
        (Storage::Float, Some(Cells::Float(array))) => Evaluated::Floats(array.values().clone()),
        (Storage::Integer, Some(Cells::Integer(array))) => {
            let present = array.nulls().filter(|nulls| nulls.null_count() > 0).cloned();
            Evaluated::Integers(Integers { values: array.values().clone(), present })
        }
        (Storage::Bool, Some(Cells::Bool(array))) => {
            let truths = array.values().iter().map(truth).collect();
            Evaluated::Truths(missing_where(truths, array.nulls()).into())
        }
        (Storage::Text, Some(Cells::Text(array))) => Evaluated::Texts(array.clone()),
        // No member of the domain.
        (storage, _) => repeated(&Cell::Missing, storage, batch.rows()),
    }
}

fn compare(comparison: Comparison, storage: Storage, (left, right): (&Node, &Node), batch: &Batch) -> Vec<u8> {
    match storage {
        Storage::Float => match comparison {
            Comparison::Equal => compare_floats(left, right, batch, f64::eq),
            Comparison::NotEqual => compare_floats(left, right, batch, f64::ne),
            Comparison::Less => compare_floats(left, right, batch, f64::lt),
            Comparison::LessOrEqual => compare_floats(left, right, batch, f64::le),
        },
        Storage::Integer => match comparison {
            Comparison::Equal => compare_integers(left, right, batch, i64::eq),
            Comparison::NotEqual => compare_integers(left, right, batch, i64::ne),
            Comparison::Less => compare_integers(left, right, batch, i64::lt),
            Comparison::LessOrEqual => compare_integers(left, right, batch, i64::le),
        },
        Storage::Bool => {
            let holds = |left: u8, right: u8| match (left, right) {
                (MISSING, _) | (_, MISSING) => MISSING,
                (left, right) => truth((left == right) == (comparison == Comparison::Equal)),
            };
            zip(&left.truths(batch), &right.truths(batch), holds)
        }
        Storage::Text => match comparison {
            Comparison::Equal => compare_texts(left, right, batch, str::eq),
            Comparison::NotEqual => compare_texts(left, right, batch, str::ne),
            Comparison::Less => compare_texts(left, right, batch, str::lt),
            Comparison::LessOrEqual => compare_texts(left, right, batch, str::le),
        },
    }
}

fn extreme(is_least: bool, storage: Storage, (left, right): (&Node, &Node), batch: &Batch) -> Evaluated {
    if storage == Storage::Float {
        // One that is missing is what is given.
        let lesser = |x: f64, y: f64| if x.is_nan() | (x < y) { x } else { y };
        let greater = |x: f64, y: f64| if x.is_nan() | (x > y) { x } else { y };
        return Evaluated::Floats(if is_least {
            floats_of((left, right), batch, lesser)
        } else {
            floats_of((left, right), batch, greater)
        });
    }
    let (left, right) = (left.integers(batch), right.integers(batch));
    let values =
        if is_least { zip(&left.values, &right.values, i64::min) } else { zip(&left.values, &right.values, i64::max) };
    Evaluated::Integers(Integers { values: values.into(), present: both(&left, &right) })
}
