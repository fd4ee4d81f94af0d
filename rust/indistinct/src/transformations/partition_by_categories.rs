//! `make_partition_by_categories`: splits rows into parts, one for each category.

use super::categories::{Category, Index, UnknownCategories};
use crate::{
    core::{Domain, Fallible, Function, Owned, StabilityMap, Transformation},
    domains::{AtomDomain, PairDomain, VectorDomain},
    metrics::{PartitionDistance, PartitionMetric},
};
use indistinct_derive::constructor;

/// Returns the rows of each listed category, without the category, in the order of the list. Rows are pairs (category,
/// rest).
///
/// [`make_parallel_composition`](crate::combinators::make_parallel_composition) releases a measurement of each part for
/// the cost of one. To count or sum each part without copying rows, use
/// [`make_count_by_categories`](super::make_count_by_categories) or
/// [`make_sum_by_categories`](super::make_sum_by_categories).
///
/// # Parameters
///
/// - `categories`: the categories, distinct, known without looking at the data.
/// - `unknown`: the treatment of rows with any other category: they are dropped, or collected in an additional part at
///   the end.
///
/// # Stability
///
/// The distance is a triple: number of parts that differ, total distance, largest distance. It is `(d_in, d_in, d_in)`
/// if rows are added or removed. A replaced row may leave one part and enter another: `2 d_in` for each of the three,
/// in rows added or removed.
///
/// # Errors
///
/// Returns an error if the list is empty or names a category twice. The map fails if `2 d_in` exceeds 2^32 - 1.
///
/// ```
/// use indistinct::prelude::*;
/// let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::f64()));
/// let parts = ((rows, SymmetricDistance) >> then_partition_by_categories(vec![0, 95], UnknownCategories::Drop))?;
/// assert_eq!(parts.invoke(&[(95, 2.0), (50, 9.0), (0, 1.0), (95, 3.0)])?, [vec![1.0], vec![2.0, 3.0]]);
/// assert_eq!(parts.map(&1)?, (1, 1, 1));
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("its parts are for parallel composition, which is not part of plans"))]
pub fn make_partition_by_categories<K: Category, D: Domain, M: PartitionMetric>(
    input_domain: VectorDomain<PairDomain<AtomDomain<K>, D>>,
    input_metric: M,
    categories: Vec<K>,
    unknown: UnknownCategories,
) -> Fallible<
    Transformation<
        VectorDomain<PairDomain<AtomDomain<K>, D>>,
        VectorDomain<VectorDomain<D>>,
        M,
        PartitionDistance<M::Part>,
    >,
> {
    let index = Index::new(&categories, unknown)?;
    let part = VectorDomain::new(input_domain.element().second().clone());
    let parts = VectorDomain::new(part).with_size(index.entries());
    Transformation::<_, _, M, _>::new(
        (input_domain, input_metric),
        (parts, PartitionDistance(M::part())),
        Function::new(move |rows: &[(K, Owned<D>)]| {
            let mut parts = vec![Vec::new(); index.entries()];
            for (category, rest) in rows {
                if let Some(part) = parts.get_mut(index.slot(category)) {
                    part.push(rest.clone());
                }
            }
            parts
        }),
        StabilityMap::new(|&d_in: &u32| M::moved(d_in)),
    )
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn stability_by_metric() {
        let rows = || VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::bool()));
        let collect = UnknownCategories::Other;
        let added = make_partition_by_categories(rows(), InsertDeleteDistance, vec![1, 2], collect).unwrap();
        assert_eq!((added.map(&3), added.output_domain().size()), (Ok((3, 3, 3)), Some(3)));
        let replaced =
            make_partition_by_categories(rows(), ChangeOneDistance, vec![1], UnknownCategories::Drop).unwrap();
        assert_eq!((replaced.map(&3), replaced.map(&0)), (Ok((6, 6, 6)), Ok((0, 0, 0))));
        assert!(replaced.map(&u32::MAX).is_err());
        let error = make_partition_by_categories(rows(), HammingDistance, vec![1, 1], collect).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("categories"));
    }

    #[test]
    fn rows_keep_their_order_and_every_part_is_there() {
        let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::i64()));
        let parts =
            make_partition_by_categories(rows, SymmetricDistance, vec![5, 3], UnknownCategories::Other).unwrap();
        assert_eq!(parts.invoke(&[]), Ok(vec![vec![]; 3]));
        assert_eq!(parts.invoke(&[(3, 9), (7, 0), (3, 1), (5, 4)]), Ok(vec![vec![4], vec![9, 1], vec![0]]));
    }
}
