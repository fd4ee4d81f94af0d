//! What the mechanisms with a threshold have in common: which noisy numbers are released, and how likely that is.

use super::{
    noise::{Law, NoiseAtom},
    tail::upper_tail,
};
use crate::core::{Fallible, ToParameter, require};
use indistinct_numeric::{Integer, RoundedArithmetic, RoundedFrom, RoundedMath};
use indistinct_sampling::{Entropy, IntegerNoise};
use std::collections::BTreeMap;

/// Integers that are released only if they are large enough with their noise.
pub trait ThresholdAtom: NoiseAtom<Noise = IntegerNoise, Release = Self> + Ord + Default + ToParameter {}

impl<T: NoiseAtom<Noise = IntegerNoise, Release = T> + Ord + Default + ToParameter> ThresholdAtom for T {}

/// Which noisy numbers are released: those not below a threshold. What is released and what the map says of it are read
/// from this one rule.
#[derive(Debug, Clone)]
pub(crate) struct KeepRule<T> {
    threshold: T,
}

impl<T: ThresholdAtom> KeepRule<T> {
    /// The threshold is positive: a number that saturates at the lower end of its type, 0 or less, is never kept.
    pub(crate) fn new(threshold: T) -> Fallible<Self> {
        require(threshold > T::default(), "threshold", "must be at least 1")?;
        Ok(Self { threshold })
    }

    /// Whether a noisy number is released.
    fn keeps(&self, noisy: &T) -> bool {
        *noisy >= self.threshold
    }

    /// An upper bound on the probability that a number of at most `greatest` in size is released.
    ///
    /// `x + Z >= threshold` is `Z >= threshold - x`, and the integer x is at most `floor(greatest)`. Where this gap is not
    /// positive, the probability is above one half, and the bound is 1.
    fn survival(&self, law: Law, scale: f64, greatest: f64) -> Fallible<f64> {
        if greatest.is_infinite() {
            return Ok(1.0);
        }
        let gap = Integer::exact_from(&self.threshold)? - Integer::neg_inf_from(&greatest)?;
        if gap < 1 { Ok(1.0) } else { upper_tail(law, scale, f64::neg_inf_from(&gap)?) }
    }

    /// An upper bound on the probability that any of `keys` numbers of at most `greatest` in size is released:
    /// `1 - (1 - p)^keys`, for independent noise.
    pub(crate) fn delta(&self, law: Law, scale: f64, keys: u32, greatest: f64) -> Fallible<f64> {
        let none = f64::from(keys).neg_inf_mul((-self.survival(law, scale, greatest)?).neg_inf_ln_1p()?)?;
        Ok(0.0 - none.neg_inf_exp_m1()?)
    }

    /// The entries with independent noise, those that are kept. An entry with 0 is as good as absent.
    pub(crate) fn release<K: Ord + Clone>(
        &self,
        map: &BTreeMap<K, T>,
        noise: &IntegerNoise,
        entropy: &mut dyn Entropy,
    ) -> Fallible<BTreeMap<K, T>> {
        let mut kept = BTreeMap::new();
        for (key, number) in map.iter().filter(|(_, number)| **number != T::default()) {
            let noisy = number.add_noise(noise, entropy)?;
            if self.keeps(&noisy) {
                kept.insert(key.clone(), noisy);
            }
        }
        Ok(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_at_the_threshold_is_kept() {
        let rule = KeepRule::new(5i64).unwrap();
        assert!(rule.keeps(&5) && rule.keeps(&i64::MAX) && !rule.keeps(&4) && !rule.keeps(&i64::MIN));
        // With hardly any noise, the probabilities say the same.
        let survival = |greatest| rule.survival(Law::Laplace, 1e-3, greatest).unwrap();
        assert_eq!(survival(5.0), 1.0);
        assert!(survival(4.999) < 1e-300 && survival(4.0) < 1e-300);
    }

    #[test]
    fn without_a_gap_the_bound_is_one() {
        let rule = KeepRule::new(3u8).unwrap();
        for greatest in [3.0, 3.5, 255.0, 1e300, f64::INFINITY] {
            assert_eq!(rule.survival(Law::Gaussian, 1.0, greatest), Ok(1.0));
            assert_eq!(rule.delta(Law::Laplace, 1.0, 7, greatest), Ok(1.0));
        }
    }

    #[test]
    fn any_of_several_keys() {
        let rule = KeepRule::new(10i32).unwrap();
        let one = rule.delta(Law::Laplace, 2.0, 1, 1.0).unwrap();
        for keys in [2u32, 3, 1000, u32::MAX] {
            let (any, union) = (rule.delta(Law::Laplace, 2.0, keys, 1.0).unwrap(), f64::from(keys) * one);
            let exact = -f64::exp_m1(f64::from(keys) * f64::ln_1p(-one));
            assert!(any >= exact * (1.0 - 1e-12) && any <= exact * (1.0 + 1e-12), "{keys}: {any} {exact}");
            assert!(any <= union * (1.0 + 1e-12), "{keys}: {any} {union}");
        }
        assert_eq!(KeepRule::new(10i32).unwrap().delta(Law::Gaussian, 0.0, 4, 1.0).map(f64::to_bits), Ok(0));
    }

    #[test]
    fn thresholds_are_positive() {
        let refused = |error: crate::core::Error| error.kind() == crate::core::ErrorKind::Parameter("threshold");
        assert!(KeepRule::new(0u32).is_err_and(refused) && KeepRule::new(-1i8).is_err_and(refused));
        assert!(KeepRule::new(i64::MIN).is_err_and(refused) && KeepRule::new(1i64).is_ok());
    }
}
