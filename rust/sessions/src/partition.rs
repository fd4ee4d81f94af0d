//! Parts of a table that have no row in common, each with an account of its own.

use crate::{
    declaration::declare,
    error::{Fallible, refuse},
    session::{Session, UNIT, table_key},
    unit::Unit,
};
use indistinct::{
    core::Transformation,
    frames::{Cell, Expr, Frame, FrameDomain, Kind, col, lit, make_filter_rows},
    metrics::SymmetricDistance,
};
use indistinct_ledger::{Ledger, Loss};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The rows of a table with one value in a column, as an account is prepaid for them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    column: String,
    /// As domains are written: what the column's cells are read as.
    domain: String,
    table: String,
    value: Value,
}

/// A value that is equal to no other one of its column.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
enum Value {
    Bool(bool),
    Integer(i64),
    Text(String),
}

type Filter = Transformation<FrameDomain, FrameDomain, SymmetricDistance, SymmetricDistance>;

impl Session {
    /// Accounts for the parts of a table, of one value in a column each, with this budget each. The session's account
    /// is charged the budget once for all of them, since a row is in one part: what the other parts release does not
    /// depend on it (McSherry 2009, "Privacy integrated queries", Theorem 4). A session of such an account has the
    /// table alone, and of it the rows with that value.
    ///
    /// The same accounts for the same parts, asked for again, are opened and paid for once.
    ///
    /// # Parameters
    ///
    /// - `parts`: the name of each new account, with its value: text, a label, a whole number or a truth value. Rows
    ///   with another value, or none, are in no part.
    ///
    /// # Errors
    ///
    /// A unit other than one row, which alone is in one part: individuals may have rows in several. A table or a
    /// column that is unknown; a value that the column does not hold, or that is there twice; a name that is taken;
    /// [`Error::Ledger`](crate::Error::Ledger) if an account has too little left.
    ///
    /// ```
    /// use indistinct::{frames::*, queries::Budget};
    /// use indistinct_ledger::{Ledger, Loss};
    /// use indistinct_sessions::{Session, Unit};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("visits.ledger");
    /// let visits = FrameDomain::new([("region", ColumnDomain::text()), ("age", ColumnDomain::integer())])?;
    /// let rows = Frame::new([
    ///     ("region", (0..900).map(|row| ["north", "south", "west"][row % 3]).collect::<Column>()),
    ///     ("age", (0..900i64).map(|row| row % 90).collect()),
    /// ])?;
    /// let ledger = Ledger::create(&path, "visits", &Loss::epsilon(1.0)?)?;
    /// let mut all = Session::new(ledger, "visits", Unit::Rows(1))?.with_table("visits", visits.clone(), rows.clone())?;
    /// let parts = [("bureau north", "north"), ("bureau south", "south")];
    /// all.open_partition("visits", "region", parts, &Loss::epsilon(0.75)?)?;
    /// assert_eq!(all.budget()?.left.to_string(), "epsilon 0.25");
    ///
    /// // Each bureau, in a program of its own.
    /// let ledger = Ledger::open(&path)?;
    /// let mut north = Session::new(ledger, "bureau north", Unit::Rows(1))?.with_table("visits", visits, rows)?;
    /// let count = north.query("visits")?.count().measurement(Budget::Epsilon(0.75))?;
    /// let release = north.release(north.price("visits", &count)?, "visits in 2026")?;
    /// let visits = release.answer.estimate(0, "count").and_then(|count| count.value);
    /// assert!(visits.is_some_and(|visits| (visits - 300.0).abs() < 60.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_partition<N: Into<String>, V: Into<Cell>>(
        &mut self,
        table: &str,
        column: &str,
        parts: impl IntoIterator<Item = (N, V)>,
        budget: &Loss,
    ) -> Fallible<()> {
        check_unit(self.unit)?;
        let private = self.table(table)?;
        let (domain, rows_of) = (private.domain.clone(), private.rows_of.clone());
        let (mut accounts, mut values) = (BTreeMap::new(), Vec::new());
        for (name, value) in parts {
            let (name, cell) = (name.into(), value.into());
            let value = Value::of(&cell).filter(|value| !values.contains(value));
            let rule = "must be text, a label, a whole number or a truth value, and be there once";
            let value = value.ok_or_else(|| refuse(format!("the value of part {name:?}: {rule}")))?;
            values.push(value.clone());
            let reading = format!("{:?}", domain.column(column)?);
            let part = Part { column: column.into(), domain: reading, table: table.into(), value };
            part.filter(&domain)?;
            let text = part.to_text()?;
            if text.len() > MAX_TEXT {
                return Err(refuse(format!("part {name:?}: what it is takes more than {MAX_TEXT} bytes to say")));
            }
            if accounts.insert(name.clone(), text).is_some() {
                return Err(refuse(format!("there is a part {name:?} already")));
            }
        }
        declare(&mut self.ledger, &self.account, UNIT, &self.unit.to_string())?;
        declare(&mut self.ledger, &self.account, &table_key(table), &rows_of)?;
        Ok(self.ledger.open_partition(&self.account, budget, &accounts)?)
    }
}

