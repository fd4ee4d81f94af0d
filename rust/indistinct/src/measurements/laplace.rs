//! `make_laplace`: numbers with Laplace noise.

use super::noise::{LaplaceMetric, Law, Noise, NoiseDomain, Scale, map_of_quotient};
use crate::{
    core::{Fallible, LossMap, Measurement, MetricSpace, RandomizedFunction, ToParameter},
    measures::MaxDivergence,
};
use indistinct_derive::constructor;

/// Adds Laplace noise to a number, or independently to each number of a vector.
///
/// Integers get discrete Laplace noise, with `P(z)` proportional to `exp(-|z| / scale)`. Floats and exact sums are
/// released as the multiple of a power of two that is nearest to the number with ideal continuous noise, as if computed
/// with infinite precision. Rounding is post-processing, so it costs nothing. A value outside the range of the released
/// type saturates.
///
/// # Parameters
///
/// - `scale`: the scale of the noise in the data's own unit, finite and at least 0. It is a number, or a [`Scale`] that
///   also sets the grid. The noise has standard deviation `sqrt(2) scale`.
///
/// # Privacy
///
/// `epsilon = d_in / scale`, rounded up, with `d_in` the absolute or L1 distance (Dwork, McSherry, Nissim, Smith 2006;
/// Ghosh, Roughgarden, Sundararajan 2009 for integers). At scale 0 it is infinite, unless `d_in` is 0.
/// [`make_pureDP_to_PLD`](crate::combinators::make_pureDP_to_PLD) returns the privacy loss distribution of this noise,
/// which converts to a Renyi curve.
///
/// # Errors
///
/// Returns an error if the scale is negative, infinite or NaN, if it has a grid although the numbers are integers, or
/// if numbers may be NaN.
///
/// ```
/// use indistinct::{measurements::Scale, prelude::*};
/// let count = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 2.0)?;
/// let release: i64 = count.invoke(&100)?;
/// assert_eq!(count.map(&1.0)?, 0.5);
///
/// let vectors = VectorDomain::new(AtomDomain::f64());
/// let sums = make_laplace(vectors, L1Distance::new(), Scale::new(10.0).on_grid(-2))?;
/// assert!(sums.invoke(&[1.25, 3.5])?.iter().all(|release| (release * 4.0).fract() == 0.0));
/// # let _ = release;
/// # Ok::<(), Error>(())
/// ```
#[constructor(rebuilt((DI, MI) = [
    (AtomDomain<i64>, AbsoluteDistance),
    (AtomDomain<i128>, AbsoluteDistance),
    (AtomDomain<Dyadic>, AbsoluteDistance),
    (VectorDomain<AtomDomain<i64>>, L1Distance),
    (VectorDomain<AtomDomain<i128>>, L1Distance),
    (VectorDomain<AtomDomain<Dyadic>>, L1Distance),
]))]
pub fn make_laplace<DI: NoiseDomain, MI: LaplaceMetric>(
    input_domain: DI,
    input_metric: MI,
    scale: impl Into<Scale> + ToParameter + Send + 'static,
) -> Fallible<Measurement<DI, DI::Release, MI, MaxDivergence>>
where
    (DI, MI): MetricSpace,
{
    let scale = scale.into();
    let noise = DI::Noise::of(Law::Laplace, scale)?;
    let measurement = Measurement::new(
        (input_domain, input_metric),
        MaxDivergence,
        RandomizedFunction::new(move |value: &DI::Carrier, entropy| DI::add_noise(value, &noise, entropy)),
        map_of_quotient(scale),
    )?;
    let losses = LossMap::new(move |d_in: &f64| DI::Noise::laplace_losses(scale.value(), *d_in));
    Ok(measurement.with_deviation(DI::Noise::deviation(Law::Laplace, scale)).with_losses(losses))
}

#[cfg(test)]
mod tests {
    use crate::{measurements::Scale, prelude::*, sampling::testing::SeededEntropy};

    #[test]
    fn the_map_is_the_ratio_rounded_up() {
        let laplace = |scale: f64| make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale).unwrap();
        assert_eq!(laplace(3.0).map(&1.0), Ok((1f64 / 3.0).next_up()));
        assert_eq!(laplace(3.0).map(&5e-324), Ok(5e-324));
        assert_eq!(laplace(0.0).map(&0.0), Ok(0.0));
        assert_eq!(laplace(0.0).map(&5e-324), Ok(f64::INFINITY));
        assert_eq!(laplace(1e-10).map(&1e308), Ok(f64::INFINITY));
        assert!(laplace(1.0).map(&-1.0).is_err() && laplace(1.0).map(&f64::NAN).is_err());
    }

    #[test]
    fn releases_saturate_and_infinities_stay() {
        let mut entropy = SeededEntropy::new(5);
        let integers = make_laplace(AtomDomain::i8(), AbsoluteDistance::new(), 1e6).unwrap();
        let releases: Vec<i8> = (0..50).map(|_| integers.invoke_with(&0, &mut entropy).unwrap()).collect();
        assert!(releases.contains(&i8::MIN) && releases.contains(&i8::MAX));
        let floats = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 1e308).unwrap();
        assert!((0..50).all(|_| floats.invoke_with(&f64::MAX, &mut entropy).unwrap().is_finite()));
        assert_eq!(floats.invoke_with(&f64::INFINITY, &mut entropy), Ok(f64::INFINITY));
    }

    #[test]
    fn zero_is_released_without_a_sign() {
        let exact = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 0.0).unwrap().accept_infinite_loss();
        assert_eq!(exact.invoke(&-0.0).map(f64::to_bits), Ok(0));
        assert_eq!(exact.invoke(&0.1), Ok(0.1));
    }

    #[test]
    fn bad_parameters_are_named() {
        let vectors = || VectorDomain::new(AtomDomain::f64().with_nan());
        assert_eq!(
            make_laplace(vectors(), L1Distance::new(), 1.0).unwrap_err().kind(),
            ErrorKind::Parameter("input_domain")
        );
        for scale in [Scale::new(-1.0), Scale::new(f64::NAN), Scale::new(f64::INFINITY), Scale::new(1.0).on_grid(2)] {
            let error = make_laplace(AtomDomain::i32(), AbsoluteDistance::new(), scale).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Parameter("scale"));
        }
    }
}
