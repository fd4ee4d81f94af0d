//! Sets of outcomes that tell two inputs apart.

use crate::{counts::Counts, key::Key, mass::float};

/// More kinds of outcomes than these are not looked at one by one.
const MOST_OUTCOMES: usize = 5000;

/// How often a set of outcomes came.
pub(crate) fn hits(counts: &Counts, event: &[Key]) -> u64 {
    event.iter().filter_map(|key| counts.get(key)).sum()
}

/// Events that the first distribution favors, by counts: outcomes in falling order of their ratio, the first of them,
/// the first two, … None, if there are too many outcomes: one by one they come too seldom, and are looked at in cells.
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
