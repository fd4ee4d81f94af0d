//! Frames from CSV, Parquet and Arrow: what is missing, what is shared, what errors say.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a panic is a failed test

use arrow_array::{
    ArrayRef, BooleanArray, Float32Array, Float64Array, Int16Array, Int64Array, RecordBatch, StringArray, UInt64Array,
};
use indistinct::prelude::*;
use indistinct_tables::{Error, Frame, Missing, Schema};
use parquet::{arrow::ArrowWriter, basic::Compression, file::properties::WriterProperties};
use std::{error::Error as _, fs::File, io, path::Path, sync::Arc};

const SURVEY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/rand_hie.csv");

fn schema() -> Schema {
    let schema = Schema::new().column("x", Missing::Is(-1.0)).unwrap().column("n", Missing::Is(-1i64)).unwrap();
    schema.column("b", Missing::Is(false)).unwrap().column("t", Missing::Is(String::from("?"))).unwrap()
}

fn lenient() -> Schema {
    let schema = Schema::new().column::<f64>("x", Missing::Stays).unwrap();
    let schema = schema.column::<i64>("n", Missing::Stays).unwrap();
    schema.column::<bool>("b", Missing::Stays).unwrap().column::<String>("t", Missing::Stays).unwrap()
}

type Whole = ((f64, i64), (bool, String));
type Lenient = ((Option<f64>, Option<i64>), (Option<bool>, Option<String>));
const NAMES: ((&str, &str), (&str, &str)) = (("x", "n"), ("b", "t"));

/// The header in another order, a column that nobody asked for, and every way in which a cell can be missing.
const CSV: &[u8] = b"t,skipped,n,b,x\n\
    a,9, 7 ,true, 1.5 \n\
    \"b, \"\"c\"\"\",,-9223372036854775808,0,inf\n\
    ,,,,\n\
    d\n\
    \xff\xfe,,9223372036854775808,yes,NaN\n\
    e,,1.0,TRUE,12secret34\n\
    f,,3,1,-0.0,one,too,many\n";

#[test]
fn reading_is_total() {
    let frame = Frame::from_csv(CSV, &lenient()).unwrap();
    let text = |text: &str| Some(text.to_owned());
    let truth: Vec<Lenient> = vec![
        ((Some(1.5), Some(7)), (Some(true), text("a"))),
        ((Some(f64::INFINITY), Some(i64::MIN)), (Some(false), text("b, \"c\""))),
        ((None, None), (None, None)),
        ((None, None), (None, text("d"))),
        ((None, None), (None, None)),
        ((None, Some(1)), (Some(true), text("e"))),
        ((Some(-0.0), Some(3)), (Some(true), text("f"))),
    ];
    assert_eq!(frame.rows::<Lenient>(NAMES).unwrap(), truth);
    let filled = truth.into_iter().map(|((x, n), (b, t))| {
        ((x.unwrap_or(-1.0), n.unwrap_or(-1)), (b.unwrap_or(false), t.unwrap_or_else(|| "?".into())))
    });
    let frame = Frame::from_csv(CSV, &schema()).unwrap();
    assert_eq!(frame.rows::<Whole>(NAMES).unwrap(), filled.collect::<Vec<Whole>>());
    assert_eq!((frame.len(), frame.is_empty()), (7, false));
}

/// Ids as programs write them that keep a column with missing cells in floats.
#[test]
fn whole_decimals_are_integers() {
    let schema = Schema::new().column::<i64>("n", Missing::Stays).unwrap();
    for (cell, expected) in [
        ("8.0", Some(8)),
        (" 8. ", Some(8)),
        ("-12.000", Some(-12)),
        ("+3.0", Some(3)),
        ("-0.0", Some(0)),
        ("9223372036854775807.0", Some(i64::MAX)),
        ("9223372036854775808.0", None),
        ("8.5", None),
        ("8.01", None),
        (".0", None),
        (".", None),
        ("-.", None),
        ("8.0.0", None),
        ("8.0e0", None),
        ("8. 0", None),
        ("8.-0", None),
    ] {
        let frame = Frame::from_csv(format!("n,x\n{cell},\n").as_bytes(), &schema).unwrap();
        assert_eq!(frame.rows::<Option<i64>>("n").unwrap(), [expected], "{cell}");
    }
}

