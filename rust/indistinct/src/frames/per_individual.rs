//! Values computed from all rows of an individual.

use super::{
    batch::Batch,
    cell::{Cell, Kind},
    column::Column,
    domain::{ColumnDomain, FrameDomain},
    expression::{self, Expr, check},
};
use crate::core::{Error, Fallible, Parameter, ToParameter};
use indistinct_numeric::ExactSum;
use std::{cmp::Ordering, fmt, str::FromStr, sync::Arc};

/// A value computed from all rows of one individual, independent of their order.
///
/// | aggregate | value | missing |
/// |---|---|---|
/// | [`count`](PerIndividual::count) | the number of rows | never |
/// | [`sum`](PerIndividual::sum) | the exact sum of integers, or for floats the float nearest to the exact sum | if no row has a number, or if the sum exceeds 64 bits or is not finite |
/// | [`min`](PerIndividual::min), [`max`](PerIndividual::max) | the smallest, the largest value | if no row has a value |
/// | [`any`](PerIndividual::any), [`all`](PerIndividual::all) | true if a condition is true in any row, in all rows | if rows with a missing condition decide |
/// | [`distinct`](PerIndividual::distinct) | the number of distinct values | never |
/// | [`first`](PerIndividual::first), [`last`](PerIndividual::last) | the value in the row where another value is smallest, largest; among several such rows, the smallest value | if the value is missing in that row, or the other value is missing in all rows |
///
/// Rows in which a value is missing are ignored.
#[derive(Debug, Clone, PartialEq)]
pub struct PerIndividual(Form);

#[derive(Debug, Clone, PartialEq)]
enum Form {
    Count,
    Distinct(Expr),
    Sum(Expr),
    Min(Expr),
    Max(Expr),
    Any(Expr),
    All(Expr),
    First(Expr, Expr),
    Last(Expr, Expr),
}

macro_rules! of_one_expression {
    ($($(#[$doc:meta])* $name:ident $form:ident),+ $(,)?) => {$(
        $(#[$doc])*
        pub fn $name(value: Expr) -> Self {
            Self(Form::$form(value))
        }
    )+};
}

impl PerIndividual {
    /// Returns the number of rows.
    pub fn count() -> Self {
        Self(Form::Count)
    }

    of_one_expression! {
        /// Returns the number of distinct values.
        distinct Distinct,
        /// Returns the sum of numbers.
        sum Sum,
        /// Returns the smallest value.
        min Min,
        /// Returns the largest value.
        max Max,
        /// Returns true if a condition is true in any row.
        any Any,
        /// Returns true if a condition is true in every row.
        all All,
    }

    /// Returns `value` in the row where `by` is smallest, such as the first visit.
    pub fn first(value: Expr, by: Expr) -> Self {
        Self(Form::First(value, by))
    }

    /// Returns `value` in the row where `by` is largest, such as the last visit.
    pub fn last(value: Expr, by: Expr) -> Self {
        Self(Form::Last(value, by))
    }

    fn name(&self) -> &'static str {
        match &self.0 {
            Form::Count => "count",
            Form::Distinct(_) => "distinct",
            Form::Sum(_) => "sum",
            Form::Min(_) => "min",
            Form::Max(_) => "max",
            Form::Any(_) => "any",
            Form::All(_) => "all",
            Form::First(..) => "first",
            Form::Last(..) => "last",
        }
    }

    fn parts(&self) -> Vec<&Expr> {
        match &self.0 {
            Form::Count => vec![],
            Form::Distinct(value)
            | Form::Sum(value)
            | Form::Min(value)
            | Form::Max(value)
            | Form::Any(value)
            | Form::All(value) => vec![value],
            Form::First(value, by) | Form::Last(value, by) => vec![value, by],
        }
    }
}

impl ToParameter for PerIndividual {
    fn to_parameter(&self) -> Parameter {
        Parameter::Text(format!("{self:#}"))
    }
}

/// Writes a call: `sum(visits)`, `first(ward, day)`.
impl fmt::Display for PerIndividual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name())?;
        for (part, place) in self.parts().into_iter().zip(0..) {
            f.write_str(if place == 0 { "" } else { ", " })?;
            part.fmt(f)?;
        }
        f.write_str(")")
    }
}

