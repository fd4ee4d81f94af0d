//! `make_sum_by_categories_of_individuals`: the exact sum of each category, with limits on the rows of each individual.

use super::{
    bound_contributions::{each_individual, first_by_hash, fits},
    categories::{Category, CategoryMetric, Index, UnknownCategories},
    sum::{Summable, Total, required_bounds},
};
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, ToParameter, Transformation, require},
    domains::{Atom, AtomDomain, Canonical, PairDomain, VectorDomain, magnitude_and_range},
    metrics::{SymmetricIdDistance, moved},
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedArithmetic;

/// Computes the exact sum of the numbers of each listed category, in the order of the list, over at most `max_rows`
/// rows of each individual, with at most `max_rows_of_category` of them in one category. Rows are triples (identifier,
/// (category, number)).
///
/// The two limits are like the limits of [`make_bound_groups`](crate::frames::make_bound_groups): on the rows in one
/// group, and on the rows in all groups of an individual. Gaussian noise uses both. An individual who counts in 9
/// categories with 2 rows in each changes the sums by up to 18 rows in L1, and by up to 6 rows in L2: 2 `sqrt(9)`.
/// Without the limit for each category, which [`make_bound_contributions`](super::make_bound_contributions) does not
/// set, all 18 rows may have one category, and the distance is 18 in L2 too. The sums of rows whose number is 1 are
/// counts.
///
/// An individual with more rows in a category keeps those with the smallest keyed hashes of identifier, category and
/// number. Then the individual keeps the rows with the smallest hashes of all these, up to `max_rows`. This choice
/// depends on the individual's own rows alone, ignores their order, and favors no row. Rows of dropped categories do
/// not count toward the limits.
///
/// # Parameters
///
/// - `categories`: the categories, distinct, known without looking at the data.
/// - `unknown`: the treatment of rows with any other category. If they are collected, they count as one category.
/// - `max_rows`: the maximum number of rows of an individual in all categories together, at least 1.
/// - `max_rows_of_category`: the maximum number of rows of an individual in one category, at least 1.
/// - `output_metric`: [`L1Distance`](crate::metrics::L1Distance) for Laplace noise,
///   [`L2Distance`](crate::metrics::L2Distance) for Gaussian noise.
///
/// # Stability
///
/// From individuals, for numbers from L to U with `m = max(|L|, |U|)`, let `r` be the smaller of both limits, and `n`
/// the smaller of `max_rows` and `r` times the number of entries. The distance is `d_in n m` in L1 and `d_in sqrt(n r)
/// m` in L2, each rounded up. It is `d_in r m` in LInf, and `d_in min(n, 2 r) m` in its monotonic form.
///
/// # Errors
///
/// Returns an error if numbers have no bounds, if a limit is 0, or if the list is empty or names a category twice.
///
/// ```
/// use indistinct::prelude::*;
/// let rows = PairDomain::new(AtomDomain::u32(), PairDomain::new(AtomDomain::u32(), AtomDomain::i64()));
/// let people = (VectorDomain::new(rows), SymmetricIdDistance);
/// let categories: Vec<u32> = (0..9).collect();
/// let sums = (people
///     >> then_clamp((0, 5))
///     >> then_sum_by_categories_of_individuals(categories, UnknownCategories::Drop, 18, 2, L2Distance::new()))?;
/// let totals = sums.invoke(&[(7, (3, 5)), (7, (3, 5)), (7, (3, 5)), (7, (8, 1)), (9, (3, 5))])?;
/// assert_eq!(totals, [0, 0, 0, 15, 0, 0, 0, 0, 1]);
/// assert_eq!(sums.map(&1)?, 30.0); // sqrt(9) categories, 2 rows in each, 5 a row
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("sum_column_by_of_individuals computes the same from columns"))]
pub fn make_sum_by_categories_of_individuals<
    P: Atom + Canonical,
    K: Category,
    T: Summable + Canonical,
    MO: CategoryMetric + ToParameter,
>(
    input_domain: VectorDomain<PairDomain<AtomDomain<P>, PairDomain<AtomDomain<K>, AtomDomain<T>>>>,
    input_metric: SymmetricIdDistance,
    categories: Vec<K>,
    unknown: UnknownCategories,
    max_rows: u32,
    max_rows_of_category: u32,
    output_metric: MO,
) -> Fallible<
    Transformation<
        VectorDomain<PairDomain<AtomDomain<P>, PairDomain<AtomDomain<K>, AtomDomain<T>>>>,
        VectorDomain<AtomDomain<T::Sum>>,
        SymmetricIdDistance,
        MO,
    >,
