//! Cells from Arrow arrays, and the batches of Parquet and IPC files.

#[cfg(any(feature = "parquet", feature = "ipc"))]
use crate::inspect::Inspection;
use crate::{
    Error, Result,
    gather::{Batches, Found, Gathered, Row, Unreadable},
    header::{listed, nearest},
    reader::{Absent, Declared, Plan, Reader},
};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, Float64Array, Int64Array, RecordBatch, cast::AsArray, new_empty_array,
    types::*,
};
use arrow_schema::{DataType, Schema, TimeUnit};
use indistinct::frames::{Column, Frame, FrameDomain, Kind};
use std::{
    borrow::{Borrow, Cow},
    fmt::Display,
    iter, str,
};

/// A reader of Arrow's record batches, and of Parquet and Arrow IPC files.
///
/// | kind of column | array types |
/// |---|---|
/// | float | floats of 16, 32 and 64 bits; integers and decimals, each as the nearest float |
/// | integer | all integers; floats and decimals, where a number that is not an integer is unreadable |
/// | bool | booleans |
/// | text | UTF-8, large and views; bytes, where invalid UTF-8 is unreadable; an empty text is missing, as in CSV |
/// | category | the types of text, with the column's labels |
/// | date | days (`Date32`); milliseconds (`Date64`), rounded down; timestamps without a time zone, which are unreadable unless they are at midnight |
/// | time | timestamps of any unit, rounded down to microseconds, and converted to UTC if they have a time zone; days, read as their midnight |
///
/// Dictionaries are read as their values, and an array of type `Null` has only missing cells. A number outside the
/// column's kind, such as an unsigned integer above 2^63, is unreadable. So the cells are the same if a library such as
/// pandas changes a column's type because values are missing: integers then become floats, and a column without values
/// has the type `Null`.
///
/// Nulls and NaN are missing; the memory under a null is never read. Columns of 64-bit floats and integers without
/// replacements are shared, not copied.
///
/// ```
/// use arrow_array::{Float64Array, RecordBatch};
/// use indistinct::frames::{ColumnDomain, FrameDomain};
/// use indistinct_tables::Arrow;
/// use std::sync::Arc;
/// let visits = FrameDomain::new([("visits", ColumnDomain::float().with_bounds(0.0, 40.0)?)])?;
/// let batch = RecordBatch::try_from_iter([("visits", Arc::new(Float64Array::from(vec![3.0, 55.0])) as _)])?;
/// let frame = Arrow::new().fill_null("visits", 0.0).batches([batch], &visits)?;
/// assert_eq!(frame.rows(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Arrow = Reader<Arrays>;

/// The format of Arrow's arrays, which needs no options.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "engine", derive(serde::Serialize, serde::Deserialize))]
pub struct Arrays(());

impl Arrow {
    /// Reads the columns of a domain from record batches; other columns are skipped.
    ///
    /// # Errors
    ///
    /// Before any batch is read, returns an error for options that contradict the domain, and for a column without a
    /// rule for missing cells. Then, returns an error for a column that is absent from a batch, repeated, or of a wrong
    /// type; for a number of rows other than the domain's; and for any violation of [`strict`](Reader::strict).
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

    /// Returns the same options for a domain with some of the columns, without the options for other columns. The
    /// reader reads the same rows. It refuses the domain if the domain lacks a column whose missing cells drop rows.
    pub fn of_columns(&self, domain: &FrameDomain) -> Self {
        Self { format: self.format, rules: self.rules.of_columns(domain) }
    }

    /// Checks everything that [`batches`](Arrow::batches) checks without a batch.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`batches`](Arrow::batches) before any batch is read.
    pub fn check(&self, domain: &FrameDomain) -> Result<()> {
        self.plan(domain).map(drop)
    }
}

