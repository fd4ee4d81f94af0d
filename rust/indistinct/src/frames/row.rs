//! Typed rows of some columns.

use super::{
    cell::Kind,
    column::{Cells, Column},
    domain::{ColumnDomain, Values},
};
use crate::{
    core::{Domain, Error, Fallible, Sealed},
    domains::{Atom, AtomDomain, OptionDomain, PairDomain},
};

/// Types of rows of some columns: `f64`, `i64`, `bool`, `String`, an `Option` of one of these, or a pair of rows.
///
/// For example, `(i64, (String, f64))` is a row of three columns. Categories are read as their positions in the list of
/// labels, and dates and times as integers. A column that may have missing cells is read as an `Option`.
#[allow(private_bounds)]
pub trait FrameRow: Sealed + Clone + Send + Sync + 'static {
    /// The domain of such rows.
    type Domain: Domain<Carrier = Self>;
    /// The number of columns in a row.
    #[doc(hidden)]
    const COLUMNS: usize;

    /// Returns the domain of rows of these columns.
    #[doc(hidden)]
    fn domain(columns: &[(&str, &ColumnDomain)]) -> Fallible<Self::Domain>;

    /// Returns the rows of these columns, one for each row of a batch. The iterator is empty if the columns have other
    /// types.
    #[doc(hidden)]
    fn rows<'a>(columns: &[&'a Column]) -> impl Iterator<Item = Self> + 'a;
}

/// Returns the only column.
fn one<T: Copy>(columns: &[T]) -> Option<T> {
    if let [column] = columns { Some(*column) } else { None }
}

/// Returns a column of one of these kinds, or an error if it is of another kind, or may have missing cells that the row
/// type does not allow.
fn checked<'a>(columns: &[(&str, &'a ColumnDomain)], kinds: &[Kind], may_miss: bool) -> Fallible<&'a ColumnDomain> {
    let (name, column) =
        one(columns).ok_or_else(|| Error::parameter("columns", "must have one name for each part of a row"))?;
    let refuse = |rule: String| Err(Error::parameter("columns", format!("the column {name:?} {rule}")));
    if column.has_missing() && !may_miss {
        return refuse("may have missing cells: fill or filter them, or read the column as an `Option`".into());
    }
    if !kinds.contains(&column.kind()) {
        return refuse(format!("has the type {}, which does not match the row's type", column.kind()));
    }
    Ok(column)
}

const INTEGERS: &[Kind] = &[Kind::Integer, Kind::Category, Kind::Date, Kind::Time];

/// Returns the domain of integers in a column.
fn integers(column: &ColumnDomain) -> Fallible<AtomDomain<i64>> {
    Ok(match column.values() {
        Values::Integer(integers) => integers.clone(),
        Values::Category(labels) => {
            let last = i64::try_from(labels.len().saturating_sub(1)).unwrap_or(i64::MAX);
            AtomDomain::i64().with_bounds((0, last))?
        }
        _ => AtomDomain::i64(),
    })
}

/// Returns the domain of floats in a column.
fn floats(column: &ColumnDomain) -> Fallible<AtomDomain<f64>> {
    Ok(if let Values::Float(floats) = column.values() { floats.clone() } else { AtomDomain::f64() })
}

/// Returns the domain of both Booleans.
fn truths(_: &ColumnDomain) -> Fallible<AtomDomain<bool>> {
    Ok(AtomDomain::bool())
}

/// Returns the domain of all texts.
fn texts(_: &ColumnDomain) -> Fallible<AtomDomain<String>> {
    Ok(AtomDomain::string())
}

/// Returns the floats of the only column.
fn floats_of<'a>(columns: &[&'a Column]) -> &'a [f64] {
    match one(columns).map(|column| &column.0) {
        Some(Cells::Float(array)) => array.values(),
        _ => &[],
    }
}

impl FrameRow for f64 {
    type Domain = AtomDomain<f64>;

    const COLUMNS: usize = 1;

    fn domain(columns: &[(&str, &ColumnDomain)]) -> Fallible<AtomDomain<f64>> {
        floats(checked(columns, &[Kind::Float], false)?)
    }

