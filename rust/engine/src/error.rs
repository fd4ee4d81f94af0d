//! Errors of engines, which quote no rows.

use std::io;

/// A result with this crate's error type.
pub type Result<T> = std::result::Result<T, Error>;

/// The reason that an engine returned no state. You may run the same job again, because nothing was released.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A setting violates a rule.
    #[error("{setting}: {rule}")]
    #[non_exhaustive]
    Setting {
        /// The method that set it.
        setting: &'static str,
        /// The rule.
        rule: &'static str,
    },
    /// Temporary files cannot be made, written or read.
    #[error("temporary files cannot be used: {0}")]
    Files(io::ErrorKind),
    /// A library of the engine failed. Its own message is dropped, because it may quote rows.
    #[error("the engine failed: nothing was released, and the same request may be run again")]
    Engine,
    /// The job failed with this error.
    #[error("the job failed: {0}")]
    Job(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// Makes an error for a setting that violates a rule.
    pub fn setting(setting: &'static str, rule: &'static str) -> Self {
        Self::Setting { setting, rule }
    }

    /// Makes an error from a job's error.
    pub fn job(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Job(error.into())
    }
}

/// The operating system's message may name a path; the error's kind does not.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Files(error.kind())
    }
}
