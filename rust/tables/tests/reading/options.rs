//! Each option of the readers.

use super::{cells, float, lenient, read, rows, said, whole};
use indistinct::{
    frames::{Cell, ColumnDomain, FrameDomain, then_filter_rows, then_rows},
    prelude::*,
};
use indistinct_tables::{Csv, Encoding, PublicSample};
use std::io::Write;

fn visits() -> FrameDomain {
    lenient(&[("city", ColumnDomain::text()), ("visits", ColumnDomain::float())])
}

#[test]
fn delimiters() {
    for delimiter in [b';', b'\t', b'|', b',', b' ', b'~'] {
        let separator = char::from(delimiter);
        let text = format!("city{separator}visits\nAarau{separator}3\n\"B{separator}n\"{separator}4\n");
        let frame = Csv::new().delimiter(delimiter).from_reader(text.as_bytes(), &visits()).unwrap();
        assert_eq!(cells(&frame, 0), [Cell::from("Aarau"), format!("B{separator}n").into()]);
        assert_eq!(cells(&frame, 1), [3.0, 4.0].map(float));
    }
}

/// Spaces around the identifier of an individual say nothing: two spellings of an individual would be two.
#[test]
fn identifiers_have_no_spaces_around_them() {
    let columns = [("who", ColumnDomain::text()), ("note", ColumnDomain::text().with_missing())];
    let people = FrameDomain::new(columns).unwrap().with_individuals("who").unwrap();
    let text = "who,note\nP1, a\n P1,\" \"\n\"P1\t\",b\n  ,c\n,d\np 1,e\n";
    for encoding in [Encoding::Utf8, Encoding::Latin1] {
        let reader = Csv::new().encoding(encoding).drop_null("who");
        let frame = reader.from_reader(text.as_bytes(), &people).unwrap();
        assert_eq!(cells(&frame, 0), ["P1", "P1", "P1", "p 1"].map(Cell::from));
        assert_eq!(cells(&frame, 1), [" a", " ", "b", "e"].map(Cell::from));
    }
}

#[test]
fn decimals_and_thousands() {
    let floats = |reader: Csv, texts: &[&str]| read(&reader, ColumnDomain::float(), texts);
    let read_as = |values: &[Option<f64>]| values.iter().copied().map(Cell::from).collect::<Vec<_>>();
    let german = Csv::new().decimal(',').thousands('.');
    let texts = ["1.234,5", "1234,5", "-1.234.567", "+12,5e1", ",5", "5,", "inf", " 0,25 "];
    let values = [1234.5, 1234.5, -1_234_567.0, 125.0, 0.5, 5.0, f64::INFINITY, 0.25].map(Some);
    assert_eq!(floats(german.clone(), &texts), read_as(&values));
    // Not a number in this way of writing, though in another.
    let wrong = ["1.5", "1.23", "12.34,5", "1.2345", "1234.567", ".123", "1..234", "1,234.5", "1,2,3", "1.-34", "."];
    assert_eq!(floats(german.clone(), &wrong), read_as(&[None; 11]));
    assert_eq!(floats(Csv::new().decimal(','), &["1,5", "1.5", "1.500"]), read_as(&[Some(1.5), None, None]));
    let french = Csv::new().decimal(',').thousands('\u{202f}');
    assert_eq!(floats(french, &["1\u{202f}234,5", "1 234,5"]), read_as(&[Some(1234.5), None]));
    let swiss = Csv::new().thousands('\'');
    assert_eq!(floats(swiss, &["1'234.5", "1'23", "1.5'000"]), read_as(&[Some(1234.5), None, None]));
    let integers =
        read(&german, ColumnDomain::integer(), &["1.234", "-9.223.372.036.854.775.808", "12.34", "7,0", "7,5"]);
    assert_eq!(integers, [Some(1234), Some(i64::MIN), None, Some(7), None].map(Cell::from));
    let commas = Csv::new().thousands(',');
    assert_eq!(floats(commas, &["1,234.5", "1,5"]), read_as(&[Some(1234.5), None]));
}