impl Plan<'_> {
    /// Returns the positions of the columns in batches with this schema, if all are present and have types that their
    /// kinds read.
    #[cfg(any(feature = "parquet", feature = "ipc"))]
    pub(crate) fn layout(&self, schema: &Schema) -> Result<Vec<usize>> {
        let positions = self.positions_in(schema)?;
        for (column, position) in self.columns.iter().zip(&positions) {
            let found = schema.fields().get(*position).map_or(&DataType::Null, |field| field.data_type());
            if !reads(column.domain.kind(), found) {
                return Err(unfit(column, found));
            }
        }
        Ok(positions)
    }

    fn positions_in(&self, schema: &Schema) -> Result<Vec<usize>> {
        let names = schema.fields().iter().map(|field| field.name().as_str());
        let seen = |name: &str| format!("whose columns are {}{}", listed(names.clone()), nearest(name, names.clone()));
        self.positions(names.clone(), seen)
    }

    /// Reads the rows of a batch, after the rows read before.
    pub(crate) fn read(&self, batch: &RecordBatch, read: &mut Batches) -> Result<()> {
        let mut rows = vec![Row::default(); batch.num_rows()];
        let columns = self.columns.iter().zip(self.positions_in(&batch.schema())?);
        let columns = columns.map(|(column, position)| cells_of(column, batch.columns().get(position), &mut rows));
        let columns: Vec<Gathered> = columns.collect::<Result<_>>()?;
        read.push(&rows, columns)
    }

    /// Inspects batches, whose columns have these types in their file.
    #[cfg(any(feature = "parquet", feature = "ipc"))]
    pub(crate) fn inspection(
        &self,
        types: &Schema,
        batches: impl Iterator<Item = Result<RecordBatch>>,
    ) -> Result<Inspection> {
        let mut all = Inspection::of(self.columns.iter().map(|column| column.name));
        for (seen, position) in all.columns.iter_mut().zip(self.positions_in(types)?) {
            seen.found = types.fields().get(position).map(|field| named(field.data_type()));
        }
        let mut individuals = std::collections::HashMap::new();
        for batch in batches {
            self.inspect(&batch?, (&mut all, &mut individuals))?;
        }
        Ok(all.with_rows_of(&individuals))
    }

    /// Inspects the cells of a batch, after those of the batches before, and counts the rows of each individual.
    #[cfg(any(feature = "parquet", feature = "ipc"))]
    fn inspect(
        &self,
        batch: &RecordBatch,
        (all, individuals): (&mut Inspection, &mut std::collections::HashMap<String, u64>),
    ) -> Result<()> {
        let positions = self.positions_in(&batch.schema())?;
        for ((column, position), seen) in self.columns.iter().zip(positions).zip(&mut all.columns) {
            let mut rows = vec![Row::default(); batch.num_rows()];
            let cells = cells_of(&column.as_found(), batch.columns().get(position), &mut rows)?;
            if self.domain.individuals() == Some(column.name) {
                cells.names().into_iter().flatten().for_each(|individual| {
                    let rows = individuals.entry(individual).or_default();
                    *rows = rows.saturating_add(1);
                });
            }
            seen.add(all.records, cells.present().into_iter().zip(rows.iter().map(Row::is_unreadable)));
        }
        all.add(iter::repeat_n(false, batch.num_rows()));
        Ok(())
    }
}

fn cells_of<'a>(column: &Declared, array: Option<&'a ArrayRef>, rows: &mut [Row]) -> Result<Gathered<'a>> {
    let found = array.map_or(&DataType::Null, |array| array.data_type());
    array.and_then(|array| gather(column, array, rows)).ok_or_else(|| unfit(column, found))
}

/// The kinds that an error message may suggest.
const KINDS: [Kind; 6] = [Kind::Float, Kind::Integer, Kind::Bool, Kind::Text, Kind::Date, Kind::Time];

/// Returns the error for a column whose type does not fit its kind, with the kinds that would fit.
fn unfit(column: &Declared, found: &DataType) -> Error {
    let kinds: Vec<String> =
        KINDS.into_iter().filter(|kind| reads(*kind, found)).map(|kind| kind.to_string()).collect();
    let instead = match kinds.as_slice() {
        [] => "no kind of column can read it: write it with another type, or leave the column out".into(),
        kinds => format!("declare it as {}", kinds.join(" or ")),
    };
    let (found, declared) = (named(found), column.domain.kind());
    Error::column(column.name, format!("is {found} in the data, but declared as {declared}: {instead}"))
}

