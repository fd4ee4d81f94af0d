//! Single values: in a row, in an expression, or in a table of keys.

use crate::{
    core::{Parameter, ToParameter},
    transformations::Castable,
};
use std::fmt;

/// The type of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Real numbers as `f64`.
    Float,
    /// Integers as `i64`.
    Integer,
    /// `true` or `false`.
    Bool,
    /// Text.
    Text,
    /// Labels from a declared list, stored as positions in the list.
    Category,
    /// Days, counted from 1970-01-01.
    Date,
    /// Microseconds, counted from 1970-01-01 00:00 on the data owner's clock (no time zone is stored).
    Time,
}

impl Kind {
    /// Returns the type of the array that stores cells of this kind.
    pub(super) fn storage(self) -> Storage {
        match self {
            Kind::Float => Storage::Float,
            Kind::Integer | Kind::Category | Kind::Date | Kind::Time => Storage::Integer,
            Kind::Bool => Storage::Bool,
            Kind::Text => Storage::Text,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Float => "float",
            Kind::Integer => "integer",
            Kind::Bool => "bool",
            Kind::Text => "text",
            Kind::Category => "category",
            Kind::Date => "date",
            Kind::Time => "time",
        })
    }
}

/// The four types of arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    Float,
    Integer,
    Bool,
    Text,
}

/// The value of a cell, or `Missing`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Cell {
    /// No value.
    Missing,
    /// A real number; NaN counts as missing.
    Float(f64),
    /// An integer; a date is the number of days, and a time the number of microseconds, since 1970-01-01.
    Integer(i64),
    /// `true` or `false`.
    Bool(bool),
    /// Text, or the label of a category.
    Text(String),
}

impl Cell {
    /// Returns true if there is no value.
    pub fn is_null(&self) -> bool {
        matches!(self, Cell::Missing) || matches!(self, Cell::Float(value) if value.is_nan())
    }

    /// Returns the canonical form of equal cells: 0.0 for -0.0, and `Missing` for NaN.
    pub(super) fn canonical(self) -> Self {
        match self {
            Cell::Float(value) if value.is_nan() => Cell::Missing,
            // The sum of -0.0 and 0.0 is 0.0.
            Cell::Float(value) => Cell::Float(value + 0.0),
            cell => cell,
        }
    }

    /// Returns the value as a float, if it is a number.
    pub(super) fn to_float(&self) -> Option<f64> {
        match self {
            Cell::Float(value) => Some(*value).filter(|value| !value.is_nan()),
            Cell::Integer(value) => value.cast(),
            _ => None,
        }
    }

    /// Returns the value as an integer, if it is an integer of 64 bits.
    pub(super) fn to_integer(&self) -> Option<i64> {
        match self {
            Cell::Float(value) if value.trunc() == *value => value.cast(),
            Cell::Integer(value) => Some(*value),
            _ => None,
        }
    }
}

/// Compares values: all missing values are equal, and -0.0 equals 0.0.
impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Cell::Float(x), Cell::Float(y)) => x == y || (x.is_nan() && y.is_nan()),
            (Cell::Integer(x), Cell::Integer(y)) => x == y,
            (Cell::Bool(x), Cell::Bool(y)) => x == y,
            (Cell::Text(x), Cell::Text(y)) => x == y,
            (x, y) => x.is_null() && y.is_null(),
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Missing => f.write_str("missing"),
            Cell::Float(value) => write!(f, "{value:?}"),
            Cell::Integer(value) => value.fmt(f),
            Cell::Bool(value) => value.fmt(f),
            Cell::Text(text) => write!(f, "{text:?}"),
        }
    }
}

/// The parameter includes the type, so that the integer 1 and the float 1.0 differ in a plan.
impl ToParameter for Cell {
    fn to_parameter(&self) -> Parameter {
        match self {
            Cell::Missing => Parameter::None,
            Cell::Float(value) => Parameter::Float(*value),
            Cell::Integer(value) => Parameter::Integer(*value),
            Cell::Bool(value) => Parameter::Bool(*value),
            Cell::Text(text) => Parameter::Text(text.clone()),
        }
    }
}

macro_rules! cells {
    ($($from:ty => $to:ident),+ $(,)?) => {$(
        impl From<$from> for Cell {
            fn from(value: $from) -> Self {
                Cell::$to(value.into())
            }
        }
    )+};
}

cells!(f64 => Float, f32 => Float, i64 => Integer, i32 => Integer, u32 => Integer, bool => Bool, &str => Text, String => Text);

/// `None` is a missing cell.
impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Missing, Into::into)
    }
}
