//! The domain of tables: the names and domains of their columns.

use super::{
    batch::{Batch, checked_names},
    cell::{Cell, Kind},
    column::{Cells, Column},
};
use crate::{
    core::{
        Domain, Error, Fallible, Internal, MemberByParts, MetricSpace, check_member, parameter_by_debug, require,
        sealed,
    },
    domains::AtomDomain,
    metrics::{ChangeOneIdDistance, RowMetric, SymmetricIdDistance},
};
use arrow_array::Array;
use std::sync::Arc;

/// The domain of a column: a type, bounds or labels, and whether cells may be missing.
///
/// ```
/// use indistinct::frames::ColumnDomain;
/// let age = ColumnDomain::integer().with_bounds(0.0, 120.0)?.with_missing();
/// assert_eq!(format!("{age:?}"), "integer(0..=120, missing)");
/// # Ok::<(), indistinct::core::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct ColumnDomain {
    values: Values,
    missing: bool,
}

/// The values that are not missing.
#[derive(Clone, PartialEq)]
pub(super) enum Values {
    Float(AtomDomain<f64>),
    Integer(AtomDomain<i64>),
    Bool,
    Text,
    Category(Arc<[String]>),
    Date,
    Time,
}

impl ColumnDomain {
    pub(super) fn of(values: Values) -> Self {
        Self { values, missing: false }
    }

    /// Makes the domain of all floats, including infinities.
    pub fn float() -> Self {
        Self::of(Values::Float(AtomDomain::f64()))
    }

    /// Makes the domain of all integers of 64 bits.
    pub fn integer() -> Self {
        Self::of(Values::Integer(AtomDomain::i64()))
    }

    /// Makes the domain of `true` and `false`, which a CSV file may also write as 1 and 0. For a column of "yes" and
    /// "no", use [`category`](Self::category)`(["yes", "no"])`; its `.eq("yes")` is true or false.
    pub fn bool() -> Self {
        Self::of(Values::Bool)
    }

    /// Makes the domain of all texts.
    pub fn text() -> Self {
        Self::of(Values::Text)
    }

    /// Makes the domain of these labels, which are public.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no labels, or if one is repeated.
    pub fn category(labels: impl IntoIterator<Item: Into<String>>) -> Fallible<Self> {
        let labels: Vec<String> = labels.into_iter().map(Into::into).collect();
        require(!labels.is_empty(), "labels", "must not be empty")?;
        let distinct: std::collections::BTreeSet<&String> = labels.iter().collect();
        require(distinct.len() == labels.len(), "labels", "must be distinct")?;
        Ok(Self::of(Values::Category(labels.into())))
    }

    /// Makes the domain of all days.
    pub fn date() -> Self {
        Self::of(Values::Date)
    }

    /// Makes the domain of all points in time.
    pub fn time() -> Self {
        Self::of(Values::Time)
    }

    /// Returns this domain with missing cells allowed.
    pub fn with_missing(self) -> Self {
        Self { missing: true, ..self }
    }

    /// Returns this domain without missing cells.
    pub fn without_missing(self) -> Self {
        Self { missing: false, ..self }
    }

    /// Restricts the domain to numbers from `lower` to `upper`, inclusive. Bounds of integers must be integers.
    ///
    /// # Errors
    ///
    /// Returns an error if a bound is not finite, or not an integer for integers, if the lower bound is above the upper
    /// one, or if the column is not a number.
    pub fn with_bounds(self, lower: f64, upper: f64) -> Fallible<Self> {
        let values = match self.values {
            Values::Float(floats) => Values::Float(floats.with_bounds((lower, upper))?),
            Values::Integer(integers) => {
                let whole = |bound: f64| {
                    let rule = || Error::parameter("bounds", "must be 64-bit integers for a column of integers");
                    Cell::Float(bound).to_integer().ok_or_else(rule)
                };
                Values::Integer(integers.with_bounds((whole(lower)?, whole(upper)?))?)
            }
            _ => return Err(Error::parameter("bounds", "are allowed only for columns of floats or integers")),
        };
        Ok(Self { values, ..self })
    }

