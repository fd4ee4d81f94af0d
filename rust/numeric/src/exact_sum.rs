//! The exact sum of floats, in one pass and in any order.

use crate::{Dyadic, Error, Fallible, dyadic::decompose};
use rug::Integer;

/// One bin for each exponent of a finite f64, from -1074 to 971.
const BINS: usize = 2046;
const LEAST_EXPONENT: i32 = -1074;

/// An accumulator that adds f64 numbers without rounding.
///
/// Every finite f64 is an integer of at most 53 bits times one of 2,046 powers of two. The accumulator keeps, for each
/// power, the sum of the integers seen with it; 128 bits hold 2^74 of them, more than any memory. So the total is the
/// real sum: it does not depend on the order of the numbers, nor on how they were split over several accumulators
/// that were [merged](ExactSum::merge) afterwards.
///
/// ```
/// use indistinct_numeric::{Dyadic, ExactSum};
/// let mut sum = ExactSum::new();
/// for x in [1e308, 1.0, 1e308, -1e308, -1e308] {
///     sum.add(x)?;
/// }
/// assert_eq!(sum.total()?, Dyadic::from_f64(1.0)?);
/// # Ok::<(), indistinct_numeric::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactSum {
    bins: Vec<i128>,
}

impl Default for ExactSum {
    fn default() -> Self {
        Self::new()
    }
}

impl ExactSum {
    /// An empty sum. It takes 32 KiB, whatever is added to it.
    pub fn new() -> Self {
        Self { bins: vec![0; BINS] }
    }

    /// Add a finite number; an infinity or NaN is an error and leaves the sum as it was.
    #[inline]
    pub fn add(&mut self, x: f64) -> Fallible<()> {
        let (mantissa, exponent) = decompose(x)?;
        let bin = usize::try_from(exponent - LEAST_EXPONENT).ok().and_then(|index| self.bins.get_mut(index));
        let bin = bin.ok_or(Error::Overflow { operation: "ExactSum::add" })?;
        *bin = bin.checked_add(mantissa.into()).ok_or(Error::Overflow { operation: "ExactSum::add" })?;
        Ok(())
    }

    /// Add all that another accumulator holds; an error leaves the sum as it was. It takes 2^74 numbers, counted as often
    /// as they were merged in, to cause one.
    pub fn merge(&mut self, other: &ExactSum) -> Fallible<()> {
        let sums = self.bins.iter().zip(&other.bins).map(|(bin, addend)| bin.checked_add(*addend));
        self.bins = sums.collect::<Option<_>>().ok_or(Error::Overflow { operation: "ExactSum::merge" })?;
        Ok(())
    }

    /// The sum of all numbers added so far, exactly.
    pub fn total(&self) -> Fallible<Dyadic> {
        let mut total = Integer::new();
        for (shift, &bin) in (0u32..).zip(&self.bins) {
            if bin != 0 {
                total += Integer::from(bin) << shift;
            }
        }
        Dyadic::new(total, LEAST_EXPONENT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rug::Rational;

    fn sum(numbers: &[f64]) -> Dyadic {
        let mut sum = ExactSum::new();
        numbers.iter().for_each(|&x| sum.add(x).unwrap());
        sum.total().unwrap()
    }

    #[test]
    fn cancellation_and_overflow_lose_nothing() {
        assert_eq!(sum(&[f64::MAX, f64::MAX, 5e-324, -f64::MAX, -f64::MAX]).to_f64(), 5e-324);
        assert_eq!(sum(&[f64::MAX; 4]).to_rational(), Rational::from_f64(f64::MAX).unwrap() * 4);
        assert_eq!(sum(&[]), Dyadic::ZERO);
        assert_eq!(sum(&[-0.0, 0.0, 1.0, -1.0]), Dyadic::ZERO);
    }

    #[test]
    fn what_is_not_finite_is_refused_and_leaves_the_sum_alone() {
        let mut sum = ExactSum::new();
        sum.add(2.5).unwrap();
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(sum.add(x).is_err());
        }
        assert_eq!(sum.total().unwrap().to_f64(), 2.5);
    }

    #[test]
    fn a_sum_merged_with_itself_too_often_is_an_error() {
        let mut sum = ExactSum::new();
        sum.add(1.0).unwrap();
        let merges = (0..200).take_while(|_| sum.merge(&sum.clone()).is_ok()).count();
        assert_eq!(merges, 74);
        assert_eq!(sum.total().unwrap().to_f64(), 2f64.powi(74));
    }

    proptest! {
        #[test]
        fn the_total_is_the_rational_sum_in_any_order_and_split(bits in prop::collection::vec(any::<u64>(), 0..40), cut in any::<prop::sample::Index>()) {
            let numbers: Vec<f64> = bits.into_iter().map(f64::from_bits).filter(|x| x.is_finite()).collect();
            let truth: Rational = numbers.iter().filter_map(|&x| Rational::from_f64(x)).sum();
            let reversed: Vec<f64> = numbers.iter().rev().copied().collect();
            prop_assert_eq!(sum(&numbers).to_rational(), truth);
            prop_assert_eq!(sum(&reversed), sum(&numbers));
            let (left, right) = numbers.split_at(if numbers.is_empty() { 0 } else { cut.index(numbers.len()) });
            let mut merged = ExactSum::new();
            left.iter().for_each(|&x| merged.add(x).unwrap());
            let mut rest = ExactSum::new();
            right.iter().for_each(|&x| rest.add(x).unwrap());
            merged.merge(&rest).unwrap();
            prop_assert_eq!(merged.total().unwrap(), sum(&numbers));
        }
    }
}
