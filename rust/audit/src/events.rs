//! Finds sets of outcomes that distinguish two inputs.

use crate::{counts::Counts, key::Key, mass::float};

/// If there are more distinct outcomes than this, the outcomes are not examined one by one.
const MOST_OUTCOMES: usize = 5000;

/// The number of draws in a set of outcomes.
pub(crate) fn hits(counts: &Counts, event: &[Key]) -> u64 {
    event.iter().filter_map(|key| counts.get(key)).sum()
}

/// Returns the events that the counts suggest the first distribution favors: with the outcomes sorted by falling ratio,
/// the first outcome, the first two, and so on. Returns `None` if there are too many distinct outcomes. Each of them
/// then occurs too seldom, and cells of outcomes are examined instead.
pub(crate) fn events(p: &Counts, q: &Counts) -> Option<Vec<Vec<Key>>> {
    if p.len() > MOST_OUTCOMES {
        return None;
    }
    let ratio = |key: &Key| {
        let count = |counts: &Counts| float(counts.get(key).copied().unwrap_or(0));
        (count(p) + 0.5) / (count(q) + 0.5)
    };
    let mut outcomes: Vec<(f64, &Key)> = p.keys().map(|key| (ratio(key), key)).collect();
    outcomes.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut sizes: Vec<usize> = std::iter::successors(Some(1usize), |size| Some(size + 1 + size / 4))
        .take_while(|size| *size < outcomes.len())
        .collect();
    // And all outcomes that are more likely under the first distribution at all.
    sizes.push(outcomes.iter().filter(|(ratio, _)| *ratio > 1.0).count());
    let first = |size: usize| outcomes.iter().take(size).map(|(_, key)| (*key).clone()).collect();
    Some(sizes.into_iter().filter(|size| *size > 0).map(first).collect())
}
