//! The treatment of missing and unreadable cells, which is declared before any cell is read.

use crate::{Error, Result};
use indistinct::frames::{Cell, ColumnDomain, FrameDomain, Kind, date_from_text, time_from_text};

/// A reader of tables in a format, with the treatment of missing and unreadable cells.
///
/// A cell is *missing* if it is empty, and *unreadable* if its content is not a value of its column: it does not parse,
/// is not in the file's encoding, or lies outside the column's bounds or labels. An unreadable cell counts as missing.
/// The treatment of missing cells must be declared for every column before anything is read. They stay missing, if the
/// column's domain is [`with_missing`](ColumnDomain::with_missing); they get a value
/// ([`fill_null`](Reader::fill_null)); or their rows are dropped ([`drop_null`](Reader::drop_null)).
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "engine", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Reader<F> {
    pub(crate) format: F,
    pub(crate) rules: Rules,
}

#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "engine", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Rules {
    #[cfg_attr(feature = "engine", serde(with = "crate::told::cells"))]
    fills: Vec<(String, Cell)>,
    needed: Vec<String>,
    flag: Option<String>,
    strictness: Strictness,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "engine", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Strictness {
    #[default]
    Total,
    Strict,
}

impl<F: Default> Reader<F> {
    /// Makes a reader with the default format. Cells may be missing only in columns whose domains allow it.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<F> Reader<F> {
    /// Sets a value for missing cells of this column: a number, a Boolean or a text; a label for categories, and a text
    /// such as `2026-11-23` for dates and times.
    pub fn fill_null(mut self, column: &str, value: impl Into<Cell>) -> Self {
        self.rules.fills.push((column.to_owned(), value.into()));
        self
    }

    /// Drops rows whose cell in this column is missing, so they are in no release.
    ///
    /// Use this for rows without an identifier, unless the domain declares each of them to be a separate individual
    /// (`FrameDomain::with_individuals_or_null`; a row with an unreadable identifier, or with a number of cells other
    /// than the header's, is then dropped, because it may belong to anybody). A single value for all of them would make
    /// them one individual. The decision about a row depends on that row alone. If neighboring files differ in
    /// *replaced* records, their rows may differ in a removed and an added row: count these with
    /// [`SymmetricDistance`](indistinct::metrics::SymmetricDistance).
    pub fn drop_null(mut self, column: &str) -> Self {
        self.rules.needed.push(column.to_owned());
        self
    }

    /// Returns true if rows of this domain may be dropped, by [`drop_null`](Self::drop_null) or because of an
    /// unreadable identifier. A replaced record may then be a removed or an added row. A measurement under
    /// [`ChangeOneDistance`](indistinct::metrics::ChangeOneDistance) gives no guarantee for that, and a session refuses
    /// to price one.
    pub fn leaves_out_rows(&self, domain: &FrameDomain) -> bool {
        !self.rules.needed.is_empty() || domain.has_individuals_or_null()
    }

    /// Returns the columns whose missing cells drop rows, as [`drop_null`](Self::drop_null) names them.
    pub fn needed_columns(&self) -> impl Iterator<Item = &str> {
        self.rules.needed.iter().map(String::as_str)
    }

    /// Fills a Boolean column of the domain that the file does not have. It is true if a row has an unreadable cell in
    /// the columns that are read, or a number of cells other than the header's. So the number of such rows can be
    /// counted and released like any other statistic.
    pub fn flag_unreadable(mut self, column: &str) -> Self {
        self.rules.flag = Some(column.to_owned());
        self
    }

    /// Refuses a table in which a row would be flagged ([`flag_unreadable`](Reader::flag_unreadable)), or in which a
    /// cell is missing in a column without a rule for missing cells. There is one error for all of these cases, which
    /// reveals neither the rows nor their number.
    ///
    /// The presence of an error is itself a release about single rows, without noise. Use it only as a curator, who may
    /// see the rows anyway, and never show the error to others.
    pub fn strict(mut self) -> Self {
        self.rules.strictness = Strictness::Strict;
        self
    }

