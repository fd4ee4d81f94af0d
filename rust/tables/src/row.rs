//! Rows of several columns, as pairs.

use crate::{Error, Frame, Result, Schema, cell::CellKind};
use arrow_array::{Array, BooleanArray, Int64Array, LargeStringArray};
use indistinct::{
    core::Domain,
    domains::{AtomDomain, OptionDomain, PairDomain, VectorDomain},
};

/// What a row of a frame can be read as: a cell, an `Option` of one, or a pair of rows.
///
/// `(i64, (String, f64))` takes the names `("person", ("city", "visits"))`.
pub trait Row: Sized + 'static {
    /// The columns' names, in the shape of the row.
    type Names<'a>;
    /// Where the cells are.
    #[doc(hidden)]
    type Reader<'a>;

    /// The columns of these names, if they are declared with these types.
    #[doc(hidden)]
    fn reader<'a>(frame: &'a Frame, names: Self::Names<'_>) -> Result<Self::Reader<'a>>;
    /// A row; there is one for each of the frame's.
    #[doc(hidden)]
    fn read(reader: &Self::Reader<'_>, row: usize) -> Option<Self>;
}

/// Rows whose domain follows from the schema.
pub trait DomainRow: Row {
    /// The domain of such rows.
    type Domain: Domain;

    /// The domain of the columns of these names.
    #[doc(hidden)]
    fn domain(schema: &Schema, names: Self::Names<'_>) -> Result<Self::Domain>;
}

/// Cells whose columns are slices.
#[allow(private_bounds)]
pub trait SliceCell: CellKind + DomainRow {
    /// The column.
    #[doc(hidden)]
    fn slice<'a>(frame: &'a Frame, name: &str) -> Result<&'a [Self]>;
}

impl Schema {
    /// The domain of rows of these columns: what a chain on [`Frame::slice`](crate::Frame::slice) or
    /// [`Frame::rows`](crate::Frame::rows) begins with.
    ///
    /// # Errors
    ///
    /// A name or type that was not declared; missing cells that stay in a column that is not read as an `Option` and is
    /// of another type than `f64`.
    pub fn rows<R: DomainRow>(&self, names: R::Names<'_>) -> Result<VectorDomain<R::Domain>> {
        Ok(VectorDomain::new(R::domain(self, names)?))
    }
}

impl Frame {
    /// A column of numbers as it lies in memory.
    ///
    /// # Errors
    ///
    /// A name or type that was not declared; missing cells that stay in a column of `i64`.
    pub fn slice<T: SliceCell>(&self, name: &str) -> Result<&[T]> {
        T::slice(self, name)
    }

    /// All rows of some columns, copied.
    ///
    /// # Errors
    ///
    /// A name or type that was not declared; missing cells that stay where the row's type has no place for them.
    pub fn rows<R: Row>(&self, names: R::Names<'_>) -> Result<Vec<R>> {
        let reader = R::reader(self, names)?;
        Ok((0..self.len()).filter_map(|row| R::read(&reader, row)).collect())
    }

    /// The rows of some columns in chunks of at most `size` (at least 1), each copied when its turn comes: for
    /// [`aggregate`](indistinct::core::Measurement::aggregate). Errors as for [`rows`](Frame::rows).
    pub fn chunks<R: Row>(&self, names: R::Names<'_>, size: usize) -> Result<impl Iterator<Item = Vec<R>>> {
        let (reader, size) = (R::reader(self, names)?, size.max(1));
        let starts = (0..self.len()).step_by(size);
        Ok(starts.map(move |start| {
            let end = start.saturating_add(size).min(self.len());
            (start..end).filter_map(|row| R::read(&reader, row)).collect()
        }))
    }
}

const STAYS: &str = "has missing cells that stay: declare a value for them, or read it as an option";

/// Refuse a column whose missing cells have no place in the row.
fn present<T>((found, stays): (T, bool), name: &str) -> Result<T> {
    if stays { Err(Error::column(name, STAYS)) } else { Ok(found) }
}

impl SliceCell for f64 {
    fn slice<'a>(frame: &'a Frame, name: &str) -> Result<&'a [f64]> {
        Ok(frame.array::<f64>(name)?.0.values())
    }
}

