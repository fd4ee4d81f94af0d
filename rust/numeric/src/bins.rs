//! Bins of integers, and the integer that they add up to.

use crate::{Dyadic, Error, Fallible};
use rug::{Integer, integer::Order};

/// The number of exponents in a bin.
pub(crate) const BIN_BITS: u32 = 16;
/// The number of bins in a word of 64 bits.
const BINS_IN_WORD: usize = 4;

/// The low 64 bits of a number in two's complement.
const LOW: i128 = (1 << 64) - 1;

/// Returns `sum of bin[i] 2^(16 i)`. It runs the same instructions whatever the bins contain, except for the sign of
/// the sum and its leading words of 0.
pub(crate) fn total(bins: &[i128]) -> Fallible<Integer> {
    let mut words = Vec::with_capacity(bins.len() / BINS_IN_WORD + 3);
    // The size stays below 2^113, so nothing overflows.
    let mut carry = 0;
    for bins in bins.chunks(BINS_IN_WORD) {
        let (mut low, mut high) = (carry, 0);
        for (bin, shift) in bins.iter().zip([0u32, 16, 32, 48]) {
            low += (bin & LOW) << shift;
            high += bin >> 64 << shift;
        }
        words.push(low & LOW);
        carry = (low >> 64) + high;
    }
    words.extend([carry & LOW, carry >> 64 & LOW]);
    // The number is in two's complement: a negative number is the complement of a nonnegative one.
    let sign = carry >> 127 & LOW;
    let overflow = |_| Error::Overflow { operation: "the total of bins" };
    let words = words.into_iter().map(|word| u64::try_from(word ^ sign).map_err(overflow));
    let size = Integer::from_digits(&words.collect::<Fallible<Vec<_>>>()?, Order::Lsf);
    Ok(if sign == 0 { size } else { !size })
}

/// Returns the number in units of `2^least`, or `None` if it is not a multiple of that unit.
pub(crate) fn in_units(number: &Dyadic, least: i32) -> Option<Integer> {
    if *number == Dyadic::ZERO {
        return Some(Integer::new());
    }
    let above = u32::try_from(number.exponent().checked_sub(least)?).ok()?;
    Some(Integer::from(number.gmp_mantissa() << above))
}

/// Returns this many bins that add up to a number, each below 2^16 in size except the last; `None` if the last would be
/// 2^126 or more.
pub(crate) fn of_total(number: &Integer, bins: usize) -> Option<Vec<i128>> {
    let mut size = Integer::from(number.abs_ref());
    let mut parts = Vec::with_capacity(bins);
    for _ in 1..bins {
        parts.push(i128::from(size.mod_u(1 << BIN_BITS)));
        size >>= BIN_BITS;
    }
    parts.push(size.to_i128().filter(|last| *last < 1 << 126)?);
    Some(if number.is_negative() { parts.into_iter().map(|part| -part).collect() } else { parts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_total_is_the_sum_of_all_bins(bins in prop::collection::vec((any::<i128>(), 0..128u32), 0..40)) {
            let bins: Vec<i128> = bins.into_iter().map(|(bin, shift)| bin >> shift >> 1u32).collect();
            let truth: Integer = (0u32..).zip(&bins).map(|(index, bin)| Integer::from(*bin) << (BIN_BITS * index)).sum();
            prop_assert_eq!(total(&bins), Ok(truth.clone()));
            // And back, in as many bins or more.
            let again = of_total(&truth, 50).unwrap();
            prop_assert_eq!(total(&again), Ok(truth));
            prop_assert!(again.iter().all(|part| part.abs() < 1 << 16));
        }
    }

    #[test]
    fn a_total_fits_into_its_bins_or_not() {
        let top = |bits: u32| Integer::from(1) << (16 * 3 + bits);
        assert_eq!(of_total(&-top(125), 4), Some(vec![0, 0, 0, -(1 << 125)]));
        assert_eq!((of_total(&top(126), 4), of_total(&(top(126) - 1), 4).is_some()), (None, true));
        assert_eq!(of_total(&Integer::new(), 2), Some(vec![0, 0]));
    }

    #[test]
    fn ends() {
        assert_eq!(total(&[]), Ok(Integer::new()));
        assert_eq!(total(&[i128::MIN]), Ok(Integer::from(i128::MIN)));
        assert_eq!(total(&[-1, 0, 0]), Ok(Integer::from(-1)));
        assert_eq!(total(&[1 << 16, -1]), Ok(Integer::new()));
        for end in [i128::MIN, i128::MAX] {
            let truth: Integer = (0..9u32).map(|index| Integer::from(end) << (BIN_BITS * index)).sum();
            assert_eq!(total(&[end; 9]), Ok(truth));
        }
    }
}
