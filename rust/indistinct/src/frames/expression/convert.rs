//! Conversions between types of values.

use super::{
    super::{
        cell::{Cell, Kind},
        domain::{ColumnDomain, Values},
    },
    calendar::{DAY, date_from_text, date_text, time_from_text, time_text},
    evaluated::{Evaluated, from_cells},
};
use crate::{core::Domain, transformations::Castable};

/// Converts each value to another type; it is missing if the result is outside the domain.
pub(super) fn cast(values: &Evaluated, from: Kind, labels: Option<&[String]>, to: &ColumnDomain) -> Evaluated {
    let image = |cell: Cell| -> Cell {
        let cell = match (from, cell) {
            (_, Cell::Missing) => return Cell::Missing,
            (Kind::Category, Cell::Integer(position)) => {
                let label = usize::try_from(position).ok().and_then(|position| labels?.get(position));
                label.map(String::as_str).into()
            }
            (Kind::Date, Cell::Integer(days)) if to.kind() == Kind::Text => date_text(days).into(),
            (Kind::Time, Cell::Integer(time)) if to.kind() == Kind::Text => time_text(time).into(),
            (Kind::Date, Cell::Integer(days)) if to.kind() == Kind::Time => days.checked_mul(DAY).into(),
            (Kind::Time, Cell::Integer(time)) if to.kind() == Kind::Date => Cell::Integer(time.div_euclid(DAY)),
            (_, cell) => cell,
        };
        as_value(&cell, to.values())
    };
    let cells: Vec<Cell> = values.cells().map(image).collect();
    from_cells(to.kind().storage(), cells.iter())
}

/// Converts a cell to a value of a column; it is missing if that fails.
fn as_value(cell: &Cell, values: &Values) -> Cell {
    match values {
        Values::Float(floats) => cast_cell::<f64>(cell).filter(|x| floats.member(x)).into(),
        Values::Integer(integers) => cast_cell::<i64>(cell).filter(|x| integers.member(x)).into(),
        Values::Bool => cast_cell::<bool>(cell).into(),
        Values::Text => cast_cell::<String>(cell).into(),
        Values::Category(labels) => {
            let is = |label: &String| matches!(cell, Cell::Text(text) if text == label);
            labels.iter().position(is).and_then(|position| i64::try_from(position).ok()).into()
        }
        Values::Date => {
            if let Cell::Text(text) = cell {
                date_from_text(text).into()
            } else {
                whole(cell)
            }
        }
        Values::Time => {
            if let Cell::Text(text) = cell {
                time_from_text(text).into()
            } else {
                whole(cell)
            }
        }
    }
}

/// Keeps a cell that is already a day or a time.
fn whole(cell: &Cell) -> Cell {
    if let Cell::Integer(_) = cell { cell.clone() } else { Cell::Missing }
}

fn cast_cell<T: Castable>(cell: &Cell) -> Option<T> {
    match cell {
        Cell::Missing => None,
        Cell::Float(value) => value.cast(),
        Cell::Integer(value) => value.cast(),
        Cell::Bool(value) => value.cast(),
        Cell::Text(text) => text.cast(),
    }
}
