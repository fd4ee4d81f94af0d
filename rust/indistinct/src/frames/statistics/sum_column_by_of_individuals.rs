//! `make_sum_column_by_of_individuals`: the exact sum of a column at each place, with limits on the rows of each
//! individual.

use super::places::{Places, Summed, Waiting};
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, ToParameter, Transformation, require},
    domains::{AtomDomain, Canonical, VectorDomain, magnitude_and_range},
    frames::{
        aggregate_individuals::keys,
        batch::{Batch, Name},
        column::Column,
        domain::FrameDomain,
        individuals::{Groups, whole},
        row::FrameRow,
    },
    metrics::{IndividualMetric, moved},
    transformations::{
        Summable,
        bound_contributions::fits,
        categories::CategoryMetric,
        sum::{Total, required_bounds},
        sum_by_categories_of_individuals::kept,
    },
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedArithmetic;

/// Computes the exact sum of a column at each place, in order, over at most `max_rows` rows of each individual, with at
/// most `max_rows_of_place` of them at one place. This is
/// [`make_sum_by_categories_of_individuals`](crate::transformations::make_sum_by_categories_of_individuals) for tables.
///
/// An individual with more rows at a place keeps the rows with the smallest keyed hashes of identifier, place and
/// number. Then the individual keeps the rows with the smallest hashes of all these, up to `max_rows`. This choice
/// depends on the individual's own rows alone, and not on their order. Rows at places that are left out do not count
/// toward the limits. A row without an identifier is a separate individual.
///
/// # Parameters
///
/// - `place`: a column of integers without missing cells. A row is added at this place, counted from 0. It is left out
///   if the number is negative or at least `places`.
/// - `places`: the number of places, from 1 to 1,048,576.
/// - `column`: a column of floats (`T = f64`) or integers (`T = i64`), with bounds and without missing cells. The sums
///   of a column of ones are counts.
/// - `max_rows`: the maximum number of rows of an individual at all places together, at least 1.
/// - `max_rows_of_place`: the maximum number of rows of an individual at one place, at least 1.
/// - `output_metric`: [`L1Distance`](crate::metrics::L1Distance) for Laplace noise,
///   [`L2Distance`](crate::metrics::L2Distance) for Gaussian noise.
///
/// # Stability
///
/// From individuals added or removed, for numbers from L to U with `m = max(|L|, |U|)`, let `r` be the smaller of both
/// limits, and `n` the smaller of `max_rows` and `r` times the number of places. The distance is `d_in n m` in L1 and
/// `d_in sqrt(n r) m` in L2, each rounded up. It is `d_in r m` in LInf, and `d_in min(n, 2 r) m` in its monotonic form.
/// From [`ChangeOneIdDistance`](crate::metrics::ChangeOneIdDistance), it is twice as much.
///
/// # Errors
///
/// Returns an error if a column is unknown or has a different type, if the summed column has no bounds, if a column may
/// have missing cells, if a limit is 0, or if the number of places is out of range.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// let days = ColumnDomain::integer().with_bounds(0.0, 5.0)?;
/// let stays = FrameDomain::new([("patient", ColumnDomain::integer()), ("ward", ColumnDomain::integer()), ("days", days)])?;
/// let people = (stays.with_individuals("patient")?, SymmetricIdDistance);
/// let sums =
///     (people >> then_sum_column_by_of_individuals::<i64, _, _, _>("ward", 9, "days", 18, 2, L2Distance::new()))?;
/// let frame = Frame::new([
///     ("patient", [7i64, 7, 7, 7, 9].into_iter().collect::<Column>()),
///     ("ward", [3i64, 3, 3, 8, 3].into_iter().collect()),
///     ("days", [5i64, 5, 5, 1, 5].into_iter().collect()),
/// ])?;
/// assert_eq!(sums.invoke(&frame)?, [0, 0, 0, 15, 0, 0, 0, 0, 1]);
/// assert_eq!(sums.map(&1)?, 30.0); // sqrt(9) places, 2 rows at each, 5 a row
/// # Ok::<(), Error>(())
/// ```
#[allow(clippy::too_many_arguments)] // places, a column, and a limit each in all and at a place
#[constructor(rebuilt(T = [f64, i64]))]
pub fn make_sum_column_by_of_individuals<T, N, M, MO>(
    input_domain: FrameDomain,
    input_metric: M,
    place: N,
    places: u32,
    column: N,
    max_rows: u32,
    max_rows_of_place: u32,
    output_metric: MO,
) -> Fallible<Transformation<FrameDomain, VectorDomain<AtomDomain<T::Sum>>, M, MO>>
where
    T: Summable + Canonical + FrameRow<Domain = AtomDomain<T>>,
    N: Name,
    M: IndividualMetric,
    MO: CategoryMetric + ToParameter,
    (FrameDomain, M): MetricSpace,
    (VectorDomain<AtomDomain<T::Sum>>, MO): MetricSpace,
{
    require(max_rows >= 1, "max_rows", "must be at least 1")?;
    require(max_rows_of_place >= 1, "max_rows_of_place", "must be at least 1")?;
    let number = places;
    let places = Places::new(&input_domain, &place.into(), places)?;
    let summed = Summed::<T>::new(&input_domain, &column.into())?;
    let identifier = keys(&input_domain, "input_domain", Vec::<&str>::new())?;
    let (magnitude, _) = magnitude_and_range(required_bounds(&summed.domain)?)?;
    let each = max_rows_of_place.min(max_rows);
    let all = max_rows.min(number.saturating_mul(each));
    let step = output_metric.of_rows(all, each)?.inf_mul(magnitude)?;
    Transformation::<_, _, M, MO>::new(
        (input_domain, input_metric),
        (places.vectors(), output_metric),
        Function::fold_batches_by_individuals(
            move || (0..places.number()).map(|_| T::Total::default()).collect(),
            move |totals: &mut Vec<T::Total>, batches: &[Batch]| match whole(batches) {
                Some(batch) => add(totals, &batch, &identifier, (places, &summed), (max_rows, each)),
                None => Ok(()),
            },
            |totals, others| totals.iter_mut().zip(others).try_for_each(|(total, other)| total.merge(other)),
            |totals| totals.into_iter().map(T::Total::finish).collect(),
        ),
        StabilityMap::new(move |&d_in: &u32| moved(M::added_or_removed(d_in)?, step)),
    )
}

