//! Shares and quantiles from counts of bins.

use super::finite_floats;
use crate::core::{Fallible, require};
use indistinct_numeric::{
    Dyadic, RoundedFrom, ToExtended,
    gmp::{Integer, Rational},
};

/// Returns the share of all rows that lie in or below each bin, from released counts: nondecreasing numbers from 0 to
/// 1, the last of which is 1.
///
/// Noisy counts may be negative, so their running sums may decrease. The shares are computed from the nearest
/// nondecreasing running sums (isotonic regression; Hay, Rastogi, Miklau, Suciu 2010). If the last of these is 0 or
/// less, all bins have the same share. Sums and means are exact, and each share is rounded once, to the nearest float.
///
/// # Errors
///
/// Returns an error if there are no counts, or if a count is not finite.
///
/// ```
/// use indistinct::prelude::*;
/// assert_eq!(cdf_from_counts(&[1, 4, -2, 5])?, [0.125, 0.5, 0.5, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "make_cdf")]
pub fn cdf_from_counts<T: ToExtended>(counts: &[T]) -> Fallible<Vec<f64>> {
    require(!counts.is_empty(), "counts", "must not be empty")?;
    let blocks = isotonic(&running_sums(&finite_floats(counts, "counts")?)?);
    match blocks.last() {
        Some(last) if last.sum > 0 => shares(&blocks, last),
        _ => cdf_from_counts(&vec![1; counts.len()]),
    }
}

/// Returns the running sums, as multiples of one power of two.
fn running_sums(counts: &[f64]) -> Fallible<Vec<Integer>> {
    let exact = counts.iter().map(|count| Dyadic::from_f64(*count)).collect::<Result<Vec<_>, _>>()?;
    let unit = exact.iter().map(Dyadic::exponent).min().unwrap_or(0);
    let mut sum = Integer::new();
    let running = exact.iter().map(|count| {
        sum += Integer::from(count.gmp_mantissa() << count.exponent().abs_diff(unit));
        sum.clone()
    });
    Ok(running.collect())
}

/// Neighboring numbers that are replaced by their mean.
struct Block {
    sum: Integer,
    length: usize,
}

impl Block {
    fn is_above(&self, other: &Block) -> bool {
        Integer::from(&self.sum * other.length) > Integer::from(&other.sum * self.length)
    }
}

/// Returns the nearest nondecreasing numbers in the least-squares sense: neighbors that decrease are replaced by their
/// mean.
fn isotonic(numbers: &[Integer]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for number in numbers {
        let mut block = Block { sum: number.clone(), length: 1 };
        while let Some(falls) = blocks.pop_if(|before| before.is_above(&block)) {
            block = Block { sum: falls.sum + block.sum, length: falls.length + block.length };
        }
        blocks.push(block);
    }
    blocks
}

/// Returns the means of the blocks, as shares of the mean of the last block, which is above 0.
fn shares(blocks: &[Block], last: &Block) -> Fallible<Vec<f64>> {
    let mut shares = Vec::new();
    for block in blocks {
        let (part, whole) = (Integer::from(&block.sum * last.length), Integer::from(&last.sum * block.length));
        let share = f64::nearest_from(&Rational::from((part.max(Integer::new()), whole)))?;
        shares.extend(std::iter::repeat_n(share, block.length));
    }
    Ok(shares)
}

/// Returns quantiles of the rows behind released counts of bins, assuming that rows are spread evenly within each bin:
/// numbers between the first and the last edge, which do not decrease as the level rises.
///
/// Counts do not show how rows are spread within a bin. Many rows with one value, such as 0, are treated as spread over
/// their bin, so a quantile that falls on them can be anywhere in it. Give such a value its own narrow bin. For
/// integers, give each integer x a bin `[x, x + 1)`, and round quantiles down. Or select among the values with
/// [`make_private_quantile`](crate::measurements::make_private_quantile), which handles tied values. A quantile is the
/// smallest number at or below which the share of rows lies; the quantile of level 0 is the first edge.
///
/// # Parameters
///
/// - `edges`: the finite edges of the bins in ascending order, one more than there are bins: the edges of
///   [`make_find_bin`](crate::transformations::make_find_bin) with the smallest and the largest possible release before
///   and after them.
/// - `counts`: the counts of the bins; see [`cdf_from_counts`] for the treatment of noise.
/// - `alphas`: the levels, from 0 to 1; 1/2 for the median.
///
/// # Errors
///
/// Returns an error if edges are not ascending, if the number of edges does not match the counts, if there are no
/// counts or one is not finite, or if a level is not between 0 and 1.
///
/// ```
/// use indistinct::prelude::*;
/// let quantiles = quantiles_from_counts(&[0.0, 10.0, 20.0, 40.0], &[5, 5, 10], &[0.25, 0.5, 0.75])?;
/// assert_eq!(quantiles, [10.0, 20.0, 30.0]);
/// # Ok::<(), Error>(())
/// ```
pub fn quantiles_from_counts<T: ToExtended>(edges: &[f64], counts: &[T], alphas: &[f64]) -> Fallible<Vec<f64>> {
    let rising = edges.windows(2).all(|pair| matches!(pair, [one, next] if one < next));
    require(rising && edges.iter().all(|edge| edge.is_finite()), "edges", "must be finite and in ascending order")?;
    require(edges.len() == counts.len() + 1, "edges", "must have one entry more than counts")?;
    require(alphas.iter().all(|alpha| (0.0..=1.0).contains(alpha)), "alphas", "must be from 0 to 1")?;
    let shares: Vec<f64> = [0.0].into_iter().chain(cdf_from_counts(counts)?).collect();
    Ok(alphas.iter().map(|alpha| quantile(edges, &shares, *alpha)).collect())
}

