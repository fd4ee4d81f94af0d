//! `report`.

use crate::{
    arguments::ReportArguments,
    commands::{budget::open, certificate::read, of_ledger, text},
    failure::Failure,
    targets::Targets,
};
use indistinct_ledger::Ledger;
use indistinct_report::{Spending, account_page, release_page};
use std::path::Path;

pub(crate) fn run(arguments: &ReportArguments) -> Result<(), Failure> {
    let ledger = arguments.ledger.as_deref().map(of_ledger).unwrap_or_default();
    let mut inputs: Vec<(&str, &Path)> = ledger.iter().map(|file| ("the ledger", file.as_path())).collect();
    inputs.extend(arguments.certificate.as_deref().map(|file| ("the certificate", file)));
    inputs.extend(arguments.table.as_deref().map(|file| ("the table", file)));
    let mut targets = Targets::new(&[("--html", Some(&arguments.html))], &inputs, arguments.force)?;
    let page = match (&arguments.ledger, &arguments.certificate, &arguments.table) {
        (Some(ledger), ..) => account(&open(ledger)?, arguments.account.as_deref())?,
        (None, Some(certificate), Some(table)) => release(certificate, table, arguments.alpha)?,
        _ => return Err(Failure::new(2, "name a certificate with its table, or a ledger")),
    };
    targets.write("--html", || Ok(page))
}

fn release(certificate: &Path, path: &Path, alpha: Option<f64>) -> Result<String, Failure> {
    let table = text(path)?;
    let table = serde_json::from_str(&table).map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
    let certificate = read(certificate)?;
    let none = || Failure::new(6, "the certificate: its alpha is no number");
    let alpha = match alpha {
        Some(alpha) => alpha,
        None => certificate.accuracy.alpha.parse().map_err(|_| none())?,
    };
    Ok(release_page(&table, alpha, &certificate))
}

/// The account that is above all others, if none is named.
fn account(ledger: &Ledger, name: Option<&str>) -> Result<String, Failure> {
    let top = || -> Result<String, Failure> {
        for name in ledger.accounts()? {
            if ledger.budget(&name)?.parent.is_none() {
                return Ok(name);
            }
        }
        Err(Failure::new(6, "the ledger has no account"))
    };
    let name = name.map_or_else(top, |name| Ok(name.to_owned()))?;
    Ok(account_page(&Spending::of(ledger, &name)?)?)
}
