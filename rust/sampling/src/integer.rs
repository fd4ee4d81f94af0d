//! Discrete noise on integers.

use crate::{
    Entropy, Error, Fallible,
    coin::{Exponent, Toss, toss},
    half_line::HalfLine,
    lazy::{LazyUniform, floor_of, is_below_exp},
    scale::Scale,
    table::{Table, Weights},
    uniform::random_bits,
};
use rug::{Integer, Rational};

/// Discrete Laplace or discrete Gaussian noise of a given scale.
///
/// ```
/// use indistinct_sampling::{IntegerNoise, OsEntropy};
/// let noise = IntegerNoise::laplace(2.5)?;
/// let z: i64 = noise.sample_i64(&mut OsEntropy::new())?;
/// # let _ = z;
/// # Ok::<(), indistinct_sampling::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct IntegerNoise {
    law: Law,
    scale: Scale,
}

#[derive(Debug, Clone)]
enum Law {
    /// Always zero.
    Zero,
    /// `floor(scale E)` for an exponential E, with a sign.
    Laplace,
    /// The size from a table: scales below `SPLIT`.
    SmallGaussian(Table),
    /// The size in a high part, from a table, and `low_bits` low bits.
    LargeGaussian(Box<LargeGaussian>),
}

/// Gaussians of this scale and above are split.
const SPLIT: f64 = 32.0;

impl IntegerNoise {
    /// Integers z with probability proportional to `exp(-|z| / scale)`, for a finite scale that is not negative.
    ///
    /// A draw is `floor(scale E)` for an exponential E (three words of entropy) with a fair sign, where a second zero is
    /// rejected: `P(floor(scale E) = m)` is proportional to `exp(-m / scale)`.
    pub fn laplace(scale: f64) -> Fallible<Self> {
        let scale = Scale::new(scale)?;
        Ok(Self { law: if scale.is_zero() { Law::Zero } else { Law::Laplace }, scale })
    }

    /// Integers z with probability proportional to `exp(-z^2 / (2 scale^2))`, for a finite scale that is not negative.
    ///
    /// Builds a table of at most 320 entries (2.5 KiB, and 4 KiB of index). Below scale 32 a draw is one word of entropy
    /// and one bit; above it is three words, and one draw in about 35 is rejected.
    pub fn gaussian(scale: f64) -> Fallible<Self> {
        let scale = Scale::new(scale)?;
        let law = if scale.is_zero() {
            Law::Zero
        } else if scale.value() < SPLIT {
            Law::SmallGaussian(Table::new(Weights::FoldedGaussian, scale.exact()))
        } else {
            Law::LargeGaussian(Box::new(LargeGaussian::new(scale)?))
        };
        Ok(Self { law, scale })
    }

