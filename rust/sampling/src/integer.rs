//! Discrete noise on integers.

use crate::{
    Entropy, Error, Fallible, Rule,
    coin::{Exponent, Toss, toss},
    half_line::HalfLine,
    lazy::{LazyUniform, floor_of, is_below_exp},
    scale::Scale,
    table::{Table, Weights},
    uniform::random_bits,
    widths::{Full, Widths},
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
    LargeLaplace,
    /// The size from a table: scales below the split.
    Small(Table),
    /// The size in a high part, from a table, and `low_bits` low bits.
    LargeGaussian(Box<LargeGaussian>),
}

/// Below these scales a table holds all sizes.
const SPLIT_LAPLACE: f64 = 32.0;
const SPLIT_GAUSSIAN: f64 = 1024.0;

impl IntegerNoise {
    /// Integers z with probability proportional to `exp(-|z| / scale)`, for a finite scale that is not negative.
    ///
    /// Below scale 32, from a table of at most 1,800 entries (14 KiB, and 8 KiB of index), half a word of entropy. Above, a
    /// draw is `floor(scale E)` for an exponential E (two words) with a fair sign, where a second zero is rejected:
    /// `P(floor(scale E) = m)` is proportional to `exp(-m / scale)`. Sizes beyond 2^63 take microseconds.
    pub fn laplace(scale: f64) -> Fallible<Self> {
        Self::new(scale, SPLIT_LAPLACE, Weights::FoldedGeometric, |_| Ok(Law::LargeLaplace))
    }

    /// Integers z with probability proportional to `exp(-z^2 / (2 scale^2))`, for a finite scale that is not negative.
    ///
    /// Below scale 1024, from a table of at most 11,000 entries (86 KiB, and 64 KiB of index; 4 milliseconds to build): half a
    /// word of entropy. Above, from one of at most 340 entries (2.7 KiB, and 4 KiB of index), which gives a high part: a draw
    /// is one word (two from scale 2^21), of which one in 40 to 80 is rejected. Scales of 2^58 and above are drawn by MPFR, in
    /// microseconds.
    pub fn gaussian(scale: f64) -> Fallible<Self> {
        let large = |scale| Ok(Law::LargeGaussian(Box::new(LargeGaussian::new(scale)?)));
        Self::new(scale, SPLIT_GAUSSIAN, Weights::FoldedGaussian, large)
    }

    fn new(scale: f64, split: f64, folded: Weights, large: impl FnOnce(Scale) -> Fallible<Law>) -> Fallible<Self> {
        let scale = Scale::new(scale)?;
        let law = if scale.is_zero() {
            Law::Zero
        } else if scale.value() < split {
            Law::Small(Table::new(folded, scale.exact()))
        } else {
            large(scale)?
        };
        Ok(Self { law, scale })
    }

