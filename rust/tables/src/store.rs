//! The files of a job, on this machine or at an address.

use crate::{Error, Result, open};
use indistinct_engine::Files;
use std::{
    fs::{self, File},
    io::{self, Read},
    path::{self, Path},
    sync::Arc,
};

/// Returns the address, with `://` in it, if the name of a file is one.
pub(crate) fn address(path: &Path) -> Option<&str> {
    path.to_str().filter(|name| name.contains("://"))
}

/// Returns the name of a file that any process can use: an address, or an absolute path.
pub(crate) fn whole_name(path: &Path) -> Result<String> {
    let name = match address(path) {
        Some(address) => Some(address.to_owned()),
        None => path::absolute(path).ok().and_then(|path| path.to_str().map(str::to_owned)),
    };
    name.ok_or_else(|| Error::file("has a path that is not UTF-8 or not absolute").at(path))
}

/// Returns the number of bytes, as far as it is known.
pub(crate) fn size(path: &Path, files: Option<&Arc<dyn Files>>) -> u64 {
    match (address(path), files) {
        (Some(address), Some(files)) => files.size(address).unwrap_or(0),
        _ => fs::metadata(path).map_or(0, |file| file.len()),
    }
}

/// An open file.
pub(crate) enum Stored {
    Here(File),
    There(There),
}

impl Stored {
    pub(crate) fn open(path: &Path, files: Option<&Arc<dyn Files>>) -> Result<Self> {
        let (Some(address), Some(files)) = (address(path), files) else { return open(path).map(Self::Here) };
        let cannot = |error: io::Error| Error::file(format!("cannot be opened: {}", error.kind())).because(&error);
        let size = files.size(address).map_err(cannot)?;
        Ok(Self::There(There { files: files.clone(), address: address.into(), size, at: 0, held: Vec::new(), used: 0 }))
    }
}

impl Read for Stored {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Here(file) => file.read(bytes),
            Self::There(there) => there.read(bytes),
        }
    }
}

/// The number of bytes requested at once when a file at an address is read from beginning to end.
const RANGE: usize = 8 << 20;

/// A file at an address. The bytes from `at` on have not been fetched; `held` bytes have, of which some are `used`.
#[derive(Clone)]
pub(crate) struct There {
    files: Arc<dyn Files>,
    address: Arc<str>,
    size: u64,
    at: u64,
    held: Vec<u8>,
    used: usize,
}

impl Read for There {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.used >= self.held.len() && self.at < self.size {
            self.held = self.files.read(&self.address, self.at, RANGE)?;
            self.used = 0;
            if self.held.is_empty() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.at = self.at.saturating_add(u64::try_from(self.held.len()).unwrap_or(u64::MAX));
        }
        let read = self.held.get(self.used..).unwrap_or_default().read(bytes)?;
        self.used = self.used.saturating_add(read);
        Ok(read)
    }
}

#[cfg(feature = "parquet")]
mod chunks {
    use super::{RANGE, Stored, There};
    use bytes::Bytes;
    use parquet::{
        errors::{ParquetError, Result},
        file::reader::{ChunkReader, Length},
    };
    use std::io::{BufReader, Read};

    impl Length for Stored {
        fn len(&self) -> u64 {
            match self {
                Self::Here(file) => file.len(),
                Self::There(there) => there.size,
            }
        }
    }

    impl ChunkReader for Stored {
        type T = Box<dyn Read>;

        fn get_read(&self, start: u64) -> Result<Self::T> {
            Ok(match self {
                Self::Here(file) => Box::new(file.get_read(start)?),
                Self::There(there) => {
                    let from = There { at: start, held: Vec::new(), used: 0, ..there.clone() };
                    Box::new(BufReader::with_capacity(RANGE, from))
                }
            })
        }

        fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
            match self {
                Self::Here(file) => file.get_bytes(start, length),
                Self::There(there) => {
                    let bytes = there.files.read(&there.address, start, length)?;
                    let is_all = bytes.len() == length;
                    is_all.then(|| bytes.into()).ok_or_else(|| ParquetError::EOF("a file ends early".into()))
                }
            }
        }
    }
}
