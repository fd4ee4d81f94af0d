//! Parts of the data that share no rows, each with its own account.

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
    /// Opens accounts for the parts of a partition, each with this budget, and charges the budget to the account above
    /// once for all of them. Each individual's rows are in one part, so only the losses of that part affect the
    /// individual. Spending from a part is charged to no account above it. Opening the same accounts again has no
    /// effect and costs nothing.
    ///
    /// The ledger does not see the data. The caller promises that no privacy unit is in two parts.
    ///
    /// # Parameters
    ///
    /// - `account`: the account that pays, with all accounts above it.
    /// - `parts`: the name of each new account, with a description of the part for which it is prepaid: 1 to 1024 bytes
    ///   without control characters.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no parts or more than 10,000, if the measure differs, or if a name is taken
    /// (unless exactly these parts were opened together before). Returns [`Error::Budget`] if less remains in an
    /// account on the way to the top.
    ///
    /// ```
    /// use indistinct_ledger::{Ledger, Loss};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("survey.ledger");
    /// let mut ledger = Ledger::create(&path, "survey", &Loss::epsilon(1.0)?)?;
    /// let part = |name: &str| (name.to_owned(), format!("region = {name}"));
    /// let regions = ["north", "south", "west"].map(part).into();
    /// ledger.open_partition("survey", &Loss::epsilon(0.75)?, &regions)?;
    /// assert_eq!(ledger.budget("survey")?.remaining.to_string(), "epsilon 0.25");
    /// assert_eq!(ledger.budget("west")?.remaining.to_string(), "epsilon 0.75");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_partition(&mut self, account: &str, budget: &Loss, parts: &BTreeMap<String, String>) -> Fallible<()> {
        if !(1..=MAX_PARTS).contains(&parts.len()) {
            return Err(Error::parameter("parts", format!("must be 1 to {MAX_PARTS} parts")));
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

    /// Returns the accounts that were opened together with a prepaid one, including that account, each with the
    /// description of its part; empty if the account is not prepaid.
    ///
    /// # Errors
    ///
    /// Returns an error if the account is unknown.
    pub fn partition(&self, account: &str) -> Fallible<BTreeMap<String, String>> {
        self.read(|tables| {
            accounts::of(tables, account)?;
            Ok(together(tables, account)?.into_iter().map(|(name, (_, _, of))| (name, of)).collect())
        })
    }
}

/// The maximum number of parts of one partition.
const MAX_PARTS: usize = 10_000;

/// Returns true if one entry opened exactly these parts.
fn is_open(tables: &mut dyn Tables, account: &str, budget: &Loss, parts: &BTreeMap<String, String>) -> Fallible<bool> {
    let Some(first) = parts.keys().next() else { return Ok(false) };
    let found = together(tables, first)?;
    let is_same = |(above, own, _): &(String, String, String)| above == account && *own == budget.text();
    let of = |(name, (_, _, of)): (&String, &(String, String, String))| (name.clone(), of.clone());
    Ok(found.values().all(is_same) && found.iter().map(of).collect::<BTreeMap<_, _>>() == *parts)
}

/// Returns the accounts opened by the same entry as this one, each with the account above, its budget and the
/// description of its part.
fn together(tables: &mut dyn Tables, account: &str) -> Fallible<BTreeMap<String, (String, String, String)>> {
    let mut found = BTreeMap::new();
    let opened = "SELECT opened FROM account WHERE name = $1 AND prepaid IS NOT NULL";
    let Some(mut row) = tables.row(opened, &[account.into()])? else { return Ok(found) };
    let all = "SELECT name, above, budget, prepaid FROM account WHERE opened = $1 AND prepaid IS NOT NULL";
    tables.each(all, &[row.number()?.into()], &mut |mut row| {
        found.insert(row.text()?, (row.text()?, row.text()?, row.text()?));
        Ok(())
    })?;
    Ok(found)
}
