//! `make_with_columns`: adds columns computed from the others.

use super::{
    batch::{Batch, Name},
    computed::Computed,
    domain::FrameDomain,
    expression::{Expr, check},
};
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, Transformation},
    metrics::RowByRowMetric,
};
use indistinct_derive::constructor;

/// Adds columns, each computed from a row's own cells. A column replaces an existing one with the same name.
///
/// All expressions use the original columns. The column of individuals cannot be changed.
///
/// # Parameters
///
/// - `columns`: names and expressions.
///
/// # Stability
///
/// `d_out = d_in`: equal rows have equal images.
///
/// # Errors
///
/// Returns an error if an expression names an unknown column or combines incompatible types, or if a
/// name is repeated or is the column of individuals.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// let stays = FrameDomain::new([("in", ColumnDomain::date()), ("out", ColumnDomain::date())])?;
/// let stayed = (col("out") - col("in")).clamp(0, 60);
/// let days = ((stays, SymmetricDistance) >> then_with_columns(vec![("days", stayed)]))?;
/// assert_eq!(format!("{:?}", days.output_domain().column("days")?), "integer(0..=60, missing)");
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_with_columns<N: Name, M: RowByRowMetric>(
    input_domain: FrameDomain,
    input_metric: M,
    columns: Vec<(N, Expr)>,
) -> Fallible<Transformation<FrameDomain, FrameDomain, M, M>>
where
    (FrameDomain, M): MetricSpace,
    M::Distance: Clone,
{
    let check = |(name, expression): (N, Expr)| {
        let column = check(&expression, &input_domain)?;
        let domain = column.domain.clone();
        Ok((name.into(), column, domain))
    };
    let (computed, described) = Computed::new(&input_domain, columns.into_iter().map(check))?;
    let output_domain = input_domain.with_columns(described)?;
    let names = output_domain.names().clone();
    Transformation::new(
        (input_domain, input_metric.clone()),
        (output_domain, input_metric),
        Function::batch_by_batch(move |batch: &Batch| {
            let columns = computed.put(batch.columns().to_vec(), |column| column.column(batch));
            Batch::new(names.clone(), columns, batch.rows())
        }),
        StabilityMap::new(|d_in: &M::Distance| Ok(d_in.clone())),
    )
}
