//! The formats of files.

use std::{fmt, path::Path};

/// The format of a file, by the end of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// Any name that no other format has.
    Csv,
    /// `.parquet`
    Parquet,
    /// `.arrow` and `.feather`: Arrow IPC, which is also the format of Feather's second version.
    Arrow,
}

impl FileKind {
    /// The format of a file of this name.
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
