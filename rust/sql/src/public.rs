//! Joined public tables, and their columns.

use indistinct::{
    core::Fallible,
    frames::{Cell, Expr, PublicTable},
};

/// A public table in a statement: its name there, and the columns by which its rows are found.
pub(crate) struct Joined {
    pub(crate) name: String,
    pub(crate) table: PublicTable,
    pub(crate) keys: Vec<(String, Expr)>,
    /// True if rows without a match are dropped.
    pub(crate) is_inner: bool,
}

impl Joined {
    /// Returns one of its columns, for the row to which it is joined; `None` if the column belongs to another table.
    pub(crate) fn column(&self, table: Option<&str>, name: &str) -> Option<Fallible<Expr>> {
        let is_own = table.is_none_or(|table| table == self.name) && self.table.domain().column(name).is_ok();
        let keys = || self.keys.iter().map(|(column, value)| (column.as_str(), value.clone()));
        is_own.then(|| self.table.lookup(keys(), name))
    }

    /// Returns the values of one of its columns, including the missing value if a row may have no match.
    pub(crate) fn values(&self, table: Option<&str>, name: &str) -> Option<Vec<Cell>> {
        let is_own = table.is_none_or(|table| table == self.name) && self.table.domain().column(name).is_ok();
        let keys = is_own.then(|| self.table.keys([name]))?.ok()?;
        let mut values: Vec<Cell> = keys.keys().filter_map(|key| key.first().cloned()).collect();
        if !self.is_inner && !values.contains(&Cell::Missing) {
            values.push(Cell::Missing);
        }
        Some(values)
    }
}