/// A thousand rows after a quote that is opened and not closed were one cell, without an error.
#[test]
fn a_quote_that_is_not_closed_is_an_error() {
    let schema = Schema::new().column::<String>("t", Missing::Stays).unwrap().column("x", Missing::Is(0.0)).unwrap();
    let read = |text: &str| Frame::from_csv(text.as_bytes(), &schema);
    let thousand = format!("t,x\na,1\n\"secret,2\n{}", "b,3\n".repeat(999));
    let open = "file: a quoted field is not closed: all records after its quote would be one cell";
    assert_eq!(rule(read(&thousand).unwrap_err()), open);
    for text in [
        "t,x\na,\"",
        "t,x\n\"",
        "t,x\n\"END\n",
        "t,x\na,\"\nEND",
        "t,x\n\"a\"\"",
        "t,x\n\"a\"\",1\n",
        "t,x\r\n\"a,1\r\n",
        // In the header: the error does not say what was read of it.
        "t,\"x\nsecret,1\n",
        "\"t,x\nsecret,1\n",
        "\"",
    ] {
        assert_eq!(rule(read(text).unwrap_err()), open, "{text:?}");
    }
    // Closed, and whatever stands at the end.
    let rows = |text: &str| read(text).unwrap().rows::<Option<String>>("t").unwrap();
    for (text, last) in [
        ("t,x\na,1\nEND", "END"),
        ("t,x\na,1\nEND\n", "END"),
        ("t,x\na,1\n\"END\"", "END"),
        ("t,x\na,1\nb,\"1\"", "b"),
        ("t,x\na,1\n\"b\"\"\"\n", "b\""),
        ("t,x\na,1\nb\"c,1", "b\"c"),
        ("t,x\ra,1\rb\u{0}c,1\r", "b\u{0}c"),
        ("\u{feff}t,x\r\na,1\r\n\"b\r\nc\",1\r\n\r\n", "b\r\nc"),
        ("\u{feff}\"t\",x\na,1\n\"b\"c,1", "bc"),
    ] {
        assert_eq!(rows(text), [Some("a".to_owned()), Some(last.to_owned())], "{text:?}");
    }
    assert!(rows("t,x").is_empty() && rows("t,x\n").is_empty());
}

/// In one column, `3` and a missing cell would be a row and none.
#[test]
fn whether_a_row_is_there_does_not_depend_on_its_cells() {
    let schema = Schema::new().column("x", Missing::Is(0.0)).unwrap();
    for single in [&b"x\n1\n\n3\n"[..], b"x\n1\n2\n3\n", b"x\n"] {
        assert!(rule(Frame::from_csv(single, &schema).unwrap_err()).contains("at least two columns"));
    }
    let rows = |text: &[u8]| Frame::from_csv(text, &schema).unwrap().rows::<f64>("x").unwrap();
    assert_eq!(rows(b"x,y\n1,\n,\n3,\n"), [1.0, 0.0, 3.0]);
    assert_eq!(rows(b"x,y\n1,\n\n3,\n\n"), [1.0, 3.0], "a blank line is no record");
}

#[test]
fn the_domain_of_a_column_says_whether_cells_may_be_missing() {
    let frame = Frame::from_csv(CSV, &lenient()).unwrap();
    let domain = lenient().rows::<f64>("x").unwrap();
    assert!(domain.element().has_nan() && domain.member(frame.slice("x").unwrap()));
    let frame = Frame::from_csv(CSV, &schema()).unwrap();
    let domain = schema().rows::<Whole>(NAMES).unwrap();
    assert!(!domain.element().first().first().has_nan());
    assert!(domain.member(&frame.rows::<Whole>(NAMES).unwrap()));
    assert!(schema().rows::<f64>("x").unwrap().member(frame.slice("x").unwrap()));
}

/// Every way to read a column has a domain, and the rows are its members; dropping nulls leads to a domain without.
#[test]
fn what_stays_missing_has_a_domain_as_well() {
    let frame = Frame::from_csv(CSV, &lenient()).unwrap();
    let rows = frame.rows::<Lenient>(NAMES).unwrap();
    let domain = lenient().rows::<Lenient>(NAMES).unwrap();
    assert!(domain.member(&rows));
    assert!(!domain.member(&[((Some(f64::NAN), None), (None, None))]), "a NaN is read as missing");
    assert_eq!(schema().rows::<Lenient>(NAMES).unwrap(), domain);
    let numbers = make_drop_null(lenient().rows::<Option<i64>>("n").unwrap(), SymmetricDistance).unwrap();
    assert_eq!(*numbers.output_domain(), VectorDomain::new(AtomDomain::i64()));
    assert_eq!(numbers.invoke(&frame.rows::<Option<i64>>("n").unwrap()).unwrap(), [7, i64::MIN, 1, 3]);
    assert_eq!(
        rule(lenient().rows::<Option<i64>>("x").map(drop).unwrap_err()),
        "column x: is declared with another type"
    );
}

