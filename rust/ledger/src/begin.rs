//! A new ledger, wherever it is, and the version of one that there is.

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
}

/// A ledger of another version has amounts or tables that this program would misread.
pub(crate) fn check_version(found: i64) -> Fallible<()> {
    match found {
        VERSION => Ok(()),
        _ => Err(Error::Refused(format!("has version {found}, not {VERSION}, which this program reads"))),
    }
}
