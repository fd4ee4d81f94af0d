//! Random tables, written and read again; random records, one of which changes; random bytes.

use super::rows;
use csv::{QuoteStyle, Terminator, WriterBuilder};
use indistinct::{
    frames::{Cell, ColumnDomain, FrameDomain},
    prelude::*,
};
use indistinct_tables::{Csv, Encoding};
use proptest::{collection::vec, option, prelude::*, sample::select};
use std::io::Write;

/// A tenth of the random cases, unless all are asked for.
fn cases(all: u32) -> u32 {
    if std::env::var_os("TEST_DEEP").is_some() { all } else { all / 10 }
}

/// How a file is written.
#[derive(Debug, Clone)]
struct Way {
    delimiter: u8,
    quote: u8,
    style: QuoteStyle,
    terminator: Terminator,
    /// What stands before the places, and between thousands.
    numbers: (char, Option<char>),
    encoding: Encoding,
    has_header: bool,
    is_compressed: bool,
    has_mark: bool,
    dates: &'static str,
    missing: &'static str,
}

fn ways() -> impl Strategy<Value = Way> {
    let bytes = (select(vec![b',', b';', b'\t', b'|', b' ']), select(vec![b'"', b'\'', b'^']));
    let styles = select(vec![QuoteStyle::Necessary, QuoteStyle::Always, QuoteStyle::NonNumeric]);
    let terminators = select(vec![Terminator::CRLF, Terminator::Any(b'\n'), Terminator::Any(b'\r')]);
    let numbers =
        select(vec![('.', None), (',', None), (',', Some('.')), ('.', Some(',')), ('.', Some('\'')), (',', Some(' '))]);
    let encodings = select(vec![Encoding::Utf8, Encoding::Latin1, Encoding::Windows1252]);
    let bools = (any::<bool>(), any::<bool>(), any::<bool>());
    let formats = (select(vec!["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%Y%m%d"]), select(vec!["", "NA", "-999"]));
    (bytes, styles, terminators, numbers, encodings, bools, formats).prop_map(
        |((delimiter, quote), style, terminator, numbers, encoding, bools, (dates, missing))| Way {
            delimiter,
            quote,
            style,
            terminator,
            numbers,
            encoding,
            has_header: bools.0,
            is_compressed: bools.1,
            has_mark: bools.2 && encoding == Encoding::Utf8,
            dates,
            missing,
        },
    )
}

const NAMES: [&str; 7] = ["x", "n", "b", "t", "c", "d", "s"];
const LABELS: [&str; 4] = ["Aarau", "Bern;", "ö, \"ä\"", "1"];

fn columns() -> [ColumnDomain; 7] {
    [
        ColumnDomain::float(),
        ColumnDomain::integer(),
        ColumnDomain::bool(),
        ColumnDomain::text(),
        ColumnDomain::category(LABELS).unwrap(),
        ColumnDomain::date(),
        ColumnDomain::time(),
    ]
}

fn all_missing() -> FrameDomain {
    FrameDomain::new(NAMES.into_iter().zip(columns().map(ColumnDomain::with_missing))).unwrap()
}

/// The values of a row.
type Values = (Option<f64>, Option<i64>, Option<bool>, Option<String>, Option<usize>, Option<i64>, Option<i64>);

fn values() -> impl Strategy<Value = Values> {
    let special = select(vec![f64::INFINITY, -f64::INFINITY, -0.0, f64::MIN_POSITIVE, 5e-324, f64::MAX]);
    let float = prop_oneof![any::<f64>().prop_filter("not a number", |x| !x.is_nan()), special, -1e4..1e4];
    // Without surrogates of other encodings: Latin-1 alone, in which the euro is none.
    let text =
        "[ -~\\r\\nä-üÀ-Ý]{1,8}".prop_filter("means nothing", |text| !["NA", "-999"].contains(&text.trim_ascii()));
    (
        option::of(float),
        option::of(prop_oneof![any::<i64>(), -2000i64..2000].prop_filter("means nothing", |n| *n != -999)),
        option::of(any::<bool>()),
        option::of(text),
        option::of(0..LABELS.len()),
        option::of(-100_000i64..100_000),
        option::of(-4_000_000_000_000_000i64..4_000_000_000_000_000),
    )
}

