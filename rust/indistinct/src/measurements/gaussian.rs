//! `make_gaussian`: numbers with Gaussian noise.

use super::noise::{GaussianMetric, Law, Noise, NoiseDomain, Scale, half_square, map_of_ratio, per_distance, steps};
use crate::{
    core::{Fallible, Measure, Measurement, MetricSpace, PrivacyMap, RandomizedFunction, Sealed, ToParameter},
    measures::{
        CompositionMeasure, GaussianDivergence, PrivacyLossDistribution, PrivacyLossDivergence, RenyiCurve,
        RenyiDivergence, ZeroConcentratedDivergence,
    },
    metrics::AbsoluteDistance,
};
use indistinct_accounting::Sigma;
use indistinct_derive::constructor;
use indistinct_numeric::{RoundedFrom, ToExtended};
use indistinct_sampling::{IntegerNoise, RoundedNoise};

/// Measures for which the loss of Gaussian noise is known, for numbers with a given metric.
#[diagnostic::on_unimplemented(
    message = "no loss of Gaussian noise on these numbers is known under `{Self}`",
    label = "expects a measure such as `ZeroConcentratedDivergence`",
    note = "the measure comes before the scale: `then_gaussian(ZeroConcentratedDivergence, scale)`"
)]
#[allow(private_bounds)]
pub trait GaussianMeasure<N: Noise, MI: GaussianMetric>: Sealed + Measure + ToParameter {
    /// Returns the privacy map of noise with a scale.
    #[doc(hidden)]
    fn map(scale: Scale) -> PrivacyMap<MI, Self>;
}

impl<N: Noise, MI: GaussianMetric> GaussianMeasure<N, MI> for ZeroConcentratedDivergence {
    fn map(scale: Scale) -> PrivacyMap<MI, Self> {
        map_of_ratio(scale, half_square)
    }
}

/// Not for integers, because discrete Gaussian noise does not have this loss at distance `scale mu`.
impl<MI: GaussianMetric> GaussianMeasure<RoundedNoise, MI> for GaussianDivergence {
    fn map(scale: Scale) -> PrivacyMap<MI, Self> {
        map_of_ratio(scale, |ratio| Ok(ratio.clone()))
    }
}

/// The curve is the line of rho.
impl<N: Noise, MI: GaussianMetric> GaussianMeasure<N, MI> for RenyiDivergence {
    fn map(scale: Scale) -> PrivacyMap<MI, Self> {
        PrivacyMap::new(move |d_in: &f64| {
            if *d_in == 0.0 {
                return Ok(RenyiCurve::concentrated(0.0)?);
            }
            let ratio = d_in.to_extended()?.div(&scale.value().to_extended()?)?;
            Ok(RenyiCurve::concentrated(f64::inf_from(&half_square(&ratio)?)?)?)
        })
    }
}

impl<MI: GaussianMetric> GaussianMeasure<RoundedNoise, MI> for PrivacyLossDivergence {
    fn map(scale: Scale) -> PrivacyMap<MI, Self> {
        PrivacyMap::new(move |d_in: &f64| match per_distance(scale.value(), *d_in)? {
            Some(sigma) => Ok(PrivacyLossDistribution::gaussian(Sigma(sigma))?),
            None if *d_in == 0.0 => Ok(PrivacyLossDistribution::none()),
            None => Self::infinite(),
        })
    }
}

/// Supports a single integer only, because the worst shift of a given length is not known for a vector of integers.
impl GaussianMeasure<IntegerNoise, AbsoluteDistance> for PrivacyLossDivergence {
    fn map(scale: Scale) -> PrivacyMap<AbsoluteDistance, Self> {
        PrivacyMap::new(move |d_in: &f64| match steps(*d_in) {
            Some(0) => Ok(PrivacyLossDistribution::none()),
            Some(steps) if scale.value() > 0.0 => {
                Ok(PrivacyLossDistribution::discrete_gaussian(Sigma(scale.value()), steps)?)
            }
            _ => Self::infinite(),
        })
    }
}

