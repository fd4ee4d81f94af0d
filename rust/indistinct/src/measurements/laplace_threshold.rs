//! `make_laplace_threshold`: partition selection with Laplace noise: releases the large numbers of unknown keys.

use super::{
    noise::{Law, Noise},
    threshold::{KeepRule, ThresholdAtom},
};
use crate::{
    core::{Deviation, Fallible, Measurement, PrivacyMap, RandomizedFunction},
    domains::{Atom, AtomDomain, MapDomain},
    measures::{Approximate, MaxDivergence},
    metrics::L01InfDistance,
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedArithmetic;
use std::collections::BTreeMap;

/// Adds Laplace noise to the number of each key (integers: discrete; floats and exact sums: rounded to a grid of some
/// 2^-32 of the scale), and releases each key whose noisy number is at least a threshold, with that number (partition
/// selection).
///
/// The keys are private data: the presence of a key may reveal the row of the only individual who has it. The threshold
/// makes this unlikely, and delta bounds its probability. Keys with the number 0, and keys that the data do not
/// contain, are never released. The release is in the order of the keys.
///
/// # Parameters
///
/// - `scale`: the scale of the noise, with `P(z)` proportional to `exp(-|z| / scale)`, finite and at least 0.
/// - `threshold`: the smallest noisy number that is released: at least 1 for integers; positive and finite for floats.
///
/// # Privacy
///
/// For `d_in = (keys, L1, greatest)`: `epsilon = L1 / scale`, and `delta = 1 - (1 - p)^keys`, both rounded up
/// (Korolova, Kenthapadi, Mishra, Ntoulas 2009; Wilson, Zhang, Lam, Desfontaines, Simmons-Marengo, Gipson 2020). Here p
/// is the probability that noise reaches m. For integers, `m = threshold - floor(greatest)` and `p = q^m / (1 + q)`
/// with `q = exp(-1 / scale)`. For floats, m is `threshold - greatest` less half a step of the grid and of the float,
/// and `p = exp(-m / scale) / 2`. If m is not positive, p is 1. Numbers that sum to at most L1 cannot all be
/// `greatest`, which reduces delta to about the delta of `L1 / greatest` keys. Both are 0 if any part of `d_in` is 0.
///
/// # Errors
///
/// Returns an error if the scale is negative, infinite or NaN, or if the threshold is below 1 for integers, or not
/// positive and finite for floats.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::string()), SymmetricDistance);
/// let histogram = (space >> then_count_by(L01InfDistance) >> then_laplace_threshold(2.0, 40))?;
/// let mut rows = vec![String::from("tea"); 1000];
/// rows.push("absinthe".into());
/// assert!(histogram.invoke(&rows)?.into_keys().eq(["tea"])); // but for one run in 10^8
/// let (epsilon, delta) = histogram.map(&1)?;
/// assert!(epsilon == 0.5 && delta < 1e-8);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_laplace_threshold<K: Atom + Ord, T: ThresholdAtom>(
    input_domain: MapDomain<K, AtomDomain<T>>,
    input_metric: L01InfDistance,
    scale: f64,
    threshold: T::Release,
) -> Fallible<
    Measurement<MapDomain<K, AtomDomain<T>>, BTreeMap<K, T::Release>, L01InfDistance, Approximate<MaxDivergence>>,
> {
    let noise = T::Noise::of(Law::Laplace, scale.into())?;
    let rule = KeepRule::<T>::new(threshold)?;
    let same = rule.clone();
    let deviation = T::Noise::deviation(Law::Laplace, scale.into());
    let measurement = Measurement::new(
        (input_domain, input_metric),
        Approximate(MaxDivergence),
        RandomizedFunction::new(move |map: &BTreeMap<K, T>, entropy| rule.release(map, &noise, entropy)),
        PrivacyMap::new(move |&(keys, norm, greatest): &(u32, f64, f64)| {
            if keys == 0 || norm == 0.0 || greatest == 0.0 {
                return Ok((0.0, 0.0));
            }
            Ok((norm.inf_div(scale)?, same.delta(Law::Laplace, scale, keys, norm, greatest)?))
        }),
    )?;
    Ok(measurement.with_deviation(Deviation::Kept(deviation.into())))
}

#[cfg(test)]
mod tests {
    use crate::{prelude::*, sampling::testing::SeededEntropy};
    use std::collections::BTreeMap;

