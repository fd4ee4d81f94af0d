//! The tree of accounts.

use crate::{
    chain::append,
    error::{Error, Fallible},
    ledger::{Ledger, check_name},
    loss::Loss,
    store::Tables,
};
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
        self.commit(|tables| add(tables, name, Some(parent), budget))
    }

    /// The budget of an account. Readers do not wait for writers.
    ///
    /// # Errors
    ///
    /// An account that is unknown.
    pub fn budget(&self, account: &str) -> Fallible<Budget> {
        self.read(|tables| of(tables, account))
    }

    /// The names of all accounts, in order.
    pub fn accounts(&self) -> Fallible<Vec<String>> {
        self.read(|tables| {
            let mut names = Vec::new();
            tables.each("SELECT name FROM account ORDER BY name", &[], &mut |mut row| {
                names.push(row.text()?);
                Ok(())
            })?;
            Ok(names)
        })
    }
}

/// The most accounts, one above the other.
pub(crate) const MAX_DEPTH: usize = 64;

/// The budget of an account as it is now.
pub(crate) fn of(tables: &mut dyn Tables, account: &str) -> Fallible<Budget> {
    let found = tables.row("SELECT parent, budget, spent FROM account WHERE name = $1", &[account.into()])?;
    let mut row = found.ok_or_else(|| Error::parameter("account", format!("there is no account {account:?}")))?;
    let (parent, total, spent): (_, Loss, Loss) = (row.text_if_any()?, row.text()?.parse()?, row.text()?.parse()?);
    let left =
        total.minus(&spent)?.ok_or_else(|| Error::Tampered(format!("{account:?} has spent more than it had")))?;
    Ok(Budget { total, spent, left, parent })
}

pub(crate) fn add(tables: &mut dyn Tables, name: &str, parent: Option<&str>, budget: &Loss) -> Fallible<()> {
    if let Some(parent) = parent {
        // The measures must be one.
        of(tables, parent)?.total.plus(budget)?;
    }
    // With it: the account itself and those above it.
    let mut depth = 1;
    let mut next = parent.map(str::to_owned);
    while let Some(name) = next {
        next = of(tables, &name)?.parent;
        depth += 1;
        let rule = format!("must be below fewer than {MAX_DEPTH} accounts");
        if depth > MAX_DEPTH {
            return Err(Error::parameter("parent", rule));
        }
    }
    if tables.row("SELECT name FROM account WHERE name = $1", &[name.into()])?.is_some() {
        return Err(Error::parameter("name", format!("there is an account {name:?} already")));
    }
    let (budget, nothing) = (budget.text(), Loss::nothing(budget.measure()).text());
    let opened = append(tables, "account", &json!({ "budget": budget, "name": name, "parent": parent }))?;
    tables.run(
        "INSERT INTO account(name, parent, budget, spent, opened) VALUES ($1, $2, $3, $4, $5)",
        &[name.into(), parent.into(), budget.as_str().into(), nothing.as_str().into(), opened.number().into()],
    )?;
    Ok(())
}