#[test]
fn chunks_are_the_rows() {
    let frame = Frame::from_csv(CSV, &schema()).unwrap();
    let rows = frame.rows::<Whole>(NAMES).unwrap();
    for size in [0, 1, 2, 3, 7, 100, usize::MAX] {
        let chunks: Vec<Vec<Whole>> = frame.chunks(NAMES, size).unwrap().collect();
        assert!(chunks.iter().all(|chunk| !chunk.is_empty() && chunk.len() <= size.max(1)));
        assert_eq!(chunks.concat(), rows);
    }
    let empty = Frame::from_csv("b,t,x,n\n".as_bytes(), &schema()).unwrap();
    assert_eq!(empty.chunks::<Whole>(NAMES, 10).unwrap().count(), 0);
}

fn rule(error: Error) -> String {
    let text = error.to_string();
    assert!(!text.contains("secret") && !format!("{error:?}").contains("secret"), "{text}");
    text
}

#[test]
fn errors_name_column_and_rule_and_nothing_of_the_rows() {
    let frame = |csv: &str| rule(Frame::from_csv(csv.as_bytes(), &schema()).unwrap_err());
    let seen = "column t: is not in the data, whose columns, separated by commas, are \"x\", \"n\", \"b\"";
    assert_eq!(frame("x,n,b\nsecret,1,1\n"), seen);
    let many = format!("x,n,b{}\nsecret\n", ",y".repeat(9));
    assert!(frame(&many).ends_with("\"x\", \"n\", \"b\", \"y\", \"y\", \"y\", \"y\", \"y\" and 4 more"));
    // A first line that may be a row.
    let unseen = "column x: is not in the data, whose first line has";
    let none = "fields, separated by commas, and no declared column among them";
    assert_eq!(frame("secret,1,1\nsecret,1,1\n"), format!("{unseen} 3 {none}"));
    let hint = "; declared columns are there, separated by";
    assert_eq!(frame("x;n;b;t\nsecret;1;1;1\n"), format!("{unseen} 1 {none}{hint} ';'"));
    assert_eq!(frame("x\tn\tb\tt\nsecret\t1\n"), format!("{unseen} 1 {none}{hint} '\\t'"));
    assert_eq!(frame("secret;1\n"), format!("{unseen} 1 {none}"));
    assert_eq!(frame("\u{0}x\u{0},\u{0}n\u{0}\n"), format!("{unseen} 2 {none}"), "another encoding");
    assert_eq!(frame("x,n,b,t,x\nsecret,1,1,1,1\n"), "column x: is in the data twice");
    assert_eq!(frame(""), format!("{unseen} 0 {none}"));
    let declared = |result: indistinct_tables::Result<Schema>| rule(result.map(drop).unwrap_err());
    assert_eq!(declared(schema().column("x", Missing::Is(0i64))), "column x: is declared twice");
    let nan = Schema::new().column("y", Missing::Is(f64::NAN));
    assert_eq!(declared(nan), "column y: the value of missing cells must not be NaN: let them stay missing");

    let data = Frame::from_csv(CSV, &lenient()).unwrap();
    assert_eq!(rule(data.slice::<f64>("z").unwrap_err()), "column z: is not declared in the schema");
    assert_eq!(rule(data.slice::<f64>("n").unwrap_err()), "column n: is declared with another type");
    let stays = "column n: has missing cells that stay: declare a value for them, or read it as an option";
    assert_eq!(rule(data.slice::<i64>("n").unwrap_err()), stays);
    assert_eq!(rule(data.rows::<(i64, f64)>(("n", "x")).unwrap_err()), stays);
    assert_eq!(rule(lenient().rows::<i64>("n").unwrap_err()), stays);
    // The same for data in which nothing is missing: the rule is about what was declared.
    let whole = Frame::from_csv("x,n,b,t\n1,1,1,1\n".as_bytes(), &lenient()).unwrap();
    assert_eq!(rule(whole.slice::<i64>("n").unwrap_err()), stays);

    let missing = rule(Frame::read_csv("/nowhere/own.csv", &schema()).unwrap_err());
    assert_eq!(missing, format!("file /nowhere/own.csv: cannot be opened: {}", std::io::ErrorKind::NotFound));
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().display();
    let read = rule(Frame::read_csv(directory.path(), &schema()).unwrap_err());
    assert!(read.starts_with(&format!("file {place}: cannot be ")), "{read}");
    let path = directory.path().join("bad.parquet");
    std::fs::write(&path, "secret").unwrap();
    assert_eq!(
        rule(Frame::read_parquet(&path, &schema()).unwrap_err()),
        format!("file {place}/bad.parquet: is not Parquet")
    );
    assert_eq!(format!("{data:?}"), r#"Frame { schema: ["x", "n", "b", "t"], .. }"#);
}

/// A reader that gives no bytes, for a reason.
struct Failing(fn() -> io::Error);

impl io::Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err((self.0)())
    }
}