/// Returns a type in words.
pub(crate) fn named(found: &DataType) -> String {
    match found {
        DataType::Boolean => "bool".into(),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "string".into(),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            "bytes".into()
        }
        DataType::Date32 | DataType::Date64 => "date".into(),
        DataType::Timestamp(unit, None) => format!("timestamp({unit:?})").to_lowercase(),
        DataType::Timestamp(unit, Some(zone)) => {
            format!("{} in the time zone {zone:?}", named(&DataType::Timestamp(*unit, None)))
        }
        DataType::Time32(_) | DataType::Time64(_) => "time of day".into(),
        DataType::Duration(_) => "duration".into(),
        DataType::Interval(_) => "interval".into(),
        DataType::Decimal32(digits, places)
        | DataType::Decimal64(digits, places)
        | DataType::Decimal128(digits, places)
        | DataType::Decimal256(digits, places) => format!("decimal({digits}, {places})"),
        DataType::Dictionary(_, value) => format!("dictionary of {}", named(value)),
        DataType::Struct(_) => "struct".into(),
        DataType::Map(..) => "map".into(),
        DataType::Union(..) => "union".into(),
        nested if nested.is_nested() => "list".into(),
        // `Null`, and numbers: they are named as they are written.
        plain => plain.to_string().to_lowercase(),
    }
}

/// Returns true if arrays of a type can be read as columns of a kind. It tries an array without rows, so that the
/// answer depends on no row.
fn reads(kind: Kind, found: &DataType) -> bool {
    if found.is_nested() {
        return false;
    }
    let empty = new_empty_array(found);
    match kind {
        Kind::Float => cells(&empty, floats).is_some(),
        Kind::Integer => cells(&empty, integers).is_some(),
        Kind::Bool => cells(&empty, truths).is_some(),
        Kind::Text | Kind::Category => cells(&empty, texts).is_some(),
        Kind::Date => cells(&empty, dates).is_some(),
        Kind::Time => cells(&empty, times).is_some(),
        _ => false,
    }
}

/// Reads the cells of an array, if the column's kind can read its type.
fn gather<'a>(column: &Declared, array: &'a dyn Array, rows: &mut [Row]) -> Option<Gathered<'a>> {
    if let Some(whole) = as_it_is(column, array) {
        return Some(Gathered::Whole(whole));
    }
    Some(match column.domain.kind() {
        Kind::Float => {
            let floats = cells(array, floats)?.map(|found| Ok(found?.filter(|x| !x.is_nan())));
            Gathered::Floats(column.gather(floats, rows))
        }
        Kind::Integer => Gathered::Integers(column.gather(cells(array, integers)?, rows)),
        Kind::Bool => Gathered::Truths(column.gather(cells(array, truths)?, rows)),
        Kind::Text => Gathered::Texts(column.gather(words(array)?.map(|text| Ok(text?.map(Cow::Borrowed))), rows)),
        Kind::Category => {
            let labels = column.domain.labels()?;
            let place = |text: &str| labels.iter().zip(0..).find(|(label, _)| *label == text).map(|(_, place)| place);
            let position = |text: Found<&str>| text?.map(|text| place(text).ok_or(Unreadable)).transpose();
            Gathered::Integers(column.gather(words(array)?.map(position), rows))
        }
        Kind::Date => Gathered::Integers(column.gather(cells(array, dates)?, rows)),
        Kind::Time => Gathered::Integers(column.gather(cells(array, times)?, rows)),
        _ => return None,
    })
}

/// Returns the array itself, if its type is the column's and every cell is in the column's domain.
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

type Cells<'a, T> = Box<dyn Iterator<Item = Found<T>> + 'a>;

/// Returns the cells of an array; `plain` reads an array without a dictionary. Returns `None` if the type is not
/// supported.
fn cells<'a, T: Clone + 'a>(
    array: &'a dyn Array,
    plain: fn(&'a dyn Array) -> Option<Cells<'a, T>>,
) -> Option<Cells<'a, T>> {
    match array.data_type() {
        DataType::Null => Some(Box::new(iter::repeat_n(Ok(None), array.len()))),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary_opt()?;
            let (keys, values) = (dictionary.keys(), plain(dictionary.values())?.collect::<Vec<_>>());
            if values.is_empty() {
                return Some(Box::new(iter::repeat_n(Ok(None), array.len())));
            }
            let places = dictionary.normalized_keys().into_iter().enumerate();
            let value = move |(row, place): (usize, usize)| match values.get(place) {
                Some(value) if keys.is_valid(row) => value.clone(),
                _ => Ok(None),
            };
            Some(Box::new(places.map(value)))
        }
        _ => plain(array),
    }
}

