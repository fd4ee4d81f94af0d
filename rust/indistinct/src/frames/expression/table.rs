//! Public tables that rows are looked up in.

use super::super::cell::Cell;

/// A value for each of some keys, and one for all others.
#[derive(PartialEq)]
pub(super) struct Table {
    pub(super) rows: Vec<(Vec<Cell>, Cell)>,
    pub(super) otherwise: Cell,
}

impl Table {
    /// Of equal cells one stands for all, so that equal tables are written alike.
    pub(super) fn new(rows: Vec<(Vec<Cell>, Cell)>, otherwise: Cell) -> Self {
        let canonical = |key: Vec<Cell>| key.into_iter().map(Cell::canonical).collect();
        let rows = rows.into_iter().map(|(key, value)| (canonical(key), value.canonical())).collect();
        Self { rows, otherwise: otherwise.canonical() }
    }
}
