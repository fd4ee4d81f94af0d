//! The common parts of mechanisms with a threshold: the rule of release, and its probabilities.

use super::{
    noise::{Law, NoiseAtom, Scale},
    tail::{continuous_tail, upper_tail},
};
use crate::core::{Fallible, ToParameter, require};
use indistinct_numeric::{Dyadic, RoundedArithmetic, RoundedFrom, RoundedMath, Rounding, gmp::Integer};
use indistinct_sampling::Entropy;
use std::collections::BTreeMap;

/// Numbers that are released only if they reach a threshold with their noise.
pub trait ThresholdAtom: NoiseAtom<Release: PartialOrd + ToParameter> {
    /// The number of a key that is absent.
    #[doc(hidden)]
    const ZERO: Self;

    /// Returns an error for a threshold that a number without rows might reach without noise.
    #[doc(hidden)]
    fn check_threshold(threshold: &Self::Release) -> Fallible<()>;

    /// Returns the largest size of a number of at most this size.
    #[doc(hidden)]
    fn whole(size: f64) -> f64;

    /// Returns an upper bound on the probability that a number whose size is at most `greatest`, which is finite,
    /// reaches `threshold` with its noise.
    #[doc(hidden)]
    #[allow(private_interfaces)] // the shape of the noise is the library's own business
    fn survival(law: Law, scale: f64, threshold: &Self::Release, greatest: f64) -> Fallible<f64>;
}

macro_rules! impl_integers {
    ($($integer:ty),+) => {$(
        #[allow(private_interfaces)]
        impl ThresholdAtom for $integer {
            const ZERO: Self = 0;

            fn check_threshold(threshold: &$integer) -> Fallible<()> {
                require(*threshold >= 1, "threshold", "must be at least 1")
            }

            fn whole(size: f64) -> f64 {
                size.floor()
            }

            fn survival(law: Law, scale: f64, threshold: &$integer, greatest: f64) -> Fallible<f64> {
                survival_of_integer(law, scale, Integer::from(*threshold), greatest)
            }
        }
    )+};
}

impl_integers!(i8, i16, i32, i64, i128, u8, u16, u32, u64, u128);

macro_rules! impl_floats {
    ($($number:ty, $zero:expr;)+) => {$(
        #[allow(private_interfaces)]
        impl ThresholdAtom for $number {
            const ZERO: Self = $zero;

            fn check_threshold(threshold: &f64) -> Fallible<()> {
                require(*threshold > 0.0 && threshold.is_finite(), "threshold", "must be positive and finite")
            }

            fn whole(size: f64) -> f64 {
                size
            }

            fn survival(law: Law, scale: f64, threshold: &f64, greatest: f64) -> Fallible<f64> {
                survival_of_float(law, scale, *threshold, greatest)
            }
        }
    )+};
}

impl_floats! {
    f64, 0.0;
    Dyadic, Dyadic::ZERO;
}

/// `x + Z >= threshold` means `Z >= threshold - x`, and the integer x is at most `floor(greatest)`. If this gap is not
/// positive, the probability is above one half, and the bound is 1.
fn survival_of_integer(law: Law, scale: f64, threshold: Integer, greatest: f64) -> Fallible<f64> {
    let gap = threshold - Integer::neg_inf_from(&greatest)?;
    if gap < 1 { Ok(1.0) } else { upper_tail(law, scale, f64::neg_inf_from(&gap)?) }
}

/// The number compared with the threshold is a float, rounded from a multiple of the grid, which was rounded from `x +
/// Z`. If the float is at least `threshold`, the multiple is above the float before `threshold`, and `x + Z` is at most
/// half a step below the multiple.
fn survival_of_float(law: Law, scale: f64, threshold: f64, greatest: f64) -> Fallible<f64> {
    let half_step = Dyadic::from_gmp(Integer::from(1), Scale::new(scale).grid() - 1)?.to_f64_rounded(Rounding::Up)?;
    let gap = threshold.next_down().neg_inf_sub(half_step)?.neg_inf_sub(greatest)?;
    if gap > 0.0 { continuous_tail(law, scale, gap) } else { Ok(1.0) }
}

