//! Errors that name a column and a rule, and never contain data.

use std::{
    fmt, io, iter,
    path::{Path, PathBuf},
};

/// A result with this crate's error type.
pub type Result<T> = std::result::Result<T, Error>;

/// The reason that a table cannot be read. `Debug` writes the same text as `Display`.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An option of the reader violates a rule.
    #[error("{option}: {rule}")]
    #[non_exhaustive]
    Option {
        /// The method that set the option.
        option: &'static str,
        /// The rule.
        rule: String,
    },
    /// A column violates a rule.
    #[error("column {column}: {rule}")]
    #[non_exhaustive]
    Column {
        /// The requested or declared name.
        column: String,
        /// The rule.
        rule: String,
    },
    /// A file cannot be read.
    #[error("file{}: {rule}", path.as_ref().map(|path| format!(" {}", path.display())).unwrap_or_default())]
    #[non_exhaustive]
    File {
        /// The file's path, if it has one.
        path: Option<PathBuf>,
        /// The rule.
        rule: String,
        /// The operating system's error, if it is the cause.
        source: Option<io::Error>,
    },
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error {
    pub(crate) fn option(option: &'static str, rule: impl Into<String>) -> Self {
        Self::Option { option, rule: rule.into() }
    }

    pub(crate) fn column(column: &str, rule: impl Into<String>) -> Self {
        Self::Column { column: column.to_owned(), rule: rule.into() }
    }

    /// Makes an error about a file. The message of a library is dropped, because it may quote the file.
    pub(crate) fn file(rule: impl Into<String>) -> Self {
        Self::File { path: None, rule: rule.into(), source: None }
    }

    /// Adds the operating system's error, if a library's error contains one. It is made again from its number, so that
    /// it quotes nothing.
    pub(crate) fn because(self, said: &(dyn std::error::Error + 'static)) -> Self {
        let reasons = iter::successors(Some(said), |said| said.source());
        let number = reasons.filter_map(|said| said.downcast_ref::<io::Error>()?.raw_os_error()).next();
        match (self, number) {
            (Self::File { path, rule, .. }, Some(number)) => {
                Self::File { path, rule, source: Some(io::Error::from_raw_os_error(number)) }
            }
            (other, _) => other,
        }
    }

    /// Adds the path of the file.
    pub(crate) fn at(self, place: &Path) -> Self {
        match self {
            Self::File { rule, source, .. } => Self::File { path: Some(place.to_owned()), rule, source },
            other => other,
        }
    }
}
