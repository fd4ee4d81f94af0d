//! Upper bounds on the tail probabilities of noise.

use super::noise::Law;
use crate::core::Fallible;
use indistinct_numeric::{RoundedArithmetic, RoundedMath};
use std::f64::consts::PI;

/// Returns an upper bound on `P(Z >= m)` for integer noise Z with a distribution and scale, and an integer m of at
/// least `least`, which is at least 1. The bound does not increase with `least`.
pub(crate) fn upper_tail(law: Law, scale: f64, least: f64) -> Fallible<f64> {
    match law {
        _ if scale == 0.0 => Ok(0.0),
        Law::Laplace => laplace(scale, least),
        Law::Gaussian => gaussian(scale, least),
    }
}

/// Returns an upper bound on `P(Z >= gap)` for continuous noise Z with a distribution and scale, and a positive gap.
/// The bound does not increase with the gap.
pub(crate) fn continuous_tail(law: Law, scale: f64, gap: f64) -> Fallible<f64> {
    match law {
        _ if scale == 0.0 => Ok(0.0),
        Law::Laplace => Ok((-gap.neg_inf_div(scale)?).inf_exp()?.inf_div(2.0)?),
        // The density's integral in units of the scale, over the root of two pi.
        Law::Gaussian => Ok(integral(1.0, gap.neg_inf_div(scale)?)?.inf_div((2.0 * PI).neg_inf_sqrt()?)?.min(1.0)),
    }
}

/// Returns `q^m / (1 + q)` with `q = exp(-1 / scale)`, rounded up.
fn laplace(scale: f64, least: f64) -> Fallible<f64> {
    let power = (-least.neg_inf_div(scale)?).inf_exp()?;
    let q = (-1f64.inf_div(scale)?).neg_inf_exp()?;
    Ok(power.inf_div(1f64.neg_inf_add(q)?)?)
}

/// This number of weights of the Gaussian tail are added one by one; an integral bounds the others.
const TERMS: usize = 128;

/// Returns the weights `g(z) = exp(-(z / scale)^2 / 2)` from m on, over those of all integers, rounded up.
fn gaussian(scale: f64, least: f64) -> Fallible<f64> {
    let (mut weights, mut z) = (0f64, least);
    for _ in 0..TERMS {
        weights = weights.inf_add(weight(scale, z)?)?;
        z = z.neg_inf_add(1.0)?;
    }
    // From `scale` on g is convex, so that g(z) is at most its mean from z - 1/2 to z + 1/2; before, at most that from
    // z - 1 to z, for g decreases.
    let half = z.neg_inf_sub(0.5)?;
    let from = if half >= scale { half } else { z.neg_inf_sub(1.0)? };
    let bound = weights.inf_add(integral(scale, from)?)?.inf_div(all_weights(scale)?)?;
    Ok(bound.min(1.0))
}

/// Returns `g(z)` for `z >= 0`, rounded up.
fn weight(scale: f64, z: f64) -> Fallible<f64> {
    let x = z.neg_inf_div(scale)?;
    Ok((-x.neg_inf_mul(x)?.neg_inf_div(2.0)?).inf_exp()?)
}

/// Returns an upper bound on the integral of g from `from` on. With `x = from / scale` it is `scale` times the integral
/// of `exp(-t^2 / 2)` from x on, which is at most `4 exp(-x^2 / 2) / (3 x + sqrt(x^2 + 8))` (Sampford 1953).
fn integral(scale: f64, from: f64) -> Fallible<f64> {
    let x = from.neg_inf_div(scale)?;
    let root = x.neg_inf_mul(x)?.neg_inf_add(8.0)?.neg_inf_sqrt()?;
    let mills = 4f64.inf_div(x.neg_inf_mul(3.0)?.neg_inf_add(root)?)?;
    Ok(weight(scale, from)?.inf_mul(scale)?.inf_mul(mills)?)
}

/// Returns a lower bound on the sum of g over all integers: the larger of the first terms of the sum itself, which are
/// nearly all of it for small scales, and the first terms of its Poisson summation `scale sqrt(2 pi) sum_k exp(-2 (pi
/// scale k)^2)`, for large scales.
fn all_weights(scale: f64) -> Fallible<f64> {
    let direct = symmetric_sum(1f64.inf_div(scale)?.inf_div(2f64.neg_inf_sqrt()?)?)?;
    // The f64 nearest to pi lies below it, and its successor above.
    let dual = symmetric_sum(PI.next_up().inf_mul(scale)?.inf_mul(2f64.inf_sqrt()?)?)?;
    let poisson = scale.neg_inf_mul((2.0 * PI).neg_inf_sqrt()?)?.neg_inf_mul(dual)?;
    Ok(direct.max(poisson))
}

