//! Random bits, passed as a value.

mod os;
#[cfg(feature = "testing")]
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
            check_health(&self.buffer)?;
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

/// Refuse a source that is stuck: one that repeats a byte more than eight times in a row. A fair source does so in a block
/// with probability below 1e-16 (the repetition count test of NIST SP 800-90B, 4.4.1).
fn check_health(block: &[u8; BUFFER]) -> Fallible<()> {
    let stuck = block.windows(9).any(|window| window.iter().all(|byte| Some(byte) == window.first()));
    if stuck { Err(crate::Error::Entropy) } else { Ok(()) }
}

impl<B> Drop for BitReader<B> {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    /// A source that always gives the same byte, or counts up, and fails at a given block.
    struct Broken {
        byte: u8,
        counts: bool,
        blocks: usize,
    }

    impl Bytes for Broken {
        fn fill(&mut self, bytes: &mut [u8]) -> Fallible<()> {
            self.blocks = self.blocks.checked_sub(1).ok_or(Error::Entropy)?;
            for byte in bytes {
                *byte = self.byte;
                self.byte = self.byte.wrapping_add(u8::from(self.counts));
            }
            Ok(())
        }
    }

    #[test]
    fn a_stuck_source_is_an_error_before_the_first_bit() {
        for byte in [0, 0xff, 0x5a] {
            let mut reader = BitReader::new(Broken { byte, counts: false, blocks: 9 });
            assert_eq!(reader.bit(), Err(Error::Entropy));
        }
    }

    #[test]
    fn bits_come_in_order_and_end_in_an_error() {
        let mut reader = BitReader::new(Broken { byte: 1, counts: true, blocks: 1 });
        assert_eq!((reader.bits(8), reader.bits(4), reader.bits(12)), (Ok(1), Ok(0), Ok(0x203)));
        assert_eq!(reader.bits(64), Ok(0x0405_0607_0809_0a0b));
        assert_eq!((reader.bits(0), reader.bits(3)), (Ok(0), Ok(0)));
        let mut left = 8 * BUFFER - 8 - 16 - 64 - 3;
        while left > 0 {
            assert!(reader.bit().is_ok());
            left -= 1;
        }
        assert_eq!(reader.bit(), Err(Error::Entropy));
    }

    #[test]
    fn the_system_gives_different_bits_each_time() {
        let word = || OsEntropy::new().bits(64).unwrap();
        assert_ne!(word(), word());
    }
}