    /// Returns the type of the cells.
    pub fn kind(&self) -> Kind {
        match &self.values {
            Values::Float(_) => Kind::Float,
            Values::Integer(_) => Kind::Integer,
            Values::Bool => Kind::Bool,
            Values::Text => Kind::Text,
            Values::Category(_) => Kind::Category,
            Values::Date => Kind::Date,
            Values::Time => Kind::Time,
        }
    }

    /// Returns true if cells may be missing.
    pub fn has_missing(&self) -> bool {
        self.missing
    }

    /// Returns the labels of a column of categories.
    pub fn labels(&self) -> Option<&Arc<[String]>> {
        if let Values::Category(labels) = &self.values { Some(labels) } else { None }
    }

    /// Returns the bounds of a column of numbers, if it has bounds.
    pub fn bounds(&self) -> Option<(Cell, Cell)> {
        match &self.values {
            Values::Float(floats) => floats.bounds().map(|(lower, upper)| (Cell::Float(*lower), Cell::Float(*upper))),
            Values::Integer(integers) => {
                integers.bounds().map(|(lower, upper)| (Cell::Integer(*lower), Cell::Integer(*upper)))
            }
            _ => None,
        }
    }

    pub(super) fn values(&self) -> &Values {
        &self.values
    }

    /// Returns true if the cells of a column are members. It reads every cell.
    fn admits(&self, column: &Column) -> bool {
        let is_present = self.missing || !column.has_missing();
        let fits = match (&self.values, &column.0) {
            (Values::Float(floats), Cells::Float(array)) => floats.bounds().is_none_or(|(lower, upper)| {
                array.values().iter().fold(true, |all, x| all & ((lower <= x) & (x <= upper) | x.is_nan()))
            }),
            (Values::Integer(integers), Cells::Integer(array)) => integers.bounds().is_none_or(|(lower, upper)| {
                if array.null_count() == 0 {
                    array.values().iter().fold(true, |all, x| all & (lower <= x) & (x <= upper))
                } else {
                    array.iter().flatten().fold(true, |all, x| all & (*lower <= x) & (x <= *upper))
                }
            }),
            (Values::Category(labels), Cells::Integer(array)) => {
                let is_label = |position: i64| usize::try_from(position).is_ok_and(|position| position < labels.len());
                array.iter().flatten().fold(true, |all, position| all & is_label(position))
            }
            (Values::Bool, Cells::Bool(_)) | (Values::Text, Cells::Text(_)) => true,
            (Values::Date | Values::Time, Cells::Integer(_)) => true,
            _ => false,
        };
        is_present && fits
    }
}

/// The domain of all tables with these columns.
///
/// Under most metrics of data sets, a row is the privacy unit. Under
/// [`SymmetricIdDistance`](crate::metrics::SymmetricIdDistance) and
/// [`ChangeOneIdDistance`](crate::metrics::ChangeOneIdDistance), it is an individual with all their rows;
/// [`with_individuals`](FrameDomain::with_individuals) names the column that identifies the individual of each row, or
/// [`with_individuals_or_null`](FrameDomain::with_individuals_or_null) if some rows have no identifier.
///
/// ```
/// use indistinct::{frames::{Column, ColumnDomain, Frame, FrameDomain}, prelude::*};
/// let people = FrameDomain::new([("age", ColumnDomain::integer()), ("city", ColumnDomain::text().with_missing())])?;
/// let frame = Frame::new([
///     ("age", [37i64, 9].into_iter().collect::<Column>()),
///     ("city", [Some("Aarau"), None].into_iter().collect()),
/// ])?;
/// assert!(people.member(&frame));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct FrameDomain {
    names: Arc<[String]>,
    columns: Vec<ColumnDomain>,
    individuals: Option<String>,
    /// True if a row without an identifier is an individual of its own.
    or_rows: bool,
    rows: Option<usize>,
}

impl FrameDomain {
    /// Makes the domain of all tables with these columns, in this order.
    ///
    /// # Errors
    ///
    /// Returns an error if a name is repeated.
    pub fn new<N: Into<String>>(columns: impl IntoIterator<Item = (N, ColumnDomain)>) -> Fallible<Self> {
        let (names, columns): (Vec<String>, Vec<ColumnDomain>) =
            columns.into_iter().map(|(name, column)| (name.into(), column)).unzip();
        Ok(Self { names: checked_names(names)?, columns, individuals: None, or_rows: false, rows: None })
    }

