//! Searches for a parameter, such as a scale, that satisfies a budget.

use crate::core::{Domain, Error, ErrorKind, Fallible, Measure, Measurement, Metric};

/// Finds the smallest scale at which the loss of a measurement for inputs at most `d_in` apart is within `d_out`.
///
/// `make` builds the measurement from the scale; its loss must not increase with the scale. The result is the smallest
/// such `f64`, and has itself passed [`check`](Measurement::check). The search evaluates the map at most 160 times,
/// usually 64 times.
///
/// The search starts at 1 and increases the scale in large steps while the loss is too large. A scale at which `make`
/// or the map fails counts as too small. This includes very large scales that overflow because `make` multiplies its
/// scale.
///
/// # Errors
///
/// Returns [`ErrorKind::Search`] if no finite scale is large enough, or the first error of `make` or of the map if no
/// scale that was tried is large enough. Returns [`ErrorKind::Distance`] if no two data sets of the declared size are
/// within `d_in`, because any measurement would satisfy the budget, even without noise.
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
    least_scale(|scale| make(scale)?.check(d_in, d_out))
}

/// Returns the smallest float at which `holds` is true. A float for which this cannot be decided does not count.
fn least_scale(mut holds: impl FnMut(f64) -> Fallible<bool>) -> Fallible<f64> {
    let mut first_error = None;
    let mut told = |rank| match f64::from_rank(rank).and_then(&mut holds) {
        Ok(answer) => Some(answer),
        Err(error) => {
            first_error.get_or_insert(error);
            None
        }
    };
    let one = 1f64.to_rank()?;
    let leaps = || (0..10).map(|power| 2f64.powi(1 << power));
    let upwards = [1.0].into_iter().chain(leaps()).chain([f64::MAX]);
    let downwards = leaps().map(f64::recip).chain([0.0]);

    // Where it fails, where it holds, and between them where it cannot be decided.
    let (mut low, mut high, mut unknown) = (None, None, None);
    for rank in upwards.map(f64::to_rank) {
        let rank = rank?;
        match told(rank) {
            Some(true) => high = Some(rank),
            Some(false) => low = Some(rank),
            None => unknown = Some(rank),
        }
        if high.is_some() || (low.is_some() && unknown > low) {
            break;
        }
    }
    if low.is_none() && high.is_none() {
        unknown = Some(one);
        for rank in downwards.map(f64::to_rank) {
            let rank = rank?;
            match told(rank) {
                Some(true) => high = Some(rank),
                Some(false) => low = Some(rank),
                None => unknown = Some(rank),
            }
            if high.is_some() || low.is_some() {
                break;
            }
        }
    }
    // Where it begins to hold, before the range where it cannot be decided.
    if let (Some(fails), Some(mut limit), None) = (&mut low, unknown, high) {
        while *fails + 1 < limit && high.is_none() {
            let middle = *fails + (limit - *fails) / 2;
            match told(middle) {
                Some(true) => high = Some(middle),
                Some(false) => *fails = middle,
                None => limit = middle,
            }
        }
    }
    match high {
        Some(high) => f64::from_rank(least(low.map_or(0, |low| low + 1), high, |rank| Ok(told(rank) == Some(true)))?),
        None => {
            let rule = "no scale satisfies the bound, not even the greatest float";
            let greatest_fails = low == Some(f64::MAX.to_rank()?);
            Err(first_error.filter(|_| !greatest_fails).unwrap_or_else(|| Error::new(ErrorKind::Search, rule)))
        }
    }
}

/// Finds the smallest parameter in `range`, including both ends, for which `holds` is true.
///
/// `holds` must be false up to some point and true from there on. Even if it is not, `holds` was evaluated at the
/// result, and was true.
///
/// # Errors
///
/// Returns [`ErrorKind::Search`] if `holds` is false at the upper end. Returns an error if the range is NaN or out of
/// order, and any error of `holds`.
///
/// ```
/// use indistinct::{prelude::*, search::smallest};
/// assert_eq!(smallest((0u32, 1000), |rows| Ok(rows * rows >= 150))?, 13);
/// # Ok::<(), Error>(())
/// ```
pub fn smallest<P: SearchParameter>(range: (P, P), mut holds: impl FnMut(P) -> Fallible<bool>) -> Fallible<P> {
    let rule = "no parameter in the range satisfies the bound: the upper end does not";
    bisect(range.0.to_rank()?, range.1.to_rank()?, |rank| holds(P::from_rank(rank)?), rule).and_then(P::from_rank)
}

