//! Files as other programs write them by default (`rust/tables/tests/files/write.py`).

use super::{cells, float, lenient, said, whole};
use indistinct::frames::{Cell, ColumnDomain, Frame, FrameDomain};
use indistinct_tables::{Arrow, Result};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)
}

fn read(path: &Path, column: &str, kind: &str) -> Result<Frame> {
    let domain = lenient(&[(column, kind.parse().unwrap())]);
    let is_parquet = path.extension().is_some_and(|ending| ending == "parquet");
    if is_parquet {
        Arrow::new().check_parquet(path, &domain)?;
        return Arrow::new().parquet(path, &domain);
    }
    Arrow::new().check_ipc(path, &domain)?;
    Arrow::new().ipc(path, &domain)
}

/// The columns that `write.py` writes, as kinds that they may be declared as, with their cells.
fn expected() -> Vec<(&'static str, &'static str, [Cell; 3])> {
    let (none, text) = (Cell::Missing, |text: &str| Cell::Text(text.into()));
    let (at, before) = (1_795_846_665_250_000, -1_000_000);
    let day = 86_400_000_000;
    vec![
        ("n", "integer", [whole(1), none.clone(), whole(-3)]),
        ("n", "float", [float(1.0), none.clone(), float(-3.0)]),
        ("small", "integer", [whole(7), whole(8), none.clone()]),
        ("small", "float", [float(7.0), float(8.0), none.clone()]),
        ("wide", "integer", [whole(3), none.clone(), none.clone()]),
        ("wide", "float", [float(3.0), float(9_223_372_036_854_775_808.0), float(18_446_744_073_709_551_616.0)]),
        ("x", "float", [float(0.5), none.clone(), float(-2.25)]),
        ("x", "integer", [none.clone(), none.clone(), none.clone()]),
        ("f", "float", [float(0.25), float(1.5), none.clone()]),
        ("b", "bool", [true.into(), none.clone(), false.into()]),
        ("t", "text", [text("Bern"), none.clone(), none.clone()]),
        ("c", "category(\"south\", \"north\")", [whole(1), whole(0), none.clone()]),
        ("c", "text", [text("north"), text("south"), none.clone()]),
        ("day", "date", [whole(20_785), none.clone(), whole(-1)]),
        ("day", "time", [whole(20_785 * day), none.clone(), whole(-day)]),
        ("at", "time", [whole(at), none.clone(), whole(before)]),
        ("at", "date", [none.clone(), none.clone(), none.clone()]),
        ("zoned", "time", [whole(1_782_900_000_000_000), whole(1_767_265_200_000_000), none.clone()]),
        ("cost", "float", [float(1.1), float(2.2), float(12_345_678_901_234.56)]),
        ("cost", "integer", [none.clone(), none.clone(), none.clone()]),
        ("whole", "integer", [whole(17), none.clone(), none.clone()]),
        ("whole", "float", [float(17.0), float(17.5), none]),
    ]
}

const PARQUET: [&str; 5] = ["polars.parquet", "pyarrow.parquet", "pandas.parquet", "duckdb.parquet", "spark.parquet"];
const IPC: [&str; 3] = ["polars.arrow", "pyarrow.arrow", "pandas.arrow"];

#[test]
fn defaults_of_other_programs_are_read() {
    for name in PARQUET.into_iter().chain(IPC) {
        for (column, kind, expected) in expected() {
            // Spark has no integers without sign.
            if name == "spark.parquet" && column == "wide" {
                continue;
            }
            let frame = read(&file(name), column, kind).unwrap();
            assert_eq!(cells(&frame, 0), expected, "{name}: {column} as {kind}");
        }
    }
    for kind in ["integer", "float", "bool", "text", "date", "time", "category(\"a\")"] {
        let frame = read(&file("pandas.parquet"), "nothing", kind).unwrap();
        assert_eq!(cells(&frame, 0), [Cell::Missing, Cell::Missing, Cell::Missing], "{kind}");
    }
    let days = read(&file("pandas.parquet"), "midnight", "date").unwrap();
    assert_eq!(cells(&days, 0), [whole(20_785), Cell::Missing, whole(-1)]);
    // Beyond what nanoseconds of 64 bits reach, from where they would come round.
    let far = read(&file("spark.parquet"), "far", "time").unwrap();
    assert_eq!(cells(&far, 0), [whole(-62_135_596_800_000_000), whole(253_402_214_400_000_000), Cell::Missing]);
}

