//! `make_select_keys`: partition selection: releases the keys with enough individuals, without their numbers.

use crate::{
    core::{Error, Fallible, Measurement, PrivacyMap, RandomizedFunction, require},
    domains::{Atom, AtomDomain, MapDomain},
    measures::{Approximate, MaxDivergence},
    metrics::L01InfDistance,
};
use indistinct_derive::constructor;
use indistinct_numeric::{RoundedArithmetic, RoundedMath};
use indistinct_sampling::{self as sampling, Rule, SelectionCoin};
use std::collections::BTreeMap;

/// Releases the keys that have enough individuals, without their numbers (partition selection).
///
/// A key with n individuals is released with probability `p(n)`, independently of the others. `p(0) = 0`, and each
/// `p(n)` is the largest probability that differential privacy with the parameters of `per_key` allows, given `p(n -
/// 1)`. No other rule that decides each key separately releases more keys at the same guarantee. A threshold with
/// Laplace noise ([`make_laplace_threshold`](super::make_laplace_threshold)) also releases the numbers, and releases
/// fewer keys. The table shows how many of 50,000 keys are released if the i-th key has 50,000 / i individuals
/// (`cargo test -p indistinct-tests more_keys -- --nocapture`):
///
/// | epsilon, delta | keys per individual | keys alone | keys with numbers |
/// |---|---|---|---|
/// | 1, 1e-5 | 1 | 4260 | 3849 |
/// | 0.1, 1e-5 | 1 | 599 | 474 |
/// | 1, 1e-5 | 10 | 470 | 380 |
/// | 3, 1e-5 | 1 | 10147 | 10037 |
///
/// The released keys can be the categories of [`make_find`](crate::transformations::make_find) or
/// [`make_count_by_categories`](crate::transformations::make_count_by_categories). The release is in the order of the
/// keys.
///
/// # Parameters
///
/// - `per_key`: the guarantee for one key when one of its individuals is added or removed: epsilon from `2^-40` to
///   `2^10`, and delta above 0 and below 1.
/// - `min_individuals`: the minimum number of individuals of a released key, at least 1. Each unit above 1 shifts the
///   probabilities by one individual: `p(n - (min_individuals - 1))`. It costs no privacy, and guarantees that a
///   released key has this many individuals, which noise alone cannot guarantee.
///
/// # Privacy
///
/// For `d_in = (keys, L1, greatest)`, let `m = floor(greatest)`, and let `t = min(floor(L1), keys m)`, the maximum
/// number of changes by one individual between the maps. Then `epsilon = t epsilon0`, and `delta` is the smaller of `(t
/// / m) delta_m` and `1 - (1 - delta_m)^(t / m)` for `delta_m = delta0 (exp(m epsilon0) - 1) / (exp(epsilon0) - 1)`, at
/// most 1, all rounded up. For an individual in at most k keys, once in each, this is `k epsilon0` and at most `k
/// delta0`. Both are 0 if any part of `d_in` is below 1 (Desfontaines, Voss, Gipson, Mandayam 2022, Theorem 1; the
/// minimum as in DPSQL+, arXiv 2602.22699).
///
/// # Errors
///
/// Returns an error if a parameter is out of range.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::string())), SymmetricIdDistance);
/// let keys = (space >> then_count_individuals_by(2, L01InfDistance) >> then_select_keys((0.5, 1e-9), 1))?;
/// let mut rows: Vec<(u32, String)> = (0..1000).map(|individual| (individual, "tea".into())).collect();
/// rows.push((7, "absinthe".into()));
/// assert_eq!(keys.invoke(&rows)?, ["tea"]); // but for one run in 10^9
/// assert_eq!(keys.map(&1)?.0, 1.0);
/// assert!(keys.map(&1)?.1 <= 2e-9);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_select_keys<K: Atom + Ord>(
    input_domain: MapDomain<K, AtomDomain<i64>>,
    input_metric: L01InfDistance,
    per_key: (f64, f64),
    min_individuals: u32,
) -> Fallible<Measurement<MapDomain<K, AtomDomain<i64>>, Vec<K>, L01InfDistance, Approximate<MaxDivergence>>> {
    let (epsilon, delta) = per_key;
    let coin = SelectionCoin::new(epsilon, delta).map_err(|error| match error {
        sampling::Error::Parameter(Rule::Epsilon) => {
            Error::parameter("per_key", "its epsilon must be from 2^-40 to 2^10")
        }
        sampling::Error::Parameter(Rule::Delta) => Error::parameter("per_key", DELTA),
        other => other.into(),
    })?;
    require(delta > 0.0, "per_key", DELTA)?;
    require(min_individuals >= 1, "min_individuals", "must be at least 1")?;
    let uncounted = i64::from(min_individuals) - 1;
    Measurement::new(
        (input_domain, input_metric),
        Approximate(MaxDivergence),
        RandomizedFunction::new(move |map: &BTreeMap<K, i64>, entropy| {
            let mut released = Vec::new();
            // A key with the number 0 is as good as absent.
            for (key, number) in map.iter().filter(|(_, number)| **number != 0) {
                if coin.toss(number.saturating_sub(uncounted), entropy)? {
                    released.push(key.clone());
                }
            }
            Ok(released)
        }),
        PrivacyMap::new(move |d_in: &(u32, f64, f64)| {
            let Some(steps) = Steps::within(d_in)? else { return Ok((0.0, 0.0)) };
            Ok((steps.all.inf_mul(epsilon)?, steps.delta(of_one_key(steps.in_one_key, epsilon, delta)?)?))
        }),
    )
}

