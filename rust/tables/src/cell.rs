//! The types of cells, and how each is read, kept and replaced.

use crate::missing::Missing;
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int64Array, LargeStringArray, cast::AsArray, types::*};
use arrow_schema::DataType;
use std::sync::Arc;

/// The types that a column may have: `f64`, `i64`, `bool` and `String`.
#[allow(private_bounds)]
pub trait Cell: CellKind {}

impl<T: CellKind> Cell for T {}

/// What a cell type can do; `None` is a missing cell.
pub(crate) trait CellKind: Clone + Send + Sync + Sized + 'static {
    /// The arrays that columns of this type are kept in.
    type Kept: Array + Clone + 'static;

    /// A cell of a CSV file.
    fn parse(text: &str) -> Option<Self>;

    /// The cells of an Arrow array, if its type is one whose values are all of this type.
    fn cells(array: &dyn Array) -> Option<Box<dyn Iterator<Item = Option<Self>> + '_>>;

    /// The array itself, if it can be kept as it is.
    fn as_kept(_array: &dyn Array, _missing: &Missing<Self>) -> Option<Self::Kept> {
        None
    }

    /// The array that keeps these cells, missing ones as declared.
    fn keep(cells: impl Iterator<Item = Option<Self>>, missing: &Missing<Self>) -> Self::Kept;

    /// Whether a value may stand for what is missing.
    fn is_value(&self) -> bool {
        true
    }
}

/// The cells, with a value for missing ones if one is declared.
fn filled<T: Clone>(cells: impl Iterator<Item = Option<T>>, missing: &Missing<T>) -> impl Iterator<Item = Option<T>> {
    let value = match missing {
        Missing::Is(value) => Some(value.clone()),
        Missing::Stays => None,
    };
    cells.map(move |cell| cell.or_else(|| value.clone()))
}

impl CellKind for f64 {
    type Kept = Float64Array;

    fn parse(text: &str) -> Option<Self> {
        text.trim_ascii().parse().ok().filter(|x: &f64| !x.is_nan())
    }

    fn cells(array: &dyn Array) -> Option<Box<dyn Iterator<Item = Option<Self>> + '_>> {
        let numbers: Box<dyn Iterator<Item = Option<f64>>> = match array.data_type() {
            DataType::Float64 => Box::new(array.as_primitive_opt::<Float64Type>()?.iter()),
            DataType::Float32 => Box::new(array.as_primitive_opt::<Float32Type>()?.iter().map(|x| x.map(f64::from))),
            DataType::Int32 => Box::new(array.as_primitive_opt::<Int32Type>()?.iter().map(|x| x.map(f64::from))),
            DataType::Int16 => Box::new(array.as_primitive_opt::<Int16Type>()?.iter().map(|x| x.map(f64::from))),
            DataType::Int8 => Box::new(array.as_primitive_opt::<Int8Type>()?.iter().map(|x| x.map(f64::from))),
            DataType::UInt32 => Box::new(array.as_primitive_opt::<UInt32Type>()?.iter().map(|x| x.map(f64::from))),
            DataType::UInt16 => Box::new(array.as_primitive_opt::<UInt16Type>()?.iter().map(|x| x.map(f64::from))),
            DataType::UInt8 => Box::new(array.as_primitive_opt::<UInt8Type>()?.iter().map(|x| x.map(f64::from))),
            _ => return None,
        };
        Some(Box::new(numbers.map(|x| x.filter(|x| !x.is_nan()))))
    }

    /// A null has some number below it in memory, so that an array with nulls is not kept.
    fn as_kept(array: &dyn Array, missing: &Missing<Self>) -> Option<Float64Array> {
        let array = array.as_primitive_opt::<Float64Type>().filter(|array| array.null_count() == 0)?;
        let stays = matches!(missing, Missing::Stays);
        (stays || !array.values().iter().any(|x| x.is_nan())).then(|| array.clone())
    }

    fn keep(cells: impl Iterator<Item = Option<Self>>, missing: &Missing<Self>) -> Float64Array {
        filled(cells, missing).map(|cell| cell.unwrap_or(f64::NAN)).collect::<Vec<_>>().into()
    }

    fn is_value(&self) -> bool {
        !self.is_nan()
    }
}

impl CellKind for i64 {
    type Kept = Int64Array;

