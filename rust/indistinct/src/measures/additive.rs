//! Measures whose losses are sums.

use super::{Approximate, CompositionMeasure, MaxDivergence, RangeDivergence, ZeroConcentratedDivergence};
use crate::core::{Distance, Fallible, Measure, Sealed};
use indistinct_numeric::{Dyadic, Rounding, gmp::Integer};

/// Measures under which composition adds the numbers of a distance, so that they can be summed exactly.
#[allow(private_bounds)]
pub trait AdditiveMeasure: Sealed + CompositionMeasure<Distance: AdditiveDistance> {
    /// Returns the numbers, as exact multiples of the smallest float; `None` if one is infinite.
    #[doc(hidden)]
    fn exact(distance: &<Self as Measure>::Distance) -> Fallible<Option<Vec<Integer>>>;
    /// Returns the smallest distance whose numbers are at least these; missing ones are 0.
    #[doc(hidden)]
    fn rounded_up(exact: &[Integer]) -> Fallible<<Self as Measure>::Distance>;
    /// Returns the largest distance whose numbers are at most these; missing ones are 0.
    #[doc(hidden)]
    fn rounded_down(exact: &[Integer]) -> Fallible<<Self as Measure>::Distance>;
}

/// Distances of additive measures.
#[allow(private_bounds)]
pub trait AdditiveDistance: Sealed + Distance {
    /// Returns the distances of the numbers into which each number is split. All must be split into the same number of
    /// parts.
    #[doc(hidden)]
    fn split(&self, number: impl Fn(f64) -> Fallible<Vec<f64>>) -> Fallible<Vec<Self>>;
}

impl AdditiveDistance for f64 {
    fn split(&self, number: impl Fn(f64) -> Fallible<Vec<f64>>) -> Fallible<Vec<f64>> {
        number(*self)
    }
}

impl AdditiveDistance for (f64, f64) {
    fn split(&self, number: impl Fn(f64) -> Fallible<Vec<f64>>) -> Fallible<Vec<(f64, f64)>> {
        Ok(number(self.0)?.into_iter().zip(number(self.1)?).collect())
    }
}

/// The exponent of the smallest float.
const UNIT: i32 = -1074;

/// Returns a float in multiples of the smallest float; `None` if it is infinite.
pub(super) fn exact_units(x: f64) -> Fallible<Option<Integer>> {
    if x == f64::INFINITY {
        return Ok(None);
    }
    let exact = Dyadic::from_f64(x)?;
    // A float's exponent is at least that of the least float.
    let shift = u32::try_from(exact.exponent() - UNIT).unwrap_or(0);
    Ok(Some(Integer::from(exact.gmp_mantissa() << shift)))
}

/// Returns the float nearest in the given direction to this multiple of the smallest float; 0 for `None`.
pub(super) fn float(units: Option<&Integer>, rounding: Rounding) -> Fallible<f64> {
    let Some(units) = units else { return Ok(0.0) };
    Ok(Dyadic::from_gmp(units.clone(), UNIT)?.to_f64_rounded(rounding)?)
}

macro_rules! impl_additive {
    ($($measure:ty),+) => {$(
        impl AdditiveMeasure for $measure {
            fn exact(loss: &f64) -> Fallible<Option<Vec<Integer>>> {
                Ok(exact_units(*loss)?.map(|loss| vec![loss]))
            }

            fn rounded_up(exact: &[Integer]) -> Fallible<f64> {
                float(exact.first(), Rounding::Up)
            }

            fn rounded_down(exact: &[Integer]) -> Fallible<f64> {
                float(exact.first(), Rounding::Down)
            }
        }

        impl AdditiveMeasure for Approximate<$measure> {
            fn exact((loss, delta): &(f64, f64)) -> Fallible<Option<Vec<Integer>>> {
                Ok(exact_units(*loss)?.zip(exact_units(*delta)?).map(|(loss, delta)| vec![loss, delta]))
            }

            fn rounded_up(exact: &[Integer]) -> Fallible<(f64, f64)> {
                Ok((float(exact.first(), Rounding::Up)?, float(exact.get(1), Rounding::Up)?))
            }

            fn rounded_down(exact: &[Integer]) -> Fallible<(f64, f64)> {
                Ok((float(exact.first(), Rounding::Down)?, float(exact.get(1), Rounding::Down)?))
            }
        }
    )+};
}

impl_additive!(MaxDivergence, RangeDivergence, ZeroConcentratedDivergence);
