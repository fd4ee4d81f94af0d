//! Discrete noise on integers.

use crate::{
    Entropy, Error, Fallible, MAX_ROUNDS,
    drawn::Drawn,
    large::{Large, Shape},
    scale::ExactScale,
    table::{Table, Weights},
    widths::{Full, Widths},
};
use indistinct_numeric::{BigInt, gmp};
use rug::Integer;

/// Discrete Laplace, discrete Gaussian or geometric noise of a given scale.
///
/// The scale is a float or a fraction; at scale 0 every draw is 0. Below a scale of 32 (Gaussian: 1024), a table holds
/// the distribution function, and a draw uses half a word of entropy. Above it, the table holds the high part of the
/// size, and a coin decides whether to keep the low bits: a draw uses one word up to a scale of some 2^20 and two words
/// beyond, and one draw in 33 to 129 is rejected and repeated. If these words do not decide a draw, more digits are
/// drawn, which takes microseconds to milliseconds and happens less than once in 10^9 draws. From scale 2^69 on, every
/// draw takes microseconds, and memory in proportion to the digits of the result.
///
/// ```
/// use indistinct_sampling::{IntegerNoise, OsEntropy};
/// let noise = IntegerNoise::laplace(2.5)?;
/// let z: i64 = noise.draw_i64(&mut OsEntropy::new())?;
/// # let _ = z;
/// # Ok::<(), indistinct_sampling::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct IntegerNoise {
    size: SizeLaw,
    two_sided: bool,
}

/// The distribution of a draw's size (absolute value).
#[derive(Debug, Clone)]
enum SizeLaw {
    /// The size is always zero.
    Zero,
    /// Draws from a table, for scales below the split. For two-sided noise, each size other than zero has the weight of
    /// both signs.
    Small(Table),
    /// Draws in two parts, for other scales. Zero is drawn with either sign, and rejected with a minus sign.
    Large(Box<Large>),
}

/// Below this scale, a table holds all sizes.
const SPLIT_EXPONENTIAL: i32 = 5;
const SPLIT_GAUSSIAN: i32 = 10;

impl IntegerNoise {
    /// Makes noise on integers z with probability proportional to `exp(-|z| / scale)`.
    ///
    /// Its tables have at most 1,800 entries (14 KiB, and 8 KiB of index).
    pub fn laplace(scale: impl TryInto<ExactScale, Error = Error>) -> Fallible<Self> {
        Self::new(scale.try_into()?, Shape::Exponential, Weights::FoldedGeometric, true)
    }

    /// Makes noise on integers z with probability proportional to `exp(-z^2 / (2 scale^2))`.
    ///
    /// Its tables have at most 11,000 entries (86 KiB, and 64 KiB of index; 4 milliseconds to build), and at most 340
    /// from scale 1024 on.
    pub fn gaussian(scale: impl TryInto<ExactScale, Error = Error>) -> Fallible<Self> {
        Self::new(scale.try_into()?, Shape::Gaussian, Weights::FoldedGaussian, true)
    }

    /// Makes noise on integers `z >= 0` with probability proportional to `exp(-z / scale)`: the number of successes
    /// before the first failure, where a success has probability `exp(-1 / scale)`.
    pub fn geometric(scale: impl TryInto<ExactScale, Error = Error>) -> Fallible<Self> {
        Self::new(scale.try_into()?, Shape::Exponential, Weights::Geometric, false)
    }

    fn new(scale: ExactScale, shape: Shape, weights: Weights, two_sided: bool) -> Fallible<Self> {
        let split = match shape {
            Shape::Exponential => SPLIT_EXPONENTIAL,
            Shape::Gaussian => SPLIT_GAUSSIAN,
        };
        let size = if scale.is_zero() {
            SizeLaw::Zero
        } else if scale.binary_exponent() < split {
            SizeLaw::Small(Table::new(weights, scale.exact().clone()))
        } else {
            SizeLaw::Large(Box::new(Large::new(shape, &scale)?))
        };
        Ok(Self { size, two_sided })
    }

