//! The common parts of additive mechanisms: scales, grids, and numbers to which noise can be added.

use crate::{
    core::{Deviation, Domain, Fallible, Measure, Owned, Parameter, PrivacyMap, Sealed, ToParameter, Width, require},
    domains::{AtomDomain, Number, VectorDomain},
    measures::{CompositionMeasure, PrivacyLossDistribution, PrivacyLossDivergence, losses_of_pair},
    metrics::{AbsoluteDistance, L1Distance, L2Distance, SensitivityMetric},
};
use indistinct_numeric::{Dyadic, Extended, RoundedArithmetic, RoundedFrom, Rounding, ToExtended, gmp::Integer};
use indistinct_sampling::{Entropy, IntegerNoise, RoundedNoise};

/// The amount of noise: a scale in the data's own unit and, unless the data are integers, the grid of the release.
///
/// A plain `f64` is a scale with the default grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    value: f64,
    k: Option<i32>,
}

impl Scale {
    /// The default grid is about `2^-32` of the scale: the power of two with exponent `floor(log2(scale)) - 32`, and at
    /// least `2^-1074`. It is far finer than the noise, so rounding to it loses nothing useful.
    const GRID_BELOW_SCALE: i32 = 32;

    /// Makes a scale in the data's own unit.
    pub fn new(value: f64) -> Self {
        Self { value, k: None }
    }

    /// Sets the grid of releases to multiples of `2^k`, for k from -1074 to 1023. Integers are released as integers,
    /// without a grid.
    pub fn on_grid(self, k: i32) -> Self {
        Self { k: Some(k), ..self }
    }

    /// Returns the scale.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Returns the exponent of the grid on which floats are released.
    pub fn grid(&self) -> i32 {
        // The biased exponent; it is 0 for subnormal scales, whose grid is the finest there is.
        let default = match i32::try_from((self.value.to_bits() >> 52) & 0x7ff) {
            Ok(0) | Err(_) => MIN_GRID,
            Ok(biased) => (biased - 1023 - Self::GRID_BELOW_SCALE).max(MIN_GRID),
        };
        self.k.unwrap_or(default)
    }

    /// Returns an error if this is not a scale for integers, or for numbers that are not integers.
    pub(crate) fn validate(&self, integers: bool) -> Fallible<()> {
        require(!self.value.is_nan(), "scale", "must not be NaN")?;
        require(self.value >= 0.0, "scale", "must not be negative")?;
        require(self.value.is_finite(), "scale", "must be finite")?;
        require(!integers || self.k.is_none(), "scale", "integers are released without a grid")?;
        let k = self.k.unwrap_or(0);
        require((MIN_GRID..=MAX_GRID).contains(&k), "scale", "the exponent of the grid must be from -1074 to 1023")
    }
}

/// The exponents of the smallest subnormal f64 and of the largest power of two in f64.
const MIN_GRID: i32 = -1074;
const MAX_GRID: i32 = 1023;

impl From<f64> for Scale {
    fn from(value: f64) -> Self {
        Self::new(value)
    }
}

impl ToParameter for Scale {
    fn to_parameter(&self) -> Parameter {
        match self.k {
            None => self.value.to_parameter(),
            Some(k) => (self.value, format!("grid 2^{k}")).to_parameter(),
        }
    }
}

/// The shape of the noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    Laplace,
    Gaussian,
}

impl Law {
    fn deviation(self, width: Width) -> Deviation {
        match self {
            Law::Laplace => Deviation::Laplace(width),
            Law::Gaussian => Deviation::Gaussian(width),
        }
    }
}

/// Noise on integers, or on numbers that are released on a grid.
#[allow(private_interfaces)] // how it is made is the library's own business
pub trait Noise: Clone + Send + Sync + 'static {
    /// Makes noise with a distribution and scale. Returns an error if the scale breaks a rule.
    #[doc(hidden)]
    fn of(law: Law, scale: Scale) -> Fallible<Self>;
    /// Returns the distribution of the noise's size.
    #[doc(hidden)]
    fn deviation(law: Law, scale: Scale) -> Deviation;
    /// Returns the privacy loss distribution of Laplace noise on numbers that change by at most `d_in` in total.
    #[doc(hidden)]
    fn laplace_losses(scale: f64, d_in: f64) -> Fallible<PrivacyLossDistribution>;
}

#[allow(private_interfaces)]
impl Noise for IntegerNoise {
    fn of(law: Law, scale: Scale) -> Fallible<Self> {
        scale.validate(true)?;
        Ok(match law {
            Law::Laplace => IntegerNoise::laplace(scale.value)?,
            Law::Gaussian => IntegerNoise::gaussian(scale.value)?,
        })
    }

    fn deviation(law: Law, scale: Scale) -> Deviation {
        law.deviation(Width { scale: scale.value, grid: None })
    }

