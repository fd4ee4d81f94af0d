//! Draws neighbors of grouped data: of maps from keys to numbers, and of datasets in parts.

use crate::{
    edits::{Edit, Edits, Fate, Pair, Script, apply, fates, ways_with},
    members::{Drawn, any_of},
    values::Value,
};
use indistinct::{
    core::Owned,
    domains::{AtomDomain, MapDomain, PairDomain, VectorDomain},
    metrics::{L01InfDistance, L02InfDistance, PartitionDistance},
    prelude::Metric,
};
use proptest::{
    arbitrary::any,
    collection::vec,
    prelude::{BoxedStrategy, Strategy},
};
use std::{collections::BTreeMap, fmt::Debug};

/// Draws keys that join and leave, and keys that stay while their numbers change.
fn entries<K: Value + Ord, T: Value>(
    domain: &MapDomain<K, AtomDomain<T>>,
    examples: &[BTreeMap<K, T>],
    script: Script,
) -> BoxedStrategy<(BTreeMap<K, T>, BTreeMap<K, T>)> {
    const KINDS: &[Edit] = &[Edit::Leave, Edit::Join, Edit::Replace, Edit::Spell];
    let entries = PairDomain::new(domain.key().clone(), domain.value().clone());
    let examples = examples.iter().flat_map(|map| map.clone()).collect();
    let pairs = ways_with(&entries, examples).into_iter().map(|way| {
        let (fates, entries) = (fates(KINDS, script.longest, script.edits, &way), entries.clone());
        vec((way, fates), 0..=script.longest)
            .prop_map(move |rows| {
                let same_key = |((key, number), fate): ((K, T), Fate<(K, T)>)| match fate {
                    Fate::Becomes((_, new)) => ((key.clone(), number), Fate::Becomes((key, new))),
                    fate => ((key, number), fate),
                };
                let (one, other) = apply(|row| entries.spelled(row), rows.into_iter().map(same_key).collect());
                (one.into_iter().collect(), other.into_iter().collect())
            })
            .boxed()
    });
    any_of(pairs.collect())
}

macro_rules! edits_of_maps {
    ($($metric:ident),+) => {$(
        impl<K: Value + Ord, T: Value> Edits<MapDomain<K, AtomDomain<T>>> for $metric {
            fn neighbors(
                &self,
                domain: &MapDomain<K, AtomDomain<T>>,
                examples: &[BTreeMap<K, T>],
                script: Script,
            ) -> BoxedStrategy<Pair<MapDomain<K, AtomDomain<T>>>> {
                entries(domain, examples, script)
            }
        }
    )+};
}

edits_of_maps!(L01InfDistance, L02InfDistance);

/// Draws parts that stay unchanged, and parts that are edited as separate datasets.
impl<D: Drawn, M: Edits<VectorDomain<D>> + Metric<Distance = u32>> Edits<VectorDomain<VectorDomain<D>>>
    for PartitionDistance<M>
where
    Owned<D>: Debug,
{
    fn neighbors(
        &self,
        domain: &VectorDomain<VectorDomain<D>>,
        examples: &[Vec<Vec<Owned<D>>>],
        script: Script,
    ) -> BoxedStrategy<Pair<VectorDomain<VectorDomain<D>>>> {
        let parts = domain.size().map_or(0..=4, |size| size..=size);
        let part = self.0.neighbors(domain.element(), &examples.concat(), script);
        let part =
            (part, any::<bool>()).prop_map(|((one, other), stays)| (if stays { other.clone() } else { one }, other));
        vec(part, parts).prop_map(|parts| parts.into_iter().unzip()).boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Verdict, stability::stability_by_edits};
    use indistinct::prelude::*;

    type Counts = MapDomain<u8, AtomDomain<i64>>;
    type ByParts = VectorDomain<VectorDomain<AtomDomain<i64>>>;

    /// A user's step from grouped data to a number.
    fn number<D, M>(
        domain: D,
        metric: M,
        function: fn(&D::Carrier) -> i64,
        map: fn(&M::Distance) -> f64,
    ) -> crate::Report
    where
        D: crate::non_members::Fenced,
        Owned<D>: Debug,
        M: Edits<D> + crate::Measured<D::Carrier>,
        (D, M): MetricSpace,
    {
        let map = move |d_in: &M::Distance| Ok(map(d_in));
        let (to, out) = (AtomDomain::i64(), AbsoluteDistance::new());
        let step =
            make_user_transformation::<_, AtomDomain<i64>, _, AbsoluteDistance>(domain, metric, to, out, function, map);
        stability_by_edits(&step.unwrap(), &[], Script::default())
    }

    fn counts() -> Counts {
        MapDomain::new(AtomDomain::u8(), AtomDomain::i64().with_bounds((0, 9)).unwrap())
    }

    fn total(counts: &BTreeMap<u8, i64>) -> i64 {
        counts.values().sum()
    }

    #[test]
    fn a_total_of_a_map_moves_by_its_norm_and_no_less() {
        let sound = number(counts(), L01InfDistance, total, |d| d.1);
        assert_eq!((sound.verdict.clone(), sound.ratio), (Verdict::Holds, 1.0), "{sound}");
        assert!(number(counts(), L01InfDistance, total, |d| d.2).is_violated());
        assert!(number(counts(), L02InfDistance, total, |d| d.1).is_violated());
        // A number that changes is no key that does.
        let keys = |counts: &BTreeMap<u8, i64>| i64::try_from(counts.values().filter(|x| **x > 0).count()).unwrap();
        assert_eq!(number(counts(), L02InfDistance, keys, |d| d.0.into()).ratio, 1.0);
        assert!(number(counts(), L02InfDistance, total, |d| 8.0 * f64::from(d.0)).is_violated());
    }

    fn parts() -> ByParts {
        VectorDomain::new(VectorDomain::new(AtomDomain::i64()))
    }

    #[test]
    fn rows_of_all_parts_move_by_their_sum_and_no_less() {
        let rows = |parts: &[Vec<i64>]| i64::try_from(parts.iter().map(Vec::len).sum::<usize>()).unwrap();
        for domain in [parts(), parts().with_size(3)] {
            let by = |map: fn(&(u32, u32, u32)) -> f64| {
                number(domain.clone(), PartitionDistance(SymmetricDistance), rows, map)
            };
            let sound = by(|d| d.1.into());
            assert_eq!((sound.verdict.clone(), sound.ratio), (Verdict::Holds, 1.0), "{sound}");
            assert!(sound.pairs > 900 && by(|d| d.2.into()).is_violated() && by(|d| d.0.into()).is_violated());
        }
    }
}
