//! Errors of ledgers.

use rusqlite::{ErrorCode, ffi::SQLITE_READONLY_DBMOVED};
use std::{convert::Infallible, io};

/// A result with this crate's error type.
pub type Fallible<T> = Result<T, Error>;

/// An error of a ledger. The operation had no effect. Its text is public: names, plans and amounts, never data.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter violates a rule.
    #[error("parameter {name}: {rule}")]
    #[non_exhaustive]
    Parameter {
        /// The parameter's name.
        name: &'static str,
        /// The rule.
        rule: String,
    },
    /// The charge would exceed what remains of a budget.
    #[error("budget: {loss} would exceed what remains of the account {account:?}: {remaining}")]
    #[non_exhaustive]
    Budget {
        /// The account, which may be above the account to charge.
        account: String,
        /// The loss to charge.
        loss: String,
        /// The remaining budget.
        remaining: String,
    },
    /// Nothing remains of a budget.
    #[error("budget: nothing remains of the account {account:?}")]
    #[non_exhaustive]
    Spent {
        /// The account without remaining budget: the account itself or one above it.
        account: String,
    },
    /// The key belongs to a different plan or loss.
    #[error(
        "release {key:?}: was charged for another plan or another loss: choose another name, or repeat the charged question"
    )]
    #[non_exhaustive]
    Conflict {
        /// The key.
        key: String,
    },
    /// The noise of a release under this key was drawn, and the release is not stored. Another process may still be
    /// working on it, and the key returns the release once it is stored. If that process ended, the release is lost.
    #[error(
        "release {key:?}: its noise was drawn, but it is not stored; if another process is still working on it, retry \
         later; otherwise the release is lost and stays charged, and a new one needs another name"
    )]
    #[non_exhaustive]
    Lost {
        /// The key.
        key: String,
    },
    /// The file was moved, copied, linked or replaced in a way that could lose charges. Nothing was written.
    #[error("ledger: {0}")]
    Misplaced(String),
    /// There is no ledger that this version may write, or the ledger may not be written in this way.
    #[error("ledger: {0}")]
    Refused(String),
    /// The tables do not follow from the entries.
    #[error("ledger: it was changed by another program: {0}")]
    Tampered(String),
    /// The ledger was opened by the parent of this forked process.
    #[error("ledger: it can be used only in the process that opened it")]
    Process,
    /// Other processes have been writing or reading for half a minute. Nothing was written.
    #[error("ledger: other processes have used it for too long; nothing was written")]
    Busy,
    /// SQLite or the server failed. The write may or may not be in the ledger; open it again and retry with the same
    /// key.
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

/// An amount converts to itself, so there is no error.
impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// SQLite's errors name tables and files, never their contents.
impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        if error.sqlite_error().is_some_and(|error| error.extended_code == SQLITE_READONLY_DBMOVED) {
            return Self::Misplaced("the file was moved during a commit; nothing was written".into());
        }
        match error.sqlite_error_code() {
            // Another process holds the lock. SQLite undoes the whole transaction, so the file is unchanged.
            Some(ErrorCode::DatabaseBusy) => Self::Busy,
            _ => Self::Storage(Box::new(error)),
        }
    }
}