/// The number of evenly spaced sizes at which the bound is evaluated.
const CELLS: u32 = 16;

/// The rule of release: a number is kept if it reaches the threshold with its noise. Release and map both use this
/// rule.
#[derive(Debug, Clone)]
pub(crate) struct KeepRule<T: ThresholdAtom> {
    threshold: T::Release,
}

impl<T: ThresholdAtom> KeepRule<T> {
    /// The threshold is positive: a number that saturates at the lower end of its type, 0 or less, is never kept.
    pub(crate) fn new(threshold: T::Release) -> Fallible<Self> {
        T::check_threshold(&threshold)?;
        Ok(Self { threshold })
    }

    /// Returns true if a noisy number is released.
    fn keeps(&self, noisy: &T::Release) -> bool {
        *noisy >= self.threshold
    }

    /// Returns an upper bound on the probability that a number whose size is at most `greatest` is released.
    fn survival(&self, law: Law, scale: f64, greatest: f64) -> Fallible<f64> {
        if greatest.is_infinite() { Ok(1.0) } else { T::survival(law, scale, &self.threshold, greatest) }
    }

    /// Returns an upper bound on the probability that any of `keys` numbers is released, where each has a size of at
    /// most `greatest`, and all together at most `norm`: the sum of their sizes under Laplace noise, the root of the
    /// sum of their squares under Gaussian noise.
    pub(crate) fn delta(&self, law: Law, scale: f64, keys: u32, norm: f64, greatest: f64) -> Fallible<f64> {
        Ok(0.0 - (-self.log_loss(law, scale, keys, norm, greatest)?).neg_inf_exp_m1()?)
    }

    /// Returns `-ln(1 - p)`, where p is the probability that a number of at most this size is released.
    fn log_loss_of_one(&self, law: Law, scale: f64, greatest: f64) -> Fallible<f64> {
        Ok(0.0 - (-self.survival(law, scale, greatest)?).neg_inf_ln_1p()?)
    }

    /// Returns an upper bound on `-ln` of the probability that none is released: the least, over several prices
    /// including 0, of `price norm^k` plus `keys` times the largest excess of one number's loss over `price size^k`.
    ///
    /// Between two sizes, the loss of one number is below its chord, because it is convex, and `size^2` is below its
    /// own chord by at most a quarter of the square of their distance.
    fn log_loss(&self, law: Law, scale: f64, keys: u32, norm: f64, greatest: f64) -> Fallible<f64> {
        let keys = f64::from(keys);
        let all = keys.inf_mul(self.log_loss_of_one(law, scale, greatest)?)?;
        if all == 0.0 || all == f64::INFINITY {
            return Ok(all);
        }
        // Of a straight line no more than its ends are needed.
        let (power, cells) = if law == Law::Laplace { (1, 1) } else { (2, CELLS) };
        let sizes = (0..=cells).map(|cell| T::whole(greatest * f64::from(cell) / f64::from(cells)));
        let losses = sizes.map(|size| Ok((size, self.log_loss_of_one(law, scale, size)?)));
        let losses = losses.collect::<Fallible<Vec<_>>>()?;
        let mut widest = 0f64;
        for ((size, _), (next, _)) in losses.iter().zip(losses.iter().skip(1)) {
            widest = widest.max(next.inf_sub(*size)?);
        }
        // No size lies between two integers that are next to each other.
        let bulge = if power == 1 || (T::whole(0.5) == 0.0 && widest <= 1.0) {
            0.0
        } else {
            widest.inf_powi(2)?.inf_div(4.0)?
        };
        let Some((last_size, last)) = losses.last().copied() else { return Ok(all) };
        let mut least = all;
        for (size, loss) in &losses {
            // Any price will do.
            let price = (last - loss) / (last_size.powi(power) - size.powi(power));
            if !(price > 0.0 && price.is_finite()) {
                continue;
            }
            let mut beyond = 0f64;
            for (size, loss) in &losses {
                beyond = beyond.max(loss.inf_sub(price.neg_inf_mul(size.neg_inf_powi(power)?)?)?);
            }
            let beyond = beyond.inf_add(price.inf_mul(bulge)?)?;
            least = least.min(price.inf_mul(norm.inf_powi(power)?)?.inf_add(keys.inf_mul(beyond)?)?);
        }
        Ok(least)
    }

