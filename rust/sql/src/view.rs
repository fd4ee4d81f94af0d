//! `HAVING`, `ORDER BY` and `LIMIT`: rows of the released table that are shown, which costs nothing.

use crate::{error::Error, expression::Names, released::Output};
use indistinct::{
    frames::{ColumnDomain, FrameDomain, Kind, col},
    queries::View,
};
use sqlparser::ast::{
    Expr as Sql, LimitClause, OrderBy, OrderByExpr, OrderByKind, OrderByOptions, OrderBySort, Query as SqlQuery,
    Select, Value,
};

/// Returns the view of a statement, whose released table has these columns. They are shown in the order of `shown`.
pub(crate) fn view(
    query: &SqlQuery,
    select: &Select,
    outputs: &[Output<'_>],
    shown: Vec<String>,
) -> Result<View, Error> {
    let domain = |kind: Kind| match kind {
        Kind::Float => ColumnDomain::float(),
        Kind::Integer => ColumnDomain::integer(),
        Kind::Bool => ColumnDomain::bool(),
        // A released key is a label, or a day or a time as a text, whose order is that of the calendar.
        _ => ColumnDomain::text(),
    };
    let columns = outputs.iter().map(|output| (output.name.clone(), domain(output.kind).with_missing()));
    let released = FrameDomain::new(columns).map_err(|error| Error::at(select, error.to_string()))?;
    let names = Names { table: "the released table", domain: &released, joined: Vec::new(), outputs };
    let mut view = View::new(shown, released.clone());
    if let Some(having) = &select.having {
        view = view.having(names.condition(having)?).map_err(|error| Error::at(having, error.to_string()))?;
    }
    for order in query.order_by.iter().flat_map(orders) {
        let (sql, is_descending) = order?;
        let value = match place(sql).map(|place| place.checked_sub(1).and_then(|place| view.columns().get(place))) {
            Some(Some(name)) => col(name),
            Some(None) => return Err(Error::at(sql, format!("SELECT has no column of number {sql}"))),
            None => names.computed(sql, names.expression(sql)?)?,
        };
        view = view.order_by(value, is_descending).map_err(|error| Error::at(sql, error.to_string()))?;
    }
    match &query.limit_clause {
        None => Ok(view),
        Some(LimitClause::LimitOffset { limit: Some(rows), offset: None, limit_by }) if limit_by.is_empty() => {
            let most = place(rows).ok_or_else(|| Error::at(rows, "LIMIT takes a number of rows"))?;
            Ok(view.limit(most))
        }
        Some(clause) => Err(Error::at(clause, "LIMIT takes a number of rows, without OFFSET or BY")),
    }
}

/// Returns the expressions of ORDER BY, each with true for the descending order.
fn orders(clause: &OrderBy) -> Vec<Result<(&Sql, bool), Error>> {
    let order = |order: &'_ OrderByExpr| {
        let is_descending = match &order.options {
            OrderByOptions { sort: None | Some(OrderBySort::Asc), nulls_first: None | Some(false) } => Some(false),
            OrderByOptions { sort: Some(OrderBySort::Desc), nulls_first: None | Some(false) } => Some(true),
            _ => None,
        };
        is_descending.filter(|_| order.with_fill.is_none())
    };
    match &clause.kind {
        OrderByKind::Expressions(listed) if clause.interpolate.is_none() => listed
            .iter()
            .map(|listed| match order(listed) {
                Some(is_descending) => Ok((&listed.expr, is_descending)),
                None => Err(Error::at(&listed.expr, "ORDER BY takes ASC or DESC; missing values come last")),
            })
            .collect(),
        _ => vec![Err(Error::at(clause, "ORDER BY takes columns of the released table"))],
    }
}

/// Returns the number that a literal is, such as the position of a column.
fn place(sql: &Sql) -> Option<usize> {
    match sql {
        Sql::Value(value) => match &value.value {
            Value::Number(text, false) => text.parse().ok(),
            _ => None,
        },
        _ => None,
    }
}
