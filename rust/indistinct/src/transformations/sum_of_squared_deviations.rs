//! `make_sum_of_squared_deviations`: the sum of squared deviations of bounded numbers from their mean.

use super::{
    moments::{Multipliable, known_size, map_of_replacements, of_squared_deviations, share_of_others},
    sum::required_bounds,
};
use crate::{
    core::{Fallible, Transformation},
    domains::{AtomDomain, VectorDomain, magnitude_and_range},
    metrics::{AbsoluteDistance, RowMetric},
};
use indistinct_derive::constructor;
use indistinct_numeric::{Dyadic, RoundedArithmetic};

/// Computes the sum of `(x - mean)^2` over all rows, to the nearest multiple of 2^-1074. The number of rows must be
/// known.
///
/// # Stability
///
/// For n rows from L to U, rounded up: `d_in (U - L)^2 (n - 1) / n` if rows are replaced, and the same with `floor(d_in
/// / 2)` if they are added or removed.
///
/// # Errors
///
/// Returns an error if rows have no bounds, or if their number is unknown or 0.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::i32().with_bounds((0, 10))?).with_size(4), ChangeOneDistance);
/// let deviations = (space >> then_sum_of_squared_deviations())?;
/// assert_eq!(deviations.invoke(&[1, 2, 3, 6])?.to_f64(), 14.0);
/// assert_eq!(deviations.map(&1)?, 75.0);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_sum_of_squared_deviations<T: Multipliable, M: RowMetric>(
    input_domain: VectorDomain<AtomDomain<T>>,
    input_metric: M,
) -> Fallible<Transformation<VectorDomain<AtomDomain<T>>, AtomDomain<Dyadic>, M, AbsoluteDistance>> {
    let size = known_size(&input_domain, 1)?;
    let (_, range) = magnitude_and_range(required_bounds(input_domain.element())?)?;
    let unit = input_metric.unit();
    Transformation::new(
        (input_domain, input_metric),
        (AtomDomain::dyadic(), AbsoluteDistance::new()),
        of_squared_deviations(size, |sum| sum),
        map_of_replacements(unit, share_of_others(range.inf_mul(range)?, size)?),
    )
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn sensitivity_by_metric() {
        let rows = |size| VectorDomain::new(AtomDomain::f64().with_bounds((-1.0, 1.0)).unwrap()).with_size(size);
        assert_eq!(make_sum_of_squared_deviations(rows(4), HammingDistance).unwrap().map(&2), Ok(6.0));
        let deviations = make_sum_of_squared_deviations(rows(4), InsertDeleteDistance).unwrap();
        assert_eq!((deviations.map(&1), deviations.map(&3)), (Ok(0.0), Ok(3.0)));
        let one = make_sum_of_squared_deviations(rows(1), HammingDistance).unwrap();
        assert_eq!((one.map(&9), one.invoke(&[0.3]).unwrap().to_f64()), (Ok(0.0), 0.0));
        let error = make_sum_of_squared_deviations(rows(0), HammingDistance).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("input_domain"));
    }
}
