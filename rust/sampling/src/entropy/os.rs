//! The default source: a stream seeded by the operating system.

use super::{Entropy, Stream, check_health};
use crate::{Error, Fallible};
use zeroize::Zeroize;

/// A ChaCha12 stream with a 256-bit seed from the operating system's generator.
///
/// Make one for each release: it keeps no state across releases, so a forked child or a resumed machine cannot repeat a
/// stream that its parent has used. The state is erased when it is dropped (copies that the compiler made on the stack may
/// not be).
///
/// ```
/// use indistinct_sampling::{Entropy, OsEntropy};
/// let coin = OsEntropy::new().bit()?;
/// # let _: bool = coin;
/// # Ok::<(), indistinct_sampling::Error>(())
/// ```
#[derive(Default)]
pub struct OsEntropy {
    /// Seeded when the first bit is asked for.
    stream: Option<Stream>,
}

impl OsEntropy {
    /// A source without a seed yet: nothing is asked of the system before the first bit is.
    pub fn new() -> Self {
        Self::default()
    }
}

impl OsEntropy {
    #[cold]
    fn first_bits(&mut self, count: u32) -> Fallible<u64> {
        self.stream.insert(seeded()?).bits(count)
    }
}

fn seeded() -> Fallible<Stream> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(|_| Error::Entropy)?;
    let stream = check_health(&seed).map(|()| Stream::new(seed));
    seed.zeroize();
    stream
}

impl Entropy for OsEntropy {
    #[inline(always)]
    fn bits(&mut self, count: u32) -> Fallible<u64> {
        match &mut self.stream {
            Some(stream) => stream.bits(count),
            None => self.first_bits(count),
        }
    }
}
