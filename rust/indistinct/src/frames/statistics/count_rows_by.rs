//! `make_count_rows_by`: the number of rows of a table at each place.

use super::places::Places;
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, ToParameter, Transformation},
    domains::{AtomDomain, VectorDomain},
    frames::{
        batch::{Batch, Name},
        domain::FrameDomain,
    },
    metrics::{RowMetric, moved},
    transformations::{categories::CategoryMetric, count::add_counts},
};
use indistinct_derive::constructor;

/// Computes the number of rows at each place, in order. This is
/// [`make_count_by_categories`](crate::transformations::make_count_by_categories) for tables.
///
/// # Parameters
///
/// - `place`: a column of integers without missing cells. A row counts at this place, counted from 0. It is left out if
///   the number is negative or at least `places`.
/// - `places`: the number of places, from 1 to 1,048,576.
/// - `output_metric`: [`L1Distance`](crate::metrics::L1Distance) for Laplace noise,
///   [`L2Distance`](crate::metrics::L2Distance) for Gaussian noise.
///
/// # Stability
///
/// `d_out = d_in` if rows are added or removed. A replaced row changes two counts by one each: `2 d_in` in L1,
/// `sqrt(2) d_in` (rounded up) in L2.
///
/// # Errors
///
/// Returns an error if the column is unknown, does not contain integers or may have missing cells, or if the number of
/// places is out of range.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// let visits = FrameDomain::new([("city", ColumnDomain::text())])?;
/// let cities = KeySet::product([("city", ["Bern", "Chur"])])?;
/// let counts = ((visits, SymmetricDistance)
///     >> then_with_columns(vec![("place", cities.position())])
///     >> then_count_rows_by("place", 2, L1Distance::new()))?;
/// let frame = Frame::new([("city", ["Chur", "Aarau", "Chur"].into_iter().collect::<Column>())])?;
/// assert_eq!((counts.invoke(&frame)?, counts.map(&1)?), (vec![0, 2], 1.0));
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_count_rows_by<N: Name, M: RowMetric, MO: CategoryMetric + ToParameter>(
    input_domain: FrameDomain,
    input_metric: M,
    place: N,
    places: u32,
    output_metric: MO,
) -> Fallible<Transformation<FrameDomain, VectorDomain<AtomDomain<i64>>, M, MO>>
where
    (VectorDomain<AtomDomain<i64>>, MO): MetricSpace,
{
    let places = Places::new(&input_domain, &place.into(), places)?;
    // A row counts as exactly one: a replaced row that stays at its place changes nothing.
    let step = output_metric.step(input_metric.unit(), 1.0, 0.0)?;
    Transformation::<_, _, M, MO>::new(
        (input_domain, input_metric),
        (places.vectors(), output_metric),
        Function::fold_batches(
            move || vec![[0i64; LANES]; places.number() + 1],
            move |counts, batches: &[Batch]| {
                batches.iter().for_each(|batch| count(counts, places.of(batch), places));
                Ok(())
            },
            |counts, others| add_counts(counts.as_flattened_mut(), others.as_flattened()),
            move |counts| Ok(counts.iter().take(places.number()).map(|lanes| lanes.iter().sum()).collect()),
        ),
        StabilityMap::new(move |&d_in: &u32| moved(d_in, step)),
    )
}

/// A count has one lane for each of several consecutive rows, so counting a row need not wait for the previous one.
const LANES: usize = 4;

/// Counts rows at these places, each in its own lane. Rows that are left out are counted after the last place.
fn count(counts: &mut [[i64; LANES]], rows: &[i64], places: Places) {
    let (groups, last) = rows.as_chunks::<LANES>();
    for group in groups.iter().map(<[i64; LANES]>::as_slice).chain([last]) {
        for (lane, place) in group.iter().enumerate() {
            if let Some(count) = counts.get_mut(places.slot(*place)).and_then(|lanes| lanes.get_mut(lane)) {
                *count += 1;
            }
        }
    }
}
