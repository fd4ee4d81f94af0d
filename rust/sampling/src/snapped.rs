//! Laplace noise in floating-point arithmetic, snapped to a grid.

use crate::{Entropy, Error, Fallible, Rule, uniform::random_bits};
use indistinct_numeric::Dyadic;
use rug::{Float, Integer, Rational, float::Round};

/// The noise of the snapping mechanism (Mironov 2012): `clamp(snap(clamp(shift) + sign * scale * ln(U)))`. Every
/// operation is in floats of 53 bits, rounded to the nearest. `snap` rounds to the nearest multiple of the smallest
/// power of two that is at least the scale, with ties rounded up.
///
/// U is a float below 1 whose probability is the size of its last place, with an exponent of any size. Sums, products
/// and logarithms are correctly rounded, and exponents have no lower limit. A draw takes microseconds.
///
/// ```
/// use indistinct_sampling::{OsEntropy, SnappedNoise};
/// let noise = SnappedNoise::new(3.0, 100.0)?;
/// let release = noise.add(12.3, &mut OsEntropy::new())?;
/// assert_eq!(release % 4.0, 0.0);
/// # Ok::<(), indistinct_sampling::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SnappedNoise {
    precision: u32,
    scale: Float,
    bound: Float,
    /// The grid is `2^grid`.
    grid: i32,
}

impl SnappedNoise {
    /// Makes noise of a scale. Numbers and releases are clamped to `-bound` to `bound`.
    ///
    /// # Errors
    ///
    /// Returns an error unless the scale is positive and finite, and the bound is above it and below `2^46` times it.
    pub fn new(scale: f64, bound: f64) -> Fallible<Self> {
        Self::with_precision(scale, bound, 53)
    }

    /// Like `new`, in floats of another precision, for enumeration. The scale and the bound must fit in it.
    pub(crate) fn with_precision(scale: f64, bound: f64, precision: u32) -> Fallible<Self> {
        if !(scale.is_finite() && scale > 0.0) {
            return Err(Error::Parameter(Rule::PositiveScale));
        }
        let exact = Dyadic::from_f64(scale)?;
        // Compare exactly: the bound may be as large as the greatest float.
        let ratio = Rational::from_f64(bound).ok_or(Error::Parameter(Rule::SnappingBound))? / exact.to_gmp_rational();
        if ratio <= 1 || ratio >= 1u64 << 46 {
            return Err(Error::Parameter(Rule::SnappingBound));
        }
        // The mantissa of a `Dyadic` is odd: 1 for a power of two.
        let bits = i32::try_from(exact.gmp_mantissa().significant_bits()).map_err(|_| Error::Range)?;
        let grid = exact.exponent() + if bits == 1 { 0 } else { bits };
        let float = |x: f64| Float::with_val(precision, x);
        Ok(Self { precision, scale: float(scale), bound: float(bound), grid })
    }

    /// Returns the exponent of the grid of releases: the smallest power of two that is at least the scale. The two ends
    /// need not lie on the grid.
    pub fn grid(&self) -> i32 {
        self.grid
    }

