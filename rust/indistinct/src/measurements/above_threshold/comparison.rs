//! Exact comparison of noisy values with a noisy threshold.

use crate::{
    core::Fallible,
    domains::Number,
    measurements::noise::{Law, Noise, Scale},
};
use indistinct_numeric::{
    Dyadic, Extended, RoundedFrom,
    gmp::{Integer, Rational},
};
use indistinct_sampling::{Entropy, IntegerNoise, Real, RealNoise, gmp::LazyReal};

/// Numbers that can be compared with a threshold under Laplace noise.
#[allow(private_bounds)]
pub trait ComparedNumber: Number {
    /// Discrete Laplace noise for integers. Laplace noise for other numbers. The comparison draws as many of its digits
    /// as it needs.
    #[doc(hidden)]
    type Noise: ComparedNoise<Self>;
}

/// Laplace noise of one scale.
pub trait ComparedNoise<T>: Send + Sync + Sized + 'static {
    /// A threshold with its drawn noise.
    type Threshold: Send + 'static;
    /// Makes the noise of a scale.
    fn of_scale(scale: f64) -> Fallible<Self>;
    /// Returns the threshold with a draw of this noise.
    fn threshold(&self, threshold: &T, entropy: &mut dyn Entropy) -> Fallible<Self::Threshold>;
    /// Returns true if the value with a draw of this noise is at least the threshold with its noise.
    fn reaches(&self, value: &T, threshold: &mut Self::Threshold, entropy: &mut dyn Entropy) -> Fallible<bool>;
}

macro_rules! impl_integers {
    ($($integer:ty),+) => {$(
        impl ComparedNumber for $integer {
            type Noise = IntegerNoise;
        }

        /// Sums are integers of any size, so they cannot overflow.
        impl ComparedNoise<$integer> for IntegerNoise {
            type Threshold = Integer;

            fn of_scale(scale: f64) -> Fallible<Self> {
                Noise::of(Law::Laplace, Scale::new(scale))
            }

            fn threshold(&self, threshold: &$integer, entropy: &mut dyn Entropy) -> Fallible<Integer> {
                Ok(self.draw_gmp(entropy)? + *threshold)
            }

            fn reaches(&self, value: &$integer, threshold: &mut Integer, entropy: &mut dyn Entropy) -> Fallible<bool> {
                Ok(self.draw_gmp(entropy)? + *value >= *threshold)
            }
        }
    )+};
}

impl_integers!(i8, i16, i32, i64, i128, u8, u16, u32, u64, u128);

/// Laplace noise on the real numbers.
#[derive(Debug)]
pub struct RealComparison(Rational);

/// A threshold at `at + scale * noise`; the first digits of the noise are known.
pub struct RealThreshold {
    at: Rational,
    scale: Rational,
    noise: Real,
}

/// Returns the closed interval that contains `at + scale * noise` by the known digits.
fn interval(at: &Rational, scale: &Rational, noise: &Real) -> Option<(Rational, Rational)> {
    let (low, high) = noise.enclosure()?;
    Some((low * scale + at, high * scale + at))
}

impl<T: Number> ComparedNoise<T> for RealComparison {
    type Threshold = RealThreshold;

    fn of_scale(scale: f64) -> Fallible<Self> {
        Scale::new(scale).validate(false)?;
        Ok(Self(Dyadic::from_f64(scale)?.to_gmp_rational()))
    }

    fn threshold(&self, threshold: &T, entropy: &mut dyn Entropy) -> Fallible<RealThreshold> {
        let at = Rational::exact_from(threshold)?;
        Ok(RealThreshold { at, scale: self.0.clone(), noise: RealNoise::laplace().draw(entropy)? })
    }

    /// Infinite values are compared without noise, because each is infinitely far from all others.
    fn reaches(&self, value: &T, threshold: &mut RealThreshold, entropy: &mut dyn Entropy) -> Fallible<bool> {
        let value = match value.to_extended()? {
            Extended::Infinity => return Ok(true),
            Extended::NegInfinity => return Ok(false),
            Extended::Finite(value) => value,
        };
        let mut noise = RealNoise::laplace().draw(entropy)?;
        loop {
            if let Some((low, high)) = interval(&threshold.at, &threshold.scale, &threshold.noise)
                && let Some((least, greatest)) = interval(&value, &self.0, &noise)
            {
                if least >= high {
                    return Ok(true);
                }
                if greatest < low {
                    return Ok(false);
                }
            }
            noise.refine(entropy)?;
            threshold.noise.refine(entropy)?;
        }
    }
}

