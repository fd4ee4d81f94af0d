//! `make_sum_by_categories`: the exact sum of the rows of each category.

use super::{
    categories::{Category, CategoryMetric, Index, UnknownCategories},
    sum::{Summable, Total, required_bounds},
};
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, ToParameter, Transformation},
    domains::{AtomDomain, PairDomain, VectorDomain, magnitude_and_range},
    metrics::{RowMetric, moved},
};
use indistinct_derive::constructor;

/// Computes the exact sum of the numbers of each listed category, in the order of the list. Rows are pairs (category,
/// number).
///
/// # Parameters
///
/// - `categories`: the categories, distinct, known without looking at the data.
/// - `unknown`: the treatment of rows with any other category.
/// - `output_metric`: [`L1Distance`](crate::metrics::L1Distance) for Laplace noise,
///   [`L2Distance`](crate::metrics::L2Distance) for Gaussian noise.
///
/// # Stability
///
/// For numbers from L to U with `m = max(|L|, |U|)`, rounded up: `d_in m` if rows are added or removed. A replaced row
/// changes one sum by at most `U - L` or two sums by at most `m` each: `d_in 2 m` in L1, `d_in max(U - L, sqrt(2) m)`
/// in L2.
///
/// # Errors
///
/// Returns an error if numbers have no bounds, or if the list is empty or names a category twice.
///
/// ```
/// use indistinct::prelude::*;
/// let rows = PairDomain::new(AtomDomain::u32(), AtomDomain::f64());
/// let space = (VectorDomain::new(rows), SymmetricDistance);
/// let sums = (space
///     >> then_clamp((0.0, 10.0))
///     >> then_sum_by_categories(vec![0, 95], UnknownCategories::Drop, L1Distance::new()))?;
/// let totals: Vec<f64> = sums.invoke(&[(95, 2.5), (0, 99.0), (95, 1.0)])?.iter().map(|sum| sum.to_f64()).collect();
/// assert_eq!((totals, sums.map(&1)?), (vec![10.0, 3.5], 10.0));
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("sum_column_by computes the same from columns"))]
pub fn make_sum_by_categories<K: Category, T: Summable, M: RowMetric, MO: CategoryMetric + ToParameter>(
    input_domain: VectorDomain<PairDomain<AtomDomain<K>, AtomDomain<T>>>,
    input_metric: M,
    categories: Vec<K>,
    unknown: UnknownCategories,
    output_metric: MO,
) -> Fallible<
    Transformation<VectorDomain<PairDomain<AtomDomain<K>, AtomDomain<T>>>, VectorDomain<AtomDomain<T::Sum>>, M, MO>,
>
where
    (VectorDomain<AtomDomain<T::Sum>>, MO): MetricSpace,
{
    let index = Index::new(&categories, unknown)?;
    let (entries, vectors) = (index.entries(), index.vectors());
    let (magnitude, range) = magnitude_and_range(required_bounds(input_domain.element().second())?)?;
    let step = output_metric.step(input_metric.unit(), magnitude, range)?;
    Transformation::<_, _, M, MO>::new(
        (input_domain, input_metric),
        (vectors, output_metric),
        Function::fold(
            move || (0..entries).map(|_| T::Total::default()).collect(),
            move |totals: &mut Vec<T::Total>, rows: &[(K, T)]| {
                let totalled = |(category, number): &(K, T)| {
                    let total = totals.get_mut(index.slot(category));
                    total.map_or(Ok(()), |total| total.absorb_one(*number))
                };
                rows.iter().try_for_each(totalled)
            },
            |totals, others| totals.iter_mut().zip(others).try_for_each(|(total, other)| total.merge(other)),
            |totals| totals.into_iter().map(T::Total::finish).collect(),
        ),
        StabilityMap::new(move |&d_in: &u32| moved(d_in, step)),
    )
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn sensitivity_by_metric() {
        let rows = |bounds| {
            let number = AtomDomain::f64().with_bounds(bounds).unwrap();
            VectorDomain::new(PairDomain::new(AtomDomain::u32(), number))
        };
        let drop = UnknownCategories::Drop;
        let l1 = make_sum_by_categories(rows((-1.0, 4.0)), SymmetricDistance, vec![0], drop, L1Distance::new());
        assert_eq!(l1.unwrap().map(&2), Ok(8.0));
        let l1 = make_sum_by_categories(rows((-1.0, 4.0)), ChangeOneDistance, vec![0], drop, L1Distance::new());
        assert_eq!(l1.unwrap().map(&1), Ok(8.0));
        // Symmetric bounds: a row replaced within its category moves further than one that changes category.
        let l2 = make_sum_by_categories(rows((-4.0, 4.0)), HammingDistance, vec![0], drop, L2Distance::new());
        assert_eq!(l2.unwrap().map(&1), Ok(8.0));
        let l2 = make_sum_by_categories(rows((0.0, 1.0)), ChangeOneDistance, vec![0], drop, L2Distance::new());
        assert!(l2.unwrap().map(&1).unwrap() >= std::f64::consts::SQRT_2);
    }
}
