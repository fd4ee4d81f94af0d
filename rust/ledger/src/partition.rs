//! Parts of the data that have no row in common, each with an account of its own.

use crate::{
    accounts,
    chain::append,
    error::{Error, Fallible},
    ledger::{Ledger, check_name},
    loss::Loss,
    store::Tables,
};
use serde_json::json;
use std::collections::BTreeMap;

impl Ledger {
    /// Accounts for the parts of a partition, each with this budget, which is charged to the account above once for all
    /// of them: what one individual contributes is in one part, so that only the losses of that part are theirs. What is
    /// spent from a part is charged to none above it. The same accounts, asked for again, are opened and paid for once.
    ///
    /// The ledger does not see the data: that parts have nothing in common, whatever the unit is, is the caller's
    /// promise.
    ///
    /// # Parameters
    ///
    /// - `account`: pays, with all above it.
    /// - `parts`: the name of each new account, with what it is prepaid for, in words: 1 to 1024 bytes without control
    ///   characters.
    ///
    /// # Errors
    ///
    /// No parts, or more than 10,000; a name that is taken, unless all of them were opened together and for the same;
    /// [`Error::Budget`] if an account on the way to the top has less left; another measure.
    ///
    /// ```
    /// use indistinct_ledger::{Ledger, Loss};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("survey.ledger");
    /// let mut ledger = Ledger::create(&path, "survey", &Loss::epsilon(1.0)?)?;
    /// let part = |name: &str| (name.to_owned(), format!("region = {name}"));
    /// let regions = ["north", "south", "west"].map(part).into();
    /// ledger.open_partition("survey", &Loss::epsilon(0.75)?, &regions)?;
    /// assert_eq!(ledger.budget("survey")?.left.to_string(), "epsilon 0.25");
    /// assert_eq!(ledger.budget("west")?.left.to_string(), "epsilon 0.75");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_partition(&mut self, account: &str, budget: &Loss, parts: &BTreeMap<String, String>) -> Fallible<()> {
        if !(1..=MAX_PARTS).contains(&parts.len()) {
            return Err(Error::parameter("parts", format!("must be 1 to {MAX_PARTS}")));
        }
        for (name, of) in parts {
            check_name("parts", name)?;
            check_name("parts", of)?;
        }
        self.commit(|tables| {
            if is_open(tables, account, budget, parts)? {
                return Ok(());
            }
            for name in parts.keys() {
                accounts::check_new(tables, name, Some(account), budget)?;
            }
            let (_, spent) = accounts::spend(tables, account, budget)?;
            let body = json!({ "budget": budget.text(), "parent": account, "parts": parts, "spent": spent.text() });
            let opened = append(tables, "account", &body)?;
            for (name, of) in parts {
                accounts::insert(tables, name, (Some(account), Some(of)), budget, opened)?;
            }
            Ok(())
        })
    }
}

/// The most parts of one partition.
const MAX_PARTS: usize = 10_000;

/// Whether one entry has opened exactly these.
fn is_open(tables: &mut dyn Tables, account: &str, budget: &Loss, parts: &BTreeMap<String, String>) -> Fallible<bool> {
    let Some(first) = parts.keys().next() else { return Ok(false) };
    let opened = "SELECT opened FROM account WHERE name = $1 AND prepaid IS NOT NULL";
    let Some(mut row) = tables.row(opened, &[first.as_str().into()])? else { return Ok(false) };
    let (number, mut found, mut is_same) = (row.number()?, BTreeMap::new(), true);
    let all = "SELECT name, parent, budget, prepaid FROM account WHERE opened = $1";
    tables.each(all, &[number.into()], &mut |mut row| {
        let (name, parent, own, of) = (row.text()?, row.text_if_any()?, row.text()?, row.text_if_any()?);
        is_same &= parent.as_deref() == Some(account) && own == budget.text();
        found.insert(name, of.unwrap_or_default());
        Ok(())
    })?;
    Ok(is_same && found == *parts)
}
