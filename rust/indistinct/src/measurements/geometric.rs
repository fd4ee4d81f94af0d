//! `make_geometric`: integers with two-sided geometric noise.

use super::noise::{IntegerAtom, Law, Noise, Scale, map_of_quotient};
use crate::{
    core::{Fallible, LossMap, Measurement, RandomizedFunction, ToParameter},
    domains::{AtomDomain, checked_bounds},
    measures::MaxDivergence,
    metrics::AbsoluteDistance,
};
use indistinct_derive::constructor;
use indistinct_sampling::IntegerNoise;

/// Adds two-sided geometric noise to an integer. With bounds, this is the truncated geometric mechanism.
///
/// `P(z)` is proportional to `exp(-|z| / scale)`, as for [`make_laplace`](super::make_laplace) on integers. With
/// bounds, the integer is clamped before the noise and the release after it, so the bounds collect the tails. Every
/// user can derive the best release for their own loss function from this mechanism (Ghosh, Roughgarden, Sundararajan
/// 2009). The time of a release depends on the noise alone.
///
/// # Parameters
///
/// - `scale`: the scale of the noise, finite and at least 0.
/// - `bounds`: the smallest and the largest release, or `None`.
///
/// # Privacy
///
/// `epsilon = d_in / scale`, rounded up. At scale 0 it is infinite, unless `d_in` is 0.
///
/// # Errors
///
/// Returns an error if the scale is negative, infinite or NaN, or if the bounds are out of order.
///
/// ```
/// use indistinct::prelude::*;
/// let votes = make_geometric(AtomDomain::i32(), AbsoluteDistance::new(), 2.0, Some((0, 100)))?;
/// let release: i32 = votes.invoke(&3)?;
/// assert!((0..=100).contains(&release));
/// assert_eq!(votes.map(&1.0)?, 0.5);
/// # Ok::<(), Error>(())
/// ```
#[constructor(rebuilt(T = [i64, i128]))]
pub fn make_geometric<T>(
    input_domain: AtomDomain<T>,
    input_metric: AbsoluteDistance,
    scale: f64,
    bounds: Option<(T, T)>,
) -> Fallible<Measurement<AtomDomain<T>, T, AbsoluteDistance, MaxDivergence>>
where
    T: IntegerAtom + ToParameter,
{
    let scale = Scale::new(scale);
    scale.validate(true)?;
    let bounds = bounds.map(checked_bounds).transpose()?;
    let noise = IntegerNoise::laplace(scale.value())?;
    let clamp = move |value: T| match &bounds {
        Some((lower, upper)) => value.clamp(lower.clone(), upper.clone()),
        None => value,
    };
    let measurement = Measurement::new(
        (input_domain, input_metric),
        MaxDivergence,
        RandomizedFunction::new(move |value: &T, entropy| Ok(clamp(clamp(value.clone()).add_noise(&noise, entropy)?))),
        map_of_quotient(scale),
    )?;
    let losses = LossMap::new(move |d_in: &f64| T::Noise::laplace_losses(scale.value(), *d_in));
    Ok(measurement.with_deviation(T::Noise::deviation(Law::Laplace, scale)).with_losses(losses))
}

#[cfg(test)]
mod tests {
    use crate::{prelude::*, sampling::testing::SeededEntropy};

    #[test]
    fn releases_stay_within_the_bounds_and_take_the_same_bits_for_every_input() {
        let bounded = make_geometric(AtomDomain::i64(), AbsoluteDistance::new(), 50.0, Some((-10, 10))).unwrap();
        for seed in 0..200 {
            let mut used = Vec::new();
            for value in [i64::MIN, -10, 0, 3, 10, i64::MAX] {
                let mut entropy = Counting(SeededEntropy::new(seed), 0);
                let release = bounded.invoke_with(&value, &mut entropy).unwrap();
                assert!((-10..=10).contains(&release));
                used.push(entropy.1);
            }
            assert!(used.windows(2).all(|pair| pair[0] == pair[1]), "{used:?}");
        }
    }

    /// Counts the bits that are drawn.
    struct Counting(SeededEntropy, u32);

    impl crate::sampling::Entropy for Counting {
        fn bits(&mut self, count: u32) -> Result<u64, crate::sampling::Error> {
            self.1 += count;
            self.0.bits(count)
        }
    }

    #[test]
    fn maps_and_bad_parameters() {
        let make = |scale, bounds| make_geometric(AtomDomain::i32(), AbsoluteDistance::new(), scale, bounds);
        assert_eq!(make(3.0, None).unwrap().map(&1.0), Ok((1f64 / 3.0).next_up()));
        assert_eq!(make(0.0, None).unwrap().map(&1.0), Ok(f64::INFINITY));
        assert_eq!(make(0.0, Some((1, 2))).unwrap().accept_infinite_loss().invoke(&7), Ok(2));
        assert_eq!(make(1.0, Some((2, 1))).unwrap_err().kind(), ErrorKind::Parameter("bounds"));
        for scale in [-1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(make(scale, None).unwrap_err().kind(), ErrorKind::Parameter("scale"));
        }
    }
}
