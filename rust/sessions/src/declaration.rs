//! Statements that are declared once about a data set, and hold for all sessions.

use crate::error::{Error, Fallible, refuse};
use indistinct_ledger::{Error as LedgerError, Ledger, Loss};

/// Returns an error if another statement was recorded under this name.
pub(crate) fn check(ledger: &Ledger, account: &str, name: &str, statement: &str) -> Fallible<()> {
    let found = declared(ledger, account, name)?;
    if found.is_none_or(|found| found == statement) { Ok(()) } else { Err(another(name, statement)) }
}

/// Returns the statement that the ledger has recorded under a name.
pub(crate) fn declared(ledger: &Ledger, account: &str, name: &str) -> Fallible<Option<String>> {
    let top = top(ledger, account)?;
    Ok(ledger.request(&top, &format!("{DECLARATION}{name}"))?.map(|found| found.plan))
}

/// Returns the declared names with this prefix, without the prefix, in the order of their declarations.
pub(crate) fn names(ledger: &Ledger, account: &str, beginning: &str) -> Fallible<Vec<String>> {
    let declared = ledger.history(&top(ledger, account)?)?.into_iter().filter_map(|entry| entry.key);
    let name = |key: String| Some(key.strip_prefix(DECLARATION)?.strip_prefix(beginning)?.to_owned());
    let mut names = Vec::new();
    declared.filter_map(name).for_each(|name| {
        if !names.contains(&name) {
            names.push(name);
        }
    });
    Ok(names)
}

fn another(name: &str, statement: &str) -> Error {
    refuse(format!("{name}: the ledger has another declaration than {statement:?}"))
}

/// Records a statement under a name, or checks that it is the recorded one.
///
/// It is a request with a loss of 0 in the account at the top, which is charged and never drawn. A key has the same
/// plan for ever.
pub(crate) fn declare(ledger: &mut Ledger, account: &str, name: &str, statement: &str) -> Fallible<()> {
    let top = top(ledger, account)?;
    let nothing = Loss::nothing(ledger.budget(&top)?.total.measure());
    match ledger.charge(&top, &format!("{DECLARATION}{name}"), statement, &nothing) {
        Ok(_) => Ok(()),
        Err(LedgerError::Conflict { .. }) => Err(another(name, statement)),
        Err(error) => Err(Error::Ledger(error)),
    }
}

/// The prefix of the keys of declarations.
pub(crate) const DECLARATION: &str = "declaration: ";

/// Returns the account above all others.
fn top(ledger: &Ledger, account: &str) -> Fallible<String> {
    let mut name = account.to_owned();
    while let Some(parent) = ledger.budget(&name)?.parent {
        name = parent;
    }
    Ok(name)
}
