//! A new ledger.

use crate::{
    accounts,
    chain::append,
    error::Fallible,
    loss::Loss,
    open::{APPLICATION, Ledger, VERSION, check_name, check_place},
};
use serde_json::json;
use std::{fs, path::Path};

/// Entries are the truth; accounts and requests follow from them, and are there to be found quickly. What has become of
/// a request is which of its entries there are.
const SCHEMA: &str = "
CREATE TABLE entry (
    number INTEGER PRIMARY KEY CHECK (number >= 1),
    kind TEXT NOT NULL CHECK (kind IN ('genesis', 'account', 'charge', 'draw', 'release')),
    body TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE TABLE account (
    name TEXT PRIMARY KEY,
    parent TEXT REFERENCES account(name),
    budget TEXT NOT NULL,
    spent TEXT NOT NULL,
    opened INTEGER NOT NULL REFERENCES entry(number)
) STRICT, WITHOUT ROWID;
CREATE TABLE request (
    account TEXT NOT NULL REFERENCES account(name),
    key TEXT NOT NULL,
    plan TEXT NOT NULL,
    loss TEXT NOT NULL,
    charged INTEGER NOT NULL REFERENCES entry(number),
    drawn INTEGER REFERENCES entry(number) CHECK (drawn > charged),
    released INTEGER REFERENCES entry(number) CHECK (drawn IS NOT NULL AND released > drawn OR released IS NULL),
    result BLOB CHECK ((result IS NOT NULL) = (released IS NOT NULL)),
    PRIMARY KEY (account, key)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER entry_is_not_changed BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'entries are not changed'); END;
CREATE TRIGGER entry_is_not_deleted BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'entries are not deleted'); END;
";

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
        // Made by this call alone, and not writable by others.
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)?;
        let mut ledger = Self::with_new_file(path)?;
        ledger.commit(|transaction| {
            transaction.execute_batch(SCHEMA)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
            append(transaction, "genesis", &json!({ "version": VERSION }))?;
            accounts::add(transaction, name, None, budget)
        })?;
        Ok(ledger)
    }
}