/// What the system says is kept; what a reader of the caller's or a parser says may quote the data.
#[test]
fn errors_keep_what_the_system_says_and_nothing_else() {
    let cause = |error: Error| error.source().map(|cause| cause.downcast_ref::<io::Error>().unwrap().kind());
    let nowhere = Path::new("/nowhere/own.csv");
    assert_eq!(cause(Frame::read_csv(nowhere, &schema()).unwrap_err()), Some(io::ErrorKind::NotFound));
    assert_eq!(cause(Frame::read_parquet(nowhere, &schema()).unwrap_err()), Some(io::ErrorKind::NotFound));
    let system = Failing(|| io::Error::from_raw_os_error(5));
    assert!(cause(Frame::from_csv(system, &schema()).unwrap_err()).is_some());
    let own = Frame::from_csv(Failing(|| io::Error::other("secret")), &schema()).unwrap_err();
    assert!(own.source().is_none() && !own.to_string().contains("secret"), "{own}");

    let directory = tempfile::tempdir().unwrap();
    assert!(cause(Frame::read_csv(directory.path(), &schema()).unwrap_err()).is_some(), "a folder is no file");
    let path = directory.path().join("bad.parquet");
    std::fs::write(&path, "secret").unwrap();
    assert_eq!(cause(Frame::read_parquet(&path, &schema()).unwrap_err()), None);
    assert_eq!(cause(Frame::from_csv("".as_bytes(), &schema()).unwrap_err()), None);
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

fn arrow() -> RecordBatch {
    batch(vec![
        ("skipped", Arc::new(UInt64Array::from(vec![1, 2, 3, 4]))),
        ("t", Arc::new(StringArray::from(vec![Some("a"), None, Some(""), Some("d")]))),
        ("n", Arc::new(Int16Array::from(vec![Some(5), None, Some(-7), Some(0)]))),
        ("b", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false), Some(true)]))),
        ("x", Arc::new(Float64Array::from(vec![Some(0.5), None, Some(f64::NAN), Some(-0.0)]))),
    ])
}

fn whole_rows() -> Vec<Whole> {
    let row = |x, n, b, t: &str| ((x, n), (b, t.to_owned()));
    vec![row(0.5, 5, true, "a"), row(-1.0, -1, false, "?"), row(-1.0, -7, false, "?"), row(-0.0, 0, true, "d")]
}

#[test]
fn arrow_and_parquet_read_alike() {
    let batch = arrow();
    let frame = Frame::from_arrow(&batch, &schema()).unwrap();
    assert_eq!(frame.rows::<Whole>(NAMES).unwrap(), whole_rows());
    let lenient_rows = Frame::from_arrow(&batch, &lenient()).unwrap().rows::<Lenient>(NAMES).unwrap();
    assert_eq!(lenient_rows[1], ((None, None), (None, None)));
    assert_eq!(lenient_rows[2], ((None, Some(-7)), (Some(false), None)));

    let directory = tempfile::tempdir().unwrap();
    for (name, compression) in [("plain", Compression::UNCOMPRESSED), ("snappy", Compression::SNAPPY)] {
        let path = directory.path().join(name);
        let properties = WriterProperties::builder().set_compression(compression).set_max_row_group_row_count(Some(3));
        let mut writer =
            ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), Some(properties.build())).unwrap();
        (0..3).for_each(|_| writer.write(&batch).unwrap());
        writer.close().unwrap();
        let frame = Frame::read_parquet(&path, &schema()).unwrap();
        assert_eq!(frame.rows::<Whole>(NAMES).unwrap(), [whole_rows(), whole_rows(), whole_rows()].concat());
        let frame = Frame::read_parquet(&path, &lenient()).unwrap();
        assert_eq!(frame.rows::<Lenient>(NAMES).unwrap()[4..8], lenient_rows);
    }
}