    /// Restricts the domain to tables with this number of rows. State a number only if it is public: it is not
    /// protected.
    pub fn with_size(self, rows: usize) -> Self {
        Self { rows: Some(rows), ..self }
    }

    /// Declares that the column of this name identifies the individual of each row. Two cells identify the same
    /// individual only if they are equal: `P1`, `P1 ` and `p1` are three individuals. A person with three spellings of
    /// the identifier is protected only as a group of three individuals.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such column, or if it has floats or may have missing cells. Drop rows with
    /// missing cells first, or [declare](Self::with_individuals_or_null) whose rows they are.
    pub fn with_individuals(self, name: &str) -> Fallible<Self> {
        let rule = "may have missing cells: a row without an identifier would belong to nobody, or to everybody";
        self.with_identifiers(name, false, rule)
    }

    /// Declares that the column of this name identifies the individual of each row. A row without an identifier is a
    /// separate individual, with no other rows.
    ///
    /// Declare this only if it is true, or if it is the unit that you want to protect. A person with several rows
    /// without an identifier, or with rows both with and without an identifier, counts as several individuals, and is
    /// protected only as a group of that size.
    ///
    /// Steps on all rows of an individual treat each such row alone, and
    /// [`make_rows_of_individuals`](super::make_rows_of_individuals) gives each its own identifier. To release the
    /// number of such rows, count the rows after a filter `is_null(id)`.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such column, or if it has floats or cannot have missing cells.
    ///
    /// ```
    /// use indistinct::{frames::*, prelude::*};
    /// let columns = [("patient", ColumnDomain::integer().with_missing()), ("days", ColumnDomain::float())];
    /// let stays = FrameDomain::new(columns)?.with_individuals_or_null("patient")?;
    /// // How many stays are of nobody known, each of an individual of its own.
    /// let unidentified = ((stays, SymmetricIdDistance)
    ///     >> then_filter_rows(col("patient").is_null())
    ///     >> then_rows_of_individuals::<String, f64, _, _>(vec!["days"])
    ///     >> then_bound_contributions(1)
    ///     >> then_count())?;
    /// let frame = Frame::new([
    ///     ("patient", [Some(7i64), None, Some(7), None].into_iter().collect::<Column>()),
    ///     ("days", [3.0, 2.0, 1.0, 2.0].into_iter().collect()),
    /// ])?;
    /// assert_eq!((unidentified.invoke(&frame)?, unidentified.map(&1)?), (2, 1.0));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn with_individuals_or_null(self, name: &str) -> Fallible<Self> {
        self.with_identifiers(name, true, "has no missing cells, so no row can be an individual of its own")
    }

    /// Declares the column of individuals. `of_missing` is the rule in the error for a column that may have missing
    /// cells and should not, or the other way round.
    fn with_identifiers(self, name: &str, or_rows: bool, of_missing: &str) -> Fallible<Self> {
        let column = self.column(name)?;
        let rule = |rule: &str| Err(Error::parameter("individuals", format!("the column {name:?} {rule}")));
        if column.kind() == Kind::Float {
            return rule("contains floats, but identifiers must be integers or texts");
        }
        if column.has_missing() != or_rows {
            return rule(of_missing);
        }
        Ok(Self { individuals: Some(name.to_owned()), or_rows, ..self })
    }

    /// Returns the columns' names, in order.
    pub fn names(&self) -> &Arc<[String]> {
        &self.names
    }

    /// Returns the columns, in the order of their names.
    pub fn columns(&self) -> &[ColumnDomain] {
        &self.columns
    }

    /// Returns the name of the column that identifies individuals.
    pub fn individuals(&self) -> Option<&str> {
        self.individuals.as_deref()
    }

    /// Returns true if rows may lack an identifier; each such row is then a separate individual.
    pub fn has_individuals_or_null(&self) -> bool {
        self.or_rows
    }

    /// Returns the number of rows, if it is the same for all members.
    pub fn size(&self) -> Option<usize> {
        self.rows
    }

    /// Returns the column of this name.
    ///
    /// # Errors
    ///
    /// Returns an error that lists the columns if the table has no such column.
    pub fn column(&self, name: &str) -> Fallible<&ColumnDomain> {
        let position = self.position(name)?;
        self.columns.get(position).ok_or_else(|| self.no_column(name))
    }

    /// Checks that these rows are a member of the domain. The error states the domain, which is public, and nothing
    /// about the rows.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Domain`](crate::core::ErrorKind::Domain) if they are not.
    pub fn check_data(&self, data: &[Batch]) -> Fallible<()> {
        check_member(self, data)
    }

    /// Returns the position of the column of this name.
    pub(super) fn position(&self, name: &str) -> Fallible<usize> {
        self.names.iter().position(|listed| listed == name).ok_or_else(|| self.no_column(name))
    }

    fn no_column(&self, name: &str) -> Error {
        let names: Vec<_> = self.names.iter().map(|name| format!("{name:?}")).collect();
        Error::parameter("columns", format!("there is no column {name:?}; there are {}", names.join(", ")))
    }

    /// Returns the same rows with other columns.
    pub(super) fn with_columns(&self, columns: Vec<(String, ColumnDomain)>) -> Fallible<Self> {
        let (individuals, or_rows, rows) = (self.individuals.clone(), self.or_rows, self.rows);
        Ok(Self { individuals, or_rows, rows, ..Self::new(columns)? })
    }

    /// Returns the domain with the same columns and any number of rows.
    pub(super) fn without_size(&self) -> Self {
        Self { rows: None, ..self.clone() }
    }
}

