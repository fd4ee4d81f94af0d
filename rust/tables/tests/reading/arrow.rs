//! Frames from record batches, and from the files in which they are kept.

use super::{cells, float, four, four_filled, lenient, rows, said, whole};
use arrow_array::{types::*, *};
use indistinct::{
    frames::{Cell, ColumnDomain, FrameDomain, then_rows},
    prelude::*,
};
use indistinct_tables::Arrow;
use std::sync::Arc;

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

fn four_columns() -> RecordBatch {
    batch(vec![
        ("skipped", Arc::new(UInt64Array::from(vec![1, 2, 3, 4]))),
        ("t", Arc::new(StringArray::from(vec![Some("a"), None, Some(""), Some("d")]))),
        ("n", Arc::new(Int16Array::from(vec![Some(5), None, Some(-7), Some(0)]))),
        ("b", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false), Some(true)]))),
        ("x", Arc::new(Float64Array::from(vec![Some(0.5), None, Some(f64::NAN), Some(-0.0)]))),
    ])
}

fn filled() -> Arrow {
    Arrow::new().fill_null("x", -1.0).fill_null("n", -1).fill_null("b", false).fill_null("t", "?")
}

fn filled_rows() -> Vec<Vec<Cell>> {
    let row = |x, n, b: bool, t: &str| vec![float(x), whole(n), b.into(), t.into()];
    vec![row(0.5, 5, true, "a"), row(-1.0, -1, false, "?"), row(-1.0, -7, false, "?"), row(-0.0, 0, true, "d")]
}

fn lenient_rows() -> Vec<Vec<Cell>> {
    let mut rows = filled_rows();
    rows[1] = vec![Cell::Missing; 4];
    rows[2] = vec![Cell::Missing, whole(-7), false.into(), Cell::Missing];
    rows
}

#[test]
fn batches() {
    let batch = four_columns();
    let frame = filled().batches([&batch, &batch], &four_filled()).unwrap();
    assert_eq!(rows(&frame), [filled_rows(), filled_rows()].concat());
    assert!(four_filled().member(&frame));
    assert_eq!(rows(&Arrow::new().batches([batch], &four()).unwrap()), lenient_rows());
    let error = said(Arrow::new().batches([four_columns()], &four_filled()).unwrap_err());
    assert!(error.starts_with("column x: must declare how to treat missing cells"), "{error}");
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_files() {
    use parquet::{arrow::ArrowWriter, basic::Compression, file::properties::WriterProperties};
    let (batch, directory) = (four_columns(), tempfile::tempdir().unwrap());
    for (name, compression) in [("plain", Compression::UNCOMPRESSED), ("snappy", Compression::SNAPPY)] {
        let path = directory.path().join(name);
        let properties = WriterProperties::builder().set_compression(compression).set_max_row_group_row_count(Some(3));
        let file = std::fs::File::create(&path).unwrap();
        let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties.build())).unwrap();
        (0..3).for_each(|_| writer.write(&batch).unwrap());
        writer.close().unwrap();
        let frame = filled().parquet(&path, &four_filled()).unwrap();
        assert_eq!(rows(&frame), [filled_rows(), filled_rows(), filled_rows()].concat());
        let frame = Arrow::new().parquet(&path, &four()).unwrap();
        assert_eq!(rows(&frame)[4..8], lenient_rows());
        let other = lenient(&[("y", ColumnDomain::float())]);
        let columns = "whose columns are \"skipped\", \"t\", \"n\", \"b\", \"x\"";
        let error = said(Arrow::new().parquet(&path, &other).unwrap_err());
        assert_eq!(error, format!("column y: is not in the data, {columns}"));
    }
}

#[cfg(feature = "ipc")]
#[test]
fn ipc_files() {
    use arrow_ipc::{
        CompressionType,
        writer::{FileWriter, IpcWriteOptions, StreamWriter},
    };
    let (batch, directory) = (four_columns(), tempfile::tempdir().unwrap());
    let path = directory.path().join("four.arrow");
    let create = || std::fs::File::create(&path).unwrap();
    for compression in [None, Some(CompressionType::LZ4_FRAME)] {
        let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
        for is_stream in [false, true] {
            if is_stream {
                let mut writer =
                    StreamWriter::try_new_with_options(create(), &batch.schema(), options.clone()).unwrap();
                (0..2).for_each(|_| writer.write(&batch).unwrap());
                writer.finish().unwrap();
            } else {
                let mut writer = FileWriter::try_new_with_options(create(), &batch.schema(), options.clone()).unwrap();
                (0..2).for_each(|_| writer.write(&batch).unwrap());
                writer.finish().unwrap();
            }
            let frame = filled().ipc(&path, &four_filled()).unwrap();
            assert_eq!(rows(&frame), [filled_rows(), filled_rows()].concat());
            assert_eq!(rows(&Arrow::new().ipc(&path, &four()).unwrap())[..4], lenient_rows());
        }
    }
    // No batch, and no column either.
    let mut writer = FileWriter::try_new(create(), &batch.schema()).unwrap();
    writer.finish().unwrap();
    assert_eq!(Arrow::new().ipc(&path, &four()).unwrap().rows(), 0);
    assert!(Arrow::new().ipc(&path, &lenient(&[("y", ColumnDomain::float())])).is_err());
}

