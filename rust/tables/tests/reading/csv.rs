//! What becomes of cells, records and files as they come.

use super::{cells, float, four, four_filled, lenient, read, rows, said, whole};
use indistinct::{
    frames::{Cell, ColumnDomain, FrameDomain},
    prelude::*,
};
use indistinct_tables::Csv;

/// The header in another order, a column that nobody asked for, and every way in which a cell can be missing.
const CSV: &[u8] = b"t,skipped,n,b,x\n\
    a,9, 7 ,true, 1.5 \n\
    \"b, \"\"c\"\"\",,-9223372036854775808,0,inf\n\
    ,,,,\n\
    d\n\
    \xff\xfe,,9223372036854775808,yes,NaN\n\
    e,,1.0,TRUE,12secret34\n\
    f,,3,1,-0.0,one,too,many\n";

/// Something that cannot be read is somebody's identifier, and no missing one.
#[test]
fn rows_of_nobody_are_those_without_an_identifier_alone() {
    let columns = [("who", ColumnDomain::integer().with_missing()), ("x", ColumnDomain::integer().with_missing())];
    let domain = FrameDomain::new(columns).unwrap().with_individuals_or_null("who").unwrap();
    let text = "who,x\n7,1\n,2\nA17,3\nA17,4\nNA,5\n8\n9,6,6\n,\n";
    let frame = Csv::new().missing(["NA"]).from_reader(text.as_bytes(), &domain).unwrap();
    let cell = |value: Option<i64>| value.map_or(Cell::Missing, Cell::Integer);
    let expected = [(Some(7), Some(1)), (None, Some(2)), (None, Some(5)), (None, None)];
    assert_eq!(rows(&frame), expected.map(|(who, x)| vec![cell(who), cell(x)]));
    let sized = domain.with_size(4);
    assert!(Csv::new().from_reader("who,x\n7,1\n".as_bytes(), &sized).is_err());
}

#[test]
fn reading_is_total() {
    let frame = Csv::new().from_reader(CSV, &four()).unwrap();
    let missing = Cell::Missing;
    let text = |text: &str| Cell::from(text);
    let truth = vec![
        vec![float(1.5), whole(7), true.into(), text("a")],
        vec![float(f64::INFINITY), whole(i64::MIN), false.into(), text("b, \"c\"")],
        vec![missing.clone(); 4],
        vec![missing.clone(), missing.clone(), missing.clone(), text("d")],
        vec![missing.clone(); 4],
        vec![missing.clone(), whole(1), true.into(), text("e")],
        vec![float(-0.0), whole(3), true.into(), text("f")],
    ];
    assert_eq!(rows(&frame), truth);
    assert!(four().member(&frame) && !four_filled().member(&frame));
    let reader = Csv::new().fill_null("x", -1.0).fill_null("n", -1).fill_null("b", false).fill_null("t", "?");
    let frame = reader.from_reader(CSV, &four_filled()).unwrap();
    let filled = truth.into_iter().map(|row| {
        let values = [float(-1.0), whole(-1), false.into(), text("?")];
        row.into_iter().zip(values).map(|(cell, value)| if cell.is_null() { value } else { cell }).collect()
    });
    assert_eq!(rows(&frame), filled.collect::<Vec<Vec<Cell>>>());
    assert!(four_filled().member(&frame));
    assert_eq!(frame.rows(), 7);
}

/// Ids as programs write them that keep a column with missing cells in floats.
#[test]
fn whole_decimals_are_integers() {
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
        assert_eq!(read(&Csv::new(), ColumnDomain::integer(), &[cell]), [expected.into()], "{cell}");
        let with_commas = cell.replace('.', ",");
        assert_eq!(read(&Csv::new().decimal(','), ColumnDomain::integer(), &[&with_commas]), [expected.into()]);
    }
}

