//! Results, on standard output.

use crate::{
    arguments::Format,
    failure::Failure,
    visible::{acts, visible},
};
use comfy_table::{CellAlignment, ContentArrangement, Table as Shown, presets};
use indistinct::{core::Released, queries::Estimate};
use indistinct_report::{down, up};
use indistinct_sessions::{Item, Kind, Tabulated};
use std::io::{self, Write};

/// A table of the program's own.
pub(crate) struct Rows(Tabulated);

impl Rows {
    /// A table of text alone.
    pub(crate) fn of_words(head: &[&str], rows: Vec<Vec<String>>) -> Self {
        let row = |row: Vec<String>| row.into_iter().map(Released::Text).collect();
        Self::of_values(head, rows.into_iter().map(row).collect())
    }

    pub(crate) fn of_values(head: &[&str], rows: Vec<Vec<Released>>) -> Self {
        Self(Tabulated::of_values(head, rows))
    }

    pub(crate) fn print(&self, format: Format) -> Result<(), Failure> {
        table(&self.0, format)
    }
}

/// An upper bound: with three digits for people, and exact for programs.
pub(crate) fn upper(bound: f64, format: Format) -> Released {
    if format == Format::Text { Released::Text(up(bound)) } else { Released::Float(bound) }
}

/// A lower bound: with three digits for people, and exact for programs.
pub(crate) fn lower(bound: f64, format: Format) -> Released {
    if format == Format::Text { Released::Text(down(bound)) } else { Released::Float(bound) }
}

/// Print a table. The sentences below it stand there for people, and on standard error for programs.
pub(crate) fn table(table: &Tabulated, format: Format) -> Result<(), Failure> {
    let text = match format {
        Format::Json => table.to_json() + "\n",
        Format::Csv => csv_text(table)?,
        Format::Text => {
            let notes: String = table.notes().iter().map(|note| format!("\n{note}\n")).collect();
            aligned(&table.head(), &table.words()) + &notes
        }
    };
    if format != Format::Text {
        table.notes().iter().for_each(|note| eprintln!("note: {note}"));
    }
    print(&text)
}

/// In columns of text.
fn aligned(head: &[String], rows: &[Vec<String>]) -> String {
    let mut shown = Shown::new();
    shown.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    shown.set_header(head);
    for row in rows {
        shown.add_row(row);
    }
    for column in shown.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Left);
    }
    shown.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// For spreadsheets. A missing key is an empty cell; a number of which noise leaves nothing is the same word as in
/// text.
fn csv_text(table: &Tabulated) -> Result<String, Failure> {
    let wrong = |error: csv::Error| Failure::new(7, error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let fields = table.fields();
    writer.write_record(fields.iter().map(|field| harmless(&field.name))).map_err(wrong)?;
    for row in table.values() {
        let cell = |(value, kind): (&Released, Kind)| match value {
            Released::None if matches!(kind, Kind::Count | Kind::Number) => Estimate::NOT_AVAILABLE.to_owned(),
            Released::None => String::new(),
            Released::Text(text) => harmless(text),
            Released::Integer(number) => number.to_string(),
            Released::Float(number) => number.to_string(),
            Released::Bool(value) => value.to_string(),
            other => harmless(&Item::Value(other.clone()).in_words()),
        };
        writer.write_record(row.iter().zip(fields.iter().map(|field| field.kind)).map(cell)).map_err(wrong)?;
    }
    let bytes = writer.into_inner().map_err(|error| Failure::new(7, error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A text as a cell that no spreadsheet takes for a formula, and without what moves a cursor: one that begins as a
/// formula does has a quote before it, by which spreadsheets know a text.
fn harmless(text: &str) -> String {
    let words = visible(text);
    if words.starts_with(['=', '+', '-', '@']) { format!("'{words}") } else { words }
}

/// Prints to standard output; a reader that has closed it has read enough. Characters that a terminal would act upon
/// are printed as escapes, which are also escapes of JSON.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let escaped = |character: char| match character {
        '\n' | '\t' => character.to_string(),
        _ if acts(character) => format!("\\u{:04x}", u32::from(character)),
        _ => character.to_string(),
    };
    let text: String = if text.chars().any(acts) { text.chars().map(escaped).collect() } else { text.to_owned() };
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(7, format!("output: {error}"))),
        _ => Ok(()),
    }
}