fn read(column: ColumnDomain, array: impl Array + 'static) -> Vec<Cell> {
    let domain = lenient(&[("c", column)]);
    cells(&Arrow::new().batches([batch(vec![("c", Arc::new(array))])], &domain).unwrap(), 0)
}

#[test]
fn types_of_arrays() {
    let integers = |array: ArrayRef| {
        let domain = lenient(&[("c", ColumnDomain::integer())]);
        cells(&Arrow::new().batches([batch(vec![("c", array)])], &domain).unwrap(), 0)
    };
    let arrays: [ArrayRef; 8] = [
        Arc::new(Int8Array::from(vec![Some(7), None])),
        Arc::new(Int16Array::from(vec![Some(7), None])),
        Arc::new(Int32Array::from(vec![Some(7), None])),
        Arc::new(Int64Array::from(vec![Some(7), None])),
        Arc::new(UInt8Array::from(vec![Some(7), None])),
        Arc::new(UInt16Array::from(vec![Some(7), None])),
        Arc::new(UInt32Array::from(vec![Some(7), None])),
        Arc::new(UInt64Array::from(vec![Some(7), None])),
    ];
    for array in arrays {
        assert_eq!(integers(array), [Some(7i64), None].map(Cell::from));
    }
    let wide = vec![Some(u64::MAX), Some(1 << 63), Some((1 << 63) - 1), None];
    assert_eq!(integers(Arc::new(UInt64Array::from(wide))), [None, None, Some(i64::MAX), None].map(Cell::from));
    let floats = [Some(0.5), None, None].map(Cell::from);
    assert_eq!(read(ColumnDomain::float(), Float32Array::from(vec![Some(0.5), None, Some(f32::NAN)])), floats);
    assert_eq!(read(ColumnDomain::float(), Int32Array::from(vec![i32::MIN])), [float(-2_147_483_648.0)]);

    let days = [Some(-1i64), None, Some(20_780)].map(Cell::from);
    assert_eq!(read(ColumnDomain::date(), Date32Array::from(vec![Some(-1), None, Some(20_780)])), days);
    let milliseconds = Date64Array::from(vec![Some(-1), None, Some(20_780 * 86_400_000 + 1)]);
    assert_eq!(read(ColumnDomain::date(), milliseconds), days);
    let times = |array: ArrayRef| {
        let domain = lenient(&[("c", ColumnDomain::time())]);
        cells(&Arrow::new().batches([batch(vec![("c", array)])], &domain).unwrap(), 0)
    };
    let ticks = vec![Some(-1), None, Some(1_500)];
    let arrays: [(ArrayRef, [i64; 2]); 4] = [
        (Arc::new(TimestampSecondArray::from(ticks.clone())), [-1_000_000, 1_500_000_000]),
        (Arc::new(TimestampMillisecondArray::from(ticks.clone())), [-1_000, 1_500_000]),
        (Arc::new(TimestampMicrosecondArray::from(ticks.clone())), [-1, 1_500]),
        (Arc::new(TimestampNanosecondArray::from(ticks.clone())), [-1, 1]),
    ];
    for (array, values) in arrays {
        assert_eq!(times(array), [Some(values[0]), None, Some(values[1])].map(Cell::from));
    }
    let far: ArrayRef = Arc::new(TimestampSecondArray::from(vec![i64::MAX, i64::MIN]));
    assert_eq!(times(far), [Cell::Missing, Cell::Missing], "no microseconds of 64 bits");
}

#[test]
fn texts_and_labels() {
    let words = vec![Some("Bern"), None, Some(""), Some("Chur")];
    let texts = [Some("Bern"), None, None, Some("Chur")].map(Cell::from);
    let places = [Some(1i64), None, None, None].map(Cell::from);
    let city = || ColumnDomain::category(["Aarau", "Bern"]).unwrap();
    // Nulls among the keys, and among the words.
    let words_with_null = StringArray::from(vec![Some("Chur"), None, Some("Bern"), Some("")]);
    let keys = Int8Array::from(vec![Some(2), Some(1), Some(3), Some(0)]);
    let arrays: [ArrayRef; 5] = [
        Arc::new(StringArray::from(words.clone())),
        Arc::new(LargeStringArray::from(words.clone())),
        Arc::new(StringViewArray::from(words.clone())),
        Arc::new(words.clone().into_iter().collect::<DictionaryArray<UInt16Type>>()),
        Arc::new(DictionaryArray::new(keys, Arc::new(words_with_null))),
    ];
    for array in arrays {
        let domain = lenient(&[("c", ColumnDomain::text()), ("d", city())]);
        let frame = Arrow::new().batches([batch(vec![("c", array.clone()), ("d", array)])], &domain).unwrap();
        assert_eq!(cells(&frame, 0), texts);
        assert_eq!(cells(&frame, 1), places);
    }
    let empty = DictionaryArray::new(Int8Array::from(vec![None, None]), Arc::new(StringArray::new_null(0)));
    assert_eq!(read(ColumnDomain::text(), empty), [Cell::Missing, Cell::Missing]);
}