    /// Adds independent noise to the entries, and returns those that are kept. An entry with 0 counts as absent.
    pub(crate) fn release<K: Ord + Clone>(
        &self,
        map: &BTreeMap<K, T>,
        noise: &T::Noise,
        entropy: &mut dyn Entropy,
    ) -> Fallible<BTreeMap<K, T::Release>> {
        let mut kept = BTreeMap::new();
        for (key, number) in map.iter().filter(|(_, number)| **number != T::ZERO) {
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
    use super::{super::noise::Noise, *};
    use crate::truth::{covers, real, sizes};
    use proptest::prelude::*;
    use rug::Float;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// Tests gaps that are not floats: between large integers, and between floats of several sizes.
        #[test]
        fn gaps_are_rounded_down(gap in (1i128 << 53)..(1 << 60), scales in sizes(-2, 6), threshold in sizes(-3, 3), far in sizes(-60, -1)) {
            let scale = f64::inf_from(&gap).unwrap() / scales;
            let bound = KeepRule::<i128>::new(gap + 7).unwrap().survival(Law::Laplace, scale, 7.75).unwrap();
            let q = (-real(scale).recip()).exp();
            prop_assert!(covers(bound, (-Float::with_val(400, gap) / scale).exp() / (q + 1u32)), "{bound:e}");
            let (scale, greatest) = (threshold / scales, threshold * far);
            let bound = KeepRule::<f64>::new(threshold).unwrap().survival(Law::Laplace, scale, greatest).unwrap();
            let half_step = real(2f64.powi(Scale::new(scale).grid() - 1));
            let gap = real(threshold.next_down()) - half_step - greatest;
            prop_assert!(covers(bound, ((-gap / scale).exp() / 2u32).min(&real(1.0))), "{bound:e}");
        }

        #[test]
        fn any_of_several_keys_is_rounded_up(keys in 1u32..50, threshold in 2i64..60, scale in sizes(-1, 4)) {
            let rule = KeepRule::<i64>::new(threshold).unwrap();
            let (one, any) = (rule.survival(Law::Laplace, scale, 1.0).unwrap(), rule.delta(Law::Laplace, scale, keys, f64::INFINITY, 1.0).unwrap());
            let none = (1u32 - real(one)).ln() * keys;
            prop_assert!(covers(any, -none.exp_m1()), "{any:e}");
        }
    }

    /// An integer is at most the floor of its bound: no more is charged.
    #[test]
    fn integers_lie_below_their_bound() {
        let survival = |greatest| KeepRule::<i64>::new(9).unwrap().survival(Law::Gaussian, 2.0, greatest);
        assert_eq!(survival(3.75), survival(3.0));
    }

    #[test]
    fn a_number_at_the_threshold_is_kept() {
        let rule = KeepRule::<i64>::new(5).unwrap();
        assert!(rule.keeps(&5) && rule.keeps(&i64::MAX) && !rule.keeps(&4) && !rule.keeps(&i64::MIN));
        // With hardly any noise, the probabilities say the same.
        let survival = |greatest| rule.survival(Law::Laplace, 1e-3, greatest).unwrap();
        assert_eq!(survival(5.0), 1.0);
        assert!(survival(4.999) < 1e-300 && survival(4.0) < 1e-300);
    }

    #[test]
    fn without_a_gap_the_bound_is_one() {
        let rule = KeepRule::<u8>::new(3).unwrap();
        for greatest in [3.0, 3.5, 255.0, 1e300, f64::INFINITY] {
            assert_eq!(rule.survival(Law::Gaussian, 1.0, greatest), Ok(1.0));
            assert_eq!(rule.delta(Law::Laplace, 1.0, 7, 1.0, greatest), Ok(1.0));
        }
    }

    #[test]
    fn any_of_several_keys() {
        let rule = KeepRule::<i32>::new(10).unwrap();
        let one = rule.delta(Law::Laplace, 2.0, 1, 1.0, 1.0).unwrap();
        for keys in [2u32, 3, 1000, u32::MAX] {
            let (any, union) =
                (rule.delta(Law::Laplace, 2.0, keys, f64::INFINITY, 1.0).unwrap(), f64::from(keys) * one);
            let exact = -f64::exp_m1(f64::from(keys) * f64::ln_1p(-one));
            assert!(any >= exact * (1.0 - 1e-12) && any <= exact * (1.0 + 1e-12), "{keys}: {any} {exact}");
            assert!(any <= union * (1.0 + 1e-12), "{keys}: {any} {union}");
        }
        assert_eq!(KeepRule::<i32>::new(10).unwrap().delta(Law::Gaussian, 0.0, 4, 1.0, 1.0).map(f64::to_bits), Ok(0));
    }

    /// Vectors of a looseness: ten rows in one map alone are ten keys of one each, or one of ten, but not ten of ten.
    #[test]
    fn what_keys_have_together_counts() {
        let rule = KeepRule::<i64>::new(40).unwrap();
        for (law, scale) in [(Law::Laplace, 2.0), (Law::Laplace, 5.0), (Law::Gaussian, 5.0), (Law::Gaussian, 8.0)] {
            let one = |size: u32| -rule.survival(law, scale, f64::from(size)).unwrap();
            for (keys, total) in [(2u32, 2u32), (3, 6), (5, 5), (10, 10), (10, 20)] {
                for greatest in [total, total.div_ceil(2)] {
                    // The most that any sizes have: of so many keys, the greatest sum at a distance.
                    let power = if law == Law::Laplace { 1 } else { 2 };
                    let norm = f64::from(total) * if power == 1 { 1.0 } else { f64::from(greatest) / f64::from(total) };
                    let whole = total.pow(power);
                    let whole = if power == 1 { whole } else { greatest.pow(2) };
                    let mut best = vec![0f64; usize::try_from(whole).unwrap() + 1];
                    for _ in 0..keys {
                        let before = best.clone();
                        for size in 1..=greatest {
                            let (cost, loss) = (usize::try_from(size.pow(power)).unwrap(), -one(size).ln_1p());
                            for spent in cost..best.len() {
                                best[spent] = best[spent].max(before[spent - cost] + loss);
                            }
                        }
                    }
                    let truth = -(-best.iter().copied().fold(0.0, f64::max)).exp_m1();
                    let delta = rule.delta(law, scale, keys, norm, greatest.into()).unwrap();
                    let apart = rule.delta(law, scale, keys, f64::INFINITY, greatest.into()).unwrap();
                    let name = format!("{law:?} {scale} {keys} {norm} {greatest}: {delta:e} {truth:e} {apart:e}");
                    assert!(delta >= truth * (1.0 - 1e-12) && delta <= apart, "{name}");
                    assert!(delta <= truth * 2.5, "{name}");
                    assert!(greatest < 10 || delta < apart / 3.0, "{name}");
                }
            }
        }
        // Numbers that may be of any size.
        let rule = KeepRule::<f64>::new(40.0).unwrap();
        for law in [Law::Laplace, Law::Gaussian] {
            let (one, ten) =
                (rule.delta(law, 5.0, 1, 10.0, 10.0).unwrap(), rule.delta(law, 5.0, 10, 10.0, 10.0).unwrap());
            assert!(one < ten && ten < one * 2.5, "{law:?} {one:e} {ten:e}");
        }
    }

    #[test]
    fn thresholds_are_positive() {
        let refused = |error: crate::core::Error| error.kind() == crate::core::ErrorKind::Parameter("threshold");
        assert!(KeepRule::<u32>::new(0).is_err_and(refused) && KeepRule::<i8>::new(-1).is_err_and(refused));
        assert!(KeepRule::<i64>::new(i64::MIN).is_err_and(refused) && KeepRule::<i64>::new(1).is_ok());
    }

    #[test]
    fn thresholds_of_floats_are_positive_and_finite() {
        let refused = |error: crate::core::Error| error.kind() == crate::core::ErrorKind::Parameter("threshold");
        for threshold in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(KeepRule::<f64>::new(threshold).is_err_and(refused));
            assert!(KeepRule::<Dyadic>::new(threshold).is_err_and(refused));
        }
    }

