//! The records of a block of CSV.
//!
//! A blank line is no record, to the parser and to us; so a header of one field is refused, whose missing cells would
//! be blank lines: whether a row is there must not depend on what it says.

use crate::{Error, Result};
use csv::{ByteRecord, Reader, ReaderBuilder};

/// The records of a block, one after another.
pub(crate) struct Records<'b>(Reader<&'b [u8]>);

impl<'b> Records<'b> {
    pub(crate) fn new(block: &'b [u8], delimiter: u8, quote: Option<u8>) -> Self {
        let mut parser = ReaderBuilder::new();
        parser.has_headers(false).flexible(true).buffer_capacity(1 << 16).delimiter(delimiter);
        match quote {
            Some(quote) => parser.quote(quote),
            None => parser.quoting(false),
        };
        Self(parser.from_reader(block))
    }

    /// The next record, unless there is none.
    pub(crate) fn read(&mut self, record: &mut ByteRecord) -> Result<bool> {
        // The parser's own words may quote a record. It reads all that is in memory, of whatever width.
        self.0.read_byte_record(record).map_err(|_| Error::file("cannot be read"))
    }

    /// The next records, so many unless there are fewer, in memory that is used again.
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
