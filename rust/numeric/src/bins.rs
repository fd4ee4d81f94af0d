//! Bins of integers, and the integer that they add up to.

use crate::{Error, Fallible};
use rug::{Integer, integer::Order};

/// How many exponents share a bin.
pub(crate) const BIN_BITS: u32 = 16;
/// How many bins make a word of 64 bits.
const BINS_IN_WORD: usize = 4;

/// `sum of bin[i] 2^(16 i)`, by the same instructions whatever the bins hold, but for the sign of the sum and the
/// words of 0 that it begins with.
pub(crate) fn total(bins: &[i128]) -> Fallible<Integer> {
    const OVERFLOW: Error = Error::Overflow { operation: "the total of bins" };
    let mut words = Vec::with_capacity(bins.len() / BINS_IN_WORD + 3);
    let mut carry = 0i128;
    for bins in bins.chunks(BINS_IN_WORD) {
        let mut word = 0;
        for (bin, shift) in bins.iter().zip([0u32, 16, 32, 48]) {
            carry = carry.checked_add(*bin).ok_or(OVERFLOW)?;
            word |= (carry & 0xffff) << shift;
            carry >>= BIN_BITS;
        }
        // What the last bins lack to a word are digits of the carry.
        for shift in [0u32, 16, 32, 48].into_iter().skip(bins.len()) {
            word |= (carry & 0xffff) << shift;
            carry >>= BIN_BITS;
        }
        words.push(word);
    }
    words.extend([carry & i128::from(u64::MAX), carry >> 64 & i128::from(u64::MAX)]);
    // A number in two's complement, of which a negative one is the complement of a number that is not.
    let sign = carry >> 127 & i128::from(u64::MAX);
    let words = words.into_iter().map(|word| u64::try_from(word ^ sign).map_err(|_| OVERFLOW));
    let size = Integer::from_digits(&words.collect::<Fallible<Vec<_>>>()?, Order::Lsf);
    Ok(if sign == 0 { size } else { !size })
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
            prop_assert_eq!(total(&bins), Ok(truth));
        }
    }

    #[test]
    fn ends() {
        assert_eq!(total(&[]), Ok(Integer::new()));
        assert_eq!(total(&[i128::MIN]), Ok(Integer::from(i128::MIN)));
        assert_eq!(total(&[-1, 0, 0]), Ok(Integer::from(-1)));
        assert_eq!(total(&[1 << 16, -1]), Ok(Integer::new()));
        assert!(total(&[i128::MAX, i128::MAX]).is_err());
    }
}
