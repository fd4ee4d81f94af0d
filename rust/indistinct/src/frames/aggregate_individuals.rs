//! `make_aggregate_individuals`: combines the rows of each individual into one row.

use super::{
    batch::{Batch, Name},
    cell::Cell,
    column::Column,
    domain::{ColumnDomain, FrameDomain},
    individuals::{Groups, whole},
    per_individual::{Checked, PerIndividual},
};
use crate::{
    core::{Error, Fallible, Function, MetricSpace, StabilityMap, Transformation},
    metrics::IndividualMetric,
};
use indistinct_derive::constructor;
use std::sync::Arc;

/// Computes one row for each individual, with the identifier and values computed from all rows of the individual. With
/// `by`, it computes one row for each individual and each combination of values in these columns.
///
/// Clamping a sum *after* this step bounds the contribution of an individual, however many rows they have. Continue
/// with [`make_rows_of_individuals`](super::make_rows_of_individuals) and
/// [`make_bound_contributions`](crate::transformations::make_bound_contributions)`(1)`.
///
/// # Parameters
///
/// - `by`: columns that divide an individual's rows into groups first; often none.
/// - `columns`: names, and values computed from each individual's rows.
///
/// # Stability
///
/// `d_out = d_in`, in individuals, because an individual's row depends neither on other individuals' rows nor on the
/// order of rows.
///
/// # Errors
///
/// Returns an error if a name is repeated or the domain has no such column, or if an expression does not match its
/// columns.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// let stays = FrameDomain::new([("patient", ColumnDomain::text()), ("days", ColumnDomain::float())])?;
/// let people = (stays.with_individuals("patient")?, SymmetricIdDistance);
/// let total = (people
///     >> then_aggregate_individuals(Vec::<&str>::new(), vec![("days", PerIndividual::sum(col("days")))])
///     >> then_with_columns(vec![("days", col("days").fill_null(0.0).clamp(0.0, 30.0))])
///     >> then_rows_of_individuals::<String, f64, _, _>(vec!["days"])
///     >> then_bound_contributions(1)
///     >> then_sum())?;
/// let frame = Frame::new([
///     ("patient", ["a7", "b1", "a7"].into_iter().collect::<Column>()),
///     ("days", [3.0, 12.5, 55.0].into_iter().collect()),
/// ])?;
/// assert_eq!((total.invoke(&frame)?.to_f64(), total.map(&1)?), (42.5, 30.0));
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_aggregate_individuals<B: Name, N: Name, M: IndividualMetric>(
    input_domain: FrameDomain,
    input_metric: M,
    by: Vec<B>,
    columns: Vec<(N, PerIndividual)>,
) -> Fallible<Transformation<FrameDomain, FrameDomain, M, M>>
where
    (FrameDomain, M): MetricSpace,
{
    let keys = keys(&input_domain, "by", by)?;
    let listed = input_domain.names().iter().zip(input_domain.columns()).zip(0..);
    let mut described: Vec<(String, ColumnDomain)> = Vec::new();
    for &key in &keys {
        described.extend(
            listed.clone().filter(|(_, place)| *place == key).map(|((name, column), _)| (name.clone(), column.clone())),
        );
    }
    let mut aggregates = Vec::new();
    for (name, aggregate) in columns {
        let checked = Checked::new(&aggregate, &input_domain)?;
        described.push((name.into(), checked.domain.clone()));
        aggregates.push(checked);
    }
    let output_domain = input_domain.without_size().with_columns(described)?;
    let names = output_domain.names().clone();
    Transformation::new(
        (input_domain, input_metric),
        (output_domain, input_metric),
        Function::batches_by_individuals(move |batches: &[Batch]| {
            whole(batches).map(|batch| aggregated(&batch, &keys, &aggregates, &names)).into_iter().collect()
        }),
        StabilityMap::new(|&d_in: &u32| Ok(d_in)),
    )
}

/// Returns the position of the identifier, followed by those of the other columns that make a group.
pub(super) fn keys<B: Name>(frames: &FrameDomain, parameter: &'static str, by: Vec<B>) -> Fallible<Vec<usize>> {
    let identifier = frames
        .individuals()
        .ok_or_else(|| Error::parameter("input_domain", "must name the column of individuals: `with_individuals`"))?;
    let mut keys = vec![frames.position(identifier)?];
    for name in by {
        let name = name.into();
        let place = frames.position(&name)?;
        if keys.contains(&place) {
            let rule = format!("must not contain the column {name:?} twice, or the column of individuals");
            return Err(Error::parameter(parameter, rule));
        }
        keys.push(place);
    }
    Ok(keys)
}

/// Returns the groups of rows that are equal in these columns.
pub(super) fn groups(batch: &Batch, keys: &[usize]) -> Groups {
    let columns: Vec<&Column> = keys.iter().filter_map(|&key| batch.columns().get(key)).collect();
    Groups::of(&columns, batch.rows())
}

/// Returns one row for each group.
fn aggregated(batch: &Batch, keys: &[usize], aggregates: &[Checked], names: &Arc<[String]>) -> Batch {
    let groups = groups(batch, keys);
    let first: Vec<usize> = groups.iter().filter_map(|rows| rows.first().copied()).collect();
    let of_keys = keys.iter().filter_map(|&key| batch.columns().get(key)).map(|column| column.take(&first));
    let of_aggregates = aggregates.iter().map(|aggregate| {
        let cells: Vec<Cell> = aggregate.of_groups(batch, groups.iter());
        Column::from_cells(aggregate.domain.kind(), cells)
    });
    Batch::new(names.clone(), of_keys.chain(of_aggregates).collect(), first.len())
}
