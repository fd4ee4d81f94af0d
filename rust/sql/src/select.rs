//! A statement as a query.

use crate::{
    aggregate::Counted,
    error::Error,
    expression::Names,
    joins::joined,
    keys::is_same,
    named::{Table, named},
};
use indistinct::{
    frames::{KeySet, PublicTable, col},
    queries::Query,
};
use sqlparser::{
    ast::{Expr as Sql, GroupByExpr, Ident, Query as SqlQuery, Select, SelectItem, SetExpr, Statement, TableWithJoins},
    dialect::GenericDialect,
    parser::{Parser, ParserError},
    tokenizer::{Token, Tokenizer},
};

/// What a statement asks.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Question {
    /// The name of the table.
    pub table: String,
    /// The query. It has no statistics if [`unlisted`](Self::unlisted) keys are to be counted.
    pub query: Query,
    /// The columns whose keys nobody lists, if the statement counts by them: for [`Query::count_unlisted`].
    pub unlisted: Option<Vec<String>>,
}

/// The most bytes of a statement.
const MAX_BYTES: usize = 1 << 20;

/// The most words and signs of a statement.
const MAX_WORDS: usize = 1000;

/// What a list of values is made of.
fn is_listed(token: &Token) -> bool {
    matches!(token, Token::Comma | Token::Whitespace(_) | Token::Number(..) | Token::SingleQuotedString(_))
}

/// What a statement asks of a private table, for which `tables` gives the query to begin with, beside public ones.
///
/// # Errors
///
/// What is no statement of the subset, with its place; a table or a column that is unknown; a value without bounds, or
/// keys that nobody lists.
pub fn question(
    sql: &str,
    tables: impl Fn(&str) -> Option<Query>,
    public: impl Fn(&str) -> Option<PublicTable>,
) -> Result<Question, Error> {
    if sql.len() > MAX_BYTES {
        return Err(Error::somewhere("the statement is longer than 1048576 bytes"));
    }
    let dialect = GenericDialect {};
    let tokens = Tokenizer::new(&dialect, sql).tokenize_with_location();
    let tokens = tokens.map_err(|error| Error::of_parser(ParserError::TokenizerError(error.to_string())))?;
    // One inside another, or one after another, each is a level of the tree, which is walked and dropped on the stack.
    if tokens.iter().filter(|token| !is_listed(&token.token)).count() > MAX_WORDS {
        return Err(Error::somewhere("the statement has more than 1000 words and signs, beside values of lists"));
    }
    let mut statements =
        Parser::new(&dialect).with_tokens_with_locations(tokens).parse_statements().map_err(Error::of_parser)?;
    let (Some(statement), true) = (statements.pop(), statements.is_empty()) else {
        return Err(Error::somewhere("there must be one statement"));
    };
    let Statement::Query(statement) = &statement else {
        return Err(Error::at(&statement, "a private query is a SELECT"));
    };
    let select = select(statement)?;
    let from = from(select)?;
    let Table { name, alias } = named(&from.relation)?;
    let base = tables(&name).ok_or_else(|| Error::at(from, format!("there is no table {name:?}")))?;
    let domain = base.domain().clone();
    let mut names = Names { table: alias.as_deref().unwrap_or(&name), domain: &domain, joined: Vec::new() };
    let (joined, matched) = joined(&names, &from.joins, public)?;
    names.joined = joined;
    let base = matched.into_iter().fold(base, Query::filter);
    let mut query = match &select.selection {
        Some(condition) => base.filter(names.expression(condition)?),
        None => base,
    };

    let groups = groups(select)?;
    let outputs: Vec<(&Sql, Option<&Ident>)> = select.projection.iter().map(output).collect::<Result<_, _>>()?;
    let is_group = |sql: &Sql| groups.iter().any(|group| is_same(group, sql));
    let aggregates: Vec<_> = outputs.iter().filter(|(sql, _)| !is_group(sql)).collect();
    if aggregates.is_empty() {
        return Err(Error::at(select, "there is nothing to release: ask for a count, an average or others"));
    }

    let (mut key_names, mut columns, mut unlisted) = (Vec::new(), Vec::new(), None);
    for group in &groups {
        let alias = outputs.iter().find(|(sql, _)| is_same(sql, group)).and_then(|(_, alias)| *alias);
        let (name, value) = (key_name(group, alias), names.expression(group)?);
        if key_names.contains(&name) {
            return Err(Error::at(*group, format!("two keys are named {name:?}: give one another name, by AS")));
        }
        if value != col(&name) {
            if domain.column(&name).is_ok() {
                return Err(Error::at(*group, format!("{name:?} is a column: the key needs another name, by AS")));
            }
            query = query.with_column(name.clone(), value);
        }
        match names.keys(group, select.selection.as_ref())? {
            Some(keys) => columns.push((name.clone(), keys)),
            None => unlisted = unlisted.or(Some(*group)),
        }
        key_names.push(name);
    }
    if let Some(group) = unlisted {
        let counted: Vec<_> = aggregates.iter().map(|(sql, _)| names.counted(sql)).collect();
        let wanted = if domain.individuals().is_some() { Counted::Individuals } else { Counted::Rows };
        if counted != [Some(wanted)] {
            let rule = "nothing lists the keys: a condition such as IN ('a', 'b'), or categories in the schema";
            return Err(Error::at(group, format!("{group}: {rule}")));
        }
        return Ok(Question { table: name, query, unlisted: Some(key_names) });
    }
    if !groups.is_empty() {
        let keys = KeySet::product(columns).map_err(|error| Error::at(select, error.to_string()))?;
        query = query.group_by(keys);
    }
    for (sql, alias) in aggregates {
        let name = alias.map_or_else(|| sql.to_string(), |alias| alias.value.clone());
        query = names.aggregate(query, sql)?.named(name);
    }
    Ok(Question { table: name, query, unlisted: None })
}

