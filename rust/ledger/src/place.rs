//! Where a file may be: not where other machines may have it open, too.

use crate::error::{Error, Fallible};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// File systems that are shared between machines, beside those of programs (`fuse.…`).
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

/// Refuse a path on one of them, where the system says what is mounted (`/proc/self/mountinfo`).
pub(crate) fn check_place(path: &Path) -> Fallible<()> {
    let Ok(mounts) = fs::read_to_string("/proc/self/mountinfo") else { return Ok(()) };
    match file_system(&mounts, &fs::canonicalize(path)?) {
        Some(kind) if SHARED.contains(&kind) || kind.starts_with("fuse.") => {
            Err(Error::Refused(format!("is on a file system of type {kind}, which other machines may share")))
        }
        _ => Ok(()),
    }
}

/// The type of the file system that a path is on: that of the longest mount point before it, the last one of equals.
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
