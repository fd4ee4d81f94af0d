//! The cells of one column, in an Arrow array.

use super::cell::{Cell, Kind, Storage};
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int64Array, LargeStringArray};
use std::sync::Arc;

/// The cells of one column.
///
/// A missing float is NaN, so a slice holds all floats. Other missing cells are Arrow nulls.
#[derive(Clone)]
pub struct Column(pub(super) Cells);

#[derive(Clone)]
pub(super) enum Cells {
    /// Floats without nulls.
    Float(Float64Array),
    Integer(Int64Array),
    Bool(BooleanArray),
    Text(LargeStringArray),
}

impl Column {
    /// Makes a column from cells with the storage of `kind`; a cell with another storage becomes missing. Categories
    /// are given as positions.
    pub fn from_cells(kind: Kind, cells: impl IntoIterator<Item = Cell>) -> Self {
        Self::from_storage(kind.storage(), cells.into_iter())
    }

    pub(super) fn from_storage(storage: Storage, cells: impl Iterator<Item = Cell>) -> Self {
        Self(match storage {
            Storage::Float => {
                let floats = cells.map(|cell| cell.to_float().unwrap_or(f64::NAN));
                Cells::Float(floats.collect::<Vec<_>>().into())
            }
            Storage::Integer => {
                let integer = |cell| if let Cell::Integer(value) = cell { Some(value) } else { None };
                Cells::Integer(cells.map(integer).collect())
            }
            Storage::Bool => {
                let truth = |cell| if let Cell::Bool(value) = cell { Some(value) } else { None };
                Cells::Bool(cells.map(truth).collect())
            }
            Storage::Text => {
                let text = |cell| if let Cell::Text(text) = cell { Some(text) } else { None };
                Cells::Text(cells.map(text).collect())
            }
        })
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        match &self.0 {
            Cells::Float(array) => array.len(),
            Cells::Integer(array) => array.len(),
            Cells::Bool(array) => array.len(),
            Cells::Text(array) => array.len(),
        }
    }

    /// Returns true if there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a cell, or `Missing` beyond the last one.
    pub fn cell(&self, row: usize) -> Cell {
        if row >= self.len() {
            return Cell::Missing;
        }
        match &self.0 {
            Cells::Float(array) => Some(array.value(row)).filter(|value| !value.is_nan()).into(),
            Cells::Integer(array) => array.is_valid(row).then(|| array.value(row)).into(),
            Cells::Bool(array) => array.is_valid(row).then(|| array.value(row)).into(),
            Cells::Text(array) => array.is_valid(row).then(|| array.value(row)).into(),
        }
    }

    /// Returns the array, which is shared.
    pub fn to_arrow(&self) -> ArrayRef {
        match &self.0 {
            Cells::Float(array) => Arc::new(array.clone()),
            Cells::Integer(array) => Arc::new(array.clone()),
            Cells::Bool(array) => Arc::new(array.clone()),
            Cells::Text(array) => Arc::new(array.clone()),
        }
    }

    pub(super) fn storage(&self) -> Storage {
        match &self.0 {
            Cells::Float(_) => Storage::Float,
            Cells::Integer(_) => Storage::Integer,
            Cells::Bool(_) => Storage::Bool,
            Cells::Text(_) => Storage::Text,
        }
    }

    /// Returns true if any cell is missing.
    pub(super) fn has_missing(&self) -> bool {
        match &self.0 {
            Cells::Float(array) => array.values().iter().fold(false, |any, value| any | value.is_nan()),
            Cells::Integer(array) => array.null_count() > 0,
            Cells::Bool(array) => array.null_count() > 0,
            Cells::Text(array) => array.null_count() > 0,
        }
    }

    /// Returns `length` cells from `start` on, shared.
    pub(super) fn slice(&self, start: usize, length: usize) -> Self {
        let start = start.min(self.len());
        let length = length.min(self.len() - start);
        Self(match &self.0 {
            Cells::Float(array) => Cells::Float(array.slice(start, length)),
            Cells::Integer(array) => Cells::Integer(array.slice(start, length)),
            Cells::Bool(array) => Cells::Bool(array.slice(start, length)),
            Cells::Text(array) => Cells::Text(array.slice(start, length)),
        })
    }

    /// Returns the cells of these rows, in this order.
    pub(super) fn take(&self, rows: &[usize]) -> Self {
        match &self.0 {
            Cells::Float(array) => {
                let values = array.values();
                let picked = rows.iter().map(|&row| values.get(row).copied().unwrap_or(f64::NAN));
                Self(Cells::Float(picked.collect::<Vec<_>>().into()))
            }
            Cells::Integer(array) if array.null_count() == 0 => {
                let values = array.values();
                let picked = rows.iter().map(|&row| values.get(row).copied().unwrap_or_default());
                Self(Cells::Integer(picked.collect::<Vec<_>>().into()))
            }
            Cells::Integer(_) => Self::from_cells(Kind::Integer, rows.iter().map(|&row| self.cell(row))),
            Cells::Bool(_) => Self::from_cells(Kind::Bool, rows.iter().map(|&row| self.cell(row))),
            Cells::Text(array) => {
                let text = |&row: &usize| (row < array.len() && array.is_valid(row)).then(|| array.value(row));
                Self(Cells::Text(rows.iter().map(text).collect()))
            }
        }
    }
}

/// Nulls of floats become NaN.
impl From<Float64Array> for Column {
    fn from(array: Float64Array) -> Self {
        if array.null_count() == 0 {
            return Self(Cells::Float(array));
        }
        Self(Cells::Float(array.iter().map(|value| value.unwrap_or(f64::NAN)).collect::<Vec<_>>().into()))
    }
}

macro_rules! columns {
    ($($array:ty => $cells:ident),+ $(,)?) => {$(
        impl From<$array> for Column {
            fn from(array: $array) -> Self {
                Self(Cells::$cells(array))
            }
        }
    )+};
}

columns!(Int64Array => Integer, BooleanArray => Bool, LargeStringArray => Text);

macro_rules! columns_of_rows {
    ($(($($life:lifetime)?) $row:ty => $cells:ident),+ $(,)?) => {$(
        impl$(<$life>)? FromIterator<$row> for Column {
            fn from_iter<I: IntoIterator<Item = $row>>(rows: I) -> Self {
                rows.into_iter().map(Some).collect()
            }
        }

        impl$(<$life>)? FromIterator<Option<$row>> for Column {
            fn from_iter<I: IntoIterator<Item = Option<$row>>>(rows: I) -> Self {
                Self(Cells::$cells(rows.into_iter().collect()))
            }
        }
    )+};
}

columns_of_rows!(() i64 => Integer, () bool => Bool, ('a) &'a str => Text, () String => Text);

impl FromIterator<f64> for Column {
    fn from_iter<I: IntoIterator<Item = f64>>(rows: I) -> Self {
        Self(Cells::Float(rows.into_iter().collect::<Vec<_>>().into()))
    }
}

impl FromIterator<Option<f64>> for Column {
    fn from_iter<I: IntoIterator<Item = Option<f64>>>(rows: I) -> Self {
        rows.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect()
    }
}

/// Prints only the number and the type of the cells, because cells are private data.
impl std::fmt::Debug for Column {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Column({:?})", self.storage())
    }
}
