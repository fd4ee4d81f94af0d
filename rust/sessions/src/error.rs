//! Errors of a session.

use indistinct_ledger::Loss;
use std::{error, fmt};

/// The result of a session's functions.
pub type Fallible<T> = Result<T, Error>;

/// Why a session could not do what it was asked to. None of these says anything of the data, but that of a table's own
/// source.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The session, a table or a question is not what it must be.
    #[error("{0}")]
    Session(String),
    /// The measurement: its parameters, its measure, its map, or data that are not of the table's domain.
    #[error(transparent)]
    Measurement(#[from] indistinct::core::Error),
    /// The ledger: too little budget, a name that has been used, storage.
    #[error(transparent)]
    Ledger(#[from] indistinct_ledger::Error),
    /// The name was charged for a question that was not released, and which costs something else or is about another
    /// table.
    #[error(
        "release {name:?}: was charged {charged} for a question about table {table:?}, which was not released: a question \
         about that table that costs the same is released under it at no further cost, and this one ({asked}) needs \
         another name"
    )]
    #[non_exhaustive]
    Charged {
        /// The name of the release.
        name: String,
        /// The table that was asked about.
        table: String,
        /// The loss that was charged.
        charged: Loss,
        /// The present question: its cost and its table.
        asked: String,
    },
    /// The source of a table, in its own words, which may be about data: for those who may see them.
    #[error("the source of table {table:?}: {source}{}", stands(charged_as.as_deref()))]
    Source {
        /// The table's name.
        table: String,
        /// The source's own error.
        source: Box<dyn error::Error + Send + Sync>,
        /// The name of the release, if it was charged before the source failed.
        charged_as: Option<String>,
    },
    /// A certificate that does not say what is so.
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

/// The sentence, which is what a program that ends in an error prints.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
