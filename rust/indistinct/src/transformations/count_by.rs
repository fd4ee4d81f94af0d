//! `make_count_by`: the number of rows of each key, for unknown keys.

use super::count::add_counts;
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, ToParameter, Transformation},
    domains::{Atom, AtomDomain, MapDomain, VectorDomain},
    metrics::{MapMetric, RowMetric},
};
use indistinct_derive::constructor;
use std::{collections::BTreeMap, slice};

/// Computes the number of rows of each key in the data.
///
/// The set of keys is itself private: continue with
/// [`make_laplace_threshold`](crate::measurements::make_laplace_threshold) or
/// [`make_gaussian_threshold`](crate::measurements::make_gaussian_threshold), which release only keys with many rows
/// (partition selection). For keys that are known without looking at the data,
/// [`make_count_by_categories`](super::make_count_by_categories) needs no threshold.
///
/// # Parameters
///
/// - `output_metric`: [`L01InfDistance`](crate::metrics::L01InfDistance) for Laplace noise,
///   [`L02InfDistance`](crate::metrics::L02InfDistance) for Gaussian noise.
///
/// # Stability
///
/// The distance is a triple: number of keys, norm of the changes, largest change. If rows are added or removed, it is
/// `(d_in, d_in, d_in)`, because all of these rows may have the same key. A replaced row changes two counts by one
/// each: `(2 d_in, 2 d_in, d_in)` in L1, and `(2 d_in, sqrt(2) d_in, d_in)`, rounded up, in L2.
///
/// # Errors
///
/// The map fails if `2 d_in` exceeds 2^32 - 1.
///
/// ```
/// use indistinct::prelude::*;
/// use std::collections::BTreeMap;
/// let space = (VectorDomain::new(AtomDomain::string()), SymmetricDistance);
/// let counts = (space >> then_count_by(L01InfDistance))?;
/// let rows = ["tea", "milk", "tea"].map(String::from);
/// assert_eq!(counts.invoke(&rows)?, BTreeMap::from([("milk".into(), 1), ("tea".into(), 2)]));
/// assert_eq!(counts.map(&1)?, (1, 1.0, 1.0));
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("sum_column_by_key computes the same from columns"))]
pub fn make_count_by<K: Atom + Ord, M: RowMetric, MO: MapMetric + ToParameter>(
    input_domain: VectorDomain<AtomDomain<K>>,
    input_metric: M,
    output_metric: MO,
) -> Fallible<Transformation<VectorDomain<AtomDomain<K>>, MapDomain<K, AtomDomain<i64>>, M, MO>>
where
    (MapDomain<K, AtomDomain<i64>>, MO): MetricSpace,
{
    let unit = input_metric.unit();
    let output_domain = MapDomain::new(input_domain.element().clone(), AtomDomain::i64());
    Transformation::<_, _, M, MO>::new(
        (input_domain, input_metric),
        (output_domain, output_metric),
        Function::fold(
            BTreeMap::new,
            |counts, rows: &[K]| {
                for row in rows {
                    match counts.get_mut(row) {
                        Some(count) => *count += 1,
                        None => drop(counts.insert(row.clone(), 1i64)),
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
        // A row counts as exactly one: a replaced row that keeps its key changes nothing.
        StabilityMap::new(move |&d_in: &u32| MO::moved(d_in, unit, 1.0, 0.0)),
    )
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use std::collections::BTreeMap;

    fn rows() -> VectorDomain<AtomDomain<u32>> {
        VectorDomain::new(AtomDomain::u32())
    }

    #[test]
    fn sensitivity_by_metric() {
        let l1 = L01InfDistance;
        assert_eq!(make_count_by(rows(), SymmetricDistance, l1).unwrap().map(&3), Ok((3, 3.0, 3.0)));
        assert_eq!(make_count_by(rows(), InsertDeleteDistance, l1).unwrap().map(&0), Ok((0, 0.0, 0.0)));
        assert_eq!(make_count_by(rows(), ChangeOneDistance, l1).unwrap().map(&3), Ok((6, 6.0, 3.0)));
        let (keys, norm, greatest) = make_count_by(rows(), HammingDistance, L02InfDistance).unwrap().map(&1).unwrap();
        assert!(keys == 2 && norm * norm >= 2.0 && norm < 1.4143 && greatest == 1.0);
        let fails = make_count_by(rows(), HammingDistance, l1).unwrap().map(&(1 << 31)).unwrap_err();
        assert_eq!(fails.kind(), ErrorKind::Numeric);
    }

    #[test]
    fn individuals_with_bounded_rows() {
        let keyed = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::string()));
        let counts =
            ((keyed, SymmetricIdDistance) >> then_bound_contributions(3) >> then_count_by(L01InfDistance)).unwrap();
        assert_eq!(counts.map(&2), Ok((6, 6.0, 6.0)));
    }

    #[test]
    fn the_keys_are_those_of_the_rows() {
        let counts = make_count_by(rows(), SymmetricDistance, L01InfDistance).unwrap();
        assert_eq!(counts.invoke(&[]), Ok(BTreeMap::new()));
        assert_eq!(counts.invoke(&[9, 2, 9, 9]), Ok(BTreeMap::from([(2, 1), (9, 3)])));
    }

    #[test]
    fn keys_may_be_texts_of_static_life() {
        let rows = VectorDomain::new(AtomDomain::<&'static str>::new());
        let counts = make_count_by(rows, SymmetricDistance, L01InfDistance).unwrap();
        assert_eq!(counts.invoke(&["b", "a", "b"]), Ok(BTreeMap::from([("a", 1), ("b", 2)])));
    }

    #[test]
    fn counts_of_parts_add_up() {
        let counts = make_count_by(rows(), SymmetricDistance, L01InfDistance).unwrap();
        let absorbed = |rows: &[u32]| counts.aggregate().unwrap().absorb(rows).unwrap();
        let merged = absorbed(&[9, 2, 9]).merge(absorbed(&[9, 9, 5])).unwrap().finish();
        assert_eq!(merged, Ok(BTreeMap::from([(2, 1), (5, 1), (9, 4)])));
    }
}
