//! `report`.

use crate::{
    arguments::{QuestionArguments, ReportArguments},
    commands::{budget::open, certificate::read, of_ledger, question::answered, release::page, text},
    failure::Failure,
    targets::Targets,
};
use indistinct::core::Released;
use indistinct_ledger::Ledger;
use indistinct_report::{Spending, account_page};
use indistinct_sessions::Tabular;
use std::path::Path;

pub(crate) fn run(arguments: &ReportArguments) -> Result<(), Failure> {
    let ledger = arguments.ledger.as_deref().map(of_ledger).unwrap_or_default();
    let mut inputs: Vec<(&str, &Path)> = ledger.iter().map(|file| ("the ledger", file.as_path())).collect();
    inputs.extend(arguments.certificate.as_deref().map(|file| ("the certificate", file)));
    inputs.extend(arguments.results.as_deref().map(|file| ("what was released", file)));
    inputs.push(("the schema", &arguments.schema));
    let mut targets = Targets::new(&[("--html", Some(&arguments.html))], &inputs, arguments.force)?;
    let page = match (&arguments.ledger, &arguments.certificate, &arguments.results) {
        (Some(ledger), ..) => account(&open(ledger)?, arguments.account.as_deref())?,
        (None, Some(certificate), Some(released)) => release(certificate, released, arguments)?,
        _ => return Err(Failure::new(2, "use --certificate with --results, or --ledger")),
    };
    targets.write("--html", || Ok(page))
}

/// The numbers of a query without the query.
const RAW: &str =
    "without the question, the page shows the noisy numbers that the answer is computed from, such as sums";

/// The page of a release whose hash is in the certificate.
fn release(certificate: &Path, released: &Path, arguments: &ReportArguments) -> Result<String, Failure> {
    let (certificate, text) = (read(certificate)?, text(released)?);
    certificate.verify(&text)?;
    let released = Released::from_json(&text)?;
    let none = || Failure::new(6, "the certificate: its alpha is not a number");
    let alpha = match arguments.alpha {
        Some(alpha) => alpha,
        None => certificate.accuracy.alpha.parse().map_err(|_| none())?,
    };
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(Failure::new(2, "--alpha must be above 0 and below 1"));
    }
    let table = match &arguments.sql {
        Some(_) => answered(&asked(arguments), &certificate, &released, alpha)?,
        None => {
            let table = released.tabulated().with_limits_of(&certificate.plan);
            // A plan has one release, and a query has statistics with names.
            let is_plan = matches!(certificate.accuracy.statistics.as_slice(), [(name, _)] if name == "release");
            if is_plan {
                table
            } else {
                eprintln!("note: {RAW}; name the question and its options, as in `indistinct release`, for its table");
                table.with_note(&format!("{RAW}."))
            }
        }
    };
    Ok(page(arguments.sql.as_deref(), &table, alpha, &certificate))
}

/// The question as it was asked then.
fn asked(arguments: &ReportArguments) -> QuestionArguments {
    let ReportArguments { sql, spend, max_rows_per_individual, max_groups_per_individual, schema, .. } = arguments;
    QuestionArguments {
        sql: sql.clone(),
        spend: spend.clone(),
        max_rows_per_individual: *max_rows_per_individual,
        max_groups_per_individual: *max_groups_per_individual,
        schema: schema.clone(),
        ..QuestionArguments::default()
    }
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
