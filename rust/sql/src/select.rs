//! Converts statements to queries.

use crate::{
    aggregate::Counted,
    error::Error,
    expression::Names,
    joins::joined,
    named::{Table, named},
    released::{Output, is_same},
    view::view,
    words::Words,
};
use indistinct::{
    frames::{FrameDomain, KeySet, Kind, PublicTable, col},
    queries::{Query, View},
};
use indistinct_numeric::read_float;
use sqlparser::{
    ast::{Expr as Sql, GroupByExpr, Ident, Query as SqlQuery, Select, SelectItem, SetExpr, Statement, TableWithJoins},
    dialect::GenericDialect,
    parser::{Parser, ParserError},
    tokenizer::{Token, TokenWithSpan, Tokenizer},
};

/// The question asked by a statement.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Question {
    /// The name of the table.
    pub table: String,
    /// The query. With [unknown keys](Self::unknown_keys), it has the statistics beside the deciding count.
    pub query: Query,
    /// The count by unknown keys, if the statement asks for one: for [`Query::count_unknown_keys`].
    pub unknown_keys: Option<UnknownKeys>,
    /// The columns of the answer in the order of `SELECT`, after the keys that it omits, and the rows that `HAVING`,
    /// `ORDER BY` and `LIMIT` choose.
    pub view: View,
}

/// A count by unknown keys.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownKeys {
    /// The columns of the keys.
    pub keys: Vec<String>,
    /// The name of the count.
    pub count: String,
}

/// The maximum number of bytes of a statement.
const MAX_BYTES: usize = 1 << 20;

/// The maximum number of words and signs of a statement.
const MAX_WORDS: usize = 1000;

/// Returns true for the tokens of a list of values.
fn is_listed(token: &Token) -> bool {
    matches!(token, Token::Comma | Token::Whitespace(_) | Token::Number(..) | Token::SingleQuotedString(_))
}

/// Returns an error for a number whose size is beyond all floats or below them, because it would be read as infinity or
/// 0.
fn check_numbers(tokens: &[TokenWithSpan]) -> Result<(), Error> {
    tokens.iter().try_for_each(|token| match &token.token {
        Token::Number(text, _) if read_float(text).is_none() => {
            Err(Error::at(token, format!("{text} is not a 64-bit float: it is too large or too close to 0")))
        }
        _ => Ok(()),
    })
}

