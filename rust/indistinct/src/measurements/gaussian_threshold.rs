//! `make_gaussian_threshold`: partition selection with Gaussian noise: releases the large numbers of unknown keys.

use super::{
    noise::{Law, Noise, half_square},
    threshold::{KeepRule, ThresholdAtom},
};
use crate::{
    core::{Deviation, Fallible, Measurement, PrivacyMap, RandomizedFunction},
    domains::{Atom, AtomDomain, MapDomain},
    measures::{Approximate, ZeroConcentratedDivergence},
    metrics::L02InfDistance,
};
use indistinct_derive::constructor;
use indistinct_numeric::{RoundedFrom, ToExtended};
use std::collections::BTreeMap;

/// Adds Gaussian noise to the number of each key (integers: discrete; floats and exact sums: rounded to a grid of some
/// 2^-32 of the scale), and releases each key whose noisy number is at least a threshold, with that number (partition
/// selection).
///
/// Like [`make_laplace_threshold`](super::make_laplace_threshold) with Gaussian noise. It needs less noise than Laplace
/// noise if one row, or one individual, may contribute to many keys.
///
/// # Parameters
///
/// - `scale`: approximately the standard deviation of the noise, with `P(z)` proportional to `exp(-z^2 / (2 scale^2))`,
///   finite and at least 0.
/// - `threshold`: the smallest noisy number that is released: at least 1 for integers; positive and finite for floats.
///
/// # Privacy
///
/// For `d_in = (keys, L2, greatest)`: `rho = (L2 / scale)^2 / 2`, and `delta = 1 - (1 - p)^keys`, both rounded up (Bun,
/// Steinke 2016, Definition 8.1; Canonne, Kamath, Steinke 2020, Theorem 4). Here p bounds from above the probability
/// that noise reaches `threshold - floor(greatest)` (floats: `threshold - greatest` less half a step of the grid and of
/// the float); if p is below one in fifty, it is too large by at most half a percent. If that difference is not
/// positive, p is 1. Numbers whose squares sum to at most `L2^2` cannot all be `greatest`, which reduces delta. Both
/// are 0 if any part of `d_in` is 0.
///
/// # Errors
///
/// Returns an error if the scale is negative, infinite or NaN, or if the threshold is below 1 for integers, or not
/// positive and finite for floats.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::string()), SymmetricDistance);
/// let histogram = (space >> then_count_by(L02InfDistance) >> then_gaussian_threshold(4.0, 30))?;
/// let rows = vec![String::from("tea"); 1000];
/// assert!(histogram.invoke(&rows)?.contains_key("tea"));
/// let (rho, delta) = histogram.map(&1)?;
/// assert!(rho == 0.03125 && delta < 1e-12);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_gaussian_threshold<K: Atom + Ord, T: ThresholdAtom>(
    input_domain: MapDomain<K, AtomDomain<T>>,
    input_metric: L02InfDistance,
    scale: f64,
    threshold: T::Release,
) -> Fallible<
    Measurement<
        MapDomain<K, AtomDomain<T>>,
        BTreeMap<K, T::Release>,
        L02InfDistance,
        Approximate<ZeroConcentratedDivergence>,
    >,
> {
    let noise = T::Noise::of(Law::Gaussian, scale.into())?;
    let rule = KeepRule::<T>::new(threshold)?;
    let same = rule.clone();
    let deviation = T::Noise::deviation(Law::Gaussian, scale.into());
    let measurement = Measurement::new(
        (input_domain, input_metric),
        Approximate(ZeroConcentratedDivergence),
        RandomizedFunction::new(move |map: &BTreeMap<K, T>, entropy| rule.release(map, &noise, entropy)),
        PrivacyMap::new(move |&(keys, norm, greatest): &(u32, f64, f64)| {
            if keys == 0 || norm == 0.0 || greatest == 0.0 {
                return Ok((0.0, 0.0));
            }
            let rho = half_square(&norm.to_extended()?.div(&scale.to_extended()?)?)?;
            Ok((f64::inf_from(&rho)?, same.delta(Law::Gaussian, scale, keys, norm, greatest)?))
        }),
    )?;
    Ok(measurement.with_deviation(Deviation::Kept(deviation.into())))
}

#[cfg(test)]
mod tests {
    use crate::{
        numeric::gmp::Rational,
        prelude::*,
        truth::{covers, sizes},
    };
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn each_step_is_rounded_up(norm in sizes(-3, 3), scale in sizes(-3, 3)) {
            let rho = gaussian(scale, 5).unwrap().map(&(1, norm, 1.0)).unwrap().0;
            let ratio = Rational::from_f64(norm).unwrap() / Rational::from_f64(scale).unwrap();
            prop_assert!(covers(rho, ratio.square() / 2u32), "{rho:e}");
        }
    }

    type Thresholded = Measurement<
        MapDomain<u8, AtomDomain<i128>>,
        BTreeMap<u8, i128>,
        L02InfDistance,
        Approximate<ZeroConcentratedDivergence>,
    >;

    fn gaussian(scale: f64, threshold: i128) -> Fallible<Thresholded> {
        let maps = MapDomain::new(AtomDomain::u8(), AtomDomain::i128());
        make_gaussian_threshold(maps, L02InfDistance, scale, threshold)
    }

    #[test]
    fn the_map_is_rounded_up() {
        let (rho, delta) = gaussian(3.0, 20).unwrap().map(&(1, 1.0, 1.0)).unwrap();
        assert!(rho >= f64::from_bits(0x3fac_71c7_1c71_c71d), "1/18 rounded up");
        assert!((2.923_335e-10..2.923_336e-10).contains(&delta), "{delta:e}");
        for zero in [(0, 1.0, 1.0), (1, 0.0, 1.0), (1, 1.0, 0.0)] {
            assert_eq!(gaussian(3.0, 20).unwrap().map(&zero), Ok((0.0, 0.0)), "{zero:?}");
        }
        assert_eq!(gaussian(1.0, 5).unwrap().map(&(2, 8.0, 5.0)), Ok((32.0, 1.0)));
        assert_eq!(gaussian(1.0, 5).unwrap().map(&(1, 5e-324, 5.0)), Ok((5e-324, 1.0)), "half of the least float");
        assert_eq!(gaussian(1.0, i128::MAX).unwrap().map(&(1, 1.0, f64::INFINITY)), Ok((0.5, 1.0)));
    }

    #[test]
    fn without_noise_the_threshold_decides_alone() {
        let exact = gaussian(0.0, 3).unwrap().accept_infinite_loss();
        let map = BTreeMap::from([(0, -7), (1, 2), (2, 3), (3, i128::MAX), (4, i128::MIN), (5, 0)]);
        assert_eq!(exact.invoke(&map), Ok(BTreeMap::from([(2, 3), (3, i128::MAX)])));
        assert_eq!(exact.map(&(1, 1.0, 1.0)), Ok((f64::INFINITY, 0.0)));
    }

    #[test]
    fn bad_parameters_are_named() {
        for scale in [-1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(gaussian(scale, 5).unwrap_err().kind(), ErrorKind::Parameter("scale"));
        }
        assert_eq!(gaussian(1.0, 0).unwrap_err().kind(), ErrorKind::Parameter("threshold"));
    }
}
