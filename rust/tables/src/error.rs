//! Errors that name a column and a rule, and nothing that the rows say.

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
        rule: &'static str,
    },
    /// A file cannot be read.
    #[error("file: {rule}")]
    File {
        /// The rule.
        rule: &'static str,
    },
}

impl Error {
    pub(crate) fn column(column: &str, rule: &'static str) -> Self {
        Self::Column { column: column.to_owned(), rule }
    }

    /// What a library says of a file may quote it, so that it is not passed on.
    pub(crate) fn file(rule: &'static str) -> Self {
        Self::File { rule }
    }
}
