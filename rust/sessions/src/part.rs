//! The rows of a table with one value in a column, for which an account is prepaid.

use crate::{
    error::{Fallible, refuse},
    unit::Unit,
};
use indistinct::{
    core::Transformation,
    frames::{Cell, Expr, Frame, FrameDomain, Kind, col, lit, make_filter_rows},
    metrics::SymmetricDistance,
};
use indistinct_ledger::Ledger;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The rows of a table with one value in a column, for which an account is prepaid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    pub(crate) column: String,
    /// The domain of the column's cells, as text.
    pub(crate) domain: String,
    pub(crate) table: String,
    pub(crate) value: Value,
}

/// A value that differs from every other value of its column.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Value {
    Bool(bool),
    Integer(i64),
    Text(String),
}

type Filter = Transformation<FrameDomain, FrameDomain, SymmetricDistance, SymmetricDistance>;

pub(crate) fn check_unit(unit: Unit) -> Fallible<()> {
    let rule = "parts need a unit of one row added or removed, which is in a single part";
    if unit == Unit::Rows(1) { Ok(()) } else { Err(refuse(format!("{rule}; the unit is {unit}"))) }
}

/// Returns the parts for which the account and those above it are prepaid: an account may be for a part of a part.
pub(crate) fn parts(ledger: &Ledger, account: &str) -> Fallible<Vec<Part>> {
    let (mut parts, mut next) = (Vec::new(), Some(account.to_owned()));
    while let Some(name) = next {
        let budget = ledger.budget(&name)?;
        if let Some(text) = budget.prepaid {
            let part: Option<Part> = serde_json::from_str(&text).ok();
            let together = ledger.partition(&name)?.into_values().map(|text| serde_json::from_str(&text).ok());
            let rule = "is prepaid, but not for one of a table's disjoint parts";
            let part = part.filter(|part| part.is_one_of(together.collect()));
            parts.push(part.ok_or_else(|| refuse(format!("account {name:?} {rule}")))?);
        }
        next = budget.parent;
    }
    Ok(parts)
}

/// Returns an error for a unit that may be in several parts.
pub(crate) fn check(parts: &[Part], unit: Unit) -> Fallible<()> {
    if parts.is_empty() { Ok(()) } else { check_unit(unit) }
}

/// Returns an error for a table other than that of these parts, or one whose columns have other types.
pub(crate) fn check_table(parts: &[Part], table: &str, domain: &FrameDomain) -> Fallible<()> {
    parts.iter().try_for_each(|part| {
        let is_own = part.table == table && format!("{:?}", domain.column(&part.column)?) == part.domain;
        let Part { table, column, domain, .. } = part;
        let rule = format!("the account is prepaid for rows of table {table:?}, with {domain} in column {column:?}");
        if is_own { Ok(()) } else { Err(refuse(rule)) }
    })
}

/// The text for an account that is not prepaid.
pub(crate) const ALL: &str = "all";

/// Describes the table's rows that the account's releases cover.
pub(crate) fn words(parts: &[Part]) -> String {
    let words = |part: &Part| format!("{} = {}", part.column, Cell::from(&part.value));
    if parts.is_empty() { ALL.into() } else { parts.iter().map(words).collect::<Vec<_>>().join(" and ") }
}

/// Returns the rows of these parts.
pub(crate) fn rows(parts: &[Part], domain: &FrameDomain, rows: Frame) -> Fallible<Frame> {
    parts.iter().try_fold(rows, |rows, part| Ok(part.filter(domain)?.invoke(&rows)?.into()))
}

impl Part {
    /// Returns true if all parts that were paid for together with this one are of one column, and no two have the same
    /// value.
    fn is_one_of(&self, together: Option<Vec<Part>>) -> bool {
        let Some(together) = together else { return false };
        let is_same =
            |part: &Part| (&part.table, &part.column, &part.domain) == (&self.table, &self.column, &self.domain);
        let values: BTreeSet<&Value> = together.iter().map(|part| &part.value).collect();
        together.iter().all(is_same) && values.len() == together.len()
    }

    pub(crate) fn filter(&self, domain: &FrameDomain) -> Fallible<Filter> {
        Ok(make_filter_rows(domain.clone(), SymmetricDistance, self.condition(domain)?)?)
    }

    /// Returns the condition that its rows satisfy.
    pub(crate) fn condition(&self, domain: &FrameDomain) -> Fallible<Expr> {
        let kind = domain.column(&self.column)?.kind();
        let fits = match self.value {
            Value::Bool(_) => kind == Kind::Bool,
            Value::Integer(_) => kind == Kind::Integer,
            Value::Text(_) => matches!(kind, Kind::Text | Kind::Category),
        };
        if !fits {
            let rule = format!("a part of {:?} must have its type, {kind}", self.column);
            return Err(refuse(rule));
        }
        Ok(col(&self.column).eq(lit(Cell::from(&self.value))))
    }

    /// Returns its canonical text.
    pub(crate) fn to_text(&self) -> Fallible<String> {
        serde_json::to_string(self).map_err(|error| refuse(error.to_string()))
    }
}

impl Value {
    pub(crate) fn of(cell: &Cell) -> Option<Self> {
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
