//! Statistics and their intervals, from noisy numbers that are within some half-widths of what they would be.

use super::{
    parts::{half_square, middle},
    table::Estimate,
};
use crate::core::Fallible;
use indistinct_numeric::RoundedArithmetic;

/// A noisy number, and the half-width of its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Noisy {
    pub(super) value: f64,
    pub(super) within: f64,
}

/// From and to.
type Interval = (f64, f64);

impl Noisy {
    fn interval(self) -> Fallible<Interval> {
        Ok((self.value.neg_inf_sub(self.within)?, self.value.inf_add(self.within)?))
    }

    pub(super) fn estimate(self) -> Fallible<Estimate> {
        Ok(Estimate { value: Some(self.value), interval: Some(self.interval()?) })
    }

    /// A number of rows, which is 0 or more.
    pub(super) fn number(self) -> Fallible<Estimate> {
        let (lower, upper) = self.interval()?;
        Ok(Estimate { value: Some(self.value), interval: Some((lower.max(0.0), upper.max(0.0))) })
    }
}

/// The ratio of a noisy sum of numbers of at most `reach` in size to the noisy count of them.
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

/// The mean, from the sum of distances from the middle of the bounds.
pub(super) fn mean(centered: Noisy, count: Noisy, bounds: (f64, f64)) -> Fallible<Estimate> {
    let (middle, reach) = middle(bounds)?;
    let (value, (lower, upper)) = ratio(centered, count, reach)?;
    let within = |number: f64| number.clamp(bounds.0, bounds.1);
    let interval = (within(middle.neg_inf_add(lower)?), within(middle.inf_add(upper)?));
    Ok(Estimate { value: value.map(|value| within(middle + value)), interval: Some(interval) })
}

/// The variance, from the sums of distances from the middle, and of their squares less half of the greatest.
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
    Ok(Estimate { value, interval: Some((from.clamp(0.0, most), to.clamp(0.0, most))) })
}

/// The standard deviation of a variance.
pub(super) fn root(variance: Estimate) -> Estimate {
    // A square root is rounded to the nearest float.
    let interval = variance.interval.map(|(from, to)| (from.sqrt().next_down().max(0.0), to.sqrt().next_up()));
    Estimate { value: variance.value.map(f64::sqrt), interval }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever the truth is, the interval holds it if the noisy numbers are within their half-widths.
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
            let noisy = |truth: f64, which: usize| Noisy { value: truth + off[which] * widths[which], within: widths[which] + 1e-9 };
            let centered = noisy(values.iter().map(|x| x - middle).sum(), 0);
            let squares = noisy(values.iter().map(|x| (x - middle) * (x - middle) - half).sum(), 1);
            let count = noisy(number, 2);
            let truth = values.iter().sum::<f64>() / number;
            let spread = values.iter().map(|x| (x - truth) * (x - truth)).sum::<f64>() / number;
            let holds = |estimate: Estimate, truth: f64| {
                let (from, to) = estimate.interval.unwrap();
                from <= truth + 1e-9 && truth <= to + 1e-9 && estimate.value.is_none_or(|value| (bounds.0..=40.0).contains(&value))
            };
            prop_assert!(holds(mean(centered, count, bounds).unwrap(), truth));
            let variance = variance(centered, squares, count, bounds).unwrap();
            prop_assert!(holds(variance, spread), "{variance:?} {spread}");
            prop_assert!(holds(root(variance), spread.sqrt()));
        }

        #[test]
        fn exact_numbers_have_their_statistics(values in prop::collection::vec(0.0..8.0f64, 1..40)) {
            let exact = |value: f64| Noisy { value, within: 0.0 };
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

    #[test]
    fn what_noise_hides_is_between_the_bounds() {
        let noisy = |value, within| Noisy { value, within };
        let hidden = mean(noisy(3.0, 10.0), noisy(0.0, 5.0), (0.0, 4.0)).unwrap();
        assert_eq!(hidden, Estimate { value: None, interval: Some((0.0, 4.0)) });
        let negative = noisy(-7.0, 5.0).number().unwrap();
        assert_eq!(negative, Estimate { value: Some(-7.0), interval: Some((0.0, 0.0)) });
        assert!(root(Estimate { value: Some(4.0), interval: Some((0.0, 9.0)) }).value == Some(2.0));
    }
}