    /// Decimals whose places are all 0 are whole numbers: `8.0` is what becomes of 8 where a program keeps a column
    /// with missing cells in floats.
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim_ascii();
        let whole = text.split_once('.').filter(|(_, places)| places.bytes().all(|digit| digit == b'0'));
        whole.map_or(text, |(whole, _)| whole).parse().ok()
    }

    fn cells(array: &dyn Array) -> Option<Box<dyn Iterator<Item = Option<Self>> + '_>> {
        Some(match array.data_type() {
            DataType::Int64 => Box::new(array.as_primitive_opt::<Int64Type>()?.iter()),
            DataType::Int32 => Box::new(array.as_primitive_opt::<Int32Type>()?.iter().map(|x| x.map(i64::from))),
            DataType::Int16 => Box::new(array.as_primitive_opt::<Int16Type>()?.iter().map(|x| x.map(i64::from))),
            DataType::Int8 => Box::new(array.as_primitive_opt::<Int8Type>()?.iter().map(|x| x.map(i64::from))),
            DataType::UInt32 => Box::new(array.as_primitive_opt::<UInt32Type>()?.iter().map(|x| x.map(i64::from))),
            DataType::UInt16 => Box::new(array.as_primitive_opt::<UInt16Type>()?.iter().map(|x| x.map(i64::from))),
            DataType::UInt8 => Box::new(array.as_primitive_opt::<UInt8Type>()?.iter().map(|x| x.map(i64::from))),
            _ => return None,
        })
    }

    fn as_kept(array: &dyn Array, missing: &Missing<Self>) -> Option<Int64Array> {
        let array = array.as_primitive_opt::<Int64Type>()?;
        (array.null_count() == 0 || matches!(missing, Missing::Stays)).then(|| array.clone())
    }

    fn keep(cells: impl Iterator<Item = Option<Self>>, missing: &Missing<Self>) -> Int64Array {
        match missing {
            Missing::Is(value) => cells.map(|cell| cell.unwrap_or(*value)).collect::<Vec<_>>().into(),
            Missing::Stays => cells.collect(),
        }
    }
}

impl CellKind for bool {
    type Kept = BooleanArray;

    fn parse(text: &str) -> Option<Self> {
        match text.trim_ascii() {
            "1" => Some(true),
            "0" => Some(false),
            word if word.eq_ignore_ascii_case("true") => Some(true),
            word if word.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        }
    }

    fn cells(array: &dyn Array) -> Option<Box<dyn Iterator<Item = Option<Self>> + '_>> {
        Some(Box::new(array.as_boolean_opt()?.iter()))
    }

    fn keep(cells: impl Iterator<Item = Option<Self>>, missing: &Missing<Self>) -> BooleanArray {
        filled(cells, missing).collect()
    }
}

impl CellKind for String {
    type Kept = LargeStringArray;

    fn parse(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| text.to_owned())
    }

    fn cells(array: &dyn Array) -> Option<Box<dyn Iterator<Item = Option<Self>> + '_>> {
        let text = |cell: Option<&str>| cell.and_then(Self::parse);
        Some(match array.data_type() {
            DataType::Utf8 => Box::new(array.as_string_opt::<i32>()?.iter().map(text)),
            DataType::LargeUtf8 => Box::new(array.as_string_opt::<i64>()?.iter().map(text)),
            DataType::Utf8View => Box::new(array.as_string_view_opt()?.iter().map(text)),
            _ => return None,
        })
    }

    fn keep(cells: impl Iterator<Item = Option<Self>>, missing: &Missing<Self>) -> LargeStringArray {
        filled(cells, missing).collect()
    }
}

/// Takes in the cells of a column, whatever its type.
pub(crate) trait Collector {
    /// One cell of a CSV file; nothing if there is none.
    fn push(&mut self, text: Option<&[u8]>);
    /// Cells of an Arrow array; whether its type fits.
    fn extend(&mut self, array: &dyn Array) -> bool;
    /// The column of an Arrow array alone; nothing if its type does not fit.
    fn adopt(&self, array: &dyn Array) -> Option<ArrayRef>;
    /// The column.
    fn finish(self: Box<Self>) -> ArrayRef;
}

pub(crate) struct Cells<T> {
    cells: Vec<Option<T>>,
    missing: Missing<T>,
}

impl<T> Cells<T> {
    pub(crate) fn new(missing: Missing<T>) -> Self {
        Self { cells: Vec::new(), missing }
    }
}

impl<T: CellKind> Collector for Cells<T> {
    fn push(&mut self, text: Option<&[u8]>) {
        self.cells.push(text.and_then(|bytes| T::parse(str::from_utf8(bytes).ok()?)));
    }

    fn extend(&mut self, array: &dyn Array) -> bool {
        T::cells(array).map(|cells| self.cells.extend(cells)).is_some()
    }

    fn adopt(&self, array: &dyn Array) -> Option<ArrayRef> {
        let kept = T::as_kept(array, &self.missing);
        Some(Arc::new(kept.or_else(|| Some(T::keep(T::cells(array)?, &self.missing)))?))
    }

    fn finish(self: Box<Self>) -> ArrayRef {
        Arc::new(T::keep(self.cells.into_iter(), &self.missing))
    }
}
