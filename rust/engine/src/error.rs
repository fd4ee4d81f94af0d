//! Why an engine has no state: in words that quote no rows.

use std::io;

/// A value, or the reason for its absence.
pub type Result<T> = std::result::Result<T, Error>;

/// Why there is no state. The same job may run again: nothing was released.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A setting breaks a rule.
    #[error("{setting}: {rule}")]
    #[non_exhaustive]
    Setting {
        /// The method that set it.
        setting: &'static str,
        /// The rule.
        rule: &'static str,
    },
    /// Temporary files cannot be made, written or read.
    #[error("temporary files: {0}")]
    Files(io::ErrorKind),
    /// A part that an engine relies on has failed. Its own message is dropped, because it may quote rows.
    #[error("the engine has failed: nothing is released, and the same request may run again")]
    Engine,
    /// The job has failed, with the job's own error.
    #[error("the job has failed: {0}")]
    Job(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// A setting that breaks a rule.
    pub fn setting(setting: &'static str, rule: &'static str) -> Self {
        Self::Setting { setting, rule }
    }

    /// An error of a job.
    pub fn job(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Job(error.into())
    }
}

/// The operating system's words may name a path, its kind does not.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Files(error.kind())
    }
}
