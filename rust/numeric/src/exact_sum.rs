//! The exact sum of floats, in one pass and in any order.

use crate::{
    Dyadic, Error, Fallible,
    bins::{self, BIN_BITS},
    dyadic::decompose,
};
use rug::Integer;
use std::array;

const LEAST_EXPONENT: i32 = -1074;
/// The number of bins for all exponents.
const BINS: usize = 128;

/// An accumulator that adds f64 and f32 numbers without rounding.
///
/// Every finite f64 is an integer of at most 53 bits times one of 2,046 powers of two. The accumulator keeps the sum of
/// these integers for neighboring powers; 128 bits have room for 2^58 of them, more than any memory contains. So the
/// total is the real sum: it depends neither on the order of the numbers, nor on how they were split among accumulators
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
    /// The numbers that were added one by one, by exponent: at most one bin per number, and at most 128.
    bins: Vec<Bin>,
    /// The numbers that were added in bulk.
    table: Table,
}

/// `sum * 2^(LEAST_EXPONENT + BIN_BITS * index)`.
#[derive(Debug, Clone)]
struct Bin {
    index: u32,
    sum: i128,
}

impl ExactSum {
    /// Makes an empty sum. It takes 32 bytes for each bin in use, at most 4 KiB, and 8 or 16 KiB for numbers that are
    /// added in bulk.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a finite number. An infinity or NaN is an error and leaves the sum unchanged.
    ///
    /// The time depends on the exponents added before. Use it for one of many small sums, where memory matters.
    #[inline]
    pub fn add(&mut self, x: f64) -> Fallible<()> {
        let (mantissa, exponent) = decompose(x)?;
        let place = exponent.abs_diff(LEAST_EXPONENT);
        self.add_to_bin(place / BIN_BITS, i128::from(mantissa) << (place % BIN_BITS))
    }

    /// Adds many numbers, with the same instructions for all values. It stops with an error at the
    /// first infinity or NaN.
    pub fn add_all<T: Addend>(&mut self, numbers: &[T]) -> Fallible<()> {
        self.table.add_all(numbers)
    }

    /// Adds the sum of another accumulator. An error leaves the sum unchanged; it occurs only after 2^58 numbers,
    /// counted as often as they were merged.
    pub fn merge(&mut self, other: &ExactSum) -> Fallible<()> {
        let mut merged = self.clone();
        other.bins.iter().try_for_each(|bin| merged.add_to_bin(bin.index, bin.sum))?;
        merged.table.merge(&other.table)?;
        *self = merged;
        Ok(())
    }

    #[inline]
    fn add_to_bin(&mut self, index: u32, addend: i128) -> Fallible<()> {
        if addend == 0 {
            return Ok(());
        }
        match self.bins.iter_mut().find(|bin| bin.index >= index) {
            Some(bin) if bin.index == index => bin.sum = bin.sum.checked_add(addend).ok_or(OVERFLOW)?,
            _ => {
                let position = self.bins.partition_point(|bin| bin.index < index);
                self.bins.insert(position, Bin { index, sum: addend });
            }
        }
        Ok(())
    }

    /// Returns the exact sum of all numbers added so far.
    pub fn total(&self) -> Fallible<Dyadic> {
        let in_bulk = self.table.total()?;
        let one_by_one: Integer = self.bins.iter().map(|bin| Integer::from(bin.sum) << (BIN_BITS * bin.index)).sum();
        Dyadic::from_gmp(in_bulk + one_by_one, LEAST_EXPONENT)
    }
}

impl ExactSum {
    /// Makes a sum with the value `total`, to which more can be added. Returns an error if no sum of floats, or hardly
    /// any, has this value.
    pub fn from_total(total: &Dyadic) -> Fallible<Self> {
        let refused = Error::Overflow { operation: "ExactSum::from_total" };
        let units = bins::in_units(total, LEAST_EXPONENT).ok_or(refused)?;
        let bins = bins::of_total(&units, BINS).ok_or(refused)?;
        let bins = (0..).zip(bins).filter(|(_, sum)| *sum != 0).map(|(index, sum)| Bin { index, sum });
        Ok(Self { bins: bins.collect(), table: Table::default() })
    }
}

