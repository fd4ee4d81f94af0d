//! `make_bound_groups`: an individual's rows in few groups, and few in each.

use super::{
    aggregate_individuals::keys,
    batch::{Batch, Name},
    column::Column,
    domain::FrameDomain,
    individuals::{Groups, whole},
};
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, Transformation, require},
    domains::Canonical,
    metrics::IndividualMetric,
    transformations::bound_contributions::rank_hash,
};
use indistinct_derive::constructor;

/// Keep the rows of each individual in at most `max_groups` groups, and at most `max_rows` rows in each.
///
/// Which are kept is decided by a keyed hash of what the rows say: a choice that depends on the individual's own rows
/// alone, whatever their order, and favors none.
///
/// # Parameters
///
/// - `by`: the columns whose values make the groups; with none, all rows of an individual are one group.
/// - `max_groups`, `max_rows`: at least 1.
///
/// # Stability
///
/// `d_out = d_in`, in individuals. That an individual now has `max_groups` times `max_rows` rows at most, so that
/// [`make_bound_contributions`](crate::transformations::make_bound_contributions) of so many leaves all of them, is
/// what the step is for.
///
/// # Errors
///
/// A name of no column, or one twice; a bound of 0.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// let visits = FrameDomain::new([("person", ColumnDomain::integer()), ("city", ColumnDomain::text())])?;
/// let people = (visits.with_individuals("person")?, SymmetricIdDistance);
/// let bounded = (people >> then_bound_groups(vec!["city"], 2, 1))?;
/// let frame = Frame::new([
///     ("person", [7i64, 7, 7, 7, 8].into_iter().collect::<Column>()),
///     ("city", ["Bern", "Bern", "Aarau", "Chur", "Bern"].into_iter().collect()),
/// ])?;
/// assert_eq!((Frame::from(bounded.invoke(&frame)?).rows(), bounded.map(&1)?), (3, 1));
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_bound_groups<B: Name, M: IndividualMetric>(
    input_domain: FrameDomain,
    input_metric: M,
    by: Vec<B>,
    max_groups: u32,
    max_rows: u32,
) -> Fallible<Transformation<FrameDomain, FrameDomain, M, M>>
where
    (FrameDomain, M): MetricSpace,
{
    require(max_groups >= 1, "max_groups", "must be at least 1")?;
    require(max_rows >= 1, "max_rows", "must be at least 1")?;
    let keys = keys(&input_domain, "by", by)?;
    let output_domain = input_domain.without_size();
    Transformation::new(
        (input_domain, input_metric),
        (output_domain, input_metric),
        Function::new(move |batches: &[Batch]| {
            whole(batches).map(|batch| batch.take(&kept(&batch, &keys, max_groups, max_rows))).into_iter().collect()
        }),
        StabilityMap::new(|&d_in: &u32| Ok(d_in)),
    )
}

/// The rows that stay, by individual.
fn kept(batch: &Batch, keys: &[usize], max_groups: u32, max_rows: u32) -> Vec<usize> {
    let key_columns: Vec<&Column> = keys.iter().filter_map(|&key| batch.columns().get(key)).collect();
    let (identifier, all) = (key_columns.get(..1).unwrap_or_default(), batch.columns().iter().collect::<Vec<_>>());
    let mut kept = Vec::new();
    for individual in Groups::of(identifier, batch.rows()).iter() {
        // Groups in the order of their hashes, ties by what the groups are; then rows in each, alike.
        let mut rows: Vec<(Place, Place, usize)> =
            individual.iter().map(|&row| (Place::of(&key_columns, row), Place::of(&all, row), row)).collect();
        rows.sort_unstable();
        let groups = rows.chunk_by(|(left, ..), (right, ..)| left == right);
        for (group, _) in groups.zip(0..max_groups) {
            kept.extend(group.iter().zip(0..max_rows).map(|((_, _, row), _)| *row));
        }
    }
    kept
}

/// Where cells stand among others: by a hash, and then by what they are. Equal cells, and only those, have equal
/// places.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    hash: u64,
    cells: Vec<u8>,
}

impl Place {
    pub(super) fn of(columns: &[&Column], row: usize) -> Self {
        let mut cells = Vec::new();
        columns.iter().for_each(|column| column.encode(row, &mut cells));
        Self { hash: rank_hash(&cells, &[]), cells }
    }
}

impl Column {
    /// The bytes of a cell, which are those of equal cells alone.
    fn encode(&self, row: usize, bytes: &mut Vec<u8>) {
        use super::cell::Cell;
        match self.cell(row) {
            Cell::Missing => None::<bool>.encode(bytes),
            Cell::Float(value) => Some(value).encode(bytes),
            Cell::Integer(value) => Some(value).encode(bytes),
            Cell::Bool(value) => Some(value).encode(bytes),
            Cell::Text(text) => Some(text).encode(bytes),
        }
    }
}
