//! Private directories for rows, which are deleted when no process uses them.

use crate::Result;
use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

/// The prefix of the names of our directories.
const PREFIX: &str = "indistinct-rows-";
/// The lock file in such a directory, which is locked while the directory is used.
const LOCK: &str = "lock";
/// The prefix of a directory's name before its lock is held.
const UNFINISHED: &str = "indistinct-new-";

/// A directory that no other user can read, and that is deleted when this value is dropped.
///
/// A lock is held on a file in it. The operating system releases the lock when the process ends, even by a crash. When
/// another directory is created in the same place, unlocked directories are deleted.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    _lock: File,
}

/// An hour in nanoseconds.
const HOUR: u128 = 3_600_000_000_000;

/// Distinguishes the directories of one process.
static NUMBER: AtomicU64 = AtomicU64::new(0);

impl Directory {
    /// Deletes the directories of crashed processes in `place`, and creates a new directory there.
    ///
    /// # Errors
    ///
    /// Returns an error if no directory can be created there.
    pub fn new(place: &Path) -> Result<Self> {
        delete_abandoned(place)?;
        let time = nanoseconds();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{number}-{time}", process::id());
        let (unfinished, path) = (place.join(format!("{UNFINISHED}{name}")), place.join(format!("{PREFIX}{name}")));
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&unfinished)?;
        let lock = private(OpenOptions::new().create_new(true).write(true), &unfinished.join(LOCK))?;
        lock.lock()?;
        // The directory gets this name when it is locked, so that it is never taken for an unused one.
        fs::rename(&unfinished, &path)?;
        Ok(Self { path, _lock: lock })
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Opens a file that no other user can read.
pub(crate) fn private(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.open(path)
}

/// Deletes our directories that no process uses.
///
/// A directory is ours if its name has exactly the form of [`Directory::new`] and its lock file is in it. It is unused
/// if the lock can be taken. All other directories are kept, whatever they contain. A directory whose process crashed
/// before renaming it contains no rows, and its process may still be about to take the lock, so it is deleted only
/// after an hour.
pub(crate) fn delete_abandoned(place: &Path) -> io::Result<()> {
    let now = nanoseconds();
    for entry in fs::read_dir(place)? {
        let entry = entry?;
        let (name, path) = (entry.file_name(), entry.path());
        let name = name.to_str().unwrap_or_default();
        if !entry.file_type().is_ok_and(|found| found.is_dir()) {
            continue;
        }
        // Directories that we may not delete are left to their owners.
        if name.strip_prefix(PREFIX).and_then(made_at).is_some() {
            if let Some(lock) = abandoned(&path) {
                drop(fs::remove_dir_all(&path));
                drop(lock);
            }
        } else if let Some(made) = name.strip_prefix(UNFINISHED).and_then(made_at)
            && now.saturating_sub(made) > HOUR
        {
            if let Some(lock) = abandoned(&path) {
                drop(fs::remove_file(path.join(LOCK)));
                drop(lock);
            }
            // The directory is deleted only if it is empty.
            drop(fs::remove_dir(&path));
        }
    }
    Ok(())
}

/// Returns the time when a directory was created, from the end of its name: digits of a process, a number and a time.
fn made_at(end: &str) -> Option<u128> {
    let mut parts = end.split('-');
    let (process, number, time) = (parts.next()?, parts.next()?, parts.next()?);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit());
    let is_ours = [process, number, time].into_iter().all(is_number) && parts.next().is_none();
    if is_ours { time.parse().ok() } else { None }
}

/// Returns the lock of a directory whose process has ended.
fn abandoned(directory: &Path) -> Option<File> {
    let path = directory.join(LOCK);
    let is_file = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
    let lock = if is_file { OpenOptions::new().write(true).open(&path).ok()? } else { return None };
    lock.try_lock().is_ok().then_some(lock)
}

/// Returns the time since 1970.
fn nanoseconds() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos())
}

impl Drop for Directory {
    fn drop(&mut self) {
        // A directory that cannot be deleted now is deleted when the next one is created.
        drop(fs::remove_dir_all(&self.path));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn directories(place: &Path) -> usize {
        fs::read_dir(place).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir()).count()
    }

    /// The next process deletes the directories that a crashed process has left, but none that are in use.
    #[test]
    fn abandoned_directories_are_deleted() {
        let place = tempfile::tempdir().unwrap();
        let used = Directory::new(place.path()).unwrap();
        let [abandoned, unfinished, empty] =
            ["rows-1-0-0", "new-1-0-0", "new-2-0-0"].map(|name| place.path().join(format!("indistinct-{name}")));
        for directory in [&abandoned, &unfinished, &empty] {
            fs::create_dir(directory).unwrap();
        }
        fs::write(abandoned.join("3"), "rows").unwrap();
        fs::write(abandoned.join(LOCK), "").unwrap();
        fs::write(unfinished.join(LOCK), "").unwrap();
        let next = Directory::new(place.path()).unwrap();
        assert!(used.path.exists() && next.path.exists());
        assert!(!abandoned.exists() && !unfinished.exists() && !empty.exists());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&next.path), mode(&next.path.join(LOCK))), (0o700, 0o600));
        }
        drop((used, next));
        assert_eq!(directories(place.path()), 0);
    }

    /// Directories that only look like ours are a user's, and stay with all that is in them.
    #[test]
    fn directories_of_others_stay() {
        let place = tempfile::tempdir().unwrap();
        let now = nanoseconds();
        let names = [
            "indistinct-rows-2025",
            "indistinct-rows-1-0",
            "indistinct-rows-1-0-0-0",
            "indistinct-rows-1-0-",
            "indistinct-rows-1-0-old",
            "indistinct-rows-+1-0-0",
            "indistinct-new-archive",
            "not-ours",
            // Made just now, by a process that has yet to take the lock.
            &format!("indistinct-new-1-0-{now}"),
        ];
        for name in names {
            fs::create_dir(place.path().join(name)).unwrap();
            fs::write(place.path().join(name).join(LOCK), "").unwrap();
        }
        // Names of ours, without the lock file, with a directory in its place, or with files that we never make there.
        let without_lock = place.path().join("indistinct-rows-2-0-0");
        fs::create_dir(&without_lock).unwrap();
        fs::create_dir_all(place.path().join("indistinct-rows-3-0-0").join(LOCK)).unwrap();
        let unfinished = place.path().join("indistinct-new-3-0-0");
        fs::create_dir(&unfinished).unwrap();
        for directory in [&without_lock, &unfinished] {
            fs::write(directory.join("notes.txt"), "kept").unwrap();
        }
        drop(Directory::new(place.path()).unwrap());
        assert_eq!(directories(place.path()), names.len() + 3);
        assert!(without_lock.join("notes.txt").exists() && unfinished.join("notes.txt").exists());
    }
}
