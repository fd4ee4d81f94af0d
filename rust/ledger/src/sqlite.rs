//! A ledger in a file, by SQLite: made, opened, and refused where it could lose what it was told.

use crate::{
    error::{Error, Fallible},
    ledger::{Ledger, VERSION, check_name},
    loss::Loss,
    place::check_place,
    store::{Cell, Row, SCHEMA, Store, Tables, Value},
};
use rusqlite::{
    Connection, ErrorCode, OpenFlags, ToSql, Transaction, TransactionBehavior, params_from_iter,
    types::{ToSqlOutput, ValueRef},
};
use std::{fs, io, path::Path, time::Duration};

/// "indl", by which a file is known to be a ledger.
const APPLICATION: i64 = 0x696e_646c;
/// The first SQLite in which no commit is lost when a checkpoint and a writer of the log meet.
const LEAST_SQLITE: i32 = 3_051_003;
/// Nobody changes an entry by mistake.
const TRIGGERS: &str = "
CREATE TRIGGER entry_is_not_changed BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'entries are not changed'); END;
CREATE TRIGGER entry_is_not_deleted BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'entries are not deleted'); END;
";

struct Sqlite(Connection);

impl Ledger {
    /// A new ledger in a file that does not exist yet, with one account, at the top: a data set and its budget.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`](crate::Error::Refused) on a network file system, [`Error::System`](crate::Error::System) if
    /// there is a file; a name that is empty.
    pub fn create(path: impl AsRef<Path>, name: &str, budget: &Loss) -> Fallible<Self> {
        let path = path.as_ref();
        check_name("name", name)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        check_place(folder.unwrap_or(Path::new(".")))?;
        check_version()?;
        // Made by this call alone, and not writable by others.
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path).map_err(|error| at(path, &error))?;
        Self::begin(Sqlite::with(connection(path)?)?, name, budget)
    }

    /// The ledger in a file.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if the file is no ledger, one of a newer version, or on a network file system, where locks
    /// are not to be trusted; [`Error::System`] if there is none: a missing ledger is not an empty one.
    pub fn open(path: impl AsRef<Path>) -> Fallible<Self> {
        let path = path.as_ref();
        let found = fs::metadata(path).map_err(|error| at(path, &error))?;
        if !found.is_file() {
            return Err(Error::Refused("is not a file".into()));
        }
        check_place(path)?;
        check_version()?;
        let connection = connection(path)?;
        // Before anything of the file is changed.
        let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let no_ledger = || Error::Refused("the file is no ledger, or one whose making was interrupted".into());
        let mark = number("application_id").map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => no_ledger(),
            _ => error.into(),
        })?;
        match (mark, number("user_version")?) {
            (APPLICATION, version) => Self::of_version(version, || Sqlite::with(connection)),
            _ => Err(no_ledger()),
        }
    }
}

impl Sqlite {
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
        Ok(Self(connection))
    }
}

impl Store for Sqlite {
    fn write(&mut self, work: &mut dyn FnMut(&mut dyn Tables) -> Fallible<()>) -> Fallible<()> {
        let begun = self.0.transaction_with_behavior(TransactionBehavior::Immediate);
        let mut transaction = begun.map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy) => Error::Busy,
            _ => error.into(),
        })?;
        work(&mut transaction)?;
        Ok(transaction.commit()?)
    }

    fn read(&self, work: &mut dyn FnMut(&mut dyn Tables) -> Fallible<()>) -> Fallible<()> {
        work(&mut self.0.unchecked_transaction()?)
    }
}

impl Tables for Transaction<'_> {
    fn make(&mut self) -> Fallible<()> {
        self.execute_batch(SCHEMA)?;
        self.execute_batch(TRIGGERS)?;
        self.pragma_update(None, "application_id", APPLICATION)?;
        Ok(self.pragma_update(None, "user_version", VERSION)?)
    }

    fn version(&mut self) -> Fallible<i64> {
        Ok(self.pragma_query_value(None, "user_version", |row| row.get(0))?)
    }

    fn change(&mut self, statements: &'static str, version: i64) -> Fallible<()> {
        self.execute_batch(statements)?;
        Ok(self.pragma_update(None, "user_version", version)?)
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
    let wrong = || Error::Tampered("a text is none".into());
    Ok(match value {
        ValueRef::Null => Cell::Missing,
        ValueRef::Integer(number) => Cell::Number(number),
        ValueRef::Text(text) => Cell::Text(String::from_utf8(text.into()).map_err(|_| wrong())?),
        ValueRef::Blob(bytes) => Cell::Bytes(bytes.into()),
        ValueRef::Real(_) => return Err(wrong()),
    })
}

fn check_version() -> Fallible<()> {
    let is_known = rusqlite::version_number() >= LEAST_SQLITE;
    if is_known { Ok(()) } else { Err(Error::Refused(format!("SQLite {} may lose commits", rusqlite::version()))) }
}

/// An error of the system with the file that it is about.
fn at(path: &Path, error: &io::Error) -> io::Error {
    let words = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::AlreadyExists => "there is a file already".into(),
        _ => error.to_string(),
    };
    io::Error::new(error.kind(), format!("{}: {words}", path.display()))
}

/// The file, which there is. Its whole path is never taken for an address (`file:…`), as SQLite takes others.
fn connection(path: &Path) -> Fallible<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(fs::canonicalize(path)?, flags)?;
    connection.busy_timeout(Duration::from_secs(30))?;
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        newer.pragma_update(None, "user_version", 3).unwrap();
        drop(newer);
        assert!(Ledger::open(&path).unwrap_err().to_string().contains("version 3"));
        for name in ["", "a\nb"] {
            assert!(Ledger::create(folder.path().join("b"), name, &budget).is_err());
        }
        assert!(!folder.path().join("b").exists());
    }
}