/// Converts each value of an array of this type, where the conversion succeeds.
fn each<P: ArrowPrimitiveType, T>(
    array: &dyn Array,
    image: impl Fn(P::Native) -> Option<T> + 'static,
) -> Option<Cells<'_, T>> {
    let image = move |x: Option<P::Native>| x.map(|x| image(x).ok_or(Unreadable)).transpose();
    Some(Box::new(array.as_primitive_opt::<P>()?.iter().map(image)))
}

/// Converts all numbers of an array without loss.
fn all<P: ArrowPrimitiveType, T: From<P::Native>>(array: &dyn Array) -> Option<Cells<'_, T>> {
    each::<P, T>(array, |x| Some(T::from(x)))
}

fn floats(array: &dyn Array) -> Option<Cells<'_, f64>> {
    match array.data_type() {
        DataType::Float64 => all::<Float64Type, _>(array),
        DataType::Float32 => all::<Float32Type, _>(array),
        DataType::Float16 => all::<Float16Type, _>(array),
        DataType::Int64 => each::<Int64Type, _>(array, |n| Some(nearest_float(n))),
        DataType::Int32 => all::<Int32Type, _>(array),
        DataType::Int16 => all::<Int16Type, _>(array),
        DataType::Int8 => all::<Int8Type, _>(array),
        DataType::UInt64 => each::<UInt64Type, _>(array, |n| decimal_float(i128::from(n), 0)),
        DataType::UInt32 => all::<UInt32Type, _>(array),
        DataType::UInt16 => all::<UInt16Type, _>(array),
        DataType::UInt8 => all::<UInt8Type, _>(array),
        DataType::Decimal32(_, places) => decimals::<Decimal32Type, _>(array, *places, decimal_float),
        DataType::Decimal64(_, places) => decimals::<Decimal64Type, _>(array, *places, decimal_float),
        DataType::Decimal128(_, places) => decimals::<Decimal128Type, _>(array, *places, decimal_float),
        DataType::Decimal256(_, places) => {
            let places = *places;
            each::<Decimal256Type, _>(array, move |n| scientific(n, places))
        }
        _ => None,
    }
}

fn integers(array: &dyn Array) -> Option<Cells<'_, i64>> {
    match array.data_type() {
        DataType::Int64 => all::<Int64Type, _>(array),
        DataType::Int32 => all::<Int32Type, _>(array),
        DataType::Int16 => all::<Int16Type, _>(array),
        DataType::Int8 => all::<Int8Type, _>(array),
        DataType::UInt64 => each::<UInt64Type, _>(array, |n| i64::try_from(n).ok()),
        DataType::UInt32 => all::<UInt32Type, _>(array),
        DataType::UInt16 => all::<UInt16Type, _>(array),
        DataType::UInt8 => all::<UInt8Type, _>(array),
        DataType::Decimal32(_, places) => decimals::<Decimal32Type, _>(array, *places, whole_digits),
        DataType::Decimal64(_, places) => decimals::<Decimal64Type, _>(array, *places, whole_digits),
        DataType::Decimal128(_, places) => decimals::<Decimal128Type, _>(array, *places, whole_digits),
        DataType::Decimal256(_, places) => {
            let places = *places;
            each::<Decimal256Type, _>(array, move |n| whole_digits(n, places))
        }
        // NaN is missing, as among floats.
        _ => Some(Box::new(floats_as_they_are(array)?.map(|x| match x?.filter(|x| !x.is_nan()) {
            Some(x) => whole(x).ok_or(Unreadable).map(Some),
            None => Ok(None),
        }))),
    }
}

fn floats_as_they_are(array: &dyn Array) -> Option<Cells<'_, f64>> {
    let is_float = matches!(array.data_type(), DataType::Float16 | DataType::Float32 | DataType::Float64);
    if is_float { floats(array) } else { None }
}

fn truths(array: &dyn Array) -> Option<Cells<'_, bool>> {
    Some(Box::new(array.as_boolean_opt()?.iter().map(Ok)))
}

