//! Functions that build expressions.

use super::{
    super::{ColumnDomain, cell::Cell},
    Binary, Expr, Form, Unary,
    table::Table,
};
use std::{
    ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub},
    sync::Arc,
};

/// Returns the cell of the column of this name.
pub fn col(name: &str) -> Expr {
    Expr::new(Form::Column(name.to_owned()))
}

/// Returns a constant.
pub fn lit(value: impl Into<Cell>) -> Expr {
    Expr::new(Form::Literal(value.into().canonical()))
}

/// Returns the first value if the condition is true, and the second value if it is false or missing.
pub fn when(condition: impl Into<Expr>, then: impl Into<Expr>, otherwise: impl Into<Expr>) -> Expr {
    Expr::new(Form::When(condition.into(), then.into(), otherwise.into()))
}

impl<T: Into<Cell>> From<T> for Expr {
    fn from(value: T) -> Self {
        lit(value)
    }
}

impl Expr {
    fn unary(self, operation: Unary) -> Self {
        Self::new(Form::Unary(operation, self))
    }

    fn binary(self, operation: Binary, other: impl Into<Expr>) -> Self {
        Self::new(Form::Binary(operation, self, other.into()))
    }

    /// Returns true if the value is missing.
    pub fn is_null(self) -> Self {
        self.unary(Unary::IsMissing)
    }

    /// Returns the number of characters of a text.
    pub fn length(self) -> Self {
        self.unary(Unary::Length)
    }

    /// Returns the year of a date or time.
    pub fn year(self) -> Self {
        self.unary(Unary::Year)
    }

    /// Returns the month of a date or time, from 1 to 12.
    pub fn month(self) -> Self {
        self.unary(Unary::Month)
    }

    /// Returns the day of the month of a date or time, from 1 to 31.
    pub fn day(self) -> Self {
        self.unary(Unary::Day)
    }

    /// Returns the day of the week of a date or time, from 1 for Monday to 7.
    pub fn weekday(self) -> Self {
        self.unary(Unary::Weekday)
    }

    /// Returns the hour of a time, from 0 to 23.
    pub fn hour(self) -> Self {
        self.unary(Unary::Hour)
    }

    /// Returns the day of a time.
    pub fn date(self) -> Self {
        self.unary(Unary::Date)
    }

    /// Returns true if two values are equal.
    pub fn eq(self, other: impl Into<Expr>) -> Self {
        self.binary(Binary::Equal, other)
    }

    /// Returns true if two values differ.
    pub fn ne(self, other: impl Into<Expr>) -> Self {
        self.binary(Binary::NotEqual, other)
    }

    /// Returns true if the first value is below the second.
    pub fn lt(self, other: impl Into<Expr>) -> Self {
        self.binary(Binary::Less, other)
    }

    /// Returns true if the first value is at most the second.
    pub fn le(self, other: impl Into<Expr>) -> Self {
        self.binary(Binary::LessOrEqual, other)
    }

    /// Returns true if the first value is above the second.
    pub fn gt(self, other: impl Into<Expr>) -> Self {
        self.binary(Binary::Greater, other)
    }

    /// Returns true if the first value is at least the second.
    pub fn ge(self, other: impl Into<Expr>) -> Self {
        self.binary(Binary::GreaterOrEqual, other)
    }

    /// Returns the smaller of two numbers, or the earlier of two dates or times.
    pub fn min(self, other: impl Into<Expr>) -> Self {
        self.binary(Binary::Min, other)
    }

    /// Returns the larger of two numbers, or the later of two dates or times.
    pub fn max(self, other: impl Into<Expr>) -> Self {
        self.binary(Binary::Max, other)
    }

    /// Returns the value, or the other value if it is missing.
    pub fn fill_null(self, other: impl Into<Expr>) -> Self {
        self.binary(Binary::Fill, other)
    }

    /// Limits a number to bounds: a number below the lower bound becomes the lower bound, and a number above the upper
    /// bound becomes the upper bound. Choose the bounds without looking at the data.
    pub fn clamp(self, lower: impl Into<Cell>, upper: impl Into<Cell>) -> Self {
        lit(lower).max(lit(upper).min(self))
    }

    /// Returns the text, if the expression is a literal text.
    #[cfg(feature = "plans")]
    pub(crate) fn as_text(&self) -> Option<&str> {
        if let Form::Literal(Cell::Text(text)) = &*self.form { Some(text) } else { None }
    }

    /// Returns the operand of a [clamp](Self::clamp), which is missing exactly where the clamped value is. Without a
    /// clamp, returns this expression.
    #[cfg(feature = "plans")]
    pub(crate) fn unclamped(&self) -> &Self {
        match &*self.form {
            Form::Binary(Binary::Min | Binary::Max, one, other) => match (&*one.form, &*other.form) {
                (Form::Literal(bound), _) if !bound.is_null() => other.unclamped(),
                (_, Form::Literal(bound)) if !bound.is_null() => one.unclamped(),
                _ => self,
            },
            _ => self,
        }
    }

