//! Cells from Arrow arrays, and the batches of Parquet and IPC files.

use crate::{
    Error, Result,
    gather::{Batches, Found, Gathered, Row, Unreadable},
    header::{listed, nearest},
    reader::{Absent, Declared, Plan, Reader},
};
use arrow_array::{Array, ArrowPrimitiveType, Float64Array, Int64Array, RecordBatch, cast::AsArray, types::*};
use arrow_schema::{DataType, SchemaRef, TimeUnit};
use indistinct::frames::{Column, Frame, FrameDomain, Kind};
use std::{
    borrow::{Borrow, Cow},
    iter,
};

/// A reader of Arrow's record batches, and of the files in which they are kept.
///
/// | kind of column | types of arrays |
/// |---|---|
/// | float | floats of 16, 32 and 64 bits; integers of at most 32 bits |
/// | integer | all integers; of those without sign, what 63 bits hold |
/// | bool | booleans |
/// | text | UTF-8, large, views and dictionaries of these; an empty one is missing, as in CSV |
/// | category | texts that are labels |
/// | date | days (`Date32`), and milliseconds (`Date64`), rounded down |
/// | time | timestamps without a time zone, of any unit, rounded down to microseconds |
///
/// A null is missing, and so is NaN; what lies in memory below a null is never looked at. Columns of 64-bit floats and
/// integers in which nothing is to be replaced are shared, not copied.
///
/// ```
/// use arrow_array::{Float64Array, RecordBatch};
/// use indistinct::frames::{ColumnDomain, FrameDomain};
/// use indistinct_tables::Arrow;
/// use std::sync::Arc;
/// let visits = FrameDomain::new([("visits", ColumnDomain::float().with_bounds(0.0, 40.0)?)])?;
/// let batch = RecordBatch::try_from_iter([("visits", Arc::new(Float64Array::from(vec![3.0, 55.0])) as _)])?;
/// let frame = Arrow::new().fill("visits", 0.0).batches([batch], &visits)?;
/// assert_eq!(frame.rows(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Arrow = Reader<Arrays>;

/// Arrow's arrays, which say themselves how they are to be read.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "engine", derive(serde::Serialize, serde::Deserialize))]
pub struct Arrays(());

impl Arrow {
    /// The columns of a domain from record batches; what else is in them is skipped.
    ///
    /// # Errors
    ///
    /// Before any batch is looked at: options that do not go with the domain, and a column for which nothing is
    /// declared about missing cells. Then: a column that is not in a batch, or twice, or of a type that does not fit;
    /// another number of rows than the domain declares; what is [`strict`](Reader::strict).
    pub fn batches(
        &self,
        batches: impl IntoIterator<Item: Borrow<RecordBatch>>,
        domain: &FrameDomain,
    ) -> Result<Frame> {
        let plan = self.plan(domain)?;
        let mut read = Batches::new(&plan);
        for batch in batches {
            plan.read(batch.borrow(), &mut read)?;
        }
        read.finish()
    }

    /// The same options for a domain with some of the columns: those about other columns are left out. It reads the
    /// same rows, or the domain is refused, because a column is missing without whose value a row is left out.
    pub fn of_columns(&self, domain: &FrameDomain) -> Self {
        Self { format: self.format, rules: self.rules.of_columns(domain) }
    }

    /// The errors of [`batches`](Arrow::batches) that need no batch.
    ///
    /// # Errors
    ///
    /// As those of [`batches`](Arrow::batches) before any is looked at.
    pub fn check(&self, domain: &FrameDomain) -> Result<()> {
        self.plan(domain).map(drop)
    }
}

