//! `make_sum_column_by_key`: the exact sum of a column for each key, for unknown keys.

use super::{keys::Keys, places::Summed};
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, ToParameter, Transformation},
    domains::{AtomDomain, MapDomain, magnitude_and_range},
    frames::{
        batch::{Batch, Name},
        domain::FrameDomain,
        row::FrameRow,
    },
    metrics::{MapMetric, RowMetric},
    transformations::{
        Summable,
        sum::{Total, required_bounds},
    },
};
use indistinct_derive::constructor;
use std::collections::BTreeMap;

/// Computes the exact sum of a column for each key in a table.
///
/// The set of keys is itself private: continue with
/// [`make_laplace_threshold`](crate::measurements::make_laplace_threshold) or
/// [`make_gaussian_threshold`](crate::measurements::make_gaussian_threshold), which release only keys with large sums
/// (partition selection). The sums of a column of ones are the numbers of rows. If the keys are known without looking
/// at the data, [`make_sum_column_by`](super::make_sum_column_by) needs no threshold. It computes the same as
/// [`make_sum_by`](crate::transformations::make_sum_by) does from typed rows.
///
/// # Parameters
///
/// - `key`: a column of texts without missing cells. [`text_key`](crate::frames::text_key) makes one from any columns.
/// - `column`: a column of floats (`T = f64`) or integers (`T = i64`), with bounds, without missing cells.
/// - `output_metric`: [`L01InfDistance`](crate::metrics::L01InfDistance) for Laplace noise,
///   [`L02InfDistance`](crate::metrics::L02InfDistance) for Gaussian noise.
///
/// # Stability
///
/// The distance is a triple: number of keys, norm of the changes, greatest change. For numbers from L to U with `m =
/// max(|L|, |U|)`, each rounded up, it is `(d_in, d_in m, d_in m)` if rows are added or removed. A replaced row changes
/// one sum by at most `U - L` or two sums by at most `m` each: `(2 d_in, d_in max(U - L, 2 m), d_in max(U - L, m))` in
/// L1, with `sqrt(2) m` for `2 m` in L2.
///
/// # Errors
///
/// Returns an error if there is no such column, if the key is not a text or may be missing, or if the summed column has
/// another type, has no bounds, or may have missing cells. The map fails if `2 d_in` exceeds 2^32 - 1.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// use std::collections::BTreeMap;
/// let days = ColumnDomain::integer().with_bounds(0.0, 9.0)?;
/// let stays = FrameDomain::new([("ward", ColumnDomain::text()), ("days", days)])?;
/// let sums = ((stays, SymmetricDistance) >> then_sum_column_by_key::<i64, _, _, _>("ward", "days", L01InfDistance))?;
/// let frame = Frame::new([
///     ("ward", ["a", "b", "a"].into_iter().collect::<Column>()),
///     ("days", [2i64, 5, 9].into_iter().collect()),
/// ])?;
/// assert_eq!(sums.invoke(&frame)?, BTreeMap::from([("a".into(), 11), ("b".into(), 5)]));
/// assert_eq!(sums.map(&1)?, (1, 9.0, 9.0));
/// # Ok::<(), Error>(())
/// ```
#[constructor(rebuilt(T = [f64, i64]))]
pub fn make_sum_column_by_key<T, N, M, MO>(
    input_domain: FrameDomain,
    input_metric: M,
    key: N,
    column: N,
    output_metric: MO,
) -> Fallible<Transformation<FrameDomain, MapDomain<String, AtomDomain<T::Sum>>, M, MO>>
where
    T: Summable + FrameRow<Domain = AtomDomain<T>>,
    N: Name,
    M: RowMetric,
    MO: MapMetric + ToParameter,
    (MapDomain<String, AtomDomain<T::Sum>>, MO): MetricSpace,
{
    let keys = Keys::new(&input_domain, &key.into())?;
    let summed = Summed::<T>::new(&input_domain, &column.into())?;
    let (magnitude, range) = magnitude_and_range(required_bounds(&summed.domain)?)?;
    let unit = input_metric.unit();
    Transformation::<_, _, M, MO>::new(
        (input_domain, input_metric),
        (MapDomain::new(Keys::domain(), AtomDomain::new()), output_metric),
        Function::fold_batches(
            BTreeMap::<String, T::Total>::new,
            move |totals, batches: &[Batch]| {
                batches.iter().try_for_each(|batch| {
                    let column = summed.of(batch);
                    let mut rows = keys.of(batch).zip(T::rows(column.as_slice()));
                    rows.try_for_each(|(key, number)| match totals.get_mut(key) {
                        Some(total) => total.absorb_one(number),
                        None => totals.entry(key.to_owned()).or_default().absorb_one(number),
                    })
                })
            },
            |totals, others| {
                others.into_iter().try_for_each(|(key, other)| totals.entry(key).or_default().merge(other))
            },
            |totals| totals.into_iter().map(|(key, total)| Ok((key, total.finish()?))).collect(),
        ),
        StabilityMap::new(move |&d_in: &u32| MO::moved(d_in, unit, magnitude, range)),
    )
}
