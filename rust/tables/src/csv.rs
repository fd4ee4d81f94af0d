//! CSV: reads every file that has the declared columns and closed quotes.

use crate::{
    Error, Result,
    blocks::Blocks,
    dates::Format,
    encoding::Encoding,
    gather::{Batches, Row},
    header::{listed, seen},
    inspect::Inspection,
    open,
    reader::{Plan, Reader, declared},
    records::Records,
    text::{Numbers, Parser, Values},
};
use csv::ByteRecord;
use flate2::read::MultiGzDecoder;
use indistinct::frames::{Frame, FrameDomain, Kind};
use std::{collections::HashMap, io::Read, num::NonZero, panic::resume_unwind, path::Path, sync::Arc, thread};

/// A reader of CSV files, as RFC 4180 defines them unless options change that.
///
/// | option | sets | default |
/// |---|---|---|
/// | [`delimiter`](Csv::delimiter), [`quote`](Csv::quote), [`without_quotes`](Csv::without_quotes) | the characters between and around cells | `,` and `"` |
/// | [`encoding`](Csv::encoding), [`gzip`](Csv::gzip) | the encoding of texts, and compression | UTF-8; compressed if the file's name ends in `.gz` |
/// | [`without_header`](Csv::without_header) | the columns' names | the first record |
/// | [`decimal`](Csv::decimal), [`thousands`](Csv::thousands) | the format of numbers | `1234.5` |
/// | [`format`](Csv::format) | the format of a column's dates or times | `2026-11-23`, `2026-11-23T06:17:45` |
/// | [`missing`](Csv::missing), [`missing_in`](Csv::missing_in) | marks of missing cells | only the empty cell |
/// | [`fill_null`](Reader::fill_null), [`drop_null`](Reader::drop_null), [`flag_unreadable`](Reader::flag_unreadable), [`strict`](Reader::strict) | the treatment of missing and unreadable cells | they stay missing, if the domain allows it |
///
/// ```
/// use indistinct::frames::{Cell, ColumnDomain, FrameDomain};
/// use indistinct_tables::{Csv, Encoding};
/// let stays = FrameDomain::new([
///     ("admitted", ColumnDomain::date().with_missing()),
///     ("cost", ColumnDomain::float().with_bounds(0.0, 1e6)?.with_missing()),
/// ])?;
/// let reader = Csv::new().delimiter(b';').decimal(',').thousands('.').encoding(Encoding::Latin1);
/// let reader = reader.format("admitted", "%d.%m.%Y").missing(["NA", "."]);
/// let frame = reader.from_reader("admitted;ward;cost\n23.11.2026;A;1.234,50\nNA;B;-3\n".as_bytes(), &stays)?;
/// assert_eq!(frame[0].columns()[1].cell(0), Cell::Float(1234.5));
/// assert!(frame[0].columns()[1].cell(1).is_null()); // outside of what the domain admits
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Csv = Reader<Delimited>;

/// The format of a CSV file.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "engine", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Delimited {
    pub(crate) delimiter: u8,
    pub(crate) quote: Option<u8>,
    pub(crate) numbers: Numbers,
    pub(crate) encoding: Encoding,
    compression: Compression,
    pub(crate) names: Option<Vec<String>>,
    pub(crate) formats: Vec<(String, String)>,
    /// Texts that mark missing cells, in one column or in all columns.
    missing: Vec<(Option<String>, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "engine", derive(serde::Serialize, serde::Deserialize))]
enum Compression {
    ByName,
    Gzip,
}

impl Default for Delimited {
    fn default() -> Self {
        Self {
            delimiter: b',',
            quote: Some(b'"'),
            numbers: Numbers::default(),
            encoding: Encoding::default(),
            compression: Compression::ByName,
            names: None,
            formats: Vec::new(),
            missing: Vec::new(),
        }
    }
}

/// Options for the format of files.
impl Csv {
    /// Sets the character between cells: an ASCII character such as `b';'` or `b'\t'`.
    pub fn delimiter(mut self, delimiter: u8) -> Self {
        self.format.delimiter = delimiter;
        self
    }

