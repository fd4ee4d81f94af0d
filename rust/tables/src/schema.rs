//! What columns a table has: public, and stated before the data are seen.

use crate::{
    Error, Result,
    cell::{Cell, CellKind, Cells, Collector},
    missing::Missing,
};
use std::{any::TypeId, sync::Arc};

/// Names and types of columns, and what a missing cell of each becomes.
#[derive(Clone, Default)]
pub struct Schema {
    columns: Vec<Declared>,
}

#[derive(Clone)]
pub(crate) struct Declared {
    pub(crate) name: String,
    kind: TypeId,
    /// Whether cells may be missing.
    stays: bool,
    collector: Arc<dyn Fn() -> Box<dyn Collector> + Send + Sync>,
}

impl Schema {
    /// No columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same columns and one more.
    ///
    /// # Errors
    ///
    /// A name that a column already has; NaN as the value of missing cells, which is what [`Missing::Stays`] is for.
    pub fn column<T: Cell>(mut self, name: &str, missing: Missing<T>) -> Result<Self> {
        if self.columns.iter().any(|column| column.name == name) {
            return Err(Error::column(name, "is declared twice"));
        }
        if matches!(&missing, Missing::Is(value) if !value.is_value()) {
            return Err(Error::column(name, "the value of missing cells must not be NaN: let them stay missing"));
        }
        self.columns.push(Declared {
            name: name.to_owned(),
            kind: TypeId::of::<T>(),
            stays: matches!(missing, Missing::Stays),
            collector: Arc::new(move || Box::new(Cells::new(missing.clone()))),
        });
        Ok(self)
    }

    /// The column of this name, if it is declared with type `T`; and whether cells may be missing.
    pub(crate) fn find<T: CellKind>(&self, name: &str) -> Result<(usize, bool)> {
        let position = self.columns.iter().position(|column| column.name == name);
        let found = position.and_then(|position| Some((position, self.columns.get(position)?)));
        let (position, column) = found.ok_or_else(|| Error::column(name, "is not declared in the schema"))?;
        match column.kind == TypeId::of::<T>() {
            true => Ok((position, column.stays)),
            false => Err(Error::column(name, "is declared with another type")),
        }
    }

    pub(crate) fn columns(&self) -> &[Declared] {
        &self.columns
    }
}

impl Declared {
    pub(crate) fn collector(&self) -> Box<dyn Collector> {
        (self.collector)()
    }
}