macro_rules! impl_reals {
    ($($real:ty),+) => {$(
        impl ComparedNumber for $real {
            type Noise = RealComparison;
        }
    )+};
}

impl_reals!(f64, f32, Dyadic);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::testing::SeededEntropy;

    fn reaches<T: ComparedNumber>(value: T, threshold: T, scales: (f64, f64), seed: u64) -> bool {
        let mut entropy = SeededEntropy::new(seed);
        let noise = |scale| T::Noise::of_scale(scale).unwrap();
        let mut threshold = noise(scales.0).threshold(&threshold, &mut entropy).unwrap();
        noise(scales.1).reaches(&value, &mut threshold, &mut entropy).unwrap()
    }

    #[test]
    fn without_noise_the_comparison_is_exact() {
        let exact = |value, threshold| reaches::<f64>(value, threshold, (0.0, 0.0), 1);
        assert!(exact(0.1, 0.1) && !exact(0.1, 0.1f64.next_up()) && exact(-0.0, 0.0) && exact(0.0, -0.0));
        assert!(exact(f64::MAX, f64::MAX) && !exact(0.0, 5e-324) && exact(5e-324, 0.0));
        assert!(reaches::<i64>(i64::MAX, i64::MAX, (0.0, 0.0), 1) && !reaches(i64::MIN, i64::MAX, (0.0, 0.0), 1));
        assert!(!reaches::<u64>((1 << 53) + 1, (1 << 53) + 2, (0.0, 0.0), 1));
    }

    #[test]
    fn infinite_values_are_compared_without_noise() {
        for seed in 0..50 {
            assert!(reaches(f64::INFINITY, 0.0, (1e300, 1e300), seed));
            assert!(!reaches(f64::NEG_INFINITY, 0.0, (1e300, 1e300), seed));
        }
    }

    #[test]
    fn nothing_wraps_at_the_ends_of_a_type() {
        // With noise far beyond the type, each side wins about half of the time: below 10 of 200 has probability below
        // 1e-30.
        let wins = (0..200).filter(|seed| reaches(i8::MIN, i8::MAX, (1e6, 1e6), *seed)).count();
        assert!((10..190).contains(&wins), "{wins}");
        let wins = (0..200).filter(|seed| reaches(u8::MIN, u8::MAX, (1e30, 1e30), *seed)).count();
        assert!((10..190).contains(&wins), "{wins}");
    }

    /// `P(x + s Y >= X)` for X, Y Laplace of scale 1 and s, by the density of their difference. Hoeffding at 1e-9.
    #[test]
    fn the_share_of_wins_is_that_of_real_laplace_noise() {
        let draws = 100_000u32;
        let bound = (f64::ln(2e9) / (2.0 * f64::from(draws))).sqrt();
        // For scales a != b the tail at t > 0 is (a^2 exp(-t/a) - b^2 exp(-t/b)) / (2 (a^2 - b^2)).
        let (a, b, t) = (1.0f64, 2.0f64, 1.5f64);
        let tail = (a * a * (-t / a).exp() - b * b * (-t / b).exp()) / (2.0 * (a * a - b * b));
        let share = |scales: (f64, f64)| {
            let win = |seed| f64::from(u32::from(reaches(0.0, t, scales, seed)));
            (0..u64::from(draws)).map(win).sum::<f64>() / f64::from(draws)
        };
        assert!((share((a, b)) - tail).abs() < bound);
        // A negative control: one of the two draws left out.
        assert!((share((0.0, b)) - tail).abs() > bound && (share((a, 0.0)) - tail).abs() > bound);
    }

    /// Noise does not depend on the type.
    #[test]
    fn small_integers_compare_as_large_ones_do() {
        let mut wins = 0;
        for seed in 0..200 {
            for (value, threshold) in [(0i8, 0), (5, 9), (9, 5), (-128, -125), (-3, 3), (127, -128)] {
                let wide = reaches(i64::from(value), i64::from(threshold), (3.0, 5.0), seed);
                assert_eq!(reaches(value, threshold, (3.0, 5.0), seed), wide);
                wins += u32::from(wide && value == threshold);
            }
        }
        assert!((80..160).contains(&wins), "ties are won: {wins} of 200");
    }
}
