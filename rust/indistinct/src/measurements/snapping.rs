//! `make_snapping`: the snapping mechanism.

use crate::{
    core::{Fallible, Measurement, PrivacyMap, RandomizedFunction},
    domains::AtomDomain,
    measures::MaxDivergence,
    metrics::AbsoluteDistance,
};
use indistinct_derive::constructor;
use indistinct_numeric::{RoundedArithmetic, RoundedMath};
use indistinct_sampling::SnappedNoise;

/// Adds Laplace noise in floating-point arithmetic, and snaps the sum to a grid so coarse that it hides the errors of
/// the arithmetic.
///
/// [`make_laplace`](super::make_laplace) rounds ideal noise and is better in every respect. Use this mechanism only if
/// you need Mironov's mechanism (2012): `clamp(snap(clamp(x) + S scale ln(U)))` with a fair sign S and a uniform float
/// U. Each operation is rounded to the nearest float of 53 bits, `snap` rounds to the nearest multiple of the least
/// power of two that is at least the scale, and `clamp` limits to `-bound` and `bound`.
///
/// # Parameters
///
/// - `scale`: the scale of the noise in the data's own unit, positive and finite.
/// - `bound`: the largest size of a release, above the scale and below `2^46` times it.
///
/// # Privacy
///
/// `epsilon = d_in / scale + ln((1 + r) / (1 - r))`, rounded up, where the second term covers the errors of the
/// arithmetic: `r = 2.164 (exp(2^-53 (5.1 bound / scale + 5.1)) - 1)`, so it is about `2^-53 (22.1 bound / scale +
/// 22.1)`. Epsilon is 0 at `d_in = 0`. (Mironov 2012, Theorem 1. Its term `12 bound 2^-53 / scale + 2 2^-53` is smaller
/// than its proof supports.)
///
/// # Errors
///
/// Returns an error if the scale is not positive and finite, if the bound is out of range, or if numbers may be NaN.
///
/// ```
/// use indistinct::prelude::*;
/// let mean = make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), 2.0, 1000.0)?;
/// let release: f64 = mean.invoke(&123.4)?;
/// assert_eq!(release % 2.0, 0.0);
/// assert!(mean.map(&1.0)? > 0.5 && mean.map(&1.0)? < 0.5 + 1e-11);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("no step of a plan returns a single float"))]
pub fn make_snapping(
    input_domain: AtomDomain<f64>,
    input_metric: AbsoluteDistance,
    scale: f64,
    bound: f64,
) -> Fallible<Measurement<AtomDomain<f64>, f64, AbsoluteDistance, MaxDivergence>> {
    let noise = SnappedNoise::new(scale, bound)?;
    let arithmetic = loss_of_arithmetic(bound.inf_div(scale)?)?;
    Measurement::new(
        (input_domain, input_metric),
        MaxDivergence,
        RandomizedFunction::new(move |value: &f64, entropy| Ok(noise.add(*value, entropy)?)),
        PrivacyMap::new(
            move |&d_in: &f64| {
                if d_in == 0.0 { Ok(0.0) } else { Ok(d_in.inf_div(scale)?.inf_add(arithmetic)?) }
            },
        ),
    )
}

/// Returns `ln((1 + r) / (1 - r))`, rounded up, for a bound of `scales` scales.
fn loss_of_arithmetic(scales: f64) -> Fallible<f64> {
    // 2^-53: half a unit in the last place of 1.
    const HALF_ULP: f64 = f64::EPSILON / 2.0;
    let exponent = scales.inf_mul(5.1)?.inf_add(5.1)?.inf_mul(HALF_ULP)?;
    // coth(1/2) is 2.16395….
    let r = exponent.inf_exp_m1()?.inf_mul(2.164)?;
    Ok(1f64.inf_add(r)?.inf_div(1f64.neg_inf_sub(r)?)?.inf_ln()?)
}

#[cfg(test)]
mod tests {
    use super::loss_of_arithmetic;
    use crate::{
        prelude::*,
        truth::{covers, real, sizes},
    };
    use proptest::prelude::*;
    use rug::Float;

    /// The formula of the map, for a bound given as a number of scales.
    fn exact_loss(scales: Float) -> Float {
        let exponent: Float = (scales * 5.1 + real(5.1)) >> 53u32;
        let r = exponent.exp_m1() * real(2.164);
        ((r.clone() + 1u32) / (1u32 - r)).ln()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        /// Where the arithmetic costs next to nothing, and where it costs the most that it may.
        #[test]
        fn each_step_is_rounded_up(scale in sizes(-3, 3), scales in prop_oneof![sizes(1, 20), sizes(40, 45)], d_in in sizes(-40, 3)) {
            let loss = loss_of_arithmetic(scales).unwrap();
            prop_assert!(covers(loss, exact_loss(real(scales))), "{loss:e}");
            let bound = scale * scales;
            let epsilon = make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), scale, bound).unwrap().map(&d_in).unwrap();
            prop_assert!(covers(epsilon, real(d_in) / scale + exact_loss(real(bound) / scale)), "{epsilon:e}");
        }
    }

    /// As MPFR rounds each step, in python (gmpy2): any that is turned around gives another float.
    #[test]
    fn each_step_to_the_last_digit() {
        let map = |scale, bound, d_in: f64| {
            make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), scale, bound).unwrap().map(&d_in)
        };
        assert_eq!(map(1.9794702412371459, 32075966008213.406, 0.5659581621680362), Ok(0.32581184101741517));
    }

    #[test]
    fn the_map_charges_the_arithmetic() {
        for (scale, bound) in [(1.0, 1024.0), (1.0, 2f64.powi(40)), (3.0, 2f64.powi(46)), (0.1, 0.11)] {
            let snapping = make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), scale, bound).unwrap();
            let mironov = (1.0 + 12.0 * bound * 2f64.powi(-53)) / scale + 2f64.powi(-52);
            let epsilon = snapping.map(&1.0).unwrap();
            assert!(
                epsilon > mironov && epsilon < mironov + 30.0 * 2f64.powi(-53) * (bound / scale + 1.0),
                "{scale} {bound}"
            );
            assert_eq!(snapping.map(&0.0), Ok(0.0));
        }
        assert!(loss_of_arithmetic(2f64.powi(46)).unwrap() < 0.2);
    }

    #[test]
    fn bad_parameters_are_named() {
        let kind =
            |scale, bound| make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), scale, bound).unwrap_err().kind();
        for bound in [1.0, 2f64.powi(46), 0.5, f64::NAN, f64::INFINITY] {
            assert_eq!(kind(1.0, bound), ErrorKind::Parameter("bound"));
        }
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(kind(scale, 10.0), ErrorKind::Parameter("scale"));
        }
        // The rule in the error is the one that is enforced.
        let error = make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), 0.0, 10.0).unwrap_err();
        assert_eq!(error.to_string(), "parameter scale: must be positive and finite");
        assert!(make_snapping(AtomDomain::f64().with_nan(), AbsoluteDistance::new(), 1.0, 10.0).is_err());
    }
}