    /// Returns true if the reader refuses a table with an unreadable or missing cell ([`strict`](Self::strict)).
    pub fn is_strict(&self) -> bool {
        self.rules.strictness == Strictness::Strict
    }

    /// Returns the plan of reading, if the options fit the domain.
    pub(crate) fn plan<'a>(&self, domain: &'a FrameDomain) -> Result<Plan<'a>> {
        let rules = &self.rules;
        let fills = rules.fills.iter().map(|(name, _)| name);
        let named = fills.chain(&rules.needed).chain(&rules.flag);
        named.into_iter().try_for_each(|name| declared(domain, name).map(drop))?;
        let is_flag = |name: &str| rules.flag.as_deref() == Some(name);
        let columns = domain.names().iter().zip(domain.columns());
        let read = columns.clone().filter(|(name, _)| !is_flag(name));
        let read: Vec<Declared> =
            read.map(|(name, column)| rules.declared(name, column, domain)).collect::<Result<_>>()?;
        if read.is_empty() {
            return Err(Error::option("domain", "must have at least one column that is read from the file"));
        }
        if let Some((name, column)) = columns.clone().find(|(name, _)| is_flag(name)) {
            let is_plain = column.kind() == Kind::Bool && !rules.mentions(name);
            let rule = "flags unreadable rows, so it must be Boolean and never missing";
            if !is_plain {
                return Err(Error::column(name, rule));
            }
        }
        if domain.size().is_some() && !rules.needed.is_empty() {
            let rule = "the number of dropped rows is private, so the domain cannot declare the number of rows";
            return Err(Error::option("drop_null", rule));
        }
        if domain.size().is_some() && domain.has_individuals_or_null() {
            let rule = "the number of rows dropped for an unreadable identifier is private: the domain cannot declare the \
                        number of rows";
            return Err(Error::option("domain", rule));
        }
        let flag = domain.names().iter().position(|name| is_flag(name));
        Ok(Plan { domain, columns: read, flag, strictness: rules.strictness })
    }
}

impl Rules {
    /// Returns the rules without those about other columns than the domain's. Columns whose missing cells drop rows
    /// stay, so that a domain without one of them is refused: it would have other rows.
    pub(crate) fn of_columns(&self, domain: &FrameDomain) -> Self {
        let is_there = |name: &String| domain.names().contains(name);
        let Self { fills, needed, flag, strictness } = self.clone();
        let fills = fills.into_iter().filter(|(name, _)| is_there(name)).collect();
        Self { fills, needed, flag: flag.filter(is_there), strictness }
    }

    fn mentions(&self, name: &str) -> bool {
        self.fills.iter().map(|(filled, _)| filled).chain(&self.needed).any(|listed| listed == name)
    }

    /// Returns the options of a column.
    fn declared<'a>(&self, name: &'a str, column: &'a ColumnDomain, domain: &FrameDomain) -> Result<Declared<'a>> {
        let mut fills = self.fills.iter().filter(|(filled, _)| filled == name).map(|(_, value)| value);
        let is_needed = self.needed.iter().any(|needed| needed == name);
        let is_individual = domain.individuals() == Some(name);
        let absent = match (fills.next(), is_needed) {
            (Some(_), true) => {
                return Err(Error::column(name, "has both a value for missing cells and a rule that drops their rows"));
            }
            (Some(_), _) if is_individual => {
                let rule = "identifies individuals: a value for missing cells would assign all rows without an \
                            identifier to one individual; drop them with `drop_null`";
                return Err(Error::column(name, rule));
            }
            (Some(value), false) => Absent::Is(stored(value, column).ok_or_else(|| {
                Error::column(name, format!("the value of missing cells must be in the column's domain, {column:?}"))
            })?),
            (None, true) => Absent::LeavesOut,
            (None, false) if column.has_missing() => Absent::Stays,
            (None, false) if self.strictness == Strictness::Strict => Absent::IsRefused,
            (None, false) => {
                let declared = column.clone().with_missing();
                let ways = if is_individual {
                    "drop such rows with `drop_null`".into()
                } else {
                    format!(
                        "declare {declared:?}, give them a value with `fill_null`, or drop such rows with `drop_null`"
                    )
                };
                let rule = format!("must declare how to treat missing cells, which any file may have: {ways}");
                return Err(Error::column(name, rule));
            }
        };
        if fills.next().is_some() {
            return Err(Error::column(name, "has two different values for missing cells"));
        }
        let (floats, integers) = match column.bounds() {
            Some((Cell::Float(lower), Cell::Float(upper))) => (Some((lower, upper)), None),
            Some((Cell::Integer(lower), Cell::Integer(upper))) => (None, Some((lower, upper))),
            _ => (None, None),
        };
        let is_whose = is_individual && domain.has_individuals_or_null();
        Ok(Declared { name, domain: column, absent, is_whose, floats, integers })
    }
}

