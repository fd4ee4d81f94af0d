//! `make_filter`: keeps the rows that satisfy a user-defined predicate.

use super::row_by_row::keep;
use crate::{
    core::{Domain, Fallible, MetricSpace, Transformation},
    domains::VectorDomain,
    metrics::FilterMetric,
};
use indistinct_derive::constructor;

/// Keeps the rows that satisfy a predicate, in their order.
///
/// The plan records the predicate as *caller-trusted*, because nothing can check it. It must depend on the row alone,
/// return for every row, not panic, and give equal answers for equal rows, where -0.0 equals 0.0 and all NaN are equal.
///
/// The number of kept rows is unknown, even if the number of rows was known. So if rows are replaced, the metric
/// changes to one that counts rows added or removed.
///
/// # Stability
///
/// `d_out = d_in` if rows or individuals are added or removed. From
/// [`ChangeOneDistance`](crate::metrics::ChangeOneDistance) to
/// [`SymmetricDistance`](crate::metrics::SymmetricDistance), and from
/// [`HammingDistance`](crate::metrics::HammingDistance) to
/// [`InsertDeleteDistance`](crate::metrics::InsertDeleteDistance): `2 d_in`.
///
/// # Errors
///
/// The map fails if `2 d_in` exceeds 2^32 - 1.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::i32()), SymmetricDistance);
/// let adults = (space >> then_filter(|age: &i32| *age >= 18))?;
/// assert_eq!(adults.invoke(&[37, 9, 18])?, [37, 18]);
/// # Ok::<(), Error>(())
/// ```
#[constructor(caller_trusted(predicate), exempt("a plan cannot store its user-defined function"))]
pub fn make_filter<D: Domain, M: FilterMetric>(
    input_domain: VectorDomain<D>,
    input_metric: M,
    predicate: impl Fn(&D::Carrier) -> bool + Send + Sync + 'static,
) -> Fallible<Transformation<VectorDomain<D>, VectorDomain<D>, M, M::Output>>
where
    (VectorDomain<D>, M): MetricSpace,
    (VectorDomain<D>, M::Output): MetricSpace,
{
    let element = input_domain.element().clone();
    keep((input_domain, input_metric), element, move |row: &D::Carrier| predicate(row).then(|| row.to_owned()))
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn where_rows_are_replaced_the_metric_changes() {
        let rows = VectorDomain::new(AtomDomain::i32()).with_size(3);
        let even = make_filter(rows.clone(), HammingDistance, |row: &i32| row % 2 == 0).unwrap();
        assert_eq!(even.invoke(&[1, 4, 2]), Ok(vec![4, 2]));
        assert_eq!((even.output_metric(), even.output_domain().size()), (&InsertDeleteDistance, None));
        // One replaced row: the first even number goes, and another comes at the end.
        assert_eq!((even.map(&1), even.map(&0)), (Ok(2), Ok(0)));
        let even = make_filter(rows, SymmetricDistance, |row: &i32| row % 2 == 0).unwrap();
        assert_eq!((even.map(&2), even.output_domain().size()), (Ok(2), None));
        assert!(format!("{:?}", even.plan()).contains("caller-trusted"));
    }

    #[test]
    fn a_predicate_may_ask_for_the_individual() {
        let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::i64()));
        let few = make_filter(rows, SymmetricIdDistance, |row: &(u32, i64)| row.0 != 7 && row.1 > 0).unwrap();
        assert_eq!((few.invoke(&[(7, 1), (8, 1), (8, -1)]), few.map(&2)), (Ok(vec![(8, 1)]), Ok(2)));
    }
}