#[test]
fn dates_and_times() {
    let dates = |reader: Csv, texts: &[&str]| read(&reader, ColumnDomain::date(), texts);
    let days = |values: &[Option<i64>]| values.iter().copied().map(Cell::from).collect::<Vec<_>>();
    let iso = ["1970-01-01", " 2026-11-23", "1969-12-31", "2026-02-29", "23.11.2026", "2024-02-29", "2026-11-23T01:00"];
    let values = [Some(0), Some(20_780), Some(-1), None, None, Some(19_782), None];
    assert_eq!(dates(Csv::new(), &iso), days(&values));
    let german = Csv::new().format("c", "%d.%m.%Y");
    assert_eq!(
        dates(german, &["23.11.2026", "1.1.1970", "2026-11-23", "31.11.2026"]),
        days(&[Some(20_780), Some(0), None, None])
    );
    assert_eq!(dates(Csv::new().format("c", "%m/%d/%y"), &["11/23/26"]), days(&[Some(20_780)]));
    assert_eq!(dates(Csv::new().format("c", "%Y%m%d"), &["20261123"]), days(&[Some(20_780)]));
    assert_eq!(dates(Csv::new().format("c", "%Y-%m-%d %H:%M:%S"), &["2026-11-23 06:17:45"]), days(&[Some(20_780)]));

    let times = |reader: Csv, texts: &[&str]| read(&reader, ColumnDomain::time(), texts);
    let day = 86_400_000_000;
    let iso = [
        "1970-01-02T00:00:01.5",
        "1970-01-01 00:01",
        "1970-01-02",
        "1969-12-31T23:59:59.9999999",
        "1970-01-01T00:00:00Z",
    ];
    assert_eq!(times(Csv::new(), &iso), days(&[Some(day + 1_500_000), Some(60_000_000), Some(day), Some(-1), Some(0)]));
    let american = Csv::new().format("c", "%m/%d/%Y %I:%M %p");
    assert_eq!(
        times(american, &["01/02/1970 01:30 PM", "01/02/1970 13:30"]),
        days(&[Some(day + 13 * 3_600_000_000 + 1_800_000_000), None])
    );
    assert_eq!(times(Csv::new().format("c", "%s"), &["86400"]), days(&[Some(day)]));

    let refused = |kind: ColumnDomain, format: &str| {
        let domain = lenient(&[("c", kind)]);
        said(Csv::new().format("c", format).from_reader(&b"c,_\n"[..], &domain).unwrap_err())
    };
    for format in ["%d.%m.", "%Y", "", "%Q", "%H:%M", "%z", "%"] {
        assert_eq!(
            refused(ColumnDomain::date(), format),
            format!("column c: the format {format:?} cannot represent every date")
        );
    }
    for format in ["%Y-%m-%d", "%Y-%m-%d %I:%M", "%Y-%m-%d %H"] {
        assert_eq!(
            refused(ColumnDomain::time(), format),
            format!("column c: the format {format:?} cannot represent every time")
        );
    }
    assert_eq!(refused(ColumnDomain::text(), "%Y"), "column c: has a date format, but is declared as text");
}

