//! `make_window_per_individual`: adds to each row values computed from all rows of its individual.

use super::{
    aggregate_individuals::{groups, keys},
    batch::{Batch, Name},
    cell::Cell,
    column::Column,
    domain::{ColumnDomain, FrameDomain},
    individuals::whole,
    per_individual::{Checked, PerIndividual},
};
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, Transformation},
    metrics::IndividualMetric,
};
use indistinct_derive::constructor;
use std::sync::Arc;

/// Adds columns, each with a value computed from all rows of the row's individual, or from all of these rows that are
/// equal in other columns.
///
/// So a filter can use other rows of the same individual, for example to keep the rows of patients who were ever in a
/// given ward.
///
/// # Parameters
///
/// - `by`: columns that divide an individual's rows into groups first; often none.
/// - `columns`: new names, with values computed from each individual's rows.
///
/// # Stability
///
/// `d_out = d_in`, in individuals, because the new values depend on the rows of the row's own individual alone, and not
/// on their order.
///
/// # Errors
///
/// Returns an error if a name already exists or the domain has no such column, or if an expression does not match its
/// columns.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// let stays = FrameDomain::new([("patient", ColumnDomain::integer()), ("ward", ColumnDomain::text())])?;
/// let people = (stays.with_individuals("patient")?, SymmetricIdDistance);
/// let elsewhere = PerIndividual::any(col("ward").ne("icu"));
/// let kept = (people
///     >> then_window_per_individual(Vec::<&str>::new(), vec![("elsewhere", elsewhere)])
///     >> then_filter_rows(col("elsewhere") & col("ward").eq("icu")))?;
/// let frame = Frame::new([
///     ("patient", [7i64, 8, 7].into_iter().collect::<Column>()),
///     ("ward", ["icu", "icu", "a2"].into_iter().collect()),
/// ])?;
/// assert_eq!((Frame::from(kept.invoke(&frame)?).rows(), kept.map(&2)?), (1, 2));
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_window_per_individual<B: Name, N: Name, M: IndividualMetric>(
    input_domain: FrameDomain,
    input_metric: M,
    by: Vec<B>,
    columns: Vec<(N, PerIndividual)>,
) -> Fallible<Transformation<FrameDomain, FrameDomain, M, M>>
where
    (FrameDomain, M): MetricSpace,
{
    let keys = keys(&input_domain, "by", by)?;
    let mut described: Vec<(String, ColumnDomain)> =
        input_domain.names().iter().cloned().zip(input_domain.columns().iter().cloned()).collect();
    let mut aggregates = Vec::new();
    for (name, aggregate) in columns {
        let checked = Checked::new(&aggregate, &input_domain)?;
        described.push((name.into(), checked.domain.clone()));
        aggregates.push(checked);
    }
    let output_domain = input_domain.with_columns(described)?;
    let names = output_domain.names().clone();
    Transformation::new(
        (input_domain, input_metric),
        (output_domain, input_metric),
        Function::batches_by_individuals(move |batches: &[Batch]| {
            whole(batches).map(|batch| beside(&batch, &keys, &aggregates, &names)).into_iter().collect()
        }),
        StabilityMap::new(|&d_in: &u32| Ok(d_in)),
    )
}

/// Returns the rows with the values of their groups added.
fn beside(batch: &Batch, keys: &[usize], aggregates: &[Checked], names: &Arc<[String]>) -> Batch {
    let groups = groups(batch, keys);
    let of_aggregates = aggregates.iter().map(|aggregate| {
        let mut cells = vec![Cell::Missing; batch.rows()];
        for (rows, cell) in groups.iter().zip(aggregate.of_groups(batch, groups.iter())) {
            for &row in rows {
                if let Some(place) = cells.get_mut(row) {
                    *place = cell.clone();
                }
            }
        }
        Column::from_cells(aggregate.domain.kind(), cells)
    });
    Batch::new(names.clone(), batch.columns().iter().cloned().chain(of_aggregates).collect(), batch.rows())
}
