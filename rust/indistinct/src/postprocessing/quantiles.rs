//! Shares and quantiles from counts of bins.

use super::finite_floats;
use crate::core::{Fallible, require};
use indistinct_numeric::ToExtended;

/// The share of all rows that lie in each bin or below it, from released counts: numbers from 0 to 1 that do not fall, the last of which is 1.
///
/// Noisy counts may be negative, so that their running sums fall here and there: the shares are those of the nearest running sums that do not fall
/// (isotonic regression; Hay, Rastogi, Miklau, Suciu 2010). Where the counts add up to nothing, all bins have the same share.
///
/// # Errors
///
/// No counts; a count, or a sum of them, that is not finite.
///
/// ```
/// use indistinct::prelude::*;
/// assert_eq!(cdf_from_counts(&[1, 4, -2, 5])?, [0.125, 0.5, 0.5, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "make_cdf")]
pub fn cdf_from_counts<T: ToExtended>(counts: &[T]) -> Fallible<Vec<f64>> {
    require(!counts.is_empty(), "counts", "must not be empty")?;
    let counts = finite_floats(counts, "counts")?;
    let mut total = 0.0;
    let running = counts.iter().map(|count| {
        total += count;
        total
    });
    let running: Vec<f64> = running.collect();
    require(running.iter().all(|sum| sum.is_finite()), "counts", "must have finite sums")?;
    let sums = isotonic(running);
    let last = sums.last().copied().unwrap_or(0.0);
    if last <= 0.0 {
        let equal = vec![1.0; counts.len()];
        return cdf_from_counts(&equal);
    }
    Ok(sums.into_iter().map(|sum| (sum / last).clamp(0.0, 1.0)).collect())
}

/// The numbers nearest to these, in the sense of least squares, that do not fall: neighbors that do are replaced by their mean.
fn isotonic(numbers: Vec<f64>) -> Vec<f64> {
    let mut blocks: Vec<(f64, f64)> = Vec::new();
    for number in numbers {
        let mut block = (number, 1.0);
        while let Some(&(mean, length)) = blocks.last().filter(|(mean, _)| *mean > block.0) {
            blocks.pop();
            let together = length + block.1;
            block = (mean * (length / together) + block.0 * (block.1 / together), together);
        }
        blocks.push(block);
    }
    let mut fitted = Vec::new();
    for (mean, length) in blocks {
        let mut left = length;
        while left > 0.5 {
            fitted.push(mean);
            left -= 1.0;
        }
    }
    fitted
}

/// Quantiles of the rows behind released counts of bins, with rows spread evenly within each bin.
///
/// Within a bin nothing is known of the rows. Many rows of one value, such as zeros, are spread over their bin too, and a quantile that falls on them comes out anywhere in it:
/// give such a value a narrow bin of its own, and integers a bin each, `[x, x + 1)`, rounding quantiles down; or select among the values by
/// [`make_private_quantile`](crate::measurements::make_private_quantile), which finds tied values.
/// A quantile is the least number at or below which there are so many rows; that of level 0 is the first edge.
///
/// # Parameters
///
/// - `edges`: the edges of the bins, rising and finite, one more than there are bins: those of [`make_find_bin`](crate::transformations::make_find_bin) and, before and
///   after them, the least and the greatest number to be released.
/// - `counts`: the counts of the bins; see [`cdf_from_counts`] for what noise does to them.
/// - `alphas`: the levels, from 0 to 1; 1/2 for the median.
///
/// # Errors
///
/// Edges that are not rising or do not fit the counts; no counts, or one that is not finite; a level outside 0 to 1.
///
/// ```
/// use indistinct::prelude::*;
/// let quantiles = quantiles_from_counts(&[0.0, 10.0, 20.0, 40.0], &[5, 5, 10], &[0.25, 0.5, 0.75])?;
/// assert_eq!(quantiles, [10.0, 20.0, 30.0]);
/// # Ok::<(), Error>(())
/// ```
pub fn quantiles_from_counts<T: ToExtended>(edges: &[f64], counts: &[T], alphas: &[f64]) -> Fallible<Vec<f64>> {
    let rising = edges.windows(2).all(|pair| matches!(pair, [one, next] if one < next));
    require(rising && edges.iter().all(|edge| edge.is_finite()), "edges", "must be rising and finite")?;
    require(edges.len() == counts.len() + 1, "edges", "must be one more than the counts")?;
    require(alphas.iter().all(|alpha| (0.0..=1.0).contains(alpha)), "alphas", "must be from 0 to 1")?;
    let shares: Vec<f64> = [0.0].into_iter().chain(cdf_from_counts(counts)?).collect();
    Ok(alphas.iter().map(|alpha| quantile(edges, &shares, *alpha)).collect())
}

/// Where the line from edge to edge, with these shares of rows below each, reaches `alpha`.
fn quantile(edges: &[f64], shares: &[f64], alpha: f64) -> f64 {
    let bins = edges.windows(2).zip(shares.windows(2));
    let reached = |(edges, shares): (&[f64], &[f64])| match (edges, shares) {
        (&[low, high], &[below, through]) if alpha <= through => {
            let part = if through > below { ((alpha - below) / (through - below)).clamp(0.0, 1.0) } else { 0.0 };
            Some((low * (1.0 - part) + high * part).clamp(low, high))
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
        assert!(cdf_from_counts::<i64>(&[]).is_err());
        for counts in [&[f64::NAN][..], &[f64::INFINITY, 1.0], &[f64::NEG_INFINITY], &[f64::MAX, f64::MAX]] {
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
            ([1.0, 6.0, 2.0, 1.0, 9.0], [1.0, 3.0, 3.0, 3.0, 9.0]),
            ([8.0, 4.0, 4.0, 0.0, 5.0], [4.0, 4.0, 4.0, 4.0, 5.0]),
            ([2.0, 0.0, 6.0, 3.0, -3.0], [1.0, 1.0, 2.0, 2.0, 2.0]),
        ] {
            let own = isotonic(numbers.to_vec());
            assert!(own.len() == 5 && own.iter().zip(fitted).all(|(x, y)| (x - y).abs() < 1e-15 * 8.0), "{own:?}");
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