const DELTA: &str = "its delta must be above 0 and below 1";

/// The largest differences between two maps, in individuals.
struct Steps {
    /// The total over all keys.
    all: f64,
    /// The largest difference in one key.
    in_one_key: f64,
}

impl Steps {
    /// Rounds down to whole numbers of individuals; `None` if the maps are equal.
    fn within(&(keys, norm, greatest): &(u32, f64, f64)) -> Fallible<Option<Self>> {
        let (norm, greatest) = (norm.floor(), greatest.floor());
        if keys == 0 || norm == 0.0 || greatest == 0.0 {
            return Ok(None);
        }
        let in_one_key = greatest.min(norm);
        Ok(Some(Self { all: norm.min(f64::from(keys).inf_mul(in_one_key)?), in_one_key }))
    }

    /// Returns the delta of all keys, given the delta of one key with the largest difference: that of as many such
    /// keys as the total allows.
    fn delta(&self, of_one: f64) -> Fallible<f64> {
        if self.in_one_key.is_infinite() {
            return Ok(1.0);
        }
        let keys = self.all.inf_div(self.in_one_key)?;
        let none = keys.neg_inf_mul((-of_one).neg_inf_ln_1p()?)?;
        let any = 0.0 - none.neg_inf_exp_m1()?;
        Ok(keys.inf_mul(of_one)?.min(any).min(1.0))
    }
}

/// Returns the delta of one key when `steps` of its individuals are added or removed: `delta + exp(epsilon) delta + … +
/// exp((steps - 1) epsilon) delta`.
fn of_one_key(steps: f64, epsilon: f64, delta: f64) -> Fallible<f64> {
    if steps == 1.0 {
        return Ok(delta);
    }
    let ratio = steps.inf_mul(epsilon)?.inf_exp_m1()?.inf_div(epsilon.neg_inf_exp_m1()?)?;
    Ok(ratio.inf_mul(delta)?.min(1.0))
}

#[cfg(test)]
mod tests {
    use super::{Steps, of_one_key};
    use crate::{
        prelude::*,
        sampling::testing::SeededEntropy,
        truth::{covers, real, sizes},
    };
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Selected = Measurement<MapDomain<u8, AtomDomain<i64>>, Vec<u8>, L01InfDistance, Approximate<MaxDivergence>>;

    fn select(per_key: (f64, f64), min_individuals: u32) -> Fallible<Selected> {
        make_select_keys(MapDomain::new(AtomDomain::u8(), AtomDomain::i64()), L01InfDistance, per_key, min_individuals)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn each_step_is_rounded_up(steps in 2u32..40, epsilon in sizes(-20, 1), delta in sizes(-60, -1), keys in 1u32..50) {
            let one = of_one_key(steps.into(), epsilon, delta).unwrap();
            let ratio = (real(epsilon) * steps).exp_m1() / real(epsilon).exp_m1();
            prop_assert!(covers(one, (ratio * delta).min(&real(1.0))), "{one:e}");
            let in_one_key = f64::from(steps);
            let all = Steps { all: f64::from(keys) * in_one_key, in_one_key }.delta(one).unwrap();
            let union = real(one) * keys;
            let truth = (-((1u32 - real(one)).ln() * keys).exp_m1()).min(&union);
            prop_assert!(covers(all, truth.min(&real(1.0))), "{all:e}");
        }
    }