    /// Draws an integer, saturating at the ends of `i64`. Noise with a scale below 2^50 never reaches them.
    #[inline(always)]
    pub fn draw_i64(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<i64> {
        Ok(match self.draw_from::<Full>(entropy)? {
            Drawn::Small(z) => z,
            Drawn::Big(z) => z.to_i64().unwrap_or(if *z < 0 { i64::MIN } else { i64::MAX }),
        })
    }

    /// Draws an integer, saturating at the ends of `i128`. Noise with a scale below 2^110 never reaches them.
    #[inline]
    pub fn draw_i128(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<i128> {
        Ok(match self.draw_from::<Full>(entropy)? {
            Drawn::Small(z) => z.into(),
            Drawn::Big(z) => z.to_i128().unwrap_or(if *z < 0 { i128::MIN } else { i128::MAX }),
        })
    }

    /// Draws an integer of any size.
    pub fn draw(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<BigInt> {
        Ok(gmp::big_int(&self.draw_gmp(entropy)?))
    }

    #[doc(hidden)]
    pub fn draw_gmp(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Integer> {
        Ok(match self.draw_from::<Full>(entropy)? {
            Drawn::Small(z) => Integer::from(z),
            Drawn::Big(z) => *z,
        })
    }

    /// Fills a slice with independent draws, as [`IntegerNoise::draw_i64`] does. After an error, do not use the slice's
    /// contents.
    pub fn fill(&self, draws: &mut [i64], entropy: &mut (impl Entropy + ?Sized)) -> Fallible<()> {
        draws.iter_mut().try_for_each(|draw| {
            *draw = self.draw_i64(entropy)?;
            Ok(())
        })
    }

    #[inline(always)]
    fn draw_from<W: Widths>(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Drawn> {
        match &self.size {
            SizeLaw::Zero => Ok(Drawn::Small(0)),
            SizeLaw::Small(table) => {
                // The first digits of the size, and a sign, which one-sided noise ignores.
                let word = entropy.bits(W::TABLE + 1)?;
                let size = Drawn::word(table.sample::<W>(word >> 1, entropy)?);
                Ok(size.with_sign(self.two_sided && word & 1 == 1))
            }
            SizeLaw::Large(law) => large::<W, _>(law, self.two_sided, entropy),
        }
    }
}

/// Draws a size, with a fair sign for two-sided noise. Zero with a minus sign is rejected and drawn again.
#[inline(never)]
fn large<W: Widths, E: Entropy + ?Sized>(law: &Large, two_sided: bool, entropy: &mut E) -> Fallible<Drawn> {
    for _ in 0..MAX_ROUNDS {
        let size = law.sample::<W>(entropy)?;
        let negative = entropy.bit()? & two_sided;
        // Test the rare condition first: the sign is random, and a branch on it would be mispredicted half of the time.
        if matches!(size, Drawn::Small(0)) && negative {
            continue;
        }
        return Ok(size.with_sign(negative));
    }
    Err(Error::Entropy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        reference,
        testing::{SeededEntropy, enumerate},
        widths::Few,
    };
    use rug::Rational;
    use std::collections::BTreeMap;

    /// Some bits of a table at first and more of them where they do not decide, for enumeration.
    enum Table<const WHOLE: u32> {}

    impl<const WHOLE: u32> Widths for Table<WHOLE> {
        const TABLE: u32 = 10;
        const WHOLE_TABLE: u32 = WHOLE;
        const FRACTION: u32 = 0;
        const HEAD: u32 = 0;
        const TAIL: u32 = 0;
        const COIN: u32 = 0;
        const WHOLE_COIN: u32 = 0;
    }

    type Make = fn(f64) -> Fallible<IntegerNoise>;
    type Weight = fn(f64, f64) -> f64;
    const LAWS: [(Make, Weight); 3] = [
        (IntegerNoise::laplace, |z, scale| (-z.abs() / scale).exp()),
        (IntegerNoise::gaussian, |z, scale| (-(z / scale).powi(2) / 2.0).exp()),
        (IntegerNoise::geometric, |z, scale| if z < 0.0 { 0.0 } else { (-z / scale).exp() }),
    ];

    fn draw<W: Widths>(noise: &IntegerNoise, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<i64> {
        match noise.draw_from::<W>(entropy)? {
            Drawn::Small(z) => Ok(z),
            Drawn::Big(_) => Ok(i64::MAX),
        }
    }

    /// Enumerates tapes of 24 bits, and checks each mass. Returns the undecided mass.
    fn enumerated<W: Widths>(make: Make, weight: Weight, scale: f64) -> f64 {
        let noise = make(scale).unwrap();
        let law = enumerate(24, |entropy| draw::<W>(&noise, entropy)).unwrap();
        let total: f64 = (-400..=400).map(|z| weight(f64::from(z), scale)).sum();
        for (z, mass) in law.mass {
            let p = weight(f64::from(i32::try_from(z).unwrap()), scale) / total;
            assert!(mass <= p + 1e-12 && p <= mass + law.undecided + 1e-12, "{scale} {z}: {mass} {p}");
        }
        law.undecided
    }

    #[test]
    fn enumerated_masses_never_exceed_the_law_and_close_in_on_it() {
        for ((make, weight), scale) in LAWS.into_iter().flat_map(|law| [0.5, 1.0, 3.0].map(|scale| (law, scale))) {
            // A cell's threshold is known to two units: after n bits of U, at most four units of 2^-n of each cell are
            // open.
            let coarse = enumerated::<Table<14>>(make, weight, scale);
            let fine = enumerated::<Table<22>>(make, weight, scale);
            assert!(fine > 0.0 && fine < coarse / 64.0, "{scale}: {coarse} {fine}");
        }
    }

    /// Largest gap between the empirical distribution function and the true one, whose DKW bound at 1e-9 is returned
    /// too.
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

    #[test]
    fn with_few_bits_at_first_the_slow_paths_decide_and_the_law_is_the_same() {
        for (make, weight) in LAWS {
            for scale in [0.5, 10.0, 40.0, 1100.0] {
                let (noise, mut entropy) = (make(scale).unwrap(), SeededEntropy::new(3));
                let sample: Vec<i64> = (0..1_500).map(|_| draw::<Few>(&noise, &mut entropy).unwrap()).collect();
                let (gap, bound) = largest_gap(&sample, scale, weight);
                assert!(gap < bound, "{scale}: {gap}");
            }
        }
    }

    /// Both samples' distribution functions at the reference's quantiles: DKW for each.
    #[test]
    fn huge_scales_agree_with_the_reference() {
        type Reference = fn(&Rational, &mut dyn Entropy) -> Fallible<Integer>;
        let references: [Reference; 3] =
            [reference::discrete_laplace, reference::discrete_gaussian, reference::geometric];
        for ((make, _), reference) in LAWS.into_iter().zip(references) {
            for scale in [1e6, 1e15, 1e17, 1e18, 1e25, 1e300] {
                let (noise, exact) = (make(scale).unwrap(), Rational::from_f64(scale).unwrap());
                let mut entropy = SeededEntropy::new(4);
                let mut ours: Vec<Integer> = (0..4000).map(|_| noise.draw_gmp(&mut entropy).unwrap()).collect();
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
    fn draws_in_words_are_those_of_any_size_saturated() {
        for ((make, _), scale) in
            LAWS.into_iter().flat_map(|law| [3.0, 1e4, 1e20, 1e25, 1e40].map(|scale| (law, scale)))
        {
            let noise = make(scale).unwrap();
            for seed in 0..30 {
                let entropy = || SeededEntropy::new(seed);
                let exact = noise.draw_gmp(&mut entropy()).unwrap();
                assert_eq!(noise.draw(&mut entropy()), Ok(gmp::big_int(&exact)));
                let (short, long) = if exact < 0 { (i64::MIN, i128::MIN) } else { (i64::MAX, i128::MAX) };
                assert_eq!(noise.draw_i64(&mut entropy()), Ok(exact.to_i64().unwrap_or(short)));
                assert_eq!(noise.draw_i128(&mut entropy()), Ok(exact.to_i128().unwrap_or(long)));
            }
            let (mut all, mut one, mut draws) = (SeededEntropy::new(1), SeededEntropy::new(1), [0; 9]);
            noise.fill(&mut draws, &mut all).unwrap();
            assert_eq!(draws, [(); 9].map(|()| noise.draw_i64(&mut one).unwrap()));
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
        assert_eq!(IntegerNoise::gaussian(1.0).unwrap().draw_i64(&mut Stuck(u64::MAX)), Err(Error::Entropy));
        assert_eq!(IntegerNoise::laplace(100.0).unwrap().draw_i64(&mut Stuck(u64::MAX)), Err(Error::Entropy));
    }

    #[test]
    fn extreme_scales() {
        let mut entropy = SeededEntropy::new(5);
        for (make, _) in LAWS {
            for scale in [0.0, 5e-324, 1e-300, 1e-10] {
                assert!((0..100).all(|_| make(scale).unwrap().draw_i64(&mut entropy) == Ok(0)));
            }
            assert!((0..20).all(|_| make(f64::MAX).unwrap().draw(&mut entropy).is_ok()));
            assert!(
                (0..20).any(|_| make(f64::MAX).unwrap().draw_i64(&mut entropy).unwrap().unsigned_abs()
                    >= i64::MAX.unsigned_abs())
            );
            for scale in [-1.0, f64::NAN, f64::INFINITY] {
                assert!(make(scale).is_err());
            }
        }
    }
}