/// Converts decimals, given as digits without a point and the number of decimal places.
fn decimals<P: ArrowPrimitiveType<Native: Into<i128>>, T: 'static>(
    array: &dyn Array,
    places: i8,
    image: fn(i128, i8) -> Option<T>,
) -> Option<Cells<'_, T>> {
    each::<P, T>(array, move |n| image(n.into(), places))
}

/// Returns the nearest float: both halves are exact, and so is the product of the first; only their sum is rounded.
fn nearest_float(n: i64) -> f64 {
    let (high, low) = (i32::try_from(n >> 32).unwrap_or_default(), u32::try_from(n & 0xffff_ffff).unwrap_or_default());
    f64::from(high) * 4_294_967_296.0 + f64::from(low)
}

/// The powers of ten that are exact floats.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Returns the float nearest to a decimal.
fn decimal_float(digits: i128, places: i8) -> Option<f64> {
    let power = usize::try_from(places).ok().and_then(|places| POWERS.get(places));
    match (i64::try_from(digits), power) {
        // Both are floats, and their quotient alone is rounded.
        (Ok(n), Some(power)) if n.unsigned_abs() <= 1 << 53 => Some(nearest_float(n) / power),
        _ => scientific(digits, places),
    }
}

/// Like `decimal_float`, for any number of digits: the standard library parses the nearest float.
fn scientific(digits: impl Display, places: i8) -> Option<f64> {
    format!("{digits}e{}", -i16::from(places)).parse().ok()
}

/// Returns the integer equal to a decimal, if it fits in 64 bits.
fn whole_digits(digits: impl Display, places: i8) -> Option<i64> {
    let digits = digits.to_string();
    let Ok(places) = usize::try_from(places) else {
        let zeros = usize::from(places.unsigned_abs());
        return format!("{digits}{}", "0".repeat(zeros)).parse().ok();
    };
    let (sign, digits) = digits.strip_prefix('-').map_or(("", &*digits), |digits| ("-", digits));
    let (whole, fraction) = digits.split_at_checked(digits.len().saturating_sub(places))?;
    if !fraction.bytes().all(|digit| digit == b'0') {
        return None;
    }
    format!("{sign}0{whole}").parse().ok()
}

/// Returns the integer equal to a float, if it fits in 64 bits.
fn whole(x: f64) -> Option<i64> {
    let (bits, is_negative) = (x.to_bits(), x.is_sign_negative());
    let exponent = i64::try_from(bits >> 52 & 0x7ff).ok()?;
    let digits = i128::from(bits & ((1 << 52) - 1) | if exponent > 0 { 1 << 52 } else { 0 });
    // The float is the digits times 2 to this power.
    let magnitude = match exponent.max(1) - 1075 {
        power @ 0..=63 => digits << power,
        power @ -1074..=-1 => {
            let power = u32::try_from(-power).ok()?.min(64);
            if digits.trailing_zeros() < power && digits != 0 {
                return None;
            }
            digits >> power
        }
        _ => return None,
    };
    i64::try_from(if is_negative { -magnitude } else { magnitude }).ok()
}

/// Microseconds in a day.
const DAY: i64 = 86_400_000_000;

fn dates(array: &dyn Array) -> Option<Cells<'_, i64>> {
    match array.data_type() {
        DataType::Date32 => all::<Date32Type, _>(array),
        DataType::Date64 => each::<Date64Type, _>(array, |milliseconds| Some(milliseconds.div_euclid(86_400_000))),
        // Of a time in UTC the day is not that of the place.
        DataType::Timestamp(unit, None) => {
            ticks(array, *unit, |time| (time.rem_euclid(DAY) == 0).then_some(time.div_euclid(DAY)))
        }
        _ => None,
    }
}

fn times(array: &dyn Array) -> Option<Cells<'_, i64>> {
    match array.data_type() {
        DataType::Timestamp(unit, _) => ticks(array, *unit, Some),
        DataType::Date32 => each::<Date32Type, _>(array, |day| i64::from(day).checked_mul(DAY)),
        DataType::Date64 => each::<Date64Type, _>(array, |time| time.checked_mul(1_000)),
        _ => None,
    }
}