    /// Integers change by a whole number of steps. Where the accountant has no distribution, the losses are those of
    /// epsilon.
    fn laplace_losses(scale: f64, d_in: f64) -> Fallible<PrivacyLossDistribution> {
        match steps(d_in) {
            Some(0) => Ok(PrivacyLossDistribution::none()),
            Some(steps) if LOSSES_OF.contains(&scale) => {
                Ok(PrivacyLossDistribution::discrete_laplace(indistinct_accounting::Scale(scale), steps)?)
            }
            _ => losses_of_pair(d_in.inf_div(scale)?, 0.0),
        }
    }
}

#[allow(private_interfaces)]
impl Noise for RoundedNoise {
    fn of(law: Law, scale: Scale) -> Fallible<Self> {
        scale.validate(false)?;
        Ok(match law {
            Law::Laplace => RoundedNoise::laplace(scale.value, scale.grid())?,
            Law::Gaussian => RoundedNoise::gaussian(scale.value, scale.grid())?,
        })
    }

    fn deviation(law: Law, scale: Scale) -> Deviation {
        law.deviation(Width { scale: scale.value, grid: Some(scale.grid()) })
    }

    fn laplace_losses(scale: f64, d_in: f64) -> Fallible<PrivacyLossDistribution> {
        Ok(match per_distance(scale, d_in)? {
            Some(scale) => PrivacyLossDistribution::laplace(indistinct_accounting::Scale(scale))?,
            None if d_in == 0.0 => PrivacyLossDistribution::none(),
            None => PrivacyLossDivergence::infinite()?,
        })
    }
}

/// Numbers to which noise can be added.
pub trait NoiseAtom: Number {
    /// The type of the release.
    type Release: Clone + Send + Sync + 'static;
    /// The noise that is added.
    type Noise: Noise;
    /// Returns the number with noise, converted to the type of the release by a function of the noisy number alone.
    fn add_noise(&self, noise: &Self::Noise, entropy: &mut dyn Entropy) -> Fallible<Self::Release>;
}

/// Integers, of up to 128 bits.
#[allow(private_bounds)]
pub trait IntegerAtom: NoiseAtom<Noise = IntegerNoise, Release = Self> + Ord {
    /// The sum with an integer that was drawn, which saturates at the ends of the type.
    #[doc(hidden)]
    fn saturating_sum(&self, drawn: Integer) -> Self;
}

macro_rules! impl_integers {
    ($($integer:ty),+) => {$(
        /// The noisy integer saturates at the ends of the type.
        impl NoiseAtom for $integer {
            type Release = $integer;
            type Noise = IntegerNoise;

            fn add_noise(&self, noise: &IntegerNoise, entropy: &mut dyn Entropy) -> Fallible<$integer> {
                Ok(self.saturating_sum(noise.draw_gmp(entropy)?))
            }
        }

        impl IntegerAtom for $integer {
            fn saturating_sum(&self, drawn: Integer) -> $integer {
                let noisy = drawn + *self;
                let end = if noisy < 0 { <$integer>::MIN } else { <$integer>::MAX };
                <$integer>::try_from(noisy).unwrap_or(end)
            }
        }
    )+};
}

impl_integers!(i8, i16, i32, i64, i128, u8, u16, u32, u64, u128);

macro_rules! impl_floats {
    ($($float:ty, $add:expr;)+) => {$(
        /// The noisy number is rounded to the nearest float and saturates at the largest finite one. An infinity is
        /// released unchanged, because it is infinitely far from every other value.
        impl NoiseAtom for $float {
            type Release = $float;
            type Noise = RoundedNoise;

            fn add_noise(&self, noise: &RoundedNoise, entropy: &mut dyn Entropy) -> Fallible<$float> {
                $add(*self, noise, entropy)
            }
        }
    )+};
}

impl_floats! {
    f64, |value: f64, noise: &RoundedNoise, entropy: &mut dyn Entropy| Ok(noise.add(value, entropy)?);
    f32, add_to_f32;
}

fn add_to_f32(value: f32, noise: &RoundedNoise, entropy: &mut dyn Entropy) -> Fallible<f32> {
    if value.is_infinite() {
        return Ok(value);
    }
    let noisy = noise.add_exact(&Dyadic::from_f64(value.into())?, entropy)?;
    Ok(f32::nearest_from(&noisy)?.clamp(f32::MIN, f32::MAX))
}

/// The noisy number is rounded to the nearest f64 and saturates at the largest finite one.
impl NoiseAtom for Dyadic {
    type Release = f64;
    type Noise = RoundedNoise;

    fn add_noise(&self, noise: &RoundedNoise, entropy: &mut dyn Entropy) -> Fallible<f64> {
        Ok(noise.add_exact(self, entropy)?.to_f64().clamp(f64::MIN, f64::MAX))
    }
}

