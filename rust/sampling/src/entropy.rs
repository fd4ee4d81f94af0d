//! Random bits, passed as a value.

mod os;
pub mod testing;

use crate::Fallible;
pub use os::OsEntropy;

/// A source of independent fair bits.
///
/// Every sampler takes its randomness from one of these and from nowhere else, so that a test can feed it a tape on
/// which all outcomes are enumerated. A source that cannot deliver returns [`Error::Entropy`](crate::Error::Entropy);
/// it never returns weaker bits.
pub trait Entropy {
    /// The next `count` bits, at most 64, as the low bits of the word; the first bit drawn is the highest of them.
    fn bits(&mut self, count: u32) -> Fallible<u64>;

    /// The next bit.
    fn bit(&mut self) -> Fallible<bool> {
        Ok(self.bits(1)? == 1)
    }
}

/// A generator of random bytes behind a [`BitReader`].
trait Bytes {
    fn fill(&mut self, bytes: &mut [u8]) -> Fallible<()>;
}

const BUFFER: usize = 256;

/// Hands out the bytes of a generator bit by bit, in blocks; what was buffered is erased when it is dropped.
struct BitReader<B> {
    source: B,
    buffer: [u8; BUFFER],
    /// Bits of the buffer already handed out.
    used: usize,
}

impl<B: Bytes> BitReader<B> {
    fn new(source: B) -> Self {
        Self { source, buffer: [0; BUFFER], used: 8 * BUFFER }
    }

    /// At most 8 bits, which lie in one byte of the buffer.
    fn within_byte(&mut self, count: usize) -> Fallible<u64> {
        if self.used == 8 * BUFFER {
            self.source.fill(&mut self.buffer)?;
            self.used = 0;
        }
        let byte = self.buffer.get(self.used / 8).copied().ok_or(crate::Error::Entropy)?;
        let after = 8 - self.used % 8 - count;
        self.used += count;
        Ok(u64::from(byte >> after) & ((1 << count) - 1))
    }
}

impl<B: Bytes> Entropy for BitReader<B> {
    fn bits(&mut self, count: u32) -> Fallible<u64> {
        let mut missing = usize::try_from(count.min(64)).map_err(|_| crate::Error::Entropy)?;
        let mut word = 0;
        while missing > 0 {
            let take = missing.min(8 - self.used % 8);
            word = (word << take) | self.within_byte(take)?;
            missing -= take;
        }
        Ok(word)
    }
}

impl<B> Drop for BitReader<B> {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.buffer);
    }
}
