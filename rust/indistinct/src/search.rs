//! Choosing a parameter from a budget: users think in budgets, not in scales.

use crate::core::{Domain, Error, ErrorKind, Fallible, Measure, Measurement, Metric};

/// The least scale at which the loss of a measurement for inputs at most `d_in` apart is within `d_out`.
///
/// `make` builds the measurement from the scale; the loss must not grow with it. The result is the least `f64`, found in
/// at most 64 evaluations of the map, and has itself passed [`check`](Measurement::check).
///
/// # Errors
///
/// [`ErrorKind::Search`] if no finite scale is enough; any error of `make` or of the map.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
/// let clamped_sum = (space >> then_clamp((0.0, 40.0)) >> then_sum())?;
/// let make = |scale: f64| clamped_sum.clone() >> then_laplace(scale);
/// assert_eq!(smallest_scale(make, &1, &0.5)?, 80.0);
/// # Ok::<(), Error>(())
/// ```
pub fn smallest_scale<DI: Domain, TO: 'static, MI: Metric, MO: Measure>(
    make: impl Fn(f64) -> Fallible<Measurement<DI, TO, MI, MO>>,
    d_in: &MI::Distance,
    d_out: &MO::Distance,
) -> Fallible<f64> {
    smallest((0.0, f64::MAX), |scale| make(scale)?.check(d_in, d_out))
}

/// The least parameter in `range`, both ends included, for which `holds` is true.
///
/// `holds` must be false up to some point and true from there on. The result has been seen to hold even if it is not.
///
/// # Errors
///
/// [`ErrorKind::Search`] if `holds` is false at the upper end; a range that is NaN or out of order; any error of
/// `holds`.
///
/// ```
/// use indistinct::prelude::*;
/// assert_eq!(smallest((0u32, 1000), |rows| Ok(rows * rows >= 150))?, 13);
/// # Ok::<(), Error>(())
/// ```
pub fn smallest<P: SearchParameter>(range: (P, P), mut holds: impl FnMut(P) -> Fallible<bool>) -> Fallible<P> {
    bisect(range.0.to_rank()?, range.1.to_rank()?, |rank| holds(P::from_rank(rank)?)).and_then(P::from_rank)
}

/// The greatest parameter in `range`, both ends included, for which `holds` is true; such as the greatest number of rows
/// per person that a budget allows.
///
/// `holds` must be true up to some point and false from there on. The result has been seen to hold even if it is not.
///
/// # Errors
///
/// [`ErrorKind::Search`] if `holds` is false at the lower end; a range that is NaN or out of order; any error of
/// `holds`.
///
/// ```
/// use indistinct::prelude::*;
/// let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::f64()));
/// let within = |max_rows| {
///     let space = (rows.clone(), SymmetricIdDistance);
///     (space >> then_bound_contributions(max_rows) >> then_count() >> then_laplace(10.0))?.check(&1, &0.5)
/// };
/// assert_eq!(largest((1, 100), within)?, 5);
/// # Ok::<(), Error>(())
/// ```
pub fn largest<P: SearchParameter>(range: (P, P), mut holds: impl FnMut(P) -> Fallible<bool>) -> Fallible<P> {
    // Ranks from the top down: the greatest that holds is the least in that order.
    bisect(-range.1.to_rank()?, -range.0.to_rank()?, |rank| holds(P::from_rank(-rank)?))
        .and_then(|rank| P::from_rank(-rank))
}

/// The least rank from `low` to `high` at which `holds` is true: halves the range at most 66 times.
fn bisect(mut low: i128, mut high: i128, mut holds: impl FnMut(i128) -> Fallible<bool>) -> Fallible<i128> {
    if low > high {
        return Err(Error::parameter("range", "the lower end must not exceed the upper end"));
    }
    if !holds(high)? {
        return Err(Error::new(ErrorKind::Search, "no parameter in the range satisfies the bound"));
    }
    // Invariant: `holds(high)`, and every rank below `low` is known not to hold.
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle)? { high = middle } else { low = middle + 1 }
    }
    Ok(high)
}

