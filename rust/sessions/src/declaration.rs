//! What is said once of a data set, and is then the same for all sessions.

use crate::error::{Error, Fallible, refuse};
use indistinct_ledger::{Error as LedgerError, Ledger, Loss};

/// Write down a statement under a name, or find that it is the one that was written down.
///
/// It is a request of nothing in the account at the top, charged and never drawn: a key has one plan for ever.
pub(crate) fn declare(ledger: &mut Ledger, account: &str, name: &str, statement: &str) -> Fallible<()> {
    let top = top(ledger, account)?;
    let nothing = Loss::nothing(ledger.budget(&top)?.total.measure());
    match ledger.charge(&top, &format!("{DECLARATION}{name}"), statement, &nothing) {
        Ok(_) => Ok(()),
        Err(LedgerError::Conflict { .. }) => {
            let rule = "another one was declared in this ledger, and releases were counted by it";
            Err(refuse(format!("{name}: {statement}: {rule}")))
        }
        Err(error) => Err(Error::Ledger(error)),
    }
}

/// How the keys of declarations begin.
pub(crate) const DECLARATION: &str = "declaration: ";

/// The account that is above all others.
fn top(ledger: &Ledger, account: &str) -> Fallible<String> {
    let mut name = account.to_owned();
    while let Some(parent) = ledger.budget(&name)?.parent {
        name = parent;
    }
    Ok(name)
}
