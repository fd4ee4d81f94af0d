//! Computes distances between datasets a second time, directly from their definitions. `None` means infinity.

use std::collections::BTreeMap;

fn counts<T: Ord + Clone>(rows: &[T]) -> BTreeMap<T, i64> {
    let mut counts = BTreeMap::new();
    rows.iter().for_each(|row| *counts.entry(row.clone()).or_insert(0) += 1);
    counts
}

/// The number of rows of `x` that have no equal row in `y` to be matched with.
fn unmatched<T: Ord + Clone>(x: &[T], y: &[T]) -> i64 {
    let other = counts(y);
    counts(x).iter().map(|(row, count)| (count - other.get(row).unwrap_or(&0)).max(0)).sum()
}

fn distance(d: i64) -> Option<u32> {
    u32::try_from(d).ok()
}

/// The size of the symmetric difference of two multisets.
pub fn symmetric<T: Ord + Clone>(x: &[T], y: &[T]) -> Option<u32> {
    distance(unmatched(x, y) + unmatched(y, x))
}

/// The smallest number of rows that must be replaced, regardless of order.
pub fn change_one<T: Ord + Clone>(x: &[T], y: &[T]) -> Option<u32> {
    if x.len() == y.len() { distance(unmatched(x, y)) } else { None }
}

/// The number of positions at which the datasets differ.
pub fn hamming<T: Ord + Clone>(x: &[T], y: &[T]) -> Option<u32> {
    if x.len() != y.len() {
        return None;
    }
    u32::try_from(x.iter().zip(y).filter(|(a, b)| a != b).count()).ok()
}

/// The edit distance, counted in insertions and deletions.
pub fn insert_delete<T: Ord + Clone>(x: &[T], y: &[T]) -> Option<u32> {
    // The distances of a prefix of x to all prefixes of y, the shortest first.
    let mut above: Vec<u32> = (0..).take(y.len() + 1).collect();
    for (i, a) in (1..).zip(x) {
        let (mut left, mut row) = (i, vec![i]);
        for (b, ends) in y.iter().zip(above.windows(2)) {
            let [diagonal, up] = ends else { continue };
            let edited = left.min(*up) + 1;
            left = if a == b { edited.min(*diagonal) } else { edited };
            row.push(left);
        }
        above = row;
    }
    above.last().copied()
}

/// The individuals, each with all their rows.
fn persons<K: Ord + Clone, T: Ord + Clone>(rows: &[(K, T)]) -> Vec<(K, Vec<T>)> {
    let mut persons: BTreeMap<K, Vec<T>> = BTreeMap::new();
    rows.iter().for_each(|(key, row)| persons.entry(key.clone()).or_default().push(row.clone()));
    persons.values_mut().for_each(|rows| rows.sort());
    persons.into_iter().collect()
}

/// The number of individuals, each with all their rows, that are in one dataset and not in the other: an individual
/// whose rows differ between the datasets counts twice.
pub fn symmetric_id<K: Ord + Clone, T: Ord + Clone>(x: &[(K, T)], y: &[(K, T)]) -> Option<u32> {
    symmetric(&persons(x), &persons(y))
}

/// The number of individuals who must be replaced, each with all their rows, by another individual or by nobody.
pub fn change_one_id<K: Ord + Clone, T: Ord + Clone>(x: &[(K, T)], y: &[(K, T)]) -> Option<u32> {
    let (x, y) = (persons(x), persons(y));
    distance(unmatched(&x, &y).max(unmatched(&y, &x)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_datasets() {
        let (x, y) = ([1, 2, 2, 3], [2, 1, 3]);
        assert_eq!((symmetric(&x, &y), insert_delete(&x, &y)), (Some(1), Some(3)));
        assert_eq!((change_one(&x, &y), hamming(&x, &y)), (None, None));
        let z = [2, 1, 2, 4];
        assert_eq!((symmetric(&x, &z), change_one(&x, &z), hamming(&x, &z)), (Some(2), Some(1), Some(3)));
        assert_eq!(insert_delete(&[7; 0], &[7, 7]), Some(2));
        // An individual whose rows differ counts twice.
        assert_eq!(symmetric_id(&[(1, 'a'), (2, 'b')], &[(2, 'b'), (1, 'c')]), Some(2));
        assert_eq!(symmetric_id(&[(1, 'a'), (1, 'b')], &[(1, 'b'), (1, 'a')]), Some(0));
        // Once, where individuals are replaced: by one with other rows, by another one, by nobody.
        assert_eq!(change_one_id(&[(1, 'a'), (2, 'b')], &[(2, 'b'), (1, 'c')]), Some(1));
        assert_eq!(change_one_id(&[(1, 'a'), (2, 'b')], &[(2, 'b'), (3, 'a')]), Some(1));
        assert_eq!(change_one_id(&[(1, 'a'), (2, 'b'), (1, 'd')], &[(2, 'b')]), Some(1));
        assert_eq!(change_one_id(&[(1, 'a'), (2, 'b')], &[(2, 'a')]), Some(2));
        assert_eq!(change_one_id(&[(1, 'a'), (1, 'b')], &[(1, 'b'), (1, 'a')]), Some(0));
    }
}
