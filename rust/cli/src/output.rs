//! Results, on standard output.

use crate::{arguments::Format, failure::Failure};
use comfy_table::{CellAlignment, ContentArrangement, Table as Shown, presets};
use indistinct::{
    core::Released,
    frames::Cell,
    queries::{FoundKeys, Table},
};
use serde_json::{Value, json};
use std::io::{self, Write};

/// A table of text, with numbers as they are.
pub(crate) struct Rows {
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<Value>>,
    /// What people read: the same with as many digits as are worth reading.
    pub(crate) words: Vec<Vec<String>>,
}

/// Answers as tables.
pub(crate) trait Answer {
    fn rows(&self) -> Rows;
}

fn value(cell: &Cell) -> Value {
    match cell {
        Cell::Bool(value) => json!(value),
        Cell::Integer(number) => json!(number),
        Cell::Float(number) => json!(number),
        Cell::Text(text) => json!(text),
        _ => Value::Null,
    }
}

fn words(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) if !text.chars().any(char::is_control) => text.clone(),
        other => other.to_string(),
    }
}

/// Each statistic with the two ends of its interval.
impl Answer for Table {
    fn rows(&self) -> Rows {
        let keys = self.keys().map(|keys| keys.columns().to_vec()).unwrap_or_default();
        let names: Vec<String> = self.names().map(str::to_owned).collect();
        let of_name = |name: &String| [name.clone(), format!("{name} from"), format!("{name} to")];
        let head = keys.iter().cloned().chain(names.iter().flat_map(of_name)).collect();
        let (mut rows, mut told) = (Vec::new(), Vec::new());
        for row in 0..Table::rows(self) {
            let key = self.keys().and_then(|keys| keys.key(row)).unwrap_or_default();
            let estimates: Vec<_> = names.iter().filter_map(|name| self.estimate(row, name)).collect();
            let numbers = estimates.iter().flat_map(|estimate| {
                let (from, to) = estimate.interval.map_or((None, None), |(from, to)| (Some(from), Some(to)));
                [json!(estimate.value), json!(from), json!(to)]
            });
            rows.push(key.iter().map(value).chain(numbers).collect());
            told.push(key.iter().map(words).chain(estimates.iter().map(ToString::to_string)).collect());
        }
        Rows { head, rows, words: told }
    }
}

impl Answer for FoundKeys {
    fn rows(&self) -> Rows {
        let head = self.columns.iter().cloned().chain(["count".to_owned()]).collect();
        let row = |(key, count): &(Vec<Cell>, i64)| key.iter().map(value).chain([json!(count)]).collect();
        let told = |(key, count): &(Vec<Cell>, i64)| key.iter().map(words).chain([count.to_string()]).collect();
        Rows { head, rows: self.counts.iter().map(row).collect(), words: self.counts.iter().map(told).collect() }
    }
}

/// One number, text or list in each row.
impl Answer for Released {
    fn rows(&self) -> Rows {
        let values: Vec<&Released> = match self {
            Released::List(values) => values.iter().collect(),
            other => vec![other],
        };
        let json = |released: &&Released| serde_json::from_str(&released.to_json()).unwrap_or(Value::Null);
        let rows: Vec<Vec<Value>> = values.iter().map(|released| vec![json(released)]).collect();
        let words = rows.iter().map(|row| row.iter().map(Value::to_string).collect()).collect();
        Rows { head: vec!["release".into()], rows, words }
    }
}

impl Rows {
    /// Of text alone.
    pub(crate) fn of_words(head: &[&str], words: Vec<Vec<String>>) -> Self {
        let rows = words.iter().map(|row| row.iter().map(|word| json!(word)).collect()).collect();
        Self { head: head.iter().map(|&name| name.to_owned()).collect(), rows, words }
    }

    /// A list of objects.
    pub(crate) fn json(&self) -> Value {
        let object = |row: &Vec<Value>| -> Value {
            self.head.iter().cloned().zip(row.iter().cloned()).collect::<serde_json::Map<_, _>>().into()
        };
        self.rows.iter().map(object).collect()
    }

    pub(crate) fn print(&self, format: Format) -> Result<(), Failure> {
        match format {
            Format::Json => print(&format!("{:#}\n", self.json())),
            Format::Csv => {
                let mut writer = csv::Writer::from_writer(Vec::new());
                let wrong = |error: csv::Error| Failure::new(7, error.to_string());
                writer.write_record(&self.head).map_err(wrong)?;
                for row in &self.rows {
                    let cell = |value: &Value| match value {
                        Value::Null => String::new(),
                        Value::String(text) => text.clone(),
                        other => other.to_string(),
                    };
                    writer.write_record(row.iter().map(cell)).map_err(wrong)?;
                }
                let bytes = writer.into_inner().map_err(|error| Failure::new(7, error.to_string()))?;
                print(&String::from_utf8_lossy(&bytes))
            }
            Format::Text => {
                let mut shown = Shown::new();
                shown.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
                // Intervals stand beside their numbers.
                let width = self.words.first().map_or(self.head.len(), Vec::len);
                let is_end = |name: &&String| {
                    let of = name.strip_suffix(" from").or_else(|| name.strip_suffix(" to"));
                    of.is_some_and(|of| self.head.iter().any(|other| other == of))
                };
                let head: Vec<&String> = match width == self.head.len() {
                    true => self.head.iter().collect(),
                    false => self.head.iter().filter(|name| !is_end(name)).collect(),
                };
                shown.set_header(head);
                for row in &self.words {
                    shown.add_row(row);
                }
                for column in shown.column_iter_mut() {
                    column.set_cell_alignment(CellAlignment::Left);
                }
                let lines: Vec<String> = shown.lines().map(|line| line.trim_end().to_owned()).collect();
                print(&format!("{}\n", lines.join("\n")))
            }
        }
    }
}

/// To standard output; a reader that has closed it has read enough.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(7, format!("output: {error}"))),
        _ => Ok(()),
    }
}
