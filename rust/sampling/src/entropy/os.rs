//! The default source: a stream seeded by the operating system.

use super::{
    Entropy, Stream, check_health,
    repeats::{Repeats, Trace},
};
use crate::{Error, Fallible};
use zeroize::Zeroize;

/// A ChaCha12 stream with a 256-bit seed from the operating system's generator.
///
/// Make a new source for each release. No stream lives longer than a release, so a forked child or a resumed machine
/// cannot repeat a stream that was used before. The stream is erased when it is dropped, except for copies that the
/// compiler may have made on the stack.
///
/// # Sources that fail
///
/// Drawing returns no bits and [`Error::System`] if the system has none to give. It returns [`Error::Entropy`] if a
/// seed repeats one byte nine times in a row, or if this process has drawn the same seed before. After one repetition,
/// the system is not trusted again in this process. To detect repetitions, a process remembers 64 bits of the streams
/// of some 4,096 recent seeds; these bits are not used for anything else. A system that returns the same seed at every
/// call is detected before the first release. A fair source is refused with probability below 1e-17 for each release.
///
/// Two faults cannot be detected: a seed that was drawn by another process, on another machine, or on this machine
/// before it was restored from a snapshot; and predictable bits that do not repeat.
///
/// ```
/// use indistinct_sampling::{Entropy, OsEntropy};
/// let coin = OsEntropy::new().bit()?;
/// # let _: bool = coin;
/// # Ok::<(), indistinct_sampling::Error>(())
/// ```
#[derive(Default)]
pub struct OsEntropy {
    /// The stream, seeded when the first bit is requested.
    stream: Option<Stream>,
}

impl OsEntropy {
    /// Makes a source without a seed: it asks the system for one when the first bit is requested.
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

/// The seeds that this process remembers. A forked child continues with a copy.
static SEEDS: Repeats = Repeats::new();

fn seeded() -> Fallible<Stream> {
    seeded_by(&SEEDS, by_system)
}

fn by_system(seed: &mut [u8]) -> Fallible<()> {
    getrandom::fill(seed).map_err(Error::system)
}

/// Returns a stream whose seed is not among those that `seeds` remembers.
fn seeded_by(seeds: &Repeats, fill: impl Fn(&mut [u8]) -> Fallible<()>) -> Fallible<Stream> {
    if !seeds.has_begun() {
        drawn(seeds, &fill)?;
        seeds.begin();
    }
    drawn(seeds, fill)
}

fn drawn(seeds: &Repeats, fill: impl Fn(&mut [u8]) -> Fallible<()>) -> Fallible<Stream> {
    let mut seed = [0; 32];
    let stream = fill(&mut seed).and_then(|()| check_health(&seed)).map(|()| Stream::new(seed));
    seed.zeroize();
    let mut stream = stream?;
    seeds.check(Trace { place: stream.word(), mark: stream.word() })?;
    Ok(stream)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A source in place of the system's: the seeds 0, .., n - 1, and these again.
    fn round(seeds: u64) -> impl Fn(&mut [u8]) -> Fallible<()> {
        let next = AtomicU64::new(0);
        move |seed| {
            let number = next.fetch_add(1, Ordering::Relaxed) % seeds;
            seed.iter_mut().zip((1..).step_by(7)).for_each(|(byte, value)| *byte = value);
            seed.iter_mut().zip(number.to_le_bytes()).for_each(|(byte, value)| *byte = value ^ 0x5a);
            Ok(())
        }
    }

    /// The number of releases that get a stream before the first one that does not, up to a maximum.
    fn releases(most: usize, seeds: &Repeats, fill: impl Fn(&mut [u8]) -> Fallible<()>) -> usize {
        (0..most).take_while(|_| seeded_by(seeds, &fill).is_ok()).count()
    }

    #[test]
    fn a_source_that_gives_one_seed_releases_nothing() {
        let seeds = Repeats::new();
        for _ in 0..3 {
            assert_eq!(seeded_by(&seeds, round(1)).err(), Some(Error::Entropy));
        }
        // The negative control: without a memory of what was drawn, twenty streams are one.
        let words: std::collections::BTreeSet<_> = (0..20)
            .map(|_| drawn(&Repeats::new(), round(1)).map(|mut stream| stream.word()))
            .map(Result::unwrap)
            .collect();
        assert_eq!(words.len(), 1);
    }

    /// One of the n seeds is for comparison only. No two of the first ten fall in one place, and of the others enough
    /// do not.
    #[test]
    fn a_source_that_goes_round_is_noticed_in_its_second_round() {
        for n in 2..=10 {
            assert_eq!(releases(100, &Repeats::new(), round(n)), usize::try_from(n).unwrap() - 1, "{n}");
        }
        for n in [100, 1000, 10_000] {
            let released = releases(30_000, &Repeats::new(), round(n));
            let n = usize::try_from(n).unwrap();
            assert!((n - 1..2 * n).contains(&released), "{n}: {released}");
        }
    }

    /// A source that has repeated itself once may be seen to give new seeds for long, and is worth as little.
    #[test]
    fn a_source_that_has_repeated_itself_is_not_believed_again() {
        let seeds = Repeats::new();
        assert_eq!(releases(9, &seeds, round(3)), 2);
        assert_eq!(releases(9, &seeds, by_system), 0);
        assert_eq!(releases(9, &Repeats::new(), round(u64::MAX)), 9);
    }

    /// The one that comes later is refused, whichever it is.
    #[test]
    fn of_threads_that_get_one_seed_none_gets_a_stream() {
        for _ in 0..100 {
            let seeds = Repeats::new();
            let streams: usize = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| releases(5, &seeds, round(1)))).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).sum()
            });
            assert_eq!(streams, 0);
        }
    }

    /// False alarm: below 2^-45.
    #[test]
    fn the_system_is_believed() {
        assert_eq!(releases(100_000, &Repeats::new(), by_system), 100_000);
        for _ in 0..100 {
            assert!(seeded().is_ok());
        }
    }

    #[test]
    fn a_source_that_fails_or_is_stuck_gives_no_stream() {
        let fails = |_: &mut [u8]| Err(Error::system(getrandom::Error::UNSUPPORTED));
        assert_eq!(releases(9, &Repeats::new(), fails), 0);
        assert_eq!(seeded_by(&Repeats::new(), fails).err(), Some(Error::system(getrandom::Error::UNSUPPORTED)));
        assert_eq!(releases(9, &Repeats::new(), |_| Ok(())), 0);
    }
}
