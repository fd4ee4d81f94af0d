//! Expressions over the cells of a row.

mod build;
mod calendar;
mod check;
mod convert;
mod evaluate;
mod evaluated;
mod kernels;
mod key_set;
mod keys;
mod parse;
mod plan;
mod table;
mod text;

pub use build::{col, lit, lookup, text_key, when};
pub use calendar::{date_from_text, time_from_text};
pub(super) use check::{Checked, check, check_alike};
pub use key_set::KeySet;
pub(super) use parse::call;
pub use parse::read_text_key;

use super::cell::Cell;
use crate::core::Error;
use std::{fmt, sync::Arc};
use table::Table;

/// A value computed from the cells of one row, for every row. It may be missing.
///
/// Expressions are total: they have a value or are missing for every possible row, and do not depend on other rows. So
/// a step that computes them has stability 1.
///
/// | expression | value | missing (also if a part is missing) |
/// |---|---|---|
/// | [`col`]`("age")` | the cell of a column | if the cell is missing |
/// | [`lit`]`(1.5)`, any number, Boolean or text | a constant | |
/// | `a + b`, `a - b`, `a * b` | an integer for integers, otherwise the nearest float | if it exceeds 64 bits or is not finite |
/// | `-a` | the negative | if it exceeds 64 bits |
/// | `a - b` of dates or times | days or microseconds | |
/// | `a + 3`, `a - 3` of a date | the day that many days later or earlier | |
/// | `a / b` | the float nearest to the quotient of two floats | if it is not finite, such as after division by 0 |
/// | `a.eq(b)`, `ne`, `lt`, `le`, `gt`, `ge` | a comparison of numbers, texts (by their bytes), dates or times; for categories and Booleans only `eq` and `ne` | |
/// | `a & b`, <code>a &#124; b</code>, `!a` | and, or, not | if the present parts do not decide |
/// | `a.is_null()` | true if a is missing | never |
/// | `a.fill_null(b)` | a, or b if a is missing | if both are missing |
/// | [`when`]`(condition, a, b)` | a if the condition is true, b if it is false or missing | if the chosen value is missing |
/// | `a.min(b)`, `a.max(b)`, `a.clamp(lower, upper)` | the smaller, the larger, the value limited to bounds | |
/// | `a.cast(domain)` | the value as another type, like [`make_cast`](crate::transformations::make_cast) | if the domain has no such value |
/// | `a.cut([0.0, 10.0])` | the number of edges at or below a: 0, 1 or 2 | |
/// | `a.is_in(["x", "y"])` | true if a is in the list | |
/// | `a.replace([("x", 1), ("y", 2)])` | the entry of a public table | if the table has no entry |
/// | [`KeySet::position`] | the row's position in a list of keys of several columns | never |
/// | [`text_key`]`([a, b])` | a text of several values, which [`read_text_key`] parses; dates, times and categories are cast to text | never |
/// | `a.year()`, `month()`, `day()`, `weekday()`, `hour()` | a part of a date or time; Monday is 1 | before the year -262143 or after 262142 |
/// | `a.date()` | the day of a time | |
/// | `a.length()` | the number of characters of a text | |
///
/// Integers combined with floats are converted to the nearest floats. A text combined with a column of categories is a
/// label. An expression that is not valid for the columns, such as one with an unknown column or a number added to a
/// text, is an error when the step is built.
///
/// The printed text of an expression can be [read back](#impl-FromStr-for-Expr); `{:#}` prints all rows of its tables.
/// Two expressions are equal if and only if these texts are equal.
///
/// ```
/// use indistinct::frames::{Expr, col, lit, when};
/// let adult = col("age").ge(18) & col("city").ne("Bern");
/// assert_eq!(adult.to_string(), r#"age >= 18 and city != "Bern""#);
/// assert_eq!(r#"age >= 18 and city != "Bern""#.parse::<Expr>()?, adult);
/// let wage = when(col("hours").gt(0), col("pay") / col("hours"), lit(0.0)).fill_null(0.0).clamp(0.0, 200.0);
/// assert!(wage.to_string().starts_with("max(0.0, min(200.0, "));
/// # Ok::<(), indistinct::core::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Expr {
    form: Arc<Form>,
    depth: usize,
    size: usize,
}

/// The maximum nesting depth.
const MAX_DEPTH: usize = 100;
/// The maximum number of parts, each counted as often as it takes part.
const MAX_SIZE: usize = 1 << 12;
/// The maximum number of bytes of a text value, because it may be repeated for each row of a table.
const MAX_TEXT: usize = 1 << 12;

