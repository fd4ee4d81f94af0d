//! What a query releases.

use crate::frames::{Cell, KeySet};
use std::fmt;

/// A released number, and the interval in which it would be without noise.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Estimate {
    /// The number; none, if the noise hides it, as where a noisy count is below 1. A number of rows is not raised to 0
    /// where noise takes it below, which would be too much on average: so it may lie outside its interval, which is.
    pub value: Option<f64>,
    /// From and to; none, where it is not known.
    pub interval: Option<(f64, f64)>,
}

/// The released statistics of each group.
///
/// A row for each key, in the order of the list, or a single one; `Display` writes it in columns for people.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    keys: Option<KeySet>,
    columns: Vec<(String, Vec<Estimate>)>,
}

impl Table {
    pub(super) fn new(keys: Option<KeySet>, columns: Vec<(String, Vec<Estimate>)>) -> Self {
        Self { keys, columns }
    }

    /// The keys of its rows, if the query had groups.
    pub fn keys(&self) -> Option<&KeySet> {
        self.keys.as_ref()
    }

    /// The names of the statistics, in the order in which they were asked for.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// The statistic of this name, of each row.
    pub fn column(&self, name: &str) -> Option<&[Estimate]> {
        self.columns.iter().find(|(other, _)| other == name).map(|(_, estimates)| estimates.as_slice())
    }

    /// A statistic of a row, counted from 0.
    pub fn estimate(&self, row: usize, name: &str) -> Option<Estimate> {
        self.column(name)?.get(row).copied()
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.keys.as_ref().map_or(1, KeySet::len)
    }

    /// The cells of a row as text, first those of its key.
    fn row(&self, row: usize) -> Vec<String> {
        let key = self.keys.as_ref().and_then(|keys| keys.key(row)).unwrap_or_default();
        let text = |cell: &Cell| match cell {
            Cell::Text(text) if !text.chars().any(char::is_control) => text.clone(),
            other => other.to_string(),
        };
        let estimates = self.columns.iter().map(|(_, estimates)| match estimates.get(row) {
            Some(estimate) => estimate.to_string(),
            None => String::new(),
        });
        key.iter().map(text).chain(estimates).collect()
    }
}

/// With as many digits as the interval makes worth reading; whole numbers, as counts are, without a point.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = self.interval.unwrap_or((0.5, 0.5));
        let is_whole = [self.value.unwrap_or(0.0), from, to].iter().all(|number| number.fract() == 0.0);
        let mut digits = 0;
        let mut width = self.interval.map(|(from, to)| to - from).filter(|width| *width > 0.0).unwrap_or(0.02);
        while width < 20.0 && digits < 17 && !is_whole {
            (width, digits) = (width * 10.0, digits + 1);
        }
        match self.value {
            Some(value) => write!(f, "{value:.digits$}")?,
            None => f.write_str("hidden")?,
        }
        match self.interval {
            Some((from, to)) => write!(f, " [{from:.digits$}, {to:.digits$}]"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key_names = self.keys.as_ref().map(KeySet::columns).unwrap_or_default();
        let head: Vec<String> = key_names.iter().cloned().chain(self.names().map(str::to_owned)).collect();
        let rows: Vec<Vec<String>> = [head].into_iter().chain((0..self.rows()).map(|row| self.row(row))).collect();
        let width = |column: usize| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..key_names.len() + self.columns.len()).map(width).collect();
        for (number, row) in rows.iter().enumerate() {
            // By hand: a formatter takes no widths beyond 2^16.
            let padded = |(cell, width): (&String, &usize)| {
                format!("{cell}{}", " ".repeat(width.saturating_sub(cell.chars().count())))
            };
            let cells = row.iter().zip(&widths).map(padded).collect::<Vec<_>>();
            let line = if number == 0 { "" } else { "\n" };
            write!(f, "{line}{}", cells.join("  ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_that_an_interval_makes_worth_reading() {
        let told = |value, interval| Estimate { value, interval }.to_string();
        assert_eq!(told(Some(102.0), Some((98.0, 106.0))), "102 [98, 106]");
        assert_eq!(told(Some(-3.0), Some((0.0, 5.0))), "-3 [0, 5]");
        assert_eq!(told(Some(102.0), Some((98.5, 105.5))), "102.0 [98.5, 105.5]");
        assert_eq!(told(Some(6.3125), Some((6.2, 6.4))), "6.31 [6.20, 6.40]");
        assert_eq!(told(Some(81_234.4), Some((80_000.2, 82_000.3))), "81234 [80000, 82000]");
        assert_eq!((told(None, Some((0.0, 30.0))), told(Some(2.5), None)), ("hidden [0, 30]".into(), "2.500".into()));
    }
}