/// The one SELECT, if there is nothing beside it.
fn select(query: &SqlQuery) -> Result<&Select, Error> {
    let beside = |what: &str| format!("{what} is not part of a private query");
    if let Some(with) = &query.with {
        return Err(Error::at(with, beside("WITH")));
    }
    if let Some(order) = &query.order_by {
        return Err(Error::at(order, beside("ORDER BY")));
    }
    if let Some(limit) = &query.limit_clause {
        return Err(Error::at(limit, beside("LIMIT")));
    }
    let SetExpr::Select(select) = query.body.as_ref() else {
        return Err(Error::at(query, "a private query is one SELECT"));
    };
    if let Some(having) = &select.having {
        return Err(Error::at(having, beside("HAVING")));
    }
    if select.distinct.is_some() {
        return Err(Error::at(select.as_ref(), beside("DISTINCT beside SELECT")));
    }
    // Whatever else a dialect has: what is read here is all that there is.
    let list = |items: Vec<String>| items.join(", ");
    let mut shown = format!("SELECT {}", list(select.projection.iter().map(ToString::to_string).collect()));
    shown += &format!(" FROM {}", list(select.from.iter().map(ToString::to_string).collect()));
    if let Some(condition) = &select.selection {
        shown += &format!(" WHERE {condition}");
    }
    if let GroupByExpr::Expressions(groups, modifiers) = &select.group_by
        && modifiers.is_empty()
        && !groups.is_empty()
    {
        shown += &format!(" GROUP BY {}", list(groups.iter().map(ToString::to_string).collect()));
    }
    if query.to_string() != shown {
        return Err(Error::at(
            select.as_ref(),
            "a private query has SELECT, FROM, WHERE and GROUP BY, and nothing else",
        ));
    }
    Ok(select)
}

/// The only private table, with what is joined to it.
fn from(select: &Select) -> Result<&TableWithJoins, Error> {
    match select.from.as_slice() {
        [from] => Ok(from),
        _ => Err(Error::at(select, "a private query is of one private table")),
    }
}

fn groups(select: &Select) -> Result<Vec<&Sql>, Error> {
    match &select.group_by {
        GroupByExpr::Expressions(groups, _) => match groups.iter().find(|group| matches!(group, Sql::Value(_))) {
            Some(constant) => Err(Error::at(constant, "GROUP BY names its columns")),
            None => Ok(groups.iter().collect()),
        },
        GroupByExpr::All(_) => Err(Error::at(select, "GROUP BY names its columns")),
    }
}

fn output(item: &SelectItem) -> Result<(&Sql, Option<&Ident>), Error> {
    match item {
        SelectItem::UnnamedExpr(sql) => Ok((sql, None)),
        SelectItem::ExprWithAlias { expr, alias } => Ok((expr, Some(alias))),
        other => Err(Error::at(other, format!("{other} would release rows: ask for a count, an average or others"))),
    }
}

/// The name of a key's column.
fn key_name(group: &Sql, alias: Option<&Ident>) -> String {
    match (group, alias) {
        (Sql::Identifier(name), _) => name.value.clone(),
        (_, Some(alias)) => alias.value.clone(),
        (Sql::CompoundIdentifier(names), _) => names.last().map(|name| name.value.clone()).unwrap_or_default(),
        (Sql::Nested(inner), None) => key_name(inner, None),
        (other, None) => other.to_string(),
    }
}
