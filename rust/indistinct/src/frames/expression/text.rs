//! The text form of expressions.

use super::{Binary, Expr, Form, Unary, table::Table};
use crate::frames::{Cell, tokens::BEFORE_VALUES};
use std::fmt::{self, Display, Formatter};

/// The binding strength of an operation; parts that bind less strongly are written in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Negative,
    Whole,
}

impl Level {
    /// Returns the next stronger level.
    pub(super) fn above(self) -> Self {
        match self {
            Level::Or => Level::And,
            Level::And => Level::Not,
            Level::Not => Level::Comparison,
            Level::Comparison => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product => Level::Negative,
            Level::Negative | Level::Whole => Level::Whole,
        }
    }
}

impl Binary {
    /// Returns the level of an operator, or `None` for an expression written as a function.
    pub(super) fn level(self) -> Option<Level> {
        match self {
            Binary::Or => Some(Level::Or),
            Binary::And => Some(Level::And),
            Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessOrEqual
            | Binary::Greater
            | Binary::GreaterOrEqual => Some(Level::Comparison),
            Binary::Add | Binary::Subtract => Some(Level::Sum),
            Binary::Multiply | Binary::Divide => Some(Level::Product),
            Binary::Min | Binary::Max | Binary::Fill => None,
        }
    }
}

/// Words that are values.
const VALUES: [&str; 5] = ["true", "false", "missing", "inf", "NaN"];

/// Returns true if a name needs no quotes: it is a word, and not a reserved one.
pub(super) fn is_plain(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        && !BEFORE_VALUES.contains(&name)
        && !VALUES.contains(&name)
}

fn level(expression: &Expr) -> Level {
    match &*expression.form {
        Form::Binary(operation, ..) => operation.level().unwrap_or(Level::Whole),
        Form::Unary(Unary::Not, _) => Level::Not,
        Form::Unary(Unary::Negative, _) => Level::Negative,
        _ => Level::Whole,
    }
}

/// Writes the text that [`str::parse`] reads. Only the first rows of a long table are written; `{:#}` writes all rows.
impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_at(self, Level::Or, f)
    }
}

/// Writes an expression, in parentheses if it binds less strongly than `least`.
fn write_at(expression: &Expr, least: Level, f: &mut Formatter<'_>) -> fmt::Result {
    if level(expression) >= least {
        return write_form(expression, f);
    }
    f.write_str("(")?;
    write_form(expression, f)?;
    f.write_str(")")
}

fn write_form(expression: &Expr, f: &mut Formatter<'_>) -> fmt::Result {
    match &*expression.form {
        Form::Column(name) if is_plain(name) => f.write_str(name),
        Form::Column(name) => write!(f, "col({name:?})"),
        Form::Literal(cell) => write!(f, "{cell}"),
        Form::Unary(Unary::Not, part) => {
            f.write_str("not ")?;
            write_at(part, Level::Not, f)
        }
        // `-1` is a number, and `-(1)` the negative of one.
        Form::Unary(Unary::Negative, part) if matches!(&*part.form, Form::Literal(_)) => {
            f.write_str("-(")?;
            write_form(part, f)?;
            f.write_str(")")
        }
        Form::Unary(Unary::Negative, part) => {
            f.write_str("-")?;
            write_at(part, Level::Negative, f)
        }
        Form::Unary(operation, part) => write_call(operation.symbol(), &[part], f),
        Form::Binary(operation, left, right) => match operation.level() {
            None => write_call(operation.symbol(), &[left, right], f),
            Some(level) => {
                // A comparison of a comparison stands in parentheses on both sides.
                let of_left = if level == Level::Comparison { level.above() } else { level };
                write_at(left, of_left, f)?;
                write!(f, " {} ", operation.symbol())?;
                write_at(right, level.above(), f)
            }
        },
        Form::When(condition, left, right) => write_call("when", &[condition, left, right], f),
        Form::Cast(part, domain) => {
            f.write_str("cast(")?;
            part.fmt(f)?;
            write!(f, ", {domain:?})")
        }
        Form::Bins(part, edges) => {
            f.write_str("cut(")?;
            part.fmt(f)?;
            write!(f, ", [{}])", list(edges))
        }
        Form::Lookup(keys, table) => {
            f.write_str("lookup(")?;
            write_call("", &keys.iter().collect::<Vec<_>>(), f)?;
            f.write_str(", ")?;
            write_table(table, f)?;
            f.write_str(")")
        }
        Form::TextKey(parts) => write_call("text_key", &parts.iter().collect::<Vec<_>>(), f),
        Form::TooLarge => f.write_str("too large"),
    }
}

fn write_call(name: &str, parts: &[&Expr], f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, "{name}(")?;
    for (part, at) in parts.iter().zip(0..) {
        f.write_str(if at == 0 { "" } else { ", " })?;
        part.fmt(f)?;
    }
    f.write_str(")")
}

/// Returns cells separated by commas.
pub(super) fn list(cells: &[Cell]) -> String {
    cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(", ")
}

/// The maximum number of rows of a table that are printed, except with `{:#}`.
const PRINTED: usize = 4;

fn write_table(table: &Table, f: &mut Formatter<'_>) -> fmt::Result {
    let printed = if f.alternate() { usize::MAX } else { PRINTED };
    f.write_str("{")?;
    for (key, value) in table.rows.iter().take(printed) {
        write!(f, "({}): {value}, ", list(key))?;
    }
    match table.rows.len().saturating_sub(printed) {
        0 => {}
        more => write!(f, "and {more} more, ")?,
    }
    write!(f, "else {}}}", table.otherwise)
}
