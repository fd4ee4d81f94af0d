//! Why a command ends without a verdict, and with which code.

use std::{io, path::Path};

/// Why a command ends without a verdict.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A plan, or rows that it does not take.
    #[error("{0}")]
    Input(String),
    /// Nothing could be compared.
    #[error("nothing was compared: {0}")]
    Nothing(String),
    /// A file, or standard output.
    #[error("{0}")]
    File(String),
}

impl Failure {
    pub(crate) fn file(path: &Path, error: &io::Error) -> Self {
        Self::File(format!("{}: {error}", path.display()))
    }

    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Input(_) => 3,
            Self::Nothing(_) => 4,
            Self::File(_) => 7,
        }
    }
}
