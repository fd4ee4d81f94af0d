//! Staircase noise on integers.

use crate::{
    Entropy, Error, Fallible, IntegerNoise, Rule,
    lazy::{LazyUniform, exp},
    uniform_below_u64,
};
use indistinct_numeric::{BigInt, gmp};
use rug::{Integer, Rational};

/// Integers z with probability proportional to `exp(-epsilon k)`, where k is the number of the step on which `|z|` lies
/// (Geng, Viswanath 2014): step 0 has the sizes below `split`, and each further step the next `width` sizes.
///
/// One word decides whether a draw lies on step 0, where it is uniform. Otherwise the draw has a fair sign, a geometric
/// number of steps and a uniform place on the last step. If the word does not decide, more digits are drawn, which
/// happens less than once in 10^19 draws.
///
/// ```
/// use indistinct_sampling::{OsEntropy, StaircaseNoise};
/// let noise = StaircaseNoise::new(10, 3, 2.0)?;
/// let z = noise.draw(&mut OsEntropy::new())?;
/// # let _ = z;
/// # Ok::<(), indistinct_sampling::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct StaircaseNoise {
    width: u64,
    split: u64,
    epsilon: Rational,
    /// The probability of step 0 in units of 2^-64, rounded down; the true probability is less than one unit above.
    center: u64,
    steps: IntegerNoise,
}

impl StaircaseNoise {
    /// Makes noise with steps of `width` integers, the first of which begins at `split`.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Parameter`] unless epsilon is from `2^-40` to `2^10`, and [`Error::Range`] unless the width is
    /// from 1 to `2^52` and the split from 1 to the width.
    pub fn new(width: u64, split: u64, epsilon: f64) -> Fallible<Self> {
        const MAX_PRECISION: u32 = 1 << 14;
        let bound = |exponent: i32| Rational::from(1) << exponent;
        let valid = Rational::from_f64(epsilon).filter(|e| *e >= bound(-40) && *e <= bound(10));
        let epsilon = valid.ok_or(Error::Parameter(Rule::Epsilon))?;
        if !(1..=1 << 52).contains(&width) || !(1..=width).contains(&split) {
            return Err(Error::Range);
        }
        let steps = IntegerNoise::geometric(epsilon.clone().recip())?;
        let mut noise = Self { width, split, epsilon, center: 0, steps };
        let mut precision = 192;
        while precision <= MAX_PRECISION {
            let (low, high) = noise.probability_of_center(precision)?;
            let low = Integer::from(Rational::from(&low << 64u32).floor_ref());
            // The probability is irrational, so that some precision tells it from each multiple of 2^-64.
            if Rational::from(&high << 64u32) <= Integer::from(&low + 1u32) {
                noise.center = low.to_u64().ok_or(Error::Range)?;
                return Ok(noise);
            }
            precision *= 2;
        }
        Err(Error::Range)
    }

