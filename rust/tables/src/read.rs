//! Frames from files.

use crate::{Error, Frame, Result, Schema, csv, parquet};
use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

impl Frame {
    /// The declared columns of CSV data with a header; other columns are skipped.
    ///
    /// # Errors
    ///
    /// A declared column that is not in the header, or twice; a quoted field that is not closed; data that cannot be
    /// read.
    pub fn from_csv(data: impl Read, schema: &Schema) -> Result<Self> {
        csv::read(data, schema)
    }

    /// [`from_csv`](Frame::from_csv), from a file.
    pub fn read_csv(path: impl AsRef<Path>, schema: &Schema) -> Result<Self> {
        let path = path.as_ref();
        Self::from_csv(open(path)?, schema).map_err(|error| error.at(path))
    }

    /// The declared columns of a Parquet file, uncompressed or with Snappy; other columns are skipped.
    ///
    /// # Errors
    ///
    /// A declared column that is not in the file, twice, or of a type that does not fit; a file that cannot be read.
    pub fn read_parquet(path: impl AsRef<Path>, schema: &Schema) -> Result<Self> {
        let path = path.as_ref();
        parquet::read(open(path)?, schema).map_err(|error| error.at(path))
    }
}

fn open(path: &Path) -> Result<File> {
    let told = |error: io::Error| Error::file(format!("cannot be opened: {}", error.kind())).because(&error).at(path);
    File::open(path).map_err(told)
}
