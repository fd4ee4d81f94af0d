//! Proposes a schema from a public sample.

use crate::{
    Csv, Error, Result,
    csv::{Delimited, utf_16},
    dates::Format,
    open,
    text::{Numbers, date, time, truth},
};
use csv::ByteRecord;
#[cfg(any(feature = "parquet", feature = "ipc"))]
use indistinct::frames::Cell;
use indistinct::frames::{ColumnDomain, Kind};
use std::{
    collections::{BTreeSet, HashMap},
    io::{Cursor, Read},
    path::{Path, PathBuf},
};

/// Some rows of a file with its header that anyone may see: synthetic, published, or about people who agreed.
///
/// A schema is public, and a schema proposed from private rows would reveal something about them, without noise. So the
/// functions take this type, whose sample must not contain rows of the protected file.
#[derive(Clone)]
pub struct PublicSample {
    source: Source,
    rows: usize,
}

#[derive(Clone)]
enum Source {
    Bytes(Vec<u8>),
    File(PathBuf),
}

impl PublicSample {
    /// Makes a sample from a public text.
    pub fn new(text: impl Into<Vec<u8>>) -> Self {
        Self { source: Source::Bytes(text.into()), rows: usize::MAX }
    }

    /// Makes a sample from a public file.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self { source: Source::File(path.into()), rows: usize::MAX }
    }

    /// Limits the sample to this many rows, from the start.
    pub fn first(self, rows: usize) -> Self {
        Self { rows, ..self }
    }

    /// The file of a format that has to be one.
    #[cfg(any(feature = "parquet", feature = "ipc"))]
    fn path(&self) -> Result<&PathBuf> {
        match &self.source {
            Source::Bytes(_) => Err(Error::option("sample", "must be a file")),
            Source::File(path) => Ok(path),
        }
    }

    /// Adds the file's path to an error.
    fn at(&self, error: Error) -> Error {
        match &self.source {
            Source::Bytes(_) => error,
            Source::File(path) => error.at(path),
        }
    }

    fn csv(&self, format: &Delimited) -> Result<Box<dyn Read>> {
        match &self.source {
            Source::Bytes(bytes) => Ok(format.data(Path::new(""), Cursor::new(bytes.clone()))),
            Source::File(path) => Ok(format.data(path, open(path)?)),
        }
    }
}

/// The proposed domain of a column of a sample, for a person to check and correct.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Suggestion {
    /// Its name in the header.
    pub name: String,
    /// The narrowest type that keeps all cells, with missing cells allowed; `None` if the column cannot be declared,
    /// because another column has its name.
    pub domain: Option<ColumnDomain>,
    /// The format of its dates or times, if they are not in ISO order.
    pub format: Option<String>,
    /// Sentences about decisions that a person must make.
    pub remarks: Vec<String>,
}

/// The maximum number of distinct texts that are taken as labels; each must occur twice on average.
const MAX_LABELS: usize = 20;

/// Date formats that are tried if dates are not in ISO order; those with which times begin come first.
const DATES: [&str; 7] = ["%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%m-%d-%Y", "%d-%m-%Y", "%d.%m.%y", "%d %b %Y"];

/// Time formats that may follow a date.
const CLOCKS: [&str; 4] = [" %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p"];

/// Number formats that are tried if numbers are not in the reader's format.
const WAYS: [Numbers; 8] = [
    Numbers { decimal: '.', thousands: None },
    Numbers { decimal: ',', thousands: None },
    Numbers { decimal: '.', thousands: Some(',') },
    Numbers { decimal: '.', thousands: Some(' ') },
    Numbers { decimal: '.', thousands: Some('\'') },
    Numbers { decimal: ',', thousands: Some('.') },
    Numbers { decimal: ',', thousands: Some(' ') },
    Numbers { decimal: ',', thousands: Some('\'') },
];

/// The maximum number of texts that a remark quotes.
const MAX_QUOTED: usize = 3;

/// Returns the Rust code that makes the domain of a column.
fn code(column: &ColumnDomain) -> String {
    let labels = column.labels().map(|labels| labels.iter().map(|label| format!("{label:?}")).collect::<Vec<_>>());
    let made = match (column.kind(), labels) {
        (Kind::Category, Some(labels)) => format!("category([{}])?", labels.join(", ")),
        (kind, _) => format!("{kind}()"),
    };
    format!("ColumnDomain::{made}{}", if column.has_missing() { ".with_missing()" } else { "" })
}

