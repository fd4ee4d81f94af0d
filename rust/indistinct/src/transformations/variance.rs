//! `make_variance`: the variance of a known number of bounded numbers.

use super::{
    moments::{Multipliable, known_size, map_of_replacements, of_squared_deviations, per},
    sum::required_bounds,
};
use crate::{
    core::{Fallible, Transformation},
    domains::{AtomDomain, VectorDomain, magnitude_and_range},
    metrics::{AbsoluteDistance, RowMetric},
};
use indistinct_derive::constructor;
use indistinct_numeric::{Dyadic, RoundedArithmetic};

/// Computes the sample variance, `sum of (x - mean)^2 / (n - 1)`, to the nearest multiple of 2^-1074. The number n of
/// rows must be known, and at least 2.
///
/// # Stability
///
/// For rows from L to U, rounded up: `d_in (U - L)^2 / n` if rows are replaced, and the same with `floor(d_in / 2)` if
/// they are added or removed.
///
/// # Errors
///
/// Returns an error if rows have no bounds, or if their number is unknown or below two.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()).with_size(4), ChangeOneDistance);
/// let variance = (space >> then_clamp((0.0, 10.0)) >> then_variance())?;
/// assert_eq!(variance.invoke(&[1.0, 2.0, 3.0, 4.0])?.to_f64(), 5.0 / 3.0);
/// assert_eq!(variance.map(&1)?, 25.0);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_variance<T: Multipliable, M: RowMetric>(
    input_domain: VectorDomain<AtomDomain<T>>,
    input_metric: M,
) -> Fallible<Transformation<VectorDomain<AtomDomain<T>>, AtomDomain<Dyadic>, M, AbsoluteDistance>> {
    let size = known_size(&input_domain, 2)?;
    let (_, range) = magnitude_and_range(required_bounds(input_domain.element())?)?;
    let unit = input_metric.unit();
    Transformation::new(
        (input_domain, input_metric),
        (AtomDomain::dyadic(), AbsoluteDistance::new()),
        of_squared_deviations(size, move |sum| sum / (size - 1)),
        map_of_replacements(unit, per(range.inf_mul(range)?, size)?),
    )
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn sensitivity_by_metric() {
        let rows = |size| VectorDomain::new(AtomDomain::f64().with_bounds((-1.0, 1.0)).unwrap()).with_size(size);
        assert_eq!(make_variance(rows(4), HammingDistance).unwrap().map(&2), Ok(2.0));
        let variance = make_variance(rows(4), SymmetricDistance).unwrap();
        assert_eq!((variance.map(&1), variance.map(&3)), (Ok(0.0), Ok(1.0)));
        for size in [0, 1] {
            let error = make_variance(rows(size), HammingDistance).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Parameter("input_domain"));
        }
    }

    #[test]
    fn no_digits_cancel() {
        let rows = VectorDomain::new(AtomDomain::f64().with_bounds((1e16, 1e16 + 8.0)).unwrap()).with_size(3);
        let variance = make_variance(rows, HammingDistance).unwrap();
        assert_eq!(variance.invoke(&[1e16, 1e16 + 2.0, 1e16 + 4.0]).unwrap().to_f64(), 4.0);
    }
}
