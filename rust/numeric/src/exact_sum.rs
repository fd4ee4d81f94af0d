//! The exact sum of floats, in one pass and in any order.

use crate::{Dyadic, Error, Fallible, dyadic::decompose};
use rug::Integer;

const LEAST_EXPONENT: i32 = -1074;
/// How many exponents share a bin.
const WIDTH: u32 = 16;

/// An accumulator that adds f64 numbers without rounding.
///
/// Every finite f64 is an integer of at most 53 bits times one of 2,046 powers of two. The accumulator keeps the sum of these
/// integers for each 16 neighboring powers that were seen; 128 bits hold 2^58 of them, more than any memory. So the total is
/// the real sum: it does not depend on the order of the numbers, nor on how they were split over several accumulators
/// that were [merged](ExactSum::merge) afterwards.
///
/// ```
/// use indistinct_numeric::{Dyadic, ExactSum};
/// let mut sum = ExactSum::new();
/// sum.add_all(&[1e308, 1.0, 1e308, -1e308])?;
/// sum.add(-1e308)?;
/// assert_eq!(sum.total()?, Dyadic::from_f64(1.0)?);
/// # Ok::<(), indistinct_numeric::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ExactSum {
    /// By exponent: at most one for each number added, and at most 128.
    bins: Vec<Bin>,
}

/// `sum * 2^(LEAST_EXPONENT + WIDTH * index)`.
#[derive(Debug, Clone)]
struct Bin {
    index: u32,
    sum: i128,
}

impl ExactSum {
    /// An empty sum. It takes 32 bytes for each bin in use, at most 4 KiB.
    pub fn new() -> Self {
        Self::default()
    }

    /// Add a finite number; an infinity or NaN is an error and leaves the sum as it was.
    #[inline]
    pub fn add(&mut self, x: f64) -> Fallible<()> {
        let (mantissa, exponent) = decompose(x)?;
        let place = exponent.abs_diff(LEAST_EXPONENT);
        self.add_to_bin(place / WIDTH, i128::from(mantissa) << (place % WIDTH))
    }

    /// Add numbers: the same as one by one, but faster. It stops with an error at the first infinity or NaN.
    pub fn add_all(&mut self, numbers: &[f64]) -> Fallible<()> {
        numbers.chunks(BLOCK).try_for_each(|block| match split_sum(block) {
            Some(split) => self.add_split(block, &split),
            None => block.iter().try_for_each(|&x| self.add(x)),
        })
    }

    fn add_split(&mut self, block: &[f64], split: &SplitSum) -> Fallible<()> {
        self.add(split.high)?;
        self.add(split.low)?;
        if split.is_complete {
            return Ok(());
        }
        let rests = block.iter().map(|&x| split.grids.split(x).rest);
        rests.filter(|&rest| rest != 0.0).try_for_each(|rest| self.add(rest))
    }

    /// Add all that another accumulator holds; an error leaves the sum as it was. It takes 2^58 numbers, counted as often
    /// as they were merged in, to cause one.
    pub fn merge(&mut self, other: &ExactSum) -> Fallible<()> {
        let mut merged = self.clone();
        other.bins.iter().try_for_each(|bin| merged.add_to_bin(bin.index, bin.sum))?;
        *self = merged;
        Ok(())
    }

    #[inline]
    fn add_to_bin(&mut self, index: u32, addend: i128) -> Fallible<()> {
        if addend == 0 {
            return Ok(());
        }
        match self.bins.iter_mut().find(|bin| bin.index >= index) {
            Some(bin) if bin.index == index => {
                bin.sum = bin.sum.checked_add(addend).ok_or(Error::Overflow { operation: "ExactSum::add" })?;
            }
            _ => {
                let position = self.bins.partition_point(|bin| bin.index < index);
                self.bins.insert(position, Bin { index, sum: addend });
            }
        }
        Ok(())
    }

