//! The records of a block of CSV.
//!
//! The parser does not return a blank line as a record. In a table of several columns, a blank line is not a record. In
//! a table of one column, it is a record whose cell is missing, because the presence of a row must not depend on its
//! contents.

use crate::{
    Error, Result,
    blocks::{BEGINNING, Cutter, is_end},
};
use csv::{ByteRecord, Reader, ReaderBuilder};

/// The records of a block, one after another.
pub(crate) struct Records<'b> {
    parser: Reader<&'b [u8]>,
    /// The lines of the block, if the table has one column.
    lines: Option<Lines<'b>>,
}

impl<'b> Records<'b> {
    pub(crate) fn new(block: &'b [u8], delimiter: u8, quote: Option<u8>, is_one_column: bool) -> Self {
        let mut parser = ReaderBuilder::new();
        parser.has_headers(false).flexible(true).buffer_capacity(1 << 16).delimiter(delimiter);
        match quote {
            Some(quote) => parser.quote(quote),
            None => parser.quoting(false),
        };
        let lines = || Lines { rest: block.strip_prefix(BEGINNING).unwrap_or(block), delimiter, quote };
        Self { parser: parser.from_reader(block), lines: is_one_column.then(lines) }
    }

    /// Reads the next record. Returns false at the end.
    pub(crate) fn read(&mut self, record: &mut ByteRecord) -> Result<bool> {
        match self.lines.as_mut().map(Lines::next) {
            Some(None) => return Ok(false),
            Some(Some(Line::Blank)) => {
                record.clear();
                record.push_field(b"");
                return Ok(true);
            }
            Some(Some(Line::Record)) | None => {}
        }
        self.parsed(record)
    }

    /// Skips the header, which may come after blank lines.
    pub(crate) fn skip_header(&mut self) -> Result<()> {
        if let Some(lines) = &mut self.lines {
            while let Some(Line::Blank) = lines.next() {}
        }
        self.parsed(&mut ByteRecord::new()).map(drop)
    }

    fn parsed(&mut self, record: &mut ByteRecord) -> Result<bool> {
        // The parser's own words may quote a record. It reads all that is in memory, of whatever width.
        self.parser.read_byte_record(record).map_err(|_| Error::file("cannot be read"))
    }

    /// Reads up to `number` records into reused memory.
    pub(crate) fn next<'k>(&mut self, kept: &'k mut Vec<ByteRecord>, number: usize) -> Result<&'k [ByteRecord]> {
        for place in 0..number {
            if kept.len() == place {
                kept.push(ByteRecord::new());
            }
            let is_there = match kept.get_mut(place) {
                Some(record) => self.read(record)?,
                None => false,
            };
            if !is_there {
                return Ok(kept.get(..place).unwrap_or_default());
            }
        }
        Ok(kept)
    }
}

/// The kinds of lines that the parser finds.
enum Line {
    Blank,
    /// The next record, whose quoted cells may continue over several lines.
    Record,
}

/// The lines of a block.
struct Lines<'b> {
    rest: &'b [u8],
    delimiter: u8,
    quote: Option<u8>,
}

impl Iterator for Lines<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        let line = if is_end(*self.rest.first()?) { Line::Blank } else { Line::Record };
        let mut cutter = Cutter::new(self.delimiter, self.quote);
        let end = self.rest.iter().position(|byte| cutter.step(*byte)).unwrap_or(self.rest.len());
        let rest = self.rest.get(end..).unwrap_or_default();
        self.rest = rest.strip_prefix(b"\r\n").or_else(|| rest.get(1..)).unwrap_or_default();
        Some(line)
    }
}
