//! Errors that name a column and a rule, and nothing that the rows say.

use std::{
    fmt, io, iter,
    path::{Path, PathBuf},
};

/// A value, or an error.
pub type Result<T> = std::result::Result<T, Error>;

/// Why there is no frame. `Debug` writes it as `Display` does.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An option of the reader breaks a rule.
    #[error("{option}: {rule}")]
    #[non_exhaustive]
    Option {
        /// The method that set it.
        option: &'static str,
        /// The rule.
        rule: String,
    },
    /// A column breaks a rule.
    #[error("column {column}: {rule}")]
    #[non_exhaustive]
    Column {
        /// The name that was asked for or declared.
        column: String,
        /// The rule.
        rule: String,
    },
    /// A file cannot be read.
    #[error("file{}: {rule}", path.as_ref().map(|path| format!(" {}", path.display())).unwrap_or_default())]
    #[non_exhaustive]
    File {
        /// Where it is, if it was named.
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

    /// An error about a file. The message of a library may quote the file, so it is dropped.
    pub(crate) fn file(rule: impl Into<String>) -> Self {
        Self::File { path: None, rule: rule.into(), source: None }
    }

    /// The same, with the operating system's own reason if there is one in what a library says. It is made anew from
    /// its number, so that it quotes nothing.
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

    /// The same of the file at a path.
    pub(crate) fn at(self, place: &Path) -> Self {
        match self {
            Self::File { rule, source, .. } => Self::File { path: Some(place.to_owned()), rule, source },
            other => other,
        }
    }
}
