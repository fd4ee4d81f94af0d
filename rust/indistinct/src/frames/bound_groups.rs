//! `make_bound_groups`: limits the groups of each individual, and the individual's rows in each group.

use super::{
    aggregate_individuals::keys,
    batch::{Batch, Name},
    column::{Cells, Column},
    domain::FrameDomain,
    individuals::{Groups, compare, sorted, whole},
};
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, Transformation, require},
    domains::Canonical,
    metrics::IndividualMetric,
    transformations::bound_contributions::{first_by_hash, fits},
};
use arrow_array::Array;
use indistinct_derive::constructor;
use std::cmp::Ordering;

/// Keeps rows of each individual in at most `max_groups` groups, with at most `max_rows` rows in each group.
///
/// A keyed hash of the rows' contents decides which rows are kept. The choice depends on the individual's own rows
/// alone, ignores their order, and favors no value.
///
/// # Parameters
///
/// - `by`: the columns whose values define the groups. With no columns, all rows of an individual are one group.
/// - `max_groups`, `max_rows`: at least 1.
///
/// # Stability
///
/// `d_out = d_in`, in individuals. In the output, an individual has at most `max_groups` times `max_rows` rows, so
/// [`make_bound_contributions`](crate::transformations::make_bound_contributions) with this limit keeps all of them.
/// For sums and counts by category with Gaussian noise, use
/// [`make_sum_by_categories_of_individuals`](crate::transformations::make_sum_by_categories_of_individuals), whose map
/// uses both limits.
///
/// # Errors
///
/// Returns an error if a name is repeated or the domain has no such column, or if a limit is 0.
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
        Function::batches_by_individuals(move |batches: &[Batch]| {
            whole(batches).map(|batch| batch.take(&kept(&batch, &keys, max_groups, max_rows))).into_iter().collect()
        }),
        StabilityMap::new(|&d_in: &u32| Ok(d_in)),
    )
}

/// Returns the kept rows, by individual. Nothing is hashed for an individual with no more rows than either limit.
fn kept(batch: &Batch, keys: &[usize], max_groups: u32, max_rows: u32) -> Vec<usize> {
    let key_columns: Vec<&Column> = keys.iter().filter_map(|&key| batch.columns().get(key)).collect();
    let (identifier, by) = key_columns.split_at_checked(1).unwrap_or_default();
    let all: Vec<&Column> = batch.columns().iter().collect();
    let mut kept = Vec::new();
    for individual in Groups::of(identifier, batch.rows()).iter() {
        if fits(individual, max_groups) && fits(individual, max_rows) {
            kept.extend_from_slice(individual);
        } else if by.is_empty() {
            kept.extend(first_rows(&all, individual, max_rows));
        } else {
            let rows = sorted(by, individual);
            let groups = rows.chunk_by(|&left, &right| compare(by, left, right) == Ordering::Equal).collect();
            let encode = |group: &[usize], bytes: &mut Vec<u8>| {
                group.first().into_iter().for_each(|&row| encode(&key_columns, row, bytes));
            };
            for group in first_by_hash(groups, max_groups, &[], encode) {
                kept.extend(first_rows(&all, group, max_rows));
            }
        }
    }
    kept
}

/// Returns the first `most` of these rows, ordered by a hash of their cells and then by the cells.
pub(super) fn first_rows(columns: &[&Column], rows: &[usize], most: u32) -> Vec<usize> {
    first_by_hash(rows.to_vec(), most, &[], |row, bytes| encode(columns, row, bytes))
}

/// Appends the encoding of some cells of a row. Only equal cells have equal encodings.
pub(super) fn encode(columns: &[&Column], row: usize, bytes: &mut Vec<u8>) {
    columns.iter().for_each(|column| column.encode(row, bytes));
}

impl Column {
    /// Appends the encoding of a cell. Only equal cells have equal encodings.
    pub(super) fn encode(&self, row: usize, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        bytes.push(1);
        if !self.encode_value(row, bytes) {
            bytes.truncate(start);
            bytes.push(0);
        }
    }