#[test]
fn types_that_do_not_fit_are_refused_by_the_footer() {
    let nothing = "no kind of column can read it: write it with another type, or leave the column out";
    for name in PARQUET.into_iter().chain(IPC) {
        let refused = |column: &str, kind: &str| said(read(&file(name), column, kind).unwrap_err());
        let decimal = refused("cost", "text");
        let digits = if name.starts_with("pandas") { 16 } else { 18 };
        let expected = format!("is decimal({digits}, 2) in the data, but declared as text");
        assert_eq!(decimal, format!("column cost: {expected}: declare it as float or integer"), "{name}");
        let zoned = refused("zoned", "date");
        assert!(zoned.ends_with("but declared as date: declare it as time"), "{name}: {zoned}");
        assert!(
            zoned.contains("in the time zone \"") || zoned.contains("is timestamp(microsecond)"),
            "{name}: {zoned}"
        );
        assert_eq!(
            refused("list", "float"),
            format!("column list: is list in the data, but declared as float: {nothing}")
        );
        let strings = refused("t", "integer");
        assert!(strings.ends_with("is string in the data, but declared as integer: declare it as text"), "{strings}");
        assert!(refused("b", "float").ends_with("is bool in the data, but declared as float: declare it as bool"));
        if name != "spark.parquet" {
            let clock = format!("column clock: is time of day in the data, but declared as time: {nothing}");
            assert_eq!(refused("clock", "time"), clock);
        }
    }
}

#[test]
fn codecs() {
    for name in ["none", "snappy", "gzip", "brotli", "zstd", "lz4"] {
        let frame = read(&file(&format!("{name}.parquet")), "n", "integer").unwrap();
        assert_eq!(cells(&frame, 0), [whole(1), Cell::Missing, whole(-3)], "{name}");
    }
    for name in ["lz4.arrow", "zstd.arrow"] {
        let frame = read(&file(name), "t", "text").unwrap();
        assert_eq!(cells(&frame, 0), ["Bern".into(), Cell::Missing, Cell::Missing], "{name}");
    }
}

/// A text that is no text is a cell that cannot be read, whatever the other rows say: the file is read.
#[test]
fn a_text_that_is_not_utf_8_is_unreadable() {
    let directory = tempfile::tempdir().unwrap();
    let (path, mut bytes) = (directory.path().join("t.parquet"), fs::read(file("none.parquet")).unwrap());
    let places: Vec<usize> =
        bytes.windows(4).enumerate().filter(|(_, four)| four == b"Bern").map(|(at, _)| at).collect();
    assert!(!places.is_empty());
    places.into_iter().for_each(|at| bytes[at + 1] = 0xff);
    fs::write(&path, &bytes).unwrap();
    for kind in ["text", "category(\"Bern\")"] {
        assert!(!cells(&read(&file("none.parquet"), "t", kind).unwrap(), 0)[0].is_null(), "{kind}");
        assert_eq!(cells(&read(&path, "t", kind).unwrap(), 0), [Cell::Missing, Cell::Missing, Cell::Missing], "{kind}");
    }
    assert_eq!(cells(&read(&path, "n", "integer").unwrap(), 0), [whole(1), Cell::Missing, whole(-3)]);
    let found = Arrow::new().inspect_parquet(&path, &lenient(&[("t", "text".parse().unwrap())])).unwrap();
    let text = &found.columns[0];
    assert_eq!((text.found.as_deref(), text.unreadable, text.first_unreadable), (Some("string"), 1, Some(1)));
    let domain = FrameDomain::new([("t", "text".parse::<ColumnDomain>().unwrap())]).unwrap();
    assert!(Arrow::new().strict().parquet(&path, &domain).is_err());
    assert_eq!(
        Arrow::new().fill_null("t", "?").parquet(&path, &domain).unwrap()[0].columns()[0].cell(0),
        Cell::from("?")
    );
}

/// No writer has LZO: a footer is made to name it in place of another codec.
#[test]
fn a_codec_that_is_not_read_is_refused_by_its_name() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("lzo.parquet");
    let bytes = fs::read(file("snappy.parquet")).unwrap();
    let domain = lenient(&[("n", "integer".parse().unwrap())]);
    let mut found = 0;
    for place in 1..bytes.len() {
        // The third codec for the first, as the footer writes numbers.
        if bytes[place] == 2 && bytes[place - 1] == 0x15 {
            let mut changed = bytes.clone();
            changed[place] = 6;
            fs::write(&path, changed).unwrap();
            let error = Arrow::new().check_parquet(&path, &domain).map_err(said);
            found += u32::from(
                error.is_err_and(|error| error.starts_with("column n: is compressed with LZO, which is not")),
            );
        }
    }
    assert_eq!(found, 1);
}

#[test]
fn inspection_counts_cells_and_names_types() {
    let domain = lenient(&[
        ("cost", "float(0.0..=100.0)".parse().unwrap()),
        ("whole", "integer".parse().unwrap()),
        ("c", "category(\"north\")".parse().unwrap()),
    ]);
    let found = Arrow::new().fill_null("cost", 0.0).inspect_parquet(file("polars.parquet"), &domain).unwrap();
    let columns: Vec<_> = found
        .columns
        .iter()
        .map(|column| {
            (
                column.name.as_str(),
                column.found.as_deref().unwrap(),
                column.missing,
                column.unreadable,
                column.first_unreadable,
            )
        })
        .collect();
    let cost = ("cost", "decimal(18, 2)", 0, 1, Some(3));
    assert_eq!(columns, [cost, ("whole", "decimal(18, 2)", 1, 1, Some(2)), ("c", "string", 1, 1, Some(2))]);
    assert_eq!((found.records, found.misshapen), (3, 0));
}
