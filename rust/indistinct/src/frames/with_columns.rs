//! `make_with_columns`: columns computed from the others.

use super::{
    batch::{Batch, Name},
    domain::{ColumnDomain, FrameDomain},
    expression::{Expr, check},
};
use crate::{
    core::{Error, Fallible, Function, MetricSpace, StabilityMap, Transformation},
    metrics::RowByRowMetric,
};
use indistinct_derive::constructor;

/// Add columns, each computed from a row's own cells, or put them in the place of columns of the same names.
///
/// All are computed from the columns that were there before. The column that says whom a row belongs to stays as it is.
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
/// An expression that names no column of the domain or puts together what does not fit; a name that is there twice; the
/// name of the column of individuals.
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
    let mut described: Vec<(String, ColumnDomain)> =
        input_domain.names().iter().cloned().zip(input_domain.columns().iter().cloned()).collect();
    // Where each computed column goes: in the place of one, or after the others.
    let (mut places, mut computed) = (Vec::new(), Vec::new());
    for (name, expression) in columns {
        let (name, column) = (name.into(), check(&expression, &input_domain)?);
        if input_domain.individuals() == Some(name.as_str()) {
            let rule = format!("the column {name:?} says whom a row belongs to, and stays as it is");
            return Err(Error::parameter("columns", rule));
        }
        let place = input_domain.names().iter().position(|listed| *listed == name);
        let place = place.unwrap_or(described.len());
        if places.contains(&place) {
            return Err(Error::parameter("columns", format!("the name {name:?} is there twice")));
        }
        let one = (name, column.domain.clone());
        match described.get_mut(place) {
            Some(replaced) => *replaced = one,
            None => described.push(one),
        }
        places.push(place);
        computed.push(column);
    }
    let output_domain = input_domain.with_columns(described)?;
    let names = output_domain.names().clone();
    Transformation::new(
        (input_domain, input_metric.clone()),
        (output_domain, input_metric),
        Function::batch_by_batch(move |batch: &Batch| {
            let mut columns = batch.columns().to_vec();
            for (column, &place) in computed.iter().zip(&places) {
                let column = column.column(batch);
                match columns.get_mut(place) {
                    Some(replaced) => *replaced = column,
                    None => columns.push(column),
                }
            }
            Batch::new(names.clone(), columns, batch.rows())
        }),
        StabilityMap::new(|d_in: &M::Distance| Ok(d_in.clone())),
    )
}