/// What lies below a null is some number, and may be out of bounds.
#[test]
fn null_payloads_are_never_looked_at() {
    let nulls = || Some(vec![false, true].into());
    let n = Int64Array::new(vec![-9, 9].into(), nulls());
    let x = Float64Array::new(vec![f64::NAN, 9.0].into(), nulls());
    let keys = Int8Array::new(vec![100, 0].into(), nulls());
    let words = DictionaryArray::new(keys, Arc::new(StringArray::from(vec!["a"])));
    let batch = batch(vec![("n", Arc::new(n)), ("x", Arc::new(x)), ("t", Arc::new(words))]);
    let within = |column: ColumnDomain| column.with_bounds(0.0, 10.0).unwrap();
    let columns =
        [("n", within(ColumnDomain::integer())), ("x", within(ColumnDomain::float())), ("t", ColumnDomain::text())];
    let domain = lenient(&columns);
    let domain = FrameDomain::new(
        domain
            .names()
            .iter()
            .cloned()
            .zip(domain.columns().iter().cloned())
            .chain([("bad".into(), ColumnDomain::bool())]),
    );
    let domain = domain.unwrap();
    let frame = Arrow::new().flag_unreadable("bad").batches([batch], &domain).unwrap();
    let missing = vec![Cell::Missing, Cell::Missing, Cell::Missing, false.into()];
    assert_eq!(rows(&frame), [missing, vec![whole(9), float(9.0), "a".into(), false.into()]]);
    assert!(domain.member(&frame));
}

#[test]
fn rules_are_those_of_csv() {
    let columns = [("who", ColumnDomain::integer()), ("x", ColumnDomain::float().with_bounds(0.0, 1.0).unwrap())];
    let columns = columns.into_iter().chain([("bad", ColumnDomain::bool())]);
    let domain = FrameDomain::new(columns).unwrap().with_individuals("who").unwrap();
    let who: ArrayRef = Arc::new(UInt64Array::from(vec![Some(7), None, Some(u64::MAX), Some(8)]));
    let batch = batch(vec![("x", Arc::new(Float64Array::from(vec![0.5, 1.0, 1.0, 1.5]))), ("who", who)]);
    let reader = Arrow::new().drop_null("who").fill_null("x", 0.0).flag_unreadable("bad");
    let frame = reader.batches([&batch], &domain).unwrap();
    assert_eq!(rows(&frame), [vec![whole(7), float(0.5), false.into()], vec![whole(8), float(0.0), true.into()]]);
    assert!(said(reader.clone().strict().batches([&batch], &domain).unwrap_err()).contains("(strict)"));
    assert_eq!(reader.strict().batches([batch.slice(0, 2)], &domain).unwrap().rows(), 1);
    // A column that could be shared, of which rows are left out.
    let shared = lenient(&[("x", ColumnDomain::float()), ("who", ColumnDomain::integer())]);
    let frame = Arrow::new().drop_null("who").batches([batch], &shared).unwrap();
    assert_eq!(rows(&frame), [[float(0.5), whole(7)], [float(1.5), whole(8)]]);
}

#[test]
fn a_type_that_does_not_fit_is_refused_by_its_name() {
    let zoned: ArrayRef = Arc::new(TimestampSecondArray::from(vec![1]).with_timezone("Europe/Vienna"));
    let text: ArrayRef = Arc::new(StringArray::from(vec!["secret"]));
    let long: ArrayRef = Arc::new(Int64Array::from(vec![i64::MAX]));
    let (zone, string) = ("timestamp(second) in the time zone \"Europe/Vienna\"", "string");
    for (name, kind, array, found, instead) in [
        ("x", "float", text.clone(), string, "text"),
        ("n", "integer", zoned.clone(), zone, "time"),
        ("b", "bool", long.clone(), "int64", "float or integer"),
        ("t", "text", long, "int64", "float or integer"),
    ] {
        let mut columns: Vec<(&str, ArrayRef)> = vec![
            ("x", Arc::new(Float32Array::from(vec![0.5]))),
            ("n", Arc::new(Int64Array::from(vec![1]))),
            ("b", Arc::new(BooleanArray::from(vec![true]))),
            ("t", Arc::new(StringArray::from(vec!["a"]))),
        ];
        assert!(Arrow::new().batches([batch(columns.clone())], &four()).is_ok());
        columns.iter_mut().find(|column| column.0 == name).unwrap().1 = array;
        let error = said(Arrow::new().batches([batch(columns)], &four()).unwrap_err());
        let expected = format!("is {found} in the data, but declared as {kind}: declare it as {instead}");
        assert_eq!(error, format!("column {name}: {expected}"));
    }
    let date = lenient(&[("c", ColumnDomain::date())]);
    assert!(Arrow::new().batches([batch(vec![("c", zoned)])], &date).is_err(), "a day of another place");
}

