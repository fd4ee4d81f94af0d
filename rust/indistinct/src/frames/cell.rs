//! Single values: of a row, in an expression, in a table of keys.

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
    /// Whole numbers as `i64`.
    Integer,
    /// `true` or `false`.
    Bool,
    /// Text.
    Text,
    /// One of a list of labels that is declared once, as its position in the list.
    Category,
    /// Days, counted from 1970-01-01.
    Date,
    /// Microseconds, counted from 1970-01-01 00:00 of a clock that the data's owner knows (no time zone is kept).
    Time,
}

impl Kind {
    /// How cells of this kind lie in memory.
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

/// A value of a cell, or none.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Cell {
    /// There is no value.
    Missing,
    /// A real number; NaN is a missing one.
    Float(f64),
    /// A whole number; of a date the days, of a time the microseconds since 1970-01-01.
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

    /// The one of equal cells that stands for all: 0.0 for -0.0, and no value for NaN.
    pub(super) fn canonical(self) -> Self {
        match self {
            Cell::Float(value) if value.is_nan() => Cell::Missing,
            // The sum of -0.0 and 0.0 is 0.0.
            Cell::Float(value) => Cell::Float(value + 0.0),
            cell => cell,
        }
    }

    /// The value as a float, if it is a number.
    pub(super) fn to_float(&self) -> Option<f64> {
        match self {
            Cell::Float(value) => Some(*value).filter(|value| !value.is_nan()),
            Cell::Integer(value) => value.cast(),
            _ => None,
        }
    }

    /// The value as an integer, if it is a whole number of 64 bits.
    pub(super) fn to_integer(&self) -> Option<i64> {
        match self {
            Cell::Float(value) if value.trunc() == *value => value.cast(),
            Cell::Integer(value) => Some(*value),
            _ => None,
        }
    }
}

/// As values: all missing ones are equal, and -0.0 is 0.0.
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

/// The type is part of it, so that the integer 1 and the float 1.0 differ in a plan.
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
