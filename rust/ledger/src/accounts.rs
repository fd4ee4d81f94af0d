//! The tree of accounts.

use crate::{
    chain::{Head, append},
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
    /// The whole budget.
    pub total: Loss,
    /// The amount spent by this account and the accounts below it.
    pub spent: Loss,
    /// The remaining budget. Less may remain in the accounts above.
    pub remaining: Loss,
    /// The account above.
    pub parent: Option<String>,
    /// The condition of the part for which the account was prepaid. Its whole budget was charged to the account above
    /// when it was opened, so its spending is charged to no account above.
    pub prepaid: Option<String>,
    /// True if nothing more may be charged to it or to the accounts below it.
    pub is_closed: bool,
}

impl Ledger {
    /// Adds an account below another one. Each charge to it is also charged to the accounts above. Its budget may
    /// exceed the remaining budgets above it: it can spend the smallest remaining budget on the way to the top
    /// ([`Ledger::rest`]).
    ///
    /// # Errors
    ///
    /// Returns an error if the name is taken or empty, if the parent is unknown or has a budget in another measure, or
    /// if the budget has a delta of 1 or more.
    pub fn add_account(&mut self, name: &str, parent: &str, budget: &Loss) -> Fallible<()> {
        check_name("name", name)?;
        self.commit(|tables| add(tables, name, Some(parent), budget))
    }

    /// Closes an account: nothing more is charged to it or to the accounts below it. Charged requests can still be
    /// released, and earlier releases returned again. A closed account stays closed.
    ///
    /// # Errors
    ///
    /// Returns an error if the account is unknown.
    pub fn close_account(&mut self, name: &str) -> Fallible<()> {
        self.commit(|tables| {
            if of(tables, name)?.is_closed {
                return Ok(());
            }
            let closed = append(tables, "account", &json!({ "closed": name }))?;
            let values = [closed.number().into(), name.into()];
            let changed = tables.run("UPDATE account SET closed = $1 WHERE name = $2", &values)?;
            if changed == 1 {
                Ok(())
            } else {
                Err(Error::Tampered(format!("the account {name:?} does not match its entries")))
            }
        })
    }

    /// Returns the budget of an account.
    ///
    /// # Errors
    ///
    /// Returns an error if the account is unknown.
    pub fn budget(&self, account: &str) -> Fallible<Budget> {
        self.read(|tables| of(tables, account))
    }

    /// Returns the exact maximum that can be charged to an account: the smallest remaining budget among its own and the
    /// budgets above it that also pay.
    ///
    /// ```
    /// use indistinct_ledger::{Ledger, Loss};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("survey.ledger");
    /// let mut ledger = Ledger::create(&path, "survey", &Loss::epsilon(1.0)?)?;
    /// for (key, epsilon) in [("a", 0.1), ("b", 0.2), ("c", 0.3)] {
    ///     let _ = ledger.charge("survey", key, "plan", &Loss::epsilon(epsilon)?)?;
    /// }
    /// let rest = ledger.rest("survey")?;
    /// assert_eq!(rest.to_string(), "epsilon 0.4");
    /// assert!(ledger.charge("survey", "d", "plan", &rest).is_ok());
    /// assert!(ledger.rest("survey").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the account is unknown, and [`Error::Spent`] if nothing remains.
    pub fn rest(&self, account: &str) -> Fallible<Loss> {
        self.read(|tables| {
            let mut name = account.to_owned();
            let mut budget = of(tables, &name)?;
            let mut least = budget.remaining.clone();
            for _ in 0..MAX_DEPTH {
                if budget.remaining.is_spent() {
                    return Err(Error::Spent { account: name });
                }
                let Some(above) = budget.parent.filter(|_| budget.prepaid.is_none()) else { break };
                budget = of(tables, &above)?;
                least = least.least(&budget.remaining)?;
                name = above;
            }
            Ok(least)
        })
    }

