//! Uniform integers, and uniform reals revealed bit by bit.

use crate::{Entropy, Error, Fallible};
use rug::{Integer, Rational};

/// `count` fair bits as an integer.
pub(crate) fn random_bits(count: u32, entropy: &mut dyn Entropy) -> Fallible<Integer> {
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
pub fn uniform_below(bound: &Integer, entropy: &mut dyn Entropy) -> Fallible<Integer> {
    if *bound < 1 {
        return Err(Error::Parameter { parameter: "bound", rule: "must be at least 1" });
    }
    let bits = Integer::from(bound - 1u32).significant_bits();
    loop {
        let candidate = random_bits(bits, entropy)?;
        if candidate < *bound {
            return Ok(candidate);
        }
    }
}

/// A real number drawn uniformly from [0, 1], of which only a prefix of the binary digits is known yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct LazyUniform {
    digits: Integer,
    count: u32,
}

impl LazyUniform {
    /// The number of digits known.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// Draw `more` digits. A fair source never needs as many as `MAX_DIGITS`: that would be an event of probability
    /// below 2^-60000 after the first few thousand.
    pub(crate) fn refine(&mut self, more: u32, entropy: &mut dyn Entropy) -> Fallible<()> {
        const MAX_DIGITS: u32 = 1 << 17;
        if more > MAX_DIGITS || self.count > MAX_DIGITS {
            return Err(Error::Entropy);
        }
        self.digits = Integer::from(&self.digits << more) | random_bits(more, entropy)?;
        self.count += more;
        Ok(())
    }

    /// The closed interval in which the number lies.
    pub(crate) fn enclosure(&self) -> (Rational, Rational) {
        let scaled = |digits: Integer| Rational::from(digits) >> self.count;
        (scaled(self.digits.clone()), scaled(Integer::from(&self.digits + 1u32)))
    }
}
