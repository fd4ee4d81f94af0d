//! `report`.

use crate::{
    arguments::ReportArguments,
    commands::{certificate::read, text, write},
    failure::Failure,
    report::page,
};

pub(crate) fn run(arguments: &ReportArguments) -> Result<(), Failure> {
    let table = text(&arguments.table)?;
    let table = serde_json::from_str(&table)
        .map_err(|error| Failure::input(format!("{}: {error}", arguments.table.display())))?;
    let certificate = read(&arguments.certificate)?;
    let none = || Failure::new(6, "the certificate: its alpha is no number");
    let alpha = match arguments.alpha {
        Some(alpha) => alpha,
        None => certificate.accuracy.alpha.parse().map_err(|_| none())?,
    };
    write(&arguments.html, &page(&table, alpha, &certificate))
}
