//! Why something was not done, as an exception of Python.

use indistinct::core::{Error as CoreError, ErrorKind};
use indistinct_ledger::Error as LedgerFailure;
use indistinct_sessions::Error as SessionError;
use pyo3::{PyErr, create_exception, exceptions::PyException};

create_exception!(indistinct, IndistinctError, PyException, "The base class of all errors. Messages never quote data.");
create_exception!(indistinct, BudgetError, IndistinctError, "The remaining budget is too small. Nothing was charged.");
create_exception!(
    indistinct,
    NameConflict,
    IndistinctError,
    "The name was used for another question, another table or another cost."
);
create_exception!(
    indistinct,
    LostRelease,
    IndistinctError,
    "The noise of a release under this name was drawn, and the release is not stored. Another process may still be at work \
     on it; if that process ended, the release is lost, and a new one needs another name."
);
create_exception!(
    indistinct,
    LedgerError,
    IndistinctError,
    "A ledger is missing, cannot be used, or does not pass verification."
);
create_exception!(indistinct, CertificateError, IndistinctError, "A certificate contains a false statement.");
create_exception!(indistinct, DataError, IndistinctError, "Rows cannot be read, or do not fit their table.");
create_exception!(
    indistinct,
    QuestionError,
    IndistinctError,
    "A schema, a statement, a plan, a query or a number is not valid."
);

/// An exception to be raised. It is made without the interpreter's lock.
pub(crate) struct Failure(PyErr);

pub(crate) type Fallible<T> = Result<T, Failure>;

impl Failure {
    pub(crate) fn question(message: impl Into<String>) -> Self {
        Self(QuestionError::new_err(message.into()))
    }

    pub(crate) fn data(message: impl Into<String>) -> Self {
        Self(DataError::new_err(message.into()))
    }

    pub(crate) fn other(message: impl Into<String>) -> Self {
        Self(IndistinctError::new_err(message.into()))
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        failure.0
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Ledger(error) => error.into(),
            SessionError::Measurement(error) => error.into(),
            SessionError::Charged { .. } => Self(NameConflict::new_err(error.to_string())),
            SessionError::Source { .. } => Self::data(error.to_string()),
            SessionError::Certificate(_) => Self(CertificateError::new_err(error.to_string())),
            _ => Self::question(error.to_string()),
        }
    }
}

impl From<LedgerFailure> for Failure {
    fn from(error: LedgerFailure) -> Self {
        let message = error.to_string();
        Self(match error {
            LedgerFailure::Parameter { .. } => QuestionError::new_err(message),
            LedgerFailure::Budget { .. } | LedgerFailure::Spent { .. } => BudgetError::new_err(message),
            LedgerFailure::Conflict { .. } => NameConflict::new_err(message),
            LedgerFailure::Lost { .. } => LostRelease::new_err(message),
            _ => LedgerError::new_err(message),
        })
    }
}

impl From<CoreError> for Failure {
    fn from(error: CoreError) -> Self {
        let message = error.to_string();
        match error.kind() {
            ErrorKind::Domain => Self::data(message),
            ErrorKind::Entropy => Self::other(message),
            _ => Self::question(message),
        }
    }
}

impl From<indistinct_tables::Error> for Failure {
    fn from(error: indistinct_tables::Error) -> Self {
        Self::data(error.to_string())
    }
}

impl From<indistinct_sql::Error> for Failure {
    fn from(error: indistinct_sql::Error) -> Self {
        Self::question(error.to_string())
    }
}

impl From<indistinct::accounting::Error> for Failure {
    fn from(error: indistinct::accounting::Error) -> Self {
        Self::question(error.to_string())
    }
}

impl From<indistinct_report::Error> for Failure {
    fn from(error: indistinct_report::Error) -> Self {
        Self::question(error.to_string())
    }
}
