//! CSV: every file with the right header, whose quotes are closed, is a table.
//!
//! A blank line is no record, to the parser and to us; so a header of one field is refused, whose missing cells would
//! be blank lines: whether a row is there must not depend on what it says.

use crate::{Error, Frame, Result, Schema, frame::listed};
use csv::{ByteRecord, Reader, ReaderBuilder};
use std::{
    io::{Chain, Read},
    mem,
};

pub(crate) fn read(data: impl Read, schema: &Schema) -> Result<Frame> {
    let mut records = Records::new(data)?;
    let mut header = ByteRecord::new();
    records.read(&mut header)?;
    let names = header.iter().map(|name| str::from_utf8(name).unwrap_or_default());
    let positions = schema.positions(names, || seen(&header, schema))?;
    if header.len() < 2 {
        return Err(Error::file(
            "must have at least two columns: in one, a missing cell would be a blank line, which is no row",
        ));
    }
    let mut columns: Vec<_> = schema.columns().iter().map(|column| column.collector()).collect();
    let (mut record, mut rows) = (ByteRecord::new(), 0);
    while records.read(&mut record)? {
        rows += 1;
        columns.iter_mut().zip(&positions).for_each(|(column, &position)| column.push(record.get(position)));
    }
    Frame::new(schema, columns.into_iter().map(|column| column.finish()).collect(), rows)
}

/// What follows the data, on a line of its own: a quoted field that is still open would take it in.
const END: &str = "END";
const END_LINE: &[u8] = b"\nEND\n";

/// The records of data, and one more, which is kept back.
struct Records<R: Read> {
    reader: Reader<Chain<R, &'static [u8]>>,
    next: ByteRecord,
}

impl<R: Read> Records<R> {
    fn new(data: R) -> Result<Self> {
        let reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(data.chain(END_LINE));
        let mut records = Self { reader, next: ByteRecord::new() };
        records.advance()?;
        Ok(records)
    }

    /// Whether there is a record after the last one, in `next`.
    fn advance(&mut self) -> Result<bool> {
        // The parser's own words may quote a record, the reason why bytes do not come does not.
        self.reader.read_byte_record(&mut self.next).map_err(|error| match error.kind() {
            csv::ErrorKind::Io(error) => Error::file(format!("cannot be read: {}", error.kind())).because(error),
            _ => Error::file("cannot be read"),
        })
    }

    /// The next record, unless there is none.
    fn read(&mut self, record: &mut ByteRecord) -> Result<bool> {
        mem::swap(record, &mut self.next);
        if self.advance()? {
            return Ok(true);
        }
        let is_end = record.iter().eq([END.as_bytes()]);
        record.clear();
        let rule = "a quoted field is not closed: all records after its quote would be one cell";
        if is_end { Ok(false) } else { Err(Error::file(rule)) }
    }
}

/// What an error says of the columns. Their names are public; but a first line without a declared one may be no header.
fn seen(header: &ByteRecord, schema: &Schema) -> String {
    let declares = |name: &[u8]| schema.columns().iter().any(|column| column.name.as_bytes() == name.trim_ascii());
    if header.iter().any(declares) {
        let names = header.iter().map(|name| str::from_utf8(name).unwrap_or_default());
        return format!("whose columns, separated by commas, are {}", listed(names));
    }
    let separates = |separator: &u8| header.iter().any(|part| part.split(|byte| byte == separator).any(declares));
    let hint = match b";\t|".iter().find(|separator| separates(separator)) {
        Some(separator) => format!("; declared columns are there, separated by {:?}", char::from(*separator)),
        None => String::new(),
    };
    format!(
        "whose first line has {} fields, separated by commas, and no declared column among them{hint}",
        header.len()
    )
}
