//! The tree of accounts.

use crate::{
    chain::append,
    error::{Error, Fallible},
    loss::Loss,
    open::{Ledger, check_name},
};
use rusqlite::{OptionalExtension, Transaction, params};
use serde_json::json;

/// An account's budget.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Budget {
    /// All of it.
    pub total: Loss,
    /// What this account and those below it have spent.
    pub spent: Loss,
    /// What is left of it. Accounts above may have less left.
    pub left: Loss,
    /// The account above.
    pub parent: Option<String>,
}

impl Ledger {
    /// An account below another one. Its budget may be more than is left above it: the least that is left on the way
    /// to the top is what can be spent.
    ///
    /// # Errors
    ///
    /// A name that is taken or empty; a parent that is unknown, or whose budget is in another measure.
    pub fn open_account(&mut self, name: &str, parent: &str, budget: &Loss) -> Fallible<()> {
        check_name("name", name)?;
        self.commit(|transaction| add(transaction, name, Some(parent), budget))
    }

    /// The budget of an account. Readers do not wait for writers.
    ///
    /// # Errors
    ///
    /// An account that is unknown.
    pub fn budget(&self, account: &str) -> Fallible<Budget> {
        self.read(|transaction| of(transaction, account))
    }

    /// The names of all accounts, in order.
    pub fn accounts(&self) -> Fallible<Vec<String>> {
        self.read(|transaction| {
            let mut names = transaction.prepare_cached("SELECT name FROM account ORDER BY name")?;
            Ok(names.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
        })
    }
}

/// The most accounts, one above the other.
pub(crate) const MAX_DEPTH: usize = 64;

/// The budget of an account as it is now.
pub(crate) fn of(transaction: &Transaction<'_>, account: &str) -> Fallible<Budget> {
    let found: Option<(Option<String>, String, String)> = transaction
        .prepare_cached("SELECT parent, budget, spent FROM account WHERE name = ?1")?
        .query_row([account], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let (parent, total, spent) =
        found.ok_or_else(|| Error::parameter("account", format!("there is no account {account:?}")))?;
    let (total, spent): (Loss, Loss) = (total.parse()?, spent.parse()?);
    let left =
        total.minus(&spent)?.ok_or_else(|| Error::Tampered(format!("{account:?} has spent more than it had")))?;
    Ok(Budget { total, spent, left, parent })
}

pub(crate) fn add(transaction: &Transaction<'_>, name: &str, parent: Option<&str>, budget: &Loss) -> Fallible<()> {
    if let Some(parent) = parent {
        // The measures must be one.
        of(transaction, parent)?.total.plus(budget)?;
    }
    // With it: the account itself and those above it.
    let mut depth = 1;
    let mut next = parent.map(str::to_owned);
    while let Some(name) = next {
        next = of(transaction, &name)?.parent;
        depth += 1;
        let rule = format!("must be below fewer than {MAX_DEPTH} accounts");
        if depth > MAX_DEPTH {
            return Err(Error::parameter("parent", rule));
        }
    }
    let taken: Option<i32> =
        transaction.query_row("SELECT 1 FROM account WHERE name = ?1", [name], |row| row.get(0)).optional()?;
    if taken.is_some() {
        return Err(Error::parameter("name", format!("there is an account {name:?} already")));
    }
    let opened = append(transaction, "account", &json!({ "budget": budget.text(), "name": name, "parent": parent }))?;
    let nothing = Loss::nothing(budget.measure()).text();
    transaction.execute(
        "INSERT INTO account(name, parent, budget, spent, opened) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![name, parent, budget.text(), nothing, opened.number()],
    )?;
    Ok(())
}