impl SliceCell for i64 {
    fn slice<'a>(frame: &'a Frame, name: &str) -> Result<&'a [i64]> {
        Ok(present(frame.array::<i64>(name)?, name)?.values())
    }
}

/// A missing cell that stays is NaN.
impl Row for f64 {
    type Names<'a> = &'a str;
    type Reader<'a> = &'a [f64];

    fn reader<'a>(frame: &'a Frame, name: &str) -> Result<&'a [f64]> {
        frame.slice(name)
    }

    fn read(reader: &&[f64], row: usize) -> Option<f64> {
        reader.get(row).copied()
    }
}

impl DomainRow for f64 {
    type Domain = AtomDomain<f64>;

    fn domain(schema: &Schema, name: &str) -> Result<Self::Domain> {
        let (_, stays) = schema.find::<f64>(name)?;
        Ok(if stays { AtomDomain::f64().with_nan() } else { AtomDomain::f64() })
    }
}

impl Row for Option<f64> {
    type Names<'a> = &'a str;
    type Reader<'a> = &'a [f64];

    fn reader<'a>(frame: &'a Frame, name: &str) -> Result<&'a [f64]> {
        frame.slice(name)
    }

    fn read(reader: &&[f64], row: usize) -> Option<Self> {
        reader.get(row).map(|x| (!x.is_nan()).then_some(*x))
    }
}

impl DomainRow for Option<f64> {
    type Domain = OptionDomain<AtomDomain<f64>>;

    fn domain(schema: &Schema, name: &str) -> Result<Self::Domain> {
        schema.find::<f64>(name)?;
        Ok(OptionDomain::new(AtomDomain::f64()))
    }
}

macro_rules! nullable_rows {
    ($($cell:ty, $array:ty, $domain:expr;)+) => {$(
        impl Row for $cell {
            type Names<'a> = &'a str;
            type Reader<'a> = &'a $array;

            fn reader<'a>(frame: &'a Frame, name: &str) -> Result<&'a $array> {
                present(frame.array::<$cell>(name)?, name)
            }

            fn read(reader: &&$array, row: usize) -> Option<$cell> {
                (row < reader.len()).then(|| reader.value(row).into())
            }
        }

        impl DomainRow for $cell {
            type Domain = AtomDomain<$cell>;

            fn domain(schema: &Schema, name: &str) -> Result<Self::Domain> {
                present(schema.find::<$cell>(name)?, name)?;
                Ok($domain)
            }
        }

        impl Row for Option<$cell> {
            type Names<'a> = &'a str;
            type Reader<'a> = &'a $array;

            fn reader<'a>(frame: &'a Frame, name: &str) -> Result<&'a $array> {
                Ok(frame.array::<$cell>(name)?.0)
            }

            fn read(reader: &&$array, row: usize) -> Option<Self> {
                (row < reader.len()).then(|| reader.is_valid(row).then(|| reader.value(row).into()))
            }
        }

        impl DomainRow for Option<$cell> {
            type Domain = OptionDomain<AtomDomain<$cell>>;

            fn domain(schema: &Schema, name: &str) -> Result<Self::Domain> {
                schema.find::<$cell>(name)?;
                Ok(OptionDomain::new($domain))
            }
        }
    )+};
}

nullable_rows! {
    i64, Int64Array, AtomDomain::i64();
    bool, BooleanArray, AtomDomain::bool();
    String, LargeStringArray, AtomDomain::string();
}

impl<A: Row, B: Row> Row for (A, B) {
    type Names<'a> = (A::Names<'a>, B::Names<'a>);
    type Reader<'a> = (A::Reader<'a>, B::Reader<'a>);

    fn reader<'a>(frame: &'a Frame, (first, second): Self::Names<'_>) -> Result<Self::Reader<'a>> {
        Ok((A::reader(frame, first)?, B::reader(frame, second)?))
    }

    fn read((first, second): &Self::Reader<'_>, row: usize) -> Option<Self> {
        Some((A::read(first, row)?, B::read(second, row)?))
    }
}

impl<A: DomainRow, B: DomainRow> DomainRow for (A, B) {
    type Domain = PairDomain<A::Domain, B::Domain>;

    fn domain(schema: &Schema, (first, second): Self::Names<'_>) -> Result<Self::Domain> {
        Ok(PairDomain::new(A::domain(schema, first)?, B::domain(schema, second)?))
    }
}
