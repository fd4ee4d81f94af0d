//! Rows as bytes for temporary files.

use super::{
    batch::{Batch, Frame},
    cell::Storage,
    column::{Cells, Column},
    domain::FrameDomain,
};
use crate::core::{Encoded, Error, ErrorKind, Fallible, take};
use arrow_array::Array;

/// The mark in place of the length of a missing text.
const NO_TEXT: u64 = u64::MAX;

impl FrameDomain {
    /// Appends the rows of a batch as bytes to the lists of their partitions ([`partitions`](Self::partitions)). There
    /// is one list per partition.
    pub fn deal(&self, batch: &Batch, partitions: &mut [Vec<u8>]) {
        let number = u32::try_from(partitions.len()).unwrap_or(u32::MAX);
        for (row, place) in self.places(batch, number).into_iter().enumerate() {
            let partition = usize::try_from(place).ok().and_then(|place| partitions.get_mut(place));
            if let Some(bytes) = partition {
                batch.columns().iter().for_each(|column| column.write(row, bytes));
            }
        }
    }

    /// Reads the rows that [`deal`](Self::deal) wrote from batches of this domain.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Mismatch`] if the bytes are not such rows. The step that absorbs the rows checks their
    /// values.
    pub fn dealt(&self, mut bytes: &[u8]) -> Fallible<Frame> {
        let mut columns: Vec<Read> = self.columns().iter().map(|column| Read::new(column.kind().storage())).collect();
        let unreadable = || Error::new(ErrorKind::Mismatch, "these are not the bytes of rows of this table");
        while !bytes.is_empty() && !columns.is_empty() {
            columns.iter_mut().try_for_each(|column| column.read(&mut bytes)).ok_or_else(unreadable)?;
        }
        if !bytes.is_empty() {
            return Err(unreadable());
        }
        Frame::new(self.names().iter().cloned().zip(columns.into_iter().map(Read::column)))
    }
}

impl Column {
    fn write(&self, row: usize, bytes: &mut Vec<u8>) {
        let is_there = |array: &dyn Array| row < array.len() && array.is_valid(row);
        match &self.0 {
            Cells::Float(array) => array.values().get(row).map_or(f64::NAN, |value| *value).to_bits().encode(bytes),
            Cells::Integer(array) => {
                let value = is_there(array).then(|| array.value(row));
                value.is_some().encode(bytes);
                value.unwrap_or(0).encode(bytes);
            }
            Cells::Bool(array) => {
                let value = is_there(array).then(|| array.value(row));
                value.is_some().encode(bytes);
                value.unwrap_or(false).encode(bytes);
            }
            Cells::Text(array) => match is_there(array).then(|| array.value(row)) {
                Some(text) => {
                    u64::try_from(text.len()).unwrap_or(NO_TEXT).encode(bytes);
                    bytes.extend_from_slice(text.as_bytes());
                }
                None => NO_TEXT.encode(bytes),
            },
        }
    }
}

/// The cells of a column read so far.
enum Read<'a> {
    Floats(Vec<f64>),
    Integers(Vec<Option<i64>>),
    Truths(Vec<Option<bool>>),
    Texts(Vec<Option<&'a str>>),
}

impl<'a> Read<'a> {
    fn new(storage: Storage) -> Self {
        match storage {
            Storage::Float => Self::Floats(Vec::new()),
            Storage::Integer => Self::Integers(Vec::new()),
            Storage::Bool => Self::Truths(Vec::new()),
            Storage::Text => Self::Texts(Vec::new()),
        }
    }

    /// Reads one more cell.
    fn read(&mut self, bytes: &mut &'a [u8]) -> Option<()> {
        match self {
            Self::Floats(cells) => cells.push(f64::from_bits(u64::decode(bytes)?)),
            Self::Integers(cells) => {
                let (is_there, value) = (bool::decode(bytes)?, i64::decode(bytes)?);
                cells.push(is_there.then_some(value));
            }
            Self::Truths(cells) => {
                let (is_there, value) = (bool::decode(bytes)?, bool::decode(bytes)?);
                cells.push(is_there.then_some(value));
            }
            Self::Texts(cells) => cells.push(match u64::decode(bytes)? {
                NO_TEXT => None,
                length => Some(str::from_utf8(take(bytes, usize::try_from(length).ok()?)?).ok()?),
            }),
        }
        Some(())
    }

    fn column(self) -> Column {
        match self {
            Self::Floats(cells) => cells.into_iter().collect(),
            Self::Integers(cells) => cells.into_iter().collect(),
            Self::Truths(cells) => cells.into_iter().collect(),
            Self::Texts(cells) => cells.into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::frames::*;

    #[test]
    fn rows_come_back_as_they_were() {
        let domain = FrameDomain::new([
            ("who", ColumnDomain::text().with_missing()),
            ("x", ColumnDomain::float().with_missing()),
            ("n", ColumnDomain::integer().with_missing()),
            ("is", ColumnDomain::bool().with_missing()),
            ("of", ColumnDomain::category(["a", "b"]).unwrap()),
        ]);
        let domain = domain.unwrap().with_individuals_or_null("who").unwrap();
        let columns = [
            ("who", [Some("ann"), None, Some(""), None, Some("ann"), None].into_iter().collect::<Column>()),
            ("x", [0.5, f64::NAN, -0.0, f64::INFINITY, 5e-324, f64::NAN].into_iter().collect()),
            ("n", [Some(i64::MIN), None, Some(0), Some(7), None, None].into_iter().collect()),
            ("is", [Some(true), None, Some(false), None, None, None].into_iter().collect()),
            ("of", [0i64, 1, 0, 1, 1, 1].into_iter().collect()),
        ];
        let frame = Frame::new(columns).unwrap();
        let told = |frame: &Frame| {
            let cells = |batch: &Batch, row| batch.columns().iter().map(|column| column.cell(row)).collect::<Vec<_>>();
            let of =
                |batch: &Batch| (0..batch.rows()).map(|row| format!("{:?}", cells(batch, row))).collect::<Vec<_>>();
            frame.iter().flat_map(of).collect::<Vec<_>>()
        };
        let mut one = vec![Vec::new()];
        frame.iter().for_each(|batch| domain.deal(batch, &mut one));
        let [one] = one.try_into().unwrap();
        assert_eq!(told(&domain.dealt(&one).unwrap()), told(&frame));
        // In partitions, individuals and equal rows are together, and no row is lost.
        for number in [2, 3, 7] {
            let mut partitions = vec![Vec::new(); number];
            frame.iter().for_each(|batch| domain.deal(batch, &mut partitions));
            let parts: Vec<_> = partitions.iter().map(|rows| told(&domain.dealt(rows).unwrap())).collect();
            let of = |parts: Vec<Batch>| told(&Frame::from(parts));
            let number = u32::try_from(number).unwrap();
            assert_eq!(
                parts,
                domain.partitions(&frame[0], number).into_iter().map(|part| of(vec![part])).collect::<Vec<_>>()
            );
            let mut all = parts.concat();
            let mut expected = told(&frame);
            all.sort();
            expected.sort();
            assert_eq!(all, expected);
            for same in [[0, 4], [1, 5]] {
                let with = |row: usize| parts.iter().position(|part| part.contains(&told(&frame)[row]));
                assert_eq!(with(same[0]), with(same[1]));
            }
        }
        for end in 1..one.len() {
            assert!(domain.dealt(&one[..end]).is_err() || told(&domain.dealt(&one[..end]).unwrap()).len() < 6);
        }
        assert!(domain.dealt(&[255; 40]).is_err() && domain.dealt(&[]).unwrap().is_empty());
    }
}
