//! The values of an expression in the rows of a batch.

use super::{
    super::{
        batch::{BATCH_ROWS, Batch},
        cell::{Cell, Kind, Storage},
        column::{Cells, Column},
        domain::ColumnDomain,
    },
    calendar::{DAY, Part, of_day, of_time},
    check::Checked,
    convert::cast,
    kernels::{
        FALSE, Integers, MISSING, TRUE, both, compare_floats, compare_integers, finite, missing_where, overflowing,
        truth, zip, zip3,
    },
    keys::Keys,
};
use crate::transformations::Castable;
use arrow_array::{Array, BooleanArray, Float64Array, Int64Array, LargeStringArray};
use arrow_buffer::{BooleanBuffer, NullBuffer, ScalarBuffer};
use std::sync::Arc;

/// How an expression is computed, with every name and type resolved.
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
    /// The lesser of two, if so is said; else the greater.
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
    /// The results, one for each key, and the last for all others.
    Lookup(Keys, Evaluated),
    /// A part of a date, or of a time if so is said.
    Calendar(Part, bool, Box<Node>),
    DayOfTime(Box<Node>),
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

/// The values of an expression in all rows of a batch.
#[derive(Clone)]
pub(super) enum Evaluated {
    /// NaN is missing.
    Floats(ScalarBuffer<f64>),
    Integers(Integers),
    Truths(ScalarBuffer<u8>),
    Texts(LargeStringArray),
}

/// One value, written down once for as many rows as a batch has.
pub(super) struct Constant {
    cell: Cell,
    storage: Storage,
    rows: Evaluated,
}

impl Constant {
    pub(super) fn new(cell: &Cell, storage: Storage) -> Self {
        Self { cell: cell.clone(), storage, rows: repeated(cell, storage, BATCH_ROWS) }
    }

    pub(super) fn cell(&self) -> &Cell {
        &self.cell
    }

    /// The number as a float.
    pub(super) fn to_float(&self) -> Self {
        Self::new(&self.cell.to_float().into(), Storage::Float)
    }

