//! Coins with a given bias.

use crate::{Entropy, Error, Fallible, MAX_ROUNDS, Rule, uniform::uniform_below};
use rug::{Integer, Rational};

/// Returns true with probability exactly `p`, a float from 0 to 1.
///
/// The sampler compares a uniform number with p, 32 binary digits of each at a time. It needs a second round once in
/// 2^32 draws; the last digit of the smallest float is in round 34.
///
/// ```
/// use indistinct_sampling::{OsEntropy, bernoulli};
/// let coin = bernoulli(0.25, &mut OsEntropy::new())?;
/// # let _: bool = coin;
/// # Ok::<(), indistinct_sampling::Error>(())
/// ```
#[inline]
pub fn bernoulli(p: f64, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<bool> {
    if !(0.0..=1.0).contains(&p) {
        return Err(Error::Parameter(Rule::Probability));
    }
    let mut rest = p;
    loop {
        // Exact: the product is a power of two times a float from 0 to 1, and its whole part is at most 2^32.
        let digits = rest * 4_294_967_296.0;
        let (uniform, whole) = (entropy.bits(32)?, whole_part(digits));
        if uniform != whole {
            return Ok(uniform < whole);
        }
        rest = digits - digits.trunc();
        if rest == 0.0 {
            return Ok(false);
        }
    }
}

/// Returns the whole part of a float from 0 to 2^32.
#[inline]
fn whole_part(x: f64) -> u64 {
    // Floats near 2^52 are the integers, so adding 2^52 rounds x to the nearest integer.
    const SHIFT: f64 = 4_503_599_627_370_496.0;
    (x.trunc() + SHIFT).to_bits() - SHIFT.to_bits()
}

/// Returns true with probability `p`, a fraction from 0 to 1.
pub fn bernoulli_rational(p: &Rational, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<bool> {
    if *p < 0 || *p > 1 {
        return Err(Error::Parameter(Rule::Probability));
    }
    Ok(uniform_below(p.denom(), entropy)? < *p.numer())
}

/// Returns true with probability `exp(-x)`, for a fraction `x >= 0`.
///
/// This is Algorithm 1 of Canonne, Kamath, Steinke 2020: one coin for each unit of `x`, ending at the first failure,
/// then one coin for the remaining fraction.
pub fn bernoulli_exp(x: &Rational, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<bool> {
    if *x < 0 {
        return Err(Error::Parameter(Rule::Exponent));
    }
    let mut units = Integer::from(x.floor_ref());
    let fraction = Rational::from(x - &units);
    let one = Rational::from(1);
    for _ in 0..MAX_ROUNDS {
        if units == 0 {
            return bernoulli_exp_fraction(&fraction, entropy);
        }
        if !bernoulli_exp_fraction(&one, entropy)? {
            return Ok(false);
        }
        units -= 1;
    }
    Err(Error::Entropy)
}

/// Returns true with probability `exp(-x)`, for `0 <= x <= 1`, from the parity of the first failure among coins of bias
/// x/1, x/2, …
fn bernoulli_exp_fraction(x: &Rational, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<bool> {
    for round in 1..=MAX_ROUNDS {
        if !bernoulli_rational(&Rational::from(x / round), entropy)? {
            return Ok(round % 2 == 1);
        }
    }
    Err(Error::Entropy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::testing::{EnumeratedLaw, enumerate};

    fn assert_law(law: &EnumeratedLaw<bool>, p: f64) {
        let mass = |outcome| law.mass.get(&outcome).copied().unwrap_or(0.0);
        for (outcome, p) in [(true, p), (false, 1.0 - p)] {
            assert!(mass(outcome) <= p + 1e-15 && p <= mass(outcome) + law.undecided + 1e-15, "{p}: {law:?}");
        }
    }

    #[test]
    fn enumerated_laws() {
        for (numerator, denominator) in [(0, 1), (1, 1), (1, 2), (1, 3), (5, 7), (999, 1000)] {
            let p = Rational::from((numerator, denominator));
            let law = enumerate(24, |entropy| bernoulli_rational(&p, entropy)).unwrap();
            assert!(law.undecided < 0.05);
            assert_law(&law, f64::from(numerator) / f64::from(denominator));
            let law = enumerate(24, |entropy| bernoulli_exp(&p, entropy)).unwrap();
            assert!(law.undecided < 0.3 || denominator > 9, "{p}: {}", law.undecided);
            assert_law(&law, (-f64::from(numerator) / f64::from(denominator)).exp());
        }
        let x = Rational::from((5, 2));
        let law = enumerate(24, |entropy| bernoulli_exp(&x, entropy)).unwrap();
        assert_law(&law, (-2.5f64).exp());
    }

    /// A source of given words.
    struct Words<'a>(std::slice::Iter<'a, u64>);

    impl Entropy for Words<'_> {
        fn bits(&mut self, _: u32) -> Fallible<u64> {
            self.0.next().copied().ok_or(Error::Entropy)
        }
    }

    #[test]
    fn floats_are_compared_digit_by_digit() {
        let toss = |p: f64, words: &[u64]| bernoulli(p, &mut Words(words.iter()));
        assert_eq!(toss(0.5, &[1 << 31]), Ok(false));
        assert_eq!(toss(0.5, &[(1 << 31) - 1]), Ok(true));
        assert_eq!(toss(1.0, &[u32::MAX.into()]), Ok(true));
        assert_eq!(toss(0.0, &[0]), Ok(false));
        // 2^-40 is 2^-8 of the last place of the first 32 digits.
        let p = 2f64.powi(-40);
        assert_eq!(
            (toss(p, &[0, (1 << 24) - 1]), toss(p, &[0, 1 << 24]), toss(p, &[1])),
            (Ok(true), Ok(false), Ok(false))
        );
        assert_eq!(toss(5e-324, &[0; 33]), Err(Error::Entropy));
        // 2^-1074 is 2^14 units of 2^-1088.
        let mut words = [0; 34];
        words[33] = (1 << 14) - 1;
        assert_eq!(toss(5e-324, &words), Ok(true));
        words[33] = 1 << 14;
        assert_eq!(toss(5e-324, &words), Ok(false));
        for p in [-5e-324, 1.0f64.next_up(), f64::NAN] {
            assert_eq!(toss(p, &[0]), Err(Error::Parameter(Rule::Probability)));
        }
    }

    #[test]
    fn the_enumeration_has_power() {
        // A coin that is true half a percent too often.
        let law = enumerate(24, |entropy| bernoulli_rational(&Rational::from((129, 256)), entropy)).unwrap();
        let mass = law.mass[&true];
        assert!(mass > 0.5, "{mass}");
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let mut tape = crate::entropy::testing::BitTape::new(&[]);
        assert!(matches!(bernoulli_rational(&Rational::from((3, 2)), &mut tape), Err(Error::Parameter(_))));
        assert!(matches!(bernoulli_rational(&Rational::from(-1), &mut tape), Err(Error::Parameter(_))));
        assert!(matches!(bernoulli_exp(&Rational::from(-1), &mut tape), Err(Error::Parameter(_))));
        assert_eq!(bernoulli_rational(&Rational::from((1, 2)), &mut tape), Err(Error::Entropy));
    }
}