    /// Sets the character around a cell that contains delimiters or ends of lines. Inside the cell, the character is
    /// doubled.
    pub fn quote(mut self, quote: u8) -> Self {
        self.format.quote = Some(quote);
        self
    }

    /// Treats a quote as a character like any other, and every line as a record. An unbalanced quote then affects only
    /// its own row.
    pub fn without_quotes(mut self) -> Self {
        self.format.quote = None;
        self
    }

    /// Sets the decimal separator.
    pub fn decimal(mut self, decimal: char) -> Self {
        self.format.numbers.decimal = decimal;
        self
    }

    /// Sets a separator between groups of three digits: `1.234.567` or `1234567`, but not `12.34`.
    pub fn thousands(mut self, thousands: char) -> Self {
        self.format.numbers.thousands = Some(thousands);
        self
    }

    /// Sets the encoding of texts.
    pub fn encoding(mut self, encoding: Encoding) -> Self {
        self.format.encoding = encoding;
        self
    }

    /// Reads the file as compressed, even if its name has another ending.
    pub fn gzip(mut self) -> Self {
        self.format.compression = Compression::Gzip;
        self
    }

    /// Reads the first record as an ordinary row, and gives the columns these names in this order. Names that the
    /// domain lacks are not read.
    pub fn without_header(mut self, names: impl IntoIterator<Item: Into<String>>) -> Self {
        self.format.names = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Sets the format of a column's dates or times, such as `%d.%m.%Y` or `%m/%d/%y %I:%M %p` ([all
    /// specifiers](https://docs.rs/chrono/latest/chrono/format/strftime/index.html)).
    pub fn format(mut self, column: &str, format: &str) -> Self {
        self.format.formats.push((column.to_owned(), format.to_owned()));
        self
    }

    /// Sets texts that mark a missing value in any column, in addition to the empty cell: `["NA", "."]`. A label of a
    /// column stays that label. Spaces around the texts do not matter, so `" "` matches every text of spaces.
    pub fn missing(mut self, texts: impl IntoIterator<Item: Into<String>>) -> Self {
        self.format.missing.extend(texts.into_iter().map(|text| (None, text.into())));
        self
    }

    /// Sets texts that mark a missing value in this column, such as the codes `["-9", "99"]`.
    pub fn missing_in(mut self, column: &str, texts: impl IntoIterator<Item: Into<String>>) -> Self {
        self.format.missing.extend(texts.into_iter().map(|text| (Some(column.to_owned()), text.into())));
        self
    }

    /// Reads the columns of a domain from a file; other columns are skipped.
    ///
    /// # Errors
    ///
    /// Before the file is opened, returns an error for options that contradict each other or the domain, and for a
    /// column without a rule for missing cells. Then, returns an error for a column that is absent from the header or
    /// repeated; for a quoted field that is not closed; for a number of rows other than the domain's; for a file that
    /// cannot be read; and for any violation of [`strict`](Reader::strict).
    pub fn read(&self, path: impl AsRef<Path>, domain: &FrameDomain) -> Result<Frame> {
        let (path, prepared) = (path.as_ref(), self.prepared(domain)?);
        open(path).and_then(|file| prepared.read(prepared.data(path, file))).map_err(|error| error.at(path))
    }

    /// Reads the columns of a domain from a stream of bytes.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`read`](Csv::read).
    pub fn from_reader(&self, data: impl Read, domain: &FrameDomain) -> Result<Frame> {
        let prepared = self.prepared(domain)?;
        prepared.read(prepared.data(Path::new(""), data))
    }

    /// Counts the missing and the unreadable cells in each column of a file, and finds the first such record. A wrong
    /// format makes a whole column missing, and no release shows that.
    ///
    /// The counts are exact and describe private rows. They are for a curator, who may see the rows anyway. Never show
    /// them to others.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`read`](Csv::read), except those about the number of rows and about strict reading.
    ///
    /// ```
    /// use indistinct::frames::{ColumnDomain, FrameDomain};
    /// use indistinct_tables::Csv;
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("stays.csv");
    /// # std::fs::write(&path, "age,ward\n37,A\n,B\nabout forty,B\n")?;
    /// let stays = FrameDomain::new([("age", ColumnDomain::integer().with_missing())])?;
    /// let found = Csv::new().inspect(path, &stays)?;
    /// let age = &found.columns[0];
    /// assert_eq!((found.records, age.missing, age.unreadable, age.first_unreadable), (3, 1, 1, Some(3)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inspect(&self, path: impl AsRef<Path>, domain: &FrameDomain) -> Result<Inspection> {
        let (path, prepared) = (path.as_ref(), self.prepared(domain)?);
        open(path).and_then(|file| prepared.inspect(prepared.data(path, file))).map_err(|error| error.at(path))
    }

