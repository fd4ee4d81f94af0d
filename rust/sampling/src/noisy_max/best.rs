//! The k largest numbers so far.

use super::{entry::Entry, score::Score};
use crate::{Entropy, Fallible};
use std::cmp::Ordering;

/// The largest numbers so far, in descending order.
pub(super) struct Best<'a, S> {
    pub(super) scale: f64,
    pub(super) k: usize,
    pub(super) entries: Vec<Entry<'a, S>>,
    /// The smallest number that can enter the list: a lower bound on the last entry once there are `k`.
    pub(super) least: f64,
}

impl<'a, S: Score> Best<'a, S> {
    pub(super) fn insert(&mut self, mut entry: Entry<'a, S>, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<()> {
        // Insert before the first smaller entry: either there are few entries, or every position is equally likely.
        let (mut start, mut end) = (0, self.entries.len());
        while start < end {
            let middle = start + (end - start) / 2;
            let Some(other) = self.entries.get_mut(middle) else { break };
            if entry.compare(other, self.scale, entropy)? == Ordering::Greater {
                end = middle;
            } else {
                start = middle + 1;
            }
        }
        self.entries.insert(start, entry);
        self.entries.truncate(self.k);
        if self.entries.len() == self.k {
            // The last entry's bounds may be wider than those of the entry before it; `least` must not decrease.
            self.least = self.entries.last().map_or(self.least, |last| self.least.max(last.low));
        }
        Ok(())
    }
}
