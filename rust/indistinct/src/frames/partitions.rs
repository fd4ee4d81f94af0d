//! Partitions of a table's rows that keep all rows of an individual together.

use super::{batch::Batch, bound_groups::encode, column::Column, domain::FrameDomain};
use crate::transformations::bound_contributions::rank_hash;

impl FrameDomain {
    /// Splits the rows of a batch into this number of partitions, some of which may be empty. All rows of an individual
    /// are in one partition, whichever batch contains them. Equal rows without an identifier are in one partition, as
    /// are equal rows of a table without a column of individuals.
    ///
    /// A hash with a public key assigns individuals to partitions.
    ///
    /// ```
    /// use indistinct::frames::*;
    /// let visits = FrameDomain::new([("person", ColumnDomain::integer()), ("city", ColumnDomain::text())])?;
    /// let visits = visits.with_individuals("person")?;
    /// let frame = Frame::new([
    ///     ("person", [7i64, 8, 7].into_iter().collect::<Column>()),
    ///     ("city", ["Bern", "Aarau", "Chur"].into_iter().collect()),
    /// ])?;
    /// let parts = visits.partitions(&frame[0], 100);
    /// let rows: Vec<usize> = parts.iter().map(Batch::rows).filter(|rows| *rows > 0).collect();
    /// assert!(rows == [1, 2] || rows == [2, 1] || rows == [3]);
    /// # Ok::<(), indistinct::core::Error>(())
    /// ```
    pub fn partitions(&self, batch: &Batch, number: u32) -> Vec<Batch> {
        let mut rows: Vec<Vec<usize>> = (0..number).map(|_| Vec::new()).collect();
        for (row, place) in self.places(batch, number).into_iter().enumerate() {
            let part = usize::try_from(place).ok().and_then(|place| rows.get_mut(place));
            part.into_iter().for_each(|rows| rows.push(row));
        }
        rows.iter().map(|rows| batch.take(rows)).collect()
    }

    /// Returns the partition of each row.
    pub(crate) fn places(&self, batch: &Batch, number: u32) -> Vec<u32> {
        let place = self.individuals().and_then(|name| self.position(name).ok());
        let identifier: Vec<&Column> = place.and_then(|place| batch.columns().get(place)).into_iter().collect();
        let all: Vec<&Column> = batch.columns().iter().collect();
        let mut bytes = Vec::new();
        let partition = |row: usize| {
            bytes.clear();
            let is_known = identifier.iter().any(|identifier| !identifier.cell(row).is_null());
            encode(if is_known { &identifier } else { &all }, row, &mut bytes);
            let hash = rank_hash(b"partition", &bytes).checked_rem(number.into()).unwrap_or(0);
            u32::try_from(hash).unwrap_or(0)
        };
        (0..batch.rows()).map(partition).collect()
    }
}
