//! The default source: the operating system's generator.

use super::{BitReader, Bytes, Entropy};
use crate::{Error, Fallible};

struct Os;

impl Bytes for Os {
    fn fill(&mut self, bytes: &mut [u8]) -> Fallible<()> {
        getrandom::fill(bytes).map_err(|_| Error::Entropy)
    }
}

/// The operating system's cryptographic generator.
///
/// Make one for each release: it keeps a block of 256 bytes and no state across releases, so a forked child or a
/// resumed machine cannot repeat a stream that its parent has used.
///
/// ```
/// use indistinct_sampling::{Entropy, OsEntropy};
/// let coin = OsEntropy::new().bit()?;
/// # let _: bool = coin;
/// # Ok::<(), indistinct_sampling::Error>(())
/// ```
pub struct OsEntropy(BitReader<Os>);

impl OsEntropy {
    /// A source with an empty block; nothing is asked of the system before the first bit is.
    pub fn new() -> Self {
        Self(BitReader::new(Os))
    }
}

impl Default for OsEntropy {
    fn default() -> Self {
        Self::new()
    }
}

impl Entropy for OsEntropy {
    fn bits(&mut self, count: u32) -> Fallible<u64> {
        self.0.bits(count)
    }
}
