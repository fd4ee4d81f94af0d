//! Lists small domains and all pairs of their members, and floats that break careless code.

/// Returns all vectors of up to `longest` elements from a pool.
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

/// Returns all ordered pairs of some inputs, including each input with itself. Pairs of the first inputs come first, so
/// the first pair for which a claim is false is one of the smallest.
pub fn all_pairs<X: Clone>(inputs: &[X]) -> Vec<(X, X)> {
    let up_to = |(x, last): (&X, usize)| {
        let others = inputs.iter().take(last).flat_map(|y| [(x.clone(), y.clone()), (y.clone(), x.clone())]);
        others.chain([(x.clone(), x.clone())]).collect::<Vec<_>>()
    };
    inputs.iter().zip(0..).flat_map(up_to).collect()
}

/// Returns floats that break careless sums, bounds and hashes: both zeros, binades, cascades just above a power of two,
/// cancellation, subnormals, the ends of the range, and infinities and NaN.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toy_domains_are_whole_and_come_smallest_first() {
        let all = all_vectors(&[0, 1, 2], 3);
        assert_eq!(all.len(), 1 + 3 + 9 + 27);
        let pairs = all_pairs(&all);
        assert_eq!(pairs.len(), 1600);
        assert!(pairs.windows(2).all(|two| two[0].0.len().max(two[0].1.len()) <= two[1].0.len().max(two[1].1.len())));
        let distinct: std::collections::BTreeSet<_> = pairs.into_iter().collect();
        assert_eq!(distinct.len(), 1600);
    }
}
