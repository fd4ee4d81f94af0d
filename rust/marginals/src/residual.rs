//! Residuals of tables in integers: the Kronecker product of the matrices n I - J.

use num::{CheckedAdd, CheckedMul, CheckedSub, FromPrimitive, ToPrimitive, Zero};

use crate::{Error, Fallible, error::require};

/// Multiplies a table by the Kronecker product of the matrices n I - J, over the sizes n of its axes; J has only ones.
/// The table is in row-major order. Every line of the result sums to zero along every axis.
///
/// This is the product of the sizes times the projection of the table that removes all of its margins. It is linear and
/// in integers, so noise may be added in integers, and [`Workload::squared_sensitivity`] is exact.
///
/// # Overflow
///
/// If the absolute values of the cells sum to at most `mass`, then neither the result nor any intermediate value
/// exceeds `mass` times the product of the sizes. For counts, `mass` is the number of rows. [`residual_bound`] computes
/// that bound from public numbers, so a caller can rule the error out before it sees the table.
///
/// *Proof.* Each step multiplies the lines of one axis by n I - J, whose entries are at most max(n - 1, 1) < n in
/// absolute value (for n above 1), or 0. After some steps, a cell is therefore a sum of cells of the table with
/// coefficients whose absolute values are at most the product of those n; a partial sum of a line has the same
/// coefficients, because it adds different cells of the table along that axis. So both are at most `mass` times the
/// product of these n; and n times a cell is at most `mass` times the product that includes the next n. Last, n x - s,
/// with s the sum of the line, has coefficients n - 1 and -1, each less than n.
///
/// # Errors
///
/// The number of cells is not the product of the sizes, or an integer does not fit in 64 bits.
///
/// ```
/// let mut cells = [5, 1, 0, 2, 2, 2];
/// indistinct_marginals::residual_in_place(&mut cells, &[2, 3])?;
/// println!("{cells:?}");
/// # Ok::<(), indistinct_marginals::Error>(())
/// ```
///
/// ```text
/// [9, -3, -6, -9, 3, 6]
/// ```
///
/// [`Workload::squared_sensitivity`]: crate::Workload::squared_sensitivity
pub fn residual_in_place(cells: &mut [i64], sizes: &[usize]) -> Fallible<()> {
    multiply_in_place(cells, sizes, 64)
}

/// The greatest absolute value that [`residual_in_place`] can reach, within it or in its result, for a table over axes
/// of these sizes whose cells have absolute values that sum to at most `mass`.
///
/// # Errors
///
/// The bound does not fit in 63 bits: such a table may overflow.
///
/// ```
/// use indistinct_marginals::residual_bound;
/// println!("{}", residual_bound(&[100, 100, 99], 1_000_000_000)?);
/// println!("{}", residual_bound(&[100, 100, 99], 10_000_000_000_000).unwrap_err());
/// # Ok::<(), indistinct_marginals::Error>(())
/// ```
///
/// ```text
/// 990000000000000
/// residual_bound: an integer does not fit in 64 bits; use smaller tables or smaller sums
/// ```
pub fn residual_bound(sizes: &[usize], mass: u64) -> Fallible<i64> {
    let product = |bound: u64, size: &usize| size.to_u64().and_then(|size| bound.checked_mul(size));
    let bound = sizes.iter().try_fold(mass, product).and_then(|bound| bound.to_i64());
    bound.ok_or(Error::Overflow { operation: "residual_bound", bits: 64 })
}

/// The integers that tables are made of.
pub(crate) trait Cell: Copy + Zero + CheckedAdd + CheckedMul + CheckedSub + FromPrimitive {}
impl Cell for i64 {}
impl Cell for i128 {}

