//! Rows of partitions, in memory and, where they are too many, in temporary files.

use crate::Result;
use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

/// What the names of our directories begin with.
const PREFIX: &str = "indistinct-rows-";
/// The file in such a directory that is locked as long as it is used.
const LOCK: &str = "lock";
/// What their names begin with before the lock is held.
const UNFINISHED: &str = "indistinct-new-";

/// A directory that no other user may read, and that is gone with this value.
///
/// A lock is held on a file in it. The operating system lets go of it when the process ends, however it ends, so that
/// whoever opens the next directory in the same place knows which ones nobody uses, and deletes them.
pub(crate) struct Directory {
    path: PathBuf,
    _lock: File,
}

/// Tells directories of one process apart.
static NUMBER: AtomicU64 = AtomicU64::new(0);

impl Directory {
    /// A new directory in this one, after those of crashed processes were deleted.
    pub(crate) fn new(place: &Path) -> Result<Self> {
        delete_abandoned(place)?;
        let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{number}-{time}", process::id());
        let (unfinished, path) = (place.join(format!("{UNFINISHED}{name}")), place.join(format!("{PREFIX}{name}")));
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&unfinished)?;
        let lock = private(OpenOptions::new().create_new(true).write(true), &unfinished.join(LOCK))?;
        lock.lock()?;
        // Under this name it is locked from the beginning, so that nobody takes it for one that is not used.
        fs::rename(&unfinished, &path)?;
        Ok(Self { path, _lock: lock })
    }

    fn file(&self, partition: usize) -> PathBuf {
        self.path.join(partition.to_string())
    }
}

/// Open a file that no other user may read.
fn private(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.open(path)
}

/// Delete the directories of ours that no process uses.
pub(crate) fn delete_abandoned(place: &Path) -> io::Result<()> {
    for entry in fs::read_dir(place)? {
        let path = entry?.path();
        let is_ours = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(PREFIX));
        if !is_ours || !path.is_dir() || path.is_symlink() {
            continue;
        }
        let is_used = OpenOptions::new().write(true).open(path.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_err());
        if !is_used {
            // Somebody else's that we may not delete are left to them.
            drop(fs::remove_dir_all(&path));
        }
    }
    Ok(())
}

impl Drop for Directory {
    fn drop(&mut self) {
        // What cannot be deleted now is when the next one is made.
        drop(fs::remove_dir_all(&self.path));
    }
}

/// The rows of partitions.
pub(crate) struct Spill<'a> {
    place: &'a Path,
    directory: Option<Directory>,
    rows: Vec<Vec<u8>>,
    held: u64,
    most: u64,
}

impl<'a> Spill<'a> {
    /// Of so many partitions, with at most so many bytes in memory and the others in a directory in this one.
    pub(crate) fn new(place: &'a Path, partitions: usize, most: u64) -> Self {
        Self { place, directory: None, rows: vec![Vec::new(); partitions], held: 0, most }
    }

    /// More rows of all partitions, whose lists are empty afterwards.
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
                private(options.create(true).append(true), &directory.file(partition))?.write_all(rows)?;
                *rows = Vec::new();
            }
        }
        self.directory = Some(directory);
        self.held = 0;
        Ok(())
    }

    /// All rows of a partition, once.
    pub(crate) fn partition(&mut self, partition: usize) -> Result<Stored> {
        let in_memory = self.rows.get_mut(partition).map(std::mem::take).unwrap_or_default();
        Ok(Stored { file: self.directory.as_ref().map(|directory| directory.file(partition)), in_memory })
    }
}

/// The rows of a partition that is yet to be read.
pub(crate) struct Stored {
    file: Option<PathBuf>,
    in_memory: Vec<u8>,
}

impl Stored {
    /// The rows, which are in no file any more.
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

    /// What a crashed process leaves behind is deleted by the next one, what is used is not.
    #[test]
    fn abandoned_directories_are_deleted() {
        let place = tempfile::tempdir().unwrap();
        let used = Directory::new(place.path()).unwrap();
        let abandoned = place.path().join(format!("{PREFIX}1-0-0"));
        fs::create_dir(&abandoned).unwrap();
        fs::write(abandoned.join("3"), "rows").unwrap();
        fs::write(abandoned.join(LOCK), "").unwrap();
        let without_lock = place.path().join(format!("{PREFIX}2-0-0"));
        fs::create_dir(&without_lock).unwrap();
        let others = place.path().join("not-ours");
        fs::create_dir(&others).unwrap();
        let next = Directory::new(place.path()).unwrap();
        assert!(used.path.exists() && next.path.exists() && others.exists());
        assert!(!abandoned.exists() && !without_lock.exists());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&next.path), mode(&next.path.join(LOCK))), (0o700, 0o600));
        }
        drop((used, next));
        assert_eq!(directories(place.path()), 1);
    }
}
