//! The greatest few of the numbers so far.

use super::{entry::Entry, score::Score};
use crate::{Entropy, Fallible};
use std::cmp::Ordering;

/// The greatest numbers so far, the greatest first.
pub(super) struct Best<'a, S> {
    pub(super) scale: f64,
    pub(super) k: usize,
    pub(super) entries: Vec<Entry<'a, S>>,
    /// The least number that can enter the list: a lower bound of the last entry once there are `k`.
    pub(super) least: f64,
}

impl<'a, S: Score> Best<'a, S> {
    pub(super) fn insert(&mut self, mut entry: Entry<'a, S>, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<()> {
        // From the first that is smaller; the entries are few, or the new one is as likely to come anywhere.
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
            // The bounds of the last may be wider than those of the one before it; what was reached stays reached.
            self.least = self.entries.last().map_or(self.least, |last| self.least.max(last.low));
        }
        Ok(())
    }
}
