//! `make_count`: the number of rows.

use crate::{
    core::{Domain, Error, ErrorKind, Fallible, Function, Owned, StabilityMap, Transformation},
    domains::{AtomDomain, VectorDomain},
    metrics::{AbsoluteDistance, RowChange, RowMetric},
};
use indistinct_derive::constructor;

/// Computes the number of rows.
///
/// # Stability
///
/// `d_out = d_in` if rows are added or removed; 0 if they are replaced, or if the size is known.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
/// let count = (space >> then_count())?;
/// assert_eq!((count.invoke(&[1.5, 2.5])?, count.map(&3)?), (2, 3.0));
/// # Ok::<(), Error>(())
/// ```
#[constructor(rebuilt(D = [AtomDomain<f64>, AtomDomain<i64>, AtomDomain<bool>, AtomDomain<String>]))]
pub fn make_count<D: Domain, M: RowMetric>(
    input_domain: VectorDomain<D>,
    input_metric: M,
) -> Fallible<Transformation<VectorDomain<D>, AtomDomain<i64>, M, AbsoluteDistance>> {
    let (unit, sized) = (input_metric.unit(), input_domain.size().is_some());
    Transformation::new(
        (input_domain, input_metric),
        (AtomDomain::i64(), AbsoluteDistance::new()),
        Function::fold(
            || 0i64,
            |count, rows: &[Owned<D>]| more(count, i64::try_from(rows.len()).ok()),
            |count, others| more(count, Some(others)),
            Ok,
        ),
        StabilityMap::new(move |&d_in: &u32| {
            Ok(match unit {
                RowChange::AddOrRemove if !sized => f64::from(d_in),
                _ => 0.0,
            })
        }),
    )
}

/// Adds the counts of others to these counts.
pub(crate) fn add_counts(counts: &mut [i64], others: &[i64]) -> Fallible<()> {
    counts.iter_mut().zip(others).try_for_each(|(count, other)| more(count, Some(*other)))
}

fn more(count: &mut i64, rows: Option<i64>) -> Fallible<()> {
    let overflow = || Error::new(ErrorKind::Numeric, "count: the value does not fit the type");
    *count = rows.and_then(|rows| crate::core::more(*count, rows)).ok_or_else(overflow)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn sensitivity_by_metric() {
        let rows = VectorDomain::new(AtomDomain::bool());
        assert_eq!(make_count(rows.clone(), InsertDeleteDistance).unwrap().map(&2), Ok(2.0));
        assert_eq!(make_count(rows.clone(), ChangeOneDistance).unwrap().map(&2), Ok(0.0));
        assert_eq!(make_count(rows.with_size(3), SymmetricDistance).unwrap().map(&2), Ok(0.0));
    }
}
