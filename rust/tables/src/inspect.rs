//! Counts of missing and unreadable cells in a file, for a curator.

use std::collections::{BTreeMap, HashMap};

/// Counts of missing and unreadable cells in a file, by column: exact numbers about private rows, only for a curator
/// ([`Csv::inspect`](crate::Csv::inspect), `Arrow::inspect_parquet`).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inspection {
    /// The number of records, without the header.
    pub records: u64,
    /// The number of records whose number of cells differs from the header's.
    pub misshapen: u64,
    /// The first of these records, counted from 1 after the header.
    pub first_misshapen: Option<u64>,
    /// The columns that are read, in the order of the domain.
    pub columns: Vec<InspectedColumn>,
    /// For each number of rows, the number of individuals with that number of rows. Rows without an identifier are not
    /// included.
    pub rows_of_individuals: BTreeMap<u64, u64>,
}

impl Inspection {
    /// Returns the number of individuals.
    pub fn individuals(&self) -> u64 {
        self.rows_of_individuals.values().sum()
    }

    /// Returns the number of rows that remain if each individual keeps at most `limit` rows.
    pub fn rows_kept(&self, limit: u64) -> u64 {
        self.rows_of_individuals.iter().map(|(rows, individuals)| individuals.saturating_mul(*rows.min(&limit))).sum()
    }

    /// Adds the number of rows of each individual.
    pub(crate) fn with_rows_of(mut self, individuals: &HashMap<String, u64>) -> Self {
        for rows in individuals.values() {
            let number = self.rows_of_individuals.entry(*rows).or_default();
            *number = number.saturating_add(1);
        }
        self
    }
}

/// Counts of missing and unreadable cells in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InspectedColumn {
    /// Its name.
    pub name: String,
    /// The type in the file, if the file states one.
    pub found: Option<String>,
    /// The number of missing cells.
    pub missing: u64,
    /// The number of cells that are not a value of the column: they do not parse, or lie outside the bounds or labels.
    pub unreadable: u64,
    /// The first record with such a cell, counted from 1 after the header.
    pub first_unreadable: Option<u64>,
}

impl Inspection {
    /// Makes the counts without any record.
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

    /// Adds records. Each item is true if the record's number of cells differs from the header's.
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
    /// Adds the cells of records after `before` others: whether each has a value, and whether it is unreadable.
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
