//! Public tables that rows are looked up in.

use super::super::cell::Cell;
use std::fmt;

/// A value for each of some keys, and one for all others.
#[derive(PartialEq)]
pub(super) struct Table {
    pub(super) rows: Vec<(Vec<Cell>, Cell)>,
    pub(super) otherwise: Cell,
}

impl Table {
    pub(super) fn new(rows: Vec<(Vec<Cell>, Cell)>, otherwise: Cell) -> Self {
        Self { rows, otherwise }
    }
}

/// The most rows of a table that are printed.
const PRINTED: usize = 4;

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (key, value) in self.rows.iter().take(PRINTED) {
            let key: Vec<_> = key.iter().map(Cell::to_string).collect();
            write!(f, "({}): {value}, ", key.join(", "))?;
        }
        match self.rows.len().saturating_sub(PRINTED) {
            0 => {}
            more => write!(f, "and {more} more, ")?,
        }
        write!(f, "else {}}}", self.otherwise)
    }
}
