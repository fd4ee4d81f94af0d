//! Files that are not on this machine.

use std::{fmt, io};

/// Files at addresses, such as `s3://bucket/stays.parquet`, read in ranges of bytes.
pub trait Files: fmt::Debug + Send + Sync {
    /// Returns the number of bytes of a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be found or accessed.
    fn size(&self, address: &str) -> io::Result<u64>;

    /// Reads a number of bytes of a file from a position, or fewer at its end.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be found or read.
    fn read(&self, address: &str, from: u64, length: usize) -> io::Result<Vec<u8>>;
}
