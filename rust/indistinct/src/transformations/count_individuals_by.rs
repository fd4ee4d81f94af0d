//! `make_count_individuals_by`: the number of individuals of each key, for unknown keys.

use super::{
    bound_contributions::{first_of_each_individual, ranked},
    count::add_counts,
};
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, ToParameter, Transformation, require},
    domains::{Atom, AtomDomain, Canonical, MapDomain, PairDomain, VectorDomain},
    metrics::{MapMetric, SymmetricIdDistance, moved},
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedArithmetic;
use std::{collections::BTreeMap, slice};

/// Computes the number of individuals with each key. An individual counts in at most `max_keys` keys, and once in each.
/// Rows are pairs (identifier, key).
///
/// An individual with more keys counts in the keys with the smallest keyed hashes of identifier and key. This choice
/// depends on the individual's own keys alone, and favors no key. Bounding keys costs less than bounding rows with
/// [`make_bound_contributions`](super::make_bound_contributions) and [`make_count_by`](super::make_count_by): no count
/// changes by more than one for each individual, so a lower threshold is enough.
///
/// # Parameters
///
/// - `max_keys`: the maximum number of keys in which an individual counts, at least 1.
/// - `output_metric`: [`L01InfDistance`](crate::metrics::L01InfDistance) for Laplace noise,
///   [`L02InfDistance`](crate::metrics::L02InfDistance) for Gaussian noise.
///
/// # Stability
///
/// From individuals to a triple (number of keys, norm of the changes, largest change): `(max_keys d_in, max_keys d_in,
/// d_in)` in L1, and `(max_keys d_in, sqrt(max_keys) d_in, d_in)`, rounded up, in L2.
///
/// # Errors
///
/// Returns an error if `max_keys` is 0. The map fails if `max_keys d_in` exceeds 2^32 - 1.
///
/// ```
/// use indistinct::prelude::*;
/// use std::collections::BTreeMap;
/// let space = (VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::string())), SymmetricIdDistance);
/// let drinkers = (space >> then_count_individuals_by(2, L01InfDistance))?;
/// let rows = [(7, "tea"), (7, "tea"), (7, "milk"), (8, "tea")].map(|(individual, drink)| (individual, String::from(drink)));
/// assert_eq!(drinkers.invoke(&rows)?, BTreeMap::from([("milk".into(), 1), ("tea".into(), 2)]));
/// assert_eq!(drinkers.map(&1)?, (2, 2.0, 1.0));
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("count_individuals_by_key computes the same from columns"))]
pub fn make_count_individuals_by<P: Atom + Canonical, K: Atom + Ord + Canonical, MO: MapMetric + ToParameter>(
    input_domain: VectorDomain<PairDomain<AtomDomain<P>, AtomDomain<K>>>,
    input_metric: SymmetricIdDistance,
    max_keys: u32,
    output_metric: MO,
) -> Fallible<
    Transformation<
        VectorDomain<PairDomain<AtomDomain<P>, AtomDomain<K>>>,
        MapDomain<K, AtomDomain<i64>>,
        SymmetricIdDistance,
        MO,
    >,
>
where
    (MapDomain<K, AtomDomain<i64>>, MO): MetricSpace,
{
    require(max_keys >= 1, "max_keys", "must be at least 1")?;
    let norm = MO::norm_of_ones(max_keys)?;
    let output_domain = MapDomain::new(input_domain.element().second().clone(), AtomDomain::i64());
    Transformation::<_, _, SymmetricIdDistance, MO>::new(
        (input_domain, input_metric),
        (output_domain, output_metric),
        Function::fold_by_individuals(
            BTreeMap::new,
            move |counts: &mut BTreeMap<K, i64>, rows: &[(P, K)]| {
                let mut distinct = ranked(rows);
                distinct.dedup_by(|(left, _), (right, _)| left == right);
                for key in first_of_each_individual(&distinct, max_keys) {
                    match counts.get_mut(key) {
                        Some(count) => *count += 1,
                        None => drop(counts.insert(key.clone(), 1i64)),
                    }
                }
                Ok(())
            },
            |counts, others: BTreeMap<K, i64>| {
                let add = |(key, other)| add_counts(slice::from_mut(counts.entry(key).or_default()), &[other]);
                others.into_iter().try_for_each(add)
            },
            Ok,
        ),
        StabilityMap::new(move |&d_in: &u32| Ok((d_in.inf_mul(max_keys)?, moved(d_in, norm)?, moved(d_in, 1.0)?))),
    )
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    fn people() -> VectorDomain<PairDomain<AtomDomain<u32>, AtomDomain<u32>>> {
        VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::u32()))
    }

    #[test]
    fn sensitivity_by_metric() {
        let l1 = make_count_individuals_by(people(), SymmetricIdDistance, 4, L01InfDistance).unwrap();
        assert_eq!((l1.map(&0), l1.map(&3)), (Ok((0, 0.0, 0.0)), Ok((12, 12.0, 3.0))));
        let l2 = make_count_individuals_by(people(), SymmetricIdDistance, 4, L02InfDistance).unwrap();
        assert_eq!(l2.map(&3), Ok((12, 6.0, 3.0)));
        let many = make_count_individuals_by(people(), SymmetricIdDistance, u32::MAX, L02InfDistance).unwrap();
        assert!(many.map(&1).is_ok() && many.map(&2).unwrap_err().kind() == ErrorKind::Numeric);
        let none = make_count_individuals_by(people(), SymmetricIdDistance, 0, L01InfDistance).unwrap_err();
        assert_eq!(none.kind(), ErrorKind::Parameter("max_keys"));
    }

    #[test]
    fn an_individual_counts_once_in_a_key_and_in_few_keys() {
        // Ten individuals with the same five keys, each four times.
        let rows: Vec<(u32, u32)> = (0..200).map(|row| (row % 10, row / 10 % 5)).collect();
        for max_keys in 1..8u32 {
            let counts = make_count_individuals_by(people(), SymmetricIdDistance, max_keys, L01InfDistance).unwrap();
            let counts = counts.invoke(&rows).unwrap();
            assert_eq!(counts.values().sum::<i64>(), 10 * i64::from(max_keys.min(5)));
            assert!(counts.values().all(|&count| count <= 10));
        }
    }

    /// More rows than are treated at once, and than one thread does: whatever comes before, an individual counts so
    /// often and no more.
    #[test]
    fn an_individual_is_not_divided_by_chunks() {
        let space = || (people(), SymmetricIdDistance);
        let data: Vec<(u32, u32)> = (0..5000).map(|row| (row % 2, row)).collect();
        let after_rows = (space() >> then_clamp((0, 9999)) >> then_count_individuals_by(3, L01InfDistance)).unwrap();
        let alone = (space() >> then_count_individuals_by(3, L01InfDistance)).unwrap();
        let (kept, expected) = (after_rows.invoke(&data).unwrap(), alone.invoke(&data).unwrap());
        assert_eq!((kept.values().sum::<i64>(), kept), (6, expected));
        assert_eq!(after_rows.aggregate().unwrap_err().kind(), ErrorKind::Whole);
        assert_eq!(alone.aggregate().unwrap_err().kind(), ErrorKind::Whole);
    }
}