/// Returns the column of this name, for an option that names it.
pub(crate) fn declared<'a>(domain: &'a FrameDomain, name: &str) -> Result<&'a ColumnDomain> {
    let names: Vec<_> = domain.names().iter().map(|name| format!("{name:?}")).collect();
    let rule = || format!("is not a column of the domain; these are {}", names.join(", "));
    domain.column(name).map_err(|_| Error::column(name, rule()))
}

/// Returns a value as a column stores it, if it is in the column's domain: for a date the days, for a category the
/// position.
fn stored(value: &Cell, column: &ColumnDomain) -> Option<Cell> {
    let value = match (column.kind(), value) {
        (Kind::Float, Cell::Float(x)) => Cell::Float(Some(*x).filter(|x| !x.is_nan())?),
        // Through its digits, which is to the nearest float.
        (Kind::Float, Cell::Integer(n)) => Cell::Float(n.to_string().parse().ok()?),
        (Kind::Date, Cell::Text(text)) => date_from_text(text)?.into(),
        (Kind::Time, Cell::Text(text)) => time_from_text(text)?.into(),
        (Kind::Category, Cell::Text(text)) => position(column, text)?.into(),
        (Kind::Category, _) => return None,
        (Kind::Integer | Kind::Date | Kind::Time, Cell::Integer(_)) => value.clone(),
        (Kind::Bool, Cell::Bool(_)) | (Kind::Text, Cell::Text(_)) => value.clone(),
        _ => return None,
    };
    let is_within = match (column.bounds(), &value) {
        (Some((Cell::Float(lower), Cell::Float(upper))), Cell::Float(x)) => lower <= *x && *x <= upper,
        (Some((Cell::Integer(lower), Cell::Integer(upper))), Cell::Integer(n)) => lower <= *n && *n <= upper,
        _ => true,
    };
    is_within.then_some(value)
}

fn position(column: &ColumnDomain, label: &str) -> Option<i64> {
    i64::try_from(column.labels()?.iter().position(|listed| listed == label)?).ok()
}

/// The columns to read, each with its options.
pub(crate) struct Plan<'a> {
    pub(crate) domain: &'a FrameDomain,
    /// The columns that are in the file, in the domain's order.
    pub(crate) columns: Vec<Declared<'a>>,
    /// The position of the flag among the domain's columns.
    pub(crate) flag: Option<usize>,
    pub(crate) strictness: Strictness,
}

/// A column to be read.
pub(crate) struct Declared<'a> {
    pub(crate) name: &'a str,
    pub(crate) domain: &'a ColumnDomain,
    pub(crate) absent: Absent,
    /// True for the column of individuals if a row without an identifier is an individual of its own. A row with an
    /// unreadable identifier is dropped instead, because it belongs to some individual.
    pub(crate) is_whose: bool,
    pub(crate) floats: Option<(f64, f64)>,
    pub(crate) integers: Option<(i64, i64)>,
}

/// The treatment of a missing cell.
pub(crate) enum Absent {
    Stays,
    Is(Cell),
    LeavesOut,
    IsRefused,
}

impl Declared<'_> {
    /// Returns the column with its missing cells unchanged.
    pub(crate) fn as_found(&self) -> Self {
        Self { absent: Absent::Stays, is_whose: false, ..*self }
    }
}
