//! Why a ledger does not do what it is asked.

use std::io;

/// A value, or the reason why there is none.
pub type Fallible<T> = Result<T, Error>;

/// Why a ledger did nothing. What it says is public: names, plans and amounts, never data.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter breaks a rule.
    #[error("parameter {name}: {rule}")]
    #[non_exhaustive]
    Parameter {
        /// Its name.
        name: &'static str,
        /// The rule.
        rule: String,
    },
    /// The charge would exceed what is left of a budget.
    #[error("budget: {loss} would exceed what is left of the account {account:?}: {left}")]
    #[non_exhaustive]
    Budget {
        /// The account, which may be above the one that was to be charged.
        account: String,
        /// What was to be charged.
        loss: String,
        /// What is left.
        left: String,
    },
    /// The key belongs to another plan or loss.
    #[error(
        "key: {key:?} was charged for another plan or another loss: choose another key, or ask what it was charged for"
    )]
    #[non_exhaustive]
    Conflict {
        /// The key.
        key: String,
    },
    /// A release under this key was interrupted once its noise was drawn. It cannot be made again.
    #[error(
        "key: a release under {key:?} was interrupted after its noise was drawn: it is lost, and a new one needs another key"
    )]
    #[non_exhaustive]
    Lost {
        /// The key.
        key: String,
    },
    /// There is no ledger that this version may write, or not in this way.
    #[error("ledger: {0}")]
    Refused(String),
    /// What is in the tables does not follow from the entries.
    #[error("ledger: was changed from outside: {0}")]
    Tampered(String),
    /// The ledger was opened by the process of which this one is a fork.
    #[error("ledger: belongs to the process that opened it")]
    Process,
    /// Others have been writing for half a minute. Nothing was written.
    #[error("ledger: others have been writing for too long; nothing was written")]
    Busy,
    /// SQLite or the server failed. What was to be written may or may not be in the ledger: the same key tells, once it
    /// is opened again.
    #[error("ledger: {0}")]
    Storage(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The operating system failed.
    #[error("ledger: {0}")]
    System(#[from] io::Error),
}

impl Error {
    pub(crate) fn parameter(name: &'static str, rule: impl Into<String>) -> Self {
        Self::Parameter { name, rule: rule.into() }
    }
}

/// What SQLite says names tables and files, never what is in them.
impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::Storage(Box::new(error))
    }
}
