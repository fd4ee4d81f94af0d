//! Uniform integers.

use crate::{Entropy, Error, Fallible, MAX_ROUNDS, Rule};
use rug::Integer;

/// Returns `count` fair bits as an integer.
pub(crate) fn random_bits(count: u32, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Integer> {
    let mut number = Integer::new();
    let mut missing = count;
    while missing > 0 {
        let take = missing.min(64);
        number = (number << take) | entropy.bits(take)?;
        missing -= take;
    }
    Ok(number)
}

/// Draws an integer uniformly from 0 to `bound - 1`, for `bound >= 1`.
///
/// A round draws as many bits as `bound - 1` has, and rejects a result of `bound` or more; the expected number of
/// rounds is below two.
pub fn uniform_below(bound: &Integer, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Integer> {
    if *bound < 1 {
        return Err(Error::Parameter(Rule::Bound));
    }
    let bits = Integer::from(bound - 1u32).significant_bits();
    for _ in 0..MAX_ROUNDS {
        let candidate = random_bits(bits, entropy)?;
        if candidate < *bound {
            return Ok(candidate);
        }
    }
    Err(Error::Entropy)
}

macro_rules! uniform_below_words {
    ($($name:ident: $word:ty, $draw:expr;)+) => {$(
        /// Draws a word uniformly from 0 to `bound - 1`, for `bound >= 1`, as [`uniform_below`] does.
        pub fn $name(bound: $word, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<$word> {
            let greatest = bound.checked_sub(1).ok_or(Error::Parameter(Rule::Bound))?;
            let bits = <$word>::BITS - greatest.leading_zeros();
            for _ in 0..MAX_ROUNDS {
                let candidate = $draw(bits, &mut *entropy)?;
                if candidate <= greatest {
                    return Ok(candidate);
                }
            }
            Err(Error::Entropy)
        }
    )+};
}

uniform_below_words! {
    uniform_below_u64: u64, |bits, entropy: &mut _| Entropy::bits(entropy, bits);
    uniform_below_u128: u128, wide_bits;
}

fn wide_bits(count: u32, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<u128> {
    let high = u128::from(entropy.bits(count.saturating_sub(64))?);
    Ok(high << 64 | u128::from(entropy.bits(count.min(64))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{BitTape, enumerate};

    #[test]
    fn enumerated_laws_are_uniform() {
        for bound in [1u32, 2, 3, 5, 8, 13] {
            let p = 1.0 / f64::from(bound);
            let laws = [
                enumerate(24, |entropy| uniform_below(&bound.into(), entropy).map(|z| z.to_u128().unwrap())),
                enumerate(24, |entropy| uniform_below_u64(bound.into(), entropy).map(u128::from)),
                enumerate(24, |entropy| uniform_below_u128(bound.into(), entropy)),
            ];
            for law in laws {
                let law = law.unwrap();
                assert_eq!(law.mass.len(), usize::try_from(bound).unwrap());
                // Fewer than half of the tapes go to each further round of at most four bits.
                assert!(law.undecided < 2f64.powi(-6) && (bound.is_power_of_two() <= (law.undecided == 0.0)));
                assert!(law.mass.values().all(|mass| *mass <= p && p - mass <= law.undecided + 1e-15));
            }
        }
    }

    #[test]
    fn bits_of_a_large_integer_are_those_of_the_tape() {
        let tape: Vec<bool> = (0..150).map(|position| position % 3 == 0).collect();
        let expected = |count: usize| {
            tape.iter().take(count).fold(Integer::new(), |number, &bit| (number << 1u32) + u32::from(bit))
        };
        for count in [0, 1, 63, 64, 65, 128, 129, 150] {
            let bits = random_bits(u32::try_from(count).unwrap(), &mut BitTape::new(&tape));
            assert_eq!(bits, Ok(expected(count)), "{count}");
        }
        assert_eq!(random_bits(151, &mut BitTape::new(&tape)), Err(Error::Entropy));
    }

    #[test]
    fn words_of_any_width() {
        let tape = [true; 128];
        let ones = |bits| wide_bits(bits, &mut BitTape::new(&tape)).unwrap();
        assert_eq!(
            [ones(0), ones(1), ones(64), ones(65), ones(128)],
            [0, 1, u64::MAX.into(), (1 << 65) - 1, u128::MAX]
        );
        assert_eq!(uniform_below_u64(u64::MAX, &mut BitTape::new(&tape)), Err(Error::Entropy), "rejected, and run out");
        assert_eq!(uniform_below_u64(0, &mut BitTape::new(&tape)), Err(Error::Parameter(Rule::Bound)));
        assert_eq!(uniform_below_u128(0, &mut BitTape::new(&tape)), Err(Error::Parameter(Rule::Bound)));
        assert_eq!(uniform_below(&Integer::new(), &mut BitTape::new(&tape)), Err(Error::Parameter(Rule::Bound)));
    }
}
