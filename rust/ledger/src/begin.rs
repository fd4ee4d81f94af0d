//! The creation of a ledger, in a file or on a server, and the check of its version.

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
    /// Begins a ledger in an empty store: the tables, their mark, the first entry and the account at the top, in one
    /// commit.
    pub(crate) fn begin(store: impl Store + 'static, name: &str, budget: &Loss) -> Fallible<Self> {
        let mut ledger = Self::with(store);
        ledger.commit(|tables| {
            tables.make()?;
            append(tables, "genesis", &json!({ "version": VERSION }))?;
            accounts::add(tables, name, None, budget)
        })?;
        Ok(ledger)
    }
}

/// Refuses a ledger of another version, whose amounts or tables this program would misread.
pub(crate) fn check_version(found: i64) -> Fallible<()> {
    match found {
        VERSION => Ok(()),
        _ => Err(Error::Refused(format!("it has version {found}, but this program reads only version {VERSION}"))),
    }
}
