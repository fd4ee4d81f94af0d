//! Errors name columns, options and rules, and nothing of the rows.

use super::{four, four_filled, lenient, said};
use indistinct::frames::{Cell, ColumnDomain, FrameDomain};
use indistinct_tables::{Arrow, Csv, Error};
use std::{error::Error as _, io, path::Path};

/// A reader that must not be asked for anything.
struct Untouched;

impl io::Read for Untouched {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("a byte was read"))
    }
}

#[test]
fn nothing_is_read_before_missing_cells_are_declared() {
    let refused = |reader: Csv, domain: &FrameDomain| {
        let path = said(reader.read("/nowhere/secret.csv", domain).unwrap_err());
        assert!(!path.contains("cannot be"), "{path}");
        assert_eq!(said(reader.from_reader(Untouched, domain).unwrap_err()), path);
        path
    };
    let ways = |declared: &str| {
        format!(
            "must declare how to treat missing cells, which any file may have: declare {declared}, give them a value with `fill_null`, \
             or drop such rows with `drop_null`"
        )
    };
    let declared = |name: &str| format!("{:?}", four_filled().column(name).unwrap().clone().with_missing());
    assert!(declared("x").ends_with("missing)"));
    assert_eq!(refused(Csv::new(), &four_filled()), format!("column x: {}", ways(&declared("x"))));
    let three = Csv::new().fill_null("x", 0.0).fill_null("b", true).fill_null("t", "");
    assert_eq!(refused(three.clone(), &four_filled()), format!("column n: {}", ways(&declared("n"))));
    let people = four_filled().with_individuals("n").unwrap();
    let who =
        "column n: must declare how to treat missing cells, which any file may have: drop such rows with `drop_null`";
    assert_eq!(refused(three.clone(), &people), who);
    assert!(
        refused(three.fill_null("n", 0), &people)
            .contains("would assign all rows without an identifier to one individual")
    );

    let unknown = "column z: is not a column of the domain; these are \"x\", \"n\", \"b\", \"t\"";
    for reader in [
        Csv::new().fill_null("z", 0),
        Csv::new().drop_null("z"),
        Csv::new().flag_unreadable("z"),
        Csv::new().format("z", "%Y-%m-%d"),
        Csv::new().missing_in("z", ["."]),
    ] {
        assert_eq!(refused(reader, &four()), unknown);
    }
    for (column, value) in [
        ("x", Cell::Float(f64::NAN)),
        ("x", Cell::Missing),
        ("x", true.into()),
        ("n", 0.5.into()),
        ("n", "1".into()),
        ("b", 1.into()),
        ("t", 1.into()),
    ] {
        let domain = four();
        let described = domain.column(column).unwrap();
        let rule = format!("the value of missing cells must be in the column's domain, {described:?}");
        assert_eq!(refused(Csv::new().fill_null(column, value), &four()), format!("column {column}: {rule}"));
    }
    let age = lenient(&[("age", ColumnDomain::integer().with_bounds(0.0, 120.0).unwrap())]);
    assert!(refused(Csv::new().fill_null("age", -1), &age).ends_with("domain, integer(0..=120, missing)"));
    let city = lenient(&[("city", ColumnDomain::category(["Bern"]).unwrap())]);
    for value in [Cell::from("Chur"), 0.into()] {
        assert!(refused(Csv::new().fill_null("city", value), &city).ends_with("domain, category(\"Bern\", missing)"));
    }
    let both = Csv::new().fill_null("x", 0.0).drop_null("x");
    assert_eq!(refused(both, &four()), "column x: has both a value for missing cells and a rule that drops their rows");
    assert_eq!(
        refused(Csv::new().fill_null("x", 0.0).fill_null("x", 1.0), &four()),
        "column x: has two different values for missing cells"
    );
    let flags = "flags unreadable rows, so it must be Boolean and never missing";
    assert_eq!(refused(Csv::new().flag_unreadable("x"), &four()), format!("column x: {flags}"));
    assert_eq!(refused(Csv::new().flag_unreadable("b").fill_null("b", true), &four()), format!("column b: {flags}"));
    let empty = FrameDomain::new([("bad", ColumnDomain::bool())]).unwrap();
    assert_eq!(
        refused(Csv::new().flag_unreadable("bad"), &empty),
        "domain: must have at least one column that is read from the file"
    );
}

