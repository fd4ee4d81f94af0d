//! Contains counts of outcomes and functions by which outcomes are compared.

use crate::key::Key;
use std::collections::BTreeMap;

/// The number of draws with each outcome.
pub type Counts = BTreeMap<Key, u64>;

/// A function of an outcome, such as its last digit, by which draws are compared.
pub type View<'a> = &'a (dyn Fn(&Key) -> Key + Sync);

/// Counts the values of a function of the outcomes.
pub(crate) fn seen_by(view: View, counts: &Counts) -> Counts {
    counts.iter().fold(Counts::new(), |mut seen, (key, count)| {
        *seen.entry(view(key)).or_insert(0) += count;
        seen
    })
}
