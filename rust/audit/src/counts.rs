//! Outcomes that were counted, and ways to look at them.

use crate::key::Key;
use std::collections::BTreeMap;

/// Counts of outcomes.
pub type Counts = BTreeMap<Key, u64>;

/// A way to look at an outcome, such as its last digit.
pub type View<'a> = &'a (dyn Fn(&Key) -> Key + Sync);

/// Counts of outcomes as they look.
pub(crate) fn seen_by(view: View, counts: &Counts) -> Counts {
    counts.iter().fold(Counts::new(), |mut seen, (key, count)| {
        *seen.entry(view(key)).or_insert(0) += count;
        seen
    })
}
