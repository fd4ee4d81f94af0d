//! The items of streams.

use crate::{
    core::{Domain, Error, Fallible, Sealed, require},
    domains::{AtomDomain, VectorDomain},
    transformations::Summable,
};
use indistinct_numeric::{Extended, gmp::Integer};

/// Bounded integers, and vectors of a known number of them: the items of a stream that can be summed.
#[allow(private_bounds)]
pub trait StreamItem: Sealed + Domain {
    /// The sum of many items; beyond 128 bits it saturates.
    type Sum: Send + 'static;

    /// Returns the number of integers in an item, and the exact largest difference of two items in one place.
    #[doc(hidden)]
    fn shape(&self) -> Fallible<(usize, Extended)>;
    /// Returns the integers of an item. A sum of 2^32 of them, of 64 bits each, fits in 128 bits.
    #[doc(hidden)]
    fn integers(item: &Self::Carrier) -> Fallible<Vec<i128>>;
    /// Converts a noisy sum to its type.
    #[doc(hidden)]
    fn sum(sums: Vec<Integer>) -> Self::Sum;
}

/// The maximum number of integers in an item. For each, up to 32 blocks keep an exact and a noisy sum, 32 bytes and the
/// digits of the noise: some 2 GiB in total.
const MAX_WIDTH: usize = 1 << 20;

fn range<T: Summable>(domain: &AtomDomain<T>) -> Fallible<Extended> {
    let unbounded = || Error::parameter("input_domain", "items must be bounded");
    let (lower, upper) = domain.bounds().ok_or_else(unbounded)?;
    Ok(upper.to_extended()?.sub(&lower.to_extended()?)?)
}

fn saturated(sum: &Integer) -> i128 {
    sum.to_i128().unwrap_or(if *sum < 0 { i128::MIN } else { i128::MAX })
}

impl<T: Summable<Sum = i128>> StreamItem for AtomDomain<T> {
    type Sum = i128;

    fn shape(&self) -> Fallible<(usize, Extended)> {
        Ok((1, range(self)?))
    }

    fn integers(item: &T) -> Fallible<Vec<i128>> {
        Ok(vec![T::sum(&[*item])?])
    }

    fn sum(sums: Vec<Integer>) -> i128 {
        sums.first().map_or(0, saturated)
    }
}

impl<T: Summable<Sum = i128>> StreamItem for VectorDomain<AtomDomain<T>> {
    type Sum = Vec<i128>;

    fn shape(&self) -> Fallible<(usize, Extended)> {
        let width = self.size().unwrap_or(0);
        require(width >= 1, "input_domain", "items must have a known number of integers, at least 1")?;
        require(width <= MAX_WIDTH, "input_domain", "items may have at most 2^20 integers")?;
        Ok((width, range(self.element())?))
    }

    fn integers(item: &[T]) -> Fallible<Vec<i128>> {
        item.iter().map(|number| T::sum(&[*number])).collect()
    }

    fn sum(sums: Vec<Integer>) -> Vec<i128> {
        sums.iter().map(saturated).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::saturated;
    use indistinct_numeric::gmp::Integer;

    #[test]
    fn sums_beyond_the_type_are_its_ends() {
        let beyond = Integer::from(1) << 127u32;
        assert_eq!((saturated(&beyond), saturated(&Integer::from(-&beyond))), (i128::MAX, i128::MIN));
        assert_eq!((saturated(&(beyond.clone() << 80u32)), saturated(&-(beyond << 80u32))), (i128::MAX, i128::MIN));
        assert_eq!((saturated(&Integer::from(-7)), saturated(&Integer::new())), (-7, 0));
    }
}
