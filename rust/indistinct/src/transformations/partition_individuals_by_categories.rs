//! `make_partition_individuals_by_categories`: splits rows into parts, with each individual in few of them.

use super::{
    bound_contributions::rank_hash,
    categories::{Category, Index, UnknownCategories},
};
use crate::{
    core::{Domain, Fallible, Function, Owned, StabilityMap, Transformation, require},
    domains::{Atom, AtomDomain, Canonical, PairDomain, VectorDomain},
    metrics::{PartitionDistance, SymmetricIdDistance},
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedArithmetic;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the rows of each listed category, without the category, in the order of the list. Each individual is in at
/// most `max_parts` parts. Rows are triples (identifier, (category, rest)).
///
/// An individual with rows in more categories stays in the parts with the smallest keyed hashes of identifier and part.
/// This choice depends on the individual's own categories alone, and favors no category. The number of an individual's
/// rows in a part is not limited here: start the steps on each part with
/// [`make_bound_contributions`](super::make_bound_contributions).
/// [`make_parallel_composition`](crate::combinators::make_parallel_composition) then releases a statistic of each part,
/// with a guarantee for each individual.
///
/// # Parameters
///
/// - `categories`: the categories, distinct, known without looking at the data.
/// - `unknown`: the treatment of rows with any other category: they are dropped, or collected in an additional part at
///   the end.
/// - `max_parts`: the maximum number of parts of an individual, at least 1.
///
/// # Stability
///
/// From individuals to a triple (number of parts that differ, total distance, largest distance): `(max_parts d_in,
/// max_parts d_in, d_in)`, in individuals added or removed.
///
/// # Errors
///
/// Returns an error if the list is empty or names a category twice, or if `max_parts` is 0. The map fails if `max_parts
/// d_in` exceeds 2^32 - 1.
///
/// ```
/// use indistinct::prelude::*;
/// // (identifier, (city, visits)): visits to each city, at most two cities of each individual and three rows in each.
/// let rows = PairDomain::new(AtomDomain::u64(), PairDomain::new(AtomDomain::u32(), AtomDomain::f64()));
/// let people = (VectorDomain::new(rows), SymmetricIdDistance);
/// let parts = (people >> then_partition_individuals_by_categories(vec![0, 95], UnknownCategories::Drop, 2))?;
/// let part = (parts.output_domain().element().clone(), SymmetricIdDistance);
/// let sum = (part >> then_bound_contributions(3) >> then_clamp((0.0, 20.0)) >> then_sum() >> then_laplace(120.0))?;
/// let by_city = (parts >> make_parallel_composition(vec![sum.clone(), sum])?)?;
/// let sums: Vec<f64> = by_city.invoke(&[(7, (95, 2.0)), (7, (0, 1.0)), (8, (95, 9.0))])?;
/// assert_eq!((sums.len(), by_city.map(&1)?), (2, 1.0)); // 2 cities, 3 rows of 20 each, at scale 120
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("its parts are for parallel composition, which is not part of plans"))]
pub fn make_partition_individuals_by_categories<P: Atom + Canonical, K: Category, D: Domain>(
    input_domain: VectorDomain<PairDomain<AtomDomain<P>, PairDomain<AtomDomain<K>, D>>>,
    input_metric: SymmetricIdDistance,
    categories: Vec<K>,
    unknown: UnknownCategories,
    max_parts: u32,
) -> Fallible<
    Transformation<
        VectorDomain<PairDomain<AtomDomain<P>, PairDomain<AtomDomain<K>, D>>>,
        VectorDomain<VectorDomain<PairDomain<AtomDomain<P>, D>>>,
        SymmetricIdDistance,
        PartitionDistance<SymmetricIdDistance>,
    >,
> {
    let index = Index::new(&categories, unknown)?;
    require(max_parts >= 1, "max_parts", "must be at least 1")?;
    let row = input_domain.element();
    let part = VectorDomain::new(PairDomain::new(row.first().clone(), row.second().second().clone()));
    let parts = VectorDomain::new(part).with_size(index.entries());
    Transformation::new(
        (input_domain, input_metric),
        (parts, PartitionDistance(SymmetricIdDistance)),
        Function::new(move |rows: &[(P, (K, Owned<D>))]| deal(rows, &index, max_parts)),
        StabilityMap::new(move |&d_in: &u32| {
            let total = d_in.inf_mul(max_parts)?;
            Ok((total, total, d_in))
        }),
    )
}

/// Returns the rows of each part, without the rows of individuals who are in too many other parts.
fn deal<P: Atom + Canonical, K: Category, V: Clone>(
    rows: &[(P, (K, V))],
    index: &Index<K>,
    max_parts: u32,
) -> Vec<Vec<(P, V)>> {
    let mut parts = vec![Vec::new(); index.entries()];
    let persons = parts_of_each_individual(rows, index, max_parts);
    for (person, (category, rest)) in rows {
        let (key, slot) = (person.encoding(), index.slot(category));
        let is_kept = persons.get(&key).is_some_and(|kept| kept.contains(&ranked(&key, slot)));
        if let Some(part) = parts.get_mut(slot).filter(|_| is_kept) {
            part.push((person.clone(), rest.clone()));
        }
    }
    parts
}

