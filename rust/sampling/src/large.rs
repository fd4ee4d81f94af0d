//! Sizes of integer noise at a large scale: a high part from a table, and low bits that a coin keeps or rejects.
//!
//! For a scale `t 2^b` and a size `2^b (w + l)`, with w whole and l a fraction of b bits, the weight is
//!
//! | distribution | weight | table | coin |
//! |---|---|---|---|
//! | exponential | `exp(-(w + l) / t)` | `exp(-w / t)` | `exp(-l / t)` |
//! | Gaussian | `exp(-(w + l)^2 / (2 t^2))` | `exp(-w^2 / (2 t^2))` | `exp(-l (2 w + l) / (2 t^2))` |
//!
//! With t from 16 to 32, one draw in 33 to 129 is rejected.

use crate::{
    Entropy, Error, Fallible, MAX_ROUNDS, Rule,
    coin::{Exponent, Toss, toss},
    drawn::Drawn,
    lazy::{LazyUniform, is_below_exp},
    scale::ExactScale,
    table::{Table, Weights},
    uniform::random_bits,
    widths::Widths,
};
use rug::{Integer, Rational};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Exponential,
    Gaussian,
}

#[derive(Debug, Clone)]
pub(crate) struct Large {
    shape: Shape,
    table: Table,
    low_bits: u32,
    /// The factor of the coin's exponent, `1 / t` or `1 / (2 t^2)`, at most 1/2.
    rate: Rational,
    /// The rate in units of `2^-(64 + rate_shift)`, rounded down: at most 2^63.
    rate_units: u64,
    rate_shift: u32,
}

/// For high parts below this, the bounds on the Gaussian's exponent fit in 128 bits. Higher ones have probability below
/// exp(-500) when t is at most 32.
const MAX_WHOLE: u64 = 1024;

impl Large {
    /// Makes a distribution whose high part has a scale t from 16 to 32. The scale must be at least 32.
    pub(crate) fn new(shape: Shape, scale: &ExactScale) -> Fallible<Self> {
        let low_bits = u32::try_from(scale.binary_exponent() - 4).map_err(|_| Error::Parameter(Rule::Scale))?;
        Self::with_low_bits(shape, scale, low_bits)
    }

    /// Like `new`, with any t of at least 2 (exponential) or 1 (Gaussian).
    pub(crate) fn with_low_bits(shape: Shape, scale: &ExactScale, low_bits: u32) -> Fallible<Self> {
        let unreachable = Error::Parameter(Rule::Scale);
        let t = Rational::from(scale.exact() >> low_bits);
        let (weights, rate) = match shape {
            Shape::Exponential => (Weights::Geometric, t.clone().recip()),
            Shape::Gaussian => (Weights::HalfGaussian, Rational::from(t.square_ref()).recip() / 2u32),
        };
        if rate > Rational::from((1, 2)) {
            return Err(unreachable);
        }
        // As many binary places as fit in 63 bits beside a rate of at most 1/2, and at most 8.
        let rate_shift = (0..8).take_while(|shift| Rational::from(&rate << (shift + 2)) <= 1).count();
        let rate_shift = u32::try_from(rate_shift).map_err(|_| unreachable)?;
        let units = Integer::from(Rational::from(&rate << (64 + rate_shift)).floor_ref());
        let rate_units = units.to_u64().ok_or(unreachable)?;
        Ok(Self { shape, table: Table::new(weights, t), low_bits, rate, rate_units, rate_shift })
    }