    /// Returns the names of all accounts, in order.
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

/// The maximum number of nested accounts.
pub(crate) const MAX_DEPTH: usize = 64;

/// Returns the current budget of an account.
pub(crate) fn of(tables: &mut dyn Tables, account: &str) -> Fallible<Budget> {
    let query = "SELECT above, budget, spent, prepaid, closed FROM account WHERE name = $1";
    let found = tables.row(query, &[account.into()])?;
    let mut row = found.ok_or_else(|| Error::parameter("account", format!("there is no account {account:?}")))?;
    let (parent, total, spent): (_, Loss, Loss) = (row.text_if_any()?, row.text()?.parse()?, row.text()?.parse()?);
    let remaining = total
        .minus(&spent)?
        .ok_or_else(|| Error::Tampered(format!("the account {account:?} has spent more than its budget")))?;
    let (prepaid, is_closed) = (row.text_if_any()?, row.number_if_any()?.is_some());
    Ok(Budget { total, spent, remaining, parent, prepaid, is_closed })
}

/// Charges a loss to an account and to all above it, up to a prepaid one, and returns the account's spending before and
/// after. After an error the transaction must not be committed.
pub(crate) fn spend(tables: &mut dyn Tables, account: &str, loss: &Loss) -> Fallible<(Loss, Loss)> {
    let (mut next, mut above, mut own, mut is_paid) = (Some(account.to_owned()), 0, None, false);
    while let Some(name) = next {
        if above >= MAX_DEPTH {
            return Err(Error::Tampered(format!(
                "the account {name:?} is its own parent, or has too many accounts above it"
            )));
        }
        above += 1;
        let budget = of(tables, &name)?;
        if budget.is_closed {
            return Err(Error::parameter("account", format!("{name:?} is closed")));
        }
        if !is_paid {
            let spent = budget.spent.plus(loss)?;
            if budget.total.minus(&spent)?.is_none() {
                let remaining = budget.remaining.to_string();
                return Err(Error::Budget { account: name, loss: loss.to_string(), remaining });
            }
            let sum = spent.text();
            if sum.parse::<Loss>().is_err() {
                return Err(Error::parameter("loss", "is too large, or has too many digits, to be added"));
            }
            let values = [sum.as_str().into(), name.as_str().into()];
            if tables.run("UPDATE account SET spent = $1 WHERE name = $2", &values)? != 1 {
                return Err(Error::Tampered(format!("the account {name:?} does not match its entries")));
            }
            own = own.or(Some((budget.spent, spent)));
        }
        is_paid |= budget.prepaid.is_some();
        next = budget.parent;
    }
    own.ok_or_else(|| Error::Tampered(format!("the account {account:?} does not match its entries")))
}

pub(crate) fn add(tables: &mut dyn Tables, name: &str, parent: Option<&str>, budget: &Loss) -> Fallible<()> {
    check_new(tables, name, parent, budget)?;
    let opened = append(tables, "account", &json!({ "budget": budget.text(), "name": name, "parent": parent }))?;
    insert(tables, name, (parent, None), budget, opened)
}

/// Returns an error if no such account can be opened.
pub(crate) fn check_new(tables: &mut dyn Tables, name: &str, parent: Option<&str>, budget: &Loss) -> Fallible<()> {
    budget.check_budget()?;
    if let Some(parent) = parent {
        // The measures must be the same.
        of(tables, parent)?.total.plus(budget)?;
    }
    // Count the account itself and those above it.
    let mut depth = 1;
    let mut next = parent.map(str::to_owned);
    while let Some(name) = next {
        next = of(tables, &name)?.parent;
        depth += 1;
        let rule = format!("must have fewer than {MAX_DEPTH} accounts above it");
        if depth > MAX_DEPTH {
            return Err(Error::parameter("parent", rule));
        }
    }
    if tables.row("SELECT name FROM account WHERE name = $1", &[name.into()])?.is_some() {
        return Err(Error::parameter("name", format!("account {name:?} exists already")));
    }
    Ok(())
}

/// Inserts an account without spending, below another one or at the top, prepaid or not.
pub(crate) fn insert(
    tables: &mut dyn Tables,
    name: &str,
    (parent, prepaid): (Option<&str>, Option<&str>),
    budget: &Loss,
    opened: Head,
) -> Fallible<()> {
    let (budget, nothing) = (budget.text(), Loss::nothing(budget.measure()).text());
    let (budget, nothing) = (budget.as_str().into(), nothing.as_str().into());
    tables.run(
        "INSERT INTO account(name, above, budget, spent, opened, prepaid) VALUES ($1, $2, $3, $4, $5, $6)",
        &[name.into(), parent.into(), budget, nothing, opened.number().into(), prepaid.into()],
    )?;
    Ok(())
}
