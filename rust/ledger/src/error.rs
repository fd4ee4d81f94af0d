//! Why a ledger does not do what it is asked.

use rusqlite::{ErrorCode, ffi::SQLITE_READONLY_DBMOVED};
use std::{convert::Infallible, io};

/// A value, or an error.
pub type Fallible<T> = Result<T, Error>;

/// An error of a ledger, which then did nothing. Its text is public: names, plans and amounts, never data.
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
    /// The charge would exceed what remains of a budget.
    #[error("budget: {loss} would exceed what remains of the account {account:?}: {remaining}")]
    #[non_exhaustive]
    Budget {
        /// The account, which may be above the one that was to be charged.
        account: String,
        /// The loss that was to be charged.
        loss: String,
        /// The remaining budget.
        remaining: String,
    },
    /// Nothing remains of a budget.
    #[error("budget: nothing remains of the account {account:?}")]
    #[non_exhaustive]
    Spent {
        /// The account, or the one above it of which nothing remains.
        account: String,
    },
    /// The key belongs to another plan or loss.
    #[error(
        "release {key:?}: was charged for another plan or another loss: choose another name, or ask what was charged"
    )]
    #[non_exhaustive]
    Conflict {
        /// The key.
        key: String,
    },
    /// The noise of a release under this key was drawn, and the release is not stored. Another process may still be at
    /// work on it: then the key gives the release once it is stored. If that process ended, the release is lost.
    #[error(
        "release {key:?}: its noise was drawn, perhaps by a process that is still at work: then ask again later; if \
         that process ended, the release is lost, stays charged, and a new one needs another name"
    )]
    #[non_exhaustive]
    Lost {
        /// The key.
        key: String,
    },
    /// The file was moved, copied, linked or replaced in a way in which charges could be lost. Nothing was written.
    #[error("ledger: {0}")]
    Misplaced(String),
    /// There is no ledger that this version may write, or not in this way.
    #[error("ledger: {0}")]
    Refused(String),
    /// The tables do not follow from the entries.
    #[error("ledger: was changed by another program: {0}")]
    Tampered(String),
    /// The ledger was opened by the process of which this one is a fork.
    #[error("ledger: belongs to the process that opened it")]
    Process,
    /// Others have been writing, or reading, for half a minute. Nothing was written.
    #[error("ledger: other processes have used it for too long; nothing was written")]
    Busy,
    /// SQLite or the server failed. The write may or may not be in the ledger; open it again and try the same key.
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

/// The conversion of an amount into an amount cannot fail.
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
            // Another process has the lock. SQLite undoes the whole transaction, and the file is as it was.
            Some(ErrorCode::DatabaseBusy) => Self::Busy,
            _ => Self::Storage(Box::new(error)),
        }
    }
}