    /// A draw, saturating at the ends of `i64`, which noise of a scale below 2^50 never reaches.
    #[inline]
    pub fn sample_i64(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<i64> {
        match self.draw::<64>(entropy)? {
            Size::Small { negative, size } => Ok(if negative { -size } else { size }),
            Size::Big { negative, size } => {
                let size = size.to_i64().unwrap_or(i64::MAX);
                Ok(if negative { -size } else { size })
            }
        }
    }

    /// A draw, whatever its size.
    pub fn sample(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Integer> {
        Ok(match self.draw::<64>(entropy)? {
            Size::Small { negative, size } => Integer::from(if negative { -size } else { size }),
            Size::Big { negative, size } => {
                if negative {
                    -size
                } else {
                    size
                }
            }
        })
    }

    /// A size and a fair sign, where zero with a minus sign is drawn again (or has no sign, if the size is folded).
    #[inline]
    fn draw<const BITS: u32>(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Size> {
        loop {
            let (size, folded) = match &self.law {
                Law::Zero => return Ok(Size::Small { negative: false, size: 0 }),
                Law::Laplace => (self.floor_of_exponential::<BITS>(entropy)?, false),
                Law::SmallGaussian(table) => (Magnitude::small(table.sample::<BITS>(entropy)?), true),
                Law::LargeGaussian(law) => (law.sample::<BITS>(entropy)?, false),
            };
            let negative = entropy.bit()?;
            match size {
                Magnitude::Small(0) if negative && !folded => {}
                Magnitude::Small(size) => return Ok(Size::Small { negative, size }),
                Magnitude::Big(size) => return Ok(Size::Big { negative, size }),
            }
        }
    }

    /// `floor(scale E)`: from the first bits of E where they decide.
    #[inline]
    fn floor_of_exponential<const BITS: u32>(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Magnitude> {
        let mut number = HalfLine::Exponential.draw::<BITS>(entropy)?;
        // scale E = mantissa 2^exponent (whole + fraction / 2^64) / 16
        let draw = u128::from(number.whole) << 64 | u128::from(number.fraction);
        let point = u32::try_from(64 + 4 - self.scale.exponent).ok();
        let low = u128::from(self.scale.mantissa).checked_mul(draw);
        if let (Some(point), Some(low)) = (point, low)
            && let Some(high) = low.checked_add(u128::from(self.scale.mantissa) << (64 - BITS))
        {
            let (low, high) = (low >> point.min(127), high >> point.min(127));
            if low == high
                && (point < 128 || low == 0)
                && let Ok(size) = i64::try_from(low)
            {
                return Ok(Magnitude::Small(size));
            }
        }
        Ok(Magnitude::big(floor_of(&Rational::new(), &self.scale.exact(), &mut number, entropy)?))
    }
}

/// A draw, with its sign.
enum Size {
    Small { negative: bool, size: i64 },
    Big { negative: bool, size: Integer },
}

/// A draw without a sign.
enum Magnitude {
    Small(i64),
    Big(Integer),
}

impl Magnitude {
    #[inline]
    fn small(size: u64) -> Self {
        i64::try_from(size).map_or_else(|_| Self::Big(size.into()), Self::Small)
    }

    #[cold]
    fn big(size: Integer) -> Self {
        size.to_i64().map_or_else(|| Self::Big(size), Self::Small)
    }
}

/// The size of a Gaussian integer of scale `t 2^low_bits`, with t from 16 to 32.
///
/// For `z = 2^low_bits (w + l)` with a whole w and a fraction l of `low_bits` bits, `exp(-z^2 / (2 scale^2))` is
/// `exp(-w^2 / (2 t^2))`, by the table, times `exp(-l (2 w + l) / (2 t^2))`, by a coin.
#[derive(Debug, Clone)]
struct LargeGaussian {
    table: Table,
    low_bits: u32,
    /// `1 / (2 t^2)`, exactly, and in units of 2^-60, rounded down.
    rate: Rational,
    rate_units: u128,
}

impl LargeGaussian {
    fn new(scale: Scale) -> Fallible<Self> {
        let unreachable = Error::Parameter { parameter: "scale", rule: "must be finite and not negative" };
        let binary_exponent = (scale.value().to_bits() >> 52) - 1023;
        let low_bits = u32::try_from(binary_exponent).map_err(|_| unreachable)?.saturating_sub(4);
        let t = scale.exact() >> low_bits;
        let rate = Rational::from(t.square_ref()).recip() / 2u32;
        let rate_units = Integer::from(Rational::from(&rate << 60u32).floor_ref()).to_u128().ok_or(unreachable)?;
        Ok(Self { table: Table::new(Weights::HalfGaussian, t), low_bits, rate, rate_units })
    }

    #[inline]
    fn sample<const BITS: u32>(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Magnitude> {
        if self.low_bits > 53 {
            return self.sample_big::<BITS>(entropy);
        }
        loop {
            let whole = self.table.sample::<BITS>(entropy)?;
            let low = entropy.bits(self.low_bits)?;
            // l is exactly this many units of 2^-64.
            let l = low << (64 - self.low_bits);
            let exponent = self.exponent(whole, l, 0);
            let kept = match toss::<BITS>(exponent, entropy)? {
                Toss::Decided(kept) => kept,
                Toss::Open(coin) => self.decide(whole, Rational::from(low) >> self.low_bits, coin, entropy)?,
            };
            if kept {
                return Ok(Magnitude::small((whole << self.low_bits) + low));
            }
        }
    }

    /// Bounds on `rate l (2 w + l)` in units of 2^-64, for an l at most `ulp` units above the given one.
    #[inline]
    fn exponent(&self, whole: u64, l: u64, ulp: u128) -> Exponent {
        let (w, l) = (u128::from(whole), u128::from(l));
        // At most 2^75 in all but exp(-8000) of cases; where it saturates, x is at least 1, and its bounds are coarse.
        let product = 2 * w * l + ((l * l) >> 64);
        let error = (2 * w + 2) * ulp + 1;
        // The rate, below 2^51 units of 2^-60, is short by less than a unit.
        let least = product.saturating_mul(self.rate_units) >> 60;
        let width = ((product + error) >> 60) + (error.saturating_mul(self.rate_units) >> 60) + 3;
        Exponent { least, width }
    }

    #[cold]
    fn decide(
        &self,
        whole: u64,
        l: Rational,
        mut coin: LazyUniform,
        entropy: &mut (impl Entropy + ?Sized),
    ) -> Fallible<bool> {
        let x = (Rational::from(2 * whole) + &l) * l * &self.rate;
        is_below_exp(&mut coin, &mut LazyUniform::default(), |_| x.clone(), entropy)
    }

    /// The same for scales whose low part has more than 53 bits.
    #[cold]
    fn sample_big<const BITS: u32>(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Magnitude> {
        loop {
            let whole = self.table.sample::<BITS>(entropy)?;
            let low = random_bits(self.low_bits, entropy)?;
            let l = Rational::from(&low) >> self.low_bits;
            if self.decide(whole, l, LazyUniform::default(), entropy)? {
                return Ok(Magnitude::big((Integer::from(whole) << self.low_bits) + low));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        reference,
        testing::{SeededEntropy, enumerate},
    };
    use std::collections::BTreeMap;

    type Make = fn(f64) -> Fallible<IntegerNoise>;
    type Weight = fn(f64, f64) -> f64;
    const LAWS: [(Make, Weight); 2] = [
        (IntegerNoise::laplace, |z, scale| (-z.abs() / scale).exp()),
        (IntegerNoise::gaussian, |z, scale| (-(z / scale).powi(2) / 2.0).exp()),
    ];

    fn draw<const BITS: u32>(noise: &IntegerNoise, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<i64> {
        match noise.draw::<BITS>(entropy)? {
            Size::Small { negative, size } => Ok(if negative { -size } else { size }),
            Size::Big { .. } => Ok(i64::MAX),
        }
    }

    #[test]
    fn enumerated_masses_never_exceed_the_law_and_close_in_on_it() {
        let (make, weight) = LAWS[1];
        for scale in [0.5, 1.0, 3.0] {
            let noise = make(scale).unwrap();
            let law = enumerate(18, |entropy| draw::<16>(&noise, entropy)).unwrap();
            assert!(law.undecided < 1e-3, "{scale}: {}", law.undecided);
            let total: f64 = (-400..=400).map(|z| weight(f64::from(z), scale)).sum();
            for (z, mass) in law.mass {
                let p = weight(f64::from(i32::try_from(z).unwrap()), scale) / total;
                assert!(mass <= p + 1e-12 && p <= mass + law.undecided + 1e-12, "{scale} {z}: {mass} {p}");
            }
        }
    }

    /// Largest gap between the empirical distribution function and the true one, whose DKW bound at 1e-9 is returned too.
    fn largest_gap(sample: &[i64], scale: f64, weight: Weight) -> (f64, f64) {
        let mut counts = BTreeMap::new();
        sample.iter().for_each(|&z| *counts.entry(z).or_insert(0u32) += 1);
        let n = f64::from(u32::try_from(sample.len()).unwrap());
        let reach = (45.0 * scale).ceil().max(10.0);
        let support = || std::iter::successors(Some(-reach), |z| Some(z + 1.0)).take_while(|z| *z <= reach);
        let total: f64 = support().map(|z| weight(z, scale)).sum();
        let (mut seen, mut truth, mut gap) = (0.0, 0.0, 0f64);
        for (z, position) in support().zip(0i64..) {
            let integer = position - reach.to_string().parse::<i64>().unwrap();
            seen += f64::from(counts.get(&integer).copied().unwrap_or(0));
            truth += weight(z, scale) / total;
            gap = gap.max((seen / n - truth).abs());
        }
        (gap, (f64::ln(2e9) / (2.0 * n)).sqrt())
    }

    fn sample<const BITS: u32>(noise: &IntegerNoise, seed: u64, draws: u32) -> Vec<i64> {
        let mut entropy = SeededEntropy::new(seed);
        (0..draws).map(|_| draw::<BITS>(noise, &mut entropy).unwrap()).collect()
    }

    #[test]
    fn draws_follow_the_law_and_one_off_by_two_percent_does_not() {
        for (make, weight) in LAWS {
            for scale in [1e-3, 0.5, 1.0, 10.0, 33.0, 1000.0] {
                let (gap, bound) = largest_gap(&sample::<64>(&make(scale).unwrap(), 1, 1_000_000), scale, weight);
                assert!(gap < bound, "{scale}: {gap}");
            }
            let (gap, bound) = largest_gap(&sample::<64>(&make(1020.0).unwrap(), 2, 1_000_000), 1000.0, weight);
            assert!(gap > bound, "the test cannot see two percent: {gap}");
        }
    }

    #[test]
    fn with_four_bits_at_first_the_slow_paths_decide_and_the_law_is_the_same() {
        for (make, weight) in LAWS {
            for scale in [0.5, 10.0, 40.0] {
                let (gap, bound) = largest_gap(&sample::<4>(&make(scale).unwrap(), 3, 1_500), scale, weight);
                assert!(gap < bound, "{scale}: {gap}");
            }
        }
    }

    /// Both samples' distribution functions at the reference's quantiles: DKW for each.
    #[test]
    fn huge_scales_agree_with_the_reference() {
        type Reference = fn(&Rational, &mut dyn Entropy) -> Fallible<Integer>;
        let references: [Reference; 2] = [reference::discrete_laplace, reference::discrete_gaussian];
        for ((make, _), reference) in LAWS.into_iter().zip(references) {
            for scale in [1e6, 1e15, 1e17, 1e18, 1e25, 1e300] {
                let (noise, exact) = (make(scale).unwrap(), Rational::from_f64(scale).unwrap());
                let mut entropy = SeededEntropy::new(4);
                let mut ours: Vec<Integer> = (0..4000).map(|_| noise.sample(&mut entropy).unwrap()).collect();
                let theirs: Vec<Integer> = (0..4000).map(|_| reference(&exact, &mut entropy).unwrap()).collect();
                ours.sort();
                let bound = 2.0 * (f64::ln(4e9) / (2.0 * 4000.0)).sqrt();
                for quantile in theirs.iter().take(50) {
                    let below = |sample: &[Integer]| sample.iter().filter(|z| *z <= quantile).count();
                    let share = |count: usize| f64::from(u32::try_from(count).unwrap()) / 4000.0;
                    assert!((share(below(&ours)) - share(below(&theirs))).abs() < bound, "{scale}");
                }
            }
        }
    }

    #[test]
    fn extreme_scales() {
        let mut entropy = SeededEntropy::new(5);
        for (make, _) in LAWS {
            for scale in [0.0, 5e-324, 1e-300, 1e-10] {
                assert!((0..100).all(|_| make(scale).unwrap().sample_i64(&mut entropy) == Ok(0)));
            }
            assert!((0..20).all(|_| make(f64::MAX).unwrap().sample(&mut entropy).is_ok()));
            assert!((0..20).any(|_| make(f64::MAX).unwrap().sample_i64(&mut entropy).unwrap().abs() == i64::MAX));
            for scale in [-1.0, f64::NAN, f64::INFINITY] {
                assert!(make(scale).is_err());
            }
        }
    }
}