    type Thresholded =
        Measurement<MapDomain<u8, AtomDomain<i64>>, BTreeMap<u8, i64>, L01InfDistance, Approximate<MaxDivergence>>;

    fn laplace(scale: f64, threshold: i64) -> Fallible<Thresholded> {
        let maps = MapDomain::new(AtomDomain::u8(), AtomDomain::i64());
        make_laplace_threshold(maps, L01InfDistance, scale, threshold)
    }

    #[test]
    fn the_map_is_rounded_up() {
        let map = |d_in: (u32, f64, f64)| laplace(3.0, 10).unwrap().map(&d_in);
        let (epsilon, delta) = map((1, 1.0, 1.0)).unwrap();
        // exp(-3) / (1 + exp(-1/3))
        assert!(epsilon == (1f64 / 3.0).next_up() && (0.029_004_4..0.029_004_5).contains(&delta), "{delta}");
        for zero in [(0, 1.0, 1.0), (1, 0.0, 1.0), (1, 1.0, 0.0), (0, 0.0, 0.0), (0, f64::INFINITY, f64::INFINITY)] {
            assert_eq!(map(zero), Ok((0.0, 0.0)), "{zero:?}");
        }
        assert_eq!(map((1, 20.0, 10.0)).unwrap().1, 1.0, "a key of 10 is kept more often than not");
        assert_eq!(map((1, f64::INFINITY, f64::INFINITY)), Ok((f64::INFINITY, 1.0)));
        assert!(map((1, -1.0, 1.0)).is_err() && map((1, 1.0, f64::NAN)).is_err());
        // A key that differs differs by at least one: half a count more is no count more.
        assert_eq!(map((1, 1.0, 1.0)).unwrap().1, map((1, 1.0, 1.5)).unwrap().1);
    }

    #[test]
    fn without_noise_the_threshold_decides_alone() {
        let exact = laplace(0.0, 3).unwrap().accept_infinite_loss();
        let map = BTreeMap::from([(0, -7), (1, 2), (2, 3), (3, i64::MAX), (4, i64::MIN), (5, 0)]);
        assert_eq!(exact.invoke(&map), Ok(BTreeMap::from([(2, 3), (3, i64::MAX)])));
        assert_eq!(exact.map(&(1, 1.0, 1.0)), Ok((f64::INFINITY, 0.0)));
        assert_eq!(exact.map(&(1, 3.0, 3.0)), Ok((f64::INFINITY, 1.0)));
    }

    #[test]
    fn saturation_does_not_turn_the_rule_around() {
        // Noise of a scale far beyond the type: nearly all noisy numbers are at one of its ends.
        let mut entropy = SeededEntropy::new(1);
        let maps = MapDomain::new(AtomDomain::u16(), AtomDomain::i8());
        let noisy = make_laplace_threshold(maps, L01InfDistance, 1e6, i8::MAX).unwrap();
        let all: BTreeMap<u16, i8> = (0..1000).map(|key| (key, if key % 2 == 0 { 1 } else { i8::MIN })).collect();
        let kept = noisy.invoke_with(&all, &mut entropy).unwrap();
        assert!(kept.values().all(|&number| number == i8::MAX));
        // Half of a thousand, give or take 6.3 deviations of 16: false alarm below 1e-9.
        assert!((400..600).contains(&kept.len()), "{}", kept.len());
    }

    #[test]
    fn a_key_with_zero_or_without_rows_never_appears() {
        let mut entropy = SeededEntropy::new(2);
        // A key of 1 is kept more often than not: delta is 1.
        let noisy = laplace(50.0, 1).unwrap().accept_infinite_loss();
        let map = BTreeMap::from([(1, 0), (2, 1)]);
        for _ in 0..1000 {
            let release = noisy.invoke_with(&map, &mut entropy).unwrap();
            assert!(release.keys().all(|&key| key == 2));
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        for scale in [-1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(laplace(scale, 5).unwrap_err().kind(), ErrorKind::Parameter("scale"));
        }
        for threshold in [0, -1, i64::MIN] {
            assert_eq!(laplace(1.0, threshold).unwrap_err().kind(), ErrorKind::Parameter("threshold"));
        }
    }

    #[test]
    fn the_plan_names_scale_and_threshold() {
        let text = laplace(2.0, 30).unwrap().explain(&(1, 1.0, 1.0)).unwrap().to_string();
        assert!(
            text.starts_with("make_laplace_threshold(scale = 2.0, threshold = 30): 1 key, L1 distance 1.0"),
            "{text}"
        );
    }
}