/// Returns the question of a statement about one of the private tables, each given with its base query, and about
/// public tables.
///
/// # Errors
///
/// Returns an error with a position if the statement is outside the subset, if a table or a column is unknown, if a
/// value has no bounds, or if unknown keys cannot be counted.
pub fn question(
    sql: &str,
    tables: &[(&str, Query)],
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
        return Err(Error::somewhere("the statement has more than 1000 words and signs, not counting values of lists"));
    }
    check_numbers(&tokens)?;
    let words = Words::of(&tokens);
    let statements = Parser::new(&dialect).with_tokens_with_locations(tokens).parse_statements();
    let mut statements = statements.map_err(|error| words.quoted(Error::of_parser(error), tables))?;
    let (Some(statement), true) = (statements.pop(), statements.is_empty()) else {
        return Err(Error::somewhere("there must be one statement"));
    };
    let Statement::Query(statement) = &statement else {
        return Err(Error::at(&statement, "a private query must be a SELECT"));
    };
    let select = select(statement)?;
    let from = from(select)?;
    let Table { name, alias } = named(&from.relation)?;
    let base = tables.iter().find(|(table, _)| *table == name).map(|(_, query)| query.clone());
    let base = base.ok_or_else(|| Error::at(from, no_table(&name, tables, public(&name).is_some())))?;
    let domain = base.domain().clone();
    let mut names =
        Names { table: alias.as_deref().unwrap_or(&name), domain: &domain, joined: Vec::new(), outputs: &[] };
    let (joined, matched) = joined(&names, &from.joins, public)?;
    names.joined = joined;
    let base = matched.into_iter().fold(base, Query::filter);
    let mut query = match &select.selection {
        Some(condition) => base.filter(names.condition(condition)?),
        None => base,
    };

    let outputs: Vec<(&Sql, Option<&Ident>)> = select.projection.iter().map(output).collect::<Result<_, _>>()?;
    let groups = groups(select, &outputs, &domain)?;
    let is_group = |sql: &Sql| groups.iter().any(|group| is_same(group, sql));
    let aggregates: Vec<_> = outputs.iter().filter(|(sql, _)| !is_group(sql)).collect();
    if aggregates.is_empty() {
        return Err(Error::at(
            select,
            "the statement releases nothing: ask for a count, an average or another aggregate",
        ));
    }

    let (mut key_names, mut columns, mut unknown_keys, mut released) = (Vec::new(), Vec::new(), None, Vec::new());
    for group in &groups {
        let selected: Vec<_> = outputs.iter().filter(|(sql, _)| is_same(sql, group)).collect();
        if selected.len() > 1 {
            return Err(Error::at(*group, format!("{group} occurs twice in SELECT")));
        }
        let alias = selected.first().and_then(|(_, alias)| *alias);
        let (name, value) = (key_name(group, alias), names.expression(group)?);
        if key_names.contains(&name) {
            return Err(Error::at(*group, format!("two keys are named {name:?}: rename one with AS")));
        }
        if value != col(&name) {
            if domain.column(&name).is_ok() {
                return Err(Error::at(*group, format!("{name:?} is a column: rename the key with AS")));
            }
            query = query.with_column(name.clone(), value.clone());
        }
        match names.keys(group, select.selection.as_ref())? {
            Some(keys) => columns.push((name.clone(), keys)),
            None => unknown_keys = unknown_keys.or(Some(*group)),
        }
        released.push(Output { sql: group, name: name.clone(), kind: names.described(group, &value)?.kind() });
        key_names.push(name);
    }
    let is_key = |sql: &Sql| groups.iter().position(|group| is_same(group, sql)).and_then(|at| key_names.get(at));
    let shown = |(sql, alias): &(&Sql, Option<&Ident>)| match (is_key(sql), alias) {
        (Some(key), _) => key.clone(),
        (None, Some(alias)) => alias.value.clone(),
        (None, None) => sql.to_string(),
    };
    let selected: Vec<String> = outputs.iter().map(shown).collect();
    let left_out = key_names.iter().filter(|key| !selected.contains(key)).cloned();
    let names_in_order: Vec<String> = left_out.chain(selected.iter().cloned()).collect();
    let is_twice = |name: &&(usize, &String)| selected.iter().take(name.0).any(|other| other == name.1);
    if let Some((_, name)) = selected.iter().enumerate().collect::<Vec<_>>().iter().find(is_twice) {
        return Err(Error::at(select, format!("two columns are named {name:?}: rename one with AS")));
    }
    released.extend(aggregates.iter().map(|output| Output { sql: output.0, name: shown(output), kind: Kind::Float }));
    let view = view(statement, select, &released, names_in_order)?;
    if let Some(group) = unknown_keys {
        let wanted = if domain.individuals().is_some() { Counted::Individuals } else { Counted::Rows };
        let deciding = aggregates.iter().position(|(sql, _)| names.counted(sql) == Some(wanted));
        let Some(deciding) = deciding else {
            let count = match domain.individuals() {
                Some(individual) => format!("COUNT(DISTINCT {individual})"),
                None => "COUNT(*)".into(),
            };
            let rule = format!("nothing lists the keys: {}", names.way_to_list(group)?);
            // Keys of floats are not found: no two rows may have the same.
            let way = match names.described(group, &names.expression(group)?)?.kind() {
                Kind::Float => String::new(),
                _ => format!("; or select {count}, which decides which keys are shown, and spend a delta"),
            };
            return Err(Error::at(group, format!("{group}: {rule}{way}")));
        };
        for (place, output) in aggregates.iter().enumerate() {
            if place != deciding {
                query = names.aggregate(query, output.0)?.alias(shown(output));
            }
        }
        let count = aggregates.get(deciding).map(|output| shown(output)).unwrap_or_default();
        let unknown_keys = Some(UnknownKeys { keys: key_names, count });
        return Ok(Question { table: name, query, unknown_keys, view });
    }
    if !groups.is_empty() {
        let keys = KeySet::product(columns).map_err(|error| Error::at(select, error.to_string()))?;
        query = query.group_by(keys);
    }
    for output in aggregates {
        query = names.aggregate(query, output.0)?.alias(shown(output));
    }
    Ok(Question { table: name, query, unknown_keys: None, view })
}

