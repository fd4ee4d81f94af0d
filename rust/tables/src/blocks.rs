//! The bytes of a CSV file, in blocks of whole records.
//!
//! The end of a record depends only on the quotes before it. One pass over the bytes finds where to split; several
//! threads then parse the blocks.

use crate::{Error, Result};
use memchr::{memchr, memrchr2};
use std::{
    io::{self, Read},
    mem,
};

/// The number of bytes read for a block, unless no record ends within them: small enough for an engine with little
/// memory.
const BLOCK: usize = 1 << 18;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The byte order marks of UTF-16.
const UTF_16: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// Each block begins with an end of line, which the parser skips as a blank line. Otherwise it would remove a byte
/// order mark from a record at the beginning of a block, and from no other record.
pub(crate) const BEGINNING: &[u8] = b"\n";

/// Data in blocks.
pub(crate) struct Blocks<R> {
    data: R,
    size: u64,
    cutter: Cutter,
    /// The bytes after the end of the last block.
    rest: Vec<u8>,
    /// True if the data begin with a byte order mark of UTF-16.
    pub(crate) is_utf_16: bool,
}

impl<R: Read> Blocks<R> {
    pub(crate) fn new(data: R, delimiter: u8, quote: Option<u8>) -> Result<Self> {
        Self::of_size(BLOCK, data, delimiter, quote)
    }

    fn of_size(size: usize, mut data: R, delimiter: u8, quote: Option<u8>) -> Result<Self> {
        let mut first = Vec::new();
        data.by_ref().take(3).read_to_end(&mut first).map_err(|error| unread(&error))?;
        if first == BYTE_ORDER_MARK {
            first.clear();
        }
        let is_utf_16 = UTF_16.iter().any(|mark| first.starts_with(mark));
        let mut cutter = Cutter::new(delimiter, quote);
        // What ends among the first bytes may as well be cut later.
        cutter.advance(&first);
        let size = u64::try_from(size).unwrap_or(u64::MAX);
        Ok(Self { data, size, cutter, rest: [BEGINNING, &first].concat(), is_utf_16 })
    }

    /// Returns the next block, which contains whole records only; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<u8>>> {
        let mut block = mem::replace(&mut self.rest, BEGINNING.to_vec());
        loop {
            let before = block.len();
            self.data.by_ref().take(self.size).read_to_end(&mut block).map_err(|error| unread(&error))?;
            let new = block.get(before..).unwrap_or_default();
            if new.is_empty() {
                return self.last(block);
            }
            if let Some(end) = self.cutter.advance(new) {
                let end = before.saturating_add(end);
                self.rest.extend_from_slice(block.get(end..).unwrap_or_default());
                block.truncate(end);
                self.keep_line_end_whole(&mut block)?;
                return Ok(Some(block));
            }
        }
    }

    /// Keeps CR LF, which ends one line, in one block.
    fn keep_line_end_whole(&mut self, block: &mut Vec<u8>) -> Result<()> {
        if block.last() != Some(&b'\r') || self.rest != BEGINNING {
            return Ok(());
        }
        let mut next = Vec::new();
        self.data.by_ref().take(1).read_to_end(&mut next).map_err(|error| unread(&error))?;
        self.cutter.advance(&next);
        let to = if next == b"\n" { block } else { &mut self.rest };
        to.extend(next);
        Ok(())
    }

    /// Returns the bytes after the end of the last record, if there are any.
    fn last(&self, block: Vec<u8>) -> Result<Option<Vec<u8>>> {
        if self.cutter.place == Place::Quoted {
            return Err(Error::file("a quoted field is not closed, so everything after its quote would be one cell"));
        }
        Ok(Some(block).filter(|block| block != BEGINNING))
    }
}

fn unread(error: &io::Error) -> Error {
    Error::file(format!("cannot be read: {}", error.kind())).because(error)
}

/// The state of the `csv` parser after some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before a field.
    Beginning,
    /// In an unquoted field, where a quote is a character like any other.
    Bare,
    Quoted,
    /// After a quote in a quoted field: another quote makes one character of both; anything else ends the quoted part.
    Closed,
}