    /// The exact probability that Laplace noise of scale 1 on the grid takes a number to the threshold or beyond, by
    /// the distribution function: the bound is not below it, and above it by no more than a step of the grid is worth.
    #[test]
    fn the_bound_covers_what_rounding_lets_through() {
        let (rule, step) = (KeepRule::<f64>::new(5.0).unwrap(), 2f64.powi(-32));
        for greatest in [0.0, 1.0, 3.25, 4.0, 4.9, 5.0 - 3.0 * step] {
            // The least multiple kept is 5 itself, to which everything from half a step below it is rounded.
            let truth = (-(5.0 - step / 2.0 - greatest)).exp() / 2.0;
            let bound = rule.survival(Law::Laplace, 1.0, greatest).unwrap();
            assert!(
                bound >= truth * (1.0 - 1e-15) && bound <= truth * (1.0 + 1e-14),
                "{greatest}: {bound:e} {truth:e}"
            );
        }
        assert_eq!(rule.survival(Law::Laplace, 1.0, 5.0), Ok(1.0));
        let reached = 5f64.next_down() - step / 2.0;
        assert_eq!(rule.survival(Law::Laplace, 1.0, reached), Ok(1.0), "no gap");
        assert_eq!(rule.survival(Law::Gaussian, 1.0, 5.0 - step / 4.0), Ok(1.0), "rounding alone may reach it");
        // Released floats coarser than the grid: the float before 2^60 is 128 below it, and all above the middle are
        // rounded to 2^60.
        let coarse = KeepRule::<Dyadic>::new(2f64.powi(60)).unwrap();
        let bound = coarse.survival(Law::Laplace, 10.0, 2f64.powi(60) - 256.0).unwrap();
        assert!(bound >= (-(256.0f64 - 64.0) / 10.0).exp() / 2.0, "{bound:e}");
        // Without noise.
        assert_eq!((rule.survival(Law::Laplace, 0.0, 4.9), rule.survival(Law::Gaussian, 0.0, 5.0)), (Ok(0.0), Ok(1.0)));
    }