/// Domains of numbers, and of vectors of numbers, to which noise can be added.
#[allow(private_bounds)]
pub trait NoiseDomain: Sealed + Domain {
    /// The type of the release.
    type Release: Clone + Send + Sync + 'static;
    /// The noise that is added.
    type Noise: Noise;
    /// Returns the value with independent noise on each of its numbers.
    fn add_noise(value: &Self::Carrier, noise: &Self::Noise, entropy: &mut dyn Entropy) -> Fallible<Self::Release>;
}

impl<T: NoiseAtom> NoiseDomain for AtomDomain<T> {
    type Release = T::Release;
    type Noise = T::Noise;

    fn add_noise(value: &T, noise: &T::Noise, entropy: &mut dyn Entropy) -> Fallible<T::Release> {
        value.add_noise(noise, entropy)
    }
}

impl<T: NoiseAtom> NoiseDomain for VectorDomain<AtomDomain<T>> {
    type Release = Vec<T::Release>;
    type Noise = T::Noise;

    fn add_noise(
        value: &[Owned<AtomDomain<T>>],
        noise: &T::Noise,
        entropy: &mut dyn Entropy,
    ) -> Fallible<Vec<T::Release>> {
        value.iter().map(|number| number.add_noise(noise, entropy)).collect()
    }
}

/// Metrics for which the loss of Laplace noise is known: the absolute distance and L1.
#[diagnostic::on_unimplemented(
    message = "no loss of Laplace noise is known for the metric `{Self}`",
    label = "Laplace noise needs `AbsoluteDistance` for a number or `L1Distance` for a vector",
    note = "for rows, count or sum first, such as by `then_count`",
    note = "for `L2Distance`, use Gaussian noise: `make_gaussian`"
)]
pub trait LaplaceMetric: SensitivityMetric {}
impl LaplaceMetric for AbsoluteDistance {}
impl LaplaceMetric for L1Distance {}

/// Metrics for which the loss of Gaussian noise is known: the absolute distance and L2.
#[diagnostic::on_unimplemented(
    message = "no loss of Gaussian noise is known for the metric `{Self}`",
    label = "Gaussian noise needs `AbsoluteDistance` for a number or `L2Distance` for a vector",
    note = "for rows, count or sum first, such as by `then_count`",
    note = "for `L1Distance`, use Laplace noise: `make_laplace`"
)]
pub trait GaussianMetric: SensitivityMetric {}
impl GaussianMetric for AbsoluteDistance {}
impl GaussianMetric for L2Distance {}

/// Returns a privacy map that is a rational function of `d_in / scale`, computed as a fraction and rounded up once. It
/// is 0 at `d_in = 0`, and otherwise infinite at scale 0.
pub(crate) fn map_of_ratio<MI: SensitivityMetric, MO: Measure<Distance = f64>>(
    scale: Scale,
    loss: fn(&Extended) -> Fallible<Extended>,
) -> PrivacyMap<MI, MO> {
    PrivacyMap::new(move |d_in: &f64| {
        let d_in = d_in.to_extended()?;
        if d_in.is_zero() {
            return Ok(0.0);
        }
        Ok(f64::inf_from(&loss(&d_in.div(&scale.value.to_extended()?)?)?)?)
    })
}

/// Returns a privacy map that is `d_in / scale`, rounded up once by `inf_div`. It is 0 at `d_in = 0`, and otherwise
/// infinite at scale 0.
pub(crate) fn map_of_quotient<MI: SensitivityMetric, MO: Measure<Distance = f64>>(scale: Scale) -> PrivacyMap<MI, MO> {
    PrivacyMap::new(move |d_in: &f64| if *d_in == 0.0 { Ok(0.0) } else { Ok(d_in.inf_div(scale.value)?) })
}

/// The scales for which the accountant has privacy loss distributions.
const LOSSES_OF: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

/// Returns the largest whole number of steps between two integers at this distance; `None` from 2^32 on, where there
/// are no privacy loss distributions.
pub(crate) fn steps(d_in: f64) -> Option<u32> {
    if d_in < f64::from(u32::MAX) + 1.0 { u32::from_rounded(&d_in, Rounding::Down).ok() } else { None }
}

/// Returns the scale in units of the distance, rounded down and limited to the largest supported scale, because less
/// noise has a larger loss. Returns `None` at distance 0, and if the noise is too small to guarantee anything.
pub(crate) fn per_distance(scale: f64, d_in: f64) -> Fallible<Option<f64>> {
    if d_in == 0.0 {
        return Ok(None);
    }
    let scale = scale.neg_inf_div(d_in)?.min(*LOSSES_OF.end());
    Ok(LOSSES_OF.contains(&scale).then_some(scale))
}

