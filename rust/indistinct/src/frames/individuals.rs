//! The rows of each individual, or of each group of an individual's rows.

use super::{
    batch::Batch,
    cell::Cell,
    column::{Cells, Column},
};
use arrow_array::Array;
use std::cmp::Ordering;

/// Combines all batches that have rows. Batches without rows are skipped, because a domain allows them to have any
/// columns.
pub(super) fn whole(batches: &[Batch]) -> Option<Batch> {
    let batches: Vec<&Batch> = batches.iter().filter(|batch| batch.rows() > 0).collect();
    let first = batches.first()?;
    let columns = (0..first.columns().len()).map(|place| {
        let parts: Vec<&Column> = batches.iter().filter_map(|batch| batch.columns().get(place)).collect();
        Column::concat(&parts)
    });
    let columns: Vec<Column> = columns.collect::<Option<_>>()?;
    let rows = batches.iter().map(|batch| batch.rows()).fold(0, usize::saturating_add);
    Some(Batch::new(first.names().clone(), columns, rows))
}

/// Rows grouped by equal values in some columns.
pub(super) struct Groups {
    /// The rows, ordered by group.
    rows: Vec<usize>,
    /// The end of each group.
    ends: Vec<usize>,
}

impl Groups {
    /// Groups the rows whose cells are equal in all of these columns. The first column identifies individuals, and a
    /// row in which it is missing is a group of its own.
    pub(super) fn of(columns: &[&Column], rows: usize) -> Self {
        let order = match columns {
            // The most frequent case, without a look at the type of each cell.
            [Column(Cells::Integer(array))] if array.null_count() == 0 => {
                let mut values: Vec<(i64, usize)> = array.values().iter().copied().zip(0..rows).collect();
                values.sort_unstable();
                values.into_iter().map(|(_, row)| row).collect()
            }
            _ => sorted(columns, &(0..rows).collect::<Vec<_>>()),
        };
        let identifier = columns.first().filter(|identifier| identifier.has_missing());
        let is_alone = |row: usize| identifier.is_some_and(|identifier| identifier.cell(row).is_null());
        let differ = |left: usize, right: usize| compare(columns, left, right) != Ordering::Equal || is_alone(right);
        let neighbors = order.iter().zip(order.iter().skip(1)).zip(1..);
        let ends = neighbors.filter_map(|((&left, &right), end)| differ(left, right).then_some(end));
        let ends: Vec<usize> = ends.chain((rows > 0).then_some(rows)).collect();
        Self { rows: order, ends }
    }

    /// Returns the rows of each group.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[usize]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| self.rows.get(start..end).unwrap_or_default())
    }
}

/// Compares two rows by their cells in these columns.
pub(super) fn compare(columns: &[&Column], left: usize, right: usize) -> Ordering {
    columns.iter().map(|column| column.compare(left, right)).fold(Ordering::Equal, Ordering::then)
}

/// Returns rows in this order.
pub(super) fn sorted(columns: &[&Column], rows: &[usize]) -> Vec<usize> {
    let mut rows = rows.to_vec();
    rows.sort_unstable_by(|&left, &right| compare(columns, left, right));
    rows
}

impl Column {
    /// Compares two cells by the order of numbers, Booleans or texts, with missing cells last. Only equal values
    /// compare as equal.
    pub(super) fn compare(&self, left: usize, right: usize) -> Ordering {
        fn present<T: Ord>(left: Option<T>, right: Option<T>) -> Ordering {
            match (left, right) {
                (Some(left), Some(right)) => left.cmp(&right),
                (left, right) => left.is_none().cmp(&right.is_none()),
            }
        }
        match &self.0 {
            Cells::Float(array) => {
                // Adding 0.0 leaves no other zero.
                let value = |row| array.values().get(row).filter(|x: &&f64| !x.is_nan()).map(|x| x + 0.0);
                match (value(left), value(right)) {
                    (Some(left), Some(right)) => left.total_cmp(&right),
                    (left, right) => left.is_none().cmp(&right.is_none()),
                }
            }
            Cells::Integer(array) => {
                let value = |row| (row < array.len() && array.is_valid(row)).then(|| array.value(row));
                present(value(left), value(right))
            }
            Cells::Bool(array) => {
                let value = |row| (row < array.len() && array.is_valid(row)).then(|| array.value(row));
                present(value(left), value(right))
            }
            Cells::Text(array) => {
                let value = |row| (row < array.len() && array.is_valid(row)).then(|| array.value(row));
                present(value(left), value(right))
            }
        }
    }

