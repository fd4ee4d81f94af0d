//! The common parts of steps on single rows.

use crate::{
    core::{Domain, Fallible, Function, Metric, MetricSpace, Owned, StabilityMap, Transformation},
    domains::{RowDomain, VectorDomain},
    metrics::{FilterMetric, RowByRowMetric},
};
use std::borrow::Borrow;

/// Applies a function to the last part of every row. Equal parts must have equal images, in `last`.
pub(super) fn on_last_part<D: RowDomain, E: Domain, M: RowByRowMetric>(
    (input_domain, input_metric): (VectorDomain<D>, M),
    last: E,
    step: impl Fn(&<D::Last as Domain>::Carrier) -> Owned<E> + Send + Sync + 'static,
) -> Fallible<Transformation<VectorDomain<D>, VectorDomain<D::With<E>>, M, M>>
where
    (VectorDomain<D>, M): MetricSpace,
    (VectorDomain<D::With<E>>, M): MetricSpace,
{
    let output_domain = input_domain.with_element(input_domain.element().with_last(last));
    Transformation::new(
        (input_domain, input_metric.clone()),
        (output_domain, input_metric),
        Function::row_by_row(move |row: &Owned<D>| {
            let row: &D::Carrier = row.borrow();
            D::replace::<E>(row, step(D::last_of(row)))
        }),
        StabilityMap::new(|d_in: &<M as Metric>::Distance| Ok(d_in.clone())),
    )
}

/// Keeps the rows that have an image, and replaces them by it. The image must depend on the row alone, be equal for
/// equal rows, and lie in `element`.
pub(super) fn keep<D: Domain, E: Domain, M: FilterMetric>(
    (input_domain, input_metric): (VectorDomain<D>, M),
    element: E,
    image: impl Fn(&D::Carrier) -> Option<Owned<E>> + Send + Sync + 'static,
) -> Fallible<Transformation<VectorDomain<D>, VectorDomain<E>, M, M::Output>>
where
    (VectorDomain<D>, M): MetricSpace,
    (VectorDomain<E>, M::Output): MetricSpace,
{
    let (metric, output_metric) = (input_metric.clone(), input_metric.filtered());
    Transformation::<_, _, M, M::Output>::new(
        (input_domain, input_metric),
        // How many rows are left is not known.
        (VectorDomain::new(element), output_metric),
        Function::rows_from_each(move |row: &Owned<D>| image(row.borrow())),
        StabilityMap::new(move |d_in: &M::Distance| metric.filter_distance(d_in)),
    )
}