>
where
    (VectorDomain<AtomDomain<T::Sum>>, MO): MetricSpace,
{
    require(max_rows >= 1, "max_rows", "must be at least 1")?;
    require(max_rows_of_category >= 1, "max_rows_of_category", "must be at least 1")?;
    let index = Index::new(&categories, unknown)?;
    let (entries, vectors) = (index.entries(), index.vectors());
    let (magnitude, _) = magnitude_and_range(required_bounds(input_domain.element().second().second())?)?;
    let each = max_rows_of_category.min(max_rows);
    let all = u32::try_from(entries).map_or(max_rows, |entries| max_rows.min(entries.saturating_mul(each)));
    let step = output_metric.of_rows(all, each)?.inf_mul(magnitude)?;
    Transformation::<_, _, SymmetricIdDistance, MO>::new(
        (input_domain, input_metric),
        (vectors, output_metric),
        Function::fold_by_individuals(
            move || (0..entries).map(|_| T::Total::default()).collect(),
            move |totals: &mut Vec<T::Total>, rows: &[(P, (K, T))]| {
                each_individual(rows, |person, rows| {
                    let placed = rows.iter().map(|(category, number)| (index.slot(category), *number));
                    let listed = placed.filter(|(slot, _)| *slot < entries).collect();
                    kept(listed, (max_rows, each), person).into_iter().try_for_each(|(slot, number)| {
                        totals.get_mut(slot).map_or(Ok(()), |total| total.absorb_one(number))
                    })
                })
            },
            |totals, others| totals.iter_mut().zip(others).try_for_each(|(total, other)| total.merge(other)),
            |totals| totals.into_iter().map(T::Total::finish).collect(),
        ),
        StabilityMap::new(move |&d_in: &u32| moved(d_in, step)),
    )
}