/// `special_values.json`, `parse_float_special_strings`.
#[test]
fn special_floats_as_texts() {
    let texts = ["inf", "-Infinity", "NaN", "nan", "1e400", "-1e400", "1e-400", "-0", "0x1p3", "1_000", " 1"];
    let read_all = read(&Csv::new(), ColumnDomain::float(), &texts);
    let infinity = f64::INFINITY;
    let values: Vec<Option<f64>> = vec![
        Some(infinity),
        Some(-infinity),
        None,
        None,
        Some(infinity),
        Some(-infinity),
        Some(0.0),
        Some(-0.0),
        None,
        None,
        Some(1.0),
    ];
    assert_eq!(read_all, values.into_iter().map(Cell::from).collect::<Vec<_>>());
    let bounded = ColumnDomain::float().with_bounds(0.0, 1.0).unwrap();
    let within = read(&Csv::new(), bounded, &texts);
    assert_eq!(within.iter().filter(|cell| !cell.is_null()).count(), 3, "1e-400, -0 and 1");
}

#[test]
fn what_the_domain_does_not_admit_is_missing() {
    let age = ColumnDomain::integer().with_bounds(0.0, 120.0).unwrap();
    assert_eq!(read(&Csv::new(), age, &["-1", "0", "120", "121"]), [None, Some(0), Some(120), None].map(Cell::from));
    let share = ColumnDomain::float().with_bounds(-0.5, 0.5).unwrap();
    let shares = [None, Some(-0.5), Some(0.5), None, None].map(Cell::from);
    assert_eq!(read(&Csv::new(), share, &["-0.6", "-0.5", "0.5", "0.50001", "inf"]), shares);
    let city = ColumnDomain::category(["Bern", "Aarau", " Chur", "NA"]).unwrap();
    let cities = [Some(1i64), Some(0), Some(2), None, None, Some(3), None].map(Cell::from);
    let texts = ["Aarau", " Bern ", " Chur", "bern", "Basel", "NA", " "];
    assert_eq!(read(&Csv::new().missing(["NA"]), city, &texts), cities, "a label that is declared is one");
}

/// A thousand rows after a quote that is opened and not closed were one cell, without an error.
#[test]
fn a_quote_that_is_not_closed_is_an_error() {
    let domain = lenient(&[("t", ColumnDomain::text()), ("x", ColumnDomain::float())]);
    let read = |text: &str| Csv::new().from_reader(text.as_bytes(), &domain);
    let thousand = format!("t,x\na,1\n\"secret,2\n{}", "b,3\n".repeat(9999));
    let open = "file: a quoted field is not closed, so everything after its quote would be one cell";
    assert_eq!(said(read(&thousand).unwrap_err()), open);
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
        assert_eq!(said(read(text).unwrap_err()), open, "{text:?}");
    }
    // Closed, and whatever stands at the end.
    let texts = |reader: Csv, text: &str| cells(&reader.from_reader(text.as_bytes(), &domain).unwrap(), 0);
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
        assert_eq!(texts(Csv::new(), text), ["a", last].map(Cell::from), "{text:?}");
    }
    assert!(texts(Csv::new(), "t,x").is_empty() && texts(Csv::new(), "t,x\n").is_empty());
    let lines = texts(Csv::new().without_quotes(), "t,x\n\"a,1\nEND\nb\",\"2\n");
    assert_eq!(lines, ["\"a", "END", "b\""].map(Cell::from));
    assert_eq!(texts(Csv::new().quote(b'\''), "t,x\n'a''\nb',1\n\"c,1"), ["a'\nb", "\"c"].map(Cell::from));
    let other = Csv::new().quote(b'\'').from_reader("t,x\n'a,1\n".as_bytes(), &domain);
    assert_eq!(said(other.unwrap_err()), open);
}