/// [`residual_in_place`] for integers of `bits` bits.
pub(crate) fn multiply_in_place<T: Cell>(cells: &mut [T], sizes: &[usize], bits: u32) -> Fallible<()> {
    let product = sizes.iter().try_fold(1_usize, |product, &size| product.checked_mul(size));
    let rule = || format!("must be as many as the product of the sizes {sizes:?}, not {}", cells.len());
    require(product == Some(cells.len()), "cells", rule())?;
    // A table without cells: some axis has no value.
    if cells.is_empty() {
        return Ok(());
    }
    let overflow = || Error::Overflow { operation: "residual_in_place", bits };
    // Cells that are next to each other along the axis lie this far apart.
    let mut stride = cells.len();
    let mut sums: Vec<T> = Vec::new();
    for &size in sizes {
        let block = stride;
        stride /= size;
        let factor = T::from_usize(size).ok_or_else(overflow)?;
        for block in cells.chunks_exact_mut(block) {
            sums.clear();
            sums.resize(stride, T::zero());
            for slice in block.chunks_exact(stride) {
                for (sum, cell) in sums.iter_mut().zip(slice) {
                    *sum = sum.checked_add(cell).ok_or_else(overflow)?;
                }
            }
            for slice in block.chunks_exact_mut(stride) {
                for (cell, sum) in slice.iter_mut().zip(&sums) {
                    let scaled = cell.checked_mul(&factor).ok_or_else(overflow)?;
                    *cell = scaled.checked_sub(sum).ok_or_else(overflow)?;
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dense;

    fn some_sizes() -> impl Strategy<Value = Vec<usize>> {
        proptest::collection::vec(1_usize..5, 0..4)
    }

    proptest! {
        #[test]
        fn it_is_the_dense_product_and_sums_to_zero(sizes in some_sizes(), seed in any::<u64>()) {
            let count = sizes.iter().product();
            let table = dense::integers(seed, count, 1000);
            let mut cells = table.clone();
            residual_in_place(&mut cells, &sizes).unwrap();
            let matrix = dense::kronecker(&sizes.iter().map(|&n| dense::n_identity_minus_ones(n)).collect::<Vec<_>>());
            let expected: Vec<i64> =
                matrix.iter().map(|row| row.iter().zip(&table).map(|(a, x)| a * x).sum()).collect();
            prop_assert_eq!(&cells, &expected);
            for axis in 0..sizes.len() {
                let stride: usize = sizes[axis + 1..].iter().product();
                for block in cells.chunks_exact(stride * sizes[axis]) {
                    for at in 0..stride {
                        prop_assert_eq!(block.iter().skip(at).step_by(stride).sum::<i64>(), 0);
                    }
                }
            }
        }

        #[test]
        fn within_the_bound_nothing_overflows(sizes in some_sizes(), seed in any::<u64>()) {
            let count: usize = sizes.iter().product();
            let product = i64::try_from(count).unwrap();
            let mass = i64::MAX / product;
            // All mass in one cell, or spread with signs.
            for at in 0..count {
                for signs in [0, seed] {
                    let mut cells = vec![0; count];
                    let share = if signs == 0 { mass } else { mass / product };
                    cells[at] = share;
                    if signs != 0 {
                        for (i, cell) in cells.iter_mut().enumerate() {
                            *cell = if (signs >> (i % 64)) & 1 == 1 { share } else { -share };
                        }
                    }
                    let bound = residual_bound(&sizes, u64::try_from(mass).unwrap()).unwrap();
                    residual_in_place(&mut cells, &sizes).unwrap();
                    prop_assert!(cells.iter().all(|cell| cell.abs() <= bound));
                }
            }
        }
    }

    #[test]
    fn beyond_the_bound_an_overflow_is_an_error() {
        let mut cells = [i64::MAX / 2, 0, 0];
        let error = residual_in_place(&mut cells, &[3]).unwrap_err();
        assert_eq!(error, Error::Overflow { operation: "residual_in_place", bits: 64 });
        assert!(residual_bound(&[3], u64::try_from(i64::MAX / 2).unwrap()).is_err());
        assert!(residual_bound(&[usize::MAX, 2], 3).is_err());
    }

    #[test]
    fn a_wrong_number_of_cells_is_refused() {
        let error = residual_in_place(&mut [1, 2, 3], &[2, 2]).unwrap_err().to_string();
        assert_eq!(error, "cells must be as many as the product of the sizes [2, 2], not 3");
        residual_in_place(&mut [], &[2, 0]).unwrap();
        let mut total = [7];
        residual_in_place(&mut total, &[]).unwrap();
        assert_eq!(total, [7]);
    }

    #[test]
    fn the_squared_sensitivity_is_that_of_every_column() {
        let sizes = vec![3, 2, 4];
        let workload = crate::Workload::up_to(sizes.clone(), 3).unwrap();
        for set in workload.closure() {
            let sizes = workload.sizes_of(set).unwrap();
            for at in 0..workload.cells(set).unwrap() {
                let mut cells = vec![0; workload.cells(set).unwrap()];
                cells[at] = 1;
                residual_in_place(&mut cells, &sizes).unwrap();
                let norm: i64 = cells.iter().map(|cell| cell * cell).sum();
                assert_eq!(u128::try_from(norm).unwrap(), workload.squared_sensitivity(set).unwrap());
            }
        }
    }
}