const OVERFLOW: Error = Error::Overflow { operation: "ExactSum::add" };

/// Floats that can be added in bulk: f64 and f32.
pub trait Addend: Copy + private::Sealed {
    /// Returns the number in integers, or an error for an infinity or NaN.
    #[doc(hidden)]
    fn term(self) -> Fallible<Term>;
}

/// `mantissa * 2^(LEAST_EXPONENT + place % 2^11)`, negative from `place` 2^11 on.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Term {
    mantissa: u64,
    place: u64,
}

/// The bit of a positive number's sign; the exponents are below it.
const SIGN: u64 = 1 << 11;

impl Addend for f64 {
    #[inline(always)]
    fn term(self) -> Fallible<Term> {
        let (bits, top) = (self.to_bits(), self.to_bits() >> 52);
        let exponent = top & 0x7ff;
        if exponent == 0x7ff {
            return Err(not_finite(self));
        }
        // Subnormal numbers have the exponent of the smallest normal ones, and no leading bit of 1.
        let place = top.wrapping_sub(u64::from(exponent != 0));
        Ok(Term { mantissa: bits.wrapping_sub(place << 52), place })
    }
}

/// Done in integers too, because some processors convert a subnormal f32 slowly.
impl Addend for f32 {
    #[inline(always)]
    fn term(self) -> Fallible<Term> {
        let (bits, top) = (u64::from(self.to_bits()), u64::from(self.to_bits() >> 23));
        let exponent = top & 0xff;
        if exponent == 0xff {
            return Err(not_finite(self.into()));
        }
        let place = top.wrapping_sub(u64::from(exponent != 0));
        // The smallest f32 is 2^925 times the smallest f64.
        let above = (place & 0xff).wrapping_add(925);
        Ok(Term { mantissa: bits.wrapping_sub(place << 23), place: above | (place >> 8).wrapping_mul(SIGN) })
    }
}

#[cold]
fn not_finite(x: f64) -> Error {
    let operation = "ExactSum::add_all";
    if x.is_nan() { Error::NotANumber { operation } } else { Error::Overflow { operation } }
}

mod private {
    pub trait Sealed {}
    impl Sealed for f64 {}
    impl Sealed for f32 {}
}

/// The number of exponents in an entry of a table, as a power of two: 53 bits and 7 more fit in 64.
const ENTRY_BITS: u32 = 3;
/// The number of entries of one sign.
const ENTRIES: usize = 256;
/// Many numbers are added to this many copies of the entries in turn, so that an addition need not wait for the
/// previous one. For few numbers, one copy is cleared and read sooner.
const LANES: usize = 2;
/// From this number on, numbers are many.
const MANY: usize = 512;

/// The maximum number of numbers in a table. Their sums are below 2^118.
const MOST: u64 = 1 << 58;

/// Sums of the integers of positive numbers, by exponent, followed by those of negative numbers.
type Entries = [u128; 2 * ENTRIES];

/// Each number is added to one entry.
#[derive(Debug, Clone, Default)]
struct Table {
    /// Empty before the first numbers, then one or [`LANES`].
    lanes: Vec<Entries>,
    /// An upper bound on the number of numbers added.
    numbers: u64,
}

impl Table {
    /// Makes room for more numbers, so that no sum overflows.
    fn expect(&mut self, numbers: u64) -> Fallible<()> {
        self.numbers = self.numbers.checked_add(numbers).filter(|numbers| *numbers <= MOST).ok_or(OVERFLOW)?;
        Ok(())
    }

    fn add_all<T: Addend>(&mut self, numbers: &[T]) -> Fallible<()> {
        self.expect(u64::try_from(numbers.len()).map_err(|_| OVERFLOW)?)?;
        let lanes = if numbers.len() < MANY { 1 } else { LANES };
        if self.lanes.is_empty() {
            self.lanes = vec![[0; 2 * ENTRIES]; lanes];
        } else if self.lanes.len() < lanes {
            self.lanes.resize(lanes, [0; 2 * ENTRIES]);
        }
        match <&mut [Entries; LANES]>::try_from(self.lanes.as_mut_slice()) {
            Ok(lanes) => in_turn(lanes, numbers),
            Err(_) => self.lanes.first_mut().map_or(Ok(()), |lane| in_turn(array::from_mut(lane), numbers)),
        }
    }