impl Csv {
    /// Proposes a domain for files like this sample, as program text for a person to check and correct.
    ///
    /// It is like [`suggest_columns`](Self::suggest_columns), with remarks as comments.
    ///
    /// ```
    /// use indistinct_tables::{Csv, PublicSample};
    /// let sample = PublicSample::new("id;age;since;zip\n1;30,5;01.02.2020;02134\n2;;17.12.2021;10001\n");
    /// let code = Csv::new().delimiter(b';').decimal(',').format("since", "%d.%m.%Y").suggest(&sample)?;
    /// assert_eq!(code, r#"FrameDomain::new([
    ///     ("id", ColumnDomain::integer().with_missing()),
    ///     ("age", ColumnDomain::float().with_missing()),
    ///     ("since", ColumnDomain::date().with_missing()),
    ///     // "zip": all cells are numbers, but some would lose their form as numbers, such as "02134": a number, if they are quantities
    ///     ("zip", ColumnDomain::text().with_missing()),
    /// ])?
    /// "#);
    /// # Ok::<(), indistinct_tables::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`suggest_columns`](Self::suggest_columns).
    pub fn suggest(&self, sample: &PublicSample) -> Result<String> {
        let lines = self.suggest_columns(sample)?.into_iter().map(|Suggestion { name, domain, remarks, .. }| {
            let remarks = remarks.iter().map(|remark| format!("    // {name:?}: {remark}\n")).collect::<String>();
            let line = domain.map(|domain| format!("    ({name:?}, {}),\n", code(&domain)));
            remarks + &line.unwrap_or_default()
        });
        Ok(format!("FrameDomain::new([\n{}])?\n", lines.collect::<String>()))
    }

    /// Proposes the columns of files like this sample, in the order of its header.
    ///
    /// A column gets the narrowest type in which no two of its texts become the same value. Texts of digits stay texts
    /// if they have a leading zero, a plus, more digits than a number keeps, or trailing zeros in some cells only. All
    /// cells may be missing, and there are no bounds.
    ///
    /// # Errors
    ///
    /// Returns an error if options contradict each other, if the file cannot be read, if a cell is not in the file's
    /// encoding, or if a quoted field is not closed.
    pub fn suggest_columns(&self, sample: &PublicSample) -> Result<Vec<Suggestion>> {
        self.seen(sample).map_err(|error| sample.at(error))
    }

    fn seen(&self, sample: &PublicSample) -> Result<Vec<Suggestion>> {
        let format = &self.format;
        format.check()?;
        let mut blocks = format.blocks(sample.csv(format)?)?;
        if blocks.is_utf_16 {
            return Err(utf_16());
        }
        let mut record = ByteRecord::new();
        let (names, mut block, mut has_header) = match &format.names {
            Some(names) => (names.clone(), blocks.next()?, false),
            None => {
                let (names, first) = format.header(&mut blocks)?;
                format.records(&first, false).read(&mut record)?;
                if record.iter().any(|name| format.encoding.decode(name).is_none()) {
                    return Err(not_encoded());
                }
                (names, Some(first).filter(|first| !first.is_empty()), true)
            }
        };
        let (formats, mut left) = (Formats::new(), sample.rows);
        let mut columns = names.iter().map(|name| SeenColumn::new(name, format, &formats)).collect::<Vec<_>>();
        while let Some(bytes) = block.filter(|_| left > 0) {
            let mut records = format.records(&bytes, names.len() == 1);
            if has_header {
                records.skip_header()?;
            }
            while left > 0 && records.read(&mut record)? {
                for (column, cell) in columns.iter_mut().zip(&record) {
                    column.see(format.encoding.decode(cell).ok_or_else(not_encoded)?.trim_ascii());
                }
                left = left.saturating_sub(1);
            }
            (block, has_header) = (if left > 0 { blocks.next()? } else { None }, false);
        }
        let is_twice = |name: &str| names.iter().filter(|other| *other == name).nth(1).is_some();
        let suggestion = |(name, column): (&String, SeenColumn)| match name.as_str() {
            "" => column.without_domain("has no name in the header, and is omitted"),
            name if is_twice(name) => {
                column.without_domain("occurs twice in the header, and cannot be declared until one is renamed")
            }
            _ => column.suggestion(),
        };
        Ok(names.iter().zip(columns).map(suggestion).collect())
    }
}