/// In one column, a blank line is a row whose cell is missing; in several it is none.
#[test]
fn whether_a_row_is_there_does_not_depend_on_its_cells() {
    let domain = FrameDomain::new([("x", ColumnDomain::float())]).unwrap();
    let reader = Csv::new().fill_null("x", 0.0);
    let floats = |reader: &Csv, text: &str| cells(&reader.from_reader(text.as_bytes(), &domain).unwrap(), 0);
    for (single, values) in [
        ("x\n1\n\n3\n", &[1.0, 0.0, 3.0][..]),
        ("x\r\n1\r\n\r\n3\r\n", &[1.0, 0.0, 3.0]),
        ("x\r1\r\r3", &[1.0, 0.0, 3.0]),
        ("\n\nx\n1\n2\n3\n\n", &[1.0, 2.0, 3.0, 0.0]),
        ("\u{feff}x\n\"1\"\n\"\"\nno\n", &[1.0, 0.0, 0.0]),
        ("x\n\n", &[0.0]),
        ("x\n", &[]),
        ("x", &[]),
    ] {
        let expected: Vec<Cell> = values.iter().copied().map(float).collect();
        assert_eq!(floats(&reader, single), expected, "{single:?}");
    }
    let headless = reader.clone().without_header(["x"]);
    assert_eq!(floats(&headless, "\n1\n\n2"), [0.0, 1.0, 0.0, 2.0].map(float));
    // One individual's cell becomes missing, and all others stay as they are.
    for blocks in [1, 100_000] {
        let line = |row: usize| if row.is_multiple_of(3) { "\r\n".into() } else { format!("{row}\r\n") };
        let text = format!("x\r\n{}", (0..blocks).map(line).collect::<String>());
        let value = |row: usize| if row.is_multiple_of(3) { 0.0 } else { f64::from(u32::try_from(row).unwrap()) };
        assert!(floats(&reader, &text) == (0..blocks).map(|row| float(value(row))).collect::<Vec<_>>());
    }
    assert_eq!(floats(&reader, "x,y\n1,\n,\n3,\n"), [1.0, 0.0, 3.0].map(float));
    assert_eq!(floats(&reader, "x,y\n1,\n\n3,\n\n"), [1.0, 3.0].map(float), "a blank line is no record");
}

/// A mark before the header, however few bytes come at a time.
#[test]
fn a_byte_order_mark_is_skipped() {
    struct Slow<'a>(&'a [u8]);
    impl std::io::Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let one = buffer.len().min(1);
            std::io::Read::read(&mut self.0, &mut buffer[..one])
        }
    }
    let domain = lenient(&[("x", ColumnDomain::float())]);
    let bytes = "\u{feff}x,y\n1,2\n".as_bytes();
    for frame in [Csv::new().from_reader(bytes, &domain), Csv::new().from_reader(Slow(bytes), &domain)] {
        assert_eq!(cells(&frame.unwrap(), 0), [float(1.0)]);
    }
    let headless = Csv::new().without_header(["x", "y"]);
    assert_eq!(cells(&headless.from_reader("\u{feff}1,2\n".as_bytes(), &domain).unwrap(), 0), [float(1.0)]);
}

#[test]
fn batches_are_as_they_are_read() {
    let domain = lenient(&[("n", ColumnDomain::integer())]);
    for length in [0, 1, 4095, 4096, 4097, 10_000] {
        let text: String = (0..length).map(|n| format!("{n},\n")).collect();
        let frame = Csv::new().from_reader(format!("n,_\n{text}").as_bytes(), &domain).unwrap();
        assert!(frame.iter().all(|batch| (1..=4096).contains(&batch.rows())));
        assert_eq!(cells(&frame, 0), (0..length).map(whole).collect::<Vec<_>>());
    }
}

/// Several threads read it, a part each; some rows are left out, some cells are long and go on over lines.
#[test]
fn long_files_are_read_in_order() {
    let domain = lenient(&[("n", ColumnDomain::integer()), ("t", ColumnDomain::text())]);
    let note = |n: i64| format!("{n}\n\"{}\"", "x,".repeat(usize::try_from(n % 97).unwrap()));
    let record = |n: i64| match n {
        n if n % 11 == 0 => ",none\n".to_owned(),
        n => format!("{n},\"{}\"\n", note(n).replace('"', "\"\"")),
    };
    let text: String = (1..60_000).map(record).collect();
    assert!(text.len() > 5 << 20);
    let frame = Csv::new().drop_null("n").from_reader(format!("n,t\n{text}").as_bytes(), &domain).unwrap();
    let kept = || (1..60_000).filter(|n| n % 11 != 0);
    assert_eq!(cells(&frame, 0), kept().map(whole).collect::<Vec<_>>());
    assert_eq!(cells(&frame, 1), kept().map(|n| Cell::Text(note(n))).collect::<Vec<_>>());
}
