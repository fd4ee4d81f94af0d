//! A ledger on a PostgreSQL server, shared by several machines. Each ledger is one schema.

use crate::{
    begin::check_version,
    connect::connect,
    error::{Error, Fallible},
    ledger::{Ledger, VERSION, check_name},
    loss::Loss,
    store::{Cell, Row, SCHEMA, Store, Tables, Value},
};
use postgres::{
    Client, SimpleQueryMessage, Statement,
    error::SqlState,
    fallible_iterator::FallibleIterator,
    types::{ToSql, Type},
};
use std::{cell::RefCell, collections::HashMap, error::Error as _};

/// The mark is a table with one row, which changes only with the version, so locking it does not delay a vacuum.
const MARK: &str = "
CREATE TABLE mark (application TEXT PRIMARY KEY CHECK (application = 'indistinct-ledger'), version BIGINT NOT NULL);
";
/// These triggers prevent accidental changes of entries.
const TRIGGERS: &str = "
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'entries are neither changed nor deleted'; END $$;
CREATE TRIGGER entry_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON entry FOR EACH STATEMENT EXECUTE FUNCTION refuse();
";
/// The required settings of a server. With other settings, a confirmed commit could be lost, or coexist with a
/// conflicting one.
const SETTINGS: [(&str, &str); 7] = [
    ("synchronous_commit", "on"),
    ("fsync", "on"),
    ("full_page_writes", "on"),
    ("data_sync_retry", "off"),
    ("in_hot_standby", "off"),
    ("server_encoding", "UTF8"),
    ("transaction_isolation", "repeatable read"),
];
/// The first supported version that stops itself if a disk did not keep a write.
const LEAST_SERVER: i64 = 140_000;

struct Server {
    session: RefCell<Session>,
    /// True if its tables do not exist yet.
    is_new: bool,
}

struct Session {
    client: Client,
    schema: String,
    statements: HashMap<&'static str, Statement>,
    /// True between the beginning and the end of a transaction, and after a failed end.
    is_inside: bool,
}

impl Ledger {
    /// Creates a ledger on a PostgreSQL server, in a new schema, with one account, at the top. It requires the feature
    /// `postgres`.
    ///
    /// # Parameters
    ///
    /// - `server`: the connection to the database, such as `host=/run/postgresql dbname=budgets user=ann` or a URL. For
    ///   another machine, use `sslmode=require`: the connection is encrypted, and the server must present a certificate
    ///   for its name, checked against the system's authorities or those in the file `SSL_CERT_FILE`. Use
    ///   `sslmode=disable` only on a private network.
    /// - `ledger`: the name of the schema: a letter from a to z, then letters, digits and `_`, at most 63 characters.
    /// - `name`, `budget`: the account at the top.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Refused`] if the server could lose confirmed commits (its settings `fsync`, `full_page_writes`,
    /// `data_sync_retry`), or is older than version 14. Returns [`Error::Storage`] if the server cannot be reached or
    /// the schema already exists. Returns an error if the name is empty.
    pub fn create_on_server(server: &str, ledger: &str, name: &str, budget: &Loss) -> Fallible<Self> {
        check_name("name", name)?;
        let session = RefCell::new(Session::connect(server, ledger)?);
        drop(Self::begin(Server { session, is_new: true }, name, budget)?);
        Self::open_on_server(server, ledger)
    }

    /// Opens the ledger of this name on a PostgreSQL server. It requires the feature `postgres`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Ledger::create_on_server`], and [`Error::Refused`] if there is no such ledger or it has
    /// another version.
    pub fn open_on_server(server: &str, ledger: &str) -> Fallible<Self> {
        let session = RefCell::new(Session::connect(server, ledger)?);
        let server = Server { session, is_new: false };
        let mut version = None;
        server.read(&mut |tables| {
            let schema = "SELECT table_name::text FROM information_schema.tables \
                 WHERE table_schema = current_schema() AND table_name = 'mark'";
            if tables.row(schema, &[])?.is_some() {
                version = tables.row("SELECT version FROM mark", &[])?.map(|mut row| row.number()).transpose()?;
            }
            Ok(())
        })?;
        match version {
            Some(version) => check_version(version).map(|()| Self::with(server)),
            None => Err(Error::Refused(format!("there is no ledger {ledger:?} on the server"))),
        }
    }
}

impl Session {
    fn connect(server: &str, schema: &str) -> Fallible<Self> {
        let is_name = schema.starts_with(|first: char| first.is_ascii_lowercase())
            && schema.len() <= 63
            && !schema.starts_with("pg_")
            && schema.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        if !is_name {
            let rule = "must start with a letter from a to z, followed by letters, digits and _, at most 63 characters, and must not start with pg_";
            return Err(Error::parameter("ledger", rule));
        }
        let client = connect(server)?;
        let mut session = Self { client, schema: schema.into(), statements: HashMap::new(), is_inside: false };
        let version = session.client.simple_query("SHOW server_version_num")?;
        let version = values(&version).next().and_then(|version| version.parse().ok()).unwrap_or(0i64);
        if version < LEAST_SERVER {
            return Err(Error::Refused(format!(
                "the server has version {version}, but at least {LEAST_SERVER} is needed"
            )));
        }
        Ok(session)
    }

