//! Statistics and their intervals, computed from noisy numbers and the half-widths of their noise.

use super::{
    budget::Noise,
    parts::{half_square, middle},
    table::Estimate,
};
use crate::{accuracy::share_of_alpha, core::Fallible, postprocessing::quantiles_from_counts};
use indistinct_numeric::RoundedArithmetic;

/// A noisy number, and the half-width of its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Noisy {
    pub(super) value: f64,
    pub(super) within: f64,
    /// Where the interval begins instead, if noise may have raised the number by more than the half-width.
    pub(super) from: Option<f64>,
}

/// The two ends of an interval.
type Interval = (f64, f64);

impl Noisy {
    /// A number with an interval that reaches as far to either side.
    pub(super) fn new(value: f64, within: f64) -> Self {
        Self { value, within, from: None }
    }

    fn interval(self) -> Fallible<Interval> {
        let from = self.from.map_or_else(|| self.value.neg_inf_sub(self.within), Ok)?;
        Ok((from, self.value.inf_add(self.within)?))
    }

    pub(super) fn estimate(self) -> Fallible<Estimate> {
        Ok(Estimate { value: Some(self.value), interval: Some(self.interval()?) })
    }

    /// Returns a whole number of rows. The noisy number is unchanged, so that it is right on average. The interval
    /// begins at 0 at the lowest, or at the noisy number if that is negative.
    pub(super) fn number(self) -> Fallible<Estimate> {
        let (lower, upper) = self.interval()?;
        let from = lower.ceil().max(0.0).min(self.value);
        let to = upper.floor().max(0.0).max(self.value);
        Ok(Estimate { value: Some(self.value), interval: Some((from, to)) })
    }
}

/// Returns a statistic that always lies in `range`. There is no value if the interval covers the whole range, because
/// the noise then exceeds the statistic.
fn unless_all(value: Option<f64>, interval: Interval, range: Interval) -> Estimate {
    let is_all = interval.0 <= range.0 && range.1 <= interval.1 && range.0 < range.1;
    Estimate { value: value.filter(|_| !is_all), interval: Some(interval) }
}

/// Returns the ratio of a noisy sum of numbers of at most `reach` in size to their noisy count.
fn ratio(sum: Noisy, count: Noisy, reach: f64) -> Fallible<(Option<f64>, Interval)> {
    let within = |number: f64| number.clamp(-reach, reach);
    let value = (count.value >= 1.0).then(|| within(sum.value / count.value));
    let ((least, greatest), (fewest, most)) = (sum.interval()?, count.interval()?);
    if fewest < 1.0 {
        return Ok((value, (-reach, reach)));
    }
    // Divided by few, a number of either sign is further from 0.
    let lower = least.neg_inf_div(if least < 0.0 { fewest } else { most })?;
    let upper = greatest.inf_div(if greatest < 0.0 { most } else { fewest })?;
    Ok((value, (within(lower), within(upper))))
}

/// Returns the mean, from the sum of distances from the middle of the bounds.
pub(super) fn mean(centered: Noisy, count: Noisy, bounds: (f64, f64)) -> Fallible<Estimate> {
    let (middle, reach) = middle(bounds)?;
    let (value, (lower, upper)) = ratio(centered, count, reach)?;
    let within = |number: f64| number.clamp(bounds.0, bounds.1);
    let interval = (within(middle.neg_inf_add(lower)?), within(middle.inf_add(upper)?));
    Ok(unless_all(value.map(|value| within(middle + value)), interval, bounds))
}

/// Returns a bound on the error of the estimated mean of `values` values, if the noisy sum and the noisy number are
/// within these half-widths of the true ones: `s' / n' - s / n = (s' - s) / n' + (s / n) (n - n') / n'`, where `s` sums
/// distances from the middle, so that `s / n` is at most half of the range. Returns `None` if the noisy number may be
/// less than 1.
pub(super) fn mean_within(values: u32, (sum, count): (f64, f64), bounds: (f64, f64)) -> Fallible<Option<f64>> {
    let (_, reach) = middle(bounds)?;
    let fewest = f64::from(values).neg_inf_sub(count)?;
    if fewest < 1.0 {
        return Ok(None);
    }
    let within = sum.inf_add(reach.inf_mul(count)?)?.inf_div(fewest)?;
    Ok(Some(within.min(reach.inf_mul(2.0)?)))
}