#[test]
fn a_type_that_does_not_fit_is_refused_by_its_name() {
    let wide: ArrayRef = Arc::new(UInt64Array::from(vec![u64::MAX]));
    let long: ArrayRef = Arc::new(Int64Array::from(vec![i64::MAX]));
    for (name, array) in [("n", wide.clone()), ("x", long.clone()), ("t", long), ("b", wide)] {
        let mut columns: Vec<(&str, ArrayRef)> = vec![
            ("x", Arc::new(Float32Array::from(vec![0.5]))),
            ("n", Arc::new(Int64Array::from(vec![1]))),
            ("b", Arc::new(BooleanArray::from(vec![true]))),
            ("t", Arc::new(StringArray::from(vec!["a"]))),
        ];
        assert!(Frame::from_arrow(&batch(columns.clone()), &schema()).is_ok());
        columns.iter_mut().find(|column| column.0 == name).unwrap().1 = array;
        let error = rule(Frame::from_arrow(&batch(columns), &schema()).unwrap_err());
        assert_eq!(error, format!("column {name}: has a type in the data that does not fit the declared one"));
    }
}

#[test]
fn columns_of_numbers_are_shared_and_chains_copy_nothing() {
    let (x, n) = (Float64Array::from(vec![0.25; 500_000]), Int64Array::from(vec![3; 500_000]));
    let (x_at, n_at) = (x.values().as_ptr(), n.values().as_ptr());
    let batch = batch(vec![("x", Arc::new(x)), ("n", Arc::new(n))]);
    let schema = Schema::new().column("x", Missing::Is(0.0)).unwrap().column("n", Missing::Is(0i64)).unwrap();
    let frame = Frame::from_arrow(&batch, &schema).unwrap();
    let copy = frame.clone();
    assert_eq!(copy.slice::<f64>("x").unwrap().as_ptr(), x_at);
    assert_eq!(copy.slice::<i64>("n").unwrap().as_ptr(), n_at);
    let keyed = (schema.rows::<(i64, f64)>(("n", "x")).unwrap(), SymmetricDistance);
    let sums = (keyed >> then_clamp((0.0, 1.0)) >> then_sum_by(L01InfDistance)).unwrap();
    let used = allocation_counter::measure(|| {
        let sum = (schema.rows::<f64>("x").unwrap(), SymmetricDistance) >> then_clamp((0.0, 1.0)) >> then_sum();
        assert_eq!(sum.unwrap().invoke(frame.slice("x").unwrap()).unwrap().to_f64(), 125_000.0);
        let chunks = frame.chunks::<(i64, f64)>(("n", "x"), 1000).unwrap();
        let all = chunks.fold(sums.aggregate().unwrap(), |all, rows| all.absorb(&rows).unwrap());
        assert_eq!(all.finish().unwrap()[&3].to_f64(), 125_000.0);
    });
    assert!(used.bytes_max < 100_000, "{} bytes", used.bytes_max);
}

#[test]
fn the_survey() {
    let schema = Schema::new().column("person_id", Missing::Is(-1i64)).unwrap();
    let schema =
        schema.column("coinsurance", Missing::Is(-1i64)).unwrap().column("md_visits", Missing::Is(0.0)).unwrap();
    let schema = schema.column::<f64>("education", Missing::Stays).unwrap();
    let frame = Frame::read_csv(Path::new(SURVEY), &schema).unwrap();
    assert_eq!(frame.len(), 20_190);
    assert_eq!(frame.slice::<f64>("education").unwrap().iter().filter(|x| x.is_nan()).count(), 4);
    assert!(!frame.slice::<i64>("person_id").unwrap().contains(&-1));

    // Visits by coinsurance, with at most two levels of each individual and three years in each.
    let names = ("person_id", ("coinsurance", "md_visits"));
    let people = (schema.rows::<(i64, (i64, f64))>(names).unwrap(), SymmetricIdDistance);
    let levels = vec![0, 25, 50, 95, 100];
    let parts = (people >> then_partition_persons_by_categories(levels.clone(), UnknownCategories::Drop, 2)).unwrap();
    let part = (parts.output_domain().element().clone(), SymmetricIdDistance);
    let sum =
        (part >> then_bound_contributions(3) >> then_clamp((0.0, 20.0)) >> then_sum() >> then_laplace(120.0)).unwrap();
    let release = (parts >> make_parallel_composition(vec![sum; levels.len()]).unwrap()).unwrap();
    assert_eq!(release.map(&1), Ok(1.0));
    let rows = frame.rows(names).unwrap();
    let sums: Vec<f64> = release.invoke(&rows).unwrap();
    // 9,352 years at level 0 with 2.9 visits in each, some of them left out; the noise is within 120 ln(10^10).
    assert!((10_000.0..32_000.0).contains(&sums[0]), "{sums:?}");
    assert!(sums[0] > sums[3], "{sums:?}");
}
