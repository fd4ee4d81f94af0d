//! Values parsed from the texts of cells.

use crate::{
    dates::Format,
    encoding::Encoding,
    gather::{Found, Gathered, Row, Unreadable},
    reader::Declared,
};
use indistinct::frames::{ColumnDomain, Kind, date_from_text, time_from_text};
use std::{borrow::Cow, collections::HashMap};

/// The format of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "engine", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Numbers {
    pub(crate) decimal: char,
    pub(crate) thousands: Option<char>,
}

impl Default for Numbers {
    fn default() -> Self {
        Self { decimal: '.', thousands: None }
    }
}

/// The parser of a column's cells.
pub(crate) struct Parser<'a> {
    pub(crate) encoding: Encoding,
    pub(crate) numbers: Numbers,
    /// Marks of missing cells, in addition to the empty cell.
    pub(crate) missing: Vec<&'a str>,
    /// True for the column of individuals, where two spellings of an individual would be two individuals.
    pub(crate) is_identifier: bool,
    pub(crate) values: Values<'a>,
}

/// The types of values that texts can have.
pub(crate) enum Values<'a> {
    Float,
    Integer,
    Bool,
    Text,
    Category(HashMap<&'a str, i64>),
    /// Dates in a format, or in ISO order.
    Date(Option<Format<'a>>),
    Time(Option<Format<'a>>),
}

impl<'a> Values<'a> {
    /// Returns the type of values in a column, with dates and times in this format or in ISO order.
    pub(crate) fn of(column: &'a ColumnDomain, format: Option<Format<'a>>) -> Self {
        match column.kind() {
            Kind::Float => Values::Float,
            Kind::Integer => Values::Integer,
            Kind::Bool => Values::Bool,
            Kind::Category => Values::Category(
                column.labels().into_iter().flat_map(|all| all.iter()).map(String::as_str).zip(0..).collect(),
            ),
            Kind::Date => Values::Date(format),
            Kind::Time => Values::Time(format),
            _ => Values::Text,
        }
    }
}

impl Parser<'_> {
    /// Reads the cells of a column as values, and records facts about their rows.
    pub(crate) fn gather<'t>(
        &self,
        column: &Declared,
        cells: impl Iterator<Item = Option<&'t [u8]>>,
        rows: &mut [Row],
    ) -> Gathered<'t> {
        let mut digits = String::new();
        match &self.values {
            Values::Float => {
                let float = |text: &str| self.numbers.float(text, &mut digits);
                Gathered::Floats(column.gather(self.found(cells, float), rows))
            }
            Values::Integer => {
                let integer = |text: &str| Ok(Some(self.numbers.integer(text, &mut digits).ok_or(Unreadable)?));
                Gathered::Integers(column.gather(self.found(cells, integer), rows))
            }
            Values::Bool => {
                let bool = |text: &str| Ok(Some(truth(text).ok_or(Unreadable)?));
                Gathered::Truths(column.gather(self.found(cells, bool), rows))
            }
            Values::Date(format) => {
                let date = |text: &str| Ok(Some(date(format.as_ref(), text).ok_or(Unreadable)?));
                Gathered::Integers(column.gather(self.found(cells, date), rows))
            }
            Values::Time(format) => {
                let time = |text: &str| Ok(Some(time(format.as_ref(), text).ok_or(Unreadable)?));
                Gathered::Integers(column.gather(self.found(cells, time), rows))
            }
            Values::Text if self.is_identifier => {
                let text = |cell| Ok(self.text(cell)?.map(trimmed).filter(|text| !self.is_nothing(text)));
                Gathered::Texts(column.gather(cells.map(text), rows))
            }
            Values::Text => {
                let text = |cell| Ok(self.text(cell)?.filter(|text| !self.is_null(text.trim_ascii())));
                Gathered::Texts(column.gather(cells.map(text), rows))
            }
            Values::Category(positions) => {
                let position = |text: &str| positions.get(text).or_else(|| positions.get(text.trim_ascii())).copied();
                let category = |cell| match self.text(cell)? {
                    None => Ok(None),
                    Some(text) => match position(&text) {
                        None if self.is_nothing(text.trim_ascii()) => Ok(None),
                        place => Ok(Some(place.ok_or(Unreadable)?)),
                    },
                };
                Gathered::Integers(column.gather(cells.map(category), rows))
            }
        }
    }

    /// Returns the value of each cell, without the spaces around it, unless the cell is missing.
    fn found<'t, T>(
        &self,
        cells: impl Iterator<Item = Option<&'t [u8]>>,
        mut parse: impl FnMut(&str) -> Found<T>,
    ) -> impl Iterator<Item = Found<T>> {
        cells.map(move |cell| {
            let text = self.text(cell)?.unwrap_or_default();
            let text = text.trim_ascii();
            if self.is_nothing(text) { Ok(None) } else { parse(text) }
        })
    }

    fn text<'t>(&self, cell: Option<&'t [u8]>) -> Found<Cow<'t, str>> {
        let bytes = cell.unwrap_or_default();
        if bytes.is_empty() { Ok(None) } else { Ok(Some(self.encoding.decode(bytes).ok_or(Unreadable)?)) }
    }

    fn is_null(&self, text: &str) -> bool {
        self.missing.contains(&text)
    }

    fn is_nothing(&self, text: &str) -> bool {
        text.is_empty() || self.is_null(text)
    }
}

