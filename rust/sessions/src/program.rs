//! The program that makes releases.

use crate::hash::sha256;
use serde::{Deserialize, Serialize};

/// The program that makes a release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The version of this library.
    pub library: String,
    /// The SHA-256 of the lock file with which it was built, if it knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock_file: Option<String>,
}

impl Program {
    /// Makes a program from its name and version, and the text of the `Cargo.lock` with which it was built:
    /// `include_str!("../Cargo.lock")`.
    pub fn new(name: &str, version: &str, lock_file: Option<&str>) -> Self {
        let lock_file = lock_file.map(|text| sha256(text.as_bytes()));
        Self { name: name.into(), version: version.into(), library: env!("CARGO_PKG_VERSION").into(), lock_file }
    }

    /// Returns this library, for programs that do not identify themselves.
    pub(crate) fn library() -> Self {
        Self::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"), None)
    }
}