#[derive(PartialEq)]
enum Form {
    Column(String),
    Literal(Cell),
    Unary(Unary, Expr),
    Binary(Binary, Expr, Expr),
    /// A condition, and two values.
    When(Expr, Expr, Expr),
    Cast(Expr, super::ColumnDomain),
    /// The edges are floats, or missing.
    Bins(Expr, Vec<Cell>),
    Lookup(Vec<Expr>, Arc<Table>),
    TextKey(Vec<Expr>),
    /// Replaces an expression above the limits of size, whose parts are dropped.
    TooLarge,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unary {
    Negative,
    Not,
    IsMissing,
    Year,
    Month,
    Day,
    Weekday,
    Hour,
    Date,
    Length,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    And,
    Or,
    Min,
    Max,
    Fill,
}

/// Returns the error for an expression above these limits.
fn too_large() -> Error {
    let rule = format!(
        "must have at most {MAX_SIZE} parts, nested at most {MAX_DEPTH} deep, and no text value of more than \
         {MAX_TEXT} bytes"
    );
    Error::parameter("expression", rule)
}

impl Expr {
    fn new(form: Form) -> Self {
        let parts: &[&Expr] = match &form {
            Form::Column(_) | Form::Literal(_) | Form::TooLarge => &[],
            Form::Unary(_, part) | Form::Cast(part, _) | Form::Bins(part, _) => &[part],
            Form::Binary(_, left, right) => &[left, right],
            Form::When(condition, left, right) => &[condition, left, right],
            Form::Lookup(keys, _) | Form::TextKey(keys) => &keys.iter().collect::<Vec<_>>(),
        };
        let depth = parts.iter().map(|part| part.depth).max().map_or(0, |depth| depth + 1);
        let size = parts.iter().fold(1usize, |size, part| size.saturating_add(part.size));
        let is_long = |cell: &Cell| matches!(cell, Cell::Text(text) if text.len() > MAX_TEXT);
        let has_long = match &form {
            Form::Literal(cell) => is_long(cell),
            Form::Lookup(_, table) => is_long(&table.otherwise) || table.rows.iter().any(|(_, value)| is_long(value)),
            _ => false,
        };
        let has_large = parts.iter().any(|part| *part.form == Form::TooLarge);
        let is_large = has_long || has_large || depth > MAX_DEPTH || size > MAX_SIZE;
        let form = if is_large { Form::TooLarge } else { form };
        Self { form: Arc::new(form), depth: if is_large { 0 } else { depth }, size: if is_large { 1 } else { size } }
    }

    /// Returns the nesting depth of the operations.
    #[cfg(test)]
    pub(super) fn depth(&self) -> usize {
        self.depth
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expr({self})")
    }
}

impl Unary {
    const FUNCTIONS: [Self; 8] = [
        Unary::IsMissing,
        Unary::Year,
        Unary::Month,
        Unary::Day,
        Unary::Weekday,
        Unary::Hour,
        Unary::Date,
        Unary::Length,
    ];

    fn symbol(self) -> &'static str {
        match self {
            Unary::Negative => "-",
            Unary::Not => "not",
            Unary::IsMissing => "is_null",
            Unary::Year => "year",
            Unary::Month => "month",
            Unary::Day => "day",
            Unary::Weekday => "weekday",
            Unary::Hour => "hour",
            Unary::Date => "date",
            Unary::Length => "length",
        }
    }
}

impl Binary {
    const ALL: [Self; 15] = [
        Binary::Add,
        Binary::Subtract,
        Binary::Multiply,
        Binary::Divide,
        Binary::Equal,
        Binary::NotEqual,
        Binary::Less,
        Binary::LessOrEqual,
        Binary::Greater,
        Binary::GreaterOrEqual,
        Binary::And,
        Binary::Or,
        Binary::Min,
        Binary::Max,
        Binary::Fill,
    ];

    fn symbol(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::Equal => "==",
            Binary::NotEqual => "!=",
            Binary::Less => "<",
            Binary::LessOrEqual => "<=",
            Binary::Greater => ">",
            Binary::GreaterOrEqual => ">=",
            Binary::And => "and",
            Binary::Or => "or",
            Binary::Min => "min",
            Binary::Max => "max",
            Binary::Fill => "fill_null",
        }
    }
}
