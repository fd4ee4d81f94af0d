//! The storage of a ledger's tables: the common interface of SQLite and a server, so that all rules are written once.

use crate::error::{Error, Fallible};
use std::{path::Path, vec};

/// A database with the tables of one ledger.
pub(crate) trait Store: Send {
    /// Does all of the work in one commit, which is on the disk when this returns, or none of it. Writers of all
    /// processes come one after another, and each sees all earlier commits.
    fn write(&mut self, work: &mut dyn FnMut(&mut dyn Tables) -> Fallible<()>) -> Fallible<()>;

    /// Reads everything as it was at one moment. In a file, writers wait for it, and it waits for a current commit.
    fn read(&self, work: &mut dyn FnMut(&mut dyn Tables) -> Fallible<()>) -> Fallible<()>;

    /// Copies the current contents to an empty file, which cannot be charged.
    fn backup(&self, _to: &Path) -> Fallible<()> {
        Err(Error::Refused("it is on a server: use the server's own tools for backups".into()))
    }

    /// Returns true if this is such a copy.
    fn is_backup(&self) -> Fallible<bool> {
        Ok(false)
    }
}

/// The tables, within a transaction.
///
/// Statements have the parameters `$1`, `$2` …, which first appear in this order.
pub(crate) trait Tables {
    /// Creates the tables of a new ledger.
    fn make(&mut self) -> Fallible<()>;

    /// Runs a statement, and returns the number of rows that it changed.
    fn run(&mut self, statement: &'static str, values: &[Value<'_>]) -> Fallible<u64>;

    /// Calls a function with each row of a query.
    fn each(
        &mut self,
        query: &'static str,
        values: &[Value<'_>],
        take: &mut dyn FnMut(Row) -> Fallible<()>,
    ) -> Fallible<()>;
}

impl dyn Tables + '_ {
    /// Returns the first row of a query, if there is one.
    pub(crate) fn row(&mut self, query: &'static str, values: &[Value<'_>]) -> Fallible<Option<Row>> {
        let mut first = None;
        self.each(query, values, &mut |row| {
            first.get_or_insert(row);
            Ok(())
        })?;
        Ok(first)
    }
}

/// Entries are the source of truth. Accounts and requests follow from them, and speed up lookups. The state of a
/// request is the set of its entries. The types are SQLite's.
pub(crate) const SCHEMA: &str = "
CREATE TABLE entry (
    number INTEGER PRIMARY KEY CHECK (number >= 1),
    kind TEXT NOT NULL CHECK (kind IN ('genesis', 'account', 'charge', 'draw', 'release')),
    body TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE TABLE account (
    name TEXT PRIMARY KEY,
    above TEXT REFERENCES account(name),
    budget TEXT NOT NULL,
    spent TEXT NOT NULL,
    opened INTEGER NOT NULL REFERENCES entry(number),
    prepaid TEXT,
    closed INTEGER REFERENCES entry(number)
) STRICT, WITHOUT ROWID;
CREATE TABLE request (
    account TEXT NOT NULL REFERENCES account(name),
    key TEXT NOT NULL,
    plan TEXT NOT NULL,
    loss TEXT NOT NULL,
    charged INTEGER NOT NULL REFERENCES entry(number),
    drawn INTEGER REFERENCES entry(number) CHECK (drawn > charged),
    released INTEGER REFERENCES entry(number) CHECK (drawn IS NOT NULL AND released > drawn OR released IS NULL),
    result BLOB CHECK ((result IS NOT NULL) = (released IS NOT NULL)),
    PRIMARY KEY (account, key)
) STRICT, WITHOUT ROWID;
";

/// A parameter of a statement.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value<'a> {
    Missing,
    Number(i64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<Option<&'a str>> for Value<'a> {
    fn from(text: Option<&'a str>) -> Self {
        text.map_or(Self::Missing, Self::Text)
    }
}

impl<'a> From<&'a [u8]> for Value<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

/// The value of a column in a row.
pub(crate) enum Cell {
    Missing,
    Number(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// The cells of a row, read one after the other. A cell of another type is an error: the tables are not those of a
/// ledger.
pub(crate) struct Row(vec::IntoIter<Cell>);

impl Row {
    pub(crate) fn new(cells: Vec<Cell>) -> Self {
        Self(cells.into_iter())
    }

    pub(crate) fn text(&mut self) -> Fallible<String> {
        self.text_if_any()?.ok_or_else(wrong)
    }

    pub(crate) fn text_if_any(&mut self) -> Fallible<Option<String>> {
        match self.0.next() {
            Some(Cell::Text(text)) => Ok(Some(text)),
            Some(Cell::Missing) => Ok(None),
            _ => Err(wrong()),
        }
    }

    pub(crate) fn number(&mut self) -> Fallible<i64> {
        self.number_if_any()?.ok_or_else(wrong)
    }

    pub(crate) fn number_if_any(&mut self) -> Fallible<Option<i64>> {
        match self.0.next() {
            Some(Cell::Number(number)) => Ok(Some(number)),
            Some(Cell::Missing) => Ok(None),
            _ => Err(wrong()),
        }
    }

    pub(crate) fn bytes_if_any(&mut self) -> Fallible<Option<Vec<u8>>> {
        match self.0.next() {
            Some(Cell::Bytes(bytes)) => Ok(Some(bytes)),
            Some(Cell::Missing) => Ok(None),
            _ => Err(wrong()),
        }
    }

    pub(crate) fn hash(&mut self) -> Fallible<[u8; 32]> {
        self.bytes_if_any()?.and_then(|bytes| bytes.try_into().ok()).ok_or_else(wrong)
    }
}

fn wrong() -> Error {
    Error::Tampered("a column is of another type".into())
}