    /// A draw, saturating at the ends of `i64`, which noise of a scale below 2^50 never reaches.
    #[inline]
    pub fn sample_i64(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<i64> {
        Ok(match self.draw::<Full>(entropy)? {
            Drawn::Small(z) => z,
            Drawn::Big(z) => z.to_i64().unwrap_or(if *z < 0 { i64::MIN } else { i64::MAX }),
        })
    }

    /// A draw, whatever its size.
    pub fn sample(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Integer> {
        Ok(match self.draw::<Full>(entropy)? {
            Drawn::Small(z) => Integer::from(z),
            Drawn::Big(z) => *z,
        })
    }

    #[inline]
    fn draw<W: Widths>(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Drawn> {
        match &self.law {
            Law::Zero => Ok(Drawn::Small(0)),
            Law::Small(table) => {
                // A folded size: zero has no sign, and every other size has both.
                let size = Drawn::small(table.sample::<W>(entropy)?);
                Ok(size.with_sign(entropy.bit()?))
            }
            Law::LargeLaplace => with_fair_sign(entropy, |entropy| self.floor_of_exponential::<W>(entropy)),
            Law::LargeGaussian(law) => with_fair_sign(entropy, |entropy| law.sample::<W>(entropy)),
        }
    }

    /// `floor(scale E)`: from the first bits of E where they decide.
    #[inline]
    fn floor_of_exponential<W: Widths>(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Drawn> {
        let mut number = HalfLine::Exponential.draw::<W>(entropy)?;
        // scale E = mantissa 2^exponent (whole + fraction / 2^64) / 16
        let draw = u128::from(number.whole) << 64 | u128::from(number.fraction);
        let point = u32::try_from(64 + 4 - self.scale.exponent).ok();
        let low = u128::from(self.scale.mantissa).checked_mul(draw);
        if let (Some(point), Some(low)) = (point, low)
            && let Some(high) = low.checked_add(u128::from(self.scale.mantissa) << (64 - W::FRACTION))
        {
            let (low, high) = (low >> point.min(127), high >> point.min(127));
            if low == high
                && (point < 128 || low == 0)
                && let Ok(size) = i64::try_from(low)
            {
                return Ok(Drawn::Small(size));
            }
        }
        Ok(Drawn::big(floor_of(&Rational::new(), &self.scale.exact(), &mut number, entropy)?))
    }
}

/// A size with a fair sign, where zero with a minus sign is drawn again.
#[inline(never)]
fn with_fair_sign<E: Entropy + ?Sized>(entropy: &mut E, size: impl Fn(&mut E) -> Fallible<Drawn>) -> Fallible<Drawn> {
    loop {
        let size = size(entropy)?;
        let negative = entropy.bit()?;
        if !(negative && matches!(size, Drawn::Small(0))) {
            return Ok(size.with_sign(negative));
        }
    }
}

/// An integer that was drawn. Sizes are not negative, so that their sign can be changed.
enum Drawn {
    Small(i64),
    Big(Box<Integer>),
}

impl Drawn {
    #[inline]
    fn small(size: u64) -> Self {
        i64::try_from(size).map_or_else(|_| Self::big(size.into()), Self::Small)
    }

    #[inline]
    fn with_sign(self, negative: bool) -> Self {
        // All ones for a minus sign: `(n ^ mask) - mask` is n with it. It is as good as random: no branch.
        let mask = -i64::from(negative);
        match self {
            Self::Small(size) => Self::Small((size ^ mask).wrapping_sub(mask)),
            Self::Big(size) => Self::Big(if negative { Box::new(-*size) } else { size }),
        }
    }

    #[cold]
    fn big(size: Integer) -> Self {
        size.to_i64().map_or_else(|| Self::Big(Box::new(size)), Self::Small)
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
    /// `1 / (2 t^2)`, at most 2^-9: exactly, and in units of 2^-72, rounded down.
    rate: Rational,
    rate_units: u64,
}

/// High parts below this leave room for 53 low bits in an i64, and for the bounds of the exponent in 128 bits.
const MAX_WHOLE: u64 = 1024;

impl LargeGaussian {
    fn new(scale: Scale) -> Fallible<Self> {
        let unreachable = Error::Parameter(Rule::Scale);
        let binary_exponent = (scale.value().to_bits() >> 52) - 1023;
        let low_bits = u32::try_from(binary_exponent).map_err(|_| unreachable)?.saturating_sub(4);
        let t = scale.exact() >> low_bits;
        let rate = Rational::from(t.square_ref()).recip() / 2u32;
        let rate_units = Integer::from(Rational::from(&rate << 72u32).floor_ref()).to_u64().ok_or(unreachable)?;
        Ok(Self { table: Table::new(Weights::HalfGaussian, t), low_bits, rate, rate_units })
    }

    #[inline]
    fn sample<W: Widths>(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Drawn> {
        if self.low_bits > 53 {
            return self.sample_big::<W>(entropy);
        }
        loop {
            let whole = self.table.sample::<W>(entropy)?;
            let low = entropy.bits(self.low_bits)?;
            // l is exactly this many units of 2^-64.
            let l = low << (64 - self.low_bits);
            let toss = match self.exponent(whole, l) {
                Some(exponent) => toss::<W>(exponent, entropy)?,
                None => Toss::Open(LazyUniform::default()),
            };
            let kept = match toss {
                Toss::Decided(kept) => kept,
                Toss::Open(coin) => self.decide(whole, Rational::from(low) >> self.low_bits, coin, entropy)?,
            };
            if kept {
                return Ok(if whole < MAX_WHOLE {
                    Drawn::small((whole << self.low_bits) + low)
                } else {
                    Drawn::big((Integer::from(whole) << self.low_bits) + low)
                });
            }
        }
    }

    /// Bounds on `rate l (2 w + l)` in units of 2^-64; nothing for a w of `MAX_WHOLE` or more, of probability below exp(-500).
    ///
    /// `l (2 w + l)` is at most 2^11, or 2^75 units, and short by less than a unit; the rate is short by less than one of its
    /// units, of which there are at most 2^63. So the product, in units of 2^-136, is short by less than 2^75 + 2^63 + 1, which
    /// is less than 9 units of 2^-64; rounding takes less than 2 more.
    #[inline]
    fn exponent(&self, whole: u64, l: u64) -> Option<Exponent> {
        if whole >= MAX_WHOLE {
            return None;
        }
        let (w, l, rate) = (u128::from(whole), u128::from(l), u128::from(self.rate_units));
        let product = 2 * w * l + ((l * l) >> 64);
        let least = ((product >> 64) * rate + (((product & u128::from(u64::MAX)) * rate) >> 64)) >> 8;
        Some(Exponent { least, width: 11 })
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
    fn sample_big<W: Widths>(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Drawn> {
        loop {
            let whole = self.table.sample::<W>(entropy)?;
            let low = random_bits(self.low_bits, entropy)?;
            let l = Rational::from(&low) >> self.low_bits;
            if self.decide(whole, l, LazyUniform::default(), entropy)? {
                return Ok(Drawn::big((Integer::from(whole) << self.low_bits) + low));
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
        widths::Few,
    };
    use std::collections::BTreeMap;

    /// Sixteen bits of a table, for enumeration.
    enum Sixteen {}

    impl Widths for Sixteen {
        const TABLE: u32 = 16;
        const WHOLE_TABLE: u32 = 16;
        const FRACTION: u32 = 16;
        const COIN: u32 = 16;
        const WHOLE_COIN: u32 = 16;
    }

    type Make = fn(f64) -> Fallible<IntegerNoise>;
    type Weight = fn(f64, f64) -> f64;
    const LAWS: [(Make, Weight); 2] = [
        (IntegerNoise::laplace, |z, scale| (-z.abs() / scale).exp()),
        (IntegerNoise::gaussian, |z, scale| (-(z / scale).powi(2) / 2.0).exp()),
    ];

    fn draw<W: Widths>(noise: &IntegerNoise, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<i64> {
        match noise.draw::<W>(entropy)? {
            Drawn::Small(z) => Ok(z),
            Drawn::Big(_) => Ok(i64::MAX),
        }
    }

    #[test]
    fn enumerated_masses_never_exceed_the_law_and_close_in_on_it() {
        for ((make, weight), scale) in LAWS.into_iter().flat_map(|law| [0.5, 1.0, 3.0].map(|scale| (law, scale))) {
            let noise = make(scale).unwrap();
            let law = enumerate(18, |entropy| draw::<Sixteen>(&noise, entropy)).unwrap();
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

    fn sample<W: Widths>(noise: &IntegerNoise, seed: u64, draws: u32) -> Vec<i64> {
        let mut entropy = SeededEntropy::new(seed);
        (0..draws).map(|_| draw::<W>(noise, &mut entropy).unwrap()).collect()
    }

    #[test]
    fn draws_follow_the_law_and_one_off_by_two_percent_does_not() {
        for (make, weight) in LAWS {
            for scale in [1e-3, 0.5, 1.0, 10.0, 33.0, 1000.0, 1025.0] {
                let (gap, bound) = largest_gap(&sample::<Full>(&make(scale).unwrap(), 1, 1_000_000), scale, weight);
                assert!(gap < bound, "{scale}: {gap}");
            }
            let (gap, bound) = largest_gap(&sample::<Full>(&make(1020.0).unwrap(), 2, 1_000_000), 1000.0, weight);
            assert!(gap > bound, "the test cannot see two percent: {gap}");
        }
    }

    #[test]
    fn with_few_bits_at_first_the_slow_paths_decide_and_the_law_is_the_same() {
        for (make, weight) in LAWS {
            for scale in [0.5, 10.0, 40.0, 1100.0] {
                let (gap, bound) = largest_gap(&sample::<Few>(&make(scale).unwrap(), 3, 1_500), scale, weight);
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
    fn exponents_of_large_gaussians_are_enclosed() {
        let mut state = 1u64;
        for scale in [32.0, 33.3, 1e3, 1024.0, 1e6, 63.999, 1e16] {
            let law = LargeGaussian::new(Scale::new(scale).unwrap()).unwrap();
            for whole in 0..MAX_WHOLE {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let Exponent { least, width } = law.exponent(whole, state).unwrap();
                let l = Rational::from(state) >> 64u32;
                let x = ((Rational::from(2 * whole) + &l) * l * &law.rate) << 64u32;
                assert!(least <= x && x <= least + width, "{scale} {whole} {state}");
            }
            assert!(law.exponent(MAX_WHOLE, 0).is_none());
        }
    }

    #[test]
    fn a_stuck_source_is_an_error() {
        struct Stuck(u64);
        impl Entropy for Stuck {
            fn bits(&mut self, count: u32) -> Fallible<u64> {
                Ok(self.0 >> (64 - count.max(1)))
            }
        }
        assert_eq!(IntegerNoise::gaussian(1.0).unwrap().sample_i64(&mut Stuck(u64::MAX)), Err(Error::Entropy));
        assert_eq!(IntegerNoise::laplace(100.0).unwrap().sample_i64(&mut Stuck(u64::MAX)), Err(Error::Entropy));
    }

    #[test]
    fn extreme_scales() {
        let mut entropy = SeededEntropy::new(5);
        for (make, _) in LAWS {
            for scale in [0.0, 5e-324, 1e-300, 1e-10] {
                assert!((0..100).all(|_| make(scale).unwrap().sample_i64(&mut entropy) == Ok(0)));
            }
            assert!((0..20).all(|_| make(f64::MAX).unwrap().sample(&mut entropy).is_ok()));
            assert!(
                (0..20).any(|_| make(f64::MAX).unwrap().sample_i64(&mut entropy).unwrap().unsigned_abs()
                    >= i64::MAX.unsigned_abs())
            );
            for scale in [-1.0, f64::NAN, f64::INFINITY] {
                assert!(make(scale).is_err());
            }
        }
    }
}