/// Returns a lower bound on `1 + 2 exp(-r^2) + 2 exp(-(2 r)^2) + 2 exp(-(3 r)^2)`, for `r >= 0`.
fn symmetric_sum(r: f64) -> Fallible<f64> {
    [1f64, 2.0, 3.0].into_iter().try_fold(1f64, |sum, k| {
        let x = r.inf_mul(k)?;
        let term = (-x.inf_mul(x)?).neg_inf_exp()?;
        Ok(sum.neg_inf_add(term.neg_inf_mul(2.0)?)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{covers, real, sizes};
    use proptest::prelude::*;
    use rug::{Float, float::Constant};

    /// `g(z)`, exactly.
    fn exact_weight(scale: f64, z: &Float) -> Float {
        (-(z.clone() / scale).square() / 2u32).exp()
    }

    fn exact_integral(scale: f64, from: &Float) -> Float {
        let x = from.clone() / scale;
        let root = (x.clone().square() + 8u32).sqrt();
        exact_weight(scale, from) * scale * 4u32 / (x * 3u32 + root)
    }

    fn exact_symmetric_sum(r: &Float) -> Float {
        let term = |k: u32| (-(r.clone() * k).square()).exp() * 2u32;
        term(1) + term(2) + term(3) + 1u32
    }

    fn two_pi() -> Float {
        Float::with_val(400, Constant::Pi) * 2u32
    }

    fn exact_all_weights(scale: f64) -> Float {
        let direct = exact_symmetric_sum(&(real(2.0).sqrt() * scale).recip());
        let dual = exact_symmetric_sum(&(two_pi() * scale / real(2.0).sqrt()));
        direct.max(&(two_pi().sqrt() * scale * dual))
    }

    fn exact_gaussian(scale: f64, least: f64) -> Float {
        let mut z = real(least);
        let mut sum = real(0.0);
        for _ in 0..TERMS {
            sum += exact_weight(scale, &z);
            z += 1u32;
        }
        let half = z.clone() - 0.5;
        let from = if half >= scale { half } else { z - 1u32 };
        ((sum + exact_integral(scale, &from)) / exact_all_weights(scale)).min(&real(1.0))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn each_step_is_rounded_outward(scale in sizes(-3, 6), scales in sizes(-6, 6), r in sizes(-6, 1)) {
            let reach = scale * scales;
            prop_assert!(covers(weight(scale, reach).unwrap(), exact_weight(scale, &real(reach))));
            prop_assert!(covers(integral(scale, reach).unwrap(), exact_integral(scale, &real(reach))));
            prop_assert!(covers(-symmetric_sum(r).unwrap(), -exact_symmetric_sum(&real(r))));
            prop_assert!(covers(-all_weights(scale).unwrap(), -exact_all_weights(scale)));
            let q = real(scale).recip();
            let q = (-q).exp();
            prop_assert!(covers(laplace(scale, reach).unwrap(), (-real(reach) / scale).exp() / (1u32 + q)));
            let bound = continuous_tail(Law::Laplace, scale, reach).unwrap();
            prop_assert!(covers(bound, (-real(reach) / scale).exp() / 2u32));
            let bound = continuous_tail(Law::Gaussian, scale, reach).unwrap();
            let truth = exact_integral(1.0, &(real(reach) / scale)) / two_pi().sqrt();
            prop_assert!(covers(bound, truth.min(&real(1.0))));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        /// Few weights that count, many, and numbers too large to have a next.
        #[test]
        fn each_weight_is_rounded_up(scale in prop_oneof![sizes(-2, 2), sizes(8, 10), sizes(48, 54)], scales in sizes(-4, 5)) {
            let least = (scale * scales).ceil();
            prop_assert!(covers(gaussian(scale, least).unwrap(), exact_gaussian(scale, least)));
        }
    }

    /// The tail by its definition: a sum of floats, accurate to some 1e-13 of itself.
    fn by_definition(law: Law, scale: f64, m: u32) -> f64 {
        let weight = |z: u32| match law {
            Law::Laplace => (-f64::from(z) / scale).exp(),
            Law::Gaussian => (-(f64::from(z) / scale).powi(2) / 2.0).exp(),
        };
        let reach = |from: u32| (from..).map(weight).take_while(|&w| w > 1e-300).collect::<Vec<_>>();
        // The smallest first.
        let sum = |from: u32| reach(from).iter().rev().sum::<f64>();
        sum(m) / (1.0 + 2.0 * sum(1))
    }

    /// The expected values come from MPFR, which rounds each step of the formulas (Python, gmpy2). A step with the
    /// wrong rounding gives another float in one of these cases, except for halves and doubles, which are exact.
    #[test]
    fn each_step_to_the_last_digit() {
        assert_eq!(laplace(1.4684710833436443, 1.0), Ok(0.3360425265201919));
        assert_eq!(gaussian(0.43883621710619464, 4.0), Ok(7.911501851650072e-19));
        assert_eq!(gaussian(1707.7750950137943, 2119.0), Ok(0.10828912607845306));
        assert_eq!(gaussian(1.179426244665362e16, 9.70383000524522e16), Ok(9.551304623705445e-17));
        assert_eq!(gaussian(1.1780412562329373e17, 3.206335045089387e16), Ok(0.4203762137852203));
        assert_eq!(integral(2.6826933022460158, 7.6311570240119835), Ok(0.014964666957563148));
        assert_eq!(symmetric_sum(0.5458915783827468), Ok(3.228694137932223));
        assert_eq!(all_weights(0.46168059584759413), Ok(1.1917137451688427));
        assert_eq!(continuous_tail(Law::Gaussian, 2.6826933022460158, 7.6311570240119835), Ok(0.002225389818694501));
        assert_eq!(continuous_tail(Law::Laplace, 0.6627834591034834, 7.642160258741371), Ok(4.9133724932783896e-06));
    }

    #[test]
    fn never_below_the_truth_and_close_to_it() {
        for law in [Law::Laplace, Law::Gaussian] {
            for scale in [0.1, 0.3, 0.39, 0.4, 0.5, 0.75, 1.0, 2.5, 10.0, 40.0, 150.0, 1000.0] {
                for deviations in [0.0, 0.3, 1.0, 2.0, 4.0, 6.0, 9.0] {
                    let m: u32 = (1.0f64 + scale * deviations).floor().to_string().parse().unwrap();
                    let (truth, bound) = (by_definition(law, scale, m), upper_tail(law, scale, m.into()).unwrap());
                    if truth < 1e-250 {
                        continue;
                    }
                    assert!(bound >= truth * (1.0 - 1e-12), "{law:?} {scale} {m}: {bound:e} {truth:e}");
                    // The integral counts only where the first terms do not reach far, and is closest far out.
                    let near = if deviations < 2.0 {
                        0.15
                    } else if deviations < 4.0 {
                        0.005
                    } else {
                        5e-4
                    };
                    let slack = if law == Law::Gaussian && scale > 10.0 { near } else { 1e-9 };
                    assert!(bound <= truth * (1.0 + slack), "{law:?} {scale} {m}: {bound:e} {truth:e}");
                }
            }
        }
    }

    #[test]
    fn bounds_shrink_with_distance_at_every_scale() {
        for law in [Law::Laplace, Law::Gaussian] {
            for scale in [5e-324, 1e-200, 0.3, 1.0, 7.5, 100.0, 1e9, 1e200, f64::MAX] {
                let tails: Vec<f64> = [1.0, 2.0, 3.0, 10.0, 99.0, 100.0, 101.0, 1e9, 2f64.powi(60), 1e30, 1e300]
                    .map(|least| upper_tail(law, scale, least).unwrap())
                    .to_vec();
                assert!(tails.iter().all(|tail| (0.0..=1.0).contains(tail)), "{law:?} {scale}: {tails:?}");
                assert!(tails.is_sorted_by(|near, far| near >= far), "{law:?} {scale}: {tails:?}");
                assert!(tails.iter().all(|&tail| tail > 0.0), "an upper bound on a positive number is positive");
            }
            for none in [0.0, -0.0] {
                assert_eq!((upper_tail(law, none, 1.0), continuous_tail(law, none, 1.0)), (Ok(0.0), Ok(0.0)));
            }
        }
    }

    #[test]
    fn continuous_tails_by_references() {
        // Phi(-x), to 15 digits, from tables.
        for (x, truth) in [
            (0.5, 0.308_537_538_725_987),
            (1.0, 0.158_655_253_931_457),
            (3.0, 0.001_349_898_031_630_095),
            (6.0, 9.865_876_450_376_98e-10),
        ] {
            let bound = continuous_tail(Law::Gaussian, 2.0, 2.0 * x).unwrap();
            assert!(bound >= truth * (1.0 - 1e-13) && bound <= truth * 1.05, "{x}: {bound:e}");
            assert!(x < 3.0 || bound <= truth * 1.001, "{x}: {bound:e}");
        }
        let bound = continuous_tail(Law::Laplace, 2.0, 2.0).unwrap();
        assert!((0.183_939_720_585_721_1..0.183_939_720_585_722).contains(&bound));
        for law in [Law::Laplace, Law::Gaussian] {
            for scale in [5e-324, 1e-200, 1.0, 1e200, f64::MAX] {
                let tails =
                    [5e-324, 1e-3, 0.5, 1.0, 7.0, 1e9, 1e300].map(|gap| continuous_tail(law, scale, gap).unwrap());
                assert!(
                    tails.iter().all(|tail| *tail > 0.0 && *tail <= 1.0) && tails.is_sorted_by(|near, far| near >= far),
                    "{tails:?}"
                );
            }
        }
    }
}
