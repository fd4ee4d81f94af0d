//! Coins with a given bias.

use crate::{Entropy, Error, Fallible, Rule, uniform::uniform_below};
use rug::{Integer, Rational};

/// True with probability `p`, a fraction from 0 to 1.
pub fn bernoulli(p: &Rational, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<bool> {
    if *p < 0 || *p > 1 {
        return Err(Error::Parameter(Rule::Probability));
    }
    Ok(uniform_below(p.denom(), entropy)? < *p.numer())
}

/// True with probability `exp(-x)`, for a fraction `x >= 0`.
///
/// Canonne, Kamath, Steinke 2020, Algorithm 1: a coin for each unit of `x` (the first failure ends it), then one for
/// the remaining fraction.
pub fn bernoulli_exp(x: &Rational, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<bool> {
    if *x < 0 {
        return Err(Error::Parameter(Rule::Exponent));
    }
    let mut units = Integer::from(x.floor_ref());
    let fraction = Rational::from(x - &units);
    let one = Rational::from(1);
    while units > 0 {
        if !bernoulli_exp_fraction(&one, entropy)? {
            return Ok(false);
        }
        units -= 1;
    }
    bernoulli_exp_fraction(&fraction, entropy)
}

/// True with probability `exp(-x)`, for `0 <= x <= 1`: the parity of the first failure among coins of bias x/1, x/2, …
fn bernoulli_exp_fraction(x: &Rational, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<bool> {
    let mut round = 1u32;
    while bernoulli(&Rational::from(x / round), entropy)? {
        round = round.checked_add(1).ok_or(Error::Entropy)?;
    }
    Ok(round % 2 == 1)
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
            let law = enumerate(18, |entropy| bernoulli(&p, entropy)).unwrap();
            assert!(law.undecided < 0.05);
            assert_law(&law, f64::from(numerator) / f64::from(denominator));
            let law = enumerate(18, |entropy| bernoulli_exp(&p, entropy)).unwrap();
            assert!(law.undecided < 0.3 || denominator > 9, "{p}: {}", law.undecided);
            assert_law(&law, (-f64::from(numerator) / f64::from(denominator)).exp());
        }
        let x = Rational::from((5, 2));
        let law = enumerate(18, |entropy| bernoulli_exp(&x, entropy)).unwrap();
        assert_law(&law, (-2.5f64).exp());
    }

    #[test]
    fn the_enumeration_has_power() {
        // A coin that is true half a percent too often.
        let law = enumerate(18, |entropy| bernoulli(&Rational::from((129, 256)), entropy)).unwrap();
        let mass = law.mass[&true];
        assert!(mass > 0.5, "{mass}");
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let mut tape = crate::entropy::testing::BitTape::new(&[]);
        assert!(matches!(bernoulli(&Rational::from((3, 2)), &mut tape), Err(Error::Parameter(_))));
        assert!(matches!(bernoulli(&Rational::from(-1), &mut tape), Err(Error::Parameter(_))));
        assert!(matches!(bernoulli_exp(&Rational::from(-1), &mut tape), Err(Error::Parameter(_))));
        assert_eq!(bernoulli(&Rational::from((1, 2)), &mut tape), Err(Error::Entropy));
    }
}
