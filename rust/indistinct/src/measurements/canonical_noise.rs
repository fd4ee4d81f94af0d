//! `make_canonical_noise`: the optimal additive noise for an (epsilon, delta) guarantee.

use super::noise::Scale;
use crate::{
    core::{Error, Fallible, Measurement, PrivacyMap, RandomizedFunction, require},
    domains::AtomDomain,
    measures::{Approximate, MaxDivergence},
    metrics::AbsoluteDistance,
};
use indistinct_derive::constructor;
use indistinct_numeric::{RoundedArithmetic, RoundedMath};
use indistinct_sampling::{self as sampling, RealNoise, RoundedNoise, Rule};

/// Adds the canonical noise for an `(epsilon, delta)` guarantee: the Tulap distribution, scaled to the sensitivity.
///
/// No other additive noise allows more powerful tests at the same guarantee (Awan, Vadhan 2021). The release is the
/// multiple of a power of two that is nearest to the number with ideal noise.
///
/// # Parameters
///
/// - `d_in`: the sensitivity for which the noise is made, positive and finite.
/// - `d_out`: the guarantee at that sensitivity: epsilon from `2^-40` to `2^10`, and delta from 0 to below 1.
///
/// # Privacy
///
/// The loss is at most `d_out` for distances up to `d_in`, and 0 at distance 0. For distances up to k times `d_in`, it
/// is the loss of a group of k units: `(k epsilon, k exp((k - 1) epsilon) delta)`, rounded up, with delta at most 1
/// (Dwork, Roth 2014, Theorem 2.2, in the form for delta).
///
/// # Errors
///
/// Returns an error if a parameter is out of range, or if numbers may be NaN.
///
/// ```
/// use indistinct::prelude::*;
/// let mean = make_canonical_noise(AtomDomain::f64(), AbsoluteDistance::new(), 0.5, (1.0, 1e-6))?;
/// let release: f64 = mean.invoke(&12.0)?;
/// assert_eq!(mean.map(&0.5)?, (1.0, 1e-6));
/// # let _ = release;
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("no step of a plan returns a single float"))]
pub fn make_canonical_noise(
    input_domain: AtomDomain<f64>,
    input_metric: AbsoluteDistance,
    d_in: f64,
    d_out: (f64, f64),
) -> Fallible<Measurement<AtomDomain<f64>, f64, AbsoluteDistance, Approximate<MaxDivergence>>> {
    require(d_in.is_finite() && d_in > 0.0, "d_in", "must be positive and finite")?;
    let (epsilon, delta) = d_out;
    let law = RealNoise::tulap(epsilon, delta).map_err(|error| match error {
        sampling::Error::Parameter(Rule::Epsilon) => {
            Error::parameter("d_out", "its epsilon must be from 2^-40 to 2^10")
        }
        sampling::Error::Parameter(Rule::Delta) => {
            Error::parameter("d_out", "its delta must be at least 0 and below 1")
        }
        other => other.into(),
    })?;
    let noise = RoundedNoise::new(law, d_in, Scale::new(d_in).grid())?;
    Measurement::new(
        (input_domain, input_metric),
        Approximate(MaxDivergence),
        RandomizedFunction::new(move |value: &f64, entropy| Ok(noise.add(*value, entropy)?)),
        PrivacyMap::new(move |&distance: &f64| {
            if distance == 0.0 {
                return Ok((0.0, 0.0));
            }
            if distance <= d_in {
                return Ok((epsilon, delta));
            }
            group(distance.inf_div(d_in)?.ceil(), epsilon, delta)
        }),
    )
}

/// Returns the guarantee for a group of k, at least 2.
fn group(k: f64, epsilon: f64, delta: f64) -> Fallible<(f64, f64)> {
    let more = k.inf_sub(1.0)?.inf_mul(epsilon)?;
    let group_delta = if delta == 0.0 { 0.0 } else { more.inf_exp()?.inf_mul(k)?.inf_mul(delta)?.min(1.0) };
    Ok((k.inf_mul(epsilon)?, group_delta))
}

#[cfg(test)]
mod tests {
    use super::group;
    use crate::{
        numeric::gmp::Rational,
        prelude::*,
        truth::{covers, real, sizes},
    };
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn each_step_is_rounded_up(k in 2u32..40, epsilon in sizes(-20, 1), delta in sizes(-60, -20)) {
            let (reported, failure) = group(k.into(), epsilon, delta).unwrap();
            prop_assert!(covers(reported, real(epsilon) * k), "{reported:e}");
            prop_assert!(covers(failure, ((real(epsilon) * (k - 1)).exp() * k * delta).min(&real(1.0))), "{failure:e}");
        }
    }

    /// Distances next to whole numbers of steps.
    #[test]
    fn groups_are_counted_up() {
        for step in [0.1, 0.3, 0.7, 1.1, 3.0] {
            let noise = make_canonical_noise(AtomDomain::f64(), AbsoluteDistance::new(), step, (1.0, 0.0)).unwrap();
            for k in 1u32..200 {
                for distance in [step * f64::from(k), (step * f64::from(k)).next_up()] {
                    let steps = (Rational::from_f64(distance).unwrap() / Rational::from_f64(step).unwrap()).ceil();
                    assert!(covers(noise.map(&distance).unwrap().0, steps), "{step} {distance:e}");
                }
            }
        }
    }

    #[test]
    fn maps() {
        let noise = |d_out| make_canonical_noise(AtomDomain::f64(), AbsoluteDistance::new(), 2.0, d_out).unwrap();
        let map = |d_in: f64| noise((0.5, 1e-3)).map(&d_in).unwrap();
        assert_eq!((map(0.0), map(1e-9), map(2.0)), ((0.0, 0.0), (0.5, 1e-3), (0.5, 1e-3)));
        let (epsilon, delta) = map(2.0f64.next_up());
        assert!(epsilon == 1.0 && delta >= 2e-3 * 0.5f64.exp() && delta < 2.001e-3 * 0.5f64.exp());
        assert_eq!(map(1e300).1, 1.0);
        assert_eq!(noise((0.5, 0.0)).map(&1e300).unwrap().1, 0.0);
    }

    #[test]
    fn bad_parameters_are_named() {
        let kind = |d_in, d_out| {
            make_canonical_noise(AtomDomain::f64(), AbsoluteDistance::new(), d_in, d_out).unwrap_err().kind()
        };
        for d_in in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(kind(d_in, (1.0, 0.0)), ErrorKind::Parameter("d_in"));
        }
        for d_out in [(0.0, 0.1), (2000.0, 0.1), (1.0, 1.0), (1.0, -0.1), (1.0, f64::NAN)] {
            assert_eq!(kind(1.0, d_out), ErrorKind::Parameter("d_out"));
        }
    }
}