/// Parses the text that [`Display`](fmt::Display) writes.
///
/// ```
/// use indistinct::frames::{PerIndividual, col};
/// let total: PerIndividual = "sum(pay * hours)".parse()?;
/// assert_eq!(total, PerIndividual::sum(col("pay") * col("hours")));
/// # Ok::<(), indistinct::core::Error>(())
/// ```
impl FromStr for PerIndividual {
    type Err = Error;

    fn from_str(text: &str) -> Fallible<Self> {
        let (name, parts) = expression::call(text)?;
        let form = match (name.as_str(), parts.as_slice()) {
            ("count", []) => Form::Count,
            ("distinct", [value]) => Form::Distinct(value.clone()),
            ("sum", [value]) => Form::Sum(value.clone()),
            ("min", [value]) => Form::Min(value.clone()),
            ("max", [value]) => Form::Max(value.clone()),
            ("any", [value]) => Form::Any(value.clone()),
            ("all", [value]) => Form::All(value.clone()),
            ("first", [value, by]) => Form::First(value.clone(), by.clone()),
            ("last", [value, by]) => Form::Last(value.clone(), by.clone()),
            _ => {
                let rule = "must be count(), or distinct, sum, min, max, any or all of one expression, or first or last of two";
                return Err(Error::parameter("columns", rule));
            }
        };
        Ok(Self(form))
    }
}

/// An aggregate that has been checked against a domain.
pub(super) struct Checked {
    of: Of,
    /// The domain of the values.
    pub(super) domain: ColumnDomain,
}

/// Refers to columns that are computed for all rows in advance.
enum Of {
    Count,
    Distinct(Values),
    SumOfFloats(Values),
    SumOfIntegers(Values),
    Extreme(Ordering, Values),
    Any(Values),
    All(Values),
    At(Ordering, Values, Values),
}

type Values = Arc<dyn Fn(&Batch) -> Column + Send + Sync>;

impl Checked {
    /// # Errors
    ///
    /// Returns an error if the expression is not valid for the domain.
    pub(super) fn new(aggregate: &PerIndividual, frames: &FrameDomain) -> Fallible<Self> {
        let values = |expression: &Expr| -> Fallible<(Values, ColumnDomain)> {
            let checked = check(expression, frames)?;
            let domain = checked.domain.clone();
            Ok((Arc::new(move |batch: &Batch| checked.column(batch)), domain))
        };
        let takes = |what: &str, found: &ColumnDomain| {
            let rule =
                format!("{} of an individual takes {what}, not a column of type {}", aggregate.name(), found.kind());
            Error::parameter("columns", rule)
        };
        let (of, domain) = match &aggregate.0 {
            Form::Count => (Of::Count, ColumnDomain::integer()),
            Form::Distinct(value) => (Of::Distinct(values(value)?.0), ColumnDomain::integer()),
            Form::Sum(value) => match values(value)? {
                (values, domain) if domain.kind() == Kind::Float => {
                    (Of::SumOfFloats(values), ColumnDomain::float().with_missing())
                }
                (values, domain) if domain.kind() == Kind::Integer => {
                    (Of::SumOfIntegers(values), ColumnDomain::integer().with_missing())
                }
                (_, domain) => return Err(takes("numbers", &domain)),
            },
            Form::Min(value) | Form::Max(value) => {
                let (values, domain) = values(value)?;
                if matches!(domain.kind(), Kind::Category | Kind::Bool) {
                    return Err(takes("values that have an order", &domain));
                }
                let order = if let Form::Min(_) = aggregate.0 { Ordering::Less } else { Ordering::Greater };
                (Of::Extreme(order, values), domain)
            }
            Form::Any(value) | Form::All(value) => {
                let (values, domain) = values(value)?;
                if domain.kind() != Kind::Bool {
                    return Err(takes("Booleans", &domain));
                }
                (if let Form::Any(_) = aggregate.0 { Of::Any(values) } else { Of::All(values) }, domain)
            }
            Form::First(value, by) | Form::Last(value, by) => {
                let ((values, domain), (by, of_by)) = (values(value)?, values(by)?);
                if matches!(of_by.kind(), Kind::Category | Kind::Bool) {
                    return Err(takes("an order by a number, a text, a date or a time", &of_by));
                }
                let order = if let Form::First(..) = aggregate.0 { Ordering::Less } else { Ordering::Greater };
                let domain = if of_by.has_missing() { domain.with_missing() } else { domain };
                (Of::At(order, values, by), domain)
            }
        };
        Ok(Self { of, domain })
    }

