//! The exact sum of products of two numbers, in one pass and in any order.

use crate::{
    Dyadic, Error, Fallible,
    bins::{self, BIN_BITS},
    dyadic::decompose,
};

/// The exponent of the smallest product of two floats, 2 * -1074.
const LEAST_EXPONENT: i32 = -2148;
/// The number of bins for exponents up to 2 * 971, and the upper half of a product, 53 bits above.
const BINS: usize = 260;
/// A product is split at this bit, so that a bin has room for many parts.
const HALF_BITS: u32 = 53;

/// An accumulator that adds products of floats, or of integers, without rounding.
///
/// A product of two finite f64 is an integer of at most 106 bits times a power of two. Its lower 53 bits and the rest
/// are added to bins of 128 bits each, which have room for 2^58 of them, more than any memory contains. So the total is
/// exact, in any order and however the products are split among accumulators.
///
/// ```
/// use indistinct_numeric::{Dyadic, ExactDot};
/// let mut dot = ExactDot::new();
/// for (x, y) in [(1e200, 1e-200), (3.0, 0.5), (-1e200, 1e-200)] {
///     dot.add(x, y)?;
/// }
/// assert_eq!(dot.total()?, Dyadic::from_f64(1.5)?);
/// # Ok::<(), indistinct_numeric::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactDot {
    bins: Vec<i128>,
}

impl Default for ExactDot {
    fn default() -> Self {
        Self::new()
    }
}

impl ExactDot {
    /// Makes an empty sum. It takes 4 KiB, whatever is added to it.
    pub fn new() -> Self {
        Self { bins: vec![0; BINS] }
    }

    /// Adds the product of two finite numbers. An infinity or NaN is an error and leaves the sum unchanged.
    #[inline]
    pub fn add(&mut self, x: f64, y: f64) -> Fallible<()> {
        let ((x, e), (y, f)) = (decompose(x)?, decompose(y)?);
        self.add_scaled(i128::from(x) * i128::from(y), e + f)
    }

    /// Adds the product of two integers of at most 64 bits, of any sign. A larger integer is an error.
    #[inline]
    pub fn add_integers(&mut self, x: i128, y: i128) -> Fallible<()> {
        let short = |x: i128| x.unsigned_abs() <= 1 << 64;
        if !short(x) || !short(y) {
            return Err(Error::Overflow { operation: "ExactDot::add_integers" });
        }
        // This makes two products of at most 97 bits.
        self.add_scaled((x >> 32) * y, 32)?;
        self.add_scaled((x & 0xffff_ffff) * y, 0)
    }

    /// Adds `integer 2^exponent`, for at most 106 bits and a sign.
    fn add_scaled(&mut self, integer: i128, exponent: i32) -> Fallible<()> {
        let (low, high) = (integer & ((1 << HALF_BITS) - 1), integer >> HALF_BITS);
        let offset = u32::try_from(exponent - LEAST_EXPONENT).map_err(|_| OVERFLOW)?;
        self.add_to_bin(low, offset)?;
        self.add_to_bin(high, offset + HALF_BITS)
    }

    fn add_to_bin(&mut self, integer: i128, offset: u32) -> Fallible<()> {
        let bin = usize::try_from(offset / BIN_BITS).ok().and_then(|index| self.bins.get_mut(index)).ok_or(OVERFLOW)?;
        *bin = bin.checked_add(integer << (offset % BIN_BITS)).ok_or(OVERFLOW)?;
        Ok(())
    }

    /// Adds the sum of another accumulator. An error leaves the sum unchanged.
    pub fn merge(&mut self, other: &ExactDot) -> Fallible<()> {
        let sums = self.bins.iter().zip(&other.bins).map(|(bin, addend)| bin.checked_add(*addend));
        self.bins = sums.collect::<Option<_>>().ok_or(Error::Overflow { operation: "ExactDot::merge" })?;
        Ok(())
    }

    /// Makes a sum with the value `total`, to which more can be added. Returns an error if no sum of products, or
    /// hardly any, has this value.
    pub fn from_total(total: &Dyadic) -> Fallible<Self> {
        let refused = Error::Overflow { operation: "ExactDot::from_total" };
        let units = bins::in_units(total, LEAST_EXPONENT).ok_or(refused)?;
        Ok(Self { bins: bins::of_total(&units, BINS).ok_or(refused)? })
    }