/// Adds the rows of each individual that count. Nothing is hashed for an individual with no more rows than count at one
/// place.
fn add<T: Summable + Canonical + FrameRow<Domain = AtomDomain<T>>>(
    totals: &mut [T::Total],
    batch: &Batch,
    identifier: &[usize],
    (places, summed): (Places, &Summed<T>),
    (all, each): (u32, u32),
) -> Fallible<()> {
    let identifier: Vec<&Column> = identifier.iter().filter_map(|&place| batch.columns().get(place)).collect();
    let column = summed.of(batch);
    let rows = places.of(batch).iter().zip(T::rows(column.as_slice()));
    let rows: Vec<(usize, T)> = rows.map(|(place, number)| (places.slot(*place), number)).collect();
    let mut waiting = Waiting::<T>::new(totals);
    let mut person = Vec::new();
    for individual in Groups::of(&identifier, batch.rows()).iter() {
        let placed = individual.iter().filter_map(|&row| rows.get(row)).copied();
        if fits(individual, each) {
            placed.into_iter().try_for_each(|(slot, number)| waiting.add(slot, number))?;
            continue;
        }
        person.clear();
        if let Some(row) = individual.first() {
            identifier.iter().for_each(|identifier| {
                identifier.encode_value(*row, &mut person);
            });
        }
        let listed = placed.filter(|(slot, _)| *slot < places.number()).collect();
        kept(listed, (all, each), &person).into_iter().try_for_each(|(slot, number)| waiting.add(slot, number))?;
    }
    waiting.finish()
}