    /// Checks everything that [`read`](Csv::read) checks without a file.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`read`](Csv::read) before the file is opened.
    pub fn check(&self, domain: &FrameDomain) -> Result<()> {
        self.prepared(domain).map(drop)
    }

    /// Checks everything that [`read`](Csv::read) checks with a file's header, which is public: that the file can be
    /// opened, and that no column is absent.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`read`](Csv::read) before records are read.
    pub fn check_header(&self, path: impl AsRef<Path>, domain: &FrameDomain) -> Result<()> {
        let (path, prepared) = (path.as_ref(), self.prepared(domain)?);
        open(path).and_then(|file| prepared.open(prepared.data(path, file))).map_err(|error| error.at(path)).map(drop)
    }

    /// Returns the same options for a domain with some of the columns, without the options for other columns. The
    /// reader reads the same rows. It refuses the domain if the domain lacks a column whose missing cells drop rows.
    pub fn of_columns(&self, domain: &FrameDomain) -> Self {
        let is_there = |name: &String| domain.names().contains(name);
        let mut format = self.format.clone();
        format.formats.retain(|(name, _)| is_there(name));
        format.missing.retain(|(name, _)| name.as_ref().is_none_or(is_there));
        Self { format, rules: self.rules.of_columns(domain) }
    }

    pub(crate) fn prepared<'a>(&'a self, domain: &'a FrameDomain) -> Result<Prepared<'a>> {
        let format = &self.format;
        format.check()?;
        let plan = self.plan(domain)?;
        for name in format.formats.iter().map(|(name, _)| name).chain(format.missing.iter().flat_map(|(name, _)| name))
        {
            declared(domain, name)?;
        }
        let parser = |(name, column): (&str, _)| {
            Ok(Parser {
                encoding: format.encoding,
                numbers: format.numbers,
                missing: format.missing_in(name),
                is_identifier: domain.individuals() == Some(name),
                values: Values::of(column, format.dates(name, column.kind())?),
            })
        };
        let parsers = plan.columns.iter().map(|column| parser((column.name, column.domain))).collect::<Result<_>>()?;
        Ok(Prepared { format, plan, parsers })
    }
}

impl Delimited {
    pub(crate) fn check(&self) -> Result<()> {
        // So that the line at the end of all data is one field, and a number cannot be in two.
        let is_free = |byte: u8| byte.is_ascii() && !byte.is_ascii_alphanumeric() && byte != b'\r' && byte != b'\n';
        let rule = "must be an ASCII character other than a letter, a digit or an end of line";
        if !is_free(self.delimiter) {
            return Err(Error::option("delimiter", rule));
        }
        if !self.quote.is_none_or(is_free) {
            return Err(Error::option("quote", rule));
        }
        if self.quote == Some(self.delimiter) {
            return Err(Error::option("quote", "must not be the delimiter"));
        }
        let Numbers { decimal, thousands } = self.numbers;
        let is_sign = |character: char| character.is_alphanumeric() || character == '+' || character == '-';
        if is_sign(decimal) || decimal.is_whitespace() {
            return Err(Error::option("decimal", "must not be a letter, a digit, a sign or a space"));
        }
        if thousands.is_some_and(is_sign) {
            return Err(Error::option("thousands", "must not be a letter, a digit or a sign"));
        }
        if thousands == Some(decimal) {
            return Err(Error::option("thousands", "must not be the decimal mark"));
        }
        Ok(())
    }

    /// Returns the marks of missing cells in a column. An empty cell is always missing. A cell of only spaces is
    /// missing only in the column of identifiers, or if such a text is one of the marks.
    pub(crate) fn missing_in(&self, name: &str) -> Vec<&str> {
        let missing = self.missing.iter().filter(|(only, _)| only.as_deref().is_none_or(|only| only == name));
        missing.filter(|(_, text)| !text.is_empty()).map(|(_, text)| text.trim_ascii()).collect()
    }

