//! The bytes of a CSV file, in blocks of whole records.
//!
//! Where a record ends depends on the quotes before it and on nothing else. One pass over the bytes finds where to cut;
//! what the blocks say is then read from each by itself, by several threads.

use crate::{Error, Result};
use memchr::{memchr, memrchr2};
use std::{
    io::{self, Read},
    mem,
};

/// How many bytes are read for a block, unless no record ends in them: few enough for an engine whose memory is small.
const BLOCK: usize = 1 << 18;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Each block begins with an end of line: a blank line to the parser, which would else take a byte order mark away from
/// a record at the beginning of a block, and from no other.
const BEGINNING: &[u8] = b"\n";

/// Data as blocks.
pub(crate) struct Blocks<R> {
    data: R,
    size: u64,
    cutter: Cutter,
    /// What was read after the last block's end.
    rest: Vec<u8>,
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
        let mut cutter = Cutter { delimiter, quote, place: Place::Beginning };
        // What ends among the first bytes may as well be cut later.
        cutter.advance(&first);
        let size = u64::try_from(size).unwrap_or(u64::MAX);
        Ok(Self { data, size, cutter, rest: [BEGINNING, &first].concat() })
    }

    /// The next records, unless there are none: all of a block's are whole.
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
                return Ok(Some(block));
            }
        }
    }

    /// What stands after the last end of a record, if anything does.
    fn last(&self, block: Vec<u8>) -> Result<Option<Vec<u8>>> {
        if self.cutter.place == Place::Quoted {
            return Err(Error::file("a quoted field is not closed: all records after its quote would be one cell"));
        }
        Ok(Some(block).filter(|block| block != BEGINNING))
    }
}

fn unread(error: &io::Error) -> Error {
    Error::file(format!("cannot be read: {}", error.kind())).because(error)
}

/// Where the parser of `csv` is after some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before a field.
    Beginning,
    /// In a field that is not quoted, in which a quote is a character as any other.
    Bare,
    Quoted,
    /// After a quote in a quoted field: another one makes both a character; anything else ends what is quoted.
    Closed,
}

struct Cutter {
    delimiter: u8,
    quote: Option<u8>,
    place: Place,
}

impl Cutter {
    /// Go on over some bytes: after how many of them the last record ends, if one does.
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
            self.place = match self.place {
                Place::Quoted if byte == quote => Place::Closed,
                Place::Quoted => {
                    left = left.get(memchr(quote, left).unwrap_or(left.len())..).unwrap_or_default();
                    Place::Quoted
                }
                Place::Beginning | Place::Closed if byte == quote => Place::Quoted,
                _ if byte == self.delimiter => Place::Beginning,
                _ if is_end(byte) => {
                    end = Some(bytes.len().saturating_sub(left.len()));
                    Place::Beginning
                }
                _ => Place::Bare,
            };
        }
        end
    }
}

fn is_end(byte: u8) -> bool {
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

    /// The records in blocks of about so many bytes, unless a quoted field is not closed.
    fn by_blocks(size: usize, data: &[u8], quote: Option<u8>) -> Option<Found> {
        let mut blocks = Blocks::of_size(size, data, b',', quote).unwrap();
        let mut found = Vec::new();
        while let Some(block) = blocks.next().ok()? {
            let (mut records, mut record) = (Records::new(&block, b',', quote), ByteRecord::new());
            while records.read(&mut record).unwrap() {
                found.push(cells(&record));
            }
        }
        Some(found)
    }

    /// What `csv` finds in all of the data, unless a quoted field takes in a line that is put behind them.
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

    /// All texts of so many of these bytes and fewer.
    fn all_texts(of: &[u8], most: usize) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        let mut last = all.clone();
        for _ in 0..most {
            last = last.iter().flat_map(|text| of.iter().map(|byte| [&**text, &[*byte]].concat())).collect();
            all.extend(last.iter().cloned());
        }
        all
    }

    /// How long texts are, of which there are five to this power.
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
                    assert_eq!(by_blocks(size, &text, quote), expected, "{:?} by {size}", text.escape_ascii());
                }
                if expected.is_some() { read += 1 } else { refused += 1 }
            }
        }
        assert!(read > 5_000 && refused > 500, "{read} read, {refused} refused");
    }

    #[test]
    fn a_byte_order_mark_is_taken_away_at_the_beginning_of_the_data_alone() {
        for text in all_texts(b"\xef\xbb\xbf\n,\"", length() - 1) {
            let expected = at_once(&text, Some(b'"'));
            for size in [1, 3, 100] {
                assert_eq!(by_blocks(size, &text, Some(b'"')), expected, "{:?} by {size}", text.escape_ascii());
            }
        }
    }

    #[test]
    fn a_record_that_is_longer_than_a_block_stays_whole() {
        let text = [b"a,\"".to_vec(), vec![b'\n'; 1000], b"\"\nb,c\n".to_vec()].concat();
        let found = by_blocks(10, &text, Some(b'"')).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0][1].len(), 1000);
    }
}