/// Adds Gaussian noise to a number, or independently to each number of a vector.
///
/// Integers get discrete Gaussian noise, with `P(z)` proportional to `exp(-z^2 / (2 scale^2))`. Floats and exact sums
/// are released as the multiple of a power of two that is nearest to the number with ideal continuous noise, as if
/// computed with infinite precision. Rounding is post-processing, so it costs nothing. A value outside the range of the
/// released type saturates.
///
/// # Parameters
///
/// - `output_measure`: [`ZeroConcentratedDivergence`] or [`RenyiDivergence`]. For floats and exact sums also
///   [`GaussianDivergence`]; for these and for a single integer also [`PrivacyLossDivergence`].
/// - `scale`: the standard deviation of the noise (for integers approximately) in the data's own unit, finite and at
///   least 0. It is a number, or a [`Scale`] that also sets the grid.
///
/// # Privacy
///
/// `rho = (d_in / scale)^2 / 2`, rounded up to the smallest float at or above it, with `d_in` the absolute or L2
/// distance (Bun, Steinke 2016, Proposition 1.6; Canonne, Kamath, Steinke 2020, Theorem 4 for integers). For continuous
/// noise also `mu = d_in / scale`, rounded up in the same way (Dong, Roth, Su 2022, Theorem 2.7), which is a stronger
/// guarantee. At scale 0 both are infinite, unless `d_in` is 0. Renyi divergences are `rho` times the order. Privacy
/// loss distributions are the exact distributions for this noise; for an integer, they are known at scales from 2^-7 to
/// 2^40 and distances below 2^32.
///
/// # Errors
///
/// Returns an error if the scale is negative, infinite or NaN, if it has a grid although the numbers are integers, or
/// if numbers may be NaN. Under privacy loss distributions, the map of an integer fails at scales that the accountant
/// does not support.
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
    (AtomDomain<i64>, AbsoluteDistance, PrivacyLossDivergence),
    (AtomDomain<i128>, AbsoluteDistance, ZeroConcentratedDivergence),
    (AtomDomain<Dyadic>, AbsoluteDistance, ZeroConcentratedDivergence),
    (AtomDomain<Dyadic>, AbsoluteDistance, GaussianDivergence),
    (VectorDomain<AtomDomain<i64>>, L2Distance, ZeroConcentratedDivergence),
    (VectorDomain<AtomDomain<i128>>, L2Distance, ZeroConcentratedDivergence),
    (VectorDomain<AtomDomain<Dyadic>>, L2Distance, ZeroConcentratedDivergence),
    (VectorDomain<AtomDomain<Dyadic>>, L2Distance, GaussianDivergence),
]))]
pub fn make_gaussian<DI: NoiseDomain, MI: GaussianMetric, MO: GaussianMeasure<DI::Noise, MI>>(
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
        MO::map(scale),
    )?;
    Ok(measurement.with_deviation(DI::Noise::deviation(Law::Gaussian, scale)))
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use indistinct_accounting::{Delta, Epsilon, Sigma};

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
    fn losses_and_curves_of_the_noise() {
        type P = PrivacyLossDistribution;
        let real = |scale: f64| {
            make_gaussian(VectorDomain::new(AtomDomain::f64()), L2Distance::new(), PrivacyLossDivergence, scale)
                .unwrap()
        };
        assert_eq!((real(3.0).map(&1.5), real(3.0).map(&0.0)), (Ok(P::gaussian(Sigma(2.0)).unwrap()), Ok(P::none())));
        let nothing = P::approximate(Epsilon(0.0), Delta(1.0)).unwrap();
        assert_eq!((real(0.0).map(&1.0), real(0.0).map(&0.0)), (Ok(nothing.clone()), Ok(P::none())));
        assert_eq!(real(1.0).map(&f64::INFINITY), Ok(nothing.clone()));
        assert_eq!(real(1e200).map(&1e-200), Ok(P::gaussian(Sigma(1e100)).unwrap()));
        let whole = |scale: f64| {
            make_gaussian(AtomDomain::i64(), AbsoluteDistance::new(), PrivacyLossDivergence, scale).unwrap()
        };
        assert_eq!(whole(2.0).map(&1.5), Ok(P::discrete_gaussian(Sigma(2.0), 1).unwrap()));
        assert_eq!((whole(2.0).map(&0.5), whole(0.0).map(&0.5)), (Ok(P::none()), Ok(P::none())));
        assert_eq!((whole(0.0).map(&1.0), whole(2.0).map(&5e9)), (Ok(nothing.clone()), Ok(nothing)));
        assert_eq!(whole(1e6).map(&1e5), Ok(P::discrete_gaussian(Sigma(1e6), 100_000).unwrap()));
        assert!(whole(1e13).map(&1.0).is_err() && whole(1e-3).map(&1.0).is_err());
        assert!(whole(0.0).invoke(&1).is_err() && whole(2.0).invoke(&1).is_ok());
        let curve = make_gaussian(AtomDomain::i64(), AbsoluteDistance::new(), RenyiDivergence, 2.0).unwrap();
        assert_eq!(curve.map(&1.0), Ok(RenyiCurve::concentrated(0.125).unwrap()));
        assert_eq!(curve.map(&0.0), Ok(RenyiCurve::concentrated(0.0).unwrap()));
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
