//! `make_count_distinct_by`: the number of distinct values of a column at each place.

use super::places::Places;
use crate::{
    core::{Error, ErrorKind, Fallible, Function, MetricSpace, StabilityMap, ToParameter, Transformation},
    domains::{AtomDomain, VectorDomain},
    frames::{
        batch::{Batch, Name},
        domain::FrameDomain,
    },
    metrics::{RowMetric, moved},
    transformations::categories::CategoryMetric,
};
use indistinct_derive::constructor;
use std::collections::HashSet;

/// Computes the number of distinct values of a column at each place, in order. Missing cells do not count, and -0.0
/// equals 0.0.
///
/// # Parameters
///
/// - `place`: a column of integers without missing cells. A row belongs to this place, counted from 0. It is left out
///   if the number is negative or at least `places`.
/// - `places`: the number of places, from 1 to 1,048,576.
/// - `column`: the column whose values are counted.
/// - `output_metric`: [`L1Distance`](crate::metrics::L1Distance) for Laplace noise,
///   [`L2Distance`](crate::metrics::L2Distance) for Gaussian noise.
///
/// # Stability
///
/// `d_out = d_in` if rows are added or removed. A replaced row changes one number by at most one, or two numbers by at
/// most one each: `2 d_in` in L1, `sqrt(2) d_in` (rounded up) in L2.
///
/// # Errors
///
/// Returns an error if a column is unknown, if places are not integers or may be missing, or if the number of places is
/// out of range.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// let visits = FrameDomain::new([("ward", ColumnDomain::integer()), ("drink", ColumnDomain::text().with_missing())])?;
/// let distinct = ((visits, SymmetricDistance) >> then_count_distinct_by("ward", 2, "drink", L1Distance::new()))?;
/// let frame = Frame::new([
///     ("ward", [1i64, 0, 1, 1, 1].into_iter().collect::<Column>()),
///     ("drink", [Some("tea"), Some("tea"), Some("milk"), Some("tea"), None].into_iter().collect()),
/// ])?;
/// assert_eq!((distinct.invoke(&frame)?, distinct.map(&1)?), (vec![1, 2], 1.0));
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_count_distinct_by<N: Name, M: RowMetric, MO: CategoryMetric + ToParameter>(
    input_domain: FrameDomain,
    input_metric: M,
    place: N,
    places: u32,
    column: N,
    output_metric: MO,
) -> Fallible<Transformation<FrameDomain, VectorDomain<AtomDomain<i64>>, M, MO>>
where
    (VectorDomain<AtomDomain<i64>>, MO): MetricSpace,
{
    let places = Places::new(&input_domain, &place.into(), places)?;
    let column = input_domain.position(&column.into())?;
    // A row adds one value at most, and one that stays at its place may go from a value to another.
    let step = output_metric.step(input_metric.unit(), 1.0, 1.0)?;
    Transformation::<_, _, M, MO>::new(
        (input_domain, input_metric),
        (places.vectors(), output_metric),
        Function::fold_batches(
            move || vec![HashSet::new(); places.number()],
            move |distinct: &mut Vec<HashSet<Vec<u8>>>, batches: &[Batch]| {
                batches.iter().for_each(|batch| collect(distinct, batch, (places, column)));
                Ok(())
            },
            |distinct, others| {
                distinct.iter_mut().zip(others).for_each(|(values, others)| values.extend(others));
                Ok(())
            },
            |distinct| {
                let number = |values: &HashSet<Vec<u8>>| {
                    i64::try_from(values.len())
                        .map_err(|_| Error::new(ErrorKind::Numeric, "count: the value does not fit the type"))
                };
                distinct.iter().map(number).collect()
            },
        ),
        StabilityMap::new(move |&d_in: &u32| moved(d_in, step)),
    )
}

/// Adds the values of a batch to those of their places.
fn collect(distinct: &mut [HashSet<Vec<u8>>], batch: &Batch, (places, column): (Places, usize)) {
    let Some(column) = batch.columns().get(column) else { return };
    let mut bytes = Vec::new();
    for (row, place) in places.of(batch).iter().enumerate() {
        let Some(values) = distinct.get_mut(places.slot(*place)) else { continue };
        bytes.clear();
        if column.encode_value(row, &mut bytes) && !values.contains(&bytes) {
            values.insert(bytes.clone());
        }
    }
}
