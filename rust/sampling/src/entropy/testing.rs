//! Sources for tests and audits: reproducible, enumerable, failing. A release made with one of these is not private.

use super::{Entropy, Generator, Stream, check_count};
use crate::{Error, Fallible};
use rand::TryCryptoRng;
use std::{cell::Cell, collections::BTreeMap};

thread_local! {
    /// How often exact fractions of a number's digits were asked for on this thread: never where 64-bit integers decide
    /// a draw.
    pub static SLOW_DECISIONS: Cell<u64> = const { Cell::new(0) };
}

/// A stream that is the same for the same seed.
pub struct SeededEntropy(Stream);

impl SeededEntropy {
    /// The stream of `seed`.
    pub fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key.iter_mut().zip(seed.to_le_bytes()).for_each(|(byte, value)| *byte = value);
        Self(Stream::new(key))
    }
}

impl Entropy for SeededEntropy {
    #[inline(always)]
    fn bits(&mut self, count: u32) -> Fallible<u64> {
        self.0.bits(count)
    }
}

/// A cryptographic generator of the crate `rand`. One that fails is [`Error::Entropy`].
///
/// ```
/// use indistinct_sampling::{IntegerNoise, testing::RngEntropy};
/// use rand::{SeedableRng, rngs::ChaCha12Rng};
/// let mut entropy = RngEntropy::new(ChaCha12Rng::seed_from_u64(7));
/// let z = IntegerNoise::laplace(2.5)?.draw(&mut entropy)?;
/// # let _ = z;
/// # Ok::<(), indistinct_sampling::Error>(())
/// ```
pub struct RngEntropy<R>(Generator<R>);

impl<R: TryCryptoRng> RngEntropy<R> {
    /// The bits of the generator's words of 64 bits, the highest first.
    pub fn new(generator: R) -> Self {
        Self(Generator::new(generator))
    }
}

impl<R: TryCryptoRng> Entropy for RngEntropy<R> {
    fn bits(&mut self, count: u32) -> Fallible<u64> {
        self.0.bits(count)
    }
}

/// A given sequence of bits, and a failure when it has run out.
pub struct BitTape<'a> {
    bits: std::slice::Iter<'a, bool>,
}

impl<'a> BitTape<'a> {
    /// A tape that is read from its first bit.
    pub fn new(bits: &'a [bool]) -> Self {
        Self { bits: bits.iter() }
    }
}

impl Entropy for BitTape<'_> {
    fn bits(&mut self, count: u32) -> Fallible<u64> {
        check_count(count)?;
        (0..count).try_fold(0, |word, _| Ok(word << 1 | u64::from(*self.bits.next().ok_or(Error::Entropy)?)))
    }
}

/// The distribution of a sampler as far as tapes of a given length decide it.
#[derive(Debug, Clone, PartialEq)]
pub struct EnumeratedLaw<T: Ord> {
    /// The mass that tapes give to each outcome: a lower bound of its probability, exact in f64 to 2^-52.
    pub mass: BTreeMap<T, f64>,
    /// The mass of the tapes that were too short to decide: no outcome has more than this beyond its mass.
    pub undecided: f64,
}

/// Run `sampler` on all tapes of at most `depth` bits (at most 52), extending a tape only where the sampler asks.
pub fn enumerate<T: Ord>(
    depth: usize,
    mut sampler: impl FnMut(&mut dyn Entropy) -> Fallible<T>,
) -> Fallible<EnumeratedLaw<T>> {
    let mut law = EnumeratedLaw { mass: BTreeMap::new(), undecided: 0.0 };
    let mut tapes = vec![Vec::new()];
    while let Some(tape) = tapes.pop() {
        let probability = tape.iter().fold(1.0, |p, _| p / 2.0);
        match sampler(&mut BitTape::new(&tape)) {
            Ok(outcome) => *law.mass.entry(outcome).or_insert(0.0) += probability,
            Err(Error::Entropy) if tape.len() >= depth => law.undecided += probability,
            Err(Error::Entropy) => tapes.extend([false, true].map(|bit| [tape.as_slice(), &[bit]].concat())),
            Err(other) => return Err(other),
        }
    }
    Ok(law)
}
