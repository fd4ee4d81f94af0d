//! The formats of files.

use std::{fmt, path::Path};

/// The format of a file, which the end of its name determines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// Any other name.
    Csv,
    /// `.parquet`
    Parquet,
    /// `.arrow` and `.feather`: Arrow IPC, which is also the format of Feather's second version.
    Arrow,
}

impl FileKind {
    /// Returns the format of a file with this name.
    ///
    /// ```
    /// use indistinct_tables::FileKind;
    /// assert_eq!(FileKind::of("stays.Feather"), FileKind::Arrow);
    /// assert_eq!(FileKind::of("stays.csv.gz"), FileKind::Csv);
    /// ```
    pub fn of(file: impl AsRef<Path>) -> Self {
        let ending = file.as_ref().extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("parquet") => Self::Parquet,
            Some("arrow" | "feather") => Self::Arrow,
            _ => Self::Csv,
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Csv => "CSV",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow IPC",
        })
    }
}