#[cfg(any(feature = "parquet", feature = "ipc"))]
impl crate::Arrow {
    /// Proposes columns for Parquet files like this sample, in the order of the sample. Types come from the file, and
    /// labels from texts in its first rows.
    ///
    /// # Errors
    ///
    /// Returns an error if the sample is not a file, or if the file cannot be read or is not Parquet.
    #[cfg(feature = "parquet")]
    pub fn suggest_parquet(&self, sample: &PublicSample) -> Result<Vec<Suggestion>> {
        use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

        let suggested = |path: &PathBuf| {
            let builder = ParquetRecordBatchReaderBuilder::try_new(open(path)?);
            let builder = builder.map_err(|error| Error::file("is not Parquet").because(&error))?;
            let schema = builder.schema().clone();
            let rows = builder.with_limit(sample.rows).build();
            let rows = rows.map_err(|error| Error::file("cannot be read").because(&error))?;
            let batches = rows.collect::<std::result::Result<Vec<_>, _>>();
            of_batches(&schema, &batches.map_err(|error| Error::file("cannot be read as Parquet").because(&error))?)
        };
        sample.path().and_then(suggested).map_err(|error| sample.at(error))
    }

    /// Proposes the columns of Arrow IPC files like this sample, as [`suggest_parquet`](Self::suggest_parquet) does for
    /// Parquet.
    ///
    /// # Errors
    ///
    /// Returns an error if the sample is not a file, or if the file cannot be read or is not Arrow IPC.
    #[cfg(feature = "ipc")]
    pub fn suggest_ipc(&self, sample: &PublicSample) -> Result<Vec<Suggestion>> {
        let suggested = |path: &PathBuf| {
            let (schema, mut rows) = crate::ipc::batches(path)?;
            let (mut batches, mut left) = (Vec::new(), sample.rows);
            while let Some(batch) = if left > 0 { rows.next().transpose()? } else { None } {
                let batch = batch.slice(0, left.min(batch.num_rows()));
                left = left.saturating_sub(batch.num_rows());
                batches.push(batch);
            }
            of_batches(&schema, &batches)
        };
        sample.path().and_then(suggested).map_err(|error| sample.at(error))
    }
}

/// Proposes the columns of batches. An Arrow type gets the kind as which [`Arrow`](crate::Arrow) can read it; of
/// several kinds, the one that loses nothing.
#[cfg(any(feature = "parquet", feature = "ipc"))]
fn of_batches(schema: &arrow_schema::Schema, batches: &[arrow_array::RecordBatch]) -> Result<Vec<Suggestion>> {
    use crate::Arrow;
    use arrow_array::RecordBatch;
    use arrow_schema::{DataType, Field, Schema};
    use indistinct::frames::FrameDomain;
    use std::sync::Arc;

    let domain = |name: &str, column: &ColumnDomain| {
        FrameDomain::new([(name, column.clone().with_missing())])
            .map_err(|error| Error::column(name, error.to_string()))
    };
    let kind = |field: &Field| {
        let empty = RecordBatch::new_empty(Arc::new(Schema::new(vec![field.clone()])));
        // Several kinds read some types, so the one that loses nothing comes first.
        let kinds = match field.data_type() {
            DataType::Timestamp(..) => vec![ColumnDomain::time()],
            found if found.is_integer() => vec![ColumnDomain::integer()],
            found if found.is_numeric() => vec![ColumnDomain::float()],
            DataType::Null => vec![ColumnDomain::text()],
            _ => vec![ColumnDomain::bool(), ColumnDomain::date(), ColumnDomain::text()],
        };
        let reads = |column: &ColumnDomain| {
            domain(field.name(), column).is_ok_and(|domain| Arrow::new().batches([&empty], &domain).is_ok())
        };
        kinds.into_iter().find(reads)
    };
    let (names, options, formats) =
        (schema.fields().iter().map(|field| field.name()), Delimited::default(), Formats(Vec::new()));
    let suggestion = |field: &Arc<Field>| {
        let name = field.name();
        let column = SeenColumn::new(name, &options, &formats);
        if names.clone().filter(|other| *other == name).nth(1).is_some() {
            return Ok(column.without_domain("occurs twice in the file, and cannot be declared until one is renamed"));
        }
        let Some(kind) = kind(field) else {
            return Ok(column.without_domain(&format!("has the type {}, which is not supported", field.data_type())));
        };
        if kind.kind() != Kind::Text {
            return Ok(column.of(kind));
        }
        let (mut column, frame) = (column, Arrow::new().batches(batches, &domain(name, &kind)?)?);
        let cells = frame.iter().flat_map(|batch| batch.columns().iter().map(|column| (batch.rows(), column)));
        for cell in cells.flat_map(|(rows, column)| (0..rows).map(|row| column.cell(row))) {
            if let Cell::Text(text) = cell {
                column.see_label(&text);
            }
        }
        let domain = column.text();
        Ok(column.of(domain))
    };
    schema.fields().iter().map(suggestion).collect()
}