#[test]
fn options_that_would_make_two_readings() {
    let refused = |reader: Csv| said(reader.from_reader(Untouched, &four()).unwrap_err());
    for byte in [b'N', b'0', b'\n', b'\r', 0xe9] {
        assert!(refused(Csv::new().delimiter(byte)).starts_with("delimiter: must be an ASCII character"));
        assert!(refused(Csv::new().quote(byte)).starts_with("quote: must be an ASCII character"));
    }
    assert_eq!(refused(Csv::new().delimiter(b'"')), "quote: must not be the delimiter");
    for character in ['1', 'e', '-', '+', ' ', '٣'] {
        assert_eq!(refused(Csv::new().decimal(character)), "decimal: must not be a letter, a digit, a sign or a space");
    }
    assert_eq!(refused(Csv::new().thousands('e')), "thousands: must not be a letter, a digit or a sign");
    let same = "thousands: must not be the decimal mark";
    assert_eq!(refused(Csv::new().thousands('.')), same);
    assert_eq!(refused(Csv::new().decimal(',').thousands(',')), same);
}

#[test]
fn errors_name_column_and_rule_and_nothing_of_the_rows() {
    let refused = |csv: &str| said(Csv::new().from_reader(csv.as_bytes(), &four()).unwrap_err());
    let seen = "column t: is not in the data, whose columns, separated by ',', are \"x\", \"n\", \"b\"";
    assert_eq!(refused("x,n,b\nsecret,1,1\n"), seen);
    assert!(
        refused("x,N,b,t\nsecret,1,1,1\n").ends_with("\"x\", \"N\", \"b\", \"t\"; \"N\" has other spaces or capitals")
    );
    assert!(refused("x ,n,b,t\nsecret,1,1,1\n").ends_with("\"t\"; \"x \" has other spaces or capitals"));
    let many = format!("x,n,b{}\nsecret\n", ",y".repeat(9));
    assert!(refused(&many).ends_with("\"x\", \"n\", \"b\", \"y\", \"y\", \"y\", \"y\", \"y\" and 4 more"));
    // A first line that may be a row.
    let unseen = "column x: is not in the data, whose first line has";
    let none = "fields, separated by ',', and no declared column among them";
    let single = format!("{unseen} 1 field, {}", &none[8..]);
    assert_eq!(refused("secret,1,1\nsecret,1,1\n"), format!("{unseen} 3 {none}"));
    let one = "fields, separated by ',', and \"b\" is the only declared column among them";
    assert_eq!(refused("secret,b,1\nsecret,1,1\n"), format!("{unseen} 3 {one}"), "a cell that is a column's name");
    assert_eq!(refused("secret,b,b\nsecret,1,1\n"), format!("{unseen} 3 {one}"), "two such cells");
    let written = "fields, separated by ',', and \"b\" is the only declared column among them, written with other spaces or capitals";
    assert_eq!(refused("secret, B,1\nsecret,1,1\n"), format!("{unseen} 3 {written}"), "not how a cell says it");
    let hint = "; it contains declared columns if it is separated by";
    assert_eq!(refused("x;n;b;t\nsecret;1;1;1\n"), format!("{single}{hint} ';'"));
    assert_eq!(refused("x\tn\tb\tt\nsecret\t1\n"), format!("{single}{hint} '\\t'"));
    assert_eq!(refused("secret;1\n"), single);
    let utf_16 = |mark: &[u8]| [mark, b"x\0,\0n\0,\0b\0,\0t\0\n\0"].concat();
    for mark in [b"\xff\xfe", b"\xfe\xff"] {
        let said = said(Csv::new().from_reader(&utf_16(mark)[..], &four()).unwrap_err());
        assert_eq!(said, "file: starts like a UTF-16 file: set the encoding to utf-16");
    }
    assert_eq!(refused("\u{0}x\u{0},\u{0}n\u{0}\n"), format!("{unseen} 2 {none}"), "another encoding");
    assert_eq!(refused("x,n,b,t,x\nsecret,1,1,1,1\n"), "column x: occurs twice in the data");
    assert_eq!(refused(""), format!("{unseen} 0 {none}"));
    let other = Csv::new().delimiter(b';').from_reader("x,n,b,t\nsecret,1\n".as_bytes(), &four()).unwrap_err();
    let semicolons = "field, separated by ';', and no declared column among them";
    assert_eq!(said(other), format!("{unseen} 1 {semicolons}{hint} ','"));
    let flagged = FrameDomain::new([("x", ColumnDomain::float().with_missing()), ("b", ColumnDomain::bool())]).unwrap();
    let there = Csv::new().flag_unreadable("b").from_reader("x,b\nsecret,\n".as_bytes(), &flagged).unwrap_err();
    assert_eq!(said(there), "column b: is in the data, but is declared to flag unreadable rows");

    let missing = said(Csv::new().read("/nowhere/own.csv", &four()).unwrap_err());
    assert_eq!(missing, format!("file /nowhere/own.csv: cannot be opened: {}", io::ErrorKind::NotFound));
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().display();
    let read = said(Csv::new().read(directory.path(), &four()).unwrap_err());
    assert!(read.starts_with(&format!("file {place}: cannot be ")), "{read}");
    let frame = Csv::new().from_reader("x,n,b,t\nsecret,1,1,secret\n".as_bytes(), &four()).unwrap();
    assert!(!format!("{frame:?}").contains("secret"));
}

