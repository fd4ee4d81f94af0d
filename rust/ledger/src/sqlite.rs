//! A ledger in an SQLite file: creating it, opening it, and refusing it if charges could be lost.

use crate::{
    begin::check_version,
    error::{Error, Fallible},
    journal::{self, beside},
    ledger::{Ledger, VERSION, check_name},
    loss::Loss,
    place::{Place, Seen, at, check_place},
    store::{Cell, Row, SCHEMA, Store, Tables, Value},
};
use rusqlite::{
    Connection, ErrorCode, OpenFlags, ToSql, Transaction, TransactionBehavior,
    backup::{Backup, StepResult},
    params_from_iter,
    types::{ToSqlOutput, ValueRef},
};
use std::{
    cell::Cell as Remembered,
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// The application id "indl", which marks a file as a ledger.
const APPLICATION: i64 = 0x696e_646c;
/// The place in a backup, which is not a valid place.
const BACKUP: i64 = 1;
/// The ending of an unfinished copy's name, until the copy is marked as a backup. A ledger with such a name is not
/// opened.
const UNFINISHED: &str = ".unfinished";
/// These triggers prevent accidental changes of entries.
const TRIGGERS: &str = "
CREATE TRIGGER entry_is_not_changed BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'entries are not changed'); END;
CREATE TRIGGER entry_is_not_deleted BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'entries are not deleted'); END;
";

struct Sqlite {
    connection: Connection,
    place: Place,
    /// The identity of the file when it was verified as a whole, after it had been moved or copied here.
    whole: Remembered<Option<Seen>>,
}

impl Ledger {
    /// Creates a ledger in a new file, with one account at the top: a data set and its budget.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Refused`](crate::Error::Refused) on a network file system,
    /// [`Error::System`](crate::Error::System) if the file exists, and [`Error::Misplaced`](crate::Error::Misplaced) if
    /// there is a journal of an earlier file. Returns an error if the name is empty, or if the budget has a delta of 1
    /// or more.
    pub fn create(path: impl AsRef<Path>, name: &str, budget: &Loss) -> Fallible<Self> {
        let path = path.as_ref();
        check_name("name", name)?;
        budget.check_budget()?;
        check_folder(path)?;
        make(path)?;
        Self::begin(Sqlite::open(Place::of(path)?)?.durable()?, name, budget)
    }

    /// Opens the ledger in a file. If the file was moved or copied since its last commit, it is first verified, like
    /// [`Ledger::verify`].
    ///
    /// # Errors
    ///
    /// Returns [`Error::Refused`] if the file is not a ledger, has another version, or is on a network file system,
    /// whose locks cannot be trusted. Returns [`Error::System`] if the file does not exist, because a missing ledger is
    /// not an empty one. Returns [`Error::Misplaced`] if the file has several names, if a journal of another file is
    /// beside it, or if it was moved or copied during a commit and is incomplete.
    pub fn open(path: impl AsRef<Path>) -> Fallible<Self> {
        let path = path.as_ref();
        if is_unfinished(path) {
            let rule = "the file is an interrupted copy: delete it, and make the backup again";
            return Err(Error::Refused(rule.into()));
        }
        let found = fs::metadata(path).map_err(|error| at(path, &error))?;
        if !found.is_file() {
            return Err(Error::Refused("the path does not lead to a file".into()));
        }
        let no_ledger = || Error::Refused("the file is not a ledger, or its creation was interrupted".into());
        // SQLite would delete a journal beside an empty file.
        if found.len() == 0 {
            return Err(no_ledger());
        }
        check_place(path)?;
        let sqlite = Sqlite::open(Place::of(path)?)?;
        // Check this before anything in the file changes.
        let number = |name| sqlite.connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let mark = number("application_id").map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => no_ledger(),
            // SQLite reads nothing from a half-written commit whose first page states more pages than the file has.
            Some(ErrorCode::DatabaseCorrupt) => sqlite.is_not_whole(&error.into()),
            _ => error.into(),
        })?;
        if mark != APPLICATION {
            return Err(no_ledger());
        }
        let (version, _) = parts(number("user_version")?);
        check_version(version)?;
        let ledger = Self::with(sqlite.durable()?);
        ledger.read(|_| Ok(()))?;
        Ok(ledger)
    }
}

