//! Real numbers whose digits are drawn on demand.

use crate::{Entropy, Error, Fallible, uniform::random_bits};
use indistinct_numeric::Dyadic;
use rug::{Float, Integer, Rational, float::Round};

/// A real number drawn from a law, known to lie in an interval that can be narrowed.
pub trait LazyReal {
    /// A closed interval that contains the number, or nothing if more digits are needed to bound it.
    ///
    /// It shrinks to a point as digits are drawn, and never says more of the number than has been drawn.
    fn enclosure(&self) -> Option<(Rational, Rational)>;
    /// Draw more digits.
    fn refine(&mut self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<()>;
}

/// The greatest integer not above `offset + factor * number`, decided from as many digits as it takes.
pub(crate) fn floor_of(
    offset: &Rational,
    factor: &Rational,
    number: &mut impl LazyReal,
    entropy: &mut (impl Entropy + ?Sized),
) -> Fallible<Integer> {
    let floor = |z: &Rational| Integer::from((offset + Rational::from(factor * z)).floor_ref());
    loop {
        if let Some((low, high)) = number.enclosure() {
            let (low, high) = (floor(&low), floor(&high));
            if low == high {
                return Ok(low);
            }
        }
        number.refine(entropy)?;
    }
}

/// The multiple of `2^k` nearest to `shift + scale * number`, decided from as many digits as it takes.
pub(crate) fn nearest_multiple(
    shift: &Dyadic,
    scale: &Rational,
    k: i32,
    number: &mut impl LazyReal,
    entropy: &mut (impl Entropy + ?Sized),
) -> Fallible<Dyadic> {
    let unit = |x: Rational| if k < 0 { x << k.unsigned_abs() } else { x >> k.unsigned_abs() };
    let offset = unit(shift.to_rational()) + Rational::from((1, 2));
    let multiple = floor_of(&offset, &unit(scale.clone()), number, entropy)?;
    Ok(Dyadic::new(multiple, k)?)
}

/// A number drawn uniformly from [0, 1], of which only a prefix of the binary digits is known yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct LazyUniform {
    digits: Integer,
    count: u32,
}

impl LazyUniform {
    /// Fewest digits drawn at a time.
    pub(crate) const STEP: u32 = 64;

    /// A number whose first `count` digits are the highest bits of `word`.
    pub(crate) fn from_word(word: u64, count: u32) -> Self {
        Self { digits: Integer::from(word) >> (64 - count), count }
    }

    /// The number of digits known.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// Draw as many digits as there are, and at least `STEP`. A fair source never needs as many as `MAX_DIGITS`: that
    /// would be an event of probability below 2^-60000.
    pub(crate) fn refine(&mut self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<()> {
        const MAX_DIGITS: u32 = 1 << 17;
        if self.count > MAX_DIGITS {
            return Err(Error::Entropy);
        }
        let more = self.count.max(Self::STEP);
        self.digits = Integer::from(&self.digits << more) | random_bits(more, entropy)?;
        self.count += more;
        Ok(())
    }

    /// The ends of the interval in which the number lies, times `2^count`.
    pub(crate) fn ends(&self) -> (Integer, Integer) {
        #[cfg(feature = "testing")]
        crate::testing::SLOW_DECISIONS.with(|count| count.set(count.get() + 1));
        (self.digits.clone(), Integer::from(&self.digits + 1u32))
    }

    /// The closed interval in which the number lies.
    pub(crate) fn enclosure(&self) -> (Rational, Rational) {
        let (low, high) = self.ends();
        (Rational::from(low) >> self.count, Rational::from(high) >> self.count)
    }
}

/// Whether a uniform number lies below `exp(-x(l))`, for a function x that does not fall: true with that probability.
/// Digits of both numbers are drawn until the comparison is decided.
pub(crate) fn is_below_exp(
    coin: &mut LazyUniform,
    l: &mut LazyUniform,
    x: impl Fn(Rational) -> Rational,
    entropy: &mut (impl Entropy + ?Sized),
) -> Fallible<bool> {
    loop {
        let precision = coin.count().max(l.count()) + LazyUniform::STEP;
        let (least, greatest) = l.enclosure();
        let (low, high) = coin.enclosure();
        if high <= exp(-x(greatest), precision).0 {
            return Ok(true);
        }
        if low >= exp(-x(least), precision).1 {
            return Ok(false);
        }
        l.refine(entropy)?;
        coin.refine(entropy)?;
    }
}

/// Floats of `precision` bits below and above a rising function of x, for an `f` that rounds as it is told.
pub(crate) fn outward(x: &Rational, precision: u32, f: impl Fn(Float, Round) -> Float) -> (Float, Float) {
    // Rounded towards the same side twice: the argument, and the function's value.
    let bound = |round| f(Float::with_val_round(precision, x, round).0, round);
    (bound(Round::Down), bound(Round::Up))
}

/// Floats below and above `exp(x)`.
pub(crate) fn exp(x: Rational, precision: u32) -> (Float, Float) {
    outward(&x, precision, |x, round| Float::with_val_round(precision, x.exp_ref(), round).0)
}

/// Fractions below and above `ln(x)`, for a positive x.
pub(crate) fn ln(x: &Rational, precision: u32) -> Option<(Rational, Rational)> {
    let (low, high) = outward(x, precision, |x, round| Float::with_val_round(precision, x.ln_ref(), round).0);
    Some((low.to_rational()?, high.to_rational()?))
}
