//! `ledger`.

use crate::{
    arguments::{Format, LedgerCommand},
    commands::budget::{at, open},
    failure::Failure,
    output::{Rows, print},
};
use indistinct_ledger::Ledger;

pub(crate) fn run(command: &LedgerCommand, format: Format) -> Result<(), Failure> {
    match command {
        LedgerCommand::Verify { ledger, expected_head } => {
            let known = expected_head.as_deref().map(str::parse).transpose()?;
            print(&format!("{}\n", open(ledger)?.verify(known)?))
        }
        LedgerCommand::Backup { to, ledger } => {
            let head = open(ledger)?.backup(to).map_err(|error| at(to, error))?;
            print(&format!("{head}\n"))
        }
        LedgerCommand::Restore { backup, ledger } => {
            open(backup)?;
            let restored = Ledger::restore(backup, ledger).map_err(|error| at(ledger, error))?;
            eprintln!(
                "note: charges that were made after the backup are not in this ledger, and can be spent again; use it \
                 only if the ledger itself is lost"
            );
            print(&format!("{}\n", restored.verify(None)?))
        }
        LedgerCommand::Export { ledger, account } => {
            let ledger = open(ledger)?;
            let accounts = match account {
                Some(account) => vec![account.clone()],
                None => ledger.accounts()?,
            };
            let mut entries = Vec::new();
            for account in accounts {
                entries.extend(ledger.history(&account)?.into_iter().map(|entry| (account.clone(), entry)));
            }
            entries.sort_by_key(|(_, entry)| entry.entry.entries);
            let row = |(account, entry): (String, indistinct_ledger::Entry)| {
                let loss = entry.loss.as_ref().map(ToString::to_string).unwrap_or_default();
                let kind = format!("{:?}", entry.kind).to_lowercase();
                vec![entry.entry.to_string(), account, kind, entry.key.unwrap_or_default(), loss]
            };
            let head = ["entry", "account", "kind", "name", "loss"];
            Rows::of_words(&head, entries.into_iter().map(row).collect()).print(format)
        }
    }
}
