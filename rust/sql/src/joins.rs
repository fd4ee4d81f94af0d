//! Joins of public tables to the private table.

use crate::{
    error::Error,
    expression::Names,
    named::{Table, named},
    public::Joined,
};
use indistinct::frames::{Cell, Expr, PublicTable};
use sqlparser::ast::{BinaryOperator, Expr as Sql, Join, JoinConstraint, JoinOperator};

/// Returns the joined public tables, with a condition for each that drops rows without a match.
pub(crate) fn joined(
    names: &Names<'_>,
    joins: &[Join],
    public: impl Fn(&str) -> Option<PublicTable>,
) -> Result<(Vec<Joined>, Vec<Expr>), Error> {
    let (mut all, mut conditions) = (Vec::<Joined>::new(), Vec::new());
    for join in joins {
        let (constraint, is_inner, words) = match &join.join_operator {
            JoinOperator::Join(on) => (on, true, "JOIN"),
            JoinOperator::Inner(on) => (on, true, "INNER JOIN"),
            JoinOperator::Left(on) => (on, false, "LEFT JOIN"),
            JoinOperator::LeftOuter(on) => (on, false, "LEFT OUTER JOIN"),
            _ => return Err(Error::at(join, "only JOIN and LEFT JOIN with a public table are supported")),
        };
        let JoinConstraint::On(condition) = constraint else {
            return Err(Error::at(join, "a public table must be joined ON equal columns"));
        };
        if join.to_string() != format!("{words} {} ON {condition}", join.relation) {
            return Err(Error::at(
                join,
                "a join must be with a public table ON equal columns, without other conditions",
            ));
        }
        let Table { name, alias } = named(&join.relation)?;
        let none = || Error::at(&join.relation, format!("there is no public table {name:?} to join"));
        let table = public(&name).ok_or_else(none)?;
        let alias = alias.unwrap_or(name);
        if names.table == alias || all.iter().any(|other| other.name == alias) {
            return Err(Error::at(&join.relation, format!("{alias} names two tables: rename one with AS")));
        }
        let keys = keys(names, (&alias, &table), condition)?;
        let table = keys.iter().try_fold(table, |table, (column, value)| {
            // Rows of labels that the private column does not have are nobody's.
            let domain = names.described(condition, value)?;
            let labels = domain.labels().map(|labels| labels.iter().cloned().map(Cell::Text).collect::<Vec<_>>());
            let kept = labels.map(|labels| table.with_values(column, &labels)).transpose();
            Ok(kept.map_err(|error| Error::at(condition, error.to_string()))?.unwrap_or(table))
        })?;
        let refs = || keys.iter().map(|(column, value)| (column.as_str(), value.clone()));
        let has = table.has(refs()).map_err(|error| Error::at(condition, error.to_string()))?;
        if is_inner {
            conditions.push(!has.is_null());
        }
        all.push(Joined { name: alias, table, keys, is_inner });
    }
    Ok((all, conditions))
}

/// Returns the columns of a public table that a condition equates with values of the private table.
fn keys(
    names: &Names<'_>,
    (alias, table): (&str, &PublicTable),
    condition: &Sql,
) -> Result<Vec<(String, Expr)>, Error> {
    match condition {
        Sql::Nested(inner) => keys(names, (alias, table), inner),
        Sql::BinaryOp { left, op: BinaryOperator::And, right } => {
            Ok([keys(names, (alias, table), left)?, keys(names, (alias, table), right)?].concat())
        }
        Sql::BinaryOp { left, op: BinaryOperator::Eq, right } => {
            let own = |sql: &Sql| match sql {
                Sql::CompoundIdentifier(parts) => match parts.as_slice() {
                    [of, column] if of.value == alias && table.domain().column(&column.value).is_ok() => {
                        Some(column.value.clone())
                    }
                    _ => None,
                },
                _ => None,
            };
            match (own(left), own(right)) {
                (Some(column), None) => Ok(vec![(column, names.expression(right)?)]),
                (None, Some(column)) => Ok(vec![(column, names.expression(left)?)]),
                _ => Err(Error::at(
                    condition,
                    format!("one side must be a column of {alias}, such as {alias}.…, and the other side must not be"),
                )),
            }
        }
        _ => Err(Error::at(condition, "a public table must be joined ON equal columns")),
    }
}
