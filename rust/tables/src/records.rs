//! The records of a CSV file.
//!
//! A blank line is no record, to the parser and to us; so a header of one field is refused, whose missing cells would
//! be blank lines: whether a row is there must not depend on what it says.

use crate::{Error, Result};
use csv::{ByteRecord, Reader, ReaderBuilder};
use std::{
    io::{self, Chain, Cursor, Read},
    mem,
};

/// What follows the data, on a line of its own: a quoted field that is still open would take it in.
const END: &str = "END";
const END_LINE: &[u8] = b"\nEND\n";

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The first bytes, the others, and the end.
type Whole<R> = Chain<Chain<Cursor<Vec<u8>>, R>, &'static [u8]>;

/// The records of data, and one more, which is kept back.
pub(crate) struct Records<R: Read> {
    reader: Reader<Whole<R>>,
    next: ByteRecord,
    has_ended: bool,
}

impl<R: Read> Records<R> {
    pub(crate) fn new(mut data: R, delimiter: u8, quote: Option<u8>) -> Result<Self> {
        let mut first = Vec::new();
        data.by_ref().take(3).read_to_end(&mut first).map_err(|error| unread(&error))?;
        if first == BYTE_ORDER_MARK {
            first.clear();
        }
        let data = Cursor::new(first).chain(data).chain(END_LINE);
        let mut parser = ReaderBuilder::new();
        parser.has_headers(false).flexible(true).buffer_capacity(1 << 16).delimiter(delimiter);
        match quote {
            Some(quote) => parser.quote(quote),
            None => parser.quoting(false),
        };
        let mut records = Self { reader: parser.from_reader(data), next: ByteRecord::new(), has_ended: false };
        records.advance()?;
        Ok(records)
    }

    /// Whether there is a record after the last one, in `next`.
    fn advance(&mut self) -> Result<bool> {
        // The parser's own words may quote a record, the reason why bytes do not come does not.
        self.reader.read_byte_record(&mut self.next).map_err(|error| match error.kind() {
            csv::ErrorKind::Io(error) => unread(error),
            _ => Error::file("cannot be read"),
        })
    }

    /// The next record, unless there is none.
    pub(crate) fn read(&mut self, record: &mut ByteRecord) -> Result<bool> {
        if self.has_ended {
            return Ok(false);
        }
        mem::swap(record, &mut self.next);
        if self.advance()? {
            return Ok(true);
        }
        let is_end = record.iter().eq([END.as_bytes()]);
        record.clear();
        self.has_ended = true;
        let rule = "a quoted field is not closed: all records after its quote would be one cell";
        if is_end { Ok(false) } else { Err(Error::file(rule)) }
    }
}

fn unread(error: &io::Error) -> Error {
    Error::file(format!("cannot be read: {}", error.kind())).because(error)
}
