//! Coins and uniform integers whose parameters are exact numbers of any size.

use crate::{Entropy, Fallible, bernoulli, uniform};
use indistinct_numeric::{BigInt, BigRational, gmp};

/// Returns true with probability `p`, a fraction from 0 to 1.
pub fn bernoulli_rational(p: &BigRational, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<bool> {
    bernoulli::bernoulli_rational(&gmp::rational(p)?, entropy)
}

/// Returns true with probability `exp(-x)`, for a fraction `x >= 0`.
///
/// This is Algorithm 1 of Canonne, Kamath, Steinke 2020: one coin for each unit of `x`, ending at the first failure,
/// then one coin for the remaining fraction.
///
/// ```
/// use indistinct_sampling::{BigRational, OsEntropy, bernoulli_exp};
/// let third = BigRational::new(1.into(), 3.into());
/// let coin = bernoulli_exp(&third, &mut OsEntropy::new())?;
/// # let _: bool = coin;
/// # Ok::<(), indistinct_sampling::Error>(())
/// ```
pub fn bernoulli_exp(x: &BigRational, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<bool> {
    bernoulli::bernoulli_exp(&gmp::rational(x)?, entropy)
}

/// Draws an integer uniformly from 0 to `bound - 1`, for `bound >= 1`.
///
/// A round draws as many bits as `bound - 1` has, and rejects a result of `bound` or more; the expected number of
/// rounds is below two.
pub fn uniform_below(bound: &BigInt, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<BigInt> {
    Ok(gmp::big_int(&uniform::uniform_below(&gmp::integer(bound), entropy)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Error, Rule,
        testing::{BitTape, SeededEntropy},
    };
    use rug::{Integer, Rational};

    #[test]
    fn each_is_the_same_draw_of_the_same_number() {
        for seed in 0..40u64 {
            let entropy = || SeededEntropy::new(seed);
            let p = BigRational::new(seed.into(), 40.into());
            let same = Rational::from((seed, 40));
            assert_eq!(bernoulli_rational(&p, &mut entropy()), bernoulli::bernoulli_rational(&same, &mut entropy()));
            assert_eq!(bernoulli_exp(&p, &mut entropy()), bernoulli::bernoulli_exp(&same, &mut entropy()));
            let (bound, same) = (BigInt::from(3) << (5 * seed), Integer::from(3) << u32::try_from(5 * seed).unwrap());
            let drawn = uniform_below(&bound, &mut entropy()).unwrap();
            assert!(drawn < bound);
            assert_eq!(drawn.to_string(), uniform::uniform_below(&same, &mut entropy()).unwrap().to_string());
        }
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let mut tape = BitTape::new(&[]);
        let raw = |numerator: i32, denominator: i32| BigRational::new_raw(numerator.into(), denominator.into());
        for p in [raw(3, 2), raw(1, -2)] {
            assert_eq!(bernoulli_rational(&p, &mut tape), Err(Error::Parameter(Rule::Probability)));
        }
        assert_eq!(bernoulli_exp(&raw(-1, 2), &mut tape), Err(Error::Parameter(Rule::Exponent)));
        for p in [raw(1, 0), raw(0, 0)] {
            assert_eq!(bernoulli_rational(&p, &mut tape), Err(Error::Range));
            assert_eq!(bernoulli_exp(&p, &mut tape), Err(Error::Range));
        }
        for bound in [0, -1] {
            assert_eq!(uniform_below(&bound.into(), &mut tape), Err(Error::Parameter(Rule::Bound)));
        }
    }
}
