//! The types of distances between inputs, and between output distributions.

use super::{Error, ErrorKind, Fallible, Sealed, sealed};
use std::fmt::Debug;

/// A distance, which is never negative or NaN. A smaller distance is a stronger guarantee.
#[allow(private_bounds)]
pub trait Distance: Sealed + Clone + Debug + Send + Sync + 'static {
    /// Returns an error if this is not a distance.
    fn validate(&self) -> Fallible<()>;

    /// Checks a distance that a caller gives as a bound or a budget. A delta in it is a probability, at most 1. A sum
    /// of deltas in a map may exceed 1, which guarantees no more than a delta of 1.
    fn validate_bound(&self) -> Fallible<()> {
        self.validate()
    }

    /// Returns true if a guarantee with this distance implies a guarantee with `bound`. This is a partial order: for
    /// two pairs (epsilon, delta), it may hold in neither direction.
    fn is_within(&self, bound: &Self) -> bool;
}

fn invalid(rule: &str) -> Fallible<()> {
    Err(Error::new(ErrorKind::Distance, rule))
}

macro_rules! impl_scalars {
    ($($scalar:ty),+) => {$(
        impl Distance for $scalar {
            #[inline]
            #[allow(unused_comparisons, clippy::eq_op)] // x != x asks whether x is NaN, for any scalar
            fn validate(&self) -> Fallible<()> {
                if self != self {
                    invalid("must be a number")
                } else if *self < <$scalar>::default() {
                    invalid("must not be negative")
                } else {
                    Ok(())
                }
            }
            fn is_within(&self, bound: &Self) -> bool {
                self <= bound
            }
        }
    )+};
}

sealed!(() f64, () f32, () i8, () i16, () i32, () i64, () i128, () u8, () u16, () u32, () u64, () u128);

impl_scalars!(f64, f32, i8, i16, i32, i64, i128, u8, u16, u32, u64, u128);

/// A bound, and the probability delta that it is exceeded. Both must hold.
impl<D: Distance> Distance for (D, f64) {
    fn validate(&self) -> Fallible<()> {
        self.0.validate()?;
        self.1.validate()
    }
    fn validate_bound(&self) -> Fallible<()> {
        self.0.validate_bound()?;
        self.1.validate()?;
        if self.1 <= 1.0 { Ok(()) } else { invalid("delta must be at most 1") }
    }
    fn is_within(&self, bound: &Self) -> bool {
        self.0.is_within(&bound.0) && self.1.is_within(&bound.1)
    }
}

/// The number of positions where two values differ, the sum of the differences, and the largest difference. All three
/// must hold.
impl Distance for (u32, f64, f64) {
    fn validate(&self) -> Fallible<()> {
        self.1.validate()?;
        self.2.validate()
    }
    fn is_within(&self, bound: &Self) -> bool {
        self.0.is_within(&bound.0) && self.1.is_within(&bound.1) && self.2.is_within(&bound.2)
    }
}

/// The number of parts that differ, the sum of their distances, and the largest distance. All three must hold.
impl Distance for (u32, u32, u32) {
    fn validate(&self) -> Fallible<()> {
        Ok(())
    }
    fn is_within(&self, bound: &Self) -> bool {
        self.0 <= bound.0 && self.1 <= bound.1 && self.2 <= bound.2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_within_another_only_if_both_parts_are() {
        let bound = (1.0, 1e-6);
        assert!((1.0, 1e-6).is_within(&bound) && (0.5, 0.0).is_within(&bound));
        // The order of tuples would let these pass: the first parts decide there.
        assert!(!(0.5, 1e-5).is_within(&bound) && !(1.5, 0.0).is_within(&bound));
    }

    #[test]
    fn a_triple_is_within_another_only_if_all_parts_are() {
        let bound = (2, 3.0, 1.0);
        assert!((2, 3.0, 1.0).is_within(&bound) && (0, 0.0, 0.0).is_within(&bound));
        assert!(!(3, 3.0, 1.0).is_within(&bound) && !(1, 3.5, 1.0).is_within(&bound));
        assert!(!(1, 3.0, 1.5).is_within(&bound) && !(1, 3.0, f64::NAN).is_within(&bound));
        assert!((1u32, -1.0, 1.0).validate().is_err() && (1u32, 1.0, f64::NAN).validate().is_err());
        assert!((0u32, 0.0, f64::INFINITY).validate().is_ok());
    }

    #[test]
    fn what_is_not_a_distance_is_refused() {
        assert!(f64::NAN.validate().is_err() && (-1.0).validate().is_err() && (-1i32).validate().is_err());
        assert!((-0.0).validate().is_ok() && f64::INFINITY.validate().is_ok() && 0u32.validate().is_ok());
        assert!((1.0, f64::NAN).validate().is_err() && (f64::NAN, 0.0).validate().is_err());
        assert!((1.0, 1.5).validate().is_ok() && (1.0, 1.0).validate_bound().is_ok());
        assert!((1.0, 1f64.next_up()).validate_bound().is_err() && (-1.0, 0.5).validate_bound().is_err());
        assert!(!f64::NAN.is_within(&1.0) && !1.0.is_within(&f64::NAN));
    }

    #[test]
    fn three_counts_are_within_others_only_if_all_are() {
        let bound = (2u32, 3u32, 1u32);
        assert!(bound.is_within(&bound) && (0, 0, 0).is_within(&bound) && (1, 2, 0).is_within(&bound));
        assert!([(3, 3, 1), (2, 4, 1), (2, 3, 2)].iter().all(|more| !more.is_within(&bound)));
        // The order of tuples would let these pass.
        assert!(!(1, 4, 4).is_within(&bound) && !(1, 3, 9).is_within(&bound) && bound.validate().is_ok());
    }
}
