//! `make_count_distinct`: the number of distinct rows.

use crate::{
    core::{Domain, Error, ErrorKind, Fallible, Function, Owned, StabilityMap, Transformation},
    domains::{AtomDomain, Canonical, VectorDomain},
    metrics::{AbsoluteDistance, RowChange, RowMetric},
};
use indistinct_derive::constructor;
use std::collections::HashSet;

/// Computes the number of distinct rows. -0.0 equals 0.0, and all nulls of a kind are equal.
///
/// # Stability
///
/// `d_out = d_in`, because adding, removing or replacing a row changes the number by at most one. If rows are added or
/// removed and the size is known, half of the changes are additions and half are removals: `floor(d_in / 2)`.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::string()), SymmetricDistance);
/// let distinct = (space >> then_count_distinct())?;
/// assert_eq!(distinct.invoke(&["tea", "milk", "tea"].map(String::from))?, 2);
/// assert_eq!(distinct.map(&1)?, 1.0);
/// # Ok::<(), Error>(())
/// ```
#[constructor(rebuilt(D = [AtomDomain<f64>, AtomDomain<i64>, AtomDomain<String>]))]
pub fn make_count_distinct<D: Domain, M: RowMetric>(
    input_domain: VectorDomain<D>,
    input_metric: M,
) -> Fallible<Transformation<VectorDomain<D>, AtomDomain<i64>, M, AbsoluteDistance>>
where
    Owned<D>: Canonical,
{
    let (unit, sized) = (input_metric.unit(), input_domain.size().is_some());
    Transformation::new(
        (input_domain, input_metric),
        (AtomDomain::i64(), AbsoluteDistance::new()),
        Function::fold(
            HashSet::new,
            |distinct: &mut HashSet<Vec<u8>>, rows: &[Owned<D>]| {
                distinct.extend(rows.iter().map(Canonical::encoding));
                Ok(())
            },
            |distinct, others| {
                distinct.extend(others);
                Ok(())
            },
            |distinct| {
                i64::try_from(distinct.len())
                    .map_err(|_| Error::new(ErrorKind::Numeric, "count: the value does not fit the type"))
            },
        ),
        StabilityMap::new(move |&d_in: &u32| {
            Ok(match unit {
                RowChange::AddOrRemove if sized => f64::from(d_in / 2),
                _ => f64::from(d_in),
            })
        }),
    )
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn sensitivity_by_metric() {
        let rows = || VectorDomain::new(AtomDomain::u8());
        assert_eq!(make_count_distinct(rows(), InsertDeleteDistance).unwrap().map(&3), Ok(3.0));
        assert_eq!(make_count_distinct(rows(), HammingDistance).unwrap().map(&3), Ok(3.0));
        // Sizes are equal: as many rows come as go.
        let sized = make_count_distinct(rows().with_size(4), SymmetricDistance).unwrap();
        assert_eq!([0, 1, 2, 3, 4, 7].map(|d_in| sized.map(&d_in)), [0.0, 0.0, 1.0, 1.0, 2.0, 3.0].map(Ok));
        assert_eq!(make_count_distinct(rows().with_size(4), ChangeOneDistance).unwrap().map(&3), Ok(3.0));
    }

    #[test]
    fn equal_values_count_once() {
        let rows =
            VectorDomain::new(PairDomain::new(AtomDomain::u8(), OptionDomain::new(AtomDomain::f64().with_nan())));
        let distinct = make_count_distinct(rows, SymmetricDistance).unwrap();
        let values = [Some(0.0), Some(-0.0), Some(f64::NAN), Some(-f64::NAN), None, None, Some(1.0)];
        assert_eq!(distinct.invoke(&values.map(|value| (1, value))), Ok(4));
    }
}