/// Checks that a new ledger may be created in this folder.
pub(crate) fn check_folder(path: &Path) -> Fallible<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    check_place(folder.unwrap_or(Path::new(".")))
}

/// Returns true if the name is that of an interrupted copy.
fn is_unfinished(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(UNFINISHED.as_bytes())
}

/// Creates an empty file for a ledger or a backup, with a name that [`Ledger::open`] accepts.
pub(crate) fn make(path: &Path) -> Fallible<()> {
    if is_unfinished(path) {
        return Err(Error::Refused(format!(
            "the name is reserved for interrupted copies: choose a name that does not end with {UNFINISHED}"
        )));
    }
    make_file(path)
}

/// Creates an empty file, which must not exist, and which other users cannot write.
fn make_file(path: &Path) -> Fallible<()> {
    journal::check_nothing(path)?;
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|error| at(path, &error))?;
    Ok(())
}

/// Syncs the folder of this file, so that a renamed file is on the disk.
fn sync_folder(path: &Path) -> Fallible<()> {
    #[cfg(unix)]
    {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Makes a ledger from the backup in this file.
pub(crate) fn restored(path: &Path) -> Fallible<Ledger> {
    let sqlite = Sqlite::open(Place::of(path)?)?.durable()?;
    name_place(&sqlite.connection, sqlite.place.mark())?;
    drop(sqlite);
    Ledger::open(path)
}

/// Waits for another process's lock, for about half a minute. SQLite's own waits grow to 100 ms, so that a waiting
/// process would get no turn between processes that commit one after the other.
fn wait(times: i32) -> bool {
    thread::sleep(Duration::from_millis(1));
    times < 30_000
}

/// Splits the mark into the version of the tables and the place of the last commit.
fn parts(mark: i64) -> (i64, i64) {
    (mark & 0xff, mark >> 8)
}

fn mark(connection: &Connection) -> Fallible<(i64, i64)> {
    Ok(parts(connection.pragma_query_value(None, "user_version", |row| row.get(0))?))
}

/// Writes the place to the first page, which also counts commits, so that each journal contains it.
fn name_place(connection: &Connection, place: i64) -> Fallible<()> {
    let (version, found) = mark(connection)?;
    if found == place { Ok(()) } else { Ok(connection.pragma_update(None, "user_version", version | place << 8)?) }
}

impl Sqlite {
    /// Opens an existing file. Its absolute path is never mistaken for an address (`file:…`), which SQLite accepts.
    fn open(place: Place) -> Fallible<Self> {
        journal::check_own(&place)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(place.path(), flags)?;
        connection.busy_handler(Some(wait))?;
        // Check that SQLite opened this file.
        place.check()?;
        Ok(Self { connection, place, whole: Remembered::new(None) })
    }

    /// Makes each commit durable: it is in the file itself, and on the disk, before the call returns.
    fn durable(self) -> Fallible<Self> {
        let connection = &self.connection;
        connection
            .execute_batch("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")?;
        let mode: String = connection.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))?;
        // Some systems need more than a plain sync. No page is written before the commit, so the journal is complete.
        connection.execute_batch(
            "PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; \
             PRAGMA cache_spill = OFF;",
        )?;
        let synchronous: i32 = connection.pragma_query_value(None, "synchronous", |row| row.get(0))?;
        if mode != "delete" || synchronous != 3 {
            return Err(Error::Refused(format!("SQLite is in mode {mode}, synchronous {synchronous}")));
        }
        Ok(self)
    }

    /// Begins a transaction. SQLite looks for a journal by the file's name with the first lock, so the journal is
    /// checked before.
    fn begin(&self, behavior: TransactionBehavior) -> Fallible<Transaction<'_>> {
        self.place.check()?;
        journal::check_own(&self.place)?;
        Ok(Transaction::new_unchecked(&self.connection, behavior)?)
    }

    /// Commits if the file is still at its place.
    fn end(&self, transaction: Transaction<'_>) -> Fallible<()> {
        self.place.check()?;
        Ok(transaction.commit()?)
    }

    /// Returns true if the last commit was made at another place, or to the file from which this one was copied.
    fn is_elsewhere(&self, transaction: &Transaction<'_>) -> Fallible<bool> {
        let (version, place) = mark(transaction)?;
        Ok(version == VERSION && place != self.place.mark())
    }

    /// Copies all current pages to an empty file.
    fn copy(&self, to: &Path) -> Fallible<Self> {
        let mut copy = Self::open(Place::of(to)?)?.durable()?;
        self.read(&mut |_| {
            // Copy in one step, within this transaction.
            match Backup::new(&self.connection, &mut copy.connection)?.step(-1)? {
                StepResult::Done => Ok(()),
                _ => Err(Error::Busy),
            }
        })?;
        Ok(copy)
    }

    /// Checks that the whole ledger is consistent. A file that was moved without its journal may contain half of a
    /// commit.
    fn check_whole(&self, transaction: &mut Transaction<'_>) -> Fallible<()> {
        journal::check_pages_and_entries(transaction).map_err(|error| match error {
            Error::Busy => error,
            other => self.is_not_whole(&other),
        })
    }

    fn is_not_whole(&self, cause: &Error) -> Error {
        Error::Misplaced(format!(
            "{} is incomplete ({cause}). If it was moved or copied after a program was killed, its journal may still \
             be at the old place: move both back, and open it there",
            self.place.path().display()
        ))
    }
}

