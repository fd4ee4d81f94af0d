//! Real numbers whose digits are drawn on demand.

use crate::{Entropy, Error, Fallible, uniform::random_bits};
use indistinct_numeric::Dyadic;
use rug::{Float, Integer, Rational, float::Round};

/// A real number drawn from a distribution, known to lie in an interval that can be narrowed.
pub trait LazyReal {
    /// Returns a closed interval that contains the number, or `None` if more digits are needed to bound it.
    ///
    /// The interval shrinks to a point as digits are drawn. It depends only on the digits drawn so far.
    fn enclosure(&self) -> Option<(Rational, Rational)>;
    /// Draws more digits.
    fn refine(&mut self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<()>;
}

/// Returns the largest integer not above `offset + factor * number`, drawing as many digits as that takes.
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

/// Returns the multiple of `2^k` nearest to `shift + scale * number`, drawing as many digits as that takes.
pub(crate) fn nearest_multiple(
    shift: &Dyadic,
    scale: &Rational,
    k: i32,
    number: &mut impl LazyReal,
    entropy: &mut (impl Entropy + ?Sized),
) -> Fallible<Dyadic> {
    let unit = |x: Rational| if k < 0 { x << k.unsigned_abs() } else { x >> k.unsigned_abs() };
    let offset = unit(shift.to_gmp_rational()) + Rational::from((1, 2));
    let multiple = floor_of(&offset, &unit(scale.clone()), number, entropy)?;
    Ok(Dyadic::from_gmp(multiple, k)?)
}

/// A number drawn uniformly from [0, 1], of which only the first binary digits are known.
#[derive(Debug, Clone, Default)]
pub(crate) struct LazyUniform {
    digits: Integer,
    count: u32,
}

impl LazyUniform {
    /// The smallest number of digits drawn at a time.
    pub(crate) const STEP: u32 = 64;

    /// Makes a number whose first `count` digits are the highest bits of `word`.
    pub(crate) fn from_word(word: u64, count: u32) -> Self {
        Self { digits: Integer::from(word) >> (64 - count), count }
    }

    /// Returns the number of known digits.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// Doubles the number of digits, drawing at least `STEP`. A fair source needs more than `MAX_DIGITS` with
    /// probability below 2^-60000.
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

    /// Returns the ends of the interval that contains the number, times `2^count`.
    pub(crate) fn ends(&self) -> (Integer, Integer) {
        #[cfg(feature = "testing")]
        crate::testing::SLOW_DECISIONS.with(|count| count.set(count.get() + 1));
        (self.digits.clone(), Integer::from(&self.digits + 1u32))
    }

