//! Typed rows of some columns.

use super::{
    cell::Kind,
    column::{Cells, Column},
    domain::{ColumnDomain, Values},
};
use crate::{
    core::{Domain, Error, Fallible, Sealed},
    domains::{AtomDomain, OptionDomain, PairDomain},
};
use arrow_array::{Array, BooleanArray, Int64Array, LargeStringArray};

/// What a row of some columns can be read as: `f64`, `i64`, `bool`, `String`, an `Option` of one, or a pair of rows.
///
/// `(i64, (String, f64))` are rows of three columns. Categories are read as their positions in the list of labels, dates
/// and times as the integers that they are. A column in which cells may be missing is read as an `Option`.
#[allow(private_bounds)]
pub trait FrameRow: Sealed + Clone + Send + Sync + 'static {
    /// The domain of such rows.
    type Domain: Domain<Carrier = Self>;
    /// Where the cells of a batch are.
    #[doc(hidden)]
    type Reader<'a>;

    /// How many columns a row has.
    #[doc(hidden)]
    const COLUMNS: usize;

    /// The domain of rows of these columns.
    #[doc(hidden)]
    fn domain(columns: &[(&str, &ColumnDomain)]) -> Fallible<Self::Domain>;

    /// The cells of these columns, if they are of these types.
    #[doc(hidden)]
    fn reader<'a>(columns: &[&'a Column]) -> Option<Self::Reader<'a>>;

    /// A row; there is one for each of the batch's.
    #[doc(hidden)]
    fn read(reader: &Self::Reader<'_>, row: usize) -> Option<Self>;

    /// All rows of a batch, after others.
    #[doc(hidden)]
    fn append(columns: &[&Column], rows: usize, all: &mut Vec<Self>) {
        if let Some(reader) = Self::reader(columns) {
            all.extend((0..rows).filter_map(|row| Self::read(&reader, row)));
        }
    }
}

/// The only column.
fn one<T: Copy>(columns: &[T]) -> Option<T> {
    if let [column] = columns { Some(*column) } else { None }
}

/// A column of these kinds, in which cells are missing only if that has a place in the row.
fn checked<'a>(columns: &[(&str, &'a ColumnDomain)], kinds: &[Kind], may_miss: bool) -> Fallible<&'a ColumnDomain> {
    let (name, column) =
        one(columns).ok_or_else(|| Error::parameter("columns", "must be one for each part of a row"))?;
    let refuse = |rule: String| Err(Error::parameter("columns", format!("the column {name:?} {rule}")));
    if !kinds.contains(&column.kind()) {
        return refuse(format!("is of type {}, which the row's type does not have there", column.kind()));
    }
    if column.has_missing() && !may_miss {
        return refuse("may be missing: fill it, filter it, or read it as an `Option`".into());
    }
    Ok(column)
}

const INTEGERS: &[Kind] = &[Kind::Integer, Kind::Category, Kind::Date, Kind::Time];

/// The integers that a column holds.
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

/// The floats that a column holds.
fn floats(column: &ColumnDomain) -> Fallible<AtomDomain<f64>> {
    Ok(if let Values::Float(floats) = column.values() { floats.clone() } else { AtomDomain::f64() })
}

/// Both truth values.
fn truths(_: &ColumnDomain) -> Fallible<AtomDomain<bool>> {
    Ok(AtomDomain::bool())
}

/// All texts.
fn texts(_: &ColumnDomain) -> Fallible<AtomDomain<String>> {
    Ok(AtomDomain::string())
}

impl FrameRow for f64 {
    type Domain = AtomDomain<f64>;
    type Reader<'a> = &'a [f64];

    const COLUMNS: usize = 1;

    fn domain(columns: &[(&str, &ColumnDomain)]) -> Fallible<AtomDomain<f64>> {
        floats(checked(columns, &[Kind::Float], false)?)
    }

