//! The columns of the released table, which `HAVING` and `ORDER BY` read.

use crate::error::Error;
use indistinct::frames::Kind;
use sqlparser::ast::{Expr as Sql, Function};

/// A column of the released table.
pub(crate) struct Output<'a> {
    pub(crate) sql: &'a Sql,
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// Returns the name of the released column that an expression of the statement is; `None` for other expressions, and
/// where the private table is read.
///
/// # Errors
///
/// Returns an error for an aggregate that is not released.
pub(crate) fn name_of_released<'a>(outputs: &'a [Output<'_>], sql: &Sql) -> Result<Option<&'a str>, Error> {
    let output = outputs.iter().find(|output| is_same(output.sql, sql));
    match (output, sql) {
        (Some(output), _) => Ok(Some(&output.name)),
        (None, Sql::Function(function)) if !outputs.is_empty() && is_aggregate(&function.name.to_string()) => {
            Err(Error::at(sql, format!("HAVING and ORDER BY read the released table: add {sql} to SELECT")))
        }
        _ => Ok(None),
    }
}

fn is_aggregate(name: &str) -> bool {
    let aggregates =
        ["COUNT", "SUM", "AVG", "VAR_POP", "STDDEV_POP", "COVAR_POP", "MEDIAN", "QUANTILE", "PERCENTILE_CONT"];
    aggregates.iter().any(|aggregate| name.eq_ignore_ascii_case(aggregate))
}

/// Returns true if two expressions are the same, up to parentheses and the case of a function's name.
pub(crate) fn is_same(left: &Sql, right: &Sql) -> bool {
    match (left, right) {
        (Sql::Nested(inner), other) | (other, Sql::Nested(inner)) => is_same(inner, other),
        (Sql::Function(one), Sql::Function(other))
            if one.name.to_string().eq_ignore_ascii_case(&other.name.to_string()) =>
        {
            Function { name: other.name.clone(), ..one.clone() } == *other
        }
        _ => left == right,
    }
}