    /// Draws a size.
    #[inline]
    pub(crate) fn sample<W: Widths>(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Drawn> {
        if self.low_bits > 64 {
            return self.sample_big::<W>(entropy);
        }
        for _ in 0..MAX_ROUNDS {
            let word = entropy.bits(W::TABLE + W::COIN)?;
            let whole = self.table.sample::<W>(word >> W::COIN, entropy)?;
            let low = entropy.bits(self.low_bits)?;
            // l is exactly this many units of 2^-64.
            let l = if self.low_bits == 0 { 0 } else { low << (64 - self.low_bits) };
            let (first, most) = (word & ((1 << W::COIN) - 1), self.greatest_exponent(whole, l));
            let kept = match toss::<W>(first, most, || self.exponent(whole, l), entropy)? {
                Toss::Decided(kept) => kept,
                Toss::Open(coin) => self.decide(whole, Rational::from(low) >> self.low_bits, coin, entropy)?,
            };
            if kept {
                // A whole part below 2^10 and 53 low bits fit in 63 bits.
                return Ok(if whole < MAX_WHOLE && self.low_bits <= 53 {
                    Drawn::word((whole << self.low_bits) + low)
                } else {
                    Drawn::big((Integer::from(whole) << self.low_bits) + low)
                });
            }
        }
        Err(Error::Entropy)
    }

    /// Returns an upper bound on the coin's exponent, `rate l` or at most `rate l (2 w + 1)`, in units of 2^-32,
    /// computed from 24 bits of each factor and rounded up.
    #[inline(always)]
    fn greatest_exponent(&self, whole: u64, l: u64) -> u64 {
        let (rate, l) = ((self.rate_units >> (40 + self.rate_shift)) + 1, (l >> 40) + 1);
        let slope = match self.shape {
            Shape::Exponential => 1,
            Shape::Gaussian if whole < MAX_WHOLE => 2 * whole + 1,
            // Any larger bound would decide nothing either.
            Shape::Gaussian => return 1 << 33,
        };
        ((rate * l * slope) >> 16) + 1
    }

    /// Returns bounds on the coin's exponent in units of 2^-64, or `None` for a Gaussian w of `MAX_WHOLE` or more.
    ///
    /// Exponential: the exponent is `rate l`. The stored rate is too small by less than one of its units, of which 1/2
    /// has at most 2^63. Times `l < 1`, that is less than one unit, and rounding loses less than another.
    ///
    /// Gaussian: the exponent is `rate l (2 w + l)`. The factor `l (2 w + l)` is at most 2^11, or 2^75 units, and too
    /// small by less than one unit. The rate is at most 1/2, and too small by less than 2^-64. So the product is too
    /// small by less than `2^11 + 1/2` units of 2^-64, shifted right by `rate_shift`, and rounding loses less than 2.
    #[inline]
    fn exponent(&self, whole: u64, l: u64) -> Option<Exponent> {
        let (w, l, rate) = (u128::from(whole), u128::from(l), u128::from(self.rate_units));
        Some(match self.shape {
            Shape::Exponential => Exponent { least: (l * rate) >> (64 + self.rate_shift), width: 2 },
            Shape::Gaussian if whole >= MAX_WHOLE => return None,
            Shape::Gaussian => {
                let product = 2 * w * l + ((l * l) >> 64);
                let (high, low) = (product >> 64, product & u128::from(u64::MAX));
                let least = (high * rate + ((low * rate) >> 64)) >> self.rate_shift;
                Exponent { least, width: (2049 >> self.rate_shift) + 3 }
            }
        })
    }

    #[cold]
    fn decide(
        &self,
        whole: u64,
        l: Rational,
        mut coin: LazyUniform,
        entropy: &mut (impl Entropy + ?Sized),
    ) -> Fallible<bool> {
        let x = &self.rate
            * match self.shape {
                Shape::Exponential => l,
                Shape::Gaussian => (Rational::from(2 * whole) + &l) * l,
            };
        is_below_exp(&mut coin, &mut LazyUniform::default(), |_| x.clone(), entropy)
    }

    /// Like `sample`, for low parts of more than 64 bits.
    #[cold]
    fn sample_big<W: Widths>(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Drawn> {
        for _ in 0..MAX_ROUNDS {
            let whole = self.table.sample::<W>(entropy.bits(W::TABLE)?, entropy)?;
            let low = random_bits(self.low_bits, entropy)?;
            let l = Rational::from(&low) >> self.low_bits;
            if self.decide(whole, l, LazyUniform::default(), entropy)? {
                return Ok(Drawn::big((Integer::from(whole) << self.low_bits) + low));
            }
        }
        Err(Error::Entropy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        testing::{SeededEntropy, enumerate},
        widths::{Full, Tiny},
    };

    /// A whole draw, with its high part, its low bits and its coin, for a high part small enough to enumerate.
    #[test]
    fn enumerated_masses_never_exceed_the_law_and_close_in_on_it() {
        for (shape, scale, low_bits) in
            [(Shape::Exponential, 5.0, 1), (Shape::Exponential, 9.0, 2), (Shape::Gaussian, 3.0, 1)]
        {
            let noise = Large::with_low_bits(shape, &scale.try_into().unwrap(), low_bits).unwrap();
            let draw = |entropy: &mut dyn Entropy| match noise.sample::<Tiny>(entropy)? {
                Drawn::Small(size) => Ok(size),
                Drawn::Big(_) => Ok(-1),
            };
            let law = enumerate(24, draw).unwrap();
            // Cells and coins that are open after their first digits, and draws rejected twice.
            assert!(law.undecided < 0.2, "{shape:?} {scale}: {}", law.undecided);
            let weight = |z: i32| match shape {
                Shape::Exponential => (-f64::from(z) / scale).exp(),
                Shape::Gaussian => (-(f64::from(z) / scale).powi(2) / 2.0).exp(),
            };
            let total: f64 = (0..1000).map(weight).sum();
            assert!(law.mass.len() > 8);
            for (z, mass) in law.mass {
                let p = weight(i32::try_from(z).unwrap()) / total;
                assert!(mass <= p + 1e-12 && p <= mass + law.undecided + 1e-12, "{shape:?} {z}: {mass} {p}");
            }
        }
    }

    #[test]
    fn exponents_are_enclosed() {
        let mut state = 1u64;
        for (scale, low_bits) in
            [(32.0, 1), (33.3, 1), (1e3, 5), (1e6, 15), (63.999, 1), (1e16, 49), (3.0, 0), (5.0, 1)]
        {
            let scale = ExactScale::try_from(scale).unwrap();
            for shape in [Shape::Exponential, Shape::Gaussian] {
                let law = Large::with_low_bits(shape, &scale, low_bits).unwrap();
                for whole in 0..MAX_WHOLE {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    // Now and then all is cut off of l that may be, so that next to nothing is to spare.
                    let state = if whole % 4 == 0 { (state >> (whole / 4 % 25)) | ((1 << 40) - 1) } else { state };
                    let Exponent { least, width } = law.exponent(whole, state).unwrap();
                    let l = Rational::from(state) >> 64u32;
                    let x = &law.rate
                        * match shape {
                            Shape::Exponential => l,
                            Shape::Gaussian => (Rational::from(2 * whole) + &l) * l,
                        };
                    let units = x << 64u32;
                    assert!(least <= units && units <= least + width, "{shape:?} {scale:?} {whole} {state}");
                    assert!(
                        units >> 32u32 <= law.greatest_exponent(whole, state),
                        "{shape:?} {scale:?} {whole} {state}"
                    );
                }
                assert_eq!(law.exponent(MAX_WHOLE, 0).is_none(), shape == Shape::Gaussian);
                assert!(shape == Shape::Exponential || law.greatest_exponent(MAX_WHOLE, 0) > 1 << 32);
            }
        }
    }

    #[test]
    fn a_high_part_too_small_for_the_bounds_is_refused() {
        let scale = ExactScale::try_from(32.0).unwrap();
        assert!(Large::with_low_bits(Shape::Exponential, &scale, 5).is_err());
        assert!(Large::with_low_bits(Shape::Gaussian, &scale, 6).is_err());
    }

    /// Returns true if a coin between two fractions lies below `exp(-x)`, where that is clear.
    fn kept((low, high): (Rational, Rational), x: &Rational) -> Option<bool> {
        let (least, greatest) = crate::lazy::exp(Rational::from(-x), 200);
        if high <= least {
            Some(true)
        } else if low >= greatest {
            Some(false)
        } else {
            None
        }
    }

    /// The coin's exponent by the scale itself.
    fn exponent(shape: Shape, scale: &ExactScale, (whole, low): (u64, &Integer), low_bits: u32) -> Rational {
        let from = Rational::from(Integer::from(whole) << low_bits) / scale.exact();
        let to = Rational::from((Integer::from(whole) << low_bits) + low) / scale.exact();
        match shape {
            Shape::Exponential => to - from,
            Shape::Gaussian => (to.square() - from.square()) / 2u32,
        }
    }

    /// Computes whole draws at the widths that releases use, from the same words by exact fractions. Returns `None` if
    /// the first words do not decide the draw.
    fn draw_by_words(shape: Shape, scale: &ExactScale, law: &Large, entropy: &mut SeededEntropy) -> Option<Integer> {
        loop {
            let small = law.low_bits <= 64;
            let word = entropy.bits(if small { Full::TABLE + Full::COIN } else { Full::TABLE }).unwrap();
            let high = if small { word >> Full::COIN } else { word };
            let whole = law.table.sample::<Full>(high, entropy).unwrap();
            let low = random_bits(law.low_bits, entropy).unwrap();
            let coin = if small {
                // A coin that is clear of its bias is not looked at closer.
                let (first, l) = (word & 0xffff, Integer::from(&low << (64 - law.low_bits)).to_u64().unwrap());
                if ((first + 1) << 16) + law.greatest_exponent(whole, l) <= 1 << 32 {
                    first << 48
                } else {
                    first << 48 | entropy.bits(48).unwrap()
                }
            } else {
                // Of the low bits, which are known, as many digits are drawn as of the coin.
                entropy.bits(64).unwrap();
                entropy.bits(64).unwrap()
            };
            let coin = (Rational::from(coin) >> 64u32, Rational::from(Integer::from(coin) + 1u32) >> 64u32);
            if kept(coin, &exponent(shape, scale, (whole, &low), law.low_bits))? {
                return Some((Integer::from(whole) << law.low_bits) + low);
            }
        }
    }

    #[test]
    fn draws_are_what_their_words_say() {
        let (mut compared, mut tried) = (0, 0);
        for scale in [32.0, 45.5, 1e3, 3e7, 1e16, 5e16, 1.5e17, 1e18, 1.5e20, 2e20, 4e20, 1e21, 1e40] {
            let scale = ExactScale::try_from(scale).unwrap();
            for (shape, seed) in [Shape::Exponential, Shape::Gaussian]
                .into_iter()
                .flat_map(|shape| (0..40).map(move |seed| (shape, seed)))
            {
                let law = Large::new(shape, &scale).unwrap();
                tried += 1;
                let Some(size) = draw_by_words(shape, &scale, &law, &mut SeededEntropy::new(seed)) else { continue };
                compared += 1;
                let drawn = match law.sample::<Full>(&mut SeededEntropy::new(seed)).unwrap() {
                    Drawn::Small(size) => size.into(),
                    Drawn::Big(size) => *size,
                };
                assert_eq!(drawn, size, "{shape:?} {scale:?} {seed}");
            }
        }
        assert!(compared * 100 > tried * 95, "{compared} of {tried}");
    }

    /// A coin next to its bias, on either side.
    #[test]
    fn open_coins_are_decided_by_the_exponent() {
        for scale in [32.0, 1e3, 1e16, 1e25] {
            let scale = ExactScale::try_from(scale).unwrap();
            for (shape, whole) in [Shape::Exponential, Shape::Gaussian]
                .into_iter()
                .flat_map(|shape| [0u64, 1, 7, 40].map(|whole| (shape, whole)))
            {
                let law = Large::new(shape, &scale).unwrap();
                let low: Integer = (Integer::from(5) << law.low_bits) >> 3u32;
                let x = exponent(shape, &scale, (whole, &low), law.low_bits);
                let bias = crate::lazy::exp(-x, 200).0.to_rational().unwrap() << 64u32;
                let bias = Integer::from(bias.floor_ref()).to_u64().unwrap();
                for (coin, below) in [(bias - 2, true), (bias - 1, true), (bias + 1, false), (bias + 2, false)] {
                    let l = Rational::from(&low) >> law.low_bits;
                    let coin = LazyUniform::from_word(coin, 64);
                    assert_eq!(law.decide(whole, l, coin, &mut SeededEntropy::new(1)), Ok(below), "{shape:?} {whole}");
                }
            }
        }
    }

    #[test]
    fn rates_are_at_most_one_half() {
        let law = |shape, scale: f64| Large::with_low_bits(shape, &scale.try_into().unwrap(), 1);
        assert!(law(Shape::Exponential, 4.0).is_ok() && law(Shape::Exponential, 4f64.next_down()).is_err());
        assert!(law(Shape::Exponential, 3.0).is_err() && law(Shape::Gaussian, 1.5).is_err());
        assert!(law(Shape::Gaussian, 2.0).is_ok() && law(Shape::Gaussian, 2f64.next_down()).is_err());
    }

    /// A whole draw whose coin is decided by more than a word.
    #[test]
    fn a_draw_with_an_open_coin_is_decided_by_more_digits() {
        for (shape, scale) in [Shape::Exponential, Shape::Gaussian]
            .into_iter()
            .flat_map(|shape| [32.0, 1e3, 1e15].map(|scale| (shape, scale)))
        {
            let scale = ExactScale::try_from(scale).unwrap();
            let law = Large::new(shape, &scale).unwrap();
            let low = Integer::from(1) << (law.low_bits - 1);
            let x = exponent(shape, &scale, (0, &low), law.low_bits);
            let bias = Integer::from((crate::lazy::exp(-x, 200).0.to_rational().unwrap() << 64u32).floor_ref());
            let bias = bias.to_u64().unwrap();
            let word = |word: u64, count: u32| (0..count).rev().map(move |bit| word >> bit & 1 == 1);
            // Below the bias by its first word and zeros; above by a word that is one more.
            for (coin, is_kept) in [(bias, true), (bias + 1, false)] {
                let tape: Vec<bool> = word(0, Full::TABLE)
                    .chain(word(coin >> 48, Full::COIN))
                    .chain(word(low.to_u64().unwrap(), law.low_bits))
                    .chain(word(coin & ((1 << 48) - 1), 48))
                    .chain(word(0, 64))
                    .chain(word(0, 64))
                    .collect();
                let drawn = law.sample::<Full>(&mut crate::testing::BitTape::new(&tape));
                let kept = matches!(drawn, Ok(Drawn::Small(size)) if size == low);
                assert_eq!(kept, is_kept, "{shape:?} {scale:?}");
            }
        }
    }

    /// The quick bound of the exponent is close, and holds where nothing but its last unit makes up for what was
    /// rounded away.
    #[test]
    fn the_quick_bound_is_close_and_holds_at_its_ends() {
        // A rate of an odd number of units of 2^-24, but for a little.
        let rate = Rational::from(5_592_407) - (Rational::from(1) >> 20u32);
        let scale = ExactScale::try_from(Rational::from(1 << 25) / rate).unwrap();
        let law = Large::with_low_bits(Shape::Exponential, &scale, 1).unwrap();
        for high in 1..1u64 << 16 {
            let l = (high << 40) - 1;
            let units = Rational::from(&law.rate * Integer::from(l)) >> 32u32;
            let bound = law.greatest_exponent(0, l);
            assert!(units <= bound && bound <= units + 3, "{high}");
        }
    }
}
