//! Errors that name a column and a rule, and nothing that the rows say.

use std::path::{Path, PathBuf};

/// A value, or the reason why there is none.
pub type Result<T> = std::result::Result<T, Error>;

/// Why there is no schema, frame or column.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A column breaks a rule.
    #[error("column {column}: {rule}")]
    Column {
        /// The name that was asked for or declared.
        column: String,
        /// The rule.
        rule: String,
    },
    /// A file cannot be read.
    #[error("file{}: {rule}", path.as_ref().map(|path| format!(" {}", path.display())).unwrap_or_default())]
    File {
        /// Where it is, if it was named.
        path: Option<PathBuf>,
        /// The rule.
        rule: String,
    },
}

impl Error {
    pub(crate) fn column(column: &str, rule: impl Into<String>) -> Self {
        Self::Column { column: column.to_owned(), rule: rule.into() }
    }

    /// What a library says of a file may quote it, so that it is not passed on.
    pub(crate) fn file(rule: impl Into<String>) -> Self {
        Self::File { path: None, rule: rule.into() }
    }

    /// The same of the file at a path.
    pub(crate) fn at(self, place: &Path) -> Self {
        match self {
            Self::File { rule, .. } => Self::File { path: Some(place.to_owned()), rule },
            column => column,
        }
    }
}