    /// Draws an integer. Its size is below `2^115`, except with probability below `exp(-2^22)`, which counts as a
    /// failure of the source.
    pub fn draw(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<BigInt> {
        Ok(gmp::big_int(&self.draw_gmp(entropy)?))
    }

    #[doc(hidden)]
    pub fn draw_gmp(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Integer> {
        if self.is_center(64, entropy)? {
            let place = uniform_below_u64(2 * self.split - 1, entropy)?;
            return Ok(Integer::from(place) - (self.split - 1));
        }
        let negative = entropy.bit()?;
        let steps = self.steps.draw_i64(entropy)?;
        if steps >= 1 << 62 {
            return Err(Error::Entropy);
        }
        let place = uniform_below_u64(self.width, entropy)?;
        let size = Integer::from(steps) * self.width + self.split + place;
        Ok(if negative { -size } else { size })
    }

    /// True with the probability of step 0, first by so many digits of a uniform number, from 1 to 64.
    fn is_center(&self, digits: u32, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<bool> {
        let word = entropy.bits(digits)?;
        // The number lies between word and word + 1 units of 2^-digits, the probability between these two of 2^-64.
        match word.cmp(&(self.center >> (64 - digits))) {
            std::cmp::Ordering::Less => Ok(true),
            std::cmp::Ordering::Greater => Ok(false),
            std::cmp::Ordering::Equal => self.decide(LazyUniform::from_word(word << (64 - digits), digits), entropy),
        }
    }

    /// True if a uniform number lies below the probability of step 0, by as many digits as it takes.
    #[cold]
    fn decide(&self, mut number: LazyUniform, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<bool> {
        loop {
            let (least, greatest) = self.probability_of_center(number.count() + 3 * LazyUniform::STEP)?;
            let (low, high) = number.enclosure();
            if high <= least {
                return Ok(true);
            }
            if low >= greatest {
                return Ok(false);
            }
            number.refine(entropy)?;
        }
    }

    /// `c (1 - b) / (c (1 - b) + 2 width b)`, enclosed, for the `c = 2 split - 1` integers of step 0 and
    /// `b = exp(-epsilon)`: it falls with b.
    fn probability_of_center(&self, precision: u32) -> Fallible<(Rational, Rational)> {
        let (low, high) = exp(-self.epsilon.clone(), precision);
        let (low, high) = (low.to_rational().ok_or(Error::Range)?, high.to_rational().ok_or(Error::Range)?);
        let center = Integer::from(self.split) * 2u32 - 1u32;
        let of = |b: Rational| {
            let inside = Rational::from(1 - &b) * &center;
            let outside = b * self.width * 2u32;
            inside.clone() / (inside + outside)
        };
        Ok((of(high), of(low)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{SeededEntropy, enumerate};
    use std::collections::BTreeMap;

    /// The number of the step on which a size lies.
    fn step(noise: &StaircaseNoise, size: u64) -> u64 {
        (size + noise.width - noise.split) / noise.width
    }

    /// The distribution by its definition, in 600 bits: the weights of sizes up to a bound, over all weights, of which
    /// each step has a share of the one before.
    fn mass(noise: &StaircaseNoise, size: u64) -> f64 {
        let b = rug::Float::with_val(600, -noise.epsilon.to_f64()).exp();
        let step_0 = rug::Float::with_val(600, 2 * noise.split - 1);
        let others = rug::Float::with_val(600, 2 * noise.width) * &b / (1 - b.clone());
        let power = rug::ops::Pow::pow(b, step(noise, size));
        let all: rug::Float = step_0 + others;
        rug::Float::with_val(600, power / all).to_f64()
    }

    const SHAPES: [(u64, u64, f64); 7] =
        [(1, 1, 1.0), (2, 1, 0.5), (3, 2, 2.0), (5, 5, 1.0), (4, 1, 3.0), (10, 3, 0.25), (7, 2, 6.0)];

    #[test]
    fn step_0_has_its_probability_however_few_digits_are_drawn_at_first() {
        for (width, split, epsilon) in SHAPES {
            let noise = StaircaseNoise::new(width, split, epsilon).unwrap();
            let truth: f64 = (0..split).map(|size| mass(&noise, size) * if size == 0 { 1.0 } else { 2.0 }).sum();
            for digits in [1, 4, 12] {
                let law = enumerate(12, |entropy| noise.is_center(digits, entropy)).unwrap();
                let heads = law.mass.get(&true).copied().unwrap_or(0.0);
                assert!(heads <= truth + 1e-12 && truth <= heads + law.undecided + 1e-12, "{width} {split} {epsilon}");
                assert_eq!(law.undecided, 0.5f64.powi(i32::try_from(digits).unwrap()));
            }
        }
    }

    /// The digits that were drawn bear a decision out.
    #[test]
    fn a_number_next_to_the_probability_is_decided_by_more_digits() {
        let noise = StaircaseNoise::new(3, 2, 2.0).unwrap();
        let (low, high) = noise.probability_of_center(600).unwrap();
        assert!(noise.center <= Rational::from(&low << 64u32));
        assert!(Rational::from(&high << 64u32) <= Integer::from(noise.center) + 1u32);
        let digits = Rational::from(&low << 64u32) - noise.center;
        let share: f64 = (0..4_000u32)
            .map(|seed| {
                let number = LazyUniform::from_word(noise.center, 64);
                f64::from(u8::from(noise.decide(number, &mut SeededEntropy::new(seed.into())).unwrap()))
            })
            .sum::<f64>()
            / 4_000.0;
        // Hoeffding: a false alarm less than once in 10^9.
        assert!((share - digits.to_f64()).abs() < 0.052, "{share} {digits}");
    }

    fn shares(noise: &StaircaseNoise, draws: u32) -> BTreeMap<i64, f64> {
        let (mut shares, mut entropy) = (BTreeMap::new(), SeededEntropy::new(11));
        for _ in 0..draws {
            *shares.entry(noise.draw_gmp(&mut entropy).unwrap().to_i64().unwrap()).or_default() +=
                1.0 / f64::from(draws);
        }
        shares
    }

    /// Hoeffding: a false alarm once in 10^9 for each of at most 100 integers.
    #[test]
    fn draws_have_the_distribution() {
        const DRAWS: u32 = 100_000;
        let bound = (f64::ln(2e11) / (2.0 * f64::from(DRAWS))).sqrt();
        for (width, split, epsilon) in SHAPES {
            let noise = StaircaseNoise::new(width, split, epsilon).unwrap();
            let shares = shares(&noise, DRAWS);
            for z in -50i64..=50 {
                let (share, truth) = (shares.get(&z).copied().unwrap_or(0.0), mass(&noise, z.unsigned_abs()));
                assert!((share - truth).abs() < bound, "{width} {split} {epsilon} {z}: {share} {truth}");
            }
        }
        // The negative control: another split.
        let (noise, other) = (StaircaseNoise::new(4, 1, 3.0).unwrap(), StaircaseNoise::new(4, 2, 3.0).unwrap());
        let off = shares(&noise, DRAWS).into_iter().map(|(z, share)| (share - mass(&other, z.unsigned_abs())).abs());
        assert!(off.fold(0.0, f64::max) > bound);
    }

    #[test]
    fn a_single_step_is_a_discrete_laplace_distribution() {
        for epsilon in [0.25, 1.0, 4.0] {
            let noise = StaircaseNoise::new(1, 1, epsilon).unwrap();
            let b = (-epsilon).exp();
            assert!((0..20u32).all(|z| {
                let truth = (1.0 - b) / (1.0 + b) * b.powi(i32::try_from(z).unwrap());
                (mass(&noise, z.into()) - truth).abs() < 1e-15
            }));
        }
    }

    #[test]
    fn extremes() {
        let mut entropy = SeededEntropy::new(3);
        for (width, split) in [(1, 1), (1 << 52, 1), (1 << 52, 1 << 52)] {
            for epsilon in [2f64.powi(-40), 1.0, 50.0, 1024.0] {
                let noise = StaircaseNoise::new(width, split, epsilon).unwrap();
                assert!((0..100).all(|_| noise.draw_gmp(&mut entropy).unwrap().significant_bits() < 115));
            }
        }
        let error = |width, split, epsilon| StaircaseNoise::new(width, split, epsilon).map(|_| ());
        for epsilon in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-13, 1025.0] {
            assert_eq!(error(2, 1, epsilon), Err(Error::Parameter(Rule::Epsilon)));
        }
        for (width, split) in [(0, 0), (0, 1), (2, 0), (2, 3), ((1 << 52) + 1, 1)] {
            assert_eq!(error(width, split, 1.0), Err(Error::Range));
        }
    }
}
