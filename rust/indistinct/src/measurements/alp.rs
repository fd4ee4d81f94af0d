//! `make_alp`: a table of noisy bits with the numbers of unknown keys, whose size does not depend on the number of
//! possible keys.

mod projection;

pub use projection::ProjectedCounts;

use crate::{
    core::{Fallible, Measurement, PrivacyMap, RandomizedFunction, require},
    domains::{Atom, AtomDomain, Canonical, MapDomain, Number},
    measures::MaxDivergence,
    metrics::L01InfDistance,
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedArithmetic;
use projection::{KeyHash, Projection};
use std::collections::BTreeMap;

/// Releases a table of noisy bits from which the number of any key can be estimated (the approximate Laplace
/// projection).
///
/// The keys need not be known in advance, and delta is 0, because a key that is not in the data also has an estimate,
/// near 0. A level is a step of `alpha * scale` in a number. The table has `buckets` bits for each level, whatever the
/// number of possible keys. An estimate reads one bit of each level. Numbers below 0 count as 0, and numbers above
/// `limit` as `limit`.
///
/// # Parameters
///
/// - `scale`: the scale of Laplace noise with the same loss, positive and finite.
/// - `limit`: the largest number, positive and finite.
/// - `buckets`: the number of bits in a level. Keys that share bits distort each other's estimates. With twenty buckets
///   for each key whose number exceeds a level, the mean error was 4.8 scales for keys that are present and 2.8 for
///   absent keys (Laplace noise on known keys: 1).
/// - `alpha`: the height of a level in scales, at least 1. A bit is flipped with probability `1 / (alpha + 2)`; 3 or 4
///   are good values.
///
/// # Privacy
///
/// `epsilon = L1 / scale`, rounded up, for `d_in = (keys, L1, greatest)`; 0 if any part is 0 (Aumüller, Lebeda, Pagh
/// 2021, "Differentially private sparse vectors with low error, optimal space, and fast access", Lemma 6).
///
/// # Errors
///
/// Returns an error if the scale or the limit is not positive or is infinite, if buckets or alpha is below 1, if there
/// are more than 2^22 levels, `limit / (alpha * scale)`, or if the table has more than 2^31 bits. A release takes 16
/// bytes for each level and one byte for every eight bits, at most 320 MiB in total, and 32 MiB for the current key.
///
/// ```
/// use indistinct::{measurements::ProjectedCounts, prelude::*};
/// let space = (VectorDomain::new(AtomDomain::string()), SymmetricDistance);
/// let projection = (space >> then_count_by(L01InfDistance) >> then_alp(1.0, 2000.0, 64, 4))?;
/// let table: ProjectedCounts<String> = projection.invoke(&vec![String::from("tea"); 1000])?;
/// assert!((table.estimate(&"tea".into()) - 1000.0).abs() < 200.0); // but for one run in 10^8
/// assert!(table.estimate(&"absinthe".into()) < 200.0);
/// assert_eq!(projection.map(&1)?, 1.0);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("its release answers queries about keys and is not a value"))]
pub fn make_alp<K: Atom + Ord + Canonical, T: Number>(
    input_domain: MapDomain<K, AtomDomain<T>>,
    input_metric: L01InfDistance,
    scale: f64,
    limit: f64,
    buckets: u32,
    alpha: u32,
) -> Fallible<Measurement<MapDomain<K, AtomDomain<T>>, ProjectedCounts<K>, L01InfDistance, MaxDivergence>> {
    require(scale > 0.0 && scale.is_finite(), "scale", "must be positive and finite")?;
    require(limit > 0.0 && limit.is_finite(), "limit", "must be positive and finite")?;
    require(buckets >= 1, "buckets", "must be at least 1")?;
    require(alpha >= 1, "alpha", "must be at least 1")?;
    let projection = Projection::new(scale, limit, buckets, alpha)?;
    Measurement::new(
        (input_domain, input_metric),
        MaxDivergence,
        RandomizedFunction::new(move |map: &BTreeMap<K, T>, entropy| {
            let hash = KeyHash::draw(projection.levels(), entropy)?;
            projection.release(map, hash, entropy)
        }),
        PrivacyMap::new(move |&(keys, norm, greatest): &(u32, f64, f64)| {
            let same = keys == 0 || norm == 0.0 || greatest == 0.0;
            Ok(if same { 0.0 } else { norm.inf_div(scale)? })
        }),
    )
}

#[cfg(test)]
mod tests {
    use crate::{measurements::ProjectedCounts, prelude::*, sampling::testing::SeededEntropy};
    use std::collections::BTreeMap;

    type Alp = Measurement<MapDomain<u32, AtomDomain<i64>>, ProjectedCounts<u32>, L01InfDistance, MaxDivergence>;

    fn alp(scale: f64, limit: f64, buckets: u32, alpha: u32) -> Fallible<Alp> {
        make_alp(MapDomain::new(AtomDomain::u32(), AtomDomain::i64()), L01InfDistance, scale, limit, buckets, alpha)
    }

    #[test]
    fn the_map_is_that_of_laplace_noise() {
        let map = |d_in: (u32, f64, f64)| alp(3.0, 100.0, 8, 4).unwrap().map(&d_in);
        assert_eq!(map((2, 1.0, 1.0)), Ok((1f64 / 3.0).next_up()));
        for zero in [(0, 1.0, 1.0), (1, 0.0, 1.0), (1, 1.0, 0.0), (0, f64::INFINITY, f64::INFINITY)] {
            assert_eq!(map(zero), Ok(0.0), "{zero:?}");
        }
        assert_eq!(map((1, f64::INFINITY, f64::INFINITY)), Ok(f64::INFINITY));
        assert!(map((1, -1.0, 1.0)).is_err() && map((1, f64::NAN, 1.0)).is_err());
    }

    #[test]
    fn bad_parameters_are_named() {
        let refused = |result: Fallible<Alp>| result.unwrap_err().kind();
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(refused(alp(scale, 10.0, 8, 4)), ErrorKind::Parameter("scale"));
        }
        assert_eq!(refused(alp(1.0, 0.0, 8, 4)), ErrorKind::Parameter("limit"));
        assert_eq!(refused(alp(1.0, -3.0, 8, 4)), ErrorKind::Parameter("limit"));
        assert_eq!(refused(alp(1.0, 10.0, 0, 4)), ErrorKind::Parameter("buckets"));
        assert_eq!(refused(alp(1.0, 10.0, 8, 0)), ErrorKind::Parameter("alpha"));
        assert_eq!(refused(alp(5e-324, 2f64.powi(63), 1, 1)), ErrorKind::Parameter("limit"), "more levels than memory");
        assert_eq!(refused(alp(1.0, 2f64.powi(22) + 0.5, 1, 1)), ErrorKind::Parameter("limit"));
        assert!(alp(1.0, 2f64.powi(22), 512, 1).is_ok());
        let error = alp(1.0, 2f64.powi(22), 513, 1).unwrap_err().to_string();
        assert!(error.contains("2^31 bits, not 4194304 levels of 513"), "{error}");
        assert_eq!(refused(alp(1.0, 2f64.powi(20), 1 << 20, 1)), ErrorKind::Parameter("buckets"));
        assert!(alp(f64::MAX, f64::MAX, 8, u32::MAX).is_ok());
    }

    /// The mean error of 2,000 keys is 4.8 scales with twenty buckets for each, and that of keys that are absent 2.8.
    #[test]
    fn estimates_are_near_the_numbers() {
        let mut entropy = SeededEntropy::new(1);
        let map: BTreeMap<u32, i64> = (0..2000).map(|key| (key, i64::from(key % 100))).collect();
        let table = alp(1.0, 100.0, 40_000, 4).unwrap().invoke_with(&map, &mut entropy).unwrap();
        let mean = |keys: std::ops::Range<u32>| {
            let number = |key: u32| map.get(&key).map_or(0.0, |count| f64::from(u32::try_from(*count).unwrap()));
            let count = f64::from(keys.end - keys.start);
            keys.map(|key| (table.estimate(&key) - number(key)).abs()).sum::<f64>() / count
        };
        let (present, absent) = (mean(0..2000), mean(10_000..12_000));
        assert!(present < 6.0 && absent < 4.0, "{present} {absent}");
        assert!(present > 0.5, "there is noise: {present}");
    }

    #[test]
    fn numbers_out_of_range_count_as_its_ends() {
        let mut entropy = SeededEntropy::new(2);
        let map = BTreeMap::from([(1, i64::MIN), (2, i64::MAX), (3, 0), (4, 400)]);
        let table = alp(0.01, 400.0, 64, 4).unwrap().invoke_with(&map, &mut entropy).unwrap();
        let near = |key: u32, number: f64| (table.estimate(&key) - number).abs() < 5.0;
        assert!(near(1, 0.0) && near(2, 400.0) && near(3, 0.0) && near(4, 400.0) && near(5, 0.0));
    }
}
