//! The values of an expression in the rows of a batch.

use super::{
    super::{
        cell::{Cell, Storage},
        column::{Cells, Column},
    },
    kernels::{Integers, MISSING, TRUE, bits, truth, zip3},
};
use arrow_array::{Array, BooleanArray, Float64Array, Int64Array, LargeStringArray};
use arrow_buffer::{BooleanBuffer, NullBuffer, ScalarBuffer};

/// The values of an expression in all rows of a batch.
#[derive(Clone)]
pub(super) enum Evaluated {
    /// NaN is missing.
    Floats(ScalarBuffer<f64>),
    Integers(Integers),
    Truths(ScalarBuffer<u8>),
    Texts(LargeStringArray),
}

/// Repeats a value in `rows` rows; missing if it does not have this storage.
pub(super) fn repeated(cell: &Cell, storage: Storage, rows: usize) -> Evaluated {
    from_cells(storage, std::iter::repeat_n(cell, rows))
}

/// Makes values from cells of this storage; other cells become missing.
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

impl Evaluated {
    pub(super) fn into_column(self) -> Column {
        Column(match self {
            Evaluated::Floats(values) => Cells::Float(Float64Array::new(values, None)),
            Evaluated::Integers(Integers { values, present }) => Cells::Integer(Int64Array::new(values, present)),
            Evaluated::Truths(truths) => {
                let missing = truths.contains(&MISSING).then(|| NullBuffer::new(!&bits(&truths, MISSING)));
                Cells::Bool(BooleanArray::new(bits(&truths, TRUE), missing))
            }
            Evaluated::Texts(values) => Cells::Text(values),
        })
    }

    /// Returns the values at these positions; missing beyond the last one.
    pub(super) fn at(&self, positions: &[usize]) -> Self {
        match self {
            Evaluated::Floats(values) => {
                let value = |&at: &usize| values.get(at).copied().unwrap_or(f64::NAN);
                Evaluated::Floats(positions.iter().map(value).collect::<Vec<_>>().into())
            }
            Evaluated::Integers(Integers { values, present: None })
                if positions.iter().fold(true, |all, &at| all & (at < values.len())) =>
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

    /// Returns for each row whether there is a value.
    pub(super) fn present(&self) -> Vec<bool> {
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

    /// Returns in each row the first value if it is chosen, and otherwise the second. Both have the same storage.
    pub(super) fn choose(chosen: &[bool], first: Self, second: Self) -> Self {
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