/// Digits with a separator before each three.
fn grouped(text: &str, separator: Option<char>) -> String {
    let digits = text.trim_start_matches('-');
    let Some(separator) = separator.filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit())) else {
        return text.to_owned();
    };
    let sign = &text[..text.len() - digits.len()];
    let digit = |(place, digit): (usize, char)| {
        let is_first_of_three = place > 0 && (digits.len() - place).is_multiple_of(3);
        is_first_of_three.then_some(separator).into_iter().chain([digit]).collect::<String>()
    };
    sign.to_owned() + &digits.chars().enumerate().map(digit).collect::<String>()
}

impl Way {
    fn number(&self, text: String) -> String {
        let (decimal, thousands) = self.numbers;
        match text.split_once('.') {
            Some((whole, places)) => grouped(whole, thousands) + &decimal.to_string() + places,
            None => grouped(&text, thousands),
        }
    }

    fn texts(&self, (x, n, b, t, c, d, s): &Values) -> Vec<String> {
        let day = |days: i64| chrono::NaiveDate::default() + chrono::TimeDelta::days(days);
        let time = |time: i64| chrono::DateTime::from_timestamp_micros(time).unwrap().format("%Y-%m-%dT%H:%M:%S%.f");
        let texts = [
            x.map(|x| self.number(format!("{x:?}"))),
            n.map(|n| self.number(n.to_string())),
            b.map(|b| b.to_string()),
            t.clone(),
            c.map(|c| LABELS[c].to_owned()),
            d.map(|days| day(days).format(self.dates).to_string()),
            s.map(|s| time(s).to_string()),
        ];
        texts.into_iter().map(|text| text.unwrap_or_else(|| self.missing.to_owned())).collect()
    }

    fn written(&self, records: impl IntoIterator<Item = Vec<String>>) -> Vec<u8> {
        let mut writer = WriterBuilder::new()
            .delimiter(self.delimiter)
            .quote(self.quote)
            .quote_style(self.style)
            .terminator(self.terminator)
            .flexible(true)
            .from_writer(Vec::new());
        let header = self.has_header.then(|| NAMES.map(str::to_owned).to_vec());
        for record in header.into_iter().chain(records) {
            writer.write_record(&record).unwrap();
        }
        let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        let mut bytes = match self.encoding {
            Encoding::Utf8 => text.into_bytes(),
            _ => text.chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect(),
        };
        if self.has_mark {
            bytes.splice(0..0, [0xef, 0xbb, 0xbf]);
        }
        if self.is_compressed {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(&bytes).unwrap();
            bytes = encoder.finish().unwrap();
        }
        bytes
    }

    fn reader(&self) -> Csv {
        let (decimal, thousands) = self.numbers;
        let reader = Csv::new().delimiter(self.delimiter).quote(self.quote).encoding(self.encoding).decimal(decimal);
        let reader = reader.format("d", self.dates).missing([self.missing]);
        let reader = if self.has_header { reader } else { reader.without_header(NAMES) };
        let reader = if self.is_compressed { reader.gzip() } else { reader };
        thousands.into_iter().fold(reader, Csv::thousands)
    }
}

fn cells((x, n, b, t, c, d, s): &Values) -> Vec<Cell> {
    let position = c.map(|c| i64::try_from(c).unwrap());
    vec![(*x).into(), (*n).into(), (*b).into(), t.clone().into(), position.into(), (*d).into(), (*s).into()]
}

