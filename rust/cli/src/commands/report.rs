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
    write(&arguments.html, &page(&table, &read(&arguments.certificate)?))
}
