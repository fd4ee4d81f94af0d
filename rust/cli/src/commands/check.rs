//! `check`.

use crate::{
    arguments::{CheckArguments, Format},
    failure::Failure,
    output::print,
    schema::Schema,
};
use indistinct_tables::Inspection;
use serde_json::json;

/// What must be said beside the numbers.
const PRIVATE: &str = "These numbers are exact, and about private rows: they are for a curator, and for nobody else.\n";

pub(crate) fn run(arguments: &CheckArguments, format: Format) -> Result<(), Failure> {
    let schema = Schema::read(&arguments.schema)?;
    let only = (schema.tables.len() == 1).then(|| schema.tables.keys().next().cloned()).flatten();
    let none = || Failure::new(2, "there are several tables: name one by --table");
    let name = arguments.table.clone().or(only).ok_or_else(none)?;
    let table = schema.table(&name)?;
    let file = schema.file(&name, arguments.data.as_deref())?;
    if file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet")) {
        return Err(Failure::input("only CSV is checked: the values of Parquet have types"));
    }
    let domain = table.domain().map_err(|error| Failure::input(format!("table {name:?}: {error}")))?;
    let found = table.reader()?.inspect(&file, &domain);
    let found = found.map_err(|error| Failure::new(7, error.to_string()))?;
    eprint!("{PRIVATE}");
    match format {
        Format::Text => print(&in_words(&found)),
        _ => print(&format!("{:#}\n", in_json(&found))),
    }
}

fn in_json(found: &Inspection) -> serde_json::Value {
    let columns = found.columns.iter().map(|column| {
        json!({
            "name": column.name,
            "missing": column.missing,
            "unreadable": column.unreadable,
            "first_unreadable": column.first_unreadable,
        })
    });
    json!({
        "records": found.records,
        "misshapen": found.misshapen,
        "first_misshapen": found.first_misshapen,
        "columns": columns.collect::<Vec<_>>(),
    })
}

fn in_words(found: &Inspection) -> String {
    let first =
        |record: Option<u64>| record.map_or_else(String::new, |record| format!(", the first in record {record}"));
    let mut text = format!("{} records\n", found.records);
    if found.misshapen > 0 {
        let records = found.misshapen;
        text += &format!("{records} with another number of cells than the header{}\n", first(found.first_misshapen));
    }
    for column in &found.columns {
        let (missing, unreadable) = (column.missing, column.unreadable);
        text +=
            &format!("{}: {missing} missing, {unreadable} unreadable{}\n", column.name, first(column.first_unreadable));
    }
    text
}
