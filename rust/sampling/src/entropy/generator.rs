//! Generators of the crate `rand` as sources.

use super::{Entropy, check_count};
use crate::{Error, Fallible};
use rand::TryRng;

/// The bits of a generator's words, highest bit first.
pub(crate) struct Generator<R> {
    generator: R,
    /// The bits of a word that are left over from a request for fewer than 64, highest first.
    rest: u64,
    left: u32,
}

impl<R: TryRng> Generator<R> {
    pub(crate) fn new(generator: R) -> Self {
        Self { generator, rest: 0, left: 0 }
    }

    fn word(&mut self) -> Fallible<u64> {
        self.generator.try_next_u64().map_err(|_| Error::Entropy)
    }
}

/// Requests are served from words as in [`Stream`](super::Stream).
impl<R: TryRng> Entropy for Generator<R> {
    fn bits(&mut self, count: u32) -> Fallible<u64> {
        if count > 48 {
            check_count(count)?;
            return Ok(self.word()? >> (64 - count));
        }
        if count > self.left {
            (self.rest, self.left) = (self.word()?, 64);
        }
        // Shift in two steps, because a shift by 64 overflows.
        let bits = self.rest >> 1 >> (63 - count);
        self.rest <<= count;
        self.left -= count;
        Ok(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Stream, *};
    use crate::Rule;
    use chacha20::{ChaCha12Rng, rand_core::SeedableRng};

    #[test]
    fn requests_take_the_bits_as_those_of_a_stream() {
        let mut generator = Generator::new(ChaCha12Rng::from_seed([7; 32]));
        let mut stream = Stream::new([7; 32]);
        for round in 0..500u32 {
            let count = (round * 37) % 65;
            assert_eq!(generator.bits(count), stream.bits(count), "{count}");
        }
        assert_eq!(generator.bits(65), Err(Error::Parameter(Rule::Bits)));
    }

    /// A generator that fails after a given number of words.
    struct Failing(u32);

    impl TryRng for Failing {
        type Error = std::fmt::Error;

        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            self.try_next_u64().map(|_| 1)
        }

        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            self.0 = self.0.checked_sub(1).ok_or(std::fmt::Error)?;
            Ok(u64::MAX)
        }

        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
            Err(std::fmt::Error)
        }
    }

    #[test]
    fn a_generator_that_fails_is_an_error() {
        let mut generator = Generator::new(Failing(2));
        assert_eq!(
            [64, 40, 24, 1].map(|count| generator.bits(count)),
            [Ok(u64::MAX), Ok((1 << 40) - 1), Ok((1 << 24) - 1), Err(Error::Entropy)]
        );
        assert_eq!(Generator::new(Failing(0)).bits(64), Err(Error::Entropy));
    }
}