    /// Appends the encoding of a cell that is not missing. Only equal values have equal encodings. Returns false, and
    /// appends nothing, if it is missing.
    pub(super) fn encode_value(&self, row: usize, bytes: &mut Vec<u8>) -> bool {
        fn encoded(value: Option<impl Canonical>, bytes: &mut Vec<u8>) -> bool {
            value.map(|value| value.encode(bytes)).is_some()
        }
        let is_there = |array: &dyn Array| row < array.len() && array.is_valid(row);
        match &self.0 {
            Cells::Float(array) => encoded(array.values().get(row).filter(|value| !value.is_nan()).copied(), bytes),
            Cells::Integer(array) => encoded(is_there(array).then(|| array.value(row)), bytes),
            Cells::Bool(array) => encoded(is_there(array).then(|| array.value(row)), bytes),
            Cells::Text(array) => encoded(is_there(array).then(|| array.value(row)), bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domains::Canonical, frames::*, prelude::*, transformations::bound_contributions::rank_hash};
    use std::collections::BTreeMap;

    /// The function keeps the same rows as a sort of all groups and rows by hash and bytes would keep.
    #[test]
    fn rows_that_need_no_hash_are_kept_as_if_they_had_one() {
        let of = |place: i64, most: i64| (place * 7919 + 13) * (place + 3) % most;
        let rows: Vec<(i64, i64, Option<i64>)> =
            (0..900).map(|row| (of(row, 61) % 50, of(row, 17) % 5, Some(of(row, 4)).filter(|x| *x > 0))).collect();
        let columns = [
            ("person", rows.iter().map(|row| row.0).collect::<Column>()),
            ("city", rows.iter().map(|row| row.1.to_string()).collect::<Vec<_>>().iter().map(String::as_str).collect()),
            ("x", rows.iter().map(|row| row.2).collect()),
        ];
        let frame = Frame::new(columns).unwrap();
        let described = [
            ("person", ColumnDomain::integer()),
            ("city", ColumnDomain::text()),
            ("x", ColumnDomain::integer().with_missing()),
        ];
        let domain = FrameDomain::new(described).unwrap().with_individuals("person").unwrap();
        // As the places of what stays were defined before any was left out.
        let place = |bytes: Vec<u8>| (rank_hash(&bytes, &[]), bytes);
        let group = |row: &(i64, i64, Option<i64>)| (Some(row.0), Some(row.1.to_string())).encoding();
        let all = |row: &(i64, i64, Option<i64>)| (Some(row.0), (Some(row.1.to_string()), row.2)).encoding();
        for (groups, most, by) in
            [(1, 1, true), (2, 3, true), (9, 1, true), (2, 99, true), (1, 2, false), (1, 7, false)]
        {
            let mut expected = Vec::new();
            let mut people: BTreeMap<i64, Vec<_>> = BTreeMap::new();
            for row in &rows {
                let of_group = if by { place(group(row)) } else { place(Vec::new()) };
                people.entry(row.0).or_default().push((of_group, place(all(row)), *row));
            }
            for mut person in people.into_values() {
                person.sort();
                for group in person.chunk_by(|left, right| left.0 == right.0).take(groups) {
                    expected.extend(group.iter().take(most).map(|(_, _, row)| *row));
                }
            }
            let columns = if by { vec!["city"] } else { vec![] };
            let bound = |number: usize| u32::try_from(number).unwrap();
            let step = make_bound_groups(domain.clone(), SymmetricIdDistance, columns, bound(groups), bound(most));
            let step = (step.unwrap()
                >> then_rows_of_individuals::<i64, (String, Option<i64>), _, _>(vec!["city", "x"]))
            .unwrap();
            let mut kept = step.invoke(&frame).unwrap();
            let mut expected: Vec<_> =
                expected.into_iter().map(|(person, city, x)| (person, (city.to_string(), x))).collect();
            kept.sort();
            expected.sort();
            assert_eq!(kept, expected, "{groups} {most} {by}");
        }
    }
}
