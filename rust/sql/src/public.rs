//! A public table that is joined, and its columns beside the rows of the private one.

use indistinct::{
    core::Fallible,
    frames::{Cell, Expr, PublicTable},
};

/// A public table in a statement: the name that it has there, and by which of its columns its rows are found.
pub(crate) struct Joined {
    pub(crate) name: String,
    pub(crate) table: PublicTable,
    pub(crate) keys: Vec<(String, Expr)>,
    /// True if rows without a match are left out.
    pub(crate) is_inner: bool,
}

impl Joined {
    /// A column of it, beside the row that it is joined to; nothing, if that is another table's.
    pub(crate) fn column(&self, table: Option<&str>, name: &str) -> Option<Fallible<Expr>> {
        let is_own = table.is_none_or(|table| table == self.name) && self.table.domain().column(name).is_ok();
        let keys = || self.keys.iter().map(|(column, value)| (column.as_str(), value.clone()));
        is_own.then(|| self.table.lookup(keys(), name))
    }

    /// The values that a column of it has beside rows: none, too, where there need not be a match.
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