/// As programs export them: in UTC, with offsets, days with a midnight, days in other signs.
#[test]
fn times_with_zones_and_days_at_midnight() {
    let wholes = |values: &[Option<i64>]| values.iter().copied().map(Cell::from).collect::<Vec<_>>();
    let hour = 3_600_000_000i64;
    let ten = 20_513 * 24 * hour + 10 * hour;
    let same = [
        "2026-03-01T10:00:00Z",
        "2026-03-01T12:00:00+02:00",
        "2026-03-01T10:00:00+00:00",
        "2026-03-01 10:00:00 UTC",
        "2026-03-01 10:00:00+00",
        "2026-03-01 04:30:00.000 -0530",
        "2026-03-01t10:00z",
        "2026/03/01 10:00",
        "20260301T100000Z",
        "2026-03-01 10:00:00,000",
        "2026-02-28T23:00:00-11:00",
    ];
    assert_eq!(read(&Csv::new(), ColumnDomain::time(), &same), wholes(&[Some(ten); 11]));
    let others = ["2026-03-01 10:00:00.250Z", "2026-03-01", "20260301", "2026/03/01", "2016-12-31T23:59:60Z"];
    let (quarter, midnight) = (Some(ten + 250_000), Some(ten - 10 * hour));
    let values = [quarter, midnight, midnight, midnight, Some(17_167 * 24 * hour)];
    assert_eq!(read(&Csv::new(), ColumnDomain::time(), &others), wholes(&values));
    let none = [
        "2026-03-01T10:00:00 CET",
        "2026-03-01T10:00:00+24:00",
        "2026-03-01T10:00:00+02:60",
        "2026-03-01T10:00:00+2",
        "2026-03-01T25:00",
        "2026-03-01T10:00:00.",
        "2026-03-01T10:00:00ZZ",
        "2026-03-01T10",
        "2026-03-01T10:00:61",
        "2026-03/01",
        "202603011",
        "2026301",
        "26-03-01",
        "2026-03-01 10:00 +02:00 x",
    ];
    assert_eq!(read(&Csv::new(), ColumnDomain::time(), &none), wholes(&[None; 14]));
    let midnights = [
        "2026-03-01T00:00:00",
        "2026-03-01 00:00:00",
        "2026-03-01 00:00",
        "2026-03-01T00:00:00.000Z",
        // The day as written, which is another one in UTC.
        "2026-03-01T00:00:00+02:00",
        "20260301",
        "2026/03/01",
        "+2026-03-01",
    ];
    assert_eq!(read(&Csv::new(), ColumnDomain::date(), &midnights), wholes(&[Some(20_513); 8]));
    let none = ["2026-03-01T00:00:01", "2026-02-28T22:00:00Z", "2026-03-01T", "20260230", "2026-03-01 00:00 CET"];
    assert_eq!(read(&Csv::new(), ColumnDomain::date(), &none), wholes(&[None; 5]));

    // Offsets in formats.
    for format in ["%d.%m.%Y %H:%M %z", "%d.%m.%Y %H:%M %:z", "%d.%m.%Y %H:%M %#z"] {
        let zoned = Csv::new().format("c", format);
        let texts = ["01.03.2026 10:00 Z", "01.03.2026 12:00 +02:00", "01.03.2026 12:00 +0200", "01.03.2026 12:00 +02"];
        assert_eq!(read(&zoned, ColumnDomain::time(), &texts), wholes(&[Some(ten); 4]), "{format}");
        assert_eq!(read(&zoned, ColumnDomain::time(), &["01.03.2026 12:00"]), wholes(&[None]), "{format}");
        assert_eq!(read(&zoned, ColumnDomain::date(), &["01.03.2026 00:00 +02:00"]), wholes(&[Some(20_513)]));
    }
    for format in ["%+", "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M:%S%.f%:z"] {
        let texts = ["2026-03-01T10:00:00Z", "2026-03-01T12:00:00+02:00"];
        assert_eq!(read(&Csv::new().format("c", format), ColumnDomain::time(), &texts), wholes(&[Some(ten); 2]));
    }
    let named = lenient(&[("c", ColumnDomain::time())]);
    let named = Csv::new().format("c", "%d.%m.%Y %H:%M %Z").from_reader(&b"c,_\n"[..], &named).unwrap_err();
    assert!(said(named).contains("contains names of time zones, which are not supported"));
    // What stands for missing cells is read as cells are.
    let domain = FrameDomain::new([("c", ColumnDomain::time())]).unwrap();
    let filled = Csv::new().fill_null("c", "2026-03-01T12:00:00+02:00").from_reader(&b"c,_\n,\n"[..], &domain).unwrap();
    assert_eq!(cells(&filled, 0), wholes(&[Some(ten)]));
}