    /// Converts the value to another type, within this domain. The result is missing if the domain has no such value.
    pub fn cast(self, domain: ColumnDomain) -> Self {
        Self::new(Form::Cast(self, domain))
    }

    /// Returns the number of these ascending edges that are at or below a number: n edges make n + 1 bins, from 0 to n.
    pub fn cut(self, edges: impl IntoIterator<Item = f64>) -> Self {
        Self::new(Form::Bins(self, edges.into_iter().map(|edge| Cell::Float(edge).canonical()).collect()))
    }

    /// Returns true if the value is one of these.
    pub fn is_in(self, values: impl IntoIterator<Item: Into<Cell>>) -> Self {
        let rows = values.into_iter().map(|value| (vec![value.into()], Cell::Bool(true))).collect();
        let missing = self.clone().is_null();
        // A missing value is not known to be another.
        let found = Self::new(Form::Lookup(vec![self], Arc::new(Table::new(rows, Cell::Bool(false)))));
        when(missing, Cell::Missing, found)
    }

    /// Replaces the value with its entry in a public table of pairs. Values and entries may be missing. A value without
    /// an entry becomes missing.
    pub fn replace(self, table: impl IntoIterator<Item = (impl Into<Cell>, impl Into<Cell>)>) -> Self {
        let rows = table.into_iter().map(|(from, to)| (vec![from.into()], to.into())).collect();
        Self::new(Form::Lookup(vec![self], Arc::new(Table::new(rows, Cell::Missing))))
    }
}

/// Looks up several values in a public table. A row of the table has one cell for each of `keys`, and a value. The
/// result is missing if the table has no such row.
///
/// This is a join with a public table in which each key occurs once.
pub fn lookup(
    keys: impl IntoIterator<Item = Expr>,
    table: impl IntoIterator<Item = (Vec<Cell>, impl Into<Cell>)>,
) -> Expr {
    let rows = table.into_iter().map(|(key, value)| (key, value.into())).collect();
    Expr::new(Form::Lookup(keys.into_iter().collect(), Arc::new(Table::new(rows, Cell::Missing))))
}

/// Combines several values of a row into a text, such as `("Bern", 3)`. Different values have different texts, so the
/// rows of a table can be counted by several columns with unknown values, with
/// [`make_count_by`](crate::transformations::make_count_by).
///
/// The values may be integers, Booleans, texts, categories, dates and times; cut floats into bins first. A missing
/// value is a valid part of a key. A value that cannot be cast to text, such as a day beyond the calendar, counts as
/// missing. A text of more than 65,536 bytes counts as missing, so that keys of keys from one row cannot exhaust the
/// memory.
///
/// ```
/// use indistinct::frames::{Cell, col, read_text_key, text_key};
/// let key = text_key([col("city"), col("ward")]);
/// assert_eq!(key.to_string(), "text_key(city, ward)");
/// assert_eq!(read_text_key(r#"("Bern", 3)"#)?, [Cell::from("Bern"), Cell::from(3)]);
/// # Ok::<(), indistinct::core::Error>(())
/// ```
pub fn text_key(parts: impl IntoIterator<Item = Expr>) -> Expr {
    Expr::new(Form::TextKey(parts.into_iter().collect()))
}

macro_rules! operators {
    ($($operator:ident $method:ident $operation:ident),+ $(,)?) => {$(
        impl<T: Into<Expr>> $operator<T> for Expr {
            type Output = Expr;

            fn $method(self, other: T) -> Expr {
                self.binary(Binary::$operation, other)
            }
        }
    )+};
}

operators!(Add add Add, Sub sub Subtract, Mul mul Multiply, Div div Divide, BitAnd bitand And, BitOr bitor Or);

macro_rules! operators_on_numbers {
    ($($number:ty),+) => {$(
        impl Add<Expr> for $number {
            type Output = Expr;

            fn add(self, other: Expr) -> Expr {
                lit(self) + other
            }
        }

        impl Sub<Expr> for $number {
            type Output = Expr;

            fn sub(self, other: Expr) -> Expr {
                lit(self) - other
            }
        }

        impl Mul<Expr> for $number {
            type Output = Expr;

            fn mul(self, other: Expr) -> Expr {
                lit(self) * other
            }
        }

        impl Div<Expr> for $number {
            type Output = Expr;

            fn div(self, other: Expr) -> Expr {
                lit(self) / other
            }
        }
    )+};
}

operators_on_numbers!(f64, i64, i32);

impl Neg for Expr {
    type Output = Expr;

    fn neg(self) -> Expr {
        self.unary(Unary::Negative)
    }
}

impl Not for Expr {
    type Output = Expr;

    fn not(self) -> Expr {
        self.unary(Unary::Not)
    }
}
