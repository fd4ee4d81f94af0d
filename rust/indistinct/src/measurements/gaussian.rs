//! `make_gaussian`: numbers with Gaussian noise.

use super::noise::{GaussianMetric, Law, Noise, NoiseDomain, Scale, half_square, map_of_ratio};
use crate::{
    core::{Fallible, Measure, Measurement, MetricSpace, RandomizedFunction, Sealed, ToParameter},
    measures::{GaussianDivergence, ZeroConcentratedDivergence},
};
use indistinct_derive::constructor;
use indistinct_numeric::Extended;
use indistinct_sampling::RoundedNoise;

/// Measures in which the loss of Gaussian noise is known.
#[allow(private_bounds)]
pub trait GaussianMeasure<N: Noise>: Sealed + Measure<Distance = f64> + ToParameter {
    /// The loss at a distance of so many scales, exactly.
    #[doc(hidden)]
    fn loss(ratio: &Extended) -> Fallible<Extended>;
}

impl<N: Noise> GaussianMeasure<N> for ZeroConcentratedDivergence {
    fn loss(ratio: &Extended) -> Fallible<Extended> {
        half_square(ratio)
    }
}

/// Not for integers: discrete Gaussian noise has no such loss at distance `scale mu`.
impl GaussianMeasure<RoundedNoise> for GaussianDivergence {
    fn loss(ratio: &Extended) -> Fallible<Extended> {
        Ok(ratio.clone())
    }
}

/// Add Gaussian noise to a number, or independently to each number of a vector.
///
/// Integers get discrete Gaussian noise, with `P(z)` proportional to `exp(-z^2 / (2 scale^2))`. Floats and exact sums
/// are released as the multiple of a power of two that is nearest to the number with ideal continuous noise, as if
/// computed in infinite precision; since rounding is post-processing, no correction is due. What leaves the range of
/// the released type saturates.
///
/// # Parameters
///
/// - `output_measure`: [`ZeroConcentratedDivergence`], or for numbers that are released on a grid also
///   [`GaussianDivergence`].
/// - `scale`: the standard deviation of the noise (for integers nearly so) in the data's own unit, finite and at least
///   0; a number, or a [`Scale`] to choose the grid as well.
///
/// # Privacy
///
/// `rho = (d_in / scale)^2 / 2`, the least float at or above it, with `d_in` the absolute or L2 distance (Bun,
/// Steinke 2016, Proposition 1.6;
/// Canonne, Kamath, Steinke 2020, Theorem 4 for integers). For continuous noise `mu = d_in / scale`, rounded up
/// alike (Dong, Roth, Su 2022,
/// Theorem 2.7), which says more. At scale 0 either is infinite, unless `d_in` is 0.
///
/// # Errors
///
/// A scale that is negative, infinite or NaN, or that names a grid for integers; numbers that may be NaN.
///
/// ```
/// use indistinct::prelude::*;
/// let counts = make_gaussian(VectorDomain::new(AtomDomain::i64()), L2Distance::new(), ZeroConcentratedDivergence, 2.0)?;
/// assert_eq!(counts.invoke(&[10, 20, 30])?.len(), 3);
/// assert_eq!(counts.map(&1.0)?, 0.125); // rho
///
/// let mean = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, 2.0)?;
/// assert_eq!(mean.map(&1.0)?, 0.5); // mu
/// # Ok::<(), Error>(())
/// ```
#[constructor(rebuilt((DI, MI, MO) = [
    (AtomDomain<i64>, AbsoluteDistance, ZeroConcentratedDivergence),
    (AtomDomain<i128>, AbsoluteDistance, ZeroConcentratedDivergence),
    (AtomDomain<Dyadic>, AbsoluteDistance, ZeroConcentratedDivergence),
    (AtomDomain<Dyadic>, AbsoluteDistance, GaussianDivergence),
    (VectorDomain<AtomDomain<i64>>, L2Distance, ZeroConcentratedDivergence),
    (VectorDomain<AtomDomain<i128>>, L2Distance, ZeroConcentratedDivergence),
    (VectorDomain<AtomDomain<Dyadic>>, L2Distance, ZeroConcentratedDivergence),
    (VectorDomain<AtomDomain<Dyadic>>, L2Distance, GaussianDivergence),
]))]
pub fn make_gaussian<DI: NoiseDomain, MI: GaussianMetric, MO: GaussianMeasure<DI::Noise>>(
    input_domain: DI,
    input_metric: MI,
    output_measure: MO,
    scale: impl Into<Scale> + ToParameter + Send + 'static,
) -> Fallible<Measurement<DI, DI::Release, MI, MO>>
where
    (DI, MI): MetricSpace,
{
    let scale = scale.into();
    let noise = DI::Noise::of(Law::Gaussian, scale)?;
    let measurement = Measurement::new(
        (input_domain, input_metric),
        output_measure,
        RandomizedFunction::new(move |value: &DI::Carrier, entropy| DI::add_noise(value, &noise, entropy)),
        map_of_ratio(scale, MO::loss),
    )?;
    Ok(measurement.with_deviation(DI::Noise::deviation(Law::Gaussian, scale)))
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn the_map_never_rounds_a_loss_away() {
        let gaussian = |scale: f64| {
            make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale).unwrap()
        };
        assert_eq!(gaussian(1.0).map(&1.0), Ok(0.5));
        assert_eq!((gaussian(1.0).map(&1e-200), gaussian(1.0).map(&5e-324)), (Ok(5e-324), Ok(5e-324)));
        assert_eq!(gaussian(1.0).map(&0.0), Ok(0.0));
        assert_eq!(gaussian(0.0).map(&1e-200), Ok(f64::INFINITY));
        let rho = gaussian(3.0).map(&1.0).unwrap();
        assert!(rho >= f64::from_bits(0x3fac_71c7_1c71_c71d), "1/18 rounded up");
    }

    #[test]
    fn bad_parameters_are_named() {
        for scale in [-1.0, f64::NAN, f64::INFINITY] {
            let error = make_gaussian(
                VectorDomain::new(AtomDomain::i32()),
                L2Distance::new(),
                ZeroConcentratedDivergence,
                scale,
            )
            .unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Parameter("scale"));
        }
    }
}