#[test]
fn texts_for_nothing() {
    let reader = Csv::new().missing(["NA", "."]).missing_in("c", ["-9"]);
    let integers = read(&reader, ColumnDomain::integer(), &["1", "NA", " . ", "-9", "", "-99"]);
    assert_eq!(integers, [Some(1), None, None, None, None, Some(-99)].map(Cell::from));
    let texts = read(&reader, ColumnDomain::text(), &["a", "NA", "NAN", "-9", " ", " a"]);
    assert_eq!(texts, [Some("a"), None, Some("NAN"), None, Some(" "), Some(" a")].map(Cell::from));
    // In one column alone; and what stands for nothing is not unreadable.
    let domain = FrameDomain::new([
        ("n", ColumnDomain::integer().with_missing()),
        ("bad", ColumnDomain::bool()),
        ("m", ColumnDomain::integer().with_missing()),
    ]);
    let reader = Csv::new().missing(["NA"]).missing_in("n", ["-9"]).flag_unreadable("bad");
    let frame = reader.from_reader(&b"m,n\n-9,-9\nNA,x\n"[..], &domain.unwrap()).unwrap();
    let truth = [vec![Cell::Missing, false.into(), whole(-9)], vec![Cell::Missing, true.into(), Cell::Missing]];
    assert_eq!(rows(&frame), truth);
}

#[test]
fn encodings() {
    let domain = lenient(&[("größe", ColumnDomain::text()), ("n", ColumnDomain::category(["€", "é", "?"]).unwrap())]);
    let text = |reader: Csv, bytes: &[u8]| reader.from_reader(bytes, &domain).map(|frame| rows(&frame));
    let truth = vec![vec![Cell::from("Zürich"), Cell::Missing]];
    assert_eq!(text(Csv::new(), "größe,n\nZürich,\n".as_bytes()).unwrap(), truth);
    for encoding in [Encoding::Latin1, Encoding::Windows1252] {
        assert_eq!(text(Csv::new().encoding(encoding), b"gr\xf6\xdfe,n\nZ\xfcrich,\n").unwrap(), truth);
    }
    assert!(text(Csv::new(), b"gr\xf6\xdfe,n\nsecret,\n").is_err());
    // The euro, an e with an accent, and a byte that is no character.
    let euro = b"gr\xf6\xdfe,n\n\x80,\x80\n\xe9,\xe9\n\x81,\x81\n";
    let windows = text(Csv::new().encoding(Encoding::Windows1252), euro).unwrap();
    let euros = [vec!["€".into(), whole(0)], vec!["é".into(), whole(1)], vec![Cell::Missing, Cell::Missing]];
    assert_eq!(windows, euros);
    let latin = text(Csv::new().encoding(Encoding::Latin1), euro).unwrap();
    assert_eq!(latin[0], [Cell::from("\u{80}"), Cell::Missing]);
    assert_eq!(latin[1], euros[1]);
    // A cell that is not UTF-8 is unreadable, and the others of its row are not.
    let flagged =
        FrameDomain::new([("t", ColumnDomain::text().with_missing()), ("bad", ColumnDomain::bool())]).unwrap();
    let frame = Csv::new().flag_unreadable("bad").from_reader(&b"t,_\n\xff,\na,\n,\n"[..], &flagged).unwrap();
    assert_eq!(cells(&frame, 1), [true, false, false].map(Cell::from));
}

#[test]
fn files_without_a_header() {
    let reader = Csv::new().without_header(["visits", "_", "city"]);
    let frame = reader.from_reader(&b"3,x,Bern\nvisits,_,city\n"[..], &visits()).unwrap();
    assert_eq!(rows(&frame), [vec!["Bern".into(), float(3.0)], vec!["city".into(), Cell::Missing]]);
    let refused = |names: &[&str]| {
        said(Csv::new().without_header(names.iter().copied()).from_reader(&b"secret,1\n"[..], &visits()).unwrap_err())
    };
    assert_eq!(
        refused(&["city", "other"]),
        "column visits: is not in the data, declared without a header and with the columns \"city\", \"other\""
    );
    assert_eq!(refused(&["city", "visits", "city"]), "column city: occurs twice in the data");
}

