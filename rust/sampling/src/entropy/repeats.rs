//! Detection of a system that returns the same seed twice.

use crate::{Error, Fallible};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// There are 2^12 places for marks: 32 KiB.
const PLACE_BITS: u32 = 12;

/// The record of a seed: two words of its stream that serve for nothing else, so they reveal neither the seed nor the
/// words that are used.
pub(super) struct Trace {
    pub(super) place: u64,
    pub(super) mark: u64,
}

/// The marks of the seeds of this process, each at its place until another one falls there.
///
/// | a source that | is noticed |
/// |---|---|
/// | gives one seed always | before the first release: the first seed of a process is drawn for comparison only |
/// | goes round among n seeds | in its second round, unless all n are in each other's places: that has probability 2^-12 for n = 2, 2^-24 for n = 3, and less for n from 4 to 10,000 |
/// | gives an old seed, n seeds later | with probability at least `1 - n / 4096` |
/// | is fair | for no reason, with probability 2^-64 for each seed |
///
/// There is no lock, which a forked child could find held forever.
pub(super) struct Repeats {
    marks: [AtomicU64; 1 << PLACE_BITS],
    /// True if a seed has been drawn for comparison only. A thread that sees it set also sees that seed's mark.
    begun: AtomicBool,
    /// True if the source has repeated itself: it is not believed again in this process.
    repeated: AtomicBool,
}

impl Repeats {
    pub(super) const fn new() -> Self {
        let marks = [const { AtomicU64::new(0) }; 1 << PLACE_BITS];
        Self { marks, begun: AtomicBool::new(false), repeated: AtomicBool::new(false) }
    }

    pub(super) fn has_begun(&self) -> bool {
        self.begun.load(Ordering::Acquire)
    }

    pub(super) fn begin(&self) {
        self.begun.store(true, Ordering::Release);
    }

    /// Remember a seed; an error if it is remembered already, or if an earlier one was.
    pub(super) fn check(&self, Trace { place, mark }: Trace) -> Fallible<()> {
        let place = usize::try_from(place >> (u64::BITS - PLACE_BITS)).ok().and_then(|place| self.marks.get(place));
        // In one exchange: of two threads with one seed, the later sees the mark of the earlier.
        if place.is_none_or(|place| place.swap(mark, Ordering::Relaxed) == mark) {
            self.repeated.store(true, Ordering::Relaxed);
        }
        if self.repeated.load(Ordering::Relaxed) { Err(Error::Entropy) } else { Ok(()) }
    }
}