    /// The sum of all numbers added so far, exactly.
    pub fn total(&self) -> Fallible<Dyadic> {
        let total: Integer = self.bins.iter().map(|bin| Integer::from(bin.sum) << (bin.index * WIDTH)).sum();
        Dyadic::new(total, LEAST_EXPONENT)
    }
}

/// How many numbers are split at once. The proof needs that it is at most 2^10.
const BLOCK: usize = 1 << 10;
/// The logarithm of [`BLOCK`].
const BLOCK_BITS: i32 = 10;
/// Independent sums, so that one addition need not wait for another.
const LANES: usize = 4;

/// The sum of a block in two parts, both exact, and what they leave out.
struct SplitSum {
    high: f64,
    low: f64,
    is_complete: bool,
    grids: Grids,
}

/// Two grids of floats, the second 43 binary digits finer. Each is given by a number that is so large that adding it to another
/// rounds that to the grid.
struct Grids {
    coarse: f64,
    fine: f64,
}

/// A number as the sum of a multiple of the coarse grid, one of the fine grid, and a rest: exactly.
struct Split {
    high: f64,
    low: f64,
    rest: f64,
}

impl Grids {
    #[inline(always)]
    fn split(&self, x: f64) -> Split {
        let high = (self.coarse + x) - self.coarse;
        let remainder = x - high;
        let low = (self.fine + remainder) - self.fine;
        Split { high, low, rest: remainder - low }
    }
}

/// The sum of at most [`BLOCK`] numbers by grids; nothing if one of them is not finite or too large for it.
fn split_sum(block: &[f64]) -> Option<SplitSum> {
    let grids = grids(greatest(block))?;
    let (mut high, mut low, mut rest) = ([0f64; LANES], [0f64; LANES], [0u64; LANES]);
    let (groups, last) = block.as_chunks::<LANES>();
    let mut add = |numbers: &[f64; LANES]| {
        for (((&x, high), low), rest) in numbers.iter().zip(&mut high).zip(&mut low).zip(&mut rest) {
            let split = grids.split(x);
            *high += split.high;
            *low += split.low;
            *rest |= split.rest.to_bits();
        }
    };
    groups.iter().for_each(&mut add);
    let mut padded = [0.0; LANES];
    padded.iter_mut().zip(last).for_each(|(place, &x)| *place = x);
    add(&padded);
    let (high, low) = (high.iter().sum::<f64>(), low.iter().sum::<f64>());
    let is_complete = rest.iter().all(|&bits| bits == 0);
    // A number that is not a number leaves its trace in both sums.
    high.is_finite().then_some(SplitSum { high, low, is_complete, grids })
}

/// The greatest size of a number; NaN does not count.
fn greatest(block: &[f64]) -> f64 {
    let (groups, last) = block.as_chunks::<LANES>();
    let mut sizes = [0f64; LANES];
    for numbers in groups {
        for (size, x) in sizes.iter_mut().zip(numbers) {
            *size = if x.abs() > *size { x.abs() } else { *size };
        }
    }
    sizes.iter().chain(last).fold(0.0, |greatest: f64, x| greatest.max(x.abs()))
}

