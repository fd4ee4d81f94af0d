//! Errors of a session.

use indistinct_ledger::Loss;
use std::{error, fmt};

/// The result of a session's functions.
pub type Fallible<T> = Result<T, Error>;

/// The reason that a session could not do something. No error reveals anything about the data, except the error of a
/// table's own source.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The session, a table or a question is not valid.
    #[error("{0}")]
    Session(String),
    /// The measurement failed: its parameters, its measure, its map, or data outside the table's domain.
    #[error(transparent)]
    Measurement(#[from] indistinct::core::Error),
    /// The ledger refused: too little budget, a name that has been used, or storage.
    #[error(transparent)]
    Ledger(#[from] indistinct_ledger::Error),
    /// The name was charged for a question that was not released, and this question has a different cost or is about a
    /// different table.
    #[error(
        "release {name:?}: was charged {charged} for a question about table {table:?}, and nothing was released: ask about \
         that table at the same cost, or use another name for this question ({asked})"
    )]
    #[non_exhaustive]
    Charged {
        /// The name of the release.
        name: String,
        /// The table of the charged question.
        table: String,
        /// The charged loss.
        charged: Loss,
        /// This question: its cost and its table.
        asked: String,
    },
    /// The source of a table failed. Its message may be about data, and is only for people who may see the data.
    #[error("the source of table {table:?}: {source}{}", stands(charged_as.as_deref()))]
    Source {
        /// The table's name.
        table: String,
        /// The source's own error.
        source: Box<dyn error::Error + Send + Sync>,
        /// The name of the release, if it was charged before the source failed.
        charged_as: Option<String>,
    },
    /// A certificate contains a false statement.
    #[error("the certificate: {0}")]
    Certificate(String),
}

/// The state of a charge after its source has failed.
fn stands(charged_as: Option<&str>) -> String {
    let stands = |name| format!("; the charge stands, and another release under the name {name:?} costs nothing more");
    charged_as.map(stands).unwrap_or_default()
}

pub(crate) fn refuse(rule: impl Into<String>) -> Error {
    Error::Session(rule.into())
}

/// Writes the sentence, which a program that ends with this error prints.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
