//! Files that are not this machine's.

use std::{fmt, io};

/// Files by their addresses, such as `s3://bucket/stays.parquet`, in ranges of bytes.
pub trait Files: fmt::Debug + Send + Sync {
    /// The number of bytes a file has.
    ///
    /// # Errors
    ///
    /// A file that cannot be found or asked.
    fn size(&self, address: &str) -> io::Result<u64>;

    /// So many bytes of a file from a place on, or fewer at its end.
    ///
    /// # Errors
    ///
    /// A file that cannot be found or read.
    fn read(&self, address: &str, from: u64, length: usize) -> io::Result<Vec<u8>>;
}