/// Grids for numbers of at most this size: with `size < 2^b` their units are `2^(b - 42)` and `2^(b - 85)`.
fn grids(size: f64) -> Option<Grids> {
    let (_, exponent) = decompose(size).ok()?;
    // At least so large that the fine grid is not finer than floats are.
    let above = (exponent + 53).max(-989);
    // 3/2 2^k lies in the middle of floats whose unit is 2^(k - 52).
    let anchor = |k: i32| {
        u64::try_from(k + 1023).ok().filter(|&biased| biased < 2047).map(|e| f64::from_bits(e << 52 | 1 << 51))
    };
    let k = above + BLOCK_BITS;
    Some(Grids { coarse: anchor(k)?, fine: anchor(k - 43)? })
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
        // The last of the exponents of a bin.
        let x = f64::MAX / 2f64.powi(14);
        sum.add(x).unwrap();
        let merges = (0..200).take_while(|_| sum.merge(&sum.clone()).is_ok()).count();
        assert_eq!(merges, 59);
        let truth = Dyadic::from_f64(x).unwrap().to_rational() << u32::try_from(merges).unwrap();
        assert_eq!(sum.total().unwrap().to_rational(), truth);
    }

    /// The sum as a fraction, one number at a time: no bins, no grids.
    fn truth(numbers: &[f64]) -> Rational {
        numbers.iter().filter_map(|&x| Rational::from_f64(x)).sum()
    }

    fn all_at_once(numbers: &[f64]) -> ExactSum {
        let mut sum = ExactSum::new();
        sum.add_all(numbers).unwrap();
        sum
    }

    #[test]
    fn a_bulk_sum_stops_at_the_first_number_that_is_not_finite() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for at in [0, 1, 1023, 1024, 1500, 2999] {
                let mut numbers = vec![0.5; 3000];
                numbers[at] = bad;
                let mut sum = ExactSum::new();
                assert!(sum.add_all(&numbers).is_err());
                assert_eq!(sum.total().unwrap().to_f64(), f64::from(u32::try_from(at).unwrap()) / 2.0);
            }
        }
    }

    #[test]
    fn sums_take_little_memory_whatever_the_numbers() {
        let every_exponent: Vec<f64> = (1..2047u64).map(|biased| f64::from_bits(biased << 52 | 1)).collect();
        let sum = all_at_once(&every_exponent);
        assert!(sum.bins.len() <= 128);
        assert_eq!(sum.total().unwrap().to_rational(), truth(&every_exponent));
        assert!(all_at_once(&[1.0; 5000]).bins.len() <= 2);
    }

    /// Floats that are hard to add: all exponents, long runs of ones, halves of units, ends of the range, signed zeros.
    fn hard() -> impl Strategy<Value = f64> {
        let bits = any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| x.is_finite());
        let exponent = |low: i32, high: i32| {
            (any::<u64>(), low..high, any::<bool>()).prop_map(|(bits, exponent, ones)| {
                let fraction = if ones { u64::MAX } else { bits } & ((1 << 52) - 1);
                f64::from_bits((bits & 1 << 63) | u64::try_from(exponent + 1023).unwrap() << 52 | fraction)
            })
        };
        prop_oneof![
            bits,
            exponent(-60, 60),
            exponent(-44, -40),
            exponent(-90, -80),
            exponent(1000, 1024),
            exponent(-1023, -980),
            prop::sample::select(vec![
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.5,
                1.5,
                f64::MAX,
                f64::MIN,
                5e-324,
                -5e-324,
                f64::MIN_POSITIVE
            ]),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn bulk_sums_are_the_rational_ones(kinds in prop::collection::vec((hard(), 0..300usize, any::<bool>()), 0..12), last in prop::collection::vec(hard(), 0..40)) {
            // Runs of one number, some of alternating sign, so that blocks fill and lanes meet their bounds.
            let runs = kinds.iter().flat_map(|&(x, times, alternates)| {
                (0..times).map(move |time| if alternates && time % 2 == 1 { -x } else { x })
            });
            let numbers: Vec<f64> = runs.chain(last).collect();
            let sum = all_at_once(&numbers).total().unwrap();
            prop_assert_eq!(sum.to_rational(), truth(&numbers));
            prop_assert_eq!(&sum, &super::tests::sum(&numbers));
        }

        #[test]
        fn blocks_of_one_size_attain_the_bounds_of_the_proof(x in hard(), y in hard(), extra in 0..3usize) {
            // A full block of the greatest number, then one that is all but full with a smaller number at its end.
            let numbers: Vec<f64> = std::iter::repeat_n(x, 1024 + 1023).chain([y]).chain(std::iter::repeat_n(x, extra)).collect();
            prop_assert_eq!(all_at_once(&numbers).total().unwrap().to_rational(), truth(&numbers));
        }
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
