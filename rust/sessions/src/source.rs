//! The sources of a table's rows.

#[cfg(feature = "files")]
use crate::files::Files;
use indistinct::frames::Frame;
use std::error::Error;

/// The source of a table's rows: a [`Frame`], or a function that reads the rows each time they are needed. Nothing is
/// read before a release has been charged.
pub trait Source {
    /// Checks, without reading rows and before a release is charged, that the file exists and has the table's columns.
    ///
    /// # Errors
    ///
    /// Returns any problem that it finds; then nothing is charged.
    fn check(&self) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(())
    }

    /// Returns all rows.
    ///
    /// # Errors
    ///
    /// Returns an error if rows cannot be read. The charge of the release is kept, and the release can be retried under
    /// its name.
    fn rows(&self) -> Result<Frame, Box<dyn Error + Send + Sync>>;

    /// Returns true if every record of the data set is a row, and none is dropped because of its contents. Otherwise a
    /// changed record may be a removed or an added row. The table may then not state a number of rows, and a session
    /// that protects changed rows prices no measurement in [`ChangeOneDistance`] or [`HammingDistance`].
    ///
    /// A session cannot see how a frame was made, so the answer is `false` unless [`EveryRecord`] is used.
    ///
    /// [`ChangeOneDistance`]: indistinct::metrics::ChangeOneDistance
    /// [`HammingDistance`]: indistinct::metrics::HammingDistance
    fn keeps_every_record(&self) -> bool {
        false
    }
}

/// A source whose rows are all records of the data set. The program vouches that no row was dropped because of its
/// contents ([`Source::keeps_every_record`]).
///
/// Rows from a reader of `indistinct-tables` satisfy this unless its `leaves_out_rows` returns true.
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

/// The rows of a session's table.
pub(crate) enum Rows {
    /// A source that returns all rows at once.
    Source(Box<dyn Source + Send>),
    /// Files that an engine reads.
    #[cfg(feature = "files")]
    Files(Box<Files>),
}

impl Rows {
    /// Returns true if a record of the data set may be dropped.
    pub(crate) fn leaves_out_rows(&self) -> bool {
        match self {
            Rows::Source(source) => !source.keeps_every_record(),
            #[cfg(feature = "files")]
            Rows::Files(files) => files.leaves_out_rows(),
        }
    }

    /// Returns the columns whose missing cells drop rows: the rows that are read depend on them.
    pub(crate) fn needed_columns(&self) -> Vec<&str> {
        match self {
            Rows::Source(_) => Vec::new(),
            #[cfg(feature = "files")]
            Rows::Files(files) => files.needed_columns(),
        }
    }
}