/// Returns half of the square, which is rho for a distance of `ratio` scales.
pub(crate) fn half_square(ratio: &Extended) -> Fallible<Extended> {
    Ok(ratio.mul(ratio)?.div(&2.0.to_extended()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_grids() {
        assert_eq!(Scale::new(1.0).grid(), -32);
        assert_eq!(Scale::new(1.999).grid(), -32);
        assert_eq!(Scale::new(0.5).grid(), -33);
        assert_eq!(Scale::new(0.0).grid(), -1074);
        assert_eq!(Scale::new(5e-324).grid(), -1074);
        assert_eq!(Scale::new(f64::MAX).grid(), 991);
        assert_eq!(Scale::new(1.0).on_grid(3).grid(), 3);
    }

    #[test]
    fn a_scale_has_its_value_and_noise_of_it_is_added_to_each_kind_of_float() {
        use crate::{prelude::*, sampling::testing::SeededEntropy};
        assert_eq!((Scale::new(2.5).value(), Scale::from(0.5).on_grid(3).value()), (2.5, 0.5));
        // Wide and single floats have the same noise, up to the last rounding.
        let wide = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 2.5).unwrap();
        let single = make_laplace(AtomDomain::f32(), AbsoluteDistance::new(), 2.5).unwrap();
        let mut releases = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let [at, from] = [1000.5f32, -3.25].map(|x| {
                let wide = wide.invoke_with(&x.into(), &mut SeededEntropy::new(seed)).unwrap();
                let single = single.invoke_with(&x, &mut SeededEntropy::new(seed)).unwrap();
                assert!((f64::from(single) - wide).abs() <= 1e-4, "{single} {wide}");
                single
            });
            assert!((at - 1000.5).abs() < 100.0 && (from + 3.25).abs() < 100.0);
            releases.insert(at.to_bits());
        }
        assert!(releases.len() > 150);
        let infinite = single.invoke_with(&f32::NEG_INFINITY, &mut SeededEntropy::new(1));
        assert_eq!(infinite, Ok(f32::NEG_INFINITY));
        let huge = make_laplace(AtomDomain::f32(), AbsoluteDistance::new(), 1e30).unwrap();
        assert!((0..50).all(|seed| huge.invoke_with(&f32::MAX, &mut SeededEntropy::new(seed)).unwrap().is_finite()));
    }

    #[test]
    fn bad_scales_are_refused() {
        for value in [-1.0, f64::NAN, f64::INFINITY, -5e-324] {
            assert!(Scale::new(value).validate(false).is_err(), "{value}");
        }
        assert!(Scale::new(1.0).on_grid(-1075).validate(false).is_err());
        assert!(Scale::new(1.0).on_grid(0).validate(true).is_err());
        assert!(Scale::new(0.0).validate(true).is_ok() && Scale::new(-0.0).validate(false).is_ok());
    }

    /// Small types release what wide ones do, at most their ends; exact numbers what floats do.
    #[test]
    fn every_number_is_added_to_and_saturates() {
        use crate::sampling::testing::SeededEntropy;
        let noise = IntegerNoise::of(Law::Laplace, Scale::new(60.0)).unwrap();
        let floats = RoundedNoise::of(Law::Gaussian, Scale::new(60.0)).unwrap();
        for seed in 0..100 {
            let entropy = || SeededEntropy::new(seed);
            for x in [-128i8, -100, -7, 0, 7, 100, 127] {
                let wide = i64::from(x).add_noise(&noise, &mut entropy()).unwrap();
                assert_eq!(x.add_noise(&noise, &mut entropy()).map(i64::from), Ok(wide.clamp(-128, 127)));
                let unsigned = x.unsigned_abs().add_noise(&noise, &mut entropy()).unwrap();
                let wide = i64::from(x.unsigned_abs()).add_noise(&noise, &mut entropy()).unwrap();
                assert_eq!(i64::from(unsigned), wide.clamp(0, 255));
                let (number, exact) = (f64::from(x) / 4.0, Dyadic::new(x, -2).unwrap());
                let number = number.add_noise(&floats, &mut entropy()).unwrap();
                assert!((exact.add_noise(&floats, &mut entropy()).unwrap() - number).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn every_number_of_a_vector_has_noise_of_its_own() {
        use crate::prelude::*;
        let vectors = VectorDomain::new(AtomDomain::i64());
        let noisy = |scale| make_laplace(vectors.clone(), L1Distance::new(), scale).unwrap().accept_infinite_loss();
        assert_eq!(noisy(0.0).invoke(&[3, -1, 2]), Ok(vec![3, -1, 2]));
        let release = noisy(1e9).invoke(&[0; 4]).unwrap();
        assert_eq!(release.iter().collect::<std::collections::BTreeSet<_>>().len(), 4);
    }
}
