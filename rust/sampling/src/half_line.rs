//! The exponential and half-normal distributions: nonnegative numbers, each a whole number of sixteenths and a
//! fraction.
//!
//! `Z = (w + l) / 16` with w from a table and l uniform on [0, 1], kept with probability `exp(-x)`, where x is the part
//! of the exponent that the table does not cover:
//!
//! | distribution | density | table | x |
//! |---|---|---|---|
//! | exponential | `exp(-z)` | `exp(-w / 16)` | `l / 16` |
//! | half-normal | `exp(-z^2 / 2)` | `exp(-w^2 / 512)` | `l (2 w + l) / 512` |
//!
//! One draw in 33 (exponential) or 41 (half-normal) is rejected. If 64 bits of w, l and the coin do not decide, more
//! digits are drawn, which takes milliseconds and happens less than once in 10^15 draws.

use crate::{
    Entropy, Error, Fallible, MAX_ROUNDS,
    coin::{Exponent, Toss, toss},
    lazy::{LazyUniform, is_below_exp},
    table::{Table, Weights},
    widths::Widths,
};
use rug::Rational;
use std::sync::LazyLock;

/// A distribution on the nonnegative numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HalfLine {
    Exponential,
    HalfNormal,
}

/// Parts of the unit: the scale of the tables.
pub(crate) const PARTS: u32 = 16;

static EXPONENTIAL: LazyLock<Table> = LazyLock::new(|| Table::new(Weights::Geometric, Rational::from(PARTS)));
static HALF_NORMAL: LazyLock<Table> = LazyLock::new(|| Table::new(Weights::HalfGaussian, Rational::from(PARTS)));

/// A number `(whole + l) / parts`; the digits of l are drawn on demand.
#[derive(Debug)]
pub(crate) struct Draw {
    pub(crate) whole: u64,
    /// The first 64 bits of l. The first `bits` of these have been drawn; the others are 0.
    pub(crate) fraction: u64,
    bits: u32,
    parts: u32,
    /// All digits of l drawn so far, once there are more than `bits`.
    digits: Option<Box<LazyUniform>>,
}

impl HalfLine {
    /// The table used by [`HalfLine::draw`]; one for each distribution.
    pub(crate) fn table(self) -> &'static Table {
        match self {
            HalfLine::Exponential => &EXPONENTIAL,
            HalfLine::HalfNormal => &HALF_NORMAL,
        }
    }

    #[inline(always)]
    pub(crate) fn draw<W: Widths>(self, table: &Table, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Draw> {
        for _ in 0..MAX_ROUNDS {
            let bits = W::HEAD + W::TAIL;
            let word = entropy.bits(W::TABLE + W::COIN + W::HEAD)?;
            let whole = table.sample::<W>(word >> (W::COIN + W::HEAD), entropy)?;
            let head = word & ((1 << W::HEAD) - 1);
            let fraction = (head << W::TAIL | entropy.bits(W::TAIL)?) << (64 - bits);
            let (first, most) =
                ((word >> W::HEAD) & ((1 << W::COIN) - 1), self.greatest_exponent::<W>(whole, fraction));
            let exponent = || Some(self.exponent::<W>(whole, fraction));
            let (kept, digits) = match toss::<W>(first, most, exponent, entropy)? {
                Toss::Decided(kept) => (kept, None),
                Toss::Open(coin) => self.decide(whole, LazyUniform::from_word(fraction, bits), coin, entropy)?,
            };
            if kept {
                return Ok(Draw { whole, fraction, bits, parts: PARTS, digits });
            }
        }
        Err(Error::Entropy)
    }

    /// An upper bound on x, `l / 16` or at most `l (2 w + 1) / 512`, in units of 2^-32, from the first digits of l,
    /// rounded up.
    #[inline(always)]
    fn greatest_exponent<W: Widths>(self, whole: u64, fraction: u64) -> u64 {
        let l = (fraction >> 32) + (1 << (64 - W::HEAD - W::TAIL) >> 32) + 1;
        match self {
            HalfLine::Exponential => (l >> 4) + 1,
            HalfLine::HalfNormal if whole < 1 << 10 => ((l * (2 * whole + 1)) >> 9) + 1,
            // Any larger bound would decide nothing either.
            HalfLine::HalfNormal => 1 << 33,
        }
    }

    /// Returns bounds on x in units of 2^-64, for an l that exceeds `fraction` by at most one unit of its last place.
    #[inline]
    fn exponent<W: Widths>(self, whole: u64, fraction: u64) -> Exponent {
        let ulp = 1u128 << (64 - W::HEAD - W::TAIL);
        match self {
            HalfLine::Exponential => Exponent { least: u128::from(fraction >> 4), width: (ulp >> 4) + 1 },
            HalfLine::HalfNormal => {
                // l (2 w + l) has a slope of at most 2 w + 2, and rounding the square loses less than one unit.
                let (w, l) = (u128::from(whole), u128::from(fraction));
                let product = 2 * w * l + ((l * l) >> 64);
                Exponent { least: product >> 9, width: (((2 * w + 2) * ulp + 1) >> 9) + 2 }
            }
        }
    }

    /// Decides whether to keep a draw, for a coin that 64 bits did not decide. Also returns the digits of l that were
    /// drawn.
    #[cold]
    fn decide(
        self,
        whole: u64,
        mut l: LazyUniform,
        mut coin: LazyUniform,
        entropy: &mut (impl Entropy + ?Sized),
    ) -> Fallible<(bool, Option<Box<LazyUniform>>)> {
        let x = |l: Rational| match self {
            HalfLine::Exponential => l / PARTS,
            HalfLine::HalfNormal => (Rational::from(2 * whole) + &l) * l / (2 * PARTS * PARTS),
        };
        let kept = is_below_exp(&mut coin, &mut l, x, entropy)?;
        Ok((kept, Some(Box::new(l))))
    }
}