    fn rows(&self, rows: usize) -> Evaluated {
        if rows > BATCH_ROWS {
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

/// A value in so many rows; missing if it is not of this storage.
fn repeated(cell: &Cell, storage: Storage, rows: usize) -> Evaluated {
    from_cells(storage, std::iter::repeat_n(cell, rows))
}

/// Cells of this storage; others are missing.
pub(super) fn from_cells<'a>(storage: Storage, cells: impl Iterator<Item = &'a Cell>) -> Evaluated {
    match storage {
        Storage::Float => {
            let number = |cell: &Cell| if let Cell::Float(value) = cell { *value } else { f64::NAN };
            Evaluated::Floats(cells.map(number).collect::<Vec<_>>().into())
        }
        Storage::Integer => {
            let number = |cell: &Cell| if let Cell::Integer(value) = cell { Some(*value) } else { None };
            Evaluated::Integers(cells.map(number).collect())
        }
        Storage::Bool => {
            let number = |cell: &Cell| if let Cell::Bool(value) = cell { truth(*value) } else { MISSING };
            Evaluated::Truths(cells.map(number).collect::<Vec<_>>().into())
        }
        Storage::Text => {
            let text = |cell: &'a Cell| if let Cell::Text(text) = cell { Some(text.as_str()) } else { None };
            Evaluated::Texts(cells.map(text).collect())
        }
    }
}

impl Checked {
    /// The values, as a column.
    pub(in super::super) fn column(&self, batch: &Batch) -> Column {
        self.node.eval(batch).into_column()
    }

    /// In which rows the value is true.
    pub(in super::super) fn holds(&self, batch: &Batch) -> impl Iterator<Item = bool> + use<> {
        let truths = self.node.truths(batch);
        (0..truths.len()).map(move |row| truths.get(row) == Some(&TRUE))
    }
}

impl Evaluated {
    fn into_column(self) -> Column {
        Column(match self {
            Evaluated::Floats(values) => Cells::Float(Float64Array::new(values, None)),
            Evaluated::Integers(Integers { values, present }) => Cells::Integer(Int64Array::new(values, present)),
            Evaluated::Truths(truths) => {
                let which = |of: u8| BooleanBuffer::collect_bool(truths.len(), |row| truths.get(row) == Some(&of));
                let missing = truths.contains(&MISSING).then(|| NullBuffer::new(!&which(MISSING)));
                Cells::Bool(BooleanArray::new(which(TRUE), missing))
            }
            Evaluated::Texts(values) => Cells::Text(values),
        })
    }

    /// The values at these positions; missing beyond the last.
    fn at(&self, positions: &[usize]) -> Self {
        match self {
            Evaluated::Floats(values) => {
                let value = |&at: &usize| values.get(at).copied().unwrap_or(f64::NAN);
                Evaluated::Floats(positions.iter().map(value).collect::<Vec<_>>().into())
            }
            Evaluated::Integers(Integers { values, present: None })
                if positions.iter().all(|&at| at < values.len()) =>
            {
                let value = |&at: &usize| values.get(at).copied().unwrap_or_default();
                let values = positions.iter().map(value).collect::<Vec<_>>().into();
                Evaluated::Integers(Integers { values, present: None })
            }
            Evaluated::Integers(integers) => {
                let value = |&at: &usize| integers.values.get(at).copied().filter(|_| integers.is_present(at));
                Evaluated::Integers(positions.iter().map(value).collect())
            }
            Evaluated::Truths(values) => {
                let value = |&at: &usize| values.get(at).copied().unwrap_or(MISSING);
                Evaluated::Truths(positions.iter().map(value).collect::<Vec<_>>().into())
            }
            Evaluated::Texts(values) => {
                let value = |&at: &usize| (at < values.len() && values.is_valid(at)).then(|| values.value(at));
                Evaluated::Texts(positions.iter().map(value).collect())
            }
        }
    }

    /// In which rows there is a value.
    fn present(&self) -> Vec<bool> {
        match self {
            Evaluated::Floats(values) => values.iter().map(|value| !value.is_nan()).collect(),
            Evaluated::Integers(integers) => match &integers.present {
                Some(present) => present.iter().collect(),
                None => vec![true; integers.values.len()],
            },
            Evaluated::Truths(truths) => truths.iter().map(|&truth| truth != MISSING).collect(),
            Evaluated::Texts(values) => (0..values.len()).map(|row| values.is_valid(row)).collect(),
        }
    }

    /// In each row the first value where it is chosen, else the second. Both are of one storage.
    fn choose(chosen: &[bool], first: Self, second: Self) -> Self {
        match (first, second) {
            (Evaluated::Floats(first), Evaluated::Floats(second)) => {
                let pick = |chosen, first, second| if chosen { first } else { second };
                Evaluated::Floats(zip3((chosen, &first, &second), pick).into())
            }
            (Evaluated::Integers(first), Evaluated::Integers(second)) => {
                let pick = |chosen, first, second| if chosen { first } else { second };
                let values = zip3((chosen, &first.values, &second.values), pick);
                let is_present = |(row, &chosen): (usize, &bool)| {
                    if chosen { first.is_present(row) } else { second.is_present(row) }
                };
                let has_missing = first.present.is_some() || second.present.is_some();
                let present = has_missing.then(|| chosen.iter().enumerate().map(is_present).collect::<BooleanBuffer>());
                Evaluated::Integers(Integers { values: values.into(), present: present.map(NullBuffer::new) })
            }
            (Evaluated::Truths(first), Evaluated::Truths(second)) => {
                let pick = |chosen, first, second| if chosen { first } else { second };
                Evaluated::Truths(zip3((chosen, &first, &second), pick).into())
            }
            (Evaluated::Texts(first), Evaluated::Texts(second)) => {
                let rows = chosen.iter().zip(first.iter()).zip(second.iter());
                Evaluated::Texts(rows.map(|((&chosen, first), second)| if chosen { first } else { second }).collect())
            }
            // Types are checked when the expression is.
            (first, _) => first,
        }
    }
}

/// Where types were checked, none of the empty answers is ever given.
impl Node {
    fn floats(&self, batch: &Batch) -> ScalarBuffer<f64> {
        if let Evaluated::Floats(values) = self.eval(batch) { values } else { vec![f64::NAN; batch.rows()].into() }
    }

    fn integers(&self, batch: &Batch) -> Integers {
        match self.eval(batch) {
            Evaluated::Integers(values) => values,
            _ => std::iter::repeat_n(None, batch.rows()).collect(),
        }
    }

    fn truths(&self, batch: &Batch) -> ScalarBuffer<u8> {
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
                let (left, right) = (left.floats(batch), right.floats(batch));
                Evaluated::Floats(
                    match operation {
                        Arithmetic::Add => zip(&left, &right, |x, y| finite(x + y)),
                        Arithmetic::Subtract => zip(&left, &right, |x, y| finite(x - y)),
                        Arithmetic::Multiply => zip(&left, &right, |x, y| finite(x * y)),
                        Arithmetic::Divide => zip(&left, &right, |x, y| finite(x / y)),
                    }
                    .into(),
                )
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
            Node::NegativeFloat(part) => {
                Evaluated::Floats(part.floats(batch).iter().map(|x| -x).collect::<Vec<_>>().into())
            }
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
            Node::Lookup(keys, results) => results.at(&keys.of(batch)),
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

/// The cells of a column, shared where they can be.
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
        Storage::Float => {
            let (left, right) = (left.floats(batch), right.floats(batch));
            match comparison {
                Comparison::Equal => compare_floats(&left, &right, f64::eq),
                Comparison::NotEqual => compare_floats(&left, &right, f64::ne),
                Comparison::Less => compare_floats(&left, &right, f64::lt),
                Comparison::LessOrEqual => compare_floats(&left, &right, f64::le),
            }
        }
        Storage::Integer => {
            let (left, right) = (left.integers(batch), right.integers(batch));
            match comparison {
                Comparison::Equal => compare_integers(&left, &right, i64::eq),
                Comparison::NotEqual => compare_integers(&left, &right, i64::ne),
                Comparison::Less => compare_integers(&left, &right, i64::lt),
                Comparison::LessOrEqual => compare_integers(&left, &right, i64::le),
            }
        }
        Storage::Bool => {
            let holds = |left: u8, right: u8| match (left, right) {
                (MISSING, _) | (_, MISSING) => MISSING,
                (left, right) => truth((left == right) == (comparison == Comparison::Equal)),
            };
            zip(&left.truths(batch), &right.truths(batch), holds)
        }
        Storage::Text => {
            let (left, right) = (left.texts(batch), right.texts(batch));
            let holds = |(left, right): (Option<&str>, Option<&str>)| match (left, right, comparison) {
                (Some(left), Some(right), Comparison::Equal) => truth(left == right),
                (Some(left), Some(right), Comparison::NotEqual) => truth(left != right),
                (Some(left), Some(right), Comparison::Less) => truth(left < right),
                (Some(left), Some(right), Comparison::LessOrEqual) => truth(left <= right),
                _ => MISSING,
            };
            left.iter().zip(right.iter()).map(holds).collect()
        }
    }
}

fn extreme(is_least: bool, storage: Storage, (left, right): (&Node, &Node), batch: &Batch) -> Evaluated {
    if storage == Storage::Float {
        let (left, right) = (left.floats(batch), right.floats(batch));
        // One that is missing is what is given.
        let lesser = |x: f64, y: f64| if x.is_nan() | (x < y) { x } else { y };
        let greater = |x: f64, y: f64| if x.is_nan() | (x > y) { x } else { y };
        return Evaluated::Floats(
            if is_least { zip(&left, &right, lesser) } else { zip(&left, &right, greater) }.into(),
        );
    }
    let (left, right) = (left.integers(batch), right.integers(batch));
    let values =
        if is_least { zip(&left.values, &right.values, i64::min) } else { zip(&left.values, &right.values, i64::max) };
    Evaluated::Integers(Integers { values: values.into(), present: both(&left, &right) })
}

impl Evaluated {
    pub(super) fn cells(&self) -> Box<dyn Iterator<Item = Cell> + '_> {
        match self {
            Evaluated::Floats(values) => Box::new(values.iter().map(|x| Some(*x).filter(|x| !x.is_nan()).into())),
            Evaluated::Integers(values) => Box::new(values.iter().map(Cell::from)),
            Evaluated::Truths(truths) => Box::new(truths.iter().map(|&truth| match truth {
                MISSING => Cell::Missing,
                truth => Cell::Bool(truth == TRUE),
            })),
            Evaluated::Texts(values) => Box::new(values.iter().map(Cell::from)),
        }
    }
}