/// Returns the error for a table that is not found.
fn no_table(name: &str, tables: &[(&str, Query)], is_public: bool) -> String {
    let known: Vec<&str> = tables.iter().map(|(table, _)| *table).collect();
    let known = known.join(", ");
    match is_public {
        true => format!("{name:?} is a public table, but FROM must name a private one: {known}"),
        false => format!("there is no table {name:?}; the tables are: {known}"),
    }
}

/// Returns the only SELECT, if there is nothing else.
fn select(query: &SqlQuery) -> Result<&Select, Error> {
    let beside = |what: &str| format!("{what} is not supported in a private query");
    if let Some(with) = &query.with {
        return Err(Error::at(with, beside("WITH")));
    }
    let SetExpr::Select(select) = query.body.as_ref() else {
        return Err(Error::at(query, "a private query must be one SELECT"));
    };
    if select.distinct.is_some() {
        return Err(Error::at(select.as_ref(), beside("SELECT DISTINCT")));
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
    shown += &select.having.as_ref().map(|having| format!(" HAVING {having}")).unwrap_or_default();
    shown += &query.order_by.as_ref().map(|order| format!(" {order}")).unwrap_or_default();
    shown += &query.limit_clause.as_ref().map(ToString::to_string).unwrap_or_default();
    if query.to_string() != shown {
        let rule = "a private query may have only SELECT, FROM, WHERE, GROUP BY, HAVING, ORDER BY and LIMIT";
        return Err(Error::at(select.as_ref(), rule));
    }
    Ok(select)
}

/// Returns the only private table, with the tables joined to it.
fn from(select: &Select) -> Result<&TableWithJoins, Error> {
    match select.from.as_slice() {
        [from] => Ok(from),
        _ => Err(Error::at(select, "a private query must have exactly one private table")),
    }
}

/// Returns the expressions of GROUP BY. A name from `AS`, or the number of a column, is not accepted.
fn groups<'a>(
    select: &'a Select,
    outputs: &[(&Sql, Option<&Ident>)],
    domain: &FrameDomain,
) -> Result<Vec<&'a Sql>, Error> {
    let GroupByExpr::Expressions(groups, _) = &select.group_by else {
        return Err(Error::at(select, "GROUP BY must name its columns"));
    };
    for group in groups {
        let meant = match group {
            Sql::Value(constant) => {
                let place = constant.to_string().parse::<usize>().ok().and_then(|place| place.checked_sub(1));
                let output = place.and_then(|place| outputs.get(place));
                Some(output.map(|(sql, _)| *sql))
            }
            Sql::Identifier(name) if domain.column(&name.value).is_err() => {
                let is_alias = |alias: &Ident| alias.value == name.value;
                let output = outputs.iter().find(|(_, alias)| alias.is_some_and(is_alias));
                output.map(|(sql, _)| Some(*sql))
            }
            _ => None,
        };
        if let Some(sql) = meant {
            let rule = sql.map(|sql| format!(": repeat the expression: GROUP BY {sql}")).unwrap_or_default();
            return Err(Error::at(group, format!("GROUP BY must name columns of the table, not {group}{rule}")));
        }
    }
    Ok(groups.iter().collect())
}

fn output(item: &SelectItem) -> Result<(&Sql, Option<&Ident>), Error> {
    match item {
        SelectItem::UnnamedExpr(sql) => Ok((sql, None)),
        SelectItem::ExprWithAlias { expr, alias } => Ok((expr, Some(alias))),
        other => {
            let rule = "would release rows: ask for a count, an average or another aggregate";
            Err(Error::at(other, format!("{other} {rule}")))
        }
    }
}

/// Returns the name of a key's column.
fn key_name(group: &Sql, alias: Option<&Ident>) -> String {
    match (group, alias) {
        (_, Some(alias)) => alias.value.clone(),
        (Sql::Identifier(name), _) => name.value.clone(),
        (Sql::CompoundIdentifier(names), _) => names.last().map(|name| name.value.clone()).unwrap_or_default(),
        (Sql::Nested(inner), None) => key_name(inner, None),
        (other, None) => other.to_string(),
    }
}
