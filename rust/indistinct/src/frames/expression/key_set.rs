//! Public lists of keys.

use super::{super::cell::Cell, Expr, Form, col, table::Table};
use crate::core::{Error, Fallible, Parameter, ToParameter, require};
use std::{collections::BTreeMap, sync::Arc};

/// A public list of keys of one or several columns: the rows of a released table.
///
/// ```
/// use indistinct::frames::KeySet;
/// let keys = KeySet::product([("region", vec!["north", "south"]), ("sex", vec!["f", "m"])])?;
/// assert_eq!((keys.len(), keys.columns()), (4, &["region".to_owned(), "sex".to_owned()][..]));
/// assert_eq!(format!("{:?}", keys.key(1)), r#"Some([Text("north"), Text("m")])"#);
/// # Ok::<(), indistinct::core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct KeySet {
    columns: Vec<String>,
    keys: Vec<Vec<Cell>>,
}

/// The maximum number of keys in a list.
const MAX_KEYS: usize = 1 << 24;

impl KeySet {
    /// Makes a list of these keys, each with one cell for each column. A missing cell stands for the rows in which the
    /// column is missing.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no columns or one is repeated, or if there are no keys, more than 2^24 keys, or a
    /// key with a different number of cells. A repeated key is an error when the list is used, because only then are
    /// the columns' types known, which decide which cells are equal.
    pub fn list(
        columns: impl IntoIterator<Item: Into<String>>,
        keys: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Fallible<Self> {
        let columns: Vec<String> = columns.into_iter().map(Into::into).collect();
        let keys: Vec<Vec<Cell>> = keys.into_iter().take(MAX_KEYS + 1).collect();
        require(!columns.is_empty(), "keys", "must have at least one column")?;
        let names: BTreeMap<&String, usize> = columns.iter().zip(0..).collect();
        require(names.len() == columns.len(), "keys", "must not name a column twice")?;
        require(!keys.is_empty(), "keys", "must not be empty")?;
        require(keys.len() <= MAX_KEYS, "keys", "must be at most 2^24 keys")?;
        require(keys.iter().all(|key| key.len() == columns.len()), "keys", "must each have one cell for each column")?;
        Ok(Self { columns, keys })
    }

    /// Makes all combinations of the values of several columns; the last column varies fastest.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`list`](KeySet::list).
    pub fn product<C: Into<Cell>>(
        columns: impl IntoIterator<Item = (impl Into<String>, impl IntoIterator<Item = C>)>,
    ) -> Fallible<Self> {
        let mut all = Self { columns: Vec::new(), keys: vec![Vec::new()] };
        for (name, cells) in columns {
            let keys = cells.into_iter().map(|cell| vec![cell.into()]);
            all = all.times(&Self::list([name], keys)?)?;
        }
        Self::list(all.columns, all.keys)
    }

    /// Makes all combinations of a key of this list and a key of another list with other columns.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`list`](KeySet::list).
    pub fn times(&self, other: &Self) -> Fallible<Self> {
        let number = self.keys.len().checked_mul(other.keys.len());
        if number.is_none_or(|number| number > MAX_KEYS) {
            return Err(Error::parameter("keys", "must be at most 2^24 keys"));
        }
        let combined = self.keys.iter().flat_map(|key| other.keys.iter().map(|more| [&key[..], &more[..]].concat()));
        Self::list([&self.columns[..], &other.columns[..]].concat(), combined)
    }

    /// Returns the columns' names.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns false, because there is at least one key.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the key at a position.
    pub fn key(&self, position: usize) -> Option<&[Cell]> {
        self.keys.get(position).map(Vec::as_slice)
    }

    /// Returns the keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &[Cell]> {
        self.keys.iter().map(Vec::as_slice)
    }

    /// Returns a row's position in the list, counted from 0, or the number of keys for a row whose key is not in the
    /// list.
    ///
    /// Counts and sums by these positions, for example with
    /// [`make_count_by_categories`](crate::transformations::make_count_by_categories), are counts and sums by key.
    pub fn position(&self) -> Expr {
        let place = |place: usize| Cell::Integer(i64::try_from(place).unwrap_or(i64::MAX));
        let rows = self.keys.iter().cloned().zip((0..).map(place)).collect();
        let columns = self.columns.iter().map(|name| col(name)).collect();
        Expr::new(Form::Lookup(columns, Arc::new(Table::new(rows, place(self.len())))))
    }
}

impl ToParameter for KeySet {
    fn to_parameter(&self) -> Parameter {
        (self.columns.clone(), self.keys.clone()).to_parameter()
    }
}