/// Each cell is a value or none by itself, whatever the type: there is no error that rows decide.
#[test]
fn values_that_a_kind_does_not_hold_are_unreadable() {
    let x = Float64Array::from(vec![
        Some(8.0),
        Some(8.5),
        Some(-0.0),
        Some(f64::INFINITY),
        Some(1e19),
        Some(f64::NAN),
        None,
    ]);
    let cell = |n: i64| Some(n);
    let expected = [cell(8), None, cell(0), None, None, None, None].map(Cell::from);
    assert_eq!(read(ColumnDomain::integer(), x.clone()), expected);
    let domain = lenient(&[("c", ColumnDomain::integer())]);
    let flagged = domain.names().iter().cloned().zip(domain.columns().iter().cloned());
    let flagged = FrameDomain::new(flagged.chain([("bad".into(), ColumnDomain::bool())])).unwrap();
    let frame = Arrow::new().flag_unreadable("bad").batches([batch(vec![("c", Arc::new(x))])], &flagged).unwrap();
    assert_eq!(cells(&frame, 1), [false, true, false, true, true, false, false].map(Cell::from));

    let decimals = Decimal128Array::from(vec![Some(110), Some(1700), Some(i128::MAX), None]);
    let decimals = || decimals.clone().with_precision_and_scale(38, 2).unwrap();
    let floats = [Some(1.1), Some(17.0), Some(1.701_411_834_604_692_3e36), None].map(Cell::from);
    assert_eq!(read(ColumnDomain::float(), decimals()), floats);
    assert_eq!(read(ColumnDomain::integer(), decimals()), [None, Some(17i64), None, None].map(Cell::from));
    let bytes = || BinaryArray::from(vec![Some(&b"Bern"[..]), Some(b"\xff"), Some(b""), None]);
    assert_eq!(read(ColumnDomain::text(), bytes()), [Some("Bern"), None, None, None].map(Cell::from));
    let keys = Int8Array::from(vec![Some(1), None, Some(0)]);
    let numbers = DictionaryArray::new(keys, Arc::new(Float32Array::from(vec![0.5, 3.0])));
    assert_eq!(read(ColumnDomain::integer(), numbers.clone()), [Some(3i64), None, None].map(Cell::from));
    assert_eq!(read(ColumnDomain::float(), numbers), [Some(3.0), None, Some(0.5)].map(Cell::from));
    assert_eq!(read(ColumnDomain::date(), NullArray::new(2)), [Cell::Missing, Cell::Missing]);
}

#[test]
fn columns_of_numbers_are_shared_and_chains_copy_nothing() {
    let (x, n) = (Float64Array::from(vec![0.25; 500_000]), Int64Array::from(vec![3; 500_000]));
    let (x_at, n_at) = (x.values().as_ptr(), n.values().as_ptr());
    let batch = batch(vec![("x", Arc::new(x)), ("n", Arc::new(n))]);
    let columns = [("x", ColumnDomain::float().with_bounds(0.0, 1.0).unwrap()), ("n", ColumnDomain::integer())];
    let domain = FrameDomain::new(columns).unwrap();
    let frame = Arrow::new().fill_null("x", 0.0).fill_null("n", 0).batches([batch], &domain).unwrap();
    let columns = frame[0].columns();
    assert_eq!(columns[0].to_arrow().as_any().downcast_ref::<Float64Array>().unwrap().values().as_ptr(), x_at);
    assert_eq!(columns[1].to_arrow().as_any().downcast_ref::<Int64Array>().unwrap().values().as_ptr(), n_at);
    let rows = ((domain, SymmetricDistance) >> then_rows::<(i64, f64), _, _>(vec!["n", "x"])).unwrap();
    let sums = (rows >> then_sum_by(L01InfDistance)).unwrap();
    let used = allocation_counter::measure(|| {
        assert_eq!(sums.invoke(&frame).unwrap()[&3].to_f64(), 125_000.0);
    });
    assert!(used.bytes_max < 1_000_000, "{} bytes", used.bytes_max);
}
