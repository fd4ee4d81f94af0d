//! Answers as rows of named columns.

use crate::cells::released;
use indistinct::{
    core::Released,
    frames::{Cell, KeySet},
    queries::{FoundKeys, Table},
};

/// An answer as rows.
pub(crate) struct Rows {
    pub(crate) columns: Vec<RowsColumn>,
    pub(crate) rows: Vec<Vec<Released>>,
    /// What people read: an estimate with its interval is one text, with as many digits as are worth reading.
    pub(crate) head: Vec<String>,
    pub(crate) words: Vec<Vec<String>>,
}

/// A column, with the type that pyarrow calls it by, where it does not depend on what was released.
pub(crate) struct RowsColumn {
    pub(crate) name: String,
    pub(crate) kind: Option<&'static str>,
}

fn column(name: impl Into<String>, kind: Option<&'static str>) -> RowsColumn {
    RowsColumn { name: name.into(), kind }
}

fn words(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) if !text.chars().any(char::is_control) => text.clone(),
        other => other.to_string(),
    }
}

fn float(number: Option<f64>) -> Released {
    number.map_or(Released::None, Released::Float)
}

/// What a question is answered.
pub(crate) trait Answer {
    fn rows(&self) -> Rows;
}

/// Each statistic with the two ends of its interval.
impl Answer for Table {
    fn rows(&self) -> Rows {
        let keys = self.keys().map(KeySet::columns).unwrap_or_default();
        let names: Vec<&str> = self.names().collect();
        let of_name = |name: &&str| [(*name).to_owned(), format!("{name} from"), format!("{name} to")];
        let statistics = names.iter().flat_map(of_name).map(|name| column(name, Some("float64")));
        let columns = keys.iter().map(|name| column(name, None)).chain(statistics).collect();
        let head = keys.iter().cloned().chain(names.iter().map(|name| (*name).to_owned())).collect();
        let (mut rows, mut told) = (Vec::new(), Vec::new());
        for row in 0..Table::rows(self) {
            let key = self.keys().and_then(|keys| keys.key(row)).unwrap_or_default();
            let estimates: Vec<_> = names.iter().filter_map(|name| self.estimate(row, name)).collect();
            let numbers = estimates.iter().flat_map(|estimate| {
                let (from, to) = estimate.interval.map_or((None, None), |(from, to)| (Some(from), Some(to)));
                [float(estimate.value), float(from), float(to)]
            });
            rows.push(key.iter().map(released).chain(numbers).collect());
            told.push(key.iter().map(words).chain(estimates.iter().map(ToString::to_string)).collect());
        }
        Rows { columns, rows, head, words: told }
    }
}

impl Answer for FoundKeys {
    fn rows(&self) -> Rows {
        let count = column("count", Some("int64"));
        let columns = self.columns.iter().map(|name| column(name, None)).chain([count]).collect();
        let head = self.columns.iter().cloned().chain(["count".to_owned()]).collect();
        let row = |(key, count): &(Vec<Cell>, i64)| {
            key.iter().map(released).chain([Released::Integer((*count).into())]).collect()
        };
        let told = |(key, count): &(Vec<Cell>, i64)| key.iter().map(words).chain([count.to_string()]).collect();
        Rows {
            columns,
            rows: self.counts.iter().map(row).collect(),
            head,
            words: self.counts.iter().map(told).collect(),
        }
    }
}

/// No row, if there were too few rows to find bounds.
impl Answer for Option<(f64, f64)> {
    fn rows(&self) -> Rows {
        let columns = ["from", "to"].map(|name| column(name, Some("float64"))).into();
        let rows = self.iter().map(|(from, to)| vec![Released::Float(*from), Released::Float(*to)]).collect();
        let told = self.iter().map(|(from, to)| vec![from.to_string(), to.to_string()]).collect();
        Rows { columns, rows, head: vec!["from".into(), "to".into()], words: told }
    }
}

/// One number, text or list in each row.
impl Answer for Released {
    fn rows(&self) -> Rows {
        let values: Vec<&Released> = match self {
            Released::List(values) => values.iter().collect(),
            other => vec![other],
        };
        let told = values.iter().map(|value| vec![value.to_json()]).collect();
        let rows = values.into_iter().map(|value| vec![value.clone()]).collect();
        Rows { columns: vec![column("release", None)], rows, head: vec!["release".into()], words: told }
    }
}
