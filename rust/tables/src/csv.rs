//! CSV: every file with the right header is a table.
//!
//! A blank line is no record, to the parser and to us; so a header of one field is refused, whose missing cells would be blank lines: whether a
//! row is there must not depend on what it says.

use crate::{Error, Frame, Result, Schema};
use csv::{ByteRecord, ReaderBuilder};
use std::io::Read;

pub(crate) fn read(data: impl Read, schema: &Schema) -> Result<Frame> {
    let unreadable = |_| Error::file("cannot be read");
    let mut reader = ReaderBuilder::new().flexible(true).from_reader(data);
    let header = reader.byte_headers().map_err(unreadable)?.clone();
    let names = header.iter().map(|name| str::from_utf8(name).unwrap_or_default());
    let positions = schema.positions(names)?;
    if header.len() < 2 {
        return Err(Error::file(
            "must have at least two columns: in one, a missing cell would be a blank line, which is no row",
        ));
    }
    let mut columns: Vec<_> = schema.columns().iter().map(|column| column.collector()).collect();
    let (mut record, mut rows) = (ByteRecord::new(), 0);
    while reader.read_byte_record(&mut record).map_err(unreadable)? {
        rows += 1;
        columns.iter_mut().zip(&positions).for_each(|(column, &position)| column.push(record.get(position)));
    }
    Frame::new(schema, columns.into_iter().map(|column| column.finish()).collect(), rows)
}