impl Store for Sqlite {
    fn write(&mut self, work: &mut dyn FnMut(&mut dyn Tables) -> Fallible<()>) -> Fallible<()> {
        let mut transaction = self.begin(TransactionBehavior::Immediate)?;
        if self.is_elsewhere(&transaction)? {
            if mark(&transaction)?.1 == BACKUP {
                return Err(Error::Refused(
                    "the file is a backup, which cannot be charged: restore it to a new file".into(),
                ));
            }
            self.check_whole(&mut transaction)?;
        }
        work(&mut transaction)?;
        name_place(&transaction, self.place.mark())?;
        let start = Instant::now();
        self.end(transaction)?;
        // Waiting processes look once in a millisecond. Without a pause, a process that commits repeatedly would always
        // have the lock.
        thread::sleep(start.elapsed() / 16);
        Ok(())
    }

    fn read(&self, work: &mut dyn FnMut(&mut dyn Tables) -> Fallible<()>) -> Fallible<()> {
        let mut transaction = self.begin(TransactionBehavior::Deferred)?;
        if self.is_elsewhere(&transaction)? {
            let seen = Some(self.place.check()?);
            if self.whole.get() != seen {
                self.check_whole(&mut transaction)?;
                self.whole.set(seen);
            }
        }
        work(&mut transaction)?;
        self.end(transaction)
    }

    fn backup(&self, to: &Path) -> Fallible<()> {
        let unfinished = beside(to, UNFINISHED);
        make_file(&unfinished)?;
        let made = self.copy(&unfinished).and_then(|copy| {
            name_place(&copy.connection, BACKUP)?;
            drop(copy);
            // The mark is on the disk, and no file had this name before.
            fs::rename(&unfinished, to).map_err(|error| at(to, &error))?;
            sync_folder(to)
        });
        made.inspect_err(|_| drop(fs::remove_file(&unfinished)))
    }

    fn is_backup(&self) -> Fallible<bool> {
        Ok(mark(&self.connection)?.1 == BACKUP)
    }
}

