//! A table: columns of one length, in Arrow arrays.

use crate::{Error, Result, Schema, cell::CellKind};
use arrow_array::{Array, ArrayRef, RecordBatch};
use std::fmt;

/// The columns of a [`Schema`], with data in them.
///
/// Columns are shared, not copied, by clones of a frame.
#[derive(Clone)]
pub struct Frame {
    schema: Schema,
    columns: Vec<ArrayRef>,
    rows: usize,
}

impl Frame {
    /// The declared columns of Arrow arrays. Columns of `f64` and `i64` in which nothing is to be replaced are shared,
    /// not copied.
    ///
    /// # Errors
    ///
    /// A declared column that is not in the batch, twice, or of a type that does not fit.
    pub fn from_arrow(batch: &RecordBatch, schema: &Schema) -> Result<Self> {
        let arrow = batch.schema();
        let positions = schema.positions_in(&arrow)?;
        let columns = schema.columns().iter().zip(positions).map(|(column, position)| {
            let array = batch.columns().get(position).and_then(|array| column.collector().adopt(array));
            array
                .ok_or_else(|| Error::column(&column.name, "has a type in the data that does not fit the declared one"))
        });
        Self::new(schema, columns.collect::<Result<_>>()?, batch.num_rows())
    }

    /// All columns must have so many rows.
    pub(crate) fn new(schema: &Schema, columns: Vec<ArrayRef>, rows: usize) -> Result<Self> {
        let equal = columns.iter().all(|column| column.len() == rows);
        let frame = Self { schema: schema.clone(), columns, rows };
        if equal { Ok(frame) } else { Err(Error::file("has columns of different lengths")) }
    }

    /// The columns' names and types.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The number of rows. It is private unless the neighbors are datasets of one size.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The array of a column that was declared with type `T`, and whether cells may be missing.
    pub(crate) fn array<T: CellKind>(&self, name: &str) -> Result<(&T::Kept, bool)> {
        let (position, stays) = self.schema.find::<T>(name)?;
        let array = self.columns.get(position).and_then(|array| array.as_any().downcast_ref());
        Ok((array.ok_or_else(|| Error::column(name, "is declared with another type"))?, stays))
    }
}

/// Cells are data: only the columns' names are printed.
impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frame").field("schema", &self.schema).finish_non_exhaustive()
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.columns().iter().map(|column| &column.name)).finish()
    }
}

/// Where the declared columns are among those of a file.
impl Schema {
    pub(crate) fn positions_in(&self, arrow: &arrow_schema::Schema) -> Result<Vec<usize>> {
        let names = arrow.fields().iter().map(|field| field.name().as_str());
        self.positions(names.clone(), || format!("whose columns are {}", listed(names.clone())))
    }

    /// `seen` says what columns there are, where one is not among them.
    pub(crate) fn positions<'a>(
        &self,
        names: impl Iterator<Item = &'a str> + Clone,
        seen: impl Fn() -> String,
    ) -> Result<Vec<usize>> {
        let position = |column: &crate::schema::Declared| {
            let mut places = names.clone().zip(0..).filter(|(name, _)| *name == column.name);
            match (places.next(), places.next()) {
                (Some((_, place)), None) => Ok(place),
                (None, _) => Err(Error::column(&column.name, format!("is not in the data, {}", seen()))),
                (Some(_), Some(_)) => Err(Error::column(&column.name, "is in the data twice")),
            }
        };
        self.columns().iter().map(position).collect()
    }
}

/// The most names that an error lists.
const MAX_LISTED: usize = 8;

/// Names in quotes; of many, the first ones and how many more there are.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str> + Clone) -> String {
    let number = names.clone().count();
    let first: Vec<_> = names.take(MAX_LISTED).map(|name| format!("{name:?}")).collect();
    let more = number.saturating_sub(MAX_LISTED);
    if more == 0 { first.join(", ") } else { format!("{} and {more} more", first.join(", ")) }
}
