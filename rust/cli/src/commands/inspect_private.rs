//! `inspect-private`.

use crate::{
    arguments::{Format, InspectPrivateArguments},
    failure::Failure,
    output::print,
    schema::Schema,
};
use indistinct_tables::{FileKind, Inspection};
use serde_json::json;

/// The warning beside the numbers.
const PRIVATE: &str = "These numbers are exact and private: show them only to curators, who may see the data.\n";

pub(crate) fn run(arguments: &InspectPrivateArguments, format: Format) -> Result<(), Failure> {
    let schema = Schema::read(&arguments.schema)?;
    let only = (schema.tables.len() == 1).then(|| schema.tables.keys().next().cloned()).flatten();
    let none = || Failure::new(2, "the schema has several tables: name one with --table");
    let name = arguments.table.clone().or(only).ok_or_else(none)?;
    let table = schema.table(&name)?;
    let file = schema.file(&name, arguments.data.as_deref())?;
    let domain = table.domain().map_err(|error| Failure::input(format!("table {name:?}: {error}")))?;
    let found = match FileKind::of(&file) {
        FileKind::Parquet => table.arrow_reader(FileKind::Parquet).inspect_parquet(&file, &domain),
        FileKind::Arrow => table.arrow_reader(FileKind::Arrow).inspect_ipc(&file, &domain),
        FileKind::Csv => table.reader()?.inspect(&file, &domain),
    };
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
            "type": column.found,
            "missing": column.missing,
            "unreadable": column.unreadable,
            "first_unreadable": column.first_unreadable,
        })
    });
    let kept = kept(found).into_iter().map(|(limit, rows)| json!({ "max_rows_per_individual": limit, "rows": rows }));
    json!({
        "records": found.records,
        "misshapen": found.misshapen,
        "first_misshapen": found.first_misshapen,
        "columns": columns.collect::<Vec<_>>(),
        "individuals": found.individuals(),
        "rows_kept": kept.collect::<Vec<_>>(),
    })
}

/// For some limits on the rows of each individual, how many rows they keep; up to the first that keeps all.
fn kept(found: &Inspection) -> Vec<(u64, u64)> {
    let all = found.rows_kept(u64::MAX);
    let mut limits: Vec<u64> = (0..9).flat_map(|zeros| [1, 2, 5].map(|first| first * 10u64.pow(zeros))).collect();
    limits.sort_unstable();
    let enough = limits.iter().take_while(|limit| found.rows_kept(**limit) < all).count().saturating_add(1);
    let shown = if all == 0 { 0 } else { enough };
    limits.into_iter().take(shown).map(|limit| (limit, found.rows_kept(limit))).collect()
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
        let found = column.found.as_deref().map(|found| format!(" ({found})")).unwrap_or_default();
        let first = first(column.first_unreadable);
        text += &format!("{}{found}: {missing} missing, {unreadable} unreadable{first}\n", column.name);
    }
    let all = found.rows_kept(u64::MAX);
    if all > 0 {
        text += &format!("{} individuals with {all} rows\n", found.individuals());
    }
    for (limit, rows) in kept(found) {
        text += &format!("--max-rows-per-individual {limit} keeps {rows} rows, {} %\n", share(rows, all));
    }
    text
}

/// A share in percent, in tenths, rounded down.
fn share(part: u64, all: u64) -> String {
    let tenths = u128::from(part).saturating_mul(1000) / u128::from(all.max(1));
    format!("{}.{}", tenths / 10, tenths % 10)
}
