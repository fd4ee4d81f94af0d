//! A new ledger, wherever it is.

use crate::{
    accounts,
    chain::append,
    error::Fallible,
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
