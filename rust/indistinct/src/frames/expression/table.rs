//! Public tables in which rows are looked up.

use super::super::cell::Cell;

/// A value for each of some keys, and one value for all other keys.
#[derive(PartialEq)]
pub(super) struct Table {
    pub(super) rows: Vec<(Vec<Cell>, Cell)>,
    pub(super) otherwise: Cell,
}

impl Table {
    /// Equal cells are replaced by one canonical cell, so that equal tables have equal texts.
    pub(super) fn new(rows: Vec<(Vec<Cell>, Cell)>, otherwise: Cell) -> Self {
        let canonical = |key: Vec<Cell>| key.into_iter().map(Cell::canonical).collect();
        let rows = rows.into_iter().map(|(key, value)| (canonical(key), value.canonical())).collect();
        Self { rows, otherwise: otherwise.canonical() }
    }
}