    /// Concatenates several columns with one storage; `None` if their storages differ.
    fn concat(parts: &[&Self]) -> Option<Self> {
        let first = parts.first()?;
        if let [only] = parts {
            return Some((*only).clone());
        }
        let is_alike = parts.iter().all(|part| part.storage() == first.storage());
        let cells = |part: &&Self| (0..part.len()).map(|row| part.cell(row)).collect::<Vec<Cell>>();
        is_alike.then(|| match &first.0 {
            Cells::Float(_) => {
                let values =
                    |part: &&Self| if let Cells::Float(array) = &part.0 { array.values().to_vec() } else { vec![] };
                parts.iter().flat_map(values).collect()
            }
            Cells::Integer(_) if parts.iter().all(|part| !part.has_missing()) => {
                let values =
                    |part: &&Self| if let Cells::Integer(array) = &part.0 { array.values().to_vec() } else { vec![] };
                Self(Cells::Integer(parts.iter().flat_map(values).collect::<Vec<_>>().into()))
            }
            _ => Self::from_storage(first.storage(), parts.iter().flat_map(cells)),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{frames::*, prelude::*};

    /// A batch without rows is of any shape in a member, and makes no difference wherever it stands: the rows of two
    /// frames with one and without are the same.
    #[test]
    fn batches_without_rows_say_nothing() {
        let other = FrameDomain::new([("other", ColumnDomain::text())]).unwrap();
        let texts = Frame::new([("other", ["x"].into_iter().collect::<Column>())]).unwrap();
        let empty = make_filter_rows(other, SymmetricDistance, lit(false)).unwrap().invoke(&texts).unwrap();
        assert_eq!((empty.len(), Frame::from(empty.clone()).rows()), (1, 0));

        let visits = FrameDomain::new([("person", ColumnDomain::integer()), ("day", ColumnDomain::integer())]);
        let visits = visits.unwrap().with_individuals("person").unwrap();
        let space = || (visits.clone(), SymmetricIdDistance);
        let (nothing, count) = (Vec::<&str>::new, || vec![("days", PerIndividual::count())]);
        let days = || then_rows_of_individuals::<i64, i64, _, _>(vec!["days"]);
        let aggregated = (space() >> then_aggregate_individuals(nothing(), count()) >> days()).unwrap();
        let over = (space() >> then_window_per_individual(nothing(), count()) >> days()).unwrap();
        let bounded = (space() >> then_bound_groups(nothing(), 1, 1)).unwrap();

        let batch = |persons: [i64; 2]| {
            let columns = [("person", persons.into_iter().collect::<Column>()), ("day", (1..3i64).collect())];
            Frame::new(columns).unwrap().to_vec()
        };
        let (one, two) = (batch([7, 8]), batch([9, 7]));
        let orders = [vec![&one, &two], vec![&empty, &one, &two], vec![&one, &empty, &two], vec![&one, &two, &empty]];
        for batches in orders {
            let frame: Vec<Batch> = batches.into_iter().flatten().cloned().collect();
            assert!(visits.member(&frame));
            assert_eq!(aggregated.invoke(&frame), Ok(vec![(7, 2), (8, 1), (9, 1)]));
            assert_eq!(over.invoke(&frame), Ok(vec![(7, 2), (8, 1), (9, 1), (7, 2)]));
            assert_eq!(Frame::from(bounded.invoke(&frame).unwrap()).rows(), 3);
        }
        assert!(aggregated.invoke(&empty).unwrap().is_empty() && bounded.invoke(&empty).unwrap().is_empty());
    }
}
