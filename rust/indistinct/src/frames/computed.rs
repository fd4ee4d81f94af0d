//! The positions of computed columns.

use super::{
    column::Column,
    domain::{ColumnDomain, FrameDomain},
};
use crate::core::{Error, Fallible};

/// The definitions of computed columns and their positions. A column replaces the column of the same name, or is added
/// after all others.
pub(super) struct Computed<T> {
    by: Vec<(usize, T)>,
}

impl<T> Computed<T> {
    /// Builds this from the names, definitions and domains of the new columns, and returns all columns of the rows with
    /// them.
    ///
    /// # Errors
    ///
    /// Returns an error if a name is repeated or is the column of individuals.
    pub(super) fn new(
        frames: &FrameDomain,
        columns: impl IntoIterator<Item = Fallible<(String, T, ColumnDomain)>>,
    ) -> Fallible<(Self, Vec<(String, ColumnDomain)>)> {
        let mut described: Vec<_> = frames.names().iter().cloned().zip(frames.columns().iter().cloned()).collect();
        let mut all = Self { by: Vec::new() };
        for column in columns {
            let (name, by, domain) = column?;
            if frames.individuals() == Some(name.as_str()) {
                let rule = format!("the column {name:?} identifies individuals and cannot be changed");
                return Err(Error::parameter("columns", rule));
            }
            let place = described.iter().position(|(listed, _)| *listed == name).unwrap_or(described.len());
            if all.replaces(place) {
                return Err(Error::parameter("columns", format!("the name {name:?} is repeated")));
            }
            match described.get_mut(place) {
                Some((_, replaced)) => *replaced = domain,
                None => described.push((name, domain)),
            }
            all.by.push((place, by));
        }
        Ok((all, described))
    }

    /// Returns true if a computed column has this position.
    pub(super) fn replaces(&self, place: usize) -> bool {
        self.by.iter().any(|(other, _)| *other == place)
    }

    /// Replaces or adds the computed columns.
    pub(super) fn put(&self, mut columns: Vec<Column>, compute: impl Fn(&T) -> Column) -> Vec<Column> {
        for (place, by) in &self.by {
            let column = compute(by);
            match columns.get_mut(*place) {
                Some(replaced) => *replaced = column,
                None => columns.push(column),
            }
        }
        columns
    }
}
