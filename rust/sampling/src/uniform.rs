//! Uniform integers.

use crate::{Entropy, Error, Fallible, Rule};
use rug::Integer;

/// `count` fair bits as an integer.
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

/// An integer drawn uniformly from 0 to `bound - 1`, for `bound >= 1`.
///
/// Draws as many bits as `bound - 1` has and rejects what is not below `bound`: fewer than two rounds are expected.
pub fn uniform_below(bound: &Integer, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Integer> {
    if *bound < 1 {
        return Err(Error::Parameter(Rule::Bound));
    }
    let bits = Integer::from(bound - 1u32).significant_bits();
    loop {
        let candidate = random_bits(bits, entropy)?;
        if candidate < *bound {
            return Ok(candidate);
        }
    }
}