#[test]
fn compressed_files() {
    let text = "city,visits\nBern,3\n";
    let compress = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    // Two parts, as programs write them that compress in pieces.
    let bytes = [compress(text), compress("Chur,4\n")].concat();
    let truth = ["Bern", "Chur"].map(Cell::from);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("visits.csv.gz");
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(cells(&Csv::new().read(&path, &visits()).unwrap(), 0), truth);
    let unnamed = directory.path().join("visits");
    std::fs::write(&unnamed, &bytes).unwrap();
    assert_eq!(cells(&Csv::new().gzip().read(&unnamed, &visits()).unwrap(), 0), truth);
    assert_eq!(cells(&Csv::new().gzip().from_reader(&bytes[..], &visits()).unwrap(), 0), truth);
    // Not to its end, and not at all.
    for (bad, length) in [(&bytes[..], bytes.len() - 1), (text.as_bytes(), text.len())] {
        let error = said(Csv::new().gzip().from_reader(&bad[..length], &visits()).unwrap_err());
        assert!(error.starts_with("file: cannot be read: "), "{error}");
    }
}

#[test]
fn rows_without_an_identifier_are_left_out() {
    let columns = [("who", ColumnDomain::integer()), ("visits", ColumnDomain::float()), ("bad", ColumnDomain::bool())];
    let domain = FrameDomain::new(columns).unwrap().with_individuals("who").unwrap();
    let reader = Csv::new().drop_null("who").fill_null("visits", 0.0).flag_unreadable("bad");
    let data = "who,visits\n7,1\n,2\nnobody,3\n8.0,x\n7,4,5\n7\n";
    let frame = reader.from_reader(data.as_bytes(), &domain).unwrap();
    let row = |who, visits, bad: bool| vec![whole(who), float(visits), bad.into()];
    assert_eq!(rows(&frame), [row(7, 1.0, false), row(8, 0.0, true), row(7, 4.0, true), row(7, 0.0, true)]);
    assert!(domain.member(&frame));
    let all = "who,visits\n".to_owned() + &"nobody,3\n".repeat(5000);
    assert_eq!(reader.from_reader(all.as_bytes(), &domain).unwrap().rows(), 0);
    let strict = |data: &str| reader.clone().strict().from_reader(data.as_bytes(), &domain).map(|frame| frame.rows());
    assert_eq!(strict("who,visits\n7,1\n,\n8,3\n").unwrap(), 2);
    assert!(strict("who,visits\n7,1\nnobody,\n8,3\n").is_err(), "there, and no identifier");
}

#[test]
fn strictness() {
    let domain =
        FrameDomain::new([("n", ColumnDomain::integer()), ("x", ColumnDomain::float().with_missing())]).unwrap();
    let read = |data: &str| {
        Csv::new().strict().missing(["NA"]).from_reader(data.as_bytes(), &domain).map(|frame| rows(&frame))
    };
    let whole_file = read("n,_,x\n1,,0.5\n2,?,\n3,,NA\n").unwrap();
    assert_eq!(whole_file[2], [whole(3), Cell::Missing]);
    let refusal =
        "file: has cells that are missing or cannot be read (strict): their number and their places stay private";
    let lines = ["secret,,1", ",,1", "NA,,1", "1,,secret", "1,", "1,,2,secret", "1.5,,2"];
    for (place, line) in (0..5000).step_by(700).zip(lines) {
        let mut data = vec!["1,,2"; 5000];
        assert!(read(&format!("n,_,x\n{}", data.join("\n"))).is_ok());
        data[place] = line;
        assert_eq!(said(read(&format!("n,_,x\n{}", data.join("\n"))).unwrap_err()), refusal, "{line}");
    }
    let all = format!("n,_,x\n{}", "secret,secret,secret\n".repeat(100));
    assert_eq!(said(read(&all).unwrap_err()), refusal, "of one or of many");
}

