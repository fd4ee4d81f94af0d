//! Rows of partitions, in memory and, if there are too many, in temporary files.

use crate::{
    Result,
    directory::{Directory, private},
};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

/// The rows of partitions.
pub(crate) struct Spill<'a> {
    place: &'a Path,
    directory: Option<Directory>,
    rows: Vec<Vec<u8>>,
    held: u64,
    most: u64,
}

impl<'a> Spill<'a> {
    /// Creates a store of this many partitions, with at most `most` bytes in memory and the rest in a directory inside
    /// `place`.
    pub(crate) fn new(place: &'a Path, partitions: usize, most: u64) -> Self {
        Self { place, directory: None, rows: vec![Vec::new(); partitions], held: 0, most }
    }

    /// Takes more rows of all partitions. The lists are empty afterwards.
    pub(crate) fn take(&mut self, rows: &mut [Vec<u8>]) -> Result<()> {
        for (all, more) in self.rows.iter_mut().zip(rows) {
            self.held = self.held.saturating_add(bytes(more));
            all.append(more);
        }
        if self.held <= self.most {
            return Ok(());
        }
        let directory = match self.directory.take() {
            Some(directory) => directory,
            None => Directory::new(self.place)?,
        };
        for (partition, rows) in self.rows.iter_mut().enumerate() {
            if !rows.is_empty() {
                let mut options = OpenOptions::new();
                private(options.create(true).append(true), &file(&directory, partition))?.write_all(rows)?;
                *rows = Vec::new();
            }
        }
        self.directory = Some(directory);
        self.held = 0;
        Ok(())
    }

    /// Returns all rows of a partition, once.
    pub(crate) fn partition(&mut self, partition: usize) -> Result<Stored> {
        let in_memory = self.rows.get_mut(partition).map(std::mem::take).unwrap_or_default();
        Ok(Stored { file: self.directory.as_ref().map(|directory| file(directory, partition)), in_memory })
    }
}

/// Returns the path of a partition's file.
fn file(directory: &Directory, partition: usize) -> PathBuf {
    directory.path().join(partition.to_string())
}

/// The rows of a partition before they are read.
pub(crate) struct Stored {
    file: Option<PathBuf>,
    in_memory: Vec<u8>,
}

impl Stored {
    /// Returns the rows, and deletes their file.
    pub(crate) fn rows(self) -> Result<Vec<u8>> {
        let Self { file, in_memory } = self;
        let Some(path) = file else { return Ok(in_memory) };
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(in_memory),
            file => file?,
        };
        let length = usize::try_from(file.metadata()?.len()).unwrap_or(0);
        let mut rows = Vec::with_capacity(length.saturating_add(in_memory.len()));
        { file }.read_to_end(&mut rows)?;
        fs::remove_file(&path)?;
        rows.extend_from_slice(&in_memory);
        Ok(rows)
    }
}

pub(crate) fn bytes(rows: &[u8]) -> u64 {
    u64::try_from(rows.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    fn directories(place: &Path) -> usize {
        fs::read_dir(place).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir()).count()
    }

    #[test]
    fn rows_come_back_in_order_from_memory_and_files() {
        let place = tempfile::tempdir().unwrap();
        for most in [0, 7, 1000] {
            let mut spill = Spill::new(place.path(), 3, most);
            for round in 0..9u8 {
                let mut rows = [vec![round; 2], Vec::new(), vec![round + 1]];
                spill.take(&mut rows).unwrap();
                assert!(rows.iter().all(Vec::is_empty));
            }
            assert_eq!(directories(place.path()), usize::from(most < 1000));
            let all: Vec<_> = (0..3).map(|place| spill.partition(place).unwrap().rows().unwrap()).collect();
            assert_eq!(all[0], (0..9).flat_map(|round| [round; 2]).collect::<Vec<u8>>());
            assert_eq!((all[1].len(), all[2].len()), (0, 9));
            drop(spill);
            assert_eq!(directories(place.path()), 0);
        }
    }
}