/// Follows the `csv` parser's treatment of bytes.
pub(crate) struct Cutter {
    delimiter: u8,
    quote: Option<u8>,
    place: Place,
}

impl Cutter {
    pub(crate) fn new(delimiter: u8, quote: Option<u8>) -> Self {
        Self { delimiter, quote, place: Place::Beginning }
    }

    /// Processes one byte. Returns true if it ends a record.
    pub(crate) fn step(&mut self, byte: u8) -> bool {
        let is_quote = self.quote == Some(byte);
        let mut has_ended = false;
        self.place = match self.place {
            Place::Quoted if is_quote => Place::Closed,
            Place::Quoted => Place::Quoted,
            Place::Beginning | Place::Closed if is_quote => Place::Quoted,
            _ if byte == self.delimiter => Place::Beginning,
            _ if is_end(byte) => {
                has_ended = true;
                Place::Beginning
            }
            _ => Place::Bare,
        };
        has_ended
    }

    /// Processes some bytes. Returns the position after the last end of a record, if there is one.
    fn advance(&mut self, bytes: &[u8]) -> Option<usize> {
        let quote = self.quote.filter(|&quote| self.place == Place::Quoted || memchr(quote, bytes).is_some());
        if let Some(quote) = quote {
            return self.advance_over_quotes(bytes, quote);
        }
        if let Some(&last) = bytes.last() {
            let is_between = last == self.delimiter || is_end(last);
            self.place = if is_between { Place::Beginning } else { Place::Bare };
        }
        Some(memrchr2(b'\n', b'\r', bytes)?.saturating_add(1))
    }

    fn advance_over_quotes(&mut self, bytes: &[u8], quote: u8) -> Option<usize> {
        let (mut left, mut end) = (bytes, None);
        while let Some((&byte, others)) = left.split_first() {
            left = others;
            if self.step(byte) {
                end = Some(bytes.len().saturating_sub(left.len()));
            }
            if self.place == Place::Quoted {
                left = left.get(memchr(quote, left).unwrap_or(left.len())..).unwrap_or_default();
            }
        }
        end
    }
}