fn not_encoded() -> Error {
    Error::option("encoding", "a cell is not in this encoding: name the right one, such as latin-1 or windows-1252")
}

/// All formats of dates and times that are tried.
struct Formats(Vec<(&'static str, Kind, Option<String>)>);

impl Formats {
    fn new() -> Self {
        let dates = DATES.into_iter().map(|date| (date, Kind::Date, None));
        let times =
            DATES.into_iter().flat_map(|date| CLOCKS.map(|clock| (date, Kind::Time, Some(format!("{date}{clock}")))));
        Self(dates.chain(times).collect())
    }

    fn all(&self) -> impl Iterator<Item = (Kind, &str)> {
        self.0.iter().map(|(date, kind, whole)| (*kind, whole.as_deref().unwrap_or(date)))
    }
}

/// The facts about a column from the cells so far.
struct SeenColumn<'a> {
    name: &'a str,
    missing: Vec<&'a str>,
    numbers: Numbers,
    /// The reader's format for the column.
    told: Option<&'a str>,
    cells: usize,
    /// True for each type as which all cells can be read.
    is_integer: bool,
    is_number: bool,
    is_truth: bool,
    is_date: bool,
    is_time: bool,
    /// Formats in which all cells are dates or times.
    formats: Vec<(Kind, &'a str, Format<'a>)>,
    /// Number formats in which all cells are numbers.
    ways: Vec<Numbers>,
    /// True if each number is written in its shortest form.
    is_shortest: bool,
    /// The number of decimal places of all numbers, or `None` if they differ.
    places: Places,
    /// True if there are cells with a decimal comma; true if each such comma may be a thousands separator.
    commas: (bool, bool),
    /// The texts of numbers, by the bits of their values.
    texts: HashMap<u64, String>,
    /// The number of cells that are numbers, and some texts that are not numbers.
    number_cells: usize,
    no_numbers: BTreeSet<String>,
    /// A number that is not written in its shortest form.
    otherwise: Option<String>,
    /// True if some times have a zone; true if some have none.
    zones: (bool, bool),
    labels: BTreeSet<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Places {
    Unseen,
    All(usize),
    Differ,
}

impl<'a> SeenColumn<'a> {
    fn new(name: &'a str, format: &'a Delimited, formats: &'a Formats) -> Self {
        let told = format.formats.iter().rfind(|(column, _)| column == name).map(|(_, format)| format.as_str());
        let tried: Vec<(Kind, &str)> = match told {
            Some(told) => vec![(Kind::Date, told), (Kind::Time, told)],
            None => formats.all().collect(),
        };
        let formats = tried.into_iter().filter_map(|(kind, text)| Some((kind, text, Format::new(text, kind).ok()?)));
        let ways = WAYS.into_iter().filter(|way| *way != format.numbers).collect();
        Self {
            name,
            missing: format.missing_in(name),
            numbers: format.numbers,
            told,
            cells: 0,
            is_integer: true,
            is_number: true,
            is_truth: true,
            is_date: true,
            is_time: true,
            formats: formats.collect(),
            ways,
            is_shortest: true,
            places: Places::Unseen,
            commas: (false, true),
            texts: HashMap::new(),
            number_cells: 0,
            no_numbers: BTreeSet::new(),
            otherwise: None,
            zones: (false, false),
            labels: BTreeSet::new(),
        }
    }

    /// Adds one cell, without the spaces around it.
    fn see(&mut self, text: &str) {
        if text.is_empty() || self.missing.contains(&text) {
            return;
        }
        self.see_label(text);
        self.see_number(text);
        self.is_truth = self.is_truth && truth(text).is_some();
        self.is_date = self.is_date && date(None, text).is_some();
        self.is_time = self.is_time && time(None, text).is_some();
        let has_zone = text.get(10..).is_some_and(|clock| clock.contains(['Z', 'z', '+', '-', 'U', 'G']));
        self.zones = (self.zones.0 || has_zone, self.zones.1 || !has_zone);
        self.formats.retain(|(kind, _, format)| match kind {
            // A year of two digits is no year in the first century.
            Kind::Date => format.date(text).is_some_and(|day| day > -400_000),
            _ => format.time(text).is_some_and(|time| time > -400_000 * 86_400_000_000),
        });
        let mut digits = String::new();
        self.ways.retain(|way| matches!(way.float(text, &mut digits), Ok(Some(_))));
    }

    fn see_label(&mut self, text: &str) {
        self.cells = self.cells.saturating_add(1);
        if self.labels.len() <= MAX_LABELS {
            self.labels.insert(text.to_owned());
        }
    }

    fn see_number(&mut self, text: &str) {
        let (mut digits, numbers) = (String::new(), self.numbers);
        let value = match numbers.float(text, &mut digits) {
            Ok(Some(value)) => value,
            // Not a number is nothing, where numbers are.
            Ok(None) => return,
            Err(_) => {
                (self.is_number, self.is_integer) = (false, false);
                if self.no_numbers.len() <= MAX_QUOTED {
                    self.no_numbers.insert(text.to_owned());
                }
                return;
            }
        };
        self.number_cells = self.number_cells.saturating_add(1);
        let plain = numbers.plain(text, &mut digits).unwrap_or_default();
        self.is_integer = self.is_integer && plain.parse().is_ok_and(|whole: i64| whole.to_string() == plain);
        let places = plain.split_once('.').map_or(0, |(_, places)| places.len());
        let is_fixed = format!("{value:.places$}") == plain;
        self.places = match self.places {
            Places::Unseen if is_fixed => Places::All(places),
            Places::All(others) if is_fixed && others == places => Places::All(places),
            _ => Places::Differ,
        };
        let is_shortest = is_written_back(value, plain);
        self.is_shortest = self.is_shortest && is_shortest;
        // As 1 and 1.0 in one column.
        let is_alone = self.texts.entry(value.to_bits()).or_insert_with(|| text.to_owned()) == text;
        (self.is_shortest, self.is_integer) = (self.is_shortest && is_alone, self.is_integer && is_alone);
        if !is_shortest || !is_alone {
            self.otherwise.get_or_insert_with(|| text.to_owned());
        }
        if numbers == (Numbers { decimal: ',', thousands: None })
            && let Some((whole, places)) = text.trim_start_matches(['-', '+']).split_once(',')
        {
            let may_be = (1..=3).contains(&whole.len()) && !whole.starts_with('0') && places.len() == 3;
            self.commas = (true, self.commas.1 && may_be);
        }
    }

    fn without_domain(self, remark: &str) -> Suggestion {
        Suggestion { name: self.name.to_owned(), domain: None, format: None, remarks: vec![remark.to_owned()] }
    }

    #[cfg(any(feature = "parquet", feature = "ipc"))]
    fn of(self, domain: ColumnDomain) -> Suggestion {
        let (name, domain) = (self.name.to_owned(), Some(domain.with_missing()));
        Suggestion { name, domain, format: None, remarks: Vec::new() }
    }

    fn suggestion(self) -> Suggestion {
        let (mut remarks, mut format) = (Vec::new(), None);
        let domain = self.domain(&mut remarks, &mut format).with_missing();
        Suggestion { name: self.name.to_owned(), domain: Some(domain), format, remarks }
    }

    /// Returns the narrowest type that keeps the cells unchanged.
    fn domain(&self, remarks: &mut Vec<String>, format: &mut Option<String>) -> ColumnDomain {
        let is_seen = self.cells > 0;
        if is_seen && self.told.is_some() && !self.formats.is_empty() {
            return self.dated(format);
        }
        if is_seen && self.is_number && self.number_cells > 0 {
            if self.commas == (true, true) {
                let remark = "each comma may be a decimal comma or a thousands separator: set `decimal` or \
                              `thousands`";
                remarks.push(remark.into());
                return ColumnDomain::text();
            } else if self.is_integer {
                if self.is_date {
                    remarks.push("all cells may also be dates: \"date(missing)\"".into());
                }
                return ColumnDomain::integer();
            } else if self.is_shortest || matches!(self.places, Places::All(1..)) {
                return ColumnDomain::float();
            } else {
                let otherwise = self.otherwise.as_deref().unwrap_or_default();
                remarks.push(format!(
                    "all cells are numbers, but some would lose their form as numbers, such as \
                     {otherwise:?}: a number, if they are quantities"
                ));
                return ColumnDomain::text();
            }
        }
        if is_seen && self.is_truth {
            return ColumnDomain::bool();
        }
        if is_seen && self.is_date {
            return ColumnDomain::date();
        }
        if is_seen && self.is_time {
            if self.zones == (true, true) {
                remarks.push("some times have a zone and are converted to UTC, and some have none".into());
            }
            return ColumnDomain::time();
        }
        match self.formats.as_slice() {
            [_] if is_seen => return self.dated(format),
            [_, _, ..] if is_seen => {
                let all: Vec<String> = self.formats.iter().map(|(_, text, _)| format!("{text:?}")).collect();
                remarks.push(format!("dates or times in an ambiguous order: set {} in `formats`", all.join(" or ")));
            }
            _ => {}
        }
        let ways: Vec<String> = self.ways.iter().filter(|way| self.is_least(way)).map(|way| self.said(*way)).collect();
        if is_seen && !self.is_number && !ways.is_empty() {
            remarks.push(format!(
                "numbers, if the file is read with {}: \"float(missing)\" then",
                ways.join(", or with ")
            ));
        }
        let is_mostly = self.number_cells > self.cells / 2 && self.no_numbers.len() <= MAX_QUOTED;
        if is_seen && is_mostly && !self.is_number && ways.is_empty() {
            let texts: Vec<String> = self.no_numbers.iter().map(|text| format!("{text:?}")).collect();
            let texts = texts.join(", ");
            remarks
                .push(format!("numbers, except for {texts}: list these under `missing` if they mean a missing value"));
        }
        self.text()
    }

    /// Returns a category if there are few distinct texts, each of which occurs several times.
    fn text(&self) -> ColumnDomain {
        // One label alone says nothing of what others there are.
        let is_category =
            (2..=MAX_LABELS).contains(&self.labels.len()) && self.cells >= self.labels.len().saturating_mul(2);
        let category = ColumnDomain::category(&self.labels).ok().filter(|_| is_category);
        category.unwrap_or_else(ColumnDomain::text)
    }

    /// Returns true if a number format has no thousands separator that is not needed.
    fn is_least(&self, way: &Numbers) -> bool {
        way.thousands.is_none() || !self.ways.contains(&Numbers { thousands: None, ..*way })
    }

    /// Returns the options that differ from the reader's.
    fn said(&self, way: Numbers) -> String {
        let decimal = Some(way.decimal).filter(|decimal| *decimal != self.numbers.decimal);
        let decimal = decimal.map(|decimal| format!("decimal = \"{decimal}\""));
        let thousands = way.thousands.map(|thousands| format!("thousands = \"{thousands}\""));
        decimal.into_iter().chain(thousands).collect::<Vec<_>>().join(" and ")
    }

    /// Returns dates or times in the first format that all cells have.
    fn dated(&self, format: &mut Option<String>) -> ColumnDomain {
        let found = self.formats.first();
        *format = found.map(|(_, text, _)| (*text).to_owned());
        match found.map(|(kind, ..)| *kind) {
            Some(Kind::Time) => ColumnDomain::time(),
            _ => ColumnDomain::date(),
        }
    }
}

/// Returns true if a program would write the number in this form: with the fewest digits, with or without a decimal
/// place, or with an exponent if it is very large or small.
fn is_written_back(value: f64, plain: &str) -> bool {
    if format!("{value}") == plain.strip_suffix(".0").unwrap_or(plain) {
        return true;
    }
    // Python and R write exponents with two digits at least, and R and C with a plus.
    let Some((digits, exponent)) = plain.split_once('e') else { return false };
    let exponent: Option<i32> = exponent.parse().ok();
    let is_extreme = value.abs() < 1e-4 || value.abs() >= 1e15;
    is_extreme && exponent.is_some_and(|exponent| format!("{value:e}") == format!("{digits}e{exponent}"))
}