    /// Returns the exact sum of all products added so far.
    pub fn total(&self) -> Fallible<Dyadic> {
        Dyadic::from_gmp(bins::total(&self.bins)?, LEAST_EXPONENT)
    }
}

const OVERFLOW: Error = Error::Overflow { operation: "ExactDot::add" };

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rug::Rational;

    fn dot(pairs: &[(f64, f64)]) -> Dyadic {
        let mut dot = ExactDot::new();
        pairs.iter().for_each(|&(x, y)| dot.add(x, y).unwrap());
        dot.total().unwrap()
    }

    #[test]
    fn a_sum_goes_on_from_its_total() {
        let mut dot = ExactDot::new();
        for (x, y) in [(1e300, 1e300), (-3.0, 5e-324), (5e-324, 5e-324), (f64::MIN, f64::MAX)] {
            dot.add(x, y).unwrap();
            let mut again = ExactDot::from_total(&dot.total().unwrap()).unwrap();
            assert_eq!(again.total(), dot.total());
            again.merge(&dot).unwrap();
            let twice = dot.total().unwrap().to_gmp_rational() * 2;
            assert_eq!(again.total().unwrap().to_gmp_rational(), twice);
        }
        let total = |exponent| ExactDot::from_total(&Dyadic::new(1, exponent).unwrap());
        assert!(total(-2149).is_err() && total(5000).is_err() && total(-2148).is_ok());
    }

    #[test]
    fn the_ends_of_the_range() {
        let square = |x: f64| Rational::from_f64(x).unwrap() * Rational::from_f64(x).unwrap();
        for x in [f64::MAX, -f64::MAX, 5e-324, -5e-324, f64::MIN_POSITIVE.next_down(), 1.0, -1.5, 0.0] {
            assert_eq!(dot(&[(x, x)]).to_gmp_rational(), square(x));
            assert_eq!(dot(&[(x, x), (x, -x)]), Dyadic::ZERO);
        }
        let mixed = dot(&[(f64::MAX, f64::MAX), (5e-324, 5e-324), (-f64::MAX, f64::MAX)]);
        assert_eq!(mixed.to_gmp_rational(), square(5e-324));
    }

    #[test]
    fn integers_of_64_bits() {
        let ends = [i128::from(i64::MIN), i128::from(u64::MAX), -i128::from(u64::MAX), -1, 0, 1 << 32, (1 << 32) - 1];
        for x in ends {
            for y in ends {
                let mut dot = ExactDot::new();
                dot.add_integers(x, y).unwrap();
                assert_eq!(dot.total().unwrap().to_gmp_rational(), Rational::from(x) * Rational::from(y));
            }
        }
        assert!(ExactDot::new().add_integers((1 << 64) + 1, 0).is_err());
    }

    #[test]
    fn what_is_not_finite_is_refused_and_leaves_the_sum_alone() {
        let mut dot = ExactDot::new();
        dot.add(2.5, 2.0).unwrap();
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(dot.add(x, 0.0).is_err() && dot.add(1.0, x).is_err());
        }
        assert_eq!(dot.total().unwrap().to_f64(), 5.0);
    }

    proptest! {
        #[test]
        fn the_total_is_the_rational_one_in_any_order_and_split(bits in prop::collection::vec(any::<(u64, u64)>(), 0..30), cut in any::<prop::sample::Index>()) {
            let pairs = bits.into_iter().map(|(x, y)| (f64::from_bits(x), f64::from_bits(y)));
            let pairs: Vec<(f64, f64)> = pairs.filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
            let exact = |x: f64| Rational::from_f64(x).unwrap();
            let truth: Rational = pairs.iter().map(|&(x, y)| exact(x) * exact(y)).sum();
            prop_assert_eq!(dot(&pairs).to_gmp_rational(), truth);
            let (left, right) = pairs.split_at(if pairs.is_empty() { 0 } else { cut.index(pairs.len()) });
            let (mut merged, mut rest) = (ExactDot::new(), ExactDot::new());
            left.iter().for_each(|&(x, y)| merged.add(y, x).unwrap());
            right.iter().rev().for_each(|&(x, y)| rest.add(x, y).unwrap());
            merged.merge(&rest).unwrap();
            prop_assert_eq!(merged.total().unwrap(), dot(&pairs));
        }
    }
}
