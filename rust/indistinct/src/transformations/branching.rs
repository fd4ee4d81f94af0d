//! The best branching of a tree over a histogram.

use super::{b_ary_tree::layers, categories::CategoryMetric};
use crate::core::{Error, Fallible, require};
use indistinct_numeric::RoundedFrom;

/// Returns the branching of [`make_b_ary_tree`](super::make_b_ary_tree) that minimizes the variance of the counts of
/// ranges, averaged over all ranges of bins.
///
/// Few children mean many layers, which divide the guarantee; many children mean that a range consists of many nodes.
/// The count of a range is the sum of the largest blocks in it, and the noise of each block grows with the number of
/// layers: its variance grows with the square of this number for Laplace noise (L1), and in proportion to this number
/// for Gaussian noise (L2). The function compares all branchings from 2 to 256, and a single layer of leaves under the
/// root, and returns the smallest of the best branchings. (Qardaji, Yang, Li 2013, Section 4, and Honaker 2015 study
/// this question; here the blocks are counted exactly.)
/// [`consistent_b_ary_tree`](crate::postprocessing::consistent_b_ary_tree) then improves all branchings, and large ones
/// more.
///
/// # Parameters
///
/// - `leaves`: the number of bins, from 1 to 2^32, stated in advance.
/// - `output_metric`: the metric of the tree, [`L1Distance`](crate::metrics::L1Distance) or
///   [`L2Distance`](crate::metrics::L2Distance).
///
/// # Errors
///
/// Returns an error if there are no leaves, or too many.
///
/// ```
/// use indistinct::prelude::*;
/// let (laplace, gaussian) =
///     (choose_branching_factor(1000, L1Distance::new())?, choose_branching_factor(1000, L2Distance::new())?);
/// assert!(laplace > gaussian && gaussian >= 2, "{laplace} {gaussian}");
/// # Ok::<(), Error>(())
/// ```
pub fn choose_branching_factor<MO: CategoryMetric>(leaves: usize, output_metric: MO) -> Fallible<usize> {
    require((1..=MOST).contains(&leaves), "leaves", "must be from 1 to 2^32")?;
    let mut best = (f64::INFINITY, 2);
    for branching in (2..=MOST_CHILDREN.min(leaves)).chain([leaves.max(2)]) {
        let layers = layers(leaves, branching)?.len();
        let noise = output_metric.length_of(&vec![1.0; layers])?;
        let variance = noise * noise * f64::nearest_from(&blocks(leaves, branching)?)?;
        if variance < best.0 {
            best = (variance, branching);
        }
    }
    Ok(best.1)
}

const MOST: usize = 1 << 32;
const MOST_CHILDREN: usize = 256;

/// Returns the total number of blocks of all ranges: for each node, the ranges that contain its block but not its
/// parent's.
fn blocks(leaves: usize, branching: usize) -> Fallible<u128> {
    let (n, b) = (wide(leaves)?, wide(branching)?);
    // The blocks of a layer have this length, but for the last.
    let (mut width, mut total) = (1u128, 0u128);
    loop {
        total += containing(n, width, 1);
        if width >= n {
            return Ok(total);
        }
        let above = width * b;
        // A full block has b children, the last one as many as begin in it.
        let rest = (n % above).div_ceil(width);
        total -= containing(n, above, b) - (b - rest.min(b)) * last_containing(n, above);
        width = above;
    }
}

/// Returns the number of pairs of a range and a block of this width in it, with the last block possibly shorter; each
/// pair is counted `times` times.
fn containing(n: u128, width: u128, times: u128) -> u128 {
    // The ranges around the block from x to x + width are (x + 1) (n + 1 - x - width), summed over the full blocks.
    let full = n / width;
    if full == 0 {
        return times * last_containing(n, width);
    }
    let (sum, squares) = (full * (full - 1) / 2, sum_of_squares(full));
    let around = full * (n + 1 - width) + width * (n + 1 - width) * sum - width * sum - width * width * squares;
    times * (around + last_containing(n, width))
}

/// Counts the shorter block alone, if there is one: a range from any of the bins to the last.
fn last_containing(n: u128, width: u128) -> u128 {
    if n.is_multiple_of(width) { 0 } else { n - n % width + 1 }
}

/// Returns `0 + 1 + 4 + … + (terms - 1)^2`, for at least one term.
fn sum_of_squares(terms: u128) -> u128 {
    terms * (terms - 1) * (2 * terms - 1) / 6
}

fn wide(number: usize) -> Fallible<u128> {
    u128::try_from(number).map_err(|_| Error::parameter("leaves", "must be from 1 to 2^32"))
}

#[cfg(test)]
mod tests {
    use super::{blocks, choose_branching_factor};
    use crate::{prelude::*, transformations::layers};

    /// Each range is cut into blocks by hand, from the largest on.
    fn by_hand(leaves: usize, branching: usize) -> u128 {
        let heights = layers(leaves, branching).unwrap().len();
        let mut total = 0;
        for (from, to) in (0..leaves).flat_map(|from| (from + 1..=leaves).map(move |to| (from, to))) {
            let mut at = from;
            while at < to {
                let mut widths = (0..heights).rev().map(|height| branching.pow(u32::try_from(height).unwrap()));
                let fits = |width: &usize| at % width == 0 && (at + width).min(leaves) <= to;
                at += widths.find(fits).unwrap();
                total += 1;
            }
        }
        total
    }

    #[test]
    fn blocks_are_those_of_all_ranges() {
        for leaves in 1..40 {
            for branching in 2..12 {
                assert_eq!(blocks(leaves, branching), Ok(by_hand(leaves, branching)), "{leaves} {branching}");
            }
        }
    }

    #[test]
    fn the_choice_has_the_least_variance() {
        for leaves in [1usize, 2, 3, 10, 100, 1000] {
            let chosen = choose_branching_factor(leaves, L1Distance::new()).unwrap();
            let variance = |branching| {
                let layers = u128::try_from(layers(leaves, branching).unwrap().len()).unwrap();
                blocks(leaves, branching).unwrap() * layers * layers
            };
            assert!((2..=leaves.max(2)).all(|branching| variance(chosen) <= variance(branching)), "{leaves} {chosen}");
        }
        assert!(choose_branching_factor(1 << 32, L2Distance::new()).is_ok_and(|b| (2..64).contains(&b)));
        for leaves in [0, (1 << 32) + 1] {
            let error = choose_branching_factor(leaves, L1Distance::new()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Parameter("leaves"));
        }
    }
}