/// The number of rows that could not be read is released as any other.
#[test]
fn unreadable_rows_are_counted() {
    let domain = FrameDomain::new([("bad", ColumnDomain::bool()), ("n", ColumnDomain::integer())]).unwrap();
    let reader = Csv::new().fill_null("n", 0).flag_unreadable("bad");
    let frame = reader.from_reader(&b"n,_\n1,\n,\nx,\n1e3,\n2\n"[..], &domain).unwrap();
    assert_eq!(cells(&frame, 0), [false, false, true, true, true].map(Cell::from));
    let bad = (domain, SymmetricDistance) >> then_filter_rows(indistinct::frames::col("bad"));
    let count = (bad >> then_rows::<bool, _, _>(vec!["bad"]) >> then_count() >> then_laplace(1.0)).unwrap();
    assert_eq!(count.map(&1), Ok(1.0));
    let released: i64 = count.invoke(&frame).unwrap();
    assert!((-30..40).contains(&released));
}

#[test]
fn a_number_of_rows_that_is_declared() {
    let domain = FrameDomain::new([("n", ColumnDomain::integer().with_missing())]).unwrap().with_size(2);
    let read = |data: &str| Csv::new().from_reader(data.as_bytes(), &domain).map(|frame| frame.rows());
    assert_eq!(read("n,_\n1,\nx,\n").unwrap(), 2);
    assert_eq!(
        said(read("n,_\nsecret,\n").unwrap_err()),
        "file: has a different number of rows than the 2 that the domain declares"
    );
    let dropped = Csv::new().drop_null("n").from_reader(&b"n,_\n"[..], &domain).unwrap_err();
    assert!(said(dropped).contains("the domain cannot declare the number of rows"));
}

#[test]
fn a_schema_is_suggested_from_a_public_sample() {
    let mut sample = "id;size;since;seen;sure;town;note\n".to_owned();
    for row in [
        "1;1,5;1.2.2020;2020-02-01 10:00;true;Bern;a",
        "2;NA;;;;Chur;b",
        "3;1000;3.2.2020;2020-02-01;FALSE;Bern;c",
        "4;;;;;Chur;",
    ] {
        sample += &format!("{row}\n");
    }
    let reader = Csv::new().delimiter(b';').decimal(',').format("since", "%d.%m.%Y").missing(["NA"]);
    let code = reader.suggest(&PublicSample::new(sample.clone())).unwrap();
    let columns = [
        ("id", "integer()"),
        ("size", "float()"),
        ("since", "date()"),
        ("seen", "time()"),
        ("sure", "bool()"),
        ("town", "category([\"Bern\", \"Chur\"])?"),
        ("note", "text()"),
    ];
    let lines = columns.map(|(name, column)| format!("    ({name:?}, ColumnDomain::{column}.with_missing()),\n"));
    assert_eq!(code, format!("FrameDomain::new([\n{}])?\n", lines.concat()));
    let (names, rest) = sample.split_once('\n').unwrap();
    let headless = reader.without_header(names.split(';'));
    assert_eq!(headless.suggest(&PublicSample::new(rest)).unwrap(), code);
    // A column whose name stands twice is left out, and so is one without a name; the others are there.
    let twice = Csv::new().suggest(&PublicSample::new("a,,b,a\n1,2,3,4\n")).unwrap();
    let expected = "FrameDomain::new([\n    // \"a\": occurs twice in the header, and cannot be declared until one is renamed\n    \
                    // \"\": has no name in the header, and is omitted\n    (\"b\", \
                    ColumnDomain::integer().with_missing()),\n    // \"a\": occurs";
    assert!(twice.starts_with(expected), "{twice}");
}

/// What is suggested for a column of these cells: the type and the remarks.
fn suggested(reader: &Csv, cells: &[&str]) -> (String, String) {
    let text = cells.iter().fold("c;_\n".to_owned(), |text, cell| text + cell + ";\n");
    let sample = PublicSample::new(text);
    let column = reader.clone().delimiter(b';').suggest_columns(&sample).unwrap().swap_remove(0);
    let kind = column.format.map_or(String::new(), |format| format!(" in {format}"));
    (format!("{:?}{kind}", column.domain.unwrap()), column.remarks.join("; "))
}