/// The most bytes of what a ledger is told of a part.
const MAX_TEXT: usize = 1000;

fn check_unit(unit: Unit) -> Fallible<()> {
    let rule = "parts need the unit of one row added or removed, which is in one part alone";
    if unit == Unit::Rows(1) { Ok(()) } else { Err(refuse(format!("{rule}, and it is {unit}"))) }
}

/// What an account, and those above it, are prepaid for: an account may be for a part of a part.
pub(crate) fn parts(ledger: &Ledger, account: &str) -> Fallible<Vec<Part>> {
    let (mut parts, mut next) = (Vec::new(), Some(account.to_owned()));
    while let Some(name) = next {
        let budget = ledger.budget(&name)?;
        if let Some(text) = budget.prepaid {
            let part: Option<Part> = serde_json::from_str(&text).ok();
            let together = ledger.partition(&name)?.into_values().map(|text| serde_json::from_str(&text).ok());
            let rule = "is prepaid for what is no part of a table, with others that have no row in common with it";
            let part = part.filter(|part| part.is_one_of(together.collect()));
            parts.push(part.ok_or_else(|| refuse(format!("account {name:?} {rule}")))?);
        }
        next = budget.parent;
    }
    Ok(parts)
}

/// Refuse a unit that may be in several parts.
pub(crate) fn check(parts: &[Part], unit: Unit) -> Fallible<()> {
    if parts.is_empty() { Ok(()) } else { check_unit(unit) }
}

/// Refuse a table that is not the one of these parts, or in which their columns are read as something else.
pub(crate) fn check_table(parts: &[Part], table: &str, domain: &FrameDomain) -> Fallible<()> {
    parts.iter().try_for_each(|part| {
        let is_own = part.table == table && format!("{:?}", domain.column(&part.column)?) == part.domain;
        let Part { table, column, domain, .. } = part;
        let rule = format!("the account is prepaid for rows of table {table:?}, with {domain} in column {column:?}");
        if is_own { Ok(()) } else { Err(refuse(rule)) }
    })
}

/// Where an account is prepaid for nothing.
pub(crate) const ALL: &str = "all";

/// Which rows of its table the account's releases are of, in words.
pub(crate) fn words(parts: &[Part]) -> String {
    let words = |part: &Part| format!("{} = {}", part.column, Cell::from(&part.value));
    if parts.is_empty() { ALL.into() } else { parts.iter().map(words).collect::<Vec<_>>().join(" and ") }
}

/// The rows of these parts.
pub(crate) fn rows(parts: &[Part], domain: &FrameDomain, rows: Frame) -> Fallible<Frame> {
    parts.iter().try_fold(rows, |rows, part| Ok(part.filter(domain)?.invoke(&rows)?.into()))
}

impl Part {
    /// Whether these, all that were paid for together with it, are of one column, and no two of one value.
    fn is_one_of(&self, together: Option<Vec<Part>>) -> bool {
        let Some(together) = together else { return false };
        let is_same =
            |part: &Part| (&part.table, &part.column, &part.domain) == (&self.table, &self.column, &self.domain);
        let values: BTreeSet<&Value> = together.iter().map(|part| &part.value).collect();
        together.iter().all(is_same) && values.len() == together.len()
    }

    fn filter(&self, domain: &FrameDomain) -> Fallible<Filter> {
        let kind = domain.column(&self.column)?.kind();
        let fits = match self.value {
            Value::Bool(_) => kind == Kind::Bool,
            Value::Integer(_) => kind == Kind::Integer,
            Value::Text(_) => matches!(kind, Kind::Text | Kind::Category),
        };
        if !fits {
            let rule = format!("a part of {:?} must be of its kind, {kind}", self.column);
            return Err(refuse(rule));
        }
        let condition: Expr = col(&self.column).eq(lit(Cell::from(&self.value)));
        Ok(make_filter_rows(domain.clone(), SymmetricDistance, condition)?)
    }

    /// Its one text.
    fn to_text(&self) -> Fallible<String> {
        serde_json::to_string(self).map_err(|error| refuse(error.to_string()))
    }
}

impl Value {
    fn of(cell: &Cell) -> Option<Self> {
        match cell {
            Cell::Bool(value) => Some(Value::Bool(*value)),
            Cell::Integer(value) => Some(Value::Integer(*value)),
            Cell::Text(text) => Some(Value::Text(text.clone())),
            _ => None,
        }
    }
}

impl From<&Value> for Cell {
    fn from(value: &Value) -> Self {
        match value {
            Value::Bool(value) => (*value).into(),
            Value::Integer(value) => (*value).into(),
            Value::Text(text) => text.as_str().into(),
        }
    }
}
