//! `make_filter_rows`: keeps the rows that satisfy a condition.

use super::{
    batch::Batch,
    domain::FrameDomain,
    expression::{Expr, check},
};
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, Transformation, require},
    frames::Kind,
    metrics::FilterMetric,
};
use indistinct_derive::constructor;

/// Keeps the rows for which a condition is true, in their order, and drops the rows for which it is false or missing.
///
/// The number of kept rows is unknown, even if the number of rows was known. So if rows are replaced, the metric
/// changes to one that counts rows added or removed.
///
/// # Parameters
///
/// - `condition`: an expression whose values are true or false.
///
/// # Stability
///
/// `d_out = d_in` if rows or individuals are added or removed, or if individuals are replaced. From
/// [`ChangeOneDistance`](crate::metrics::ChangeOneDistance) to
/// [`SymmetricDistance`](crate::metrics::SymmetricDistance), and from
/// [`HammingDistance`](crate::metrics::HammingDistance) to
/// [`InsertDeleteDistance`](crate::metrics::InsertDeleteDistance): `2 d_in`.
///
/// # Errors
///
/// Returns an error if the expression names an unknown column, or if its values are not Boolean. The map
/// fails if `2 d_in` exceeds 2^32 - 1.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// let people = FrameDomain::new([("age", ColumnDomain::integer().with_missing())])?;
/// let adults = ((people, SymmetricDistance) >> then_filter_rows(col("age").ge(18)))?;
/// let frame = Frame::new([("age", [Some(37), Some(9), None, Some(18)].into_iter().collect::<Column>())])?;
/// let kept = adults.invoke(&frame)?;
/// assert_eq!(Frame::from(kept).rows(), 2);
/// assert_eq!(adults.map(&1)?, 1);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_filter_rows<M: FilterMetric>(
    input_domain: FrameDomain,
    input_metric: M,
    condition: Expr,
) -> Fallible<Transformation<FrameDomain, FrameDomain, M, M::Output>>
where
    (FrameDomain, M): MetricSpace,
    (FrameDomain, M::Output): MetricSpace,
{
    let checked = check(&condition, &input_domain)?;
    require(checked.domain.kind() == Kind::Bool, "condition", "must be Boolean")?;
    let (metric, output_metric) = (input_metric.clone(), input_metric.filtered());
    let output_domain = input_domain.without_size();
    Transformation::<_, _, M, M::Output>::new(
        (input_domain, input_metric),
        (output_domain, output_metric),
        Function::batch_by_batch(move |batch: &Batch| {
            let rows = checked.holds(batch);
            if rows.len() == batch.rows() { batch.clone() } else { batch.take(&rows) }
        }),
        StabilityMap::new(move |d_in: &M::Distance| metric.filter_distance(d_in)),
    )
}