/// Two texts of a sample never become one value.
#[test]
fn what_a_number_would_lose_stays_a_text() {
    for (cells, kind) in [
        (&["001", "002", "010"][..], "text(missing)"),
        (&["02134", "00501", "10001"], "text(missing)"),
        (&["+4930123", "+4930124"], "text(missing)"),
        (&["12345678901234567890", "12345678901234567891"], "text(missing)"),
        (&["1E10", "2E05", "3E07"], "text(missing)"),
        (&["1e10", "2e5"], "text(missing)"),
        (&["1.10", "1.1", "1.2"], "text(missing)"),
        (&["1.50", "2"], "text(missing)"),
        (&["1", "1.0"], "text(missing)"),
        (&["1", "2.0"], "float(missing)"),
        (&[".5", "1.5"], "text(missing)"),
        (&["01.50", "02.50"], "text(missing)"),
        (&["12345678901234567890.25", "1.25"], "text(missing)"),
        (&["1", "-7", "9223372036854775807"], "integer(missing)"),
        (&["1.0", "2.0"], "float(missing)"),
        (&["1.5", "2", "-0.25"], "float(missing)"),
        (&["12.50", "0.99", "-3.00"], "float(missing)"),
        (&["0.25", "1e-05", "1.5e+16", "2.5e-7"], "float(missing)"),
        (&["1", "NaN", "3"], "integer(missing)"),
        (&["true", "false"], "bool(missing)"),
        (&["", ""], "text(missing)"),
        (&["x", "y", "x", "y"], "category(\"x\", \"y\", missing)"),
        (&["2026-03-01T10:00:00Z", "2026-03-01T12:30:00+02:00"], "time(missing)"),
        (&["2026-03-01T10:00:00Z"; 4], "time(missing)"),
        (&["2026-03-01", "2026-03-02T00:00:00"], "date(missing)"),
        (&["05/31/2025", "12/01/2024"], "date(missing) in %m/%d/%Y"),
        (&["31.05.2025", "01.12.2024"], "date(missing) in %d.%m.%Y"),
        (&["31.05.25", "01.12.24"], "date(missing) in %d.%m.%y"),
        (&["05/31/2025 01:30 PM", "12/01/2024 11:00 AM"], "time(missing) in %m/%d/%Y %I:%M %p"),
    ] {
        assert_eq!(suggested(&Csv::new(), cells).0, kind, "{cells:?}");
    }
    for (cells, remark) in [
        (&["02134", "10001"][..], "some would lose their form as numbers, such as \"02134\""),
        (&["2,720.36", "1,000.00"], "numbers, if the file is read with thousands = \",\": \"float(missing)\" then"),
        (&["2.720,36", "10,5"], "numbers, if the file is read with decimal = \",\" and thousands = \".\""),
        (&["2,72", "10,5"], "numbers, if the file is read with decimal = \",\":"),
        (&["1,250", "2,500"], "decimal = \",\", or with thousands = \",\""),
        (&["05/06/2025", "01/02/2025"], "in an ambiguous order: set \"%m/%d/%Y\" or \"%d/%m/%Y\" in `formats`"),
        (&["20260301", "20260302"], "may also be dates"),
        (
            &["2026-03-01T10:00Z", "2026-03-01T10:00"],
            "some times have a zone and are converted to UTC, and some have none",
        ),
        (&["1", "2", "3", "k.A."], "numbers, except for \"k.A.\": list these under `missing`"),
    ] {
        let (kind, remarks) = suggested(&Csv::new(), cells);
        assert!(remarks.contains(remark), "{cells:?}: {kind}, {remarks}");
    }
    let commas = suggested(&Csv::new().decimal(','), &["1,250", "2,500"]);
    assert_eq!(commas.0, "text(missing)");
    assert!(commas.1.contains("may be a decimal comma or a thousands separator"));
    assert_eq!(suggested(&Csv::new().decimal(','), &["1,250", "500"]).0, "text(missing)");
    assert_eq!(suggested(&Csv::new().decimal(','), &["1,250", "0,500"]).0, "float(missing)");
    assert_eq!(suggested(&Csv::new().missing(["NA"]), &["1", "NA"]), ("integer(missing)".into(), String::new()));
}