/// Returns the cells of timestamps; `image` converts from microseconds.
fn ticks(array: &dyn Array, unit: TimeUnit, image: fn(i64) -> Option<i64>) -> Option<Cells<'_, i64>> {
    match unit {
        TimeUnit::Second => each::<TimestampSecondType, _>(array, move |time| image(time.checked_mul(1_000_000)?)),
        TimeUnit::Millisecond => {
            each::<TimestampMillisecondType, _>(array, move |time| image(time.checked_mul(1_000)?))
        }
        TimeUnit::Microsecond => each::<TimestampMicrosecondType, _>(array, image),
        TimeUnit::Nanosecond => each::<TimestampNanosecondType, _>(array, move |time| image(time.div_euclid(1_000))),
    }
}

/// Returns the texts of a column; an empty text is missing.
fn words(array: &dyn Array) -> Option<Cells<'_, &str>> {
    Some(Box::new(cells(array, texts)?.map(|text| Ok(text?.filter(|text| !text.is_empty())))))
}

fn texts<'a>(array: &'a dyn Array) -> Option<Cells<'a, &'a str>> {
    let read = |bytes: Option<&'a [u8]>| bytes.map(|bytes| str::from_utf8(bytes).map_err(|_| Unreadable)).transpose();
    Some(match array.data_type() {
        DataType::Utf8 => Box::new(array.as_string_opt::<i32>()?.iter().map(Ok)),
        DataType::LargeUtf8 => Box::new(array.as_string_opt::<i64>()?.iter().map(Ok)),
        DataType::Utf8View => Box::new(array.as_string_view_opt()?.iter().map(Ok)),
        DataType::Binary => Box::new(array.as_binary_opt::<i32>()?.iter().map(read)),
        DataType::LargeBinary => Box::new(array.as_binary_opt::<i64>()?.iter().map(read)),
        DataType::BinaryView => Box::new(array.as_binary_view_opt()?.iter().map(read)),
        _ => return None,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{decimal_float, nearest_float, whole, whole_digits};

    /// The nearest floats, and ties, which go to the even one.
    #[test]
    fn integers_and_decimals_are_the_nearest_floats() {
        let steps = [0, 1, 2, 3, 511, 512, 513, 1023, 1024, 1025, 1536, 1537];
        for power in 0..63u32 {
            for n in steps.into_iter().flat_map(|step| [(1i64 << power) + step, (1 << power) - step]) {
                for n in [n, -n] {
                    assert_eq!(nearest_float(n), n.to_string().parse::<f64>().unwrap(), "{n}");
                }
            }
        }
        for n in [i64::MIN, i64::MAX, i64::MIN + 1] {
            assert_eq!(nearest_float(n), n.to_string().parse::<f64>().unwrap(), "{n}");
        }
        for (digits, places, text) in [
            (110, 2, "1.10"),
            (1_234_567_890_123_456, 2, "12345678901234.56"),
            (9_007_199_254_740_993, 3, "9007199254740.993"),
            (-1, 38, "-1e-38"),
            (i128::MAX, 0, "170141183460469231731687303715884105727"),
            (7, -3, "7000"),
            (0, 5, "0"),
        ] {
            assert_eq!(decimal_float(digits, places), Some(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_those_without_a_fraction() {
        let whole_floats = [0.0, -0.0, 1.0, -3.0, 9_007_199_254_740_993.0, 9.2e18, -9_223_372_036_854_775_808.0, 1e18];
        for x in whole_floats {
            assert_eq!(whole(x).map(nearest_float), Some(x), "{x}");
        }
        let others = [0.5, -1.5, 1e19, 9_223_372_036_854_775_808.0, f64::INFINITY, f64::NAN, f64::MIN_POSITIVE, 5e-324];
        for x in others {
            assert_eq!(whole(x), None, "{x}");
        }
        for (digits, places, expected) in [
            (1700, 2, Some(17)),
            (-1700, 2, Some(-17)),
            (1750, 2, None),
            (0, 2, Some(0)),
            (5, 2, None),
            (7, -2, Some(700)),
            (922_337_203_685_477_580_800i128, 2, None),
            (-922_337_203_685_477_580_800i128, 2, Some(i64::MIN)),
        ] {
            assert_eq!(whole_digits(digits, places), expected, "{digits} {places}");
        }
    }
}
