//! A ledger's file: made, opened, and refused where it could lose what it was told.

use crate::error::{Error, Fallible};
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};
use std::{
    fmt, fs,
    path::{Path, PathBuf},
    process,
    time::Duration,
};

/// A ledger in a file, open in this process.
pub struct Ledger {
    connection: Connection,
    process: u32,
}

/// "indl", by which a file is known to be a ledger.
pub(crate) const APPLICATION: i32 = 0x696e_646c;
/// The form of the file. An older program refuses a newer one.
pub(crate) const VERSION: i32 = 1;
/// The first SQLite in which no commit is lost when a checkpoint and a writer of the log meet.
const LEAST_SQLITE: i32 = 3_051_003;

impl Ledger {
    /// The ledger in a file.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if the file is no ledger, one of a newer version, or on a network file system, where locks
    /// are not to be trusted; [`Error::System`] if there is none: a missing ledger is not an empty one.
    pub fn open(path: impl AsRef<Path>) -> Fallible<Self> {
        let path = path.as_ref();
        if !fs::metadata(path)?.is_file() {
            return Err(Error::Refused("is not a file".into()));
        }
        check_place(path)?;
        let connection = connection(path)?;
        // Before anything of the file is changed.
        let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        let no_ledger = || Error::Refused("the file is no ledger, or one whose making was interrupted".into());
        let mark = number("application_id").map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => no_ledger(),
            _ => error.into(),
        })?;
        match (mark, number("user_version")?) {
            (APPLICATION, VERSION) => Self::with(connection),
            (APPLICATION, version) => {
                Err(Error::Refused(format!("has version {version}, and this program knows {VERSION}")))
            }
            _ => Err(no_ledger()),
        }
    }

    /// In a file that has just been made, on a place that was checked.
    pub(crate) fn with_new_file(path: &Path) -> Fallible<Self> {
        Self::with(connection(path)?)
    }

    fn with(connection: Connection) -> Fallible<Self> {
        connection
            .execute_batch("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")?;
        let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
        // Each commit is on the disk before it is answered, also on systems where that takes more than asking.
        connection
            .execute_batch("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;")?;
        let synchronous: i32 = connection.pragma_query_value(None, "synchronous", |row| row.get(0))?;
        if mode != "wal" || synchronous != 2 {
            return Err(Error::Refused(format!("SQLite is in mode {mode}, synchronous {synchronous}")));
        }
        Ok(Self { connection, process: process::id() })
    }

    /// All of it in one commit that is on the disk when this returns, or nothing.
    pub(crate) fn commit<T>(&mut self, work: impl FnOnce(&Transaction<'_>) -> Fallible<T>) -> Fallible<T> {
        self.check_process()?;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }

    /// All of it as it was at one moment.
    pub(crate) fn read<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Fallible<T>) -> Fallible<T> {
        self.check_process()?;
        work(&self.connection.unchecked_transaction()?)
    }

    /// A child has its parent's connection, and SQLite's locks do not tell them apart.
    fn check_process(&self) -> Fallible<()> {
        if self.process == process::id() { Ok(()) } else { Err(Error::Process) }
    }
}

impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ledger")
    }
}

pub(crate) fn check_name(parameter: &'static str, name: &str) -> Fallible<()> {
    let is_name = !name.is_empty() && name.len() <= 1024 && !name.chars().any(char::is_control);
    let rule = "must have 1 to 1024 bytes and no control characters";
    if is_name { Ok(()) } else { Err(Error::parameter(parameter, rule)) }
}

/// The file, which there is. Its whole path is never taken for an address (`file:…`), as SQLite takes others.
fn connection(path: &Path) -> Fallible<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(fs::canonicalize(path)?, flags)?;
    connection.busy_timeout(Duration::from_secs(30))?;
    Ok(connection)
}

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

/// Refuse a path on one of them, where the system says what is mounted (`/proc/self/mountinfo`), and a SQLite that may
/// lose commits.
pub(crate) fn check_place(path: &Path) -> Fallible<()> {
    if rusqlite::version_number() < LEAST_SQLITE {
        return Err(Error::Refused(format!("SQLite {} may lose commits", rusqlite::version())));
    }
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
    use crate::loss::Loss;

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

    #[test]
    fn what_is_no_ledger_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ledger");
        let budget = Loss::epsilon(1.0).unwrap();
        assert!(matches!(Ledger::open(&path), Err(Error::System(_))), "a missing ledger is not an empty one");
        assert!(matches!(Ledger::open(folder.path()), Err(Error::Refused(_))));
        drop(Ledger::create(&path, "survey", &budget).unwrap());
        assert!(matches!(Ledger::create(&path, "survey", &budget), Err(Error::System(_))), "there is one");
        for (other, bytes) in [
            ("empty", &b""[..]),
            ("text", b"no database, and longer than a page's head of 100 bytes: x x x x x x x x x x x x x x x x x x x"),
        ] {
            let path = folder.path().join(other);
            fs::write(&path, bytes).unwrap();
            assert!(matches!(Ledger::open(&path), Err(Error::Refused(_))), "{other}");
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        // Another program's database is left as it is.
        let others = folder.path().join("others");
        Connection::open(&others).unwrap().execute_batch("CREATE TABLE x (y)").unwrap();
        let before = fs::read(&others).unwrap();
        assert!(matches!(Ledger::open(&others), Err(Error::Refused(_))));
        assert_eq!(fs::read(&others).unwrap(), before);
        // A path is no address.
        let odd = folder.path().join("file:x?mode=memory");
        drop(Ledger::create(&odd, "survey", &budget).unwrap());
        assert!(Ledger::open(&odd).is_ok());
        let newer = Connection::open(&path).unwrap();
        newer.pragma_update(None, "user_version", 2).unwrap();
        drop(newer);
        assert!(Ledger::open(&path).unwrap_err().to_string().contains("version 2"));
        for name in ["", "a\nb"] {
            assert!(Ledger::create(folder.path().join("b"), name, &budget).is_err());
        }
        assert!(!folder.path().join("b").exists());
    }
}
