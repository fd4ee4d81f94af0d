//! Directories for rows, which are gone when nobody uses them.

use crate::Result;
use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io,
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
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    _lock: File,
}

/// Tells directories of one process apart.
static NUMBER: AtomicU64 = AtomicU64::new(0);

impl Directory {
    /// A new directory in this one, after those of crashed processes were deleted.
    ///
    /// # Errors
    ///
    /// A place in which none can be made.
    pub fn new(place: &Path) -> Result<Self> {
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

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Open a file that no other user may read.
pub(crate) fn private(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn directories(place: &Path) -> usize {
        fs::read_dir(place).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir()).count()
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