/// Returns the variance, from the sum of distances from the middle, and the sum of their squares less half of the
/// largest square.
pub(super) fn variance(centered: Noisy, squares: Noisy, count: Noisy, bounds: (f64, f64)) -> Fallible<Estimate> {
    let (_, reach) = middle(bounds)?;
    let half = half_square(reach)?;
    let (mean, (lower, upper)) = ratio(centered, count, reach)?;
    let (square, (least, greatest)) = ratio(squares, count, half)?;
    let most = half.inf_add(half)?;
    let value = mean.zip(square).map(|(mean, square)| (half + square - mean * mean).clamp(0.0, reach * reach));
    // The square of the mean: its size is least where it may be 0.
    let size = lower.abs().max(upper.abs());
    let smallest = if lower <= 0.0 && upper >= 0.0 { 0.0 } else { lower.abs().min(upper.abs()) };
    let from = half.neg_inf_add(least)?.neg_inf_sub(size.inf_mul(size)?)?;
    let to = half.inf_add(greatest)?.inf_sub(smallest.neg_inf_mul(smallest)?)?;
    Ok(unless_all(value, (from.clamp(0.0, most), to.clamp(0.0, most)), (0.0, most)))
}

/// Returns the covariance, from the sums of two distances from the middle, and the sum of their products.
pub(super) fn covariance(
    (first, bounds): (Noisy, (f64, f64)),
    (second, others): (Noisy, (f64, f64)),
    products: Noisy,
    count: Noisy,
) -> Fallible<Estimate> {
    let ((_, reach), (_, other_reach)) = (middle(bounds)?, middle(others)?);
    let most = reach.inf_mul(other_reach)?;
    let (mean, one) = ratio(first, count, reach)?;
    let (other_mean, other) = ratio(second, count, other_reach)?;
    let (product, (least, greatest)) = ratio(products, count, most)?;
    let within = |number: f64| number.clamp(-most, most);
    let value = mean.zip(other_mean).zip(product).map(|((mean, other), product)| within(product - mean * other));
    // The product of the means is between the least and the greatest product of their ends.
    let ends = [(one.0, other.0), (one.0, other.1), (one.1, other.0), (one.1, other.1)];
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (end, other_end) in ends {
        (low, high) = (low.min(end.neg_inf_mul(other_end)?), high.max(end.inf_mul(other_end)?));
    }
    let interval = (within(least.neg_inf_sub(high)?), within(greatest.inf_sub(low)?));
    Ok(unless_all(value, interval, (-most, most)))
}

/// Returns a quantile at a level, from the noisy counts of the bins between edges.
///
/// The quantile is above an edge if less than a share `level` of the rows is below it. This holds if a sum of the
/// counts is negative, with weight `1 - level` for those below the edge and weight `-level` for the others. This sum
/// increases from edge to edge. The interval begins at the last edge up to which every noisy sum is so negative that
/// noise alone makes it so with probability at most half of alpha. For it to begin too high, this must fail at one
/// edge, the first at which the sum is not negative. The upper end is found in the same way.
///
/// `widths` are the [widths](quantile_widths) of the sums at each edge between bins. `limits` are the smallest and the
/// largest possible value; the answer lies between them even if edges lie outside.
pub(super) fn quantile(
    (edges, limits): (&[f64], Option<Interval>),
    counts: &[f64],
    level: f64,
    widths: &[f64],
) -> Fallible<Estimate> {
    let value = quantiles_from_counts(edges, counts, &[level])?.first().copied();
    let total: f64 = counts.iter().sum();
    let running = counts.iter().scan(0.0, |below, count| {
        *below += count;
        Some(*below - level * total)
    });
    let inner = edges.iter().skip(1);
    let sums: Vec<(f64, f64, f64)> =
        inner.zip(running).zip(widths).map(|((edge, sum), width)| (*edge, sum, *width)).collect();
    let above = sums.iter().take_while(|(_, sum, width)| *sum < -width).last();
    let below = sums.iter().rev().take_while(|(_, sum, width)| sum > width).last();
    let Some((first, last)) = edges.first().copied().zip(edges.last().copied()) else {
        return Ok(Estimate { value: None, interval: None });
    };
    // Values outside of the edges are counted as if they were at the first or the last one.
    let range = limits.map_or((first, last), |(low, high)| (low.clamp(first, last), high.clamp(first, last)));
    let within = |number: f64| number.clamp(range.0, range.1.max(range.0));
    let (from, to) = (above.map_or(first, |(edge, ..)| *edge), below.map_or(last, |(edge, ..)| *edge));
    let (from, to) = (within(from.min(to)), within(to));
    // The value is of counts that were made to rise, the interval of counts as they are.
    Ok(unless_all(value.map(|value| value.clamp(from, to)), (from, to), range))
}