    /// Returns `shift` with noise, clamped and snapped.
    ///
    /// # Errors
    ///
    /// Returns an error if `shift` is NaN, or if the entropy fails.
    pub fn add(&self, shift: f64, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<f64> {
        if shift.is_nan() {
            return Err(Error::Range);
        }
        let negative = entropy.bit()?;
        let uniform = self.uniform(entropy)?;
        Ok(self.snap(&self.clamp(Float::with_val(self.precision, shift)), &uniform, negative).to_f64())
    }

    /// Draws a float below 1 whose probability is the size of its last place: `m 2^-e` with m from 1 to 2 and `e >= 1`,
    /// each e half as likely as the one before.
    fn uniform(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Float> {
        /// More zeros in a row than a fair source gives.
        const MAX_ZEROS: u32 = 1 << 16;
        let mut zeros = 0;
        while !entropy.bit()? {
            zeros += 1;
            if zeros > MAX_ZEROS {
                return Err(Error::Entropy);
            }
        }
        let mantissa = random_bits(self.precision - 1, entropy)? | (Integer::from(1) << (self.precision - 1));
        Ok(Float::with_val(self.precision, mantissa) >> (self.precision + zeros))
    }

    /// Returns the release for a shift within the bounds, a uniform number and a sign.
    pub(crate) fn snap(&self, shift: &Float, uniform: &Float, negative: bool) -> Float {
        // Each step rounds to the nearest float of this precision. MPFR's range of exponents is never reached.
        let ln = Float::with_val(self.precision, uniform.ln_ref());
        let noise = Float::with_val(self.precision, &self.scale * &ln);
        let noise = if negative { -noise } else { noise };
        let sum = Float::with_val(self.precision, shift + &noise);
        // floor(sum / grid + 1/2) grid, exactly.
        let steps = sum
            .to_rational()
            .map_or_else(Integer::new, |sum| Integer::from(((sum >> self.grid) + Rational::from((1, 2))).floor_ref()));
        self.clamp(Float::with_val_round(self.precision, steps, Round::Zero).0 << self.grid)
    }

    fn clamp(&self, x: Float) -> Float {
        let end = Float::with_val(self.precision, &self.bound);
        if x > end {
            end
        } else if x < Float::with_val(self.precision, -&end) {
            -end
        } else {
            // A zero may have a sign, which does not survive: the noise that is added is never 0.
            x
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{BitTape, SeededEntropy};
    use std::collections::BTreeMap;

    /// The distribution of releases at a shift, from all U with a given number of exponents, in floats with a given
    /// number of bits.
    fn law(noise: &SnappedNoise, shift: f64, exponents: u32) -> BTreeMap<String, f64> {
        let mut law = BTreeMap::new();
        let shift = noise.clamp(Float::with_val(noise.precision, shift));
        for exponent in 1..=exponents {
            for mantissa in 0..1u32 << (noise.precision - 1) {
                let whole = mantissa + (1 << (noise.precision - 1));
                let uniform = Float::with_val(noise.precision, whole) >> (noise.precision + exponent - 1);
                let weight = 0.5f64.powi(i32::try_from(exponent + noise.precision).unwrap());
                for negative in [false, true] {
                    *law.entry(noise.snap(&shift, &uniform, negative).to_f64().to_string()).or_insert(0.0) += weight;
                }
            }
        }
        law
    }

    /// The greatest log-ratio of two distributions at centers a distance of at most 1 apart, on a grid of quarters.
    fn worst_log_ratio(noise: &SnappedNoise, bound: i32, exponents: u32) -> f64 {
        worst_of_laws(bound, |shift| law(noise, shift, exponents))
    }

    fn worst_of_laws(bound: i32, law: impl Fn(f64) -> BTreeMap<String, f64>) -> f64 {
        let laws: Vec<_> = (-4 * bound..=4 * bound).map(|center| law(f64::from(center) / 4.0)).collect();
        let mut worst = 0f64;
        for (i, one) in laws.iter().enumerate() {
            for other in laws.iter().skip(i + 1).take(4) {
                for (release, p) in one {
                    worst = worst.max(other.get(release).map_or(f64::INFINITY, |q| (p / q).ln().abs()));
                }
            }
        }
        worst
    }

    /// Values that were computed independently, in floats of ten bits.
    #[test]
    fn small_floats_give_the_loss_that_was_computed_elsewhere() {
        let rounded = |x: f64| Float::with_val(10, x).to_f64();
        for (scale, bound, expected) in [(1.0, 4, 1.0047016892), (rounded(1.9), 8, 0.5386506595)] {
            let noise = SnappedNoise::with_precision(scale, f64::from(bound), 10).unwrap();
            let worst = worst_log_ratio(&noise, bound, 40);
            assert!((worst - expected).abs() < 1e-6, "{scale}: {worst}");
        }
    }

    /// What a slip makes of it: uniform numbers on a grid of their own, releases that are not snapped, and a grid finer
    /// than the scale.
    #[test]
    fn negative_controls_lose_more() {
        let noise = || SnappedNoise::with_precision(1.0, 4.0, 10).unwrap();
        let on_a_grid = |shift: f64| {
            let (noise, mut law) = (noise(), BTreeMap::new());
            for k in 1..=1u32 << 10 {
                for negative in [false, true] {
                    let uniform = Float::with_val(10, k) >> 10u32;
                    let release = noise.snap(&Float::with_val(10, shift), &uniform, negative);
                    *law.entry(release.to_f64().to_string()).or_insert(0.0) += 0.5f64.powi(11);
                }
            }
            law
        };
        assert_eq!(worst_of_laws(4, on_a_grid), f64::INFINITY);
        assert_eq!(worst_log_ratio(&SnappedNoise { grid: -40, ..noise() }, 4, 4), f64::INFINITY);
        let scale = Float::with_val(10, 1.9).to_f64();
        let coarse = SnappedNoise::with_precision(scale, 8.0, 10).unwrap();
        let sound = worst_log_ratio(&coarse, 8, 16);
        let fine = worst_log_ratio(&SnappedNoise { grid: coarse.grid() - 2, ..coarse }, 8, 16);
        assert!(fine > sound * 1.01, "{fine} {sound}");
    }

    #[test]
    fn grids_are_exact_powers_of_two() {
        for (scale, grid) in [
            (1.0, 0),
            (1.0f64.next_up(), 1),
            (2.0f64.next_down(), 1),
            (f64::MIN_POSITIVE, -1022),
            (3.0 * 5e-324, -1072),
        ] {
            assert_eq!(SnappedNoise::new(scale, scale * 1e3).unwrap().grid(), grid, "{scale}");
        }
    }

    #[test]
    fn releases_lie_on_the_grid_and_within_the_bounds() {
        let mut entropy = SeededEntropy::new(51);
        let noise = SnappedNoise::new(3.0, 50.0).unwrap();
        for shift in [0.0, -0.0, 1e300, f64::INFINITY, f64::NEG_INFINITY, 49.9, 5e-324] {
            for _ in 0..200 {
                let release = noise.add(shift, &mut entropy).unwrap();
                assert!(release.abs() == 50.0 || release % 4.0 == 0.0 && release.abs() < 50.0, "{release}");
                assert!(release != 0.0 || release.is_sign_positive());
            }
        }
        assert!(noise.add(f64::NAN, &mut entropy).is_err());
        let huge = SnappedNoise::new(1e300, f64::MAX).unwrap();
        assert!((0..200).all(|_| huge.add(f64::MAX, &mut entropy).unwrap().is_finite()));
        let tiny = SnappedNoise::new(5e-324, 5e-320).unwrap();
        assert!((0..200).all(|_| tiny.add(1.0, &mut entropy).unwrap().abs() <= 5e-320));
    }

    #[test]
    fn uniform_floats_have_an_exponent_of_their_zeros_and_a_mantissa_of_bits() {
        let noise = SnappedNoise::with_precision(1.0, 4.0, 4).unwrap();
        let draw = |bits: &[bool]| noise.uniform(&mut BitTape::new(bits)).map(|float| float.to_f64());
        assert_eq!(draw(&[true, false, false, false]), Ok(0.5));
        assert_eq!(draw(&[true, true, true, true]), Ok(15.0 / 16.0));
        assert_eq!(draw(&[false, false, true, true, false, true]), Ok(13.0 / 64.0));
        assert_eq!(draw(&[false, true, true, true]), Err(Error::Entropy));
        assert_eq!(draw(&vec![false; (1 << 16) + 9]), Err(Error::Entropy));
        let mut tape = vec![false; 1 << 16];
        tape.extend([true; 4]);
        assert!(noise.uniform(&mut BitTape::new(&tape)).is_ok_and(|float| float > 0));
    }

    #[test]
    fn numbers_beyond_the_bounds_are_the_bounds() {
        let noise = SnappedNoise::with_precision(1.0, 4.0, 20).unwrap();
        for (x, clamped) in [(5.0, 4.0), (4.0, 4.0), (3.5, 3.5), (-0.25, -0.25), (-4.0, -4.0), (-4.25, -4.0)] {
            let result = noise.clamp(Float::with_val(20, x));
            assert!(result == clamped && result.is_sign_negative() == (clamped < 0.0), "{x}");
        }
    }

    #[test]
    fn bounds_out_of_range_are_refused() {
        for bound in [1.0, 2f64.powi(46), 0.5, f64::NAN, f64::INFINITY, -3.0] {
            assert_eq!(
                SnappedNoise::new(1.0, bound).map(|_| ()),
                Err(Error::Parameter(Rule::SnappingBound)),
                "{bound}"
            );
        }
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(
                SnappedNoise::new(scale, 10.0).map(|_| ()),
                Err(Error::Parameter(Rule::PositiveScale)),
                "{scale}"
            );
        }
    }
}
