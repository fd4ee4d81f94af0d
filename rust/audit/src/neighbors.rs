//! Inputs that are close to each other: all of a toy domain, random edits, and floats that break careless code.

use indistinct::sampling::{Entropy, testing::SeededEntropy, uniform_below_u64};

/// All vectors of up to `longest` elements from a pool.
pub fn all_vectors<T: Clone>(pool: &[T], longest: usize) -> Vec<Vec<T>> {
    let (mut all, mut last) = (vec![Vec::new()], vec![Vec::new()]);
    for _ in 0..longest {
        last = last
            .iter()
            .flat_map(|rows: &Vec<T>| pool.iter().map(|row| [rows, std::slice::from_ref(row)].concat()))
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// All ordered pairs of some inputs, each with itself too.
pub fn all_pairs<X: Clone>(inputs: &[X]) -> Vec<(X, X)> {
    inputs.iter().flat_map(|x| inputs.iter().map(|y| (x.clone(), y.clone()))).collect()
}

/// Floats on which careless sums, bounds and hashes break: both zeros, binades, cascades just above a power of two, cancellation,
/// subnormals, the ends of the range and beyond.
pub fn floats() -> Vec<f64> {
    let cascade = (0..5u32).map(|eighth| 1125899906842624.0 + f64::from(eighth) / 8.0); // from 2^50 on
    let special = [
        0.0,
        -0.0,
        0.1,
        0.3,
        -0.3,
        1.0,
        1f64.next_up(),
        1f64.next_down(),
        2.5,
        -3.0,
        5e-324,
        -5e-324,
        2.2250738585072014e-308,
        4503599627370496.5,
        9007199254740993.0,
        1e16,
        -1e16,
        1e308,
        -1e308,
        f64::MAX,
        f64::MIN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    special.into_iter().chain(cascade).collect()
}

/// Pairs of datasets that a few random edits separate: rows inserted, deleted, replaced, swapped.
pub fn edited_pairs<T: Clone>(
    pool: &[T],
    longest: usize,
    edits: u64,
    count: usize,
    seed: u64,
) -> Vec<(Vec<T>, Vec<T>)> {
    let mut random = Random(SeededEntropy::new(seed));
    let mut pairs = Vec::new();
    while pairs.len() < count {
        let Some(pair) = random.pair(pool, longest, edits) else { break };
        pairs.push(pair);
    }
    pairs
}

struct Random(SeededEntropy);

impl Random {
    fn below(&mut self, n: usize) -> Option<usize> {
        usize::try_from(uniform_below_u64(u64::try_from(n).ok()?, &mut self.0).ok()?).ok()
    }

    fn row<T: Clone>(&mut self, pool: &[T]) -> Option<T> {
        pool.get(self.below(pool.len())?).cloned()
    }

    fn pair<T: Clone>(&mut self, pool: &[T], longest: usize, edits: u64) -> Option<(Vec<T>, Vec<T>)> {
        let length = self.below(longest + 1)?;
        let x: Vec<T> = (0..length).map(|_| self.row(pool)).collect::<Option<_>>()?;
        let mut y = x.clone();
        for _ in 0..uniform_below_u64(edits + 1, &mut self.0).ok()? {
            let kind = self.0.bits(2).ok()?;
            if kind == 0 || y.is_empty() {
                let (at, row) = (self.below(y.len() + 1)?, self.row(pool)?);
                y.insert(at, row);
                continue;
            }
            let (at, to) = (self.below(y.len())?, self.below(y.len())?);
            match kind {
                1 => drop(y.remove(at)),
                2 => *y.get_mut(at)? = self.row(pool)?,
                _ => y.swap(at, to),
            }
        }
        Some((x, y))
    }
}

/// Pairs of inputs that are smaller than a given one: the way to a smallest witness.
pub trait Shrink: Sized {
    /// Smaller pairs, the smallest first.
    fn smaller(&self, other: &Self) -> Vec<(Self, Self)>;
}

fn without<T: Clone>(rows: &[T], position: usize) -> Vec<T> {
    rows.iter().enumerate().filter(|(at, _)| *at != position).map(|(_, row)| row.clone()).collect()
}

/// One row less on one side, or one on both.
impl<T: Clone> Shrink for Vec<T> {
    fn smaller(&self, other: &Self) -> Vec<(Self, Self)> {
        let (n, m) = (self.len(), other.len());
        let both = (0..n).flat_map(|i| (0..m).map(move |j| (i, j)));
        let mut pairs: Vec<_> = both.map(|(i, j)| (without(self, i), without(other, j))).collect();
        pairs.extend((0..n).map(|i| (without(self, i), other.clone())));
        pairs.extend((0..m).map(|j| (self.clone(), without(other, j))));
        pairs
    }
}

macro_rules! no_smaller {
    ($([$($generics:tt)*] $type:ty),+ $(,)?) => {$(
        impl<$($generics)*> Shrink for $type {
            fn smaller(&self, _: &Self) -> Vec<(Self, Self)> {
                Vec::new()
            }
        }
    )+};
}

no_smaller!([] bool, [] i8, [] i16, [] i32, [] i64, [] i128, [] u8, [] u16, [] u32, [] u64, [] u128, [] f32, [] f64);
no_smaller!([] String, [] char, [] indistinct::numeric::Dyadic, [A, B] (A, B), [T] Option<T>);
no_smaller!([K, V] std::collections::BTreeMap<K, V>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toy_domains_are_whole() {
        let all = all_vectors(&[0, 1, 2], 3);
        assert_eq!(all.len(), 1 + 3 + 9 + 27);
        assert_eq!(all_pairs(&all).len(), 1600);
    }

    #[test]
    fn edits_stay_close() {
        for (x, y) in edited_pairs(&[1, 2, 3], 6, 3, 500, 1) {
            // A swap is two deletions and two insertions at most.
            assert!(crate::distances::insert_delete(&x, &y).unwrap() <= 12);
        }
    }

    #[test]
    fn smaller_pairs_lack_a_row() {
        let (x, y) = (vec![1, 2], vec![3]);
        let pairs = x.smaller(&y);
        assert!(pairs.contains(&(vec![2], vec![])) && pairs.contains(&(vec![1], vec![3])));
        assert_eq!(pairs.len(), 5);
    }
}
