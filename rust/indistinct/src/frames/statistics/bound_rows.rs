//! `make_bound_rows`: a limit on the rows of each individual of a table.

use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, Transformation, require},
    frames::{
        aggregate_individuals::keys,
        batch::{Batch, Name},
        column::Column,
        domain::{ColumnDomain, FrameDomain},
        individuals::{Groups, whole},
    },
    metrics::{IndividualMetric, SymmetricDistance},
    transformations::bound_contributions::{first_by_hash, fits},
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedArithmetic;
use std::sync::Arc;

/// Keeps at most `max_rows` rows of each individual, with some of the columns. This is
/// [`make_bound_contributions`](crate::transformations::make_bound_contributions) for tables.
///
/// The choice of rows depends on the individual's own rows alone, and not on their order or on the rows of others: the
/// rows with the smallest keyed hashes of the identifier and the named columns are kept. The hash spreads the choice
/// evenly over the rows' contents. A row without an identifier is a separate individual, and is kept.
///
/// # Parameters
///
/// - `columns`: the columns of the kept rows. Later steps count rows instead of individuals, so they do not need the
///   identifier.
/// - `max_rows`: the maximum number of rows kept, at least 1.
///
/// # Stability
///
/// `d_out = max_rows d_in`, from individuals added or removed to rows; `2 max_rows d_in` from
/// [`ChangeOneIdDistance`](crate::metrics::ChangeOneIdDistance).
///
/// # Errors
///
/// Returns an error if `max_rows` is 0, if there are no columns, or if a name is unknown or repeated. The map fails if
/// its value exceeds 2^32 - 1.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// let stays = FrameDomain::new([("patient", ColumnDomain::integer()), ("ward", ColumnDomain::integer())])?;
/// let people = (stays.with_individuals("patient")?, SymmetricIdDistance);
/// let counts =
///     (people >> then_bound_rows(vec!["ward"], 2) >> then_count_rows_by("ward", 3, L1Distance::new()))?;
/// let frame = Frame::new([
///     ("patient", [7i64, 7, 7, 8].into_iter().collect::<Column>()),
///     ("ward", [2i64, 2, 2, 0].into_iter().collect()),
/// ])?;
/// assert_eq!((counts.invoke(&frame)?, counts.map(&1)?), (vec![1, 0, 2], 2.0));
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_bound_rows<N: Name, M: IndividualMetric>(
    input_domain: FrameDomain,
    input_metric: M,
    columns: Vec<N>,
    max_rows: u32,
) -> Fallible<Transformation<FrameDomain, FrameDomain, M, SymmetricDistance>>
where
    (FrameDomain, M): MetricSpace,
{
    require(max_rows >= 1, "max_rows", "must be at least 1")?;
    require(!columns.is_empty(), "columns", "must not be empty")?;
    let identifier = keys(&input_domain, "input_domain", Vec::<&str>::new())?;
    let names: Vec<String> = columns.into_iter().map(Into::into).collect();
    let places: Vec<usize> = names.iter().map(|name| input_domain.position(name)).collect::<Fallible<_>>()?;
    let described = names.iter().map(|name| Ok((name.clone(), input_domain.column(name)?.clone())));
    let output_domain = FrameDomain::new(described.collect::<Fallible<Vec<(String, ColumnDomain)>>>()?)?;
    let may_miss: Vec<bool> = output_domain.columns().iter().map(ColumnDomain::has_missing).collect();
    let names = output_domain.names().clone();
    Transformation::<FrameDomain, FrameDomain, M, SymmetricDistance>::new(
        (input_domain, input_metric),
        (output_domain, SymmetricDistance),
        Function::batches_by_individuals(move |batches: &[Batch]| {
            let bounded = |batch: Batch| bounded(&batch, &identifier, (&places, &may_miss, &names), max_rows);
            whole(batches).map(bounded).into_iter().collect()
        }),
        StabilityMap::new(move |&d_in: &u32| Ok(M::added_or_removed(d_in)?.inf_mul(max_rows)?)),
    )
}

/// Some columns: where they are, whether cells may be missing in them, and their names.
type Some<'a> = (&'a [usize], &'a [bool], &'a Arc<[String]>);

/// The rows that are kept, of these columns: a function of the multiset of each individual's rows, up to their order.
fn bounded(batch: &Batch, identifier: &[usize], (places, may_miss, names): Some<'_>, max_rows: u32) -> Batch {
    let of = |places: &[usize]| places.iter().filter_map(|&place| batch.columns().get(place)).collect::<Vec<&Column>>();
    let (identifier, columns) = (of(identifier), of(places));
    let individuals = Groups::of(&identifier, batch.rows());
    let chosen =
        |rows: usize| Batch::new(names.clone(), columns.iter().map(|column| (*column).clone()).collect(), rows);
    if individuals.iter().all(|rows| fits(rows, max_rows)) {
        return chosen(batch.rows());
    }
    let encode = |row: usize, bytes: &mut Vec<u8>| {
        for (column, may_miss) in columns.iter().zip(may_miss) {
            if *may_miss {
                column.encode(row, bytes);
            } else {
                column.encode_value(row, bytes);
            }
        }
    };
    let (mut kept, mut person) = (Vec::new(), Vec::new());
    for rows in individuals.iter() {
        person.clear();
        if let (false, Some(row)) = (fits(rows, max_rows), rows.first()) {
            identifier.iter().for_each(|identifier| {
                identifier.encode_value(*row, &mut person);
            });
        }
        kept.extend(first_by_hash(rows.to_vec(), max_rows, &person, encode));
    }
    chosen(batch.rows()).take(&kept)
}
