//! `make_sum_column_by`: the exact sum of a column at each place.

use super::places::{Places, Summed, Waiting};
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, ToParameter, Transformation},
    domains::{AtomDomain, VectorDomain, magnitude_and_range},
    frames::{
        batch::{Batch, Name},
        domain::FrameDomain,
        row::FrameRow,
    },
    metrics::{RowMetric, moved},
    transformations::{
        Summable,
        categories::CategoryMetric,
        sum::{Total, required_bounds},
    },
};
use indistinct_derive::constructor;

/// Computes the exact sum of a column at each place, in order. This is
/// [`make_sum_by_categories`](crate::transformations::make_sum_by_categories) for tables.
///
/// # Parameters
///
/// - `place`: a column of integers without missing cells. A row is added at this place, counted from 0. It is left out
///   if the number is negative or at least `places`.
/// - `places`: the number of places, from 1 to 1,048,576.
/// - `column`: a column of floats (`T = f64`) or integers (`T = i64`), with bounds and without missing cells.
/// - `output_metric`: [`L1Distance`](crate::metrics::L1Distance) for Laplace noise,
///   [`L2Distance`](crate::metrics::L2Distance) for Gaussian noise.
///
/// # Stability
///
/// For numbers from L to U with `m = max(|L|, |U|)`, rounded up: `d_in m` if rows are added or removed. A replaced row
/// changes one sum by at most `U - L` or two sums by at most `m` each: `d_in max(U - L, 2 m)` in L1, `d_in max(U - L,
/// sqrt(2) m)` in L2.
///
/// # Errors
///
/// Returns an error if a column is unknown or has a different type, if the summed column has no bounds, if a column may
/// have missing cells, or if the number of places is out of range.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// let visits = FrameDomain::new([("ward", ColumnDomain::integer()), ("days", ColumnDomain::float())])?;
/// let sums = ((visits, SymmetricDistance)
///     >> then_with_columns(vec![("days", col("days").clamp(0.0, 10.0))])
///     >> then_sum_column_by::<f64, _, _, _>("ward", 2, "days", L1Distance::new()))?;
/// let frame = Frame::new([
///     ("ward", [1i64, 0, 1, 7].into_iter().collect::<Column>()),
///     ("days", [2.5, 99.0, 1.0, 4.0].into_iter().collect()),
/// ])?;
/// let totals: Vec<f64> = sums.invoke(&frame)?.iter().map(|sum| sum.to_f64()).collect();
/// assert_eq!((totals, sums.map(&1)?), (vec![10.0, 3.5], 10.0));
/// # Ok::<(), Error>(())
/// ```
#[constructor(rebuilt(T = [f64, i64]))]
pub fn make_sum_column_by<T, N, M, MO>(
    input_domain: FrameDomain,
    input_metric: M,
    place: N,
    places: u32,
    column: N,
    output_metric: MO,
) -> Fallible<Transformation<FrameDomain, VectorDomain<AtomDomain<T::Sum>>, M, MO>>
where
    T: Summable + FrameRow<Domain = AtomDomain<T>>,
    N: Name,
    M: RowMetric,
    MO: CategoryMetric + ToParameter,
    (VectorDomain<AtomDomain<T::Sum>>, MO): MetricSpace,
{
    let places = Places::new(&input_domain, &place.into(), places)?;
    let summed = Summed::<T>::new(&input_domain, &column.into())?;
    let (magnitude, range) = magnitude_and_range(required_bounds(&summed.domain)?)?;
    let step = output_metric.step(input_metric.unit(), magnitude, range)?;
    Transformation::<_, _, M, MO>::new(
        (input_domain, input_metric),
        (places.vectors(), output_metric),
        Function::fold_batches(
            move || (0..places.number()).map(|_| T::Total::default()).collect(),
            move |totals: &mut Vec<T::Total>, batches: &[Batch]| {
                let mut waiting = Waiting::<T>::new(totals);
                for batch in batches {
                    let column = summed.of(batch);
                    let mut rows = places.of(batch).iter().zip(T::rows(column.as_slice()));
                    rows.try_for_each(|(place, number)| waiting.add(places.slot(*place), number))?;
                }
                waiting.finish()
            },
            |totals, others| totals.iter_mut().zip(others).try_for_each(|(total, other)| total.merge(other)),
            |totals| totals.into_iter().map(T::Total::finish).collect(),
        ),
        StabilityMap::new(move |&d_in: &u32| moved(d_in, step)),
    )
}
