//! `budget`.

use crate::{
    arguments::{BudgetCommand, Format},
    commands::loss,
    failure::Failure,
    output::Rows,
};
use indistinct_ledger::Ledger;
use std::path::Path;

pub(crate) fn run(command: &BudgetCommand, format: Format) -> Result<(), Failure> {
    match command {
        BudgetCommand::Open { name, budget, ledger } => {
            let opened = Ledger::create(ledger, name, &loss(budget)?).map_err(|error| at(ledger, error))?;
            show(&opened, format)
        }
        BudgetCommand::Sub { name, parent, budget, ledger } => {
            let mut opened = open(ledger)?;
            opened.open_account(name, parent, &loss(budget)?)?;
            show(&opened, format)
        }
        BudgetCommand::Show { ledger } => show(&open(ledger)?, format),
    }
}

pub(crate) fn open(path: &Path) -> Result<Ledger, Failure> {
    Ledger::open(path).map_err(|error| at(path, error))
}

fn at(path: &Path, error: indistinct_ledger::Error) -> Failure {
    match error {
        indistinct_ledger::Error::System(error) => Failure::file(path, &error),
        other => other.into(),
    }
}

fn show(ledger: &Ledger, format: Format) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for account in ledger.accounts()? {
        let budget = ledger.budget(&account)?;
        let numbers = [&budget.total, &budget.spent, &budget.left].map(ToString::to_string);
        rows.push([vec![account, budget.parent.unwrap_or_default()], numbers.to_vec()].concat());
    }
    Rows::of_words(&["account", "part of", "budget", "spent", "left"], rows).print(format)
}