impl Plan<'_> {
    /// Where the columns are in batches of this schema, if all are.
    pub(crate) fn positions_in(&self, schema: &SchemaRef) -> Result<Vec<usize>> {
        let names = schema.fields().iter().map(|field| field.name().as_str());
        let seen = |name: &str| format!("whose columns are {}{}", listed(names.clone()), nearest(name, names.clone()));
        self.positions(names.clone(), seen)
    }

    /// The rows of a batch, after those that were read before.
    pub(crate) fn read(&self, batch: &RecordBatch, read: &mut Batches) -> Result<()> {
        let mut rows = vec![Row::default(); batch.num_rows()];
        let columns = self.columns.iter().zip(self.positions_in(&batch.schema())?).map(|(column, position)| {
            let array = batch.columns().get(position);
            let cells = array.and_then(|array| gather(column, array, &mut rows));
            let rule =
                || format!("has a type in the data that does not fit the declared one, {}", column.domain.kind());
            cells.ok_or_else(|| Error::column(column.name, rule()))
        });
        let columns: Vec<Gathered> = columns.collect::<Result<_>>()?;
        read.push(&rows, columns)
    }
}

/// The cells of an array, if its type is one whose values are all of the column's kind.
fn gather<'a>(column: &Declared, array: &'a dyn Array, rows: &mut [Row]) -> Option<Gathered<'a>> {
    if let Some(whole) = as_it_is(column, array) {
        return Some(Gathered::Whole(whole));
    }
    Some(match column.domain.kind() {
        Kind::Float => Gathered::Floats(column.gather(floats(array)?.map(|x| Ok(x.filter(|x| !x.is_nan()))), rows)),
        Kind::Integer => Gathered::Integers(column.gather(integers(array)?, rows)),
        Kind::Bool => Gathered::Truths(column.gather(array.as_boolean_opt()?.iter().map(Ok), rows)),
        Kind::Text => Gathered::Texts(column.gather(texts(array)?.map(|text| Ok(text.map(Cow::Borrowed))), rows)),
        Kind::Category => {
            let labels = column.domain.labels()?;
            let place = |text: &str| labels.iter().zip(0..).find(|(label, _)| *label == text).map(|(_, place)| place);
            let position = |text: Option<&str>| text.map(|text| place(text).ok_or(Unreadable)).transpose();
            Gathered::Integers(column.gather(texts(array)?.map(position), rows))
        }
        Kind::Date => Gathered::Integers(column.gather(dates(array)?, rows)),
        Kind::Time => Gathered::Integers(column.gather(times(array)?, rows)),
        _ => return None,
    })
}

/// The array itself, if it is kept so and every cell of it is as the column's domain says.
fn as_it_is(column: &Declared, array: &dyn Array) -> Option<Column> {
    let stays = matches!(column.absent, Absent::Stays);
    match column.domain.kind() {
        // A null has some number below it in memory, so that an array with nulls is not kept.
        Kind::Float => {
            let array: &Float64Array =
                array.as_primitive_opt::<Float64Type>().filter(|array| array.null_count() == 0)?;
            let (lower, upper) = column.floats.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
            let is_value = |x: &f64| (lower <= *x) & (*x <= upper) | stays & x.is_nan();
            array.values().iter().fold(true, |all, x| all & is_value(x)).then(|| array.clone().into())
        }
        Kind::Integer => {
            let array: &Int64Array = array.as_primitive_opt::<Int64Type>()?;
            let (lower, upper) = column.integers.unwrap_or((i64::MIN, i64::MAX));
            let is_whole = array.null_count() == 0 || stays;
            let is_value = |n: i64| (lower <= n) & (n <= upper);
            (is_whole && array.iter().flatten().fold(true, |all, n| all & is_value(n))).then(|| array.clone().into())
        }
        _ => None,
    }
}

type Cells<'a, T> = Box<dyn Iterator<Item = T> + 'a>;

/// The numbers of an array of this type, each as another that holds it.
fn numbers<P: ArrowPrimitiveType, T: From<P::Native> + 'static>(array: &dyn Array) -> Option<Cells<'_, Option<T>>> {
    Some(Box::new(array.as_primitive_opt::<P>()?.iter().map(|x| x.map(T::from))))
}

fn floats(array: &dyn Array) -> Option<Cells<'_, Option<f64>>> {
    match array.data_type() {
        DataType::Float64 => numbers::<Float64Type, _>(array),
        DataType::Float32 => numbers::<Float32Type, _>(array),
        DataType::Float16 => numbers::<Float16Type, _>(array),
        DataType::Int32 => numbers::<Int32Type, _>(array),
        DataType::Int16 => numbers::<Int16Type, _>(array),
        DataType::Int8 => numbers::<Int8Type, _>(array),
        DataType::UInt32 => numbers::<UInt32Type, _>(array),
        DataType::UInt16 => numbers::<UInt16Type, _>(array),
        DataType::UInt8 => numbers::<UInt8Type, _>(array),
        _ => None,
    }
}

