//! Where the rows of a table come from.

#[cfg(feature = "files")]
use crate::files::Files;
use indistinct::frames::Frame;
use std::error::Error;

/// Where the rows of a table come from, each time that they are needed: a [`Frame`], or a function that reads them.
/// Nothing is read before a release has been charged.
pub trait Source {
    /// Checks, without reading rows and before a release is charged, that the file exists and has the table's columns.
    ///
    /// # Errors
    ///
    /// Whatever is wrong. Nothing is charged then.
    fn check(&self) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(())
    }

    /// All rows.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read. The charge of the release is kept, and the release can be tried again under its name.
    fn rows(&self) -> Result<Frame, Box<dyn Error + Send + Sync>>;

    /// Returns true if every record of the data set is a row: none is left out, whatever is in its cells. Otherwise a
    /// record that changes may be a row that is removed or added, so the table may not state a number of rows, and a
    /// session for changed rows prices no measurement in [`ChangeOneDistance`] or [`HammingDistance`].
    ///
    /// A session cannot see how a frame was made, so the answer is `false` unless [`EveryRecord`] says otherwise.
    ///
    /// [`ChangeOneDistance`]: indistinct::metrics::ChangeOneDistance
    /// [`HammingDistance`]: indistinct::metrics::HammingDistance
    fn keeps_every_record(&self) -> bool {
        false
    }
}

/// A source whose rows are all records of the data set, by the word of the program that uses it: no row was left out
/// because of what is in its cells ([`Source::keeps_every_record`]).
///
/// Rows from a reader of `indistinct-tables` are so unless its `leaves_out_rows` is true.
#[derive(Debug, Clone)]
pub struct EveryRecord<S>(pub S);

impl<S: Source> Source for EveryRecord<S> {
    fn check(&self) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.0.check()
    }

    fn rows(&self) -> Result<Frame, Box<dyn Error + Send + Sync>> {
        self.0.rows()
    }

    fn keeps_every_record(&self) -> bool {
        true
    }
}

impl Source for Frame {
    fn rows(&self) -> Result<Frame, Box<dyn Error + Send + Sync>> {
        Ok(self.clone())
    }
}

impl<E: Into<Box<dyn Error + Send + Sync>>, F: Fn() -> Result<Frame, E>> Source for F {
    fn rows(&self) -> Result<Frame, Box<dyn Error + Send + Sync>> {
        self().map_err(Into::into)
    }
}

/// Where a session has the rows of a table from.
pub(crate) enum Rows {
    /// All of them at once.
    Source(Box<dyn Source + Send>),
    /// By an engine.
    #[cfg(feature = "files")]
    Files(Box<Files>),
}

impl Rows {
    /// Returns true if a record of the data set may be read as no row.
    pub(crate) fn leaves_out_rows(&self) -> bool {
        match self {
            Rows::Source(source) => !source.keeps_every_record(),
            #[cfg(feature = "files")]
            Rows::Files(files) => files.leaves_out_rows(),
        }
    }

    /// The columns without whose value a row is left out: how the rows are read depends on them.
    pub(crate) fn needed_columns(&self) -> Vec<&str> {
        match self {
            Rows::Source(_) => Vec::new(),
            #[cfg(feature = "files")]
            Rows::Files(files) => files.needed_columns(),
        }
    }
}