    /// Begins a transaction in which all queries see one state of the tables, after the lock was taken. The first
    /// statement that reads tables takes the snapshot, and `LOCK` does not read tables.
    fn begin(&mut self, mode: &str, lock: &str) -> Fallible<()> {
        let shown: Vec<String> = SETTINGS.iter().map(|(name, _)| format!("SHOW {name};")).collect();
        let begin = format!(
            "BEGIN ISOLATION LEVEL REPEATABLE READ {mode}; SET LOCAL search_path = \"{}\"; \
             SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = '30s'; \
             SET LOCAL idle_in_transaction_session_timeout = '60s'; {lock} {}",
            self.schema,
            shown.concat()
        );
        let answers = self.client.simple_query(&begin).map_err(|error| match error.code() {
            Some(&SqlState::LOCK_NOT_AVAILABLE) => Error::Busy,
            Some(&SqlState::UNDEFINED_TABLE | &SqlState::INVALID_SCHEMA_NAME) => {
                Error::Refused("there is no such ledger on the server".into())
            }
            _ => error.into(),
        })?;
        let mut found = values(&answers);
        for (name, wanted) in SETTINGS {
            let value = found.next().unwrap_or("");
            if value != wanted {
                return Err(Error::Refused(format!("the server has {name} = {value}, but needs {wanted}")));
            }
        }
        Ok(())
    }

    /// Does work in a transaction. If its end fails, the connection is not used again.
    fn transact(
        &mut self,
        (mode, lock): (&str, &str),
        work: &mut dyn FnMut(&mut dyn Tables) -> Fallible<()>,
    ) -> Fallible<()> {
        if self.is_inside {
            return Err(Error::Refused("an earlier transaction has an unknown outcome: reopen the ledger".into()));
        }
        self.is_inside = true;
        let done = self.begin(mode, lock).and_then(|()| work(self));
        // After a failed statement, `COMMIT` would roll back silently; a query returns an error.
        let end = if done.is_ok() { "SELECT; COMMIT" } else { "ROLLBACK" };
        match (self.client.batch_execute(end), done) {
            (Ok(()), done) => {
                self.is_inside = false;
                done
            }
            (Err(_), Err(error)) => Err(error),
            (Err(error), Ok(())) => Err(error.into()),
        }
    }

    fn prepared(&mut self, statement: &'static str) -> Fallible<Statement> {
        if let Some(prepared) = self.statements.get(statement) {
            return Ok(prepared.clone());
        }
        let prepared = self.client.prepare(statement)?;
        self.statements.insert(statement, prepared.clone());
        Ok(prepared)
    }
}

impl Store for Server {
    fn write(&mut self, work: &mut dyn FnMut(&mut dyn Tables) -> Fallible<()>) -> Fallible<()> {
        let lock = if self.is_new { "" } else { "LOCK TABLE mark IN EXCLUSIVE MODE;" };
        self.session.get_mut().transact(("READ WRITE", lock), work)
    }

    fn read(&self, work: &mut dyn FnMut(&mut dyn Tables) -> Fallible<()>) -> Fallible<()> {
        self.session.borrow_mut().transact(("READ ONLY", ""), work)
    }
}

impl Tables for Session {
    fn make(&mut self) -> Fallible<()> {
        self.client.batch_execute(&format!("CREATE SCHEMA \"{}\";", self.schema))?;
        self.client.batch_execute(&[&of_server(MARK), &of_server(SCHEMA), TRIGGERS].concat())?;
        self.run("INSERT INTO mark(application, version) VALUES ('indistinct-ledger', $1)", &[VERSION.into()])?;
        Ok(())
    }

    fn run(&mut self, statement: &'static str, values: &[Value<'_>]) -> Fallible<u64> {
        let prepared = self.prepared(statement)?;
        let values: Vec<_> = values.iter().map(parameter).collect();
        Ok(self.client.execute(&prepared, &values)?)
    }

    fn each(
        &mut self,
        query: &'static str,
        values: &[Value<'_>],
        take: &mut dyn FnMut(Row) -> Fallible<()>,
    ) -> Fallible<()> {
        let prepared = self.prepared(query)?;
        let mut rows = self.client.query_raw(&prepared, values.iter().map(parameter))?;
        while let Some(row) = rows.next()? {
            let cells = (0..row.len()).map(|column| cell(&row, column));
            take(Row::new(cells.collect::<Fallible<_>>()?))?;
        }
        Ok(())
    }
}

/// Converts statements with SQLite's types to the server's types.
fn of_server(statements: &str) -> String {
    let tables = statements.replace(" STRICT, WITHOUT ROWID", "").replace(" STRICT", "").replace("INTEGER", "BIGINT");
    tables.replace("BLOB", "BYTEA").replace("TEXT", "TEXT COLLATE \"C\"")
}

/// Returns all values in the answers.
fn values(answers: &[SimpleQueryMessage]) -> impl Iterator<Item = &str> {
    answers.iter().filter_map(|answer| match answer {
        SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    })
}

fn cell(row: &postgres::Row, column: usize) -> Fallible<Cell> {
    let of = row.columns().get(column).map(|column| column.type_().clone());
    let cell = match of {
        Some(Type::INT8) => row.try_get::<_, Option<i64>>(column)?.map(Cell::Number),
        Some(Type::TEXT) => row.try_get::<_, Option<String>>(column)?.map(Cell::Text),
        Some(Type::BYTEA) => row.try_get::<_, Option<Vec<u8>>>(column)?.map(Cell::Bytes),
        _ => return Err(Error::Tampered("a column is of another type".into())),
    };
    Ok(cell.unwrap_or(Cell::Missing))
}

fn parameter<'v>(value: &'v Value<'_>) -> &'v (dyn ToSql + Sync) {
    match value {
        Value::Missing => &None::<&str>,
        Value::Number(number) => number,
        Value::Text(text) => text,
        Value::Bytes(bytes) => bytes,
    }
}

/// The server's message, without the details that quote values.
impl From<postgres::Error> for Error {
    fn from(error: postgres::Error) -> Self {
        let of_server = error.as_db_error().map(|error| error.message().to_owned());
        let of_network = || match error.source() {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        };
        Self::Storage(of_server.unwrap_or_else(of_network).into())
    }
}