    /// Returns the value of each group of rows of the batch.
    pub(super) fn of_groups<'a>(&self, batch: &Batch, groups: impl Iterator<Item = &'a [usize]>) -> Vec<Cell> {
        let integer = |number: usize| Cell::Integer(i64::try_from(number).unwrap_or(i64::MAX));
        match &self.of {
            Of::Count => groups.map(|rows| integer(rows.len())).collect(),
            Of::Distinct(values) => {
                let column = values(batch);
                let distinct = |rows: &[usize]| {
                    let mut present: Vec<usize> =
                        rows.iter().copied().filter(|&row| !column.cell(row).is_null()).collect();
                    present.sort_unstable_by(|&left, &right| column.compare(left, right));
                    present.dedup_by(|left, right| column.compare(*left, *right) == Ordering::Equal);
                    integer(present.len())
                };
                groups.map(distinct).collect()
            }
            Of::SumOfFloats(values) => {
                let column = values(batch);
                groups.map(|rows| sum_of_floats(present(&column, rows))).collect()
            }
            Of::SumOfIntegers(values) => {
                let column = values(batch);
                groups.map(|rows| sum_of_integers(present(&column, rows))).collect()
            }
            Of::Extreme(order, values) => {
                let column = values(batch);
                let extreme = |rows: &[usize]| {
                    let present = rows.iter().copied().filter(|&row| !column.cell(row).is_null());
                    let better = |best: usize, row: usize| if column.compare(row, best) == *order { row } else { best };
                    present.reduce(better).map_or(Cell::Missing, |row| column.cell(row))
                };
                groups.map(extreme).collect()
            }
            Of::Any(values) => {
                let column = values(batch);
                groups.map(|rows| decided(&column, rows, true)).collect()
            }
            Of::All(values) => {
                let column = values(batch);
                groups.map(|rows| decided(&column, rows, false)).collect()
            }
            Of::At(order, values, by) => {
                let (column, by) = (values(batch), by(batch));
                let at = |rows: &[usize]| {
                    let present = rows.iter().copied().filter(|&row| !by.cell(row).is_null());
                    let better = |best: usize, row: usize| match by.compare(row, best) {
                        Ordering::Equal if column.compare(row, best) == Ordering::Less => row,
                        found if found == *order => row,
                        _ => best,
                    };
                    present.reduce(better).map_or(Cell::Missing, |row| column.cell(row))
                };
                groups.map(at).collect()
            }
        }
    }
}

/// Returns the cells of these rows that are not missing.
fn present<'a>(column: &'a Column, rows: &'a [usize]) -> impl Iterator<Item = Cell> + 'a {
    rows.iter().map(|&row| column.cell(row)).filter(|cell| !cell.is_null())
}

/// Returns the exact sum, rounded once; missing if there is nothing to add, or if a value is infinite.
fn sum_of_floats(cells: impl Iterator<Item = Cell>) -> Cell {
    let (mut sum, mut is_empty) = (ExactSum::new(), true);
    for cell in cells {
        is_empty = false;
        if let Cell::Float(value) = cell
            && sum.add(value).is_err()
        {
            return Cell::Missing;
        }
    }
    let total = sum.total().ok().filter(|_| !is_empty).map(|total| total.to_f64());
    total.filter(|total| total.is_finite()).into()
}

/// Returns the sum; missing if there is nothing to add, or if it exceeds 64 bits.
fn sum_of_integers(cells: impl Iterator<Item = Cell>) -> Cell {
    let integer = |cell| if let Cell::Integer(value) = cell { Some(i128::from(value)) } else { None };
    // No memory holds so many numbers that this ends at the bounds of 128 bits.
    let sum = cells.filter_map(integer).reduce(i128::saturating_add);
    sum.and_then(|sum| i64::try_from(sum).ok()).into()
}

/// Returns the decisive Boolean if a row has it. Otherwise, returns missing if a row's value is missing, and the other
/// Boolean if not.
fn decided(column: &Column, rows: &[usize], decisive: bool) -> Cell {
    let (mut is_decided, mut is_null) = (false, false);
    for cell in rows.iter().map(|&row| column.cell(row)) {
        is_decided |= cell == Cell::Bool(decisive);
        is_null |= cell.is_null();
    }
    match (is_decided, is_null) {
        (true, _) => Cell::Bool(decisive),
        (false, true) => Cell::Missing,
        (false, false) => Cell::Bool(!decisive),
    }
}
