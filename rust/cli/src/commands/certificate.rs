//! `certificate`.

use crate::{
    arguments::{CertificateCommand, Format},
    commands::{budget::open, text},
    failure::Failure,
    output::{Rows, print},
};
use indistinct_ledger::Loss;
use indistinct_report::{rows_in_words, rows_of_each};
use indistinct_sessions::{Certificate, Product};
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
                ("release", certificate.key.clone()),
                ("table", certificate.table.clone()),
                ("rows", rows_of_each(&certificate.plan).map_or(certificate.rows.clone(), rows_in_words)),
                ("protects", certificate.unit.clone()),
                ("cost", words(&certificate.loss)?),
                ("account", certificate.account.clone()),
                ("budget", words(&certificate.budget.total)?),
                ("spent before", words(&certificate.budget.before)?),
                ("spent after", words(&certificate.budget.after)?),
                ("weakest proof", certificate.weakest_proof.clone()),
                ("plan", certificate.plan_hash.clone()),
                ("released", certificate.released.clone()),
                ("charged", certificate.ledger.charge.clone()),
                ("drawn", certificate.ledger.draw.clone()),
                ("program", format!("{} {}", certificate.program.name, certificate.program.version)),
                ("not protected", certificate.not_protected.join("; ")),
            ];
            let rows = rows.into_iter().map(|(name, what)| vec![name.to_owned(), what]).collect();
            Rows::of_words(&["what", "is"], rows).print(format)
        }
        CertificateCommand::Verify { certificate, released, ledger } => {
            let certificate = read(certificate)?;
            certificate.verify(&text(released)?)?;
            if let Some(path) = ledger {
                certificate.verify_in(&open(path)?)?;
            }
            print("holds\n")
        }
        CertificateCommand::Registry { certificate } => {
            print(&format!("{:#}\n", read(certificate)?.deployment(&Product::default())?))
        }
    }
}

pub(crate) fn read(path: &Path) -> Result<Certificate, Failure> {
    Ok(Certificate::from_json(&text(path)?)?)
}