/// What a cell may say, of any type and of none.
fn junk() -> impl Strategy<Value = String> {
    let words =
        ["", "1", "1.5", "1,5", "-0", "inf", "nan", "true", "Bern;", "2026-11-23", "1.1.1970", "NA", " ", "x\ny"];
    prop_oneof![select(words.to_vec()).prop_map(str::to_owned), "[ -~\\r\\nä-ü]{0,6}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(2000)))]

    #[test]
    fn what_is_written_is_read(way in ways(), table in vec(values(), 0..12)) {
        let bytes = way.written(table.iter().map(|row| way.texts(row)));
        let frame = way.reader().from_reader(&bytes[..], &all_missing()).unwrap();
        prop_assert_eq!(rows(&frame), table.iter().map(cells).collect::<Vec<_>>());
        // None of them is unreadable.
        prop_assert!(way.reader().strict().from_reader(&bytes[..], &all_missing()).is_ok());
    }

    /// Every row is made of its record alone, so a record that changes or goes leaves all others as they are.
    #[test]
    fn reading_is_stable(
        way in ways(),
        records in vec(vec(junk(), 2..10), 1..12),
        other in vec(junk(), 2..10),
        place in 0usize..12,
        fills in any::<bool>(),
    ) {
        // In a file without a header, a mark would be the first cell's.
        let way = Way { is_compressed: false, ..way };
        let columns = columns().map(|column| if fills { column } else { column.with_missing() });
        let named = NAMES.into_iter().zip(columns).chain([("bad", ColumnDomain::bool())]);
        let domain = FrameDomain::new(named).unwrap();
        let reader = way.reader().flag_unreadable("bad");
        let filled = reader.clone().fill_null("x", 0.5).fill_null("n", 3).fill_null("b", true).drop_null("t");
        let filled = filled.fill_null("c", "1").fill_null("d", "2000-01-01").fill_null("s", "2000-01-01T10:00:00");
        let reader = if fills { filled } else { reader };
        let read = |records: &[Vec<String>]| {
            let frame = reader.from_reader(&way.written(records.iter().cloned())[..], &domain).unwrap();
            assert!(domain.member(&frame));
            rows(&frame)
        };
        let alone = |record: &Vec<String>| read(std::slice::from_ref(record));
        let each: Vec<_> = records.iter().map(alone).collect();
        let least = if fills { 0 } else { 1 };
        prop_assert!(each.iter().all(|rows| (least..=1).contains(&rows.len())));
        prop_assert_eq!(read(&records), each.concat());
        let place = place % records.len();
        let (mut changed, mut truth) = (records.clone(), each);
        changed[place] = other;
        truth[place] = alone(&changed[place]);
        prop_assert_eq!(read(&changed), truth.concat());
        changed.remove(place);
        truth.remove(place);
        prop_assert_eq!(read(&changed), truth.concat());
    }

    /// Whatever the bytes, there is a frame of the domain or an error, and the same again.
    #[test]
    fn bytes_never_panic(
        way in ways(),
        bytes in vec(prop_oneof![select(b",;\t|\"'^\r\n.-+eE0123456789NAxt ".to_vec()), any::<u8>()], 0..200),
        has_header in any::<bool>(),
    ) {
        let header = if has_header { way.written([]) } else { Vec::new() };
        let bytes = [if way.is_compressed { Vec::new() } else { header }, bytes].concat();
        let read = |reader: &Csv| reader.from_reader(&bytes[..], &all_missing());
        if let Ok(frame) = read(&way.reader()) {
            prop_assert!(all_missing().member(&frame));
            prop_assert_eq!(rows(&frame), rows(&read(&way.reader()).unwrap()));
        }
        let sample = indistinct_tables::PublicSample::new(&bytes[..]);
        let _ = way.reader().suggest(&sample);
    }

    /// A format is accepted or refused; what it accepts reads any text.
    #[test]
    fn formats_never_panic(format in "[%a-zA-Z0-9.:#_^+ -]{0,12}", ascii in "[ -~]{0,20}", any in ".{0,12}") {
        for column in [ColumnDomain::date(), ColumnDomain::time()] {
            let domain = FrameDomain::new([("c", column.with_missing())]).unwrap();
            let quoted = |text: &str| format!("\"{}\",\n", text.replace('"', "\"\""));
            let data = "c,_\n".to_owned() + &quoted(&ascii) + &quoted(&any);
            for format in [format.as_str(), "%Y-%m-%d %H:%M", "%c", "%s", "%+", "%G-W%V-%u %T%.3f"] {
                let _ = Csv::new().format("c", format).from_reader(data.as_bytes(), &domain);
            }
        }
    }
}
