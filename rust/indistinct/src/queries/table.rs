//! The table that a query releases.

use super::limits::{Limit, in_words};
use crate::frames::{Cell, KeySet};
use std::fmt;

/// A released number, with an interval for the value without noise.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Estimate {
    /// The number; `None` if the interval covers every value that the bounds allow, because the noise then exceeds the
    /// statistic. A negative noisy number of rows is not raised to 0, because raised numbers are too large on average;
    /// its interval begins at the noisy number.
    pub value: Option<f64>,
    /// The two ends of the interval; `None` if it is not known.
    pub interval: Option<(f64, f64)>,
}

impl Estimate {
    /// The text for a number that the noise exceeds.
    pub const NOT_AVAILABLE: &str = "n/a";

    /// Returns the number and the ends of its interval as text, with only the digits that the interval makes
    /// meaningful, or `n/a` if the noise exceeds the number. All outputs for people use these digits.
    pub fn in_words(&self) -> (String, Option<(String, String)>) {
        let digits = self.digits();
        let value = self.value.map_or_else(|| Self::NOT_AVAILABLE.into(), |value| rounded(value, digits));
        (value, self.interval.map(|(from, to)| (rounded(from, digits), rounded(to, digits))))
    }

    /// Returns the number of digits after the point; 0 for integers such as counts.
    fn digits(&self) -> usize {
        let (from, to) = self.interval.unwrap_or((0.5, 0.5));
        if [self.value.unwrap_or(0.0), from, to].iter().all(|number| number.fract() == 0.0) {
            return 0;
        }
        let mut digits = 0;
        let mut width = self.interval.map(|(from, to)| to - from).filter(|width| *width > 0.0).unwrap_or(0.02);
        while width < 20.0 && digits < 17 {
            (width, digits) = (width * 10.0, digits + 1);
        }
        digits
    }
}

/// Returns a number with this many digits after the point; a zero has no sign.
fn rounded(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|digit| matches!(digit, '0' | '.')) => rest.to_owned(),
        _ => text,
    }
}

/// Returns a cell for people: a text without quotes, with control characters and marks of writing direction as escapes
/// (`\u{1b}`), so no key can move a cursor or reorder a line. In a text with such an escape, backslashes are doubled,
/// so no other text looks the same.
///
/// ```
/// use indistinct::{frames::Cell, queries::cell_in_words};
/// assert_eq!(cell_in_words(&Cell::from("north")), "north");
/// assert_eq!(cell_in_words(&Cell::from("\u{1b}[31mred")), r"\u{1b}[31mred");
/// assert_eq!(cell_in_words(&Cell::Missing), "missing");
/// ```
pub fn cell_in_words(cell: &Cell) -> String {
    let Cell::Text(text) = cell else { return cell.to_string() };
    if !text.chars().any(moves) {
        return text.clone();
    }
    let escaped = |character: char| match character {
        '\\' => "\\\\".to_owned(),
        _ if moves(character) => character.escape_unicode().to_string(),
        _ => character.to_string(),
    };
    text.chars().map(escaped).collect()
}

/// Returns true if a character affects a terminal, or the order of the characters around it.
fn moves(character: char) -> bool {
    let turns = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    character.is_control() || turns
}

/// A statistic of all rows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Statistics {
    pub(super) name: String,
    pub(super) is_count: bool,
    pub(super) limit: Option<Limit>,
    pub(super) estimates: Vec<Estimate>,
}

/// A sentence about numbers that the noise hides, if there are any.
pub(super) fn note_of_hidden(columns: &[Statistics]) -> Option<String> {
    let mut estimates = columns.iter().flat_map(|column| &column.estimates);
    let is_hidden = estimates.any(|estimate| estimate.value.is_none());
    let rule = "the noise exceeds the number, and its interval contains every value that the bounds allow";
    is_hidden.then(|| format!("{}: {rule}", Estimate::NOT_AVAILABLE))
}

/// The released statistics of each group.
///
/// It has a row for each key, in the order of the list, or a single row. `Display` writes columns for people, followed
/// by the contribution limits.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    keys: Option<KeySet>,
    columns: Vec<Statistics>,
}

impl Table {
    pub(super) fn new(keys: Option<KeySet>, columns: Vec<Statistics>) -> Self {
        Self { keys, columns }
    }

    /// Returns the keys of its rows, if the query had groups.
    pub fn keys(&self) -> Option<&KeySet> {
        self.keys.as_ref()
    }

    /// Returns the names of the statistics, in the order of the query.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    fn statistics(&self, name: &str) -> Option<&Statistics> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Returns the contribution limit of the statistic of this name; `None` if all rows of each individual count.
    pub fn limit(&self, name: &str) -> Option<Limit> {
        self.statistics(name).and_then(|column| column.limit)
    }

    /// Returns the limits of all statistics in one line; `None` if there are none.
    pub fn limits_in_words(&self) -> Option<String> {
        in_words(self.columns.iter().map(|column| (column.name.as_str(), column.limit)))
    }

    /// Returns the statistic of this name, for each row.
    pub fn column(&self, name: &str) -> Option<&[Estimate]> {
        self.statistics(name).map(|column| column.estimates.as_slice())
    }

    /// Returns true if the statistic of this name is a number of rows, individuals or values: an integer.
    pub fn is_count(&self, name: &str) -> bool {
        self.statistics(name).is_some_and(|column| column.is_count)
    }

    /// Returns a statistic of a row, counted from 0.
    pub fn estimate(&self, row: usize, name: &str) -> Option<Estimate> {
        self.column(name)?.get(row).copied()
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.keys.as_ref().map_or(1, KeySet::len)
    }

    /// Returns a sentence about numbers that the noise exceeds, if there are any.
    pub fn note(&self) -> Option<String> {
        note_of_hidden(&self.columns)
    }

    /// Returns the cells of a row as text, starting with its key.
    fn row(&self, row: usize) -> Vec<String> {
        let key = self.keys.as_ref().and_then(|keys| keys.key(row)).unwrap_or_default();
        let estimates = self.columns.iter().map(|column| match column.estimates.get(row) {
            Some(estimate) => estimate.to_string(),
            None => String::new(),
        });
        key.iter().map(cell_in_words).chain(estimates).collect()
    }
}

/// Writes the digits of [`in_words`](Estimate::in_words).
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.in_words() {
            (value, Some((from, to))) => write!(f, "{value} [{from}, {to}]"),
            (value, None) => f.write_str(&value),
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
        let notes = self.limits_in_words().map(|limits| format!("contribution limit: {limits}"));
        notes.into_iter().chain(self.note()).try_for_each(|note| write!(f, "\n{note}"))
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
        assert_eq!((told(None, Some((0.0, 30.0))), told(Some(2.5), None)), ("n/a [0, 30]".into(), "2.500".into()));
        assert_eq!(told(Some(-0.001), Some((-0.04, 22.5))), "0 [0, 22]");
    }

    /// No text is another's escape, and none keeps a character that a terminal acts upon.
    #[test]
    fn texts_do_not_move_a_cursor() {
        let told = |text: &str| cell_in_words(&Cell::from(text));
        assert_eq!(told("\u{1b}[2J\u{202e}x\u{9b}\r\n"), r"\u{1b}[2J\u{202e}x\u{9b}\u{d}\u{a}");
        assert_eq!((told(r"\u{1b}"), told("\\\u{1b}")), (r"\u{1b}".into(), r"\\\u{1b}".into()));
        assert_eq!((told("Süd, 北 \"x\""), told("")), ("Süd, 北 \"x\"".into(), String::new()));
    }
}
