//! The place of a ledger's file, which must have one name and must not be on a file system shared with other machines.

use crate::error::{Error, Fallible};
use sha2::{Digest, Sha256};
use std::{
    fs::{self, Metadata},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// A file's identity as the system reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Device and inode, which do not change when a file is renamed.
    file: (u64, u64),
    /// The number of names (hard links) of the file.
    names: u64,
    length: u64,
    written: Option<SystemTime>,
}

impl Seen {
    fn of(found: &Metadata) -> Self {
        #[cfg(unix)]
        let (file, names) = {
            use std::os::unix::fs::MetadataExt;
            ((found.dev(), found.ino()), found.nlink())
        };
        #[cfg(not(unix))]
        let (file, names) = ((0, 0), 1);
        Self { file, names, length: found.len(), written: found.modified().ok() }
    }
}

/// The path of an open file, and the file's identity when it was opened.
#[derive(Debug)]
pub(crate) struct Place {
    path: PathBuf,
    file: (u64, u64),
}

impl Place {
    /// Returns the identity of a file, which must have one name.
    pub(crate) fn of(path: &Path) -> Fallible<Self> {
        let path = fs::canonicalize(path).map_err(|error| at(path, &error))?;
        let found = fs::symlink_metadata(&path).map_err(|error| at(&path, &error))?;
        let place = Self { path, file: Seen::of(&found).file };
        place.check()?;
        Ok(place)
    }

    /// Returns the absolute path, without symbolic links.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that the path still leads to the file that was opened, and is its only name. SQLite finds a journal by
    /// the name of its file, so under another name it would miss the journal of this file, or find another file's.
    pub(crate) fn check(&self) -> Fallible<Seen> {
        let path = self.path.display();
        let found = fs::symlink_metadata(&self.path);
        match found.ok().filter(Metadata::is_file).map(|found| Seen::of(&found)) {
            Some(seen) if seen.file == self.file && seen.names == 1 => Ok(seen),
            Some(Seen { file, names, .. }) if file == self.file => Err(Error::Misplaced(format!(
                "{path} has {names} names (hard links), but a ledger must have one: delete the other names"
            ))),
            _ => Err(Error::Misplaced(format!(
                "{path} is no longer the file that was opened: it was moved, replaced or deleted; move it back, or \
                 open it where it is"
            ))),
        }
    }

    /// Returns a number for this path and this file, from 2 to 2^23 - 1. A ledger stores it in its first page; if the
    /// stored number differs, the file was moved or copied since its last commit.
    pub(crate) fn mark(&self) -> i64 {
        let mut hash = Sha256::new();
        hash.update(self.file.0.to_be_bytes());
        hash.update(self.file.1.to_be_bytes());
        hash.update(self.path.as_os_str().as_encoded_bytes());
        let digest = hash.finalize();
        let number = digest.iter().take(4).fold(0i64, |number, byte| number << 8 | i64::from(*byte));
        number % ((1 << 23) - 2) + 2
    }
}

/// Returns an error of the system with the file's path.
pub(crate) fn at(path: &Path, error: &io::Error) -> io::Error {
    let words = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::AlreadyExists => "there is a file already".into(),
        _ => error.to_string(),
    };
    io::Error::new(error.kind(), format!("{}: {words}", path.display()))
}

/// File systems shared between machines, in addition to those of programs (`fuse.…`).
const SHARED: [&str; 20] = [
    "9p",
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "davfs",
    "fuse",
    "gfs2",
    "glusterfs",
    "gpfs",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "ocfs2",
    "orangefs",
    "smb3",
    "smbfs",
    "vboxsf",
    "virtiofs",
];

/// Refuses a path on one of them, if the system lists its mounts (`/proc/self/mountinfo`).
pub(crate) fn check_place(path: &Path) -> Fallible<()> {
    let Ok(mounts) = fs::read_to_string("/proc/self/mountinfo") else { return Ok(()) };
    match file_system(&mounts, &fs::canonicalize(path)?) {
        Some(kind) if SHARED.contains(&kind) || kind.starts_with("fuse.") => {
            Err(Error::Refused(format!("the file is on a file system of type {kind}, which other machines may share")))
        }
        _ => Ok(()),
    }
}

/// Returns the type of the file system of a path: that of the longest matching mount point, the last one of equals.
fn file_system<'a>(mounts: &'a str, path: &Path) -> Option<&'a str> {
    let mount = |line: &'a str| {
        let (before, after) = line.split_once(" - ")?;
        let point = before.split(' ').nth(4)?;
        let point = point.replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n").replace("\\134", "\\");
        Some((PathBuf::from(point), after.split(' ').next()?))
    };
    let of_path = mounts.lines().filter_map(mount).filter(|(point, _)| path.starts_with(point));
    of_path.max_by_key(|(point, _)| point.components().count()).map(|(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_system_is_that_of_the_longest_mount_point() {
        let mounts = "\
            21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw\n\
            35 21 0:31 / /home rw shared:2 - nfs4 host:/home rw\n\
            36 35 0:32 / /home/my\\040disk rw - xfs /dev/sdb rw\n";
        let kind = |path: &str| file_system(mounts, Path::new(path));
        assert_eq!(kind("/var/a.ledger"), Some("ext4"));
        assert_eq!(kind("/home/ann/a.ledger"), Some("nfs4"));
        assert_eq!(kind("/home/my disk/a.ledger"), Some("xfs"));
        assert_eq!(kind("/homes"), Some("ext4"));
    }
}