    /// Returns the format of a column's dates or times, if there is one.
    fn dates(&self, name: &str, kind: Kind) -> Result<Option<Format<'_>>> {
        let Some((_, format)) = self.formats.iter().rfind(|(column, _)| column == name) else { return Ok(None) };
        if !matches!(kind, Kind::Date | Kind::Time) {
            return Err(Error::column(name, format!("has a date format, but is declared as {kind}")));
        }
        Format::new(format, kind).map(Some).map_err(|rule| Error::column(name, format!("the format {format:?} {rule}")))
    }
}

/// The number of records in a batch, which are read before their cells.
const BATCH_ROWS: usize = 1 << 12;

/// Everything that is known before the data are read.
pub(crate) struct Prepared<'a> {
    format: &'a Delimited,
    plan: Plan<'a>,
    parsers: Vec<Parser<'a>>,
}

/// The number of cells in a record, and the positions of the columns.
struct Layout {
    width: usize,
    positions: Vec<usize>,
}

/// A file whose header has been read.
pub(crate) struct Opened<R> {
    layout: Arc<Layout>,
    blocks: Blocks<R>,
    /// The block that begins with the header.
    first: Option<Vec<u8>>,
}

/// Records of a file.
pub(crate) struct Block {
    layout: Arc<Layout>,
    bytes: Vec<u8>,
    has_header: bool,
}

impl<R: Read> Opened<R> {
    /// Returns the next block of records; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Block>> {
        let (bytes, has_header) = match self.first.take() {
            Some(first) => (Some(first), true),
            None => (self.blocks.next()?, false),
        };
        Ok(bytes.map(|bytes| Block { layout: self.layout.clone(), bytes, has_header }))
    }
}

