//! `make_count_distinct_by_categories`: the number of distinct values in each category.

use super::categories::{Category, CategoryMetric, Index, UnknownCategories};
use crate::{
    core::{
        Domain, Error, ErrorKind, Fallible, Function, MetricSpace, Owned, StabilityMap, ToParameter, Transformation,
    },
    domains::{AtomDomain, Canonical, PairDomain, VectorDomain},
    metrics::{RowMetric, moved},
};
use indistinct_derive::constructor;
use std::collections::HashSet;

/// Computes the number of distinct values of each listed category, in the order of the list. Rows are pairs (category,
/// value).
///
/// -0.0 equals 0.0, and all nulls of a kind are equal.
///
/// # Parameters
///
/// - `categories`: the categories, distinct, known without looking at the data.
/// - `unknown`: the treatment of rows with any other category. If they are collected, their distinct values are counted
///   together.
/// - `output_metric`: [`L1Distance`](crate::metrics::L1Distance) for Laplace noise,
///   [`L2Distance`](crate::metrics::L2Distance) for Gaussian noise.
///
/// # Stability
///
/// `d_out = d_in` if rows are added or removed. A replaced row changes one number by at most one, or two numbers by at
/// most one each: `2 d_in` in L1, `sqrt(2) d_in` (rounded up) in L2.
///
/// # Errors
///
/// Returns an error if the list is empty or names a category twice.
///
/// ```
/// use indistinct::prelude::*;
/// let rows = PairDomain::new(AtomDomain::u32(), AtomDomain::string());
/// let space = (VectorDomain::new(rows), SymmetricDistance);
/// let distinct =
///     (space >> then_count_distinct_by_categories(vec![0, 95], UnknownCategories::Drop, L1Distance::new()))?;
/// let visits = [(95, "tea"), (0, "tea"), (95, "milk"), (95, "tea"), (7, "rum")];
/// assert_eq!(distinct.invoke(&visits.map(|(ward, drink)| (ward, String::from(drink))))?, [1, 2]);
/// assert_eq!(distinct.map(&1)?, 1.0);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("count_distinct_by computes the same from columns"))]
pub fn make_count_distinct_by_categories<K: Category, D: Domain, M: RowMetric, MO: CategoryMetric + ToParameter>(
    input_domain: VectorDomain<PairDomain<AtomDomain<K>, D>>,
    input_metric: M,
    categories: Vec<K>,
    unknown: UnknownCategories,
    output_metric: MO,
) -> Fallible<Transformation<VectorDomain<PairDomain<AtomDomain<K>, D>>, VectorDomain<AtomDomain<i64>>, M, MO>>
where
    Owned<D>: Canonical,
    (VectorDomain<AtomDomain<i64>>, MO): MetricSpace,
{
    let index = Index::new(&categories, unknown)?;
    let (entries, vectors) = (index.entries(), index.vectors());
    // A row adds one value at most, and one that stays in its category may go from a value to another.
    let step = output_metric.step(input_metric.unit(), 1.0, 1.0)?;
    Transformation::<_, _, M, MO>::new(
        (input_domain, input_metric),
        (vectors, output_metric),
        Function::fold(
            move || vec![HashSet::new(); entries],
            move |distinct: &mut Vec<HashSet<Vec<u8>>>, rows: &[(K, Owned<D>)]| {
                for (category, value) in rows {
                    if let Some(values) = distinct.get_mut(index.slot(category)) {
                        values.insert(value.encoding());
                    }
                }
                Ok(())
            },
            |distinct, others| {
                distinct.iter_mut().zip(others).for_each(|(values, others)| values.extend(others));
                Ok(())
            },
            |distinct| {
                let number = |values: &HashSet<Vec<u8>>| {
                    i64::try_from(values.len())
                        .map_err(|_| Error::new(ErrorKind::Numeric, "count: the value does not fit the type"))
                };
                distinct.iter().map(number).collect()
            },
        ),
        StabilityMap::new(move |&d_in: &u32| moved(d_in, step)),
    )
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    const DROP: UnknownCategories = UnknownCategories::Drop;

    fn rows() -> VectorDomain<PairDomain<AtomDomain<u32>, AtomDomain<u8>>> {
        VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::u8()))
    }

    #[test]
    fn sensitivity_by_metric() {
        let (l1, l2) = (L1Distance::new(), L2Distance::new());
        let added = make_count_distinct_by_categories(rows(), SymmetricDistance, vec![0, 1], DROP, l1).unwrap();
        assert_eq!(added.map(&3), Ok(3.0));
        let added = make_count_distinct_by_categories(rows(), InsertDeleteDistance, vec![0, 1], DROP, l2).unwrap();
        assert_eq!(added.map(&3), Ok(3.0));
        let replaced = make_count_distinct_by_categories(rows(), ChangeOneDistance, vec![0, 1], DROP, l1).unwrap();
        assert_eq!(replaced.map(&3), Ok(6.0));
        let replaced = make_count_distinct_by_categories(rows(), HammingDistance, vec![0, 1], DROP, l2).unwrap();
        let d_out = replaced.map(&1).unwrap();
        assert!(d_out * d_out >= 2.0 && d_out.next_down() * d_out.next_down() < 2.0);
        let greatest = |metric| make_count_distinct_by_categories(rows(), ChangeOneDistance, vec![0, 1], DROP, metric);
        assert_eq!(greatest(LInfDistance::new()).unwrap().map(&3), Ok(3.0));
        assert_eq!(greatest(LInfDistance::monotonic()).unwrap().map(&3), Ok(6.0));
    }

    #[test]
    fn values_count_once_in_each_category_and_parts_add_up() {
        let data = [(5, 1), (7, 1), (5, 1), (5, 2), (6, 2), (0, 1), (5, 0), (99, 1), (6, 2)];
        for (unknown, truth) in [(DROP, vec![3, 1]), (UnknownCategories::Other, vec![3, 1, 1])] {
            let l1 = L1Distance::new();
            let distinct =
                make_count_distinct_by_categories(rows(), SymmetricDistance, vec![5, 6], unknown, l1).unwrap();
            assert_eq!(distinct.invoke(&data), Ok(truth.clone()));
            for at in 0..data.len() {
                let (left, right) = data.split_at(at);
                let absorbed = |rows: &[(u32, u8)]| distinct.aggregate().unwrap().absorb(rows).unwrap();
                assert_eq!(absorbed(left).merge(absorbed(right)).unwrap().finish(), Ok(truth.clone()));
            }
            assert_eq!(distinct.invoke(&[]), Ok(vec![0; truth.len()]));
        }
    }

    #[test]
    fn equal_values_count_once() {
        let values = OptionDomain::new(AtomDomain::f64().with_nan());
        let rows = VectorDomain::new(PairDomain::new(AtomDomain::bool(), values));
        let l1 = L1Distance::new();
        let distinct = make_count_distinct_by_categories(rows, SymmetricDistance, vec![true], DROP, l1).unwrap();
        let values = [Some(0.0), Some(-0.0), Some(f64::NAN), Some(-f64::NAN), None, None, Some(1.0)];
        assert_eq!(distinct.invoke(&values.map(|value| (true, value))), Ok(vec![4]));
    }
}
