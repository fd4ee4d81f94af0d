//! For tests: the same linear algebra by full matrices.

use num::{Num, ToPrimitive};

/// A matrix, row by row.
pub(crate) type Matrix<T> = Vec<Vec<T>>;

/// Pseudorandom integers in `0..below`, from a seed (splitmix64).
pub(crate) fn integers(seed: u64, count: usize, below: u64) -> Vec<i64> {
    let mut state = seed;
    let next = |_| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % below).to_i64().unwrap()
    };
    (0..count).map(next).collect()
}

/// Another seed for each number.
pub(crate) fn mixed(seed: u64, number: usize) -> u64 {
    seed.wrapping_mul(1009).wrapping_add(number.to_u64().unwrap())
}

/// An integer in floats.
pub(crate) fn real<T: ToPrimitive>(integer: T) -> f64 {
    integer.to_f64().unwrap()
}

/// The matrix with n - 1 on its diagonal and -1 elsewhere.
pub(crate) fn n_identity_minus_ones(n: usize) -> Matrix<i64> {
    let diagonal = n.to_i64().unwrap() - 1;
    (0..n).map(|i| (0..n).map(|j| if i == j { diagonal } else { -1 }).collect()).collect()
}

/// The Kronecker product; the last factor's index runs fastest.
pub(crate) fn kronecker<T: Num + Copy>(factors: &[Matrix<T>]) -> Matrix<T> {
    factors.iter().fold(vec![vec![T::one()]], |left, right| {
        let row = |a: &Vec<T>, b: &Vec<T>| a.iter().flat_map(|&x| b.iter().map(move |&y| x * y)).collect();
        left.iter().flat_map(|a| right.iter().map(move |b| row(a, b))).collect()
    })
}

/// The matrix product.
pub(crate) fn product(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
    let columns = b.first().map_or(0, Vec::len);
    let entry = |row: &Vec<f64>, j: usize| row.iter().zip(b).map(|(x, other)| x * other[j]).sum();
    a.iter().map(|row| (0..columns).map(|j| entry(row, j)).collect()).collect()
}

/// The transposed matrix.
pub(crate) fn transposed(a: &Matrix<f64>) -> Matrix<f64> {
    (0..a.first().map_or(0, Vec::len)).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

/// A matrix for each axis, from the axis' position and size.
pub(crate) fn by_axis(sizes: &[usize], factor: impl Fn(usize, usize) -> Matrix<f64>) -> Matrix<f64> {
    kronecker(&sizes.iter().enumerate().map(|(axis, &n)| factor(axis, n)).collect::<Vec<_>>())
}

/// The identity minus the mean.
pub(crate) fn centering(n: usize) -> Matrix<f64> {
    let n_float = n.to_f64().unwrap();
    n_identity_minus_ones(n).iter().map(|row| row.iter().map(|x| x.to_f64().unwrap() / n_float).collect()).collect()
}

/// A matrix whose entries are all equal.
pub(crate) fn constant(rows: usize, columns: usize, entry: f64) -> Matrix<f64> {
    vec![vec![entry; columns]; rows]
}