    fn merge(&mut self, other: &Table) -> Fallible<()> {
        self.expect(other.numbers)?;
        if self.lanes.len() < other.lanes.len() {
            self.lanes.resize(other.lanes.len(), [0; 2 * ENTRIES]);
        }
        let entries = self.lanes.as_flattened_mut().iter_mut().zip(other.lanes.as_flattened());
        entries.for_each(|(entry, addend)| *entry = entry.wrapping_add(*addend));
        Ok(())
    }

    fn total(&self) -> Fallible<Integer> {
        if self.lanes.is_empty() { Ok(Integer::new()) } else { bins::total(&self.bins()) }
    }

    /// Returns the sums of both signs, in bins of two entries each.
    fn bins(&self) -> [i128; BINS] {
        let mut bins = [0u128; BINS];
        let pair = |[low, high]: &[u128; 2]| low.wrapping_add(high << (1 << ENTRY_BITS));
        for entries in &self.lanes {
            let (positive, negative) = entries.split_at(ENTRIES);
            for ((bin, positive), negative) in bins.iter_mut().zip(positive.as_chunks().0).zip(negative.as_chunks().0) {
                *bin = bin.wrapping_add(pair(positive)).wrapping_sub(pair(negative));
            }
        }
        bins.map(u128::cast_signed)
    }
}

/// Adds numbers to lanes in turn.
#[inline]
fn in_turn<T: Addend, const LANES: usize>(lanes: &mut [Entries; LANES], numbers: &[T]) -> Fallible<()> {
    let (groups, last) = numbers.as_chunks::<LANES>();
    for numbers in groups.iter().map(<[T; LANES]>::as_slice).chain([last]) {
        for (x, entries) in numbers.iter().zip(lanes.iter_mut()) {
            add(entries, x.term()?)?;
        }
    }
    Ok(())
}