/// Returns the point at which the line between edges, with these shares of rows below each edge, reaches `alpha`.
fn quantile(edges: &[f64], shares: &[f64], alpha: f64) -> f64 {
    let bins = edges.windows(2).zip(shares.windows(2));
    let reached = |(edges, shares): (&[f64], &[f64])| match (edges, shares) {
        (&[low, high], &[below, through]) if alpha <= through => {
            let part = if through > below { ((alpha - below) / (through - below)).clamp(0.0, 1.0) } else { 0.0 };
            // Half of the way, twice: the difference of two edges may exceed the greatest float. Each rounding keeps
            // the order of levels.
            let half = (high / 2.0 - low / 2.0) * part;
            Some((low + half + half).clamp(low, high))
        }
        _ => None,
    };
    // The last share is 1.
    bins.filter_map(reached).next().or(edges.last().copied()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::ErrorKind;

    #[test]
    fn shares_do_not_fall() {
        assert_eq!(cdf_from_counts(&[0, 0, 0, 0]).unwrap(), [0.25, 0.5, 0.75, 1.0]);
        assert_eq!(cdf_from_counts(&[-5.0, 1.0]).unwrap(), [0.5, 1.0]);
        assert_eq!(cdf_from_counts(&[-2, 6]).unwrap(), [0.0, 1.0]);
        // Means of running sums that are 0, and that no float is: rounding left a residue above 0 here, and all shares
        // were 1.
        let equal = (1..=7).map(|bin| f64::nearest_from(&Rational::from((bin, 7))).unwrap());
        assert_eq!(cdf_from_counts(&[3, 3, -2, -2, -3, -5, -2]).unwrap(), equal.collect::<Vec<_>>());
        assert_eq!(cdf_from_counts(&[f64::MAX, f64::MAX]).unwrap(), [0.5, 1.0]);
        assert_eq!(cdf_from_counts(&[5e-324, f64::MAX]).unwrap(), [0.0, 1.0]);
        assert!(cdf_from_counts::<i64>(&[]).is_err());
        for counts in [&[f64::NAN][..], &[f64::INFINITY, 1.0], &[f64::NEG_INFINITY]] {
            let error = cdf_from_counts(counts).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Parameter("counts"), "{counts:?}: {error}");
            assert!(quantiles_from_counts(&[0.0, 1.0, 2.0], &[f64::INFINITY, 1.0], &[0.5]).is_err());
        }
        let mut state = 5u64;
        for _ in 0..2000 {
            let counts: Vec<i64> = (0..20)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    i64::try_from((state >> 33) % 100).unwrap() - 30
                })
                .collect();
            let shares = cdf_from_counts(&counts).unwrap();
            assert!(
                shares.len() == 20
                    && shares.windows(2).all(|pair| pair[0] <= pair[1])
                    && shares[19] == 1.0
                    && shares[0] >= 0.0,
                "{counts:?}"
            );
        }
    }

    #[test]
    fn what_falls_is_replaced_by_its_mean() {
        for (numbers, fitted) in [
            ([1, 6, 2, 1, 9], [1, 3, 3, 3, 9]),
            ([8, 4, 4, 0, 5], [4, 4, 4, 4, 5]),
            ([2, 0, 6, 3, -3], [1, 1, 2, 2, 2]),
        ] {
            let own = isotonic(&numbers.map(Integer::from)).into_iter();
            let own = own.flat_map(|block| vec![Rational::from((block.sum, block.length)); block.length]);
            assert_eq!(own.collect::<Vec<_>>(), fitted.map(Rational::from));
        }
    }

    /// Of many zeros, the quantile is in their bin, however narrow; of integers it is right to the bin.
    #[test]
    fn tied_values_are_found_in_bins_of_their_own() {
        let (alphas, counts) = ([0.1, 0.5, 0.6, 0.9], [60, 0, 30, 10]);
        let narrow = quantiles_from_counts(&[0.0, 1e-9, 1.0, 2.0, 3.0], &counts, &alphas).unwrap();
        assert!(narrow[..3].iter().all(|zero| (0.0..=1e-9).contains(zero)), "{narrow:?}");
        let whole = quantiles_from_counts(&[0.0, 1.0, 2.0, 3.0, 4.0], &counts, &[0.1, 0.5, 0.7, 0.89]).unwrap();
        assert_eq!(whole.iter().map(|x| x.floor()).collect::<Vec<_>>(), [0.0, 0.0, 2.0, 2.0]);
    }

    #[test]
    fn quantiles_at_the_ends_and_in_empty_bins() {
        let edges = [0.0, 1.0, 2.0, 3.0, 4.0];
        let quantiles = |counts: &[i64], alphas: &[f64]| quantiles_from_counts(&edges, counts, alphas).unwrap();
        assert_eq!(quantiles(&[0, 5, 0, 5], &[0.0, 0.5, 0.75, 1.0]), [0.0, 2.0, 3.5, 4.0]);
        assert_eq!(quantiles(&[0, 0, 0, 0], &[0.5]), [2.0]);
        assert_eq!(quantiles(&[5, 0, 0, 0], &[0.5, 1.0]), [0.5, 1.0]);
        for (edges, alphas) in [
            (vec![0.0, 1.0], vec![0.5]),
            (vec![0.0, 2.0, 1.0], vec![0.5]),
            (vec![0.0, 1.0, f64::INFINITY], vec![0.5]),
            (vec![0.0, 1.0, 2.0], vec![1.5]),
            (vec![0.0, 1.0, 2.0], vec![f64::NAN]),
        ] {
            assert!(quantiles_from_counts(&edges, &[1, 1], &alphas).is_err(), "{edges:?} {alphas:?}");
        }
    }
}