    fn rows<'a>(columns: &[&'a Column]) -> impl Iterator<Item = f64> + 'a {
        floats_of(columns).iter().copied()
    }
}

/// NaN is read as a missing cell.
impl FrameRow for Option<f64> {
    type Domain = OptionDomain<AtomDomain<f64>>;

    const COLUMNS: usize = 1;

    fn domain(columns: &[(&str, &ColumnDomain)]) -> Fallible<Self::Domain> {
        Ok(OptionDomain::new(floats(checked(columns, &[Kind::Float], true)?)?))
    }

    fn rows<'a>(columns: &[&'a Column]) -> impl Iterator<Item = Self> + 'a {
        floats_of(columns).iter().map(|x| Some(*x).filter(|x| !x.is_nan()))
    }
}

/// Columns with missing cells are not allowed.
impl FrameRow for i64 {
    type Domain = AtomDomain<i64>;

    const COLUMNS: usize = 1;

    fn domain(columns: &[(&str, &ColumnDomain)]) -> Fallible<Self::Domain> {
        integers(checked(columns, INTEGERS, false)?)
    }

    fn rows<'a>(columns: &[&'a Column]) -> impl Iterator<Item = i64> + 'a {
        let values: &[i64] = match one(columns).map(|column| &column.0) {
            Some(Cells::Integer(array)) => array.values(),
            _ => &[],
        };
        values.iter().copied()
    }
}

macro_rules! rows_with_nulls {
    ($($row:ty, $domain:ty, $cells:ident, $kinds:expr, $may_miss:expr, $make:expr, $image:expr;)+) => {$(
        impl FrameRow for $row {
            type Domain = $domain;

            const COLUMNS: usize = 1;

            fn domain(columns: &[(&str, &ColumnDomain)]) -> Fallible<Self::Domain> {
                $make(checked(columns, $kinds, $may_miss)?)
            }

            fn rows<'a>(columns: &[&'a Column]) -> impl Iterator<Item = Self> + 'a {
                let array = match one(columns).map(|column| &column.0) {
                    Some(Cells::$cells(array)) => Some(array),
                    _ => None,
                };
                array.into_iter().flat_map(|array| array.iter()).map($image)
            }
        }
    )+};
}

/// Returns a domain with missing values.
fn or_missing<T: Atom>(domain: Fallible<AtomDomain<T>>) -> Fallible<OptionDomain<AtomDomain<T>>> {
    Ok(OptionDomain::new(domain?))
}

// Where no cell is missing, none takes the place of one.
rows_with_nulls! {
    Option<i64>, OptionDomain<AtomDomain<i64>>, Integer, INTEGERS, true, |column| or_missing(integers(column)), |cell| cell;
    bool, AtomDomain<bool>, Bool, &[Kind::Bool], false, truths, |cell| cell.unwrap_or_default();
    Option<bool>, OptionDomain<AtomDomain<bool>>, Bool, &[Kind::Bool], true, |column| or_missing(truths(column)), |cell| cell;
    String, AtomDomain<String>, Text, &[Kind::Text], false, texts, |cell| cell.unwrap_or_default().to_owned();
    Option<String>, OptionDomain<AtomDomain<String>>, Text, &[Kind::Text], true, |column| or_missing(texts(column)),
        |cell| cell.map(str::to_owned);
}

impl<A: FrameRow, B: FrameRow> FrameRow for (A, B) {
    type Domain = PairDomain<A::Domain, B::Domain>;

    const COLUMNS: usize = A::COLUMNS + B::COLUMNS;

    fn domain(columns: &[(&str, &ColumnDomain)]) -> Fallible<Self::Domain> {
        let (first, second) = columns.split_at_checked(A::COLUMNS).unwrap_or((columns, &[]));
        Ok(PairDomain::new(A::domain(first)?, B::domain(second)?))
    }

    fn rows<'a>(columns: &[&'a Column]) -> impl Iterator<Item = Self> + 'a {
        let (first, second) = columns.split_at_checked(A::COLUMNS).unwrap_or((columns, &[]));
        A::rows(first).zip(B::rows(second))
    }
}