impl Tables for Transaction<'_> {
    fn make(&mut self) -> Fallible<()> {
        self.execute_batch(SCHEMA)?;
        self.execute_batch(TRIGGERS)?;
        self.pragma_update(None, "application_id", APPLICATION)?;
        Ok(self.pragma_update(None, "user_version", VERSION)?)
    }

    fn run(&mut self, statement: &'static str, values: &[Value<'_>]) -> Fallible<u64> {
        let changed = self.prepare_cached(statement)?.execute(params_from_iter(values))?;
        Ok(u64::try_from(changed).unwrap_or(u64::MAX))
    }

    fn each(
        &mut self,
        query: &'static str,
        values: &[Value<'_>],
        take: &mut dyn FnMut(Row) -> Fallible<()>,
    ) -> Fallible<()> {
        let mut statement = self.prepare_cached(query)?;
        let columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            let cells = (0..columns).map(|column| cell(row.get_ref(column)?));
            take(Row::new(cells.collect::<Fallible<_>>()?))?;
        }
        Ok(())
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Value::Missing => ValueRef::Null,
            Value::Number(number) => ValueRef::Integer(number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

fn cell(value: ValueRef<'_>) -> Fallible<Cell> {
    let wrong = || Error::Tampered("a column is of another type".into());
    Ok(match value {
        ValueRef::Null => Cell::Missing,
        ValueRef::Integer(number) => Cell::Number(number),
        ValueRef::Text(text) => Cell::Text(String::from_utf8(text.into()).map_err(|_| wrong())?),
        ValueRef::Blob(bytes) => Cell::Bytes(bytes.into()),
        ValueRef::Real(_) => return Err(wrong()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crash may leave a copy of all pages that has not yet the mark of a backup: it has another name, under which it
    /// is not opened. The negative control is the same file under the name of the backup, which would be charged.
    #[test]
    fn a_copy_without_its_mark_is_not_charged() {
        let folder = tempfile::tempdir().unwrap();
        let (path, to) = (folder.path().join("a.ledger"), folder.path().join("a.backup"));
        let loss = Loss::epsilon(0.5).unwrap();
        drop(Ledger::create(&path, "survey", &Loss::epsilon(1.0).unwrap()).unwrap());
        let source = || Sqlite::open(Place::of(&path).unwrap()).unwrap();
        let unfinished = beside(&to, UNFINISHED);
        make(&to).unwrap();
        make_file(&unfinished).unwrap();
        drop(source().copy(&unfinished).unwrap());
        for interrupted in [&to, &unfinished] {
            assert!(matches!(Ledger::open(interrupted), Err(Error::Refused(_))), "{}", interrupted.display());
        }
        assert!(Ledger::open(&path).unwrap().backup(folder.path().join("other")).is_ok());
        fs::remove_file(&to).unwrap();
        assert!(Ledger::open(&path).unwrap().backup(&to).is_err(), "the copy of before is there, and says so");
        assert!(!to.exists());
        let unmarked = folder.path().join("unmarked.backup");
        fs::rename(&unfinished, &unmarked).unwrap();
        assert!(Ledger::open(&unmarked).unwrap().charge("survey", "a", "plan", &loss).is_ok());
        // A whole backup: nothing else is left, and nothing is charged.
        Ledger::open(&path).unwrap().backup(&to).unwrap();
        assert!(!unfinished.exists() && !beside(&unfinished, "-journal").exists());
        let refused = Ledger::open(&to).unwrap().charge("survey", "a", "plan", &loss).map(drop);
        assert!(matches!(refused, Err(Error::Refused(_))));
    }

    #[test]
    fn what_is_no_ledger_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ledger");
        let budget = Loss::epsilon(1.0).unwrap();
        assert!(matches!(Ledger::open(&path), Err(Error::System(_))), "a missing ledger is not an empty one");
        assert!(matches!(Ledger::open(folder.path()), Err(Error::Refused(_))));
        let unfinished = beside(&path, UNFINISHED);
        assert!(matches!(Ledger::create(&unfinished, "survey", &budget), Err(Error::Refused(_))), "never opened again");
        assert!(!unfinished.exists());
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
        newer.pragma_update(None, "user_version", VERSION + 1).unwrap();
        drop(newer);
        assert!(Ledger::open(&path).unwrap_err().to_string().contains("version 4"));
        for name in ["", "a\nb"] {
            assert!(Ledger::create(folder.path().join("b"), name, &budget).is_err());
        }
        assert!(!folder.path().join("b").exists());
    }
}