/// A sample is a file, of which the first rows are read, once; its encoding must be right.
#[test]
fn a_sample_is_read_from_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("sample.csv");
    let text = "id,when\n1,2026-03-01\n2,2026-03-02\nx,never\n";
    std::fs::write(&path, text).unwrap();
    let kinds = |sample: &PublicSample| {
        let columns = Csv::new().suggest_columns(sample).unwrap();
        columns.into_iter().map(|column| format!("{:?}", column.domain.unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&PublicSample::file(&path)), ["text(missing)", "text(missing)"]);
    assert_eq!(kinds(&PublicSample::file(&path).first(2)), ["integer(missing)", "date(missing)"]);
    assert_eq!(kinds(&PublicSample::new("x\n1\n\n2\n")), ["integer(missing)"], "of one column, too");
    let refused = |bytes: &[u8]| said(Csv::new().suggest_columns(&PublicSample::new(bytes)).unwrap_err());
    for latin in [&b"id,ort\n1,K\xf6ln\n"[..], b"gr\xf6\xdfe,n\n1,2\n"] {
        assert!(refused(latin).starts_with("encoding: a cell is not in this encoding"));
        assert!(Csv::new().encoding(Encoding::Latin1).suggest_columns(&PublicSample::new(latin)).is_ok());
    }
    assert_eq!(refused(b"\xff\xfea\0,\0"), "file: starts like a UTF-16 file: set the encoding to utf-16");
    let missing = Csv::new().suggest_columns(&PublicSample::file(directory.path().join("none.csv"))).unwrap_err();
    assert!(said(missing).contains("none.csv: cannot be opened"));
}

/// The text in UTF-16, in the order that a number's bytes have.
fn utf_16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

/// UTF-16 is read by its mark, or in the order that is declared; blocks are cut in the text, not inside a code unit.
#[test]
fn utf_16_is_read() {
    let domain = FrameDomain::new([("ort", ColumnDomain::text().with_missing())]).unwrap();
    let cells = |encoding: Encoding, bytes: &[u8]| {
        let frame = Csv::new().encoding(encoding).from_reader(bytes, &domain).unwrap();
        frame.iter().flat_map(|batch| (0..batch.rows()).map(|row| batch.columns()[0].cell(row))).collect::<Vec<_>>()
    };
    // U+0A0D and U+222C have the bytes of an end of line, a comma and a quote.
    let long = "\u{a0d}\u{222c}\u{2c22}".repeat(70_000);
    let text = format!("n,ort\r\n1,Köln\r\n2,\"a\n,b\"\r\n3,{long}\r\n4,😀\r\n");
    let expected = ["Köln", "a\n,b", &long, "😀"].map(|text| Cell::Text(text.to_owned()));
    let marked = format!("\u{feff}{text}");
    for (encoding, bytes) in [
        (Encoding::Utf16, utf_16(&marked, u16::to_le_bytes)),
        (Encoding::Utf16, utf_16(&marked, u16::to_be_bytes)),
        (Encoding::Utf16, utf_16(&text, u16::to_le_bytes)),
        (Encoding::Utf16Be, utf_16(&text, u16::to_be_bytes)),
    ] {
        assert_eq!(cells(encoding, &bytes), expected);
    }
    // An unpaired surrogate makes one cell unreadable, and takes nothing of the next.
    let (head, tail) = (utf_16("n,ort\n1,Bern", u16::to_le_bytes), utf_16("\n2,Chur\n", u16::to_le_bytes));
    let found = cells(Encoding::Utf16, &[&head[..], &[0x00, 0xd8], &tail].concat());
    assert_eq!(found, [Cell::Missing, Cell::Text("Chur".to_owned())]);
    // In the wrong order the header has no declared column.
    let swapped = Csv::new().encoding(Encoding::Utf16Be).from_reader(&head[..], &domain).unwrap_err();
    assert!(said(swapped).contains("no declared column"));
    let sample = PublicSample::new(utf_16(&marked, u16::to_le_bytes));
    let columns = Csv::new().encoding(Encoding::Utf16).suggest_columns(&sample).unwrap();
    assert_eq!(columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>(), ["n", "ort"]);
}
