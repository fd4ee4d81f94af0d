//! CSV: every file with the right header is a table.

use crate::{Error, Frame, Result, Schema};
use csv::{ByteRecord, ReaderBuilder};
use std::io::Read;

pub(crate) fn read(data: impl Read, schema: &Schema) -> Result<Frame> {
    let unreadable = |_| Error::file("cannot be read");
    let mut reader = ReaderBuilder::new().flexible(true).from_reader(data);
    let header = reader.byte_headers().map_err(unreadable)?.clone();
    let names = header.iter().map(|name| str::from_utf8(name).unwrap_or_default());
    let positions = schema.positions(names)?;
    let mut columns: Vec<_> = schema.columns().iter().map(|column| column.collector()).collect();
    let (mut record, mut rows) = (ByteRecord::new(), 0);
    while reader.read_byte_record(&mut record).map_err(unreadable)? {
        rows += 1;
        columns.iter_mut().zip(&positions).for_each(|(column, &position)| column.push(record.get(position)));
    }
    Frame::new(schema, columns.into_iter().map(|column| column.finish()).collect(), rows)
}