/// Types whose values can be searched: those in one-to-one correspondence with a range of integers.
pub trait SearchParameter: Copy {
    /// The place of this value among all of its type.
    fn to_rank(self) -> Fallible<i128>;
    /// The value at a place.
    fn from_rank(rank: i128) -> Fallible<Self>;
}

fn outside() -> Error {
    Error::parameter("range", "must lie within the parameter's type")
}

/// Adjacent floats have adjacent ranks, from -infinity to infinity; -0.0 and 0.0 have one place.
impl SearchParameter for f64 {
    fn to_rank(self) -> Fallible<i128> {
        if self.is_nan() {
            return Err(Error::parameter("range", "must not be NaN"));
        }
        let magnitude = i128::from(self.abs().to_bits());
        Ok(if self < 0.0 { -magnitude } else { magnitude })
    }

    fn from_rank(rank: i128) -> Fallible<Self> {
        let magnitude = f64::from_bits(u64::try_from(rank.unsigned_abs()).map_err(|_| outside())?);
        Ok(if rank < 0 { -magnitude } else { magnitude })
    }
}

macro_rules! impl_integers {
    ($($integer:ty),+) => {$(
        impl SearchParameter for $integer {
            fn to_rank(self) -> Fallible<i128> {
                i128::try_from(self).map_err(|_| outside())
            }
            fn from_rank(rank: i128) -> Fallible<Self> {
                <$integer>::try_from(rank).map_err(|_| outside())
            }
        }
    )+};
}

impl_integers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn the_least_float_is_found_to_the_last_bit() {
        for threshold in [5e-324, 0.1, 1.0, 3.7e300, f64::MAX] {
            let mut calls = 0;
            let found = smallest((0.0, f64::MAX), |x| {
                calls += 1;
                Ok(x >= threshold)
            });
            assert_eq!((found, calls <= 66), (Ok(threshold), true));
        }
        assert_eq!(smallest((-10.0, 10.0), |x| Ok(x >= -2.5)), Ok(-2.5));
        assert_eq!(largest((i64::MIN, i64::MAX), |x| Ok(x <= -7)), Ok(-7));
        assert_eq!(smallest((3u8, 3), |_| Ok(true)), Ok(3));
    }

    #[test]
    fn what_cannot_be_is_an_error() {
        assert_eq!(smallest((0u32, 10), |_| Ok(false)).unwrap_err().kind(), ErrorKind::Search);
        assert_eq!(largest((0u32, 10), |_| Ok(false)).unwrap_err().kind(), ErrorKind::Search);
        for range in [(1.0, 0.0), (f64::NAN, 1.0), (0.0, f64::NAN)] {
            assert_eq!(smallest(range, |_| Ok(true)).unwrap_err().kind(), ErrorKind::Parameter("range"));
        }
        let make = |scale: f64| make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale);
        assert_eq!(smallest_scale(make, &1.0, &0.0).unwrap_err().kind(), ErrorKind::Search);
        assert!(smallest_scale(make, &1.0, &f64::NAN).is_err() && smallest_scale(make, &1.0, &-0.5).is_err());
        assert!(smallest_scale(make, &f64::NAN, &1.0).is_err());
        assert_eq!(smallest_scale(make, &0.0, &0.0), Ok(0.0));
    }

    #[test]
    fn the_scale_found_is_the_least_that_passes() {
        let make =
            |scale: f64| make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale);
        for (d_in, d_out) in [(1.0, 0.1), (3.0, 1e-9), (1e-200, 0.5), (1e100, 2.0)] {
            let scale = smallest_scale(make, &d_in, &d_out).unwrap();
            assert_eq!(make(scale).unwrap().check(&d_in, &d_out), Ok(true));
            assert_eq!(make(scale.next_down()).unwrap().check(&d_in, &d_out), Ok(false));
        }
    }
}
