//! `make_mean`: the mean of a known number of bounded numbers.

use super::{
    moments::{fraction, known_size, map_of_replacements, on_grid, per},
    sum::{Summable, Total, required_bounds},
};
use crate::{
    core::{Fallible, Function, Transformation},
    domains::{AtomDomain, VectorDomain, magnitude_and_range},
    metrics::{AbsoluteDistance, RowMetric},
};
use indistinct_derive::constructor;
use indistinct_numeric::Dyadic;

/// Computes the mean of all rows, to the nearest multiple of 2^-1074.
///
/// The number of rows must be known; [`make_resize`](super::make_resize) fixes it. If it is private, divide a noisy sum
/// by a noisy count. This division is post-processing, and needs no constructor.
///
/// # Stability
///
/// For n rows from L to U, rounded up: `d_in (U - L) / n` if rows are replaced, `floor(d_in / 2) (U - L) / n` if they
/// are added or removed.
///
/// # Errors
///
/// Returns an error if rows have no bounds, or if their number is unknown or 0.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()).with_size(4), ChangeOneDistance);
/// let mean = (space >> then_clamp((0.0, 10.0)) >> then_mean())?;
/// assert_eq!(mean.invoke(&[1.0, 2.0, 3.0, 99.0])?.to_f64(), 4.0);
/// assert_eq!(mean.map(&1)?, 2.5);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_mean<T: Summable, M: RowMetric>(
    input_domain: VectorDomain<AtomDomain<T>>,
    input_metric: M,
) -> Fallible<Transformation<VectorDomain<AtomDomain<T>>, AtomDomain<Dyadic>, M, AbsoluteDistance>> {
    let size = known_size(&input_domain, 1)?;
    let (_, range) = magnitude_and_range(required_bounds(input_domain.element())?)?;
    let unit = input_metric.unit();
    Transformation::new(
        (input_domain, input_metric),
        (AtomDomain::dyadic(), AbsoluteDistance::new()),
        Function::fold(T::Total::default, T::Total::absorb, T::Total::merge, move |total| {
            on_grid(&(fraction(&total.finish()?)? / size))
        }),
        map_of_replacements(unit, per(range, size)?),
    )
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn sensitivity_by_metric() {
        let rows = |size| VectorDomain::new(AtomDomain::f64().with_bounds((-1.0, 4.0)).unwrap()).with_size(size);
        assert_eq!(make_mean(rows(4), HammingDistance).unwrap().map(&2), Ok(2.5));
        let mean = make_mean(rows(4), SymmetricDistance).unwrap();
        assert_eq!((mean.map(&1), mean.map(&2), mean.map(&5)), (Ok(0.0), Ok(1.25), Ok(2.5)));
        let mean = make_mean(rows(3), ChangeOneDistance).unwrap();
        assert_eq!(mean.map(&1), Ok(5.0 / 3.0), "whose nearest float is above it");
        assert_eq!(mean.invoke(&[1.0, 1.0, -1.0]).unwrap().to_f64(), 1.0 / 3.0);
    }

    #[test]
    fn rows_need_bounds_and_a_number() {
        let bounded = VectorDomain::new(AtomDomain::i64().with_bounds((0, 9)).unwrap());
        for rows in [bounded.clone(), bounded.with_size(0), VectorDomain::new(AtomDomain::i64()).with_size(2)] {
            let error = make_mean(rows, SymmetricDistance).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Parameter("input_domain"));
        }
    }
}