impl PartialEq for FrameDomain {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
            && self.columns == other.columns
            && self.individuals == other.individuals
            && self.or_rows == other.or_rows
            && self.rows == other.rows
    }
}

impl Domain for FrameDomain {
    type Carrier = [Batch];

    fn member(&self, value: &[Batch]) -> bool {
        let rows = value.iter().map(Batch::rows).fold(0, usize::saturating_add);
        self.admits_rows(rows) && self.admits_part(value)
    }

    fn by_parts(&self) -> Option<&dyn MemberByParts<[Batch]>> {
        Some(self)
    }

    fn sizes(&self) -> Vec<Option<usize>> {
        vec![self.rows]
    }

    fn is_callers_own(&self, _: Internal) -> bool {
        false
    }
}

impl MemberByParts<[Batch]> for FrameDomain {
    /// Checks that a batch has the columns with these names, in this order. A batch without rows is always accepted,
    /// because folds skip it.
    fn admits_part(&self, part: &[Batch]) -> bool {
        part.iter().fold(true, |all, batch| {
            let is_named = Arc::ptr_eq(&self.names, batch.names()) || self.names == *batch.names();
            let is_complete = batch.columns().len() == self.columns.len();
            let columns = self.columns.iter().zip(batch.columns());
            let fits =
                |(domain, column): (&ColumnDomain, &Column)| column.len() == batch.rows() && domain.admits(column);
            all & (batch.rows() == 0 || is_named & is_complete & columns.fold(true, |all, pair| all & fits(pair)))
        })
    }

    fn admits_rows(&self, rows: usize) -> bool {
        self.rows.is_none_or(|size| size == rows)
    }
}

sealed!(() FrameDomain);
parameter_by_debug!(() FrameDomain, () ColumnDomain);

impl<M: RowMetric> MetricSpace for (FrameDomain, M) {
    fn check_space(&self) -> Fallible<()> {
        Ok(())
    }
}

impl MetricSpace for (FrameDomain, SymmetricIdDistance) {
    fn check_space(&self) -> Fallible<()> {
        let (frames, _) = self;
        let rule = "must name the column of individuals";
        require(frames.individuals().is_some(), "input_domain", rule)
    }
}

impl MetricSpace for (FrameDomain, ChangeOneIdDistance) {
    fn check_space(&self) -> Fallible<()> {
        (self.0.clone(), SymmetricIdDistance).check_space()
    }
}