    #[test]
    fn the_map_counts_steps_of_one_individual() {
        let map = |d_in: (u32, f64, f64)| select((0.5, 1e-3), 1).unwrap().map(&d_in).unwrap();
        assert_eq!(
            (map((1, 1.0, 1.0)), map((1, 9.0, 1.9)), map((7, 1.5, 8.0))),
            ((0.5, 1e-3), (0.5, 1e-3), (0.5, 1e-3))
        );
        for zero in [(0, 1.0, 1.0), (1, 0.5, 1.0), (1, 1.0, 0.75), (0, f64::INFINITY, f64::INFINITY)] {
            assert_eq!(map(zero), (0.0, 0.0), "{zero:?}");
        }
        let (epsilon, delta) = map((3, 3.0, 1.0));
        assert!(epsilon == 1.5 && delta <= 3e-3 && delta >= 1.0 - 0.999f64.powi(3), "{delta}");
        // Two steps in one key cost more than one in each of two.
        let (epsilon, delta) = map((1, 2.0, 2.0));
        let of_two = 1e-3 * (1.0 + 0.5f64.exp());
        assert!(epsilon == 1.0 && delta >= of_two && delta < of_two * (1.0 + 1e-14), "{delta}");
        // Three steps, of which two at most in one key: between one key and a half, and two.
        let (epsilon, delta) = map((2, 3.0, 2.0));
        assert!(epsilon == 1.5 && delta < 2.0 * of_two && delta > 1.4 * of_two, "{delta}");
        assert_eq!(map((2, f64::INFINITY, 1.0)).0, 1.0);
        assert_eq!(map((1, f64::INFINITY, f64::INFINITY)), (f64::INFINITY, 1.0));
        assert_eq!(map((1, 1e6, 1e6)).1, 1.0);
        assert!(select((0.5, 1e-3), 1).unwrap().map(&(1, -1.0, 1.0)).is_err());
    }

    /// The paper's closed form, its Theorem 3, in three ranges.
    #[test]
    fn released_as_often_as_the_closed_form_says() {
        fn closed_form(epsilon: f64, delta: f64, n: f64) -> f64 {
            let turn = ((epsilon.exp() + 2.0 * delta - 1.0) / (delta * (epsilon.exp() + 1.0))).ln() / epsilon;
            let first = 1.0 + turn.floor();
            let rising = |n: f64| (n * epsilon).exp_m1() / epsilon.exp_m1() * delta;
            let last = first + ((1.0 + epsilon.exp_m1() / delta * (1.0 - rising(first))).ln() / epsilon).floor();
            if n <= first {
                rising(n)
            } else if n <= last {
                let after = (-(n - first) * epsilon).exp();
                (1.0 - after) * (1.0 + delta / epsilon.exp_m1()) + after * rising(first)
            } else {
                1.0
            }
        }
        let draws = 4_000;
        // Hoeffding: a false alarm once in 10^9 for each.
        let bound = (f64::ln(2e9) / (2.0 * f64::from(draws))).sqrt();
        for (epsilon, delta) in [(1.0, 0.01), (0.5, 0.05), (2.0, 1e-3)] {
            for min in [1u32, 3] {
                let (keys, mut entropy) = (select((epsilon, delta), min).unwrap(), SeededEntropy::new(3));
                let map: BTreeMap<u8, i64> = (0..20).map(|n| (n, n.into())).collect();
                let mut seen = [0u32; 20];
                for _ in 0..draws {
                    let released = keys.invoke_with(&map, &mut entropy).unwrap();
                    assert!(released.is_sorted());
                    released.iter().for_each(|key| seen[usize::from(*key)] += 1);
                }
                for (n, seen) in (0u32..).zip(seen) {
                    let truth = closed_form(epsilon, delta, f64::from((n + 1).saturating_sub(min)));
                    let share = f64::from(seen) / f64::from(draws);
                    assert!((share - truth).abs() < bound, "{epsilon} {delta} {min} {n}: {share} {truth}");
                    assert!(n >= min || seen == 0, "a key with {n} individuals");
                }
            }
        }
    }

    #[test]
    fn keys_below_the_minimum_are_never_released() {
        let mut entropy = SeededEntropy::new(5);
        let keys = select((1.0, 0.999), 5).unwrap();
        let map = BTreeMap::from([(1, i64::MIN), (2, -1), (3, 0), (4, 4), (5, i64::MAX)]);
        for _ in 0..1000 {
            assert_eq!(keys.invoke_with(&map, &mut entropy), Ok(vec![5]));
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        for per_key in [(0.0, 0.1), (-1.0, 0.1), (f64::NAN, 0.1), (2000.0, 0.1), (1.0, 0.0), (1.0, -0.1), (1.0, 1.0)] {
            assert_eq!(select(per_key, 1).unwrap_err().kind(), ErrorKind::Parameter("per_key"), "{per_key:?}");
        }
        assert_eq!(select((1.0, f64::NAN), 1).unwrap_err().kind(), ErrorKind::Parameter("per_key"));
        assert_eq!(select((1.0, 0.1), 0).unwrap_err().kind(), ErrorKind::Parameter("min_individuals"));
        assert!(select((1.0, 5e-324), u32::MAX).is_ok());
    }
}