/// Finds the largest parameter in `range`, including both ends, for which `holds` is true, such as the maximum number
/// of rows per individual that a budget allows.
///
/// `holds` must be true up to some point and false from there on. Even if it is not, `holds` was evaluated at the
/// result, and was true.
///
/// # Errors
///
/// Returns [`ErrorKind::Search`] if `holds` is false at the lower end. Returns an error if the range is NaN or out of
/// order, and any error of `holds`.
///
/// ```
/// use indistinct::{prelude::*, search::largest};
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
    let rule = "no parameter in the range satisfies the bound: the lower end does not";
    bisect(-range.1.to_rank()?, -range.0.to_rank()?, |rank| holds(P::from_rank(-rank)?), rule)
        .and_then(|rank| P::from_rank(-rank))
}

/// Returns the smallest rank from `low` to `high` at which `holds` is true, halving the range at most 66 times. If
/// `holds` is false at `high`, returns an error with `rule`.
fn bisect(low: i128, high: i128, mut holds: impl FnMut(i128) -> Fallible<bool>, rule: &str) -> Fallible<i128> {
    if low > high {
        return Err(Error::parameter("range", "the lower end must not exceed the upper end"));
    }
    if !holds(high)? {
        return Err(Error::new(ErrorKind::Search, rule));
    }
    least(low, high, holds)
}

/// Returns the smallest rank from `low` to `high` at which `holds` is true. `holds` must be true at `high`.
fn least(mut low: i128, mut high: i128, mut holds: impl FnMut(i128) -> Fallible<bool>) -> Fallible<i128> {
    // Invariant: `holds(high)`, and every rank below `low` is known not to hold.
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle)? { high = middle } else { low = middle + 1 }
    }
    Ok(high)
}

/// Types whose values can be searched, because they correspond one to one to a range of integers.
pub trait SearchParameter: Copy {
    /// Returns the position of this value among all values of its type.
    fn to_rank(self) -> Fallible<i128>;
    /// Returns the value at a position.
    fn from_rank(rank: i128) -> Fallible<Self>;
}

fn outside() -> Error {
    Error::parameter("range", "must lie within the parameter's type")
}

/// Adjacent floats have adjacent ranks, from -infinity to infinity; -0.0 and 0.0 have the same rank.
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
    fn the_end_that_was_tried_is_told() {
        let rule = |error: Error| error.to_string();
        assert!(rule(smallest((0u32, 10), |_| Ok(false)).unwrap_err()).ends_with("the upper end does not"));
        assert!(rule(largest((0u32, 10), |_| Ok(false)).unwrap_err()).ends_with("the lower end does not"));
    }

    /// The search succeeds even if some floats overflow in `make`. It returns an error only if every float fails.
    #[test]
    fn scales_that_cannot_be_are_not_enough() {
        let rho = ZeroConcentratedDivergence;
        let make = |factor: f64| {
            move |scale: f64| make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), rho, factor * scale)
        };
        for factor in [2000.0, 1e-3, 1e300, 1e-300] {
            let scale = smallest_scale(make(factor), &2000.0, &0.01).unwrap();
            assert_eq!(make(factor)(scale).unwrap().check(&2000.0, &0.01), Ok(true));
            assert_eq!(make(factor)(scale.next_down()).unwrap().check(&2000.0, &0.01), Ok(false));
        }
        let refused = |_| make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), rho, -1.0);
        assert_eq!(smallest_scale(refused, &1.0, &1.0).unwrap_err().kind(), ErrorKind::Parameter("scale"));
        assert_eq!(smallest_scale(make(1.0), &1.0, &-1.0).unwrap_err().kind(), ErrorKind::Distance);
        assert_eq!(smallest_scale(make(1.0), &f64::NAN, &1.0).unwrap_err().kind(), ErrorKind::Distance);
    }

    /// Wherever it begins to hold, and wherever it can be decided: the least is found, or there is an error.
    #[test]
    fn the_least_of_those_that_can_be_told() {
        let refused = || Error::parameter("scale", "refused");
        let tiny = f64::MIN_POSITIVE;
        let points = [0.0, 5e-324, tiny, 1e-9, 0.7, 1.0, 1.5, 2.0, 7.0, 1e10, 1e154, 1e300, f64::MAX];
        for from in points {
            for below in points {
                for above in points.into_iter().filter(|above| *above >= below) {
                    let mut calls = 0;
                    let found = least_scale(|scale| {
                        calls += 1;
                        if (below..=above).contains(&scale) { Ok(scale >= from) } else { Err(refused()) }
                    });
                    assert!(calls <= 160, "{calls}");
                    match found {
                        Ok(scale) => assert_eq!(scale, from.max(below), "{from} {below} {above}"),
                        // Below a part that is too small to be met, or above what holds.
                        Err(error) if error.kind() == ErrorKind::Search => panic!("{from} {below} {above}"),
                        Err(error) => assert!(error == refused() && (from > above || below > 1.0 || above < 1.0)),
                    }
                }
            }
        }
        assert_eq!(least_scale(|_| Ok(false)).unwrap_err().kind(), ErrorKind::Search);
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
