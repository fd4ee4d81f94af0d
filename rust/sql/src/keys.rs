//! The keys of groups, which only the statement and the table's domain determine.

use crate::{
    error::Error,
    expression::{Names, cell, cells, name_of},
    released::is_same,
};
use indistinct::frames::{Cell, Kind};
use sqlparser::ast::{BinaryOperator, Expr as Sql, InTarget, UnaryOperator, Value};

/// The maximum number of keys in a range of integers.
const MAX_RANGE: i64 = 10_000;

impl Names<'_> {
    /// Returns the keys of a part of GROUP BY; `None` if nothing lists them.
    pub(crate) fn keys(&self, group: &Sql, condition: Option<&Sql>) -> Result<Option<Vec<Cell>>, Error> {
        if let Some(keys) = listed(group, condition)?.or(results(group)?) {
            return Ok(Some(keys));
        }
        if let Some(values) = self.public_values(group) {
            return Ok(Some(values));
        }
        let domain = self.described(group, &self.expression(group)?)?;
        let labels = domain.labels().map(|labels| labels.iter().cloned().map(Cell::Text).collect());
        let keys: Option<Vec<Cell>> = match (domain.kind(), domain.bounds()) {
            (Kind::Bool, _) => Some(vec![Cell::Bool(false), Cell::Bool(true)]),
            (Kind::Integer, Some((Cell::Integer(low), Cell::Integer(high)))) if is_bins(group) => {
                Some(range(group, low, high)?)
            }
            _ => labels,
        };
        // What is missing is a group of its own, but where the condition leaves it out.
        let is_left_out = |part: &&Sql| matches!(part, Sql::IsNotNull(value) if is_same(value, group));
        let has_missing = domain.has_missing() && !conditions(condition).iter().any(is_left_out);
        let missing = has_missing.then_some(Cell::Missing);
        Ok(keys.map(|keys| keys.into_iter().chain(missing).collect()))
    }
}

impl Names<'_> {
    /// Returns a hint for listing the keys of a group, depending on its type.
    pub(crate) fn way_to_list(&self, group: &Sql) -> Result<String, Error> {
        let domain = self.described(group, &self.expression(group)?)?;
        Ok(match (domain.kind(), domain.bounds()) {
            (Kind::Integer, Some((Cell::Integer(low), Cell::Integer(high)))) => {
                format!("add a condition such as {group} BETWEEN {low} AND {high}")
            }
            (Kind::Integer, _) => format!("add a condition such as {group} BETWEEN 1 AND 9, or {group} IN (1, 2)"),
            (Kind::Float, Some(_)) => format!("group by whole numbers, FLOOR({group})"),
            (Kind::Float, None) => format!("group by whole numbers, FLOOR(CLAMP({group}, lowest, highest))"),
            (Kind::Date, _) => {
                format!(
                    "add a condition such as {group} IN ('2026-01-01', '2026-01-02'), or group by its MONTH, \
                         EXTRACT(MONTH FROM {group})"
                )
            }
            (Kind::Time, _) => format!("group by a part of the time, such as EXTRACT(HOUR FROM {group})"),
            _ => {
                let schema = match group {
                    Sql::Identifier(name) => {
                        format!(", or declare categories in the schema: {} = 'category(\"a\", \"b\")'", name.value)
                    }
                    _ => String::new(),
                };
                format!("add a condition such as {group} IN ('a', 'b'){schema}")
            }
        })
    }
}

/// Returns the values of an expression that the parts of a condition list.
fn listed(group: &Sql, condition: Option<&Sql>) -> Result<Option<Vec<Cell>>, Error> {
    for part in conditions(condition) {
        match part {
            Sql::In { expr, target: InTarget::List(values), negated: false, .. } if is_same(expr, group) => {
                return cells(values).map(Some);
            }
            Sql::Between { expr, negated: false, low, high } if is_same(expr, group) => {
                if let (Some(low), Some(high)) = (whole(low), whole(high)) {
                    return range(group, low, high).map(Some);
                }
            }
            Sql::BinaryOp { left, op: BinaryOperator::Eq, right } if is_same(left, group) => {
                // Another column lists nothing.
                if let Ok(key) = cells(std::slice::from_ref(right)) {
                    return Ok(Some(key));
                }
            }
            _ => {}
        }
    }
    Ok(None)
}

/// Returns the values of a `CASE` whose results are constants, or are listed by the condition before them:
/// `CASE WHEN city IN ('Bern', 'Basel') THEN city ELSE 'other' END`.
fn results(group: &Sql) -> Result<Option<Vec<Cell>>, Error> {
    let (cases, otherwise) = match group {
        Sql::Nested(inner) => return results(inner),
        Sql::Case { operand: None, conditions, else_result, .. } => (conditions, else_result),
        _ => return Ok(None),
    };
    let mut found: Vec<Cell> = Vec::new();
    let results = cases.iter().map(|case| (&case.result, Some(&case.condition)));
    for (result, condition) in results.chain(otherwise.iter().map(|result| (result.as_ref(), None))) {
        let values = match constant(result) {
            Some(value) => vec![value],
            None => match listed(result, condition)? {
                Some(values) => values,
                None => return Ok(None),
            },
        };
        found.extend(values);
    }
    if otherwise.is_none() {
        found.push(Cell::Missing);
    }
    let mut keys: Vec<Cell> = Vec::new();
    for value in found {
        if !keys.contains(&value) {
            keys.push(value);
        }
    }
    Ok(Some(keys))
}

/// Returns the value of a literal, which may be missing.
fn constant(sql: &Sql) -> Option<Cell> {
    match sql {
        Sql::Value(value) => cell(&value.value),
        other => cells(std::slice::from_ref(other)).ok()?.pop(),
    }
}

/// Returns the parts of a condition that are joined by AND.
fn conditions(condition: Option<&Sql>) -> Vec<&Sql> {
    let (mut open, mut parts) = (Vec::from_iter(condition), Vec::new());
    while let Some(part) = open.pop() {
        match part {
            Sql::Nested(inner) => open.push(inner),
            Sql::BinaryOp { left, op: BinaryOperator::And, right } => open.extend([right.as_ref(), left.as_ref()]),
            other => parts.push(other),
        }
    }
    parts
}

/// Returns true if an expression is the number of a bin.
fn is_bins(group: &Sql) -> bool {
    match group {
        Sql::Nested(inner) => is_bins(inner),
        Sql::Floor { .. } => true,
        Sql::Function(function) => name_of(function) == "WIDTH_BUCKET",
        _ => false,
    }
}

/// Returns an integer literal, which may have a sign.
fn whole(sql: &Sql) -> Option<i64> {
    match sql {
        Sql::UnaryOp { op: UnaryOperator::Minus, expr } => whole(expr)?.checked_neg(),
        Sql::Value(value) => match &value.value {
            Value::Number(text, false) => text.parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

fn range(group: &Sql, low: i64, high: i64) -> Result<Vec<Cell>, Error> {
    let many = high.checked_sub(low).is_none_or(|many| many >= MAX_RANGE);
    if many {
        Err(Error::at(group, "a range may list at most 10000 keys"))
    } else {
        Ok((low..=high).map(Cell::Integer).collect())
    }
}