    fn reader<'a>(columns: &[&'a Column]) -> Option<&'a [f64]> {
        if let Cells::Float(array) = &one(columns)?.0 { Some(array.values()) } else { None }
    }

    fn read(reader: &&[f64], row: usize) -> Option<f64> {
        reader.get(row).copied()
    }

    fn append(columns: &[&Column], _: usize, all: &mut Vec<f64>) {
        all.extend_from_slice(Self::reader(columns).unwrap_or_default());
    }
}

/// NaN is a missing cell.
impl FrameRow for Option<f64> {
    type Domain = OptionDomain<AtomDomain<f64>>;
    type Reader<'a> = &'a [f64];

    const COLUMNS: usize = 1;

    fn domain(columns: &[(&str, &ColumnDomain)]) -> Fallible<Self::Domain> {
        Ok(OptionDomain::new(floats(checked(columns, &[Kind::Float], true)?)?))
    }

    fn reader<'a>(columns: &[&'a Column]) -> Option<&'a [f64]> {
        f64::reader(columns)
    }

    fn read(reader: &&[f64], row: usize) -> Option<Self> {
        reader.get(row).map(|x| Some(*x).filter(|x| !x.is_nan()))
    }
}

macro_rules! rows_with_nulls {
    ($($cell:ty, $cells:ident $array:ty, $kinds:expr, $domain:expr;)+) => {$(
        impl FrameRow for $cell {
            type Domain = AtomDomain<$cell>;
            type Reader<'a> = &'a $array;

            const COLUMNS: usize = 1;

            fn domain(columns: &[(&str, &ColumnDomain)]) -> Fallible<Self::Domain> {
                $domain(checked(columns, $kinds, false)?)
            }

            fn reader<'a>(columns: &[&'a Column]) -> Option<&'a $array> {
                if let Cells::$cells(array) = &one(columns)?.0 { Some(array) } else { None }
            }

            fn read(reader: &&$array, row: usize) -> Option<$cell> {
                (row < reader.len()).then(|| reader.value(row).into())
            }
        }

        impl FrameRow for Option<$cell> {
            type Domain = OptionDomain<AtomDomain<$cell>>;
            type Reader<'a> = &'a $array;

            const COLUMNS: usize = 1;

            fn domain(columns: &[(&str, &ColumnDomain)]) -> Fallible<Self::Domain> {
                Ok(OptionDomain::new($domain(checked(columns, $kinds, true)?)?))
            }

            fn reader<'a>(columns: &[&'a Column]) -> Option<&'a $array> {
                <$cell>::reader(columns)
            }

            fn read(reader: &&$array, row: usize) -> Option<Self> {
                (row < reader.len()).then(|| reader.is_valid(row).then(|| reader.value(row).into()))
            }
        }
    )+};
}

rows_with_nulls! {
    i64, Integer Int64Array, INTEGERS, integers;
    bool, Bool BooleanArray, &[Kind::Bool], truths;
    String, Text LargeStringArray, &[Kind::Text], texts;
}

impl<A: FrameRow, B: FrameRow> FrameRow for (A, B) {
    type Domain = PairDomain<A::Domain, B::Domain>;
    type Reader<'a> = (A::Reader<'a>, B::Reader<'a>);

    const COLUMNS: usize = A::COLUMNS + B::COLUMNS;

    fn domain(columns: &[(&str, &ColumnDomain)]) -> Fallible<Self::Domain> {
        let (first, second) = columns.split_at_checked(A::COLUMNS).unwrap_or((columns, &[]));
        Ok(PairDomain::new(A::domain(first)?, B::domain(second)?))
    }

    fn reader<'a>(columns: &[&'a Column]) -> Option<Self::Reader<'a>> {
        let (first, second) = columns.split_at_checked(A::COLUMNS)?;
        Some((A::reader(first)?, B::reader(second)?))
    }

    fn read((first, second): &Self::Reader<'_>, row: usize) -> Option<Self> {
        Some((A::read(first, row)?, B::read(second, row)?))
    }
}