/// Adds to one entry.
#[inline(always)]
fn add(entries: &mut Entries, Term { mantissa, place }: Term) -> Fallible<()> {
    let index = usize::try_from(place >> ENTRY_BITS).map_err(|_| OVERFLOW)? % entries.len();
    let entry = entries.get_mut(index).ok_or(OVERFLOW)?;
    *entry = entry.wrapping_add((mantissa << (place % (1 << ENTRY_BITS))).into());
    Ok(())
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
        assert_eq!(sum(&[f64::MAX; 4]).to_gmp_rational(), Rational::from_f64(f64::MAX).unwrap() * 4);
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
        let truth = Dyadic::from_f64(x).unwrap().to_gmp_rational() << u32::try_from(merges).unwrap();
        assert_eq!(sum.total().unwrap().to_gmp_rational(), truth);
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

    proptest! {
        #[test]
        fn a_sum_goes_on_from_its_total(numbers in prop::collection::vec(-1e300..1e300f64, 0..9), small in -1.0..1.0f64) {
            let mut all = all_at_once(&numbers);
            let mut again = ExactSum::from_total(&all.total().unwrap()).unwrap();
            prop_assert_eq!(again.total(), all.total());
            for sum in [&mut all, &mut again] {
                sum.add_all(&[small, 5e-324]).unwrap();
                sum.add(f64::MAX).unwrap();
            }
            prop_assert_eq!(again.total(), all.total());
        }
    }

    #[test]
    fn no_sum_has_another_total() {
        let total = |exponent| Dyadic::new(3, exponent).unwrap();
        assert!(ExactSum::from_total(&total(-1075)).is_err() && ExactSum::from_total(&total(5000)).is_err());
        for exponent in [-1074, 0, 1023, 1060] {
            assert_eq!(ExactSum::from_total(&total(exponent)).unwrap().total(), Ok(total(exponent)));
        }
    }

    #[test]
    fn the_ends_of_f32() {
        for x in [f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::from_bits(1), -f32::from_bits(1), -0.0, 1.5] {
            let mut sum = ExactSum::new();
            sum.add_all(&[x, x]).unwrap();
            assert_eq!(sum.total().unwrap().to_f64(), 2.0 * f64::from(x));
        }
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(ExactSum::new().add_all(&[bad]).is_err());
        }
    }

    #[test]
    fn bulk_sums_merged_with_themselves_too_often_are_an_error() {
        let mut sum = all_at_once(&[f64::MAX, -1.0]);
        let mut times = 0;
        while sum.merge(&sum.clone()).is_ok() && sum.total().is_ok() {
            times += 1;
            let truth = truth(&[f64::MAX, -1.0]) << times;
            assert_eq!(sum.total().unwrap().to_gmp_rational(), truth);
        }
        assert_eq!(times, 57);
    }

    #[test]
    fn sums_take_little_memory_whatever_the_numbers() {
        let every_exponent: Vec<f64> = (1..2047u64).map(|biased| f64::from_bits(biased << 52 | 1)).collect();
        let mut sum = ExactSum::new();
        every_exponent.iter().for_each(|&x| sum.add(x).unwrap());
        assert!(sum.bins.len() <= 128 && sum.table.lanes.is_empty());
        assert_eq!(sum.total().unwrap().to_gmp_rational(), truth(&every_exponent));
        let bulk = all_at_once(&every_exponent);
        assert!(bulk.bins.is_empty() && size_of_val(bulk.table.lanes.as_slice()) == 16_384);
        assert_eq!(bulk.total().unwrap(), sum.total().unwrap());
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
            // Runs of one number, some of alternating sign.
            let runs = kinds.iter().flat_map(|&(x, times, alternates)| {
                (0..times).map(move |time| if alternates && time % 2 == 1 { -x } else { x })
            });
            let numbers: Vec<f64> = runs.chain(last).collect();
            let sum = all_at_once(&numbers).total().unwrap();
            prop_assert_eq!(sum.to_gmp_rational(), truth(&numbers));
            prop_assert_eq!(&sum, &super::tests::sum(&numbers));
        }

        #[test]
        fn bulk_sums_of_f32_are_those_of_f64(bits in prop::collection::vec(any::<u32>(), 0..100), subnormal in 0..1u32 << 23) {
            let singles = bits.into_iter().chain([subnormal, subnormal | 1 << 31]).map(f32::from_bits);
            let singles: Vec<f32> = singles.filter(|x| x.is_finite()).collect();
            let doubles: Vec<f64> = singles.iter().map(|&x| x.into()).collect();
            let mut sum = ExactSum::new();
            sum.add_all(&singles).unwrap();
            prop_assert_eq!(sum.total(), all_at_once(&doubles).total());
        }
    }

    proptest! {
        #[test]
        fn the_total_is_the_rational_sum_in_any_order_and_split(bits in prop::collection::vec(any::<u64>(), 0..40), cut in any::<prop::sample::Index>()) {
            let numbers: Vec<f64> = bits.into_iter().map(f64::from_bits).filter(|x| x.is_finite()).collect();
            let truth: Rational = numbers.iter().filter_map(|&x| Rational::from_f64(x)).sum();
            let reversed: Vec<f64> = numbers.iter().rev().copied().collect();
            prop_assert_eq!(sum(&numbers).to_gmp_rational(), truth);
            prop_assert_eq!(sum(&reversed), sum(&numbers));
            let (left, right) = numbers.split_at(if numbers.is_empty() { 0 } else { cut.index(numbers.len()) });
            let mut merged = ExactSum::new();
            left.iter().for_each(|&x| merged.add(x).unwrap());
            let mut rest = ExactSum::new();
            right.iter().for_each(|&x| rest.add(x).unwrap());
            merged.merge(&rest).unwrap();
            prop_assert_eq!(merged.total().unwrap(), sum(&numbers));
            let mut bulk = all_at_once(left);
            bulk.merge(&merged).unwrap();
            bulk.merge(&all_at_once(right)).unwrap();
            prop_assert_eq!(bulk.total().unwrap().to_gmp_rational(), sum(&numbers).to_gmp_rational() * 2u32);
        }
    }
}