    /// Returns the closed interval that contains the number.
    pub(crate) fn enclosure(&self) -> (Rational, Rational) {
        let (low, high) = self.ends();
        (Rational::from(low) >> self.count, Rational::from(high) >> self.count)
    }
}

/// Returns true if a uniform number lies below `exp(-x(l))`, for a nondecreasing function x: true with that
/// probability. Digits of both numbers are drawn until the comparison is decided.
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

/// Returns floats of `precision` bits below and above an increasing function of x, for an `f` that rounds in the given
/// direction.
pub(crate) fn outward(x: &Rational, precision: u32, f: impl Fn(Float, Round) -> Float) -> (Float, Float) {
    // The argument and the function's value are rounded in the same direction.
    let bound = |round| f(Float::with_val_round(precision, x, round).0, round);
    (bound(Round::Down), bound(Round::Up))
}

/// Returns floats below and above `exp(x)`.
pub(crate) fn exp(x: Rational, precision: u32) -> (Float, Float) {
    outward(&x, precision, |x, round| Float::with_val_round(precision, x.exp_ref(), round).0)
}

/// Returns fractions below and above `ln(x)`, for a positive x.
pub(crate) fn ln(x: &Rational, precision: u32) -> Option<(Rational, Rational)> {
    let (low, high) = outward(x, precision, |x, round| Float::with_val_round(precision, x.ln_ref(), round).0);
    Some((low.to_rational()?, high.to_rational()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{BitTape, SeededEntropy};

    #[test]
    fn digits_follow_those_that_are_known() {
        let mut number = LazyUniform::from_word(0b101 << 61, 3);
        assert_eq!((number.count(), number.ends()), (3, (Integer::from(5), Integer::from(6))));
        assert_eq!(number.enclosure(), (Rational::from((5, 8)), Rational::from((3, 4))));
        number.refine(&mut BitTape::new(&[true; 64])).unwrap();
        assert_eq!((number.count(), number.ends().1), (67, Integer::from(6) << 64));
        number.refine(&mut BitTape::new(&[false; 67])).unwrap();
        assert_eq!(
            (number.count(), number.ends().1),
            (134, ((Integer::from(6) << 64) - 1) * (Integer::from(1) << 67) + 1)
        );
    }

    #[test]
    fn a_number_that_is_never_decided_is_given_up() {
        let (mut number, mut entropy) = (LazyUniform::default(), SeededEntropy::new(1));
        while number.refine(&mut entropy).is_ok() {}
        assert_eq!(number.count(), 1 << 18);
    }

    /// A number that is known.
    struct Known(Rational);

    impl LazyReal for Known {
        fn enclosure(&self) -> Option<(Rational, Rational)> {
            Some((self.0.clone(), self.0.clone()))
        }
        fn refine(&mut self, _: &mut (impl Entropy + ?Sized)) -> Fallible<()> {
            Err(Error::Entropy)
        }
    }

    #[test]
    fn a_known_number_is_rounded_to_the_nearest_multiple() {
        for (shift, scale, number, k, multiple) in [
            (0.4, (3, 1), (2, 5), 0, 2),
            (0.4, (3, 1), (-2, 5), 0, -1),
            (0.4, (3, 1), (2, 5), -2, 6),
            (10.0, (3, 1), (2, 5), 2, 3),
            (0.5, (1, 1), (0, 1), 0, 1),
            (-0.5, (1, 1), (0, 1), 0, 0),
        ] {
            let (shift, mut number) = (Dyadic::from_f64(shift).unwrap(), Known(Rational::from(number)));
            let nearest = nearest_multiple(&shift, &Rational::from(scale), k, &mut number, &mut BitTape::new(&[]));
            assert_eq!(nearest, Ok(Dyadic::new(multiple, k).unwrap()), "{shift:?} {k}");
        }
    }

    /// The digits of both numbers after a comparison with `exp(-3 l)` bear it out.
    #[test]
    fn comparisons_with_the_exponential_are_borne_out_by_the_digits() {
        let exp = |x: &Rational| (-3.0 * x.to_f64()).exp();
        let mut refined = 0;
        for (toss, digits) in (0..32).flat_map(|toss| (0..32).map(move |digits| (toss << 59, digits << 59))) {
            let (mut coin, mut l) = (LazyUniform::from_word(toss, 5), LazyUniform::from_word(digits, 5));
            let below =
                is_below_exp(&mut coin, &mut l, |l| l * 3u32, &mut SeededEntropy::new(toss ^ digits >> 5)).unwrap();
            let ((low, high), (least, greatest)) = (coin.enclosure(), l.enclosure());
            let borne_out = if below { high.to_f64() <= exp(&greatest) } else { low.to_f64() >= exp(&least) };
            assert!(borne_out, "{toss} {digits}");
            refined += u32::from(coin.count() > 5);
            // Both, or neither, and no more than it takes.
            assert_eq!((coin.count() == 5, coin.count() < 200), (l.count() == 5, true));
        }
        assert!((50..300).contains(&refined), "{refined}");
    }

    #[test]
    fn functions_lie_between_their_bounds() {
        for x in [(1, 3), (7, 2), (1, 1000)].map(Rational::from) {
            let wide = |x: &Rational| Float::with_val(300, x);
            for (x, exp_of_x) in [x.clone(), -x.clone()].map(|x| (x.clone(), wide(&x).exp())) {
                let (low, high) = exp(x, 100);
                assert!(low < exp_of_x && exp_of_x < high && Float::with_val(300, &high - &low) / high < 1e-28);
            }
            let (low, high) = ln(&x, 100).unwrap();
            let truth = wide(&x).ln();
            assert!(low < truth && truth < high && (high - low).to_f64() < 1e-28);
        }
    }
}