/// Returns the rows of an individual that count: at most `each` of each entry, and at most `all` of these. They depend
/// only on the multiset of rows, up to their order.
pub(crate) fn kept<T: Copy + Canonical>(
    mut rows: Vec<(usize, T)>,
    (all, each): (u32, u32),
    person: &[u8],
) -> Vec<(usize, T)> {
    let encode = |(slot, number): (usize, T), bytes: &mut Vec<u8>| {
        bytes.extend_from_slice(&slot.to_be_bytes());
        number.encode(bytes);
    };
    if !fits(&rows, each) {
        rows.sort_unstable_by_key(|(slot, _)| *slot);
        let of_entries = rows.chunk_by(|(slot, _), (next, _)| slot == next);
        rows = of_entries.flat_map(|rows| first_by_hash(rows.to_vec(), each, person, encode)).collect();
    }
    first_by_hash(rows, all, person, encode)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    const DROP: UnknownCategories = UnknownCategories::Drop;
    type People<T> = VectorDomain<PairDomain<AtomDomain<u32>, PairDomain<AtomDomain<u32>, AtomDomain<T>>>>;

    fn people(bounds: (i64, i64)) -> People<i64> {
        let rest = PairDomain::new(AtomDomain::u32(), AtomDomain::i64().with_bounds(bounds).unwrap());
        VectorDomain::new(PairDomain::new(AtomDomain::u32(), rest))
    }

    fn sums<MO: CategoryMetric + ToParameter>(
        entries: u32,
        (all, each): (u32, u32),
        metric: MO,
    ) -> Fallible<Transformation<People<i64>, VectorDomain<AtomDomain<i128>>, SymmetricIdDistance, MO>>
    where
        (VectorDomain<AtomDomain<i128>>, MO): MetricSpace,
    {
        let categories = (0..entries).collect();
        make_sum_by_categories_of_individuals(people((-5, 3)), SymmetricIdDistance, categories, DROP, all, each, metric)
    }

    #[test]
    fn sensitivity_by_metric() {
        let (l1, l2) = (L1Distance::new(), L2Distance::new());
        let (linf, monotonic) = (LInfDistance::new(), LInfDistance::monotonic());
        assert_eq!(sums(9, (18, 2), l1).unwrap().map(&3), Ok(3.0 * 18.0 * 5.0));
        assert_eq!(sums(9, (18, 2), l2).unwrap().map(&3), Ok(3.0 * 6.0 * 5.0));
        assert_eq!(sums(9, (18, 2), linf).unwrap().map(&3), Ok(3.0 * 2.0 * 5.0));
        assert_eq!(sums(9, (18, 2), monotonic).unwrap().map(&3), Ok(3.0 * 4.0 * 5.0));
        assert_eq!(sums(9, (3, 2), monotonic).unwrap().map(&1), Ok(3.0 * 5.0));
        // No more rows count than there is room for, and no more in a category than in all.
        assert_eq!(sums(2, (18, 2), l1).unwrap().map(&1), Ok(4.0 * 5.0));
        assert_eq!(sums(9, (2, 18), l2).unwrap().map(&1), Ok(2.0 * 5.0));
        assert_eq!(sums(1, (u32::MAX, u32::MAX), l2).unwrap().map(&0), Ok(0.0));
        let greatest = sums(u32::MAX >> 12, (u32::MAX, u32::MAX), l2).unwrap().map(&1).unwrap();
        assert!(greatest >= 5.0 * f64::from(u32::MAX) && greatest <= 5.0 * 2f64.powi(32));
        for limits in [(0, 1), (1, 0)] {
            let error = sums(9, limits, l1).unwrap_err();
            let name = if limits.0 == 0 { "max_rows" } else { "max_rows_of_category" };
            assert_eq!(error.kind(), ErrorKind::Parameter(name));
        }
    }

    #[test]
    fn numbers_need_bounds_and_categories_are_distinct() {
        let make = |domain, categories| {
            let l1 = L1Distance::new();
            make_sum_by_categories_of_individuals(domain, SymmetricIdDistance, categories, DROP, 1, 1, l1).unwrap_err()
        };
        let rest = PairDomain::new(AtomDomain::u32(), AtomDomain::i64());
        let unbounded = VectorDomain::new(PairDomain::new(AtomDomain::u32(), rest));
        assert_eq!(make(unbounded, vec![0]).kind(), ErrorKind::Parameter("input_domain"));
        for categories in [vec![], vec![1, 1]] {
            assert_eq!(make(people((0, 1)), categories).kind(), ErrorKind::Parameter("categories"));
        }
    }

    /// Forty individuals with the same rows count in the same number of categories each, and together in all
    /// categories.
    #[test]
    fn an_individual_counts_within_both_limits() {
        let rest = PairDomain::new(AtomDomain::u32(), AtomDomain::i64().with_bounds((0, 1)).unwrap());
        let domain = VectorDomain::new(PairDomain::new(AtomDomain::u32(), rest));
        // Three rows of each of five categories, one of which is not listed.
        let rows: Vec<(u32, (u32, i64))> = (0..600).map(|row| (row % 40, (row / 40 % 5, 1))).collect();
        for (unknown, entries) in [(DROP, 4usize), (UnknownCategories::Other, 5)] {
            for (all, each) in [(1, 1), (2, 1), (3, 2), (6, 2), (100, 2), (7, 3), (100, 100)] {
                let sums = make_sum_by_categories_of_individuals(
                    domain.clone(),
                    SymmetricIdDistance,
                    vec![0, 1, 2, 4],
                    unknown,
                    all,
                    each,
                    L1Distance::new(),
                );
                let sums = sums.unwrap().invoke(&rows).unwrap();
                let (each, most) = (i128::from(each.min(3)), i128::from(all));
                let room = each * i128::try_from(entries).unwrap();
                assert_eq!(sums.len(), entries);
                assert_eq!(sums.iter().sum::<i128>(), 40 * most.min(room), "{all} {each}");
                assert!(sums.iter().all(|sum| *sum <= 40 * each && *sum > 3), "{sums:?}");
            }
        }
    }

    /// Neither the order of rows nor other individuals change which rows count.
    #[test]
    fn what_counts_depends_on_the_individuals_own_rows() {
        let step = sums(3, (4, 2), L2Distance::new()).unwrap();
        let mine = [(1, (0, 3)), (1, (0, -5)), (1, (0, 1)), (1, (1, 2)), (1, (2, 2)), (1, (2, -1)), (1, (7, 3))];
        let others: Vec<_> = (2..30).flat_map(|person| [(person, (0, 1)), (person, (2, 2))]).collect();
        let alone = step.invoke(&mine).unwrap();
        let of_others = step.invoke(&others).unwrap();
        let mut rows = others.clone();
        rows.extend(mine.iter().rev());
        let together = step.invoke(&rows).unwrap();
        let added: Vec<i128> = alone.iter().zip(&of_others).map(|(one, other)| one + other).collect();
        assert_eq!(together, added);
        assert_eq!(step.invoke(&[]), Ok(vec![0; 3]));
    }
}