    /// A key with 0 and an absent one are one and the same: noise on the former would give it away.
    #[test]
    fn a_key_with_nothing_is_never_released() {
        fn check<T: ThresholdAtom>(zero: T, one: T, threshold: T::Release) {
            let noise = T::Noise::of(Law::Laplace, Scale::new(100.0)).unwrap();
            let rule = KeepRule::<T>::new(threshold).unwrap();
            let map = BTreeMap::from([(0, zero), (1, one)]);
            let mut seen = 0;
            for seed in 0..100 {
                let mut entropy = crate::sampling::testing::SeededEntropy::new(seed);
                let release = rule.release(&map, &noise, &mut entropy).unwrap();
                assert!(!release.contains_key(&0));
                seen += release.len();
            }
            assert!((25..75).contains(&seen), "{seen} of 100, about half");
        }
        check(0i8, 1, 1);
        check(0u64, 1, 1);
        check(0f64, 1.0, 1.0);
        check(-0f64, 1.0, 1.0);
        check(Dyadic::new(0, 3).unwrap(), Dyadic::new(1, 0).unwrap(), 1.0);
    }

    /// Bounds do not depend on the type, except the grid of floats.
    #[test]
    fn every_type_has_the_bounds_of_its_kind() {
        for law in [Law::Laplace, Law::Gaussian] {
            for greatest in [0.0, 1.0, 3.5] {
                let wide = KeepRule::<i64>::new(9).unwrap().survival(law, 2.5, greatest).unwrap();
                assert!(wide > 0.0 && wide < 0.5);
                assert_eq!(KeepRule::<i8>::new(9).unwrap().survival(law, 2.5, greatest), Ok(wide));
                assert_eq!(KeepRule::<u128>::new(9).unwrap().survival(law, 2.5, greatest), Ok(wide));
                let float = KeepRule::<f64>::new(9.0).unwrap().survival(law, 2.5, greatest).unwrap();
                assert!(float > 0.0 && float < 0.5);
                assert_eq!(KeepRule::<Dyadic>::new(9.0).unwrap().survival(law, 2.5, greatest), Ok(float));
            }
        }
    }
}
