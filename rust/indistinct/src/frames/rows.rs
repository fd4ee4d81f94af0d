//! `make_rows`: typed rows of some columns.

use super::{
    batch::{Batch, Name},
    column::Column,
    domain::FrameDomain,
    row::FrameRow,
};
use crate::{
    core::{Error, Fallible, Function, StabilityMap, Transformation},
    domains::VectorDomain,
    metrics::RowMetric,
};
use indistinct_derive::constructor;

/// Reads rows of some columns as a Rust type, for the steps that count, sum and select.
///
/// `then_rows::<(String, f64), _, _>(vec!["city", "visits"])` makes pairs of two columns. The bounds in the columns'
/// domains are kept.
///
/// # Parameters
///
/// - `columns`: a name for each part of a row, in order.
///
/// # Stability
///
/// `d_out = d_in`: equal rows have equal images.
///
/// # Errors
///
/// Returns an error if the number of names differs from the number of parts of a row, if the domain has no such column,
/// or if a column has a different type, or may have missing cells and is not read as an `Option`.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// let visits = FrameDomain::new([("city", ColumnDomain::text()), ("visits", ColumnDomain::float())])?;
/// let rows = ((visits, SymmetricDistance) >> then_rows::<(String, f64), _, _>(vec!["city", "visits"]))?;
/// let frame = Frame::new([
///     ("city", ["Bern", "Aarau"].into_iter().collect::<Column>()),
///     ("visits", [3.0, 12.5].into_iter().collect()),
/// ])?;
/// assert_eq!(rows.invoke(&frame)?, [("Bern".to_owned(), 3.0), ("Aarau".to_owned(), 12.5)]);
/// # Ok::<(), Error>(())
/// ```
#[constructor(rebuilt(R = [f64, i64, bool, String, (f64, f64)]))]
pub fn make_rows<R: FrameRow, N: Name, M: RowMetric>(
    input_domain: FrameDomain,
    input_metric: M,
    columns: Vec<N>,
) -> Fallible<Transformation<FrameDomain, VectorDomain<R::Domain>, M, M>> {
    let (places, row) = read_as::<R, N>(&input_domain, columns)?;
    let output_domain = match input_domain.size() {
        Some(size) => VectorDomain::new(row).with_size(size),
        None => VectorDomain::new(row),
    };
    Transformation::new(
        (input_domain, input_metric.clone()),
        (output_domain, input_metric),
        Function::rows_from_batches(move |batch: &Batch, all: &mut Vec<R>| append(batch, &places, all)),
        StabilityMap::new(|&d_in: &u32| Ok(d_in)),
    )
}

/// Returns the positions of the columns, and the domain of their rows.
pub(super) fn read_as<R: FrameRow, N: Name>(
    frames: &FrameDomain,
    columns: Vec<N>,
) -> Fallible<(Vec<usize>, R::Domain)> {
    let names: Vec<String> = columns.into_iter().map(Into::into).collect();
    if names.len() != R::COLUMNS {
        let rule = format!("must name one column for each part of a row: {}, not {}", R::COLUMNS, names.len());
        return Err(Error::parameter("columns", rule));
    }
    let places = names.iter().map(|name| frames.position(name)).collect::<Fallible<Vec<_>>>()?;
    let described = names.iter().map(|name| Ok((name.as_str(), frames.column(name)?))).collect::<Fallible<Vec<_>>>()?;
    Ok((places, R::domain(&described)?))
}

/// Appends the rows of a batch.
pub(super) fn append<R: FrameRow>(batch: &Batch, places: &[usize], all: &mut Vec<R>) {
    let columns: Option<Vec<&Column>> = places.iter().map(|&place| batch.columns().get(place)).collect();
    all.extend(R::rows(&columns.unwrap_or_default()));
}
