//! Sources for tests and audits: reproducible, enumerable or failing. A release made with one of these is not private.

use super::{Entropy, Generator, Stream, check_count};
use crate::{Error, Fallible};
use rand::TryCryptoRng;
use std::{cell::Cell, collections::BTreeMap};

thread_local! {
    /// The number of times that exact fractions of a number's digits were requested on this thread. It stays 0 where
    /// 64-bit integers decide a draw.
    pub static SLOW_DECISIONS: Cell<u64> = const { Cell::new(0) };
}

/// A stream determined by its seed.
pub struct SeededEntropy(Stream);

impl SeededEntropy {
    /// Makes the stream of `seed`.
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

/// A cryptographic generator of the crate `rand`, as a source. If the generator fails, the source returns
/// [`Error::Entropy`].
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
    /// Makes a source from the generator's 64-bit words, highest bit first.
    pub fn new(generator: R) -> Self {
        Self(Generator::new(generator))
    }
}

impl<R: TryCryptoRng> Entropy for RngEntropy<R> {
    fn bits(&mut self, count: u32) -> Fallible<u64> {
        self.0.bits(count)
    }
}

/// A given sequence of bits, which returns an error when it has run out.
pub struct BitTape<'a> {
    bits: std::slice::Iter<'a, bool>,
}

impl<'a> BitTape<'a> {
    /// Makes a tape that is read from its first bit.
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

/// The distribution of a sampler, as far as tapes of a given length determine it.
#[derive(Debug, Clone, PartialEq)]
pub struct EnumeratedLaw<T: Ord> {
    /// The probability mass that tapes give to each outcome: a lower bound on its probability, exact in f64 to 2^-52.
    pub mass: BTreeMap<T, f64>,
    /// The mass of the tapes that were too short to decide. Each outcome's probability exceeds its mass by at most
    /// this.
    pub undecided: f64,
}

/// Runs `sampler` on all tapes of at most `depth` bits (at most 52), and extends a tape only if the sampler requests
/// more bits.
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