/// A reader that gives no bytes, for a reason.
struct Failing(fn() -> io::Error);

impl io::Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err((self.0)())
    }
}

fn cause(error: Error) -> Option<io::ErrorKind> {
    error.source().map(|cause| cause.downcast_ref::<io::Error>().unwrap().kind())
}

/// What the system says is kept; what a reader of the caller's or a parser says may quote the data.
#[test]
fn errors_keep_what_the_system_says_and_nothing_else() {
    let nowhere = Path::new("/nowhere/own.csv");
    assert_eq!(cause(Csv::new().read(nowhere, &four()).unwrap_err()), Some(io::ErrorKind::NotFound));
    for fails_late in [false, true] {
        let read = |failing: Failing| {
            let header: &[u8] = if fails_late { b"x,n,b,t\nsecret,1,1,1\n" } else { b"" };
            Csv::new().from_reader(io::Read::chain(header, failing), &four()).unwrap_err()
        };
        assert!(cause(read(Failing(|| io::Error::from_raw_os_error(5)))).is_some());
        let own = read(Failing(|| io::Error::other("secret")));
        assert!(own.source().is_none());
        assert_eq!(said(own), format!("file: cannot be read: {}", io::ErrorKind::Other));
    }
    let directory = tempfile::tempdir().unwrap();
    assert!(cause(Csv::new().read(directory.path(), &four()).unwrap_err()).is_some(), "a folder is no file");
    assert_eq!(cause(Csv::new().from_reader("".as_bytes(), &four()).unwrap_err()), None);
    let none: [arrow_array::RecordBatch; 0] = [];
    assert_eq!(Arrow::new().batches(none, &four()).unwrap().rows(), 0);
}

#[cfg(any(feature = "parquet", feature = "ipc"))]
#[test]
fn files_that_are_something_else() {
    let directory = tempfile::tempdir().unwrap();
    let (path, nowhere) = (directory.path().join("bad"), Path::new("/nowhere/own"));
    std::fs::write(&path, "secret").unwrap();
    let place = path.display();
    #[cfg(feature = "parquet")]
    {
        let error = || Arrow::new().parquet(&path, &four()).unwrap_err();
        assert_eq!(said(error()), format!("file {place}: is not Parquet"));
        assert_eq!(cause(error()), None);
        assert_eq!(cause(Arrow::new().parquet(nowhere, &four()).unwrap_err()), Some(io::ErrorKind::NotFound));
    }
    #[cfg(feature = "ipc")]
    {
        let error = || Arrow::new().ipc(&path, &four()).unwrap_err();
        assert_eq!(said(error()), format!("file {place}: cannot be read as Arrow IPC"));
        assert_eq!(cause(error()), None);
        assert_eq!(cause(Arrow::new().ipc(nowhere, &four()).unwrap_err()), Some(io::ErrorKind::NotFound));
    }
}
