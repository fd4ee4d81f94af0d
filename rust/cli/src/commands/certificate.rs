//! `certificate`.

use crate::{
    arguments::{CertificateCommand, Format},
    commands::{budget::open, text},
    failure::Failure,
    output::{Rows, print},
};
use indistinct_ledger::Loss;
use indistinct_sessions::{Certificate, Product, rows_in_words};
use serde_json::json;
use std::path::Path;

pub(crate) fn run(command: &CertificateCommand, format: Format) -> Result<(), Failure> {
    match command {
        CertificateCommand::Show { certificate } => {
            let certificate = read(certificate)?;
            if format == Format::Json {
                return print(&format!("{}\n", certificate.to_json()?));
            }
            let words = |text: &str| -> Result<String, Failure> { Ok(text.parse::<Loss>()?.to_string()) };
            let rows = [
                ("release", certificate.name.clone()),
                ("date", certificate.date.clone()),
                ("body", certificate.about.body.clone()),
                ("purpose", certificate.about.purpose.clone()),
                ("table", certificate.table.clone()),
                ("rows", rows_in_words(&certificate.plan, &certificate.rows)),
                ("protects", certificate.unit.clone()),
                ("cost", words(&certificate.loss)?),
                ("account", certificate.account.clone()),
                ("budget", words(&certificate.budget.total)?),
                ("spent before", words(&certificate.budget.before)?),
                ("spent after", words(&certificate.budget.after)?),
                ("weakest proof", certificate.weakest_proof.to_string()),
                ("weakest proof of a map", certificate.weakest_map.to_string()),
                ("plan", certificate.plan_hash.clone()),
                ("released", certificate.released.clone()),
                ("charged", certificate.ledger.charge.clone()),
                ("drawn", certificate.ledger.draw.clone()),
                ("program", format!("{} {}", certificate.program.name, certificate.program.version)),
                ("not protected", certificate.not_protected.join("; ")),
                ("assumed", certificate.assumed.join("; ")),
            ];
            let rows = rows
                .into_iter()
                .filter(|(_, what)| !what.is_empty())
                .map(|(name, what)| vec![name.to_owned(), what])
                .collect();
            Rows::of_words(&["what", "is"], rows).print(format)
        }
        CertificateCommand::Verify { certificate, results, ledger } => {
            let certificate = read(certificate)?;
            match results {
                Some(path) => certificate.verify(&text(path)?)?,
                None => certificate.verify_plan()?,
            }
            if let Some(path) = ledger {
                certificate.verify_in(&open(path)?)?;
            }
            print(&verdict(results.is_some(), ledger.is_some(), format))
        }
        CertificateCommand::Registry { certificate } => {
            print(&format!("{:#}\n", read(certificate)?.deployment(&Product::default())?))
        }
    }
}

/// The statements that follow from the plan in the certificate.
const BY_THE_PLAN: [&str; 3] = [
    "the plan has this hash, measure and loss for the unit that is named",
    "its steps, their maps and the levels of their proofs are those of the plan",
    "spent after = spent before + cost, within the stated budget",
];

const BY_THE_NUMBERS: &str = "the numbers are those of the hash";

/// The statements that a ledger shows, which a forger could otherwise choose freely.
const BY_THE_LEDGER: [&str; 12] = [
    "that the release took place",
    "table",
    "rows",
    "unit",
    "account",
    "name",
    "budget",
    "entries of the ledger",
    "accuracy, program, engine and entropy",
    "date, body and purpose",
    "the list of what is not protected",
    "the list of what is assumed",
];

/// The statement that no check without data can support.
const BY_NOBODY: &str = "that the rows were those of the table, and the program did as it says";

/// The list of checked and unchecked statements of a valid certificate.
fn verdict(has_numbers: bool, has_ledger: bool, format: Format) -> String {
    let numbers = |is_checked: bool| (has_numbers == is_checked).then_some(BY_THE_NUMBERS);
    let ledger = |is_checked: bool| BY_THE_LEDGER.into_iter().filter(move |_| has_ledger == is_checked);
    let checked: Vec<&str> = BY_THE_PLAN.into_iter().chain(numbers(true)).chain(ledger(true)).collect();
    let unchecked: Vec<&str> = numbers(false).into_iter().chain(ledger(false)).chain([BY_NOBODY]).collect();
    if format == Format::Json {
        return format!("{:#}\n", json!({ "holds": true, "checked": checked, "unchecked": unchecked }));
    }
    let mut told = format!("holds: {}", BY_THE_PLAN.join("; "));
    told += match has_numbers {
        true => "; the numbers are those of the hash\n",
        false => "\nthe numbers were not compared: use --results\n",
    };
    let of_ledger = BY_THE_LEDGER.join("; ");
    told += &match has_ledger {
        true => format!("as the ledger has it: {of_ledger}\n"),
        false => format!("not checked without --ledger: {of_ledger}\n"),
    };
    told + &format!("never checked: {BY_NOBODY}\n")
}

pub(crate) fn read(path: &Path) -> Result<Certificate, Failure> {
    Ok(Certificate::from_json(&text(path)?)?)
}
