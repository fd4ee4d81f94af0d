//! A ledger, new or of an earlier version, wherever it is.

use crate::{
    accounts,
    chain::append,
    error::{Error, Fallible},
    ledger::{Ledger, VERSION},
    loss::Loss,
    store::Store,
};
use serde_json::json;

impl Ledger {
    /// In a store that has nothing yet: the tables, their mark, the first entry and the account at the top, at once.
    pub(crate) fn begin(store: impl Store + 'static, name: &str, budget: &Loss) -> Fallible<Self> {
        let mut ledger = Self::with(store);
        ledger.commit(|tables| {
            tables.make()?;
            append(tables, "genesis", &json!({ "version": VERSION }))?;
            accounts::add(tables, name, None, budget)
        })?;
        Ok(ledger)
    }

    /// One that there is. If it is of an earlier version, it is made one of this: forwards alone, in one commit, and
    /// no entry is changed.
    pub(crate) fn of_version<S: Store + 'static>(found: i64, store: impl FnOnce() -> Fallible<S>) -> Fallible<Self> {
        let check = |found| match (1..=VERSION).contains(&found) {
            true => Ok(found),
            false => Err(Error::Refused(format!("has version {found}, not {VERSION}, which this program reads"))),
        };
        check(found)?;
        let mut ledger = Self::with(store()?);
        if found < VERSION {
            ledger.commit(|tables| {
                // Another process may have been here.
                let version = check(tables.version()?)?;
                let steps = CHANGES.into_iter().filter(|(to, _)| *to > version);
                steps.into_iter().try_for_each(|(to, statements)| tables.change(statements, to))
            })?;
        }
        Ok(ledger)
    }
}

/// The statements that turn each version into the next one.
const CHANGES: [(i64, &str); 1] = [(
    2,
    // The name is another one so that a program of version 1, which knows nothing of what is new, charges no more.
    "ALTER TABLE account RENAME COLUMN parent TO above; ALTER TABLE account ADD COLUMN prepaid TEXT;
     ALTER TABLE account ADD COLUMN closed INTEGER REFERENCES entry(number);",
)];