/// Returns the parts in which each individual stays: the first ones in the order of a hash, up to the maximum. They
/// depend only on the individual and on the set of parts of the individual's rows.
fn parts_of_each_individual<P: Canonical, K: Category, V>(
    rows: &[(P, (K, V))],
    index: &Index<K>,
    max_parts: u32,
) -> BTreeMap<Vec<u8>, BTreeSet<(u64, usize)>> {
    let mut persons: BTreeMap<Vec<u8>, BTreeSet<(u64, usize)>> = BTreeMap::new();
    for (person, (category, _)) in rows {
        let (key, slot) = (person.encoding(), index.slot(category));
        if slot < index.entries() {
            let part = ranked(&key, slot);
            persons.entry(key).or_default().insert(part);
        }
    }
    for parts in persons.values_mut() {
        *parts = (0..max_parts).zip(&*parts).map(|(_, part)| *part).collect();
    }
    persons
}

/// Returns a part with its rank among those of an individual.
fn ranked(person: &[u8], slot: usize) -> (u64, usize) {
    (rank_hash(person, &slot.to_be_bytes()), slot)
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    type People = VectorDomain<PairDomain<AtomDomain<u32>, PairDomain<AtomDomain<u8>, AtomDomain<i64>>>>;

    fn people() -> People {
        let rest = PairDomain::new(AtomDomain::u8(), AtomDomain::i64());
        VectorDomain::new(PairDomain::new(AtomDomain::u32(), rest))
    }

    #[test]
    fn bad_parameters_are_refused_and_the_map_does_not_wrap() {
        let make = |categories, max_parts| {
            make_partition_individuals_by_categories(
                people(),
                SymmetricIdDistance,
                categories,
                UnknownCategories::Drop,
                max_parts,
            )
        };
        assert_eq!(make(vec![], 1).unwrap_err().kind(), ErrorKind::Parameter("categories"));
        assert_eq!(make(vec![1, 1], 1).unwrap_err().kind(), ErrorKind::Parameter("categories"));
        assert_eq!(make(vec![1], 0).unwrap_err().kind(), ErrorKind::Parameter("max_parts"));
        let parts = make(vec![1, 2, 3], 2).unwrap();
        assert_eq!((parts.map(&0), parts.map(&3)), (Ok((0, 0, 0)), Ok((6, 6, 3))));
        assert_eq!(make(vec![1], u32::MAX).unwrap().map(&2).unwrap_err().kind(), ErrorKind::Numeric);
    }

    #[test]
    fn an_individual_is_in_few_parts_with_all_rows_of_each() {
        // Forty individuals with three rows of each of five categories, one of which is not listed.
        let rows: Vec<(u32, (u8, i64))> = (0..600i64)
            .map(|row| (u32::try_from(row % 40).unwrap(), (u8::try_from(row / 40 % 5).unwrap(), row)))
            .collect();
        for (unknown, entries) in [(UnknownCategories::Drop, 4), (UnknownCategories::Other, 5)] {
            for max_parts in 1..7 {
                let parts = make_partition_individuals_by_categories(
                    people(),
                    SymmetricIdDistance,
                    vec![0, 1, 2, 4],
                    unknown,
                    max_parts,
                );
                let parts = parts.unwrap().invoke(&rows).unwrap();
                assert_eq!(parts.len(), entries);
                for person in 0..40 {
                    let of_individual = |part: &Vec<(u32, i64)>| part.iter().filter(|row| row.0 == person).count();
                    let counts: Vec<usize> = parts.iter().map(of_individual).filter(|&count| count > 0).collect();
                    assert_eq!(counts, vec![3; entries.min(usize::try_from(max_parts).unwrap())]);
                }
                // No part is left to a few: with one of four parts each, ten individuals or so.
                assert!(max_parts > 1 || parts.iter().all(|part| part.len() > 3));
            }
        }
    }

    #[test]
    fn other_individuals_and_the_order_of_rows_change_nothing() {
        let parts = make_partition_individuals_by_categories(
            people(),
            SymmetricIdDistance,
            vec![0, 1, 2],
            UnknownCategories::Drop,
            1,
        )
        .unwrap();
        let mine = [(1, (0, 10)), (1, (1, 11)), (1, (2, 12)), (1, (1, 13))];
        let alone = parts.invoke(&mine).unwrap();
        let mut rows: Vec<_> = (2..30).flat_map(|person| [(person, (0, 0)), (person, (2, 0))]).collect();
        rows.extend(mine.iter().rev());
        let together = parts.invoke(&rows).unwrap();
        for (alone, together) in alone.iter().zip(&together) {
            let mut of_me: Vec<_> = together.iter().filter(|row| row.0 == 1).copied().collect();
            of_me.reverse();
            assert_eq!(&of_me, alone);
        }
    }
}