/// Returns a bound on the noise of the sum at each edge between bins, which it exceeds with probability at most half of
/// alpha.
pub(super) fn quantile_widths(bins: usize, level: f64, noise: (Noise, f64), alpha: f64) -> Fallible<Vec<f64>> {
    let half = share_of_alpha(alpha, 2.0)?;
    let width = |below: usize| {
        let weights = [(1.0 - level, below), (level, bins.saturating_sub(below))];
        // One row more than the noise: sums of floats err by far less.
        Ok(noise.0.tail_of_sum(noise.1, weights, half)?.inf_add(1.0)?)
    };
    (1..bins).map(width).collect()
}

/// Returns the standard deviation of a variance.
pub(super) fn root(variance: Estimate) -> Estimate {
    // A square root is rounded to the nearest float.
    let interval = variance.interval.map(|(from, to)| (from.sqrt().next_down().max(0.0), to.sqrt().next_up()));
    Estimate { value: variance.value.map(f64::sqrt), interval }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{prelude::*, sampling::testing::SeededEntropy};
    use indistinct_numeric::RoundedFrom;
    use proptest::prelude::*;

    proptest! {
        /// The interval contains the true value whenever the noisy numbers are within their half-widths.
        #[test]
        fn intervals_hold_the_truth(
            values in prop::collection::vec(-3.0..9.0f64, 1..40),
            off in prop::collection::vec(-1.0..=1.0f64, 3),
            widths in prop::collection::vec(0.0..20.0f64, 3),
        ) {
            let bounds = (-3.0, 9.0);
            let (middle, reach) = middle(bounds).unwrap();
            let half = half_square(reach).unwrap();
            let number = values.iter().map(|_| 1.0).sum::<f64>();
            let noisy = |truth: f64, which: usize| Noisy::new(truth + off[which] * widths[which], widths[which] + 1e-9);
            let centered = noisy(values.iter().map(|x| x - middle).sum(), 0);
            let squares = noisy(values.iter().map(|x| (x - middle) * (x - middle) - half).sum(), 1);
            let count = noisy(number, 2);
            let truth = values.iter().sum::<f64>() / number;
            let spread = values.iter().map(|x| (x - truth) * (x - truth)).sum::<f64>() / number;
            let holds = |estimate: Estimate, truth: f64| {
                let (from, to) = estimate.interval.unwrap();
                from <= truth + 1e-9 && truth <= to + 1e-9 && estimate.value.is_none_or(|value| (bounds.0..=40.0).contains(&value))
            };
            let estimate = mean(centered, count, bounds).unwrap();
            prop_assert!(holds(estimate, truth));
            let number = u32::try_from(values.len()).unwrap();
            let within = mean_within(number, (centered.within, count.within), bounds).unwrap();
            let off = estimate.value.map(|value| (value - truth).abs());
            let holds_off = |within: f64| off.is_none_or(|off| off <= within + 1e-9);
            prop_assert!(within.is_none_or(holds_off), "{off:?} {within:?}");
            let variance = variance(centered, squares, count, bounds).unwrap();
            prop_assert!(holds(variance, spread), "{variance:?} {spread}");
            prop_assert!(holds(root(variance), spread.sqrt()));
        }

        #[test]
        fn intervals_hold_the_covariance(
            values in prop::collection::vec((-3.0..9.0f64, 0.0..2.0f64), 1..40),
            off in prop::collection::vec(-1.0..=1.0f64, 4),
            widths in prop::collection::vec(0.0..20.0f64, 4),
        ) {
            let number = values.iter().map(|_| 1.0).sum::<f64>();
            let noisy = |truth: f64, which: usize| Noisy::new(truth + off[which] * widths[which], widths[which] + 1e-9);
            let sum = |of: &dyn Fn(f64, f64) -> f64| values.iter().map(|(x, y)| of(*x, *y)).sum::<f64>();
            let (first, second) = (noisy(sum(&|x, _| x - 3.0), 0), noisy(sum(&|_, y| y - 1.0), 1));
            let products = noisy(sum(&|x, y| (x - 3.0) * (y - 1.0)), 2);
            let (mean, other) = (sum(&|x, _| x) / number, sum(&|_, y| y) / number);
            let truth = sum(&|x, y| (x - mean) * (y - other)) / number;
            let found = covariance((first, (-3.0, 9.0)), (second, (0.0, 2.0)), products, noisy(number, 3)).unwrap();
            let (from, to) = found.interval.unwrap();
            prop_assert!(from <= truth + 1e-9 && truth <= to + 1e-9, "{found:?} {truth}");
            prop_assert!(found.value.is_none_or(|value| value.abs() <= 6.0));
        }

        #[test]
        fn exact_numbers_have_their_statistics(values in prop::collection::vec(0.0..8.0f64, 1..40)) {
            let exact = |value: f64| Noisy::new(value, 0.0);
            let number = exact(values.iter().map(|_| 1.0).sum());
            let centered = exact(values.iter().map(|x| x - 4.0).sum());
            let squares = exact(values.iter().map(|x| (x - 4.0) * (x - 4.0) - 8.0).sum());
            let truth = values.iter().sum::<f64>() / number.value;
            let spread = values.iter().map(|x| (x - truth) * (x - truth)).sum::<f64>() / number.value;
            let near = |estimate: Estimate, truth: f64| (estimate.value.unwrap() - truth).abs() < 1e-9;
            prop_assert!(near(mean(centered, number, (0.0, 8.0)).unwrap(), truth));
            prop_assert!(near(variance(centered, squares, number, (0.0, 8.0)).unwrap(), spread));
        }
    }

    /// The interval of a median of 300 rows in 20 bins, from 4,000 noisy histograms: it fails with probability at most
    /// 0.05 each, so more than 0.066 of them with probability below 1e-5; the seed is fixed.
    #[test]
    fn intervals_hold_quantiles() {
        const RELEASES: u32 = 4000;
        let mut entropy = SeededEntropy::new(11);
        let edges: Vec<f64> = (0..=20).map(f64::from).collect();
        let rows: Vec<i64> = (0..20).map(|bin| 4 + bin).collect();
        let domain = || VectorDomain::new(AtomDomain::i64());
        let laplace = make_laplace(domain(), L1Distance::new(), 3.0).unwrap();
        let gaussian = make_gaussian(domain(), L2Distance::new(), ZeroConcentratedDivergence, 3.0).unwrap();
        for (noise, level, truth) in
            [(Noise::Laplace, 0.5, 12.0), (Noise::Gaussian, 0.5, 12.0), (Noise::Laplace, 0.05, 2.0)]
        {
            let (mut missed, mut width) = (0u32, 0.0);
            let widths = quantile_widths(20, level, (noise, 3.0), 0.05).unwrap();
            for _ in 0..RELEASES {
                let noisy = match noise {
                    Noise::Laplace => laplace.invoke_with(&rows, &mut entropy).unwrap(),
                    Noise::Gaussian => gaussian.invoke_with(&rows, &mut entropy).unwrap(),
                };
                let counts: Vec<f64> = noisy.iter().map(|count| f64::nearest_from(count).unwrap()).collect();
                let (from, to) = quantile((&edges, None), &counts, level, &widths).unwrap().interval.unwrap();
                // The quantile is in the bin that ends at `truth`, or at its ends.
                missed += u32::from(from > truth || to < truth - 1.0);
                width += (to - from) / f64::from(RELEASES);
            }
            assert!(f64::from(missed) / f64::from(RELEASES) <= 0.066, "{noise:?} {missed}");
            assert!(width < 8.0, "{noise:?} {level} {width}");
        }
    }

    #[test]
    fn what_noise_hides_is_between_the_bounds() {
        let noisy = Noisy::new;
        let hidden = mean(noisy(3.0, 10.0), noisy(0.0, 5.0), (0.0, 4.0)).unwrap();
        assert_eq!(hidden, Estimate { value: None, interval: Some((0.0, 4.0)) });
        let negative = noisy(-7.0, 5.0).number().unwrap();
        assert_eq!(negative, Estimate { value: Some(-7.0), interval: Some((-7.0, 0.0)) });
        // A count that may be 0, and one of 30 with a sum that is nothing but noise.
        let none = |estimate: Estimate| estimate.value.is_none();
        assert!(none(mean(noisy(3.0, 10.0), noisy(4.0, 5.0), (0.0, 4.0)).unwrap()));
        assert!(none(mean(noisy(3.0, 900.0), noisy(30.0, 5.0), (0.0, 4.0)).unwrap()));
        assert!(!none(mean(noisy(3.0, 10.0), noisy(30.0, 5.0), (0.0, 4.0)).unwrap()));
        assert!(none(root(variance(noisy(0.0, 9.0), noisy(0.0, 9.0), noisy(4.0, 5.0), (0.0, 4.0)).unwrap())));
        let one = (noisy(0.0, 9.0), (0.0, 4.0));
        assert!(none(covariance(one, one, noisy(0.0, 9.0), noisy(4.0, 5.0)).unwrap()));
    }

    /// Counts that are all noise say nothing of a quantile; others lie between the limits of values, where the edges
    /// reach further.
    #[test]
    fn quantiles_lie_between_the_limits_of_values() {
        let edges = [0.0, 1.0, 2.0, 3.0, 4.0];
        let of = |counts: [f64; 4], limits| quantile((&edges, limits), &counts, 0.5, &[5.0; 3]).unwrap();
        assert_eq!(of([1.0, -2.0, 1.0, 3.0], None), Estimate { value: None, interval: Some((0.0, 4.0)) });
        assert_eq!(of([1.0, -2.0, 1.0, 3.0], Some((0.0, 3.0))), Estimate { value: None, interval: Some((0.0, 3.0)) });
        let high = of([0.0, 0.0, 0.0, 90.0], Some((0.0, 3.0)));
        assert_eq!(high, Estimate { value: Some(3.0), interval: Some((3.0, 3.0)) });
        assert_eq!(of([0.0, 0.0, 0.0, 90.0], None).interval, Some((3.0, 4.0)));
        // Limits outside of all edges, on either side.
        assert_eq!(of([90.0, 0.0, 0.0, 0.0], Some((-9.0, -8.0))).interval, Some((0.0, 0.0)));
        assert_eq!(of([0.0, 0.0, 0.0, 90.0], Some((8.0, 9.0))).interval, Some((4.0, 4.0)));
    }

    #[test]
    fn a_count_is_in_its_interval() {
        for (value, interval) in
            [(-15.0, (-15.0, 0.0)), (-3.0, (-3.0, 2.0)), (3.0, (0.0, 8.0)), (30.0, (25.0, 35.0)), (0.0, (0.0, 5.0))]
        {
            let found = Noisy::new(value, 5.5).number().unwrap();
            assert_eq!(found, Estimate { value: Some(value), interval: Some(interval) });
        }
        assert!(root(Estimate { value: Some(4.0), interval: Some((0.0, 9.0)) }).value == Some(2.0));
    }
}