impl Numbers {
    /// Parses a float. NaN is missing.
    pub(crate) fn float(self, text: &str, digits: &mut String) -> Found<f64> {
        let value: f64 = self.plain(text, digits).and_then(|text| text.parse().ok()).ok_or(Unreadable)?;
        Ok(Some(value).filter(|value| !value.is_nan()))
    }

    /// Parses an integer. A decimal whose places are all 0 is an integer: programs that store a column with missing
    /// cells as floats write 8 as `8.0`.
    pub(crate) fn integer(self, text: &str, digits: &mut String) -> Option<i64> {
        let text = self.plain(text, digits)?;
        let whole = text.split_once('.').filter(|(_, places)| places.bytes().all(|digit| digit == b'0'));
        whole.map_or(text, |(whole, _)| whole).parse().ok()
    }

    /// Returns the number with a decimal point and without thousands separators. `digits` is a buffer for it.
    ///
    /// A separator must stand before each group of three digits, or before none: with decimal commas, `1.5` is not 15.
    pub(crate) fn plain<'t>(self, text: &'t str, digits: &'t mut String) -> Option<&'t str> {
        if self.decimal == '.' && self.thousands.is_none() {
            return Some(text);
        }
        digits.clear();
        let (whole, places) = match text.split_once(self.decimal) {
            Some((whole, places)) => (whole, Some(places)),
            None => (text, None),
        };
        match self.thousands.filter(|separator| whole.contains(*separator)) {
            None => digits.push_str(whole),
            Some(separator) => {
                let unsigned = whole.strip_prefix(['+', '-']).unwrap_or(whole);
                digits.push_str(whole.strip_suffix(unsigned)?);
                for (group, place) in unsigned.split(separator).zip(0u32..) {
                    let is_group = if place == 0 { (1..=3).contains(&group.len()) } else { group.len() == 3 };
                    if !is_group || !group.bytes().all(|digit| digit.is_ascii_digit()) {
                        return None;
                    }
                    digits.push_str(group);
                }
            }
        }
        if digits.contains('.') || places.is_some_and(|places| places.contains('.')) {
            return None;
        }
        if let Some(places) = places {
            digits.push('.');
            digits.push_str(places);
        }
        Some(digits)
    }
}

pub(crate) fn date(format: Option<&Format>, text: &str) -> Option<i64> {
    format.map_or_else(|| date_from_text(text), |format| format.date(text))
}

pub(crate) fn time(format: Option<&Format>, text: &str) -> Option<i64> {
    format.map_or_else(|| time_from_text(text), |format| format.time(text))
}

/// Returns the text without the spaces around it.
fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_ascii()),
        Cow::Owned(text) => Cow::Owned(text.trim_ascii().to_owned()),
    }
}

pub(crate) fn truth(text: &str) -> Option<bool> {
    match text {
        "1" => Some(true),
        "0" => Some(false),
        word if word.eq_ignore_ascii_case("true") => Some(true),
        word if word.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}
