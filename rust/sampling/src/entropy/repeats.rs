//! Detection of a system that returns the same seed twice.

use crate::{Error, Fallible};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The number of places for marks is 2^12, which take 32 KiB.
const PLACE_BITS: u32 = 12;

/// The record of a seed: two words of its stream that are not used for anything else, so that they reveal neither the
/// seed nor the words that are used.
pub(super) struct Trace {
    pub(super) place: u64,
    pub(super) mark: u64,
}

/// The marks of this process's seeds. A mark stays at its place until another mark replaces it.
///
/// | a source that | is detected |
/// |---|---|
/// | always gives the same seed | before the first release: the first seed of a process is drawn for comparison only |
/// | cycles through n seeds | in its second cycle, unless every seed's mark was replaced by another: that has probability 2^-12 for n = 2, 2^-24 for n = 3, and less for n from 4 to 10,000 |
/// | repeats an old seed after n others | with probability at least `1 - n / 4096` |
/// | is fair | wrongly, with probability 2^-64 for each seed |
///
/// The marks have no lock, because a forked child could find a lock held forever.
pub(super) struct Repeats {
    marks: [AtomicU64; 1 << PLACE_BITS],
    /// True if a seed has been drawn for comparison only. A thread that reads true also sees that seed's mark.
    begun: AtomicBool,
    /// True if the source has repeated itself: it is not trusted again in this process.
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

    /// Remembers a seed. Returns an error if it is remembered already, or if an earlier seed was repeated.
    pub(super) fn check(&self, Trace { place, mark }: Trace) -> Fallible<()> {
        let place = usize::try_from(place >> (u64::BITS - PLACE_BITS)).ok().and_then(|place| self.marks.get(place));
        // A single exchange: if two threads have the same seed, the later one sees the mark of the earlier one.
        if place.is_none_or(|place| place.swap(mark, Ordering::Relaxed) == mark) {
            self.repeated.store(true, Ordering::Relaxed);
        }
        if self.repeated.load(Ordering::Relaxed) { Err(Error::Entropy) } else { Ok(()) }
    }
}