pub(crate) fn is_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::records::Records;
    use csv::{ByteRecord, ReaderBuilder};

    type Found = Vec<Vec<Vec<u8>>>;

    fn cells(record: &ByteRecord) -> Vec<Vec<u8>> {
        record.iter().map(<[u8]>::to_vec).collect()
    }

    /// Returns the records in blocks of about a given number of bytes, unless a quoted field is not closed.
    fn by_blocks(size: usize, data: &[u8], quote: Option<u8>, is_one_column: bool) -> Option<Found> {
        let mut blocks = Blocks::of_size(size, data, b',', quote).unwrap();
        let mut found = Vec::new();
        while let Some(block) = blocks.next().ok()? {
            let (mut records, mut record) = (Records::new(&block, b',', quote, is_one_column), ByteRecord::new());
            while records.read(&mut record).unwrap() {
                found.push(cells(&record));
            }
        }
        Some(found)
    }

    /// Returns the records that `csv` finds in all of the data, unless a quoted field includes a line that is added at
    /// the end.
    fn at_once(data: &[u8], quote: Option<u8>) -> Option<Found> {
        // A byte order mark is the file's, and the parser's own rule for one more is not asked.
        let data = data.strip_prefix(BYTE_ORDER_MARK).unwrap_or(data);
        let data = [b"\n", data, b"\nEND\n"].concat();
        let mut parser = ReaderBuilder::new();
        parser.has_headers(false).flexible(true).delimiter(b',').quoting(quote.is_some());
        let mut found: Found =
            parser.from_reader(&*data).byte_records().map(|record| cells(&record.unwrap())).collect();
        (found.pop()? == [b"END"]).then_some(found)
    }

    /// Returns all texts of at most a given number of these bytes.
    fn all_texts(of: &[u8], most: usize) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        let mut last = all.clone();
        for _ in 0..most {
            last = last.iter().flat_map(|text| of.iter().map(|byte| [&**text, &[*byte]].concat())).collect();
            all.extend(last.iter().cloned());
        }
        all
    }

    /// The length of the texts. Their number is five to this power.
    fn length() -> usize {
        if std::env::var_os("TEST_DEEP").is_some() { 7 } else { 5 }
    }

    #[test]
    fn blocks_have_the_records_of_all_data_wherever_they_are_cut() {
        let (mut read, mut refused) = (0, 0);
        for text in all_texts(b"a,\"\n\r", length()) {
            for quote in [Some(b'"'), None] {
                let expected = at_once(&text, quote);
                for size in 1..=4 {
                    assert_eq!(by_blocks(size, &text, quote, false), expected, "{:?} by {size}", text.escape_ascii());
                }
                if expected.is_some() { read += 1 } else { refused += 1 }
            }
        }
        assert!(read > 5_000 && refused > 500, "{read} read, {refused} refused");
    }

    /// Returns the same data with a delimiter before each end of line outside quotes, and one byte for the end. Then
    /// `csv` sees no blank line, and each record has one more cell, which is empty.
    fn with_ends_of_cells(data: &[u8], quote: Option<u8>) -> Vec<u8> {
        let (mut is_quoted, mut is_begun, mut is_after_quote) = (false, false, false);
        let (mut changed, mut left) = (Vec::new(), data);
        while let Some((&byte, others)) = left.split_first() {
            left = others;
            if !is_quoted && is_end(byte) {
                left = if byte == b'\r' { left.strip_prefix(b"\n").unwrap_or(left) } else { left };
                changed.extend(b",\n");
                (is_begun, is_after_quote) = (false, false);
                continue;
            }
            if Some(byte) == quote && (is_quoted || is_after_quote || !is_begun) {
                is_quoted = !is_quoted;
                is_after_quote = !is_quoted;
            } else if !is_quoted {
                is_after_quote = false;
            }
            is_begun = is_quoted || is_after_quote || byte != b',';
            changed.push(byte);
        }
        if !data.is_empty() && !changed.ends_with(b"\n") {
            changed.push(b',');
        }
        changed
    }

    #[test]
    fn of_one_column_every_line_is_a_record_wherever_blocks_are_cut() {
        let (mut blank, mut read) = (0, 0);
        for text in all_texts(b"a,\"\n\r", length()) {
            for quote in [Some(b'"'), None] {
                let expected = at_once(&with_ends_of_cells(&text, quote), quote).map(|mut records| {
                    for record in &mut records {
                        assert_eq!(record.pop().unwrap(), b"", "{:?}", text.escape_ascii());
                    }
                    records
                });
                // What is refused is refused, whatever the lines.
                let expected = expected.filter(|_| at_once(&text, quote).is_some());
                for size in 1..=4 {
                    let found = by_blocks(size, &text, quote, true);
                    assert_eq!(found, expected, "{:?} by {size}", text.escape_ascii());
                }
                blank += usize::from(text.ends_with(b"\n\n"));
                read += usize::from(expected.is_some());
            }
        }
        assert!(read > 5_000 && blank > 100, "{read} read, {blank} with a blank line at the end");
    }

    #[test]
    fn a_byte_order_mark_is_taken_away_at_the_beginning_of_the_data_alone() {
        for text in all_texts(b"\xef\xbb\xbf\n,\"", length() - 1) {
            let expected = at_once(&text, Some(b'"'));
            for size in [1, 3, 100] {
                assert_eq!(by_blocks(size, &text, Some(b'"'), false), expected, "{:?} by {size}", text.escape_ascii());
            }
        }
    }

    #[test]
    fn a_record_that_is_longer_than_a_block_stays_whole() {
        let text = [b"a,\"".to_vec(), vec![b'\n'; 1000], b"\"\nb,c\n".to_vec()].concat();
        let found = by_blocks(10, &text, Some(b'"'), false).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0][1].len(), 1000);
    }
}
