//! The rows of a table, some thousand in a batch.

use super::column::Column;
use crate::core::{Batched, Error, Fallible, Sealed, ToParameter};
use std::{fmt, ops::Deref, sync::Arc};

/// The maximum number of rows that [`Frame::new`] puts into a batch, small enough that the values computed from them
/// stay in the processor's cache.
pub(super) const BATCH_ROWS: usize = 1 << 12;

/// Some rows of a table: named columns of one length.
#[derive(Clone)]
pub struct Batch {
    names: Arc<[String]>,
    columns: Vec<Column>,
    rows: usize,
}

impl Batch {
    /// Makes a batch of columns with this number of rows each, in the order of their names.
    pub(super) fn new(names: Arc<[String]>, columns: Vec<Column>, rows: usize) -> Self {
        Self { names, columns, rows }
    }

    /// Returns the columns' names, in order.
    pub fn names(&self) -> &Arc<[String]> {
        &self.names
    }

    /// Returns the columns, in the order of their names.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the number of rows. It is private unless all neighbors have the same size.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the rows at these positions, in this order.
    pub(super) fn take(&self, rows: &[usize]) -> Self {
        let columns = self.columns.iter().map(|column| column.take(rows)).collect();
        Self::new(self.names.clone(), columns, rows.len())
    }
}

impl Batched for Batch {
    fn rows(&self) -> usize {
        self.rows
    }
}

/// Prints only the columns' names, because cells are private data.
impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("names", &self.names).finish_non_exhaustive()
    }
}

/// A table in memory: its rows, in batches.
///
/// It is a slice of [`Batch`]es, the input of chains that begin with a [`FrameDomain`](super::FrameDomain). Clones
/// share the cells.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    batches: Vec<Batch>,
}

impl Frame {
    /// Makes a table from named columns of equal length.
    ///
    /// # Errors
    ///
    /// Returns an error if two columns have the same name or different lengths.
    pub fn new<N: Into<String>>(columns: impl IntoIterator<Item = (N, Column)>) -> Fallible<Self> {
        let (names, columns): (Vec<String>, Vec<Column>) =
            columns.into_iter().map(|(name, column)| (name.into(), column)).unzip();
        let names = checked_names(names)?;
        let rows = columns.first().map_or(0, Column::len);
        if columns.iter().any(|column| column.len() != rows) {
            return Err(Error::parameter("columns", "must have equal lengths"));
        }
        let starts = (0..rows).step_by(BATCH_ROWS);
        let batch = |start| {
            let slice = |column: &Column| column.slice(start, BATCH_ROWS);
            Batch::new(names.clone(), columns.iter().map(slice).collect(), BATCH_ROWS.min(rows - start))
        };
        Ok(Self { batches: starts.map(batch).collect() })
    }

    /// Returns the number of rows. It is private unless all neighbors have the same size.
    pub fn rows(&self) -> usize {
        self.batches.iter().map(|batch| batch.rows).fold(0, usize::saturating_add)
    }
}

impl Deref for Frame {
    type Target = [Batch];

    fn deref(&self) -> &[Batch] {
        &self.batches
    }
}

impl From<Vec<Batch>> for Frame {
    fn from(batches: Vec<Batch>) -> Self {
        Self { batches }
    }
}

/// Types of column names: `&'static str` and `String`. No other crate may add a type, because its `to_parameter` could
/// give a plan a name that differs from the column's.
#[allow(private_bounds)]
pub trait Name: Sealed + Into<String> + ToParameter + Clone + Send + 'static {}

impl Name for &'static str {}
impl Name for String {}

/// Returns the names, or an error if two are equal.
pub(super) fn checked_names(names: Vec<String>) -> Fallible<Arc<[String]>> {
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    if let Some(name) =
        sorted.iter().zip(sorted.iter().skip(1)).find_map(|(left, right)| (left == right).then_some(left))
    {
        return Err(Error::parameter("columns", format!("the name {name:?} is repeated")));
    }
    Ok(names.into())
}