/// Integers, if they all are such as `T` holds.
fn all<'a>(numbers: Option<Cells<'a, Option<i64>>>) -> Option<Cells<'a, Found<i64>>> {
    Some(Box::new(numbers?.map(Ok)))
}

fn integers(array: &dyn Array) -> Option<Cells<'_, Found<i64>>> {
    match array.data_type() {
        DataType::Int64 => all(numbers::<Int64Type, _>(array)),
        DataType::Int32 => all(numbers::<Int32Type, _>(array)),
        DataType::Int16 => all(numbers::<Int16Type, _>(array)),
        DataType::Int8 => all(numbers::<Int8Type, _>(array)),
        DataType::UInt64 => checked::<UInt64Type>(array, |n| i64::try_from(n).ok()),
        DataType::UInt32 => all(numbers::<UInt32Type, _>(array)),
        DataType::UInt16 => all(numbers::<UInt16Type, _>(array)),
        DataType::UInt8 => all(numbers::<UInt8Type, _>(array)),
        _ => None,
    }
}

fn dates(array: &dyn Array) -> Option<Cells<'_, Found<i64>>> {
    match array.data_type() {
        DataType::Date32 => all(numbers::<Date32Type, _>(array)),
        DataType::Date64 => checked::<Date64Type>(array, |milliseconds| Some(milliseconds.div_euclid(86_400_000))),
        _ => None,
    }
}

fn times(array: &dyn Array) -> Option<Cells<'_, Found<i64>>> {
    match array.data_type() {
        DataType::Timestamp(TimeUnit::Second, None) => {
            checked::<TimestampSecondType>(array, |time| time.checked_mul(1_000_000))
        }
        DataType::Timestamp(TimeUnit::Millisecond, None) => {
            checked::<TimestampMillisecondType>(array, |time| time.checked_mul(1_000))
        }
        DataType::Timestamp(TimeUnit::Microsecond, None) => all(numbers::<TimestampMicrosecondType, _>(array)),
        DataType::Timestamp(TimeUnit::Nanosecond, None) => {
            checked::<TimestampNanosecondType>(array, |time| Some(time.div_euclid(1_000)))
        }
        _ => None,
    }
}

/// The values of an array of this type, each as an integer if there is one.
fn checked<P: ArrowPrimitiveType>(
    array: &dyn Array,
    image: fn(P::Native) -> Option<i64>,
) -> Option<Cells<'_, Found<i64>>> {
    let image = move |x: Option<P::Native>| x.map(|x| image(x).ok_or(Unreadable)).transpose();
    Some(Box::new(array.as_primitive_opt::<P>()?.iter().map(image)))
}

/// Texts; an empty one is missing.
fn texts(array: &dyn Array) -> Option<Cells<'_, Option<&str>>> {
    let texts: Cells<Option<&str>> = match array.data_type() {
        DataType::Utf8 => Box::new(array.as_string_opt::<i32>()?.iter()),
        DataType::LargeUtf8 => Box::new(array.as_string_opt::<i64>()?.iter()),
        DataType::Utf8View => Box::new(array.as_string_view_opt()?.iter()),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary_opt()?;
            let (keys, words) = (dictionary.keys(), texts(dictionary.values())?.collect::<Vec<_>>());
            if words.is_empty() {
                Box::new(iter::repeat_n(None, array.len()))
            } else {
                let places = dictionary.normalized_keys().into_iter().enumerate();
                let word = move |(row, place): (usize, usize)| {
                    words.get(place).copied().flatten().filter(|_| keys.is_valid(row))
                };
                Box::new(places.map(word))
            }
        }
        _ => return None,
    };
    Some(Box::new(texts.map(|text| text.filter(|text| !text.is_empty()))))
}
