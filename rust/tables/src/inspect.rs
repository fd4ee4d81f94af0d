//! How the cells of a file are read, for a curator.

use std::collections::{BTreeMap, HashMap};

/// How the cells of a file are read, by column: exact numbers about private rows, for a curator alone
/// ([`Csv::inspect`](crate::Csv::inspect), `Arrow::inspect_parquet`).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inspection {
    /// The number of records, without the header.
    pub records: u64,
    /// How many of them have another number of cells than the header.
    pub misshapen: u64,
    /// The first of these, counted from 1 after the header.
    pub first_misshapen: Option<u64>,
    /// The columns that are read, in the order of the domain.
    pub columns: Vec<InspectedColumn>,
    /// The number of individuals that have so many rows, for each number of rows that some have. Rows without an
    /// identifier are not among them.
    pub rows_of_individuals: BTreeMap<u64, u64>,
}

impl Inspection {
    /// The number of individuals.
    pub fn individuals(&self) -> u64 {
        self.rows_of_individuals.values().sum()
    }

    /// The number of rows of individuals that are left, where so many of each count at most.
    pub fn rows_kept(&self, limit: u64) -> u64 {
        self.rows_of_individuals.iter().map(|(rows, individuals)| individuals.saturating_mul(*rows.min(&limit))).sum()
    }

    /// The same with how many rows each individual has.
    pub(crate) fn with_rows_of(mut self, individuals: &HashMap<String, u64>) -> Self {
        for rows in individuals.values() {
            let number = self.rows_of_individuals.entry(*rows).or_default();
            *number = number.saturating_add(1);
        }
        self
    }
}

/// How the cells of a column are read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InspectedColumn {
    /// Its name.
    pub name: String,
    /// The type that it has in the file, where the file says it.
    pub found: Option<String>,
    /// The number of cells that say nothing.
    pub missing: u64,
    /// The number of cells that are not a value of the column: they do not parse, or lie outside the bounds or labels.
    pub unreadable: u64,
    /// The record of the first of these, counted from 1 after the header.
    pub first_unreadable: Option<u64>,
}

impl Inspection {
    /// The counts before any record.
    pub(crate) fn of<'a>(columns: impl Iterator<Item = &'a str>) -> Self {
        let column = |name: &str| InspectedColumn {
            name: name.to_owned(),
            found: None,
            missing: 0,
            unreadable: 0,
            first_unreadable: None,
        };
        let columns = columns.map(column).collect();
        Self { records: 0, misshapen: 0, first_misshapen: None, columns, rows_of_individuals: BTreeMap::new() }
    }

    /// Adds records. Each item is true if a record has another number of cells than the header.
    pub(crate) fn add(&mut self, misshapen: impl Iterator<Item = bool>) {
        for is_misshapen in misshapen {
            self.records = self.records.saturating_add(1);
            if is_misshapen {
                self.misshapen = self.misshapen.saturating_add(1);
                self.first_misshapen = self.first_misshapen.or(Some(self.records));
            }
        }
    }
}

impl InspectedColumn {
    /// The cells of records after so many others: whether there is a value, and whether something stands there that is
    /// none.
    pub(crate) fn add(&mut self, before: u64, cells: impl Iterator<Item = (bool, bool)>) {
        for (record, (is_present, is_unreadable)) in (before.saturating_add(1)..).zip(cells) {
            if is_unreadable {
                self.unreadable = self.unreadable.saturating_add(1);
                self.first_unreadable = self.first_unreadable.or(Some(record));
            } else if !is_present {
                self.missing = self.missing.saturating_add(1);
            }
        }
    }
}