impl Draw {
    /// Draws a number uniform on [0, 1].
    #[inline]
    pub(crate) fn uniform<W: Widths>(entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Self> {
        Ok(Self::first_digits(entropy.bits(W::FRACTION)?, W::FRACTION))
    }

    /// Makes a number uniform on [0, 1] from its first `bits` digits.
    #[inline(always)]
    pub(crate) fn first_digits(digits: u64, bits: u32) -> Self {
        Self { whole: 0, fraction: digits << (64 - bits), bits, parts: 1, digits: None }
    }

    /// Draws the rest of the first digits, if there are fewer than W requires.
    pub(crate) fn complete<W: Widths>(&mut self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<()> {
        let missing = W::FRACTION.saturating_sub(self.bits);
        if missing > 0 && self.digits.is_none() {
            self.fraction |= entropy.bits(missing)? << (64 - W::FRACTION);
            self.bits = W::FRACTION;
        }
        Ok(())
    }

    /// Returns the smallest possible value by the first digits, and the width of the range above it, in units of 2^-64
    /// / parts.
    #[inline(always)]
    pub(crate) fn fixed(&self) -> (i128, i128) {
        (i128::from(self.whole) << 64 | i128::from(self.fraction), 1 << (64 - self.bits))
    }

    /// Returns the number in units of 2^-58, rounded down, if it is less than 1024 sixteenths and at least 47 digits of
    /// l are known. The number exceeds the result by less than 129 units.
    #[inline(always)]
    pub(crate) fn sixteenths(&self) -> Option<u64> {
        (self.whole < 1 << 10 && self.bits >= 47).then_some(self.whole << 54 | self.fraction >> 10)
    }

    /// Returns the number of known digits of l.
    pub(crate) fn digits_known(&self) -> u32 {
        self.digits.as_ref().map_or(self.bits, |digits| digits.count())
    }

    /// Returns the known digits of l, so that more can be drawn.
    pub(crate) fn digits(&mut self) -> &mut LazyUniform {
        self.digits.get_or_insert_with(|| Box::new(LazyUniform::from_word(self.fraction, self.bits)))
    }

    pub(crate) fn enclosure(&self) -> (Rational, Rational) {
        let fraction = match &self.digits {
            Some(digits) => digits.enclosure(),
            None => LazyUniform::from_word(self.fraction, self.bits).enclosure(),
        };
        let whole = Rational::from(self.whole);
        ((fraction.0 + &whole) / self.parts, (fraction.1 + whole) / self.parts)
    }

    pub(crate) fn refine(&mut self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<()> {
        self.digits().refine(entropy)
    }
}

#[cfg(test)]
#[allow(clippy::as_conversions)] // small numbers as floats
mod tests {
    use super::*;
    use crate::{
        testing::{BitTape, SeededEntropy},
        widths::{Few, Full, Tiny},
    };

    /// Both ends of x, exactly, lie within the bounds.
    fn check<W: Widths>(law: HalfLine, whole: u64, fraction: u64) {
        let Exponent { least, width } = law.exponent::<W>(whole, fraction);
        let x = |l: Rational| match law {
            HalfLine::Exponential => l / PARTS,
            HalfLine::HalfNormal => (Rational::from(2 * whole) + &l) * l / (2 * PARTS * PARTS),
        };
        let (low, high) = LazyUniform::from_word(fraction, W::HEAD + W::TAIL).enclosure();
        assert!(least <= x(low.clone()) << 64u32, "{law:?} {whole} {fraction}");
        assert!(x(high.clone()) << 64u32 <= least + width, "{law:?} {whole} {fraction}");
        let most = law.greatest_exponent::<W>(whole, fraction);
        assert!(Rational::from(&x(high.clone()) << 32u32) <= most, "{law:?} {whole} {fraction}");
        // Bounds further apart would be right too, but would decide less: l is at most 1 more, and the digits' last
        // place 2.
        let (ulp, spare) = (Rational::from(&high - &low), Rational::from((1, 512)));
        assert!(width <= ((x(high.clone()) - x(low) + ulp / 64u32) << 64u32) + 4u32, "{law:?} {whole} {fraction}");
        assert!(most <= ((x(high) + spare) << 32u32) + whole + 4u32, "{law:?} {whole} {fraction}");
    }

    /// A source of given words, each below `2^count` where it is asked for `count` bits.
    struct Words<'a>(std::slice::Iter<'a, u64>);

    impl Entropy for Words<'_> {
        fn bits(&mut self, count: u32) -> Fallible<u64> {
            self.0.next().copied().filter(|word| count == 64 || *word < 1 << count).ok_or(Error::Entropy)
        }
    }

    /// A word holds 31 bits for the table, 16 bits of the coin and the first 16 bits of l; 31 more bits of l follow.
    #[test]
    fn table_coin_and_fraction_share_a_word() {
        let (half, head, tail) = (1 << 30, 0xbeef, 0x1234_5678);
        let word = |coin: u64| half << 32 | coin << 16 | head;
        // F(w) of both distributions passes 1/2 at these w: 1 - exp(-12 / 16), and the normal quantile 0.674.
        for (law, whole) in [(HalfLine::Exponential, 11), (HalfLine::HalfNormal, 10)] {
            // A coin that is nearly 1 asks for its other 48 bits, and rejects; one of 1/2 or less keeps.
            for (words, left) in [
                ([word(0), tail, 0, 0, 0], 3),
                ([word(0x5555), tail, 0, 0, 0], 3),
                ([word(0xffff), tail, (1 << 48) - 1, word(0), tail], 0),
            ] {
                let mut words = Words(words.iter());
                let draw = law.draw::<Full>(law.table(), &mut words).unwrap();
                assert_eq!((draw.whole, draw.fraction, draw.bits), (whole, (head << 31 | tail) << 17, 47), "{law:?}");
                assert_eq!(words.0.len(), left, "{law:?}");
            }
        }
    }

    #[test]
    fn a_normal_number_too_large_for_the_quick_bound_decides_nothing() {
        for (whole, large) in [((1 << 10) - 1, false), (1 << 10, true), (1 << 60, true)] {
            assert_eq!(HalfLine::HalfNormal.greatest_exponent::<Full>(whole, 0) > 1 << 32, large, "{whole}");
        }
    }

    #[test]
    fn digits_of_a_draw_are_kept_in_their_order() {
        let known = 0xdead_beef_0123u64;
        let draw = |bits| Draw { whole: 5, fraction: known << 16, bits, parts: PARTS, digits: None };
        assert_eq!(draw(48).fixed(), ((5 << 64) | i128::from(known << 16), 1 << 16));
        assert_eq!((draw(47).sixteenths(), draw(46).sixteenths()), (Some((5 << 54) | (known << 6)), None));
        assert_eq!(Draw { whole: 1 << 10, ..draw(48) }.sixteenths(), None);
        let least = (Rational::from(5) + (Rational::from(known) >> 48u32)) / PARTS;
        let greatest = &least + (Rational::from((1, PARTS)) >> 48u32);
        let mut number = draw(48);
        assert_eq!((number.digits_known(), number.enclosure()), (48, (least.clone(), greatest.clone())));
        number.refine(&mut SeededEntropy::new(1)).unwrap();
        let (low, high) = number.enclosure();
        assert!(number.digits_known() == 112 && least < low && high < greatest);
        // What is refined, or has all of its digits, is complete already.
        number.complete::<Full>(&mut BitTape::new(&[])).unwrap();
        draw(64).complete::<Full>(&mut BitTape::new(&[])).unwrap();
        assert_eq!(draw(48).complete::<Full>(&mut BitTape::new(&[])), Err(Error::Entropy));
        let mut uniform = Draw::first_digits(0b1, 1);
        uniform.complete::<Tiny>(&mut BitTape::new(&[false, true, true])).unwrap();
        assert_eq!((uniform.fixed(), uniform.enclosure().0), ((0b1011 << 60, 1 << 60), Rational::from((0b1011, 16))));
    }

    /// A coin next to its bias, on either side, for an l of 64 digits.
    #[test]
    fn what_the_first_digits_leave_open_is_decided_by_more() {
        for (law, whole, digits) in [HalfLine::Exponential, HalfLine::HalfNormal].into_iter().flat_map(|law| {
            [0, 1, 3, 40].into_iter().flat_map(move |whole| (1..16).map(move |digits| (law, whole, digits)))
        }) {
            let (l, w) = (digits as f64 / 16.0, whole as f64);
            let x = match law {
                HalfLine::Exponential => l / 16.0,
                HalfLine::HalfNormal => l * (2.0 * w + l) / 512.0,
            };
            for (factor, below) in [(1.0 - 1e-9, true), (1.0 + 1e-9, false)] {
                let coin = ((-x).exp() * factor * 2f64.powi(64)) as u64;
                let (l, coin) = (LazyUniform::from_word(digits << 60, 64), LazyUniform::from_word(coin, 64));
                let (kept, l) = law.decide(whole, l, coin, &mut SeededEntropy::new(1)).unwrap();
                assert!(
                    kept == below && l.unwrap().enclosure().0.to_f64() >= digits as f64 / 16.0,
                    "{law:?} {whole} {digits}"
                );
            }
        }
    }

    #[test]
    fn exponents_are_enclosed() {
        let mut state = 1u64;
        for step in 0..20_000u64 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            for law in [HalfLine::Exponential, HalfLine::HalfNormal] {
                check::<Full>(law, step % 300, state >> 17 << 17);
                check::<Few>(law, step % 300, state >> 60 << 60);
            }
        }
        check::<Full>(HalfLine::HalfNormal, 59, 18_034_236_864_139_493_287 >> 17 << 17);
        // Where next to nothing is to spare: a tiny l, and one next to 1.
        for (whole, fraction) in [0, 1, 500, 1023].into_iter().flat_map(|w| [0, 0xfffe_0000, !0 << 17].map(|l| (w, l)))
        {
            check::<Full>(HalfLine::Exponential, whole, fraction);
            check::<Full>(HalfLine::HalfNormal, whole, fraction);
        }
    }
}
