//! Where the rows of a table come from.

#[cfg(feature = "files")]
use crate::files::Files;
use indistinct::frames::Frame;
use std::error::Error;

/// Where the rows of a table come from, each time that they are needed: a [`Frame`], or a function that reads them.
/// Nothing is read before a release has been charged.
pub trait Source {
    /// Refuse what can be told without rows, before a release is charged: a file that is not there, say, or without the
    /// table's columns.
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
    /// Rows that cannot be read. The charge of the release is kept, and its key can be tried again.
    fn rows(&self) -> Result<Frame, Box<dyn Error + Send + Sync>>;
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
