//! `make_count_individuals_by_key`: the number of individuals of each key, for unknown keys.

use super::keys::Keys;
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, ToParameter, Transformation, require},
    domains::{AtomDomain, Canonical, MapDomain},
    frames::{
        aggregate_individuals::keys,
        batch::{Batch, Name},
        column::Column,
        domain::FrameDomain,
        individuals::{Groups, whole},
    },
    metrics::{IndividualMetric, MapMetric, moved},
    transformations::{
        bound_contributions::{first_by_hash, fits},
        count::add_counts,
    },
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedArithmetic;
use std::{collections::BTreeMap, slice};

/// Computes the number of individuals with each key in a table. An individual counts in at most `max_keys` keys, and
/// once in each.
///
/// An individual with more keys counts in those with the smallest keyed hashes of identifier and key. This choice
/// depends on the individual's own keys alone, and favors none. A row without an identifier is an individual of its
/// own. Bounding keys costs less than bounding rows with [`make_bound_rows`](super::make_bound_rows): no count changes
/// by more than one for each individual, so a lower threshold is enough. It computes the same as
/// [`make_count_individuals_by`](crate::transformations::make_count_individuals_by) does from typed rows.
///
/// # Parameters
///
/// - `key`: a column of texts without missing cells. [`text_key`](crate::frames::text_key) makes one from any columns.
/// - `max_keys`: the maximum number of keys in which an individual counts, at least 1.
/// - `output_metric`: [`L01InfDistance`](crate::metrics::L01InfDistance) for Laplace noise,
///   [`L02InfDistance`](crate::metrics::L02InfDistance) for Gaussian noise.
///
/// # Stability
///
/// From individuals added or removed to a triple (number of keys, norm of the changes, greatest change): `(max_keys
/// d_in, max_keys d_in, d_in)` in L1, and `(max_keys d_in, sqrt(max_keys) d_in, d_in)`, rounded up, in L2. All are
/// twice as much from [`ChangeOneIdDistance`](crate::metrics::ChangeOneIdDistance).
///
/// # Errors
///
/// Returns an error if the domain has no individuals or no such column, if the key is not a text or may be missing, or
/// if `max_keys` is 0. The map fails if the number of keys exceeds 2^32 - 1.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// use std::collections::BTreeMap;
/// let visits = FrameDomain::new([("person", ColumnDomain::integer()), ("city", ColumnDomain::text())])?;
/// let people = (visits.with_individuals("person")?, SymmetricIdDistance);
/// let visitors = (people >> then_count_individuals_by_key("city", 2, L01InfDistance))?;
/// let frame = Frame::new([
///     ("person", [7i64, 7, 7, 8].into_iter().collect::<Column>()),
///     ("city", ["Bern", "Bern", "Chur", "Bern"].into_iter().collect()),
/// ])?;
/// assert_eq!(visitors.invoke(&frame)?, BTreeMap::from([("Bern".into(), 2), ("Chur".into(), 1)]));
/// assert_eq!(visitors.map(&1)?, (2, 2.0, 1.0));
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_count_individuals_by_key<N: Name, M: IndividualMetric, MO: MapMetric + ToParameter>(
    input_domain: FrameDomain,
    input_metric: M,
    key: N,
    max_keys: u32,
    output_metric: MO,
) -> Fallible<Transformation<FrameDomain, MapDomain<String, AtomDomain<i64>>, M, MO>>
where
    (FrameDomain, M): MetricSpace,
    (MapDomain<String, AtomDomain<i64>>, MO): MetricSpace,
{
    require(max_keys >= 1, "max_keys", "must be at least 1")?;
    let norm = MO::norm_of_ones(max_keys)?;
    let identifier = keys(&input_domain, "input_domain", Vec::<&str>::new())?;
    let keys = Keys::new(&input_domain, &key.into())?;
    Transformation::<_, _, M, MO>::new(
        (input_domain, input_metric),
        (MapDomain::new(Keys::domain(), AtomDomain::i64()), output_metric),
        Function::fold_batches_by_individuals(
            BTreeMap::new,
            move |counts: &mut BTreeMap<String, i64>, batches: &[Batch]| {
                if let Some(batch) = whole(batches) {
                    count(counts, &batch, &identifier, keys, max_keys);
                }
                Ok(())
            },
            |counts, others: BTreeMap<String, i64>| {
                let add = |(key, other)| add_counts(slice::from_mut(counts.entry(key).or_default()), &[other]);
                others.into_iter().try_for_each(add)
            },
            Ok,
        ),
        StabilityMap::new(move |&d_in: &u32| {
            let d = M::added_or_removed(d_in)?;
            Ok((d.inf_mul(max_keys)?, moved(d, norm)?, moved(d, 1.0)?))
        }),
    )
}

/// Counts each individual once in each of a few of their keys. Nothing is hashed for an individual with no more.
fn count(counts: &mut BTreeMap<String, i64>, batch: &Batch, identifier: &[usize], keys: Keys, max_keys: u32) {
    let identifier: Vec<&Column> = identifier.iter().filter_map(|&place| batch.columns().get(place)).collect();
    let all: Vec<&str> = keys.of(batch).collect();
    let mut person = Vec::new();
    for rows in Groups::of(&identifier, batch.rows()).iter() {
        let mut own: Vec<&str> = rows.iter().filter_map(|&row| all.get(row).copied()).collect();
        own.sort_unstable();
        own.dedup();
        person.clear();
        if let (false, Some(row)) = (fits(&own, max_keys), rows.first()) {
            identifier.iter().for_each(|identifier| {
                identifier.encode_value(*row, &mut person);
            });
        }
        for key in first_by_hash(own, max_keys, &person, |key, bytes| key.encode(bytes)) {
            match counts.get_mut(key) {
                Some(count) => *count += 1,
                None => drop(counts.insert(key.to_owned(), 1)),
            }
        }
    }
}
