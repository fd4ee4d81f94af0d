//! Sources of random bits, passed as arguments.

mod generator;
mod os;
mod repeats;
#[cfg(feature = "testing")]
pub mod testing;

use crate::{Error, Fallible, Rule};
use chacha20::{
    ChaCha12Rng,
    rand_core::{Rng, SeedableRng},
};
pub(crate) use generator::Generator;
pub use os::OsEntropy;
use zeroize::Zeroize;

/// A source of independent fair bits.
///
/// Every sampler takes its random bits from an argument of this trait and from nowhere else, so a test can enumerate
/// all outcomes with a tape of bits. A source that cannot deliver returns an error, such as
/// [`Error::Entropy`](crate::Error::Entropy); it never returns weaker bits.
pub trait Entropy {
    /// Returns the next `count` bits, at most 64, as the low bits of a word. The first bit drawn is the highest of
    /// them.
    ///
    /// A request for more than 64 bits is an error, and draws nothing.
    fn bits(&mut self, count: u32) -> Fallible<u64>;

    /// Returns the next bit.
    fn bit(&mut self) -> Fallible<bool> {
        Ok(self.bits(1)? == 1)
    }
}

const WORDS: usize = 64;

/// The bits of a ChaCha12 stream.
struct Stream {
    generator: ChaCha12Rng,
    words: [[u8; 8]; WORDS],
    /// The number of words handed out.
    used: usize,
    /// The bits of a word that are left over from a request for fewer than 64, highest first.
    rest: u64,
    left: u32,
}

impl Stream {
    fn new(seed: [u8; 32]) -> Self {
        Self { generator: ChaCha12Rng::from_seed(seed), words: [[0; 8]; WORDS], used: WORDS, rest: 0, left: 0 }
    }

    #[inline(always)]
    fn word(&mut self) -> u64 {
        let Some(word) = self.words.get(self.used) else { return self.refill() };
        self.used += 1;
        u64::from_le_bytes(*word)
    }

    #[inline(never)]
    fn refill(&mut self) -> u64 {
        self.generator.fill_bytes(self.words.as_flattened_mut());
        self.used = 1;
        let [first, ..] = self.words;
        u64::from_le_bytes(first)
    }

    /// A request for more than 48 bits uses a new word, and keeps the bits left over from an earlier word for later
    /// requests.
    #[inline(always)]
    fn bits(&mut self, count: u32) -> Fallible<u64> {
        if count > 48 {
            check_count(count)?;
            return Ok(self.word() >> (64 - count));
        }
        if count > self.left {
            // The bits left over are dropped: the next word supplies all bits.
            (self.rest, self.left) = (self.word(), 64);
        }
        // Shift in two steps, because a shift by 64 overflows.
        let bits = self.rest >> 1 >> (63 - count);
        self.rest <<= count;
        self.left -= count;
        Ok(bits)
    }
}

/// Checks that a request is for at most 64 bits.
fn check_count(count: u32) -> Fallible<()> {
    if count <= 64 { Ok(()) } else { Err(Error::Parameter(Rule::Bits)) }
}

impl Drop for Stream {
    /// The generator erases its own state.
    fn drop(&mut self) {
        self.words.zeroize();
        self.rest.zeroize();
    }
}

/// Refuses a seed in which a byte repeats more than eight times in a row. A fair source produces such a seed with
/// probability below 1e-17 (the repetition count test of NIST SP 800-90B, 4.4.1).
fn check_health(seed: &[u8; 32]) -> Fallible<()> {
    let stuck = seed.windows(9).any(|window| window.iter().all(|byte| Some(byte) == window.first()));
    if stuck { Err(Error::Entropy) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stuck_source_is_refused() {
        for byte in [0, 0xff, 0x5a] {
            assert_eq!(check_health(&[byte; 32]), Err(Error::Entropy));
        }
        let mut seed = [0; 32];
        seed.iter_mut().zip(0..).for_each(|(byte, value)| *byte = value / 8);
        assert_eq!(check_health(&seed), Ok(()));
    }

    #[test]
    fn requests_of_any_size_give_as_many_bits_of_both_kinds() {
        let mut stream = Stream::new([7; 32]);
        for count in [1, 2, 3, 7, 31, 33, 63, 64] {
            let ones: u32 = (0..2000).map(|_| stream.bits(count).unwrap().count_ones()).sum();
            let (bits, ones) = (2000.0 * f64::from(count), f64::from(ones));
            // Seven deviations; the seed is fixed.
            assert!((ones - bits / 2.0).abs() < 3.5 * bits.sqrt(), "{count}: {ones} of {bits}");
            assert!(count == 64 || stream.bits(count).unwrap() < 1 << count);
        }
        assert_eq!(stream.bits(0), Ok(0));
    }

    /// The highest bits of a word come first; a request that a word's rest does not hold takes another, and a large one
    /// leaves the rest.
    #[test]
    fn requests_take_the_bits_of_the_stream_in_order() {
        let mut bytes = [0; 32];
        ChaCha12Rng::from_seed([7; 32]).fill_bytes(&mut bytes);
        let words: Vec<u64> = bytes.chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect();
        for count in 1..=64 {
            assert_eq!(Stream::new([7; 32]).bits(count), Ok(words[0] >> (64 - count)), "{count}");
        }
        let mut stream = Stream::new([7; 32]);
        let drawn = [48, 64, 16, 40, 40, 24].map(|count| stream.bits(count).unwrap());
        let second = words[2] >> 24;
        assert_eq!(drawn, [words[0] >> 16, words[1], words[0] & 0xffff, second, words[3] >> 24, words[3] & 0xff_ffff]);
    }

    #[test]
    fn a_bit_is_the_next_one() {
        let mut tape = testing::BitTape::new(&[true, false]);
        assert_eq!([tape.bit(), tape.bit(), tape.bit()], [Ok(true), Ok(false), Err(Error::Entropy)]);
    }

    #[test]
    fn a_word_has_64_bits() {
        let tape = [true; 200];
        let sources: [&mut dyn Entropy; 3] =
            [&mut OsEntropy::new(), &mut testing::SeededEntropy::new(3), &mut testing::BitTape::new(&tape)];
        for source in sources {
            for count in [65, 100, u32::MAX] {
                assert_eq!(source.bits(count), Err(Error::Parameter(Rule::Bits)));
            }
            assert!(source.bits(64).is_ok());
        }
    }

    #[test]
    fn the_system_gives_different_bits_each_time() {
        let word = || OsEntropy::new().bits(64).unwrap();
        assert_ne!(word(), word());
    }
}