impl Prepared<'_> {
    /// Reads all rows. Each thread reads one block at a time.
    fn read(&self, data: impl Read) -> Result<Frame> {
        let mut opened = self.open(data)?;
        let mut batches = Batches::new(&self.plan);
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        loop {
            let blocks = (0..threads).map_while(|_| opened.next().transpose()).collect::<Result<Vec<Block>>>()?;
            let read = match &*blocks {
                [] => return batches.finish(),
                [one] => vec![self.rows(one)],
                _ => thread::scope(|scope| {
                    let started: Vec<_> = blocks.iter().map(|block| scope.spawn(|| self.rows(block))).collect();
                    started
                        .into_iter()
                        .map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
                        .collect()
                }),
            };
            for rows in read {
                batches.append(rows?);
            }
        }
    }

    /// Returns the bytes of a file, decompressed, in an encoding whose first 128 characters are those of ASCII.
    pub(crate) fn data<'r>(&self, path: &Path, file: impl Read + 'r) -> Box<dyn Read + 'r> {
        self.format.data(path, file)
    }

    /// Reads the header, and returns the data after it.
    pub(crate) fn open<R: Read>(&self, data: R) -> Result<Opened<R>> {
        let format = self.format;
        let given = format.names.as_ref().map(|names| Ok((names.len(), self.positions(names)?))).transpose()?;
        let mut blocks = format.blocks(data)?;
        let (width, positions, first) = match given {
            Some((width, positions)) => (width, positions, None),
            None => {
                let (names, first) = format.header(&mut blocks)?;
                let positions = self.positions(&names);
                let positions = positions.map_err(|error| if blocks.is_utf_16 { utf_16() } else { error })?;
                (names.len(), positions, Some(first))
            }
        };
        Ok(Opened { layout: Arc::new(Layout { width, positions }), blocks, first })
    }

    /// Reads the rows of a block.
    pub(crate) fn rows(&self, block: &Block) -> Result<Batches<'_>> {
        let mut batches = Batches::new(&self.plan);
        self.each(block, |records| {
            let mut rows: Vec<Row> = records.iter().map(|record| Row::of(record.len(), block.layout.width)).collect();
            let columns = self.plan.columns.iter().zip(&self.parsers).zip(&block.layout.positions);
            let gathered = columns.map(|((column, parser), &position)| {
                parser.gather(column, records.iter().map(|record| record.get(position)), &mut rows)
            });
            let gathered = gathered.collect();
            batches.push(&rows, gathered)
        })?;
        Ok(batches)
    }

    /// Calls `work` with the records of a block, some thousand at a time.
    fn each(&self, block: &Block, mut work: impl FnMut(&[ByteRecord]) -> Result<()>) -> Result<()> {
        let mut records = self.format.records(&block.bytes, block.layout.width == 1);
        if block.has_header {
            records.skip_header()?;
        }
        let mut kept = Vec::new();
        loop {
            let records = records.next(&mut kept, BATCH_ROWS)?;
            if records.is_empty() {
                return Ok(());
            }
            work(records)?;
        }
    }

    /// Inspects all cells.
    fn inspect(&self, data: impl Read) -> Result<Inspection> {
        let mut opened = self.open(data)?;
        let mut all = Inspection::of(self.plan.columns.iter().map(|column| column.name));
        let mut individuals: HashMap<String, u64> = HashMap::new();
        while let Some(block) = opened.next()? {
            let Layout { width, positions } = &*block.layout;
            self.each(&block, |records| {
                for ((column, parser), (&position, seen)) in
                    self.plan.columns.iter().zip(&self.parsers).zip(positions.iter().zip(&mut all.columns))
                {
                    let mut rows = vec![Row::default(); records.len()];
                    let cells = records.iter().map(|record| record.get(position));
                    let gathered = parser.gather(&column.as_found(), cells, &mut rows);
                    for individual in gathered.names().into_iter().filter(|_| parser.is_identifier).flatten() {
                        let rows = individuals.entry(individual).or_default();
                        *rows = rows.saturating_add(1);
                    }
                    seen.add(all.records, gathered.present().into_iter().zip(rows.iter().map(Row::is_unreadable)));
                }
                let misshapen = records.iter().map(|record| record.len() != *width);
                all.add(misshapen);
                Ok(())
            })?;
        }
        Ok(all.with_rows_of(&individuals))
    }

    /// Returns the positions of the columns among these names.
    fn positions(&self, names: &[String]) -> Result<Vec<usize>> {
        let Self { format, plan, .. } = self;
        let seen = |name: &str| match format.names {
            Some(_) => {
                let declared = listed(names.iter().map(String::as_str));
                format!("declared without a header and with the columns {declared}")
            }
            None => seen(name, names, format.delimiter, plan.domain),
        };
        plan.positions(names.iter().map(String::as_str), seen)
    }
}

/// The error for a file that begins with a mark of UTF-16, and is read in another encoding.
pub(crate) fn utf_16() -> Error {
    Error::file("starts like a UTF-16 file: set the encoding to utf-16")
}

impl Delimited {
    pub(crate) fn data<'r>(&self, path: &Path, file: impl Read + 'r) -> Box<dyn Read + 'r> {
        let is_gzip = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
        let is_gzip = is_gzip || self.compression == Compression::Gzip;
        if is_gzip { self.encoding.read(MultiGzDecoder::new(file)) } else { self.encoding.read(file) }
    }

    pub(crate) fn blocks<R: Read>(&self, data: R) -> Result<Blocks<R>> {
        Blocks::new(data, self.delimiter, self.quote)
    }

    pub(crate) fn records<'b>(&self, block: &'b [u8], is_one_column: bool) -> Records<'b> {
        Records::new(block, self.delimiter, self.quote, is_one_column)
    }

    /// Returns the names in the first record, and the block that begins with it. A name that is not valid text is
    /// empty.
    pub(crate) fn header<R: Read>(&self, blocks: &mut Blocks<R>) -> Result<(Vec<String>, Vec<u8>)> {
        let mut header = ByteRecord::new();
        while let Some(block) = blocks.next()? {
            // There is none among blank lines.
            if self.records(&block, false).read(&mut header)? {
                let name = |name: &[u8]| self.encoding.decode(name).unwrap_or_default().into_owned();
                return Ok((header.iter().map(name).collect(), block));
            }
        }
        Ok((Vec::new(), Vec::new()))
    }
}
