//! `make_covariance`: the covariances of bounded columns with a known number of rows.

mod columns;

use super::{
    categories::CategoryMetric,
    moments::{Moments, known_size, map_of_replacements, on_grid, per},
};
use crate::{
    core::{Fallible, Function, MetricSpace, Owned, ToParameter, Transformation, require},
    domains::{AtomDomain, VectorDomain},
    metrics::RowMetric,
};
pub use columns::ColumnsDomain;
use indistinct_derive::constructor;
use indistinct_numeric::{Dyadic, RoundedArithmetic};

/// Computes the sample covariances of all columns, each `sum of (x - mean of x) (y - mean of y) / (n - 1)` to the
/// nearest multiple of 2^-1074. The result is the upper triangle of their matrix, row by row: for columns x and y, the
/// variance of x, the covariance, and the variance of y.
///
/// The number n of rows must be known, and at least 2. All entries get the same noise, so scale columns to similar
/// sizes first. Each pair of columns takes 4 KiB while rows are read.
///
/// # Parameters
///
/// - `output_metric`: [`L1Distance`](crate::metrics::L1Distance) for Laplace noise,
///   [`L2Distance`](crate::metrics::L2Distance) for Gaussian noise.
///
/// # Stability
///
/// For columns of widths `w = U - L` and all pairs of columns `i <= j`: d times the norm of the numbers `w_i w_j / n`,
/// rounded up, with `d = d_in` if rows are replaced, and `d = floor(d_in / 2)` if they are added or removed.
///
/// # Errors
///
/// Returns an error if there are no columns, columns without bounds, or more than 1,024 columns (the sums of their
/// products would take 2 GiB), or if the number of rows is unknown or below two.
///
/// ```
/// use indistinct::prelude::*;
/// let column = || AtomDomain::f64().with_bounds((0.0, 4.0));
/// let rows = VectorDomain::new(PairDomain::new(column()?, column()?)).with_size(4);
/// let covariance = make_covariance(rows, ChangeOneDistance, L1Distance::new())?;
/// let entries = covariance.invoke(&[(0.0, 1.0), (1.0, 1.0), (2.0, 2.0), (3.0, 4.0)])?;
/// let entries: Vec<f64> = entries.iter().map(|entry| entry.to_f64()).collect();
/// assert_eq!(entries, [5.0 / 3.0, 5.0 / 3.0, 2.0]);
/// assert_eq!(covariance.map(&1)?, 12.0);
/// # Ok::<(), Error>(())
/// ```
#[constructor(rebuilt(D = [PairDomain<AtomDomain<f64>, AtomDomain<f64>>]))]
pub fn make_covariance<D: ColumnsDomain, M: RowMetric, MO: CategoryMetric + ToParameter>(
    input_domain: VectorDomain<D>,
    input_metric: M,
    output_metric: MO,
) -> Fallible<Transformation<VectorDomain<D>, VectorDomain<AtomDomain<Dyadic>>, M, MO>>
where
    (VectorDomain<AtomDomain<Dyadic>>, MO): MetricSpace,
{
    let size = known_size(&input_domain, 2)?;
    let widths = input_domain.element().widths()?;
    require(!widths.is_empty(), "input_domain", "there must be a column")?;
    let columns = widths.len();
    let entries = |(at, first): (usize, &f64)| {
        let products = widths.iter().skip(at).map(|second| per(first.inf_mul(*second)?, size));
        products.collect::<Vec<_>>()
    };
    let steps: Vec<f64> = widths.iter().enumerate().flat_map(entries).collect::<Fallible<_>>()?;
    let output_domain = VectorDomain::new(AtomDomain::dyadic()).with_size(steps.len());
    let step = output_metric.norm(&steps)?;
    let unit = input_metric.unit();
    Transformation::<_, _, M, MO>::new(
        (input_domain, input_metric),
        (output_domain, output_metric),
        Function::fold(
            move || Moments::new(columns),
            |moments: &mut Moments<D::Number>, rows: &[Owned<D>]| moments.absorb(&columns::transposed::<D>(rows)),
            Moments::merge,
            move |moments| {
                let sums = moments.deviations(size)?;
                sums.into_iter().map(|sum| on_grid(&(sum / (size - 1)))).collect()
            },
        ),
        map_of_replacements(unit, step),
    )
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn sensitivity_by_metric() {
        let x = || AtomDomain::f64().with_bounds((-1.0, 1.0)).unwrap();
        let y = || AtomDomain::f64().with_bounds((0.0, 4.0)).unwrap();
        let rows = || VectorDomain::new(PairDomain::new(x(), y())).with_size(2);
        // 4/2, 8/2, 16/2.
        assert_eq!(make_covariance(rows(), HammingDistance, L1Distance::new()).unwrap().map(&2), Ok(28.0));
        let l1 = make_covariance(rows(), SymmetricDistance, L1Distance::new()).unwrap();
        assert_eq!((l1.map(&1), l1.map(&2)), (Ok(0.0), Ok(14.0)));
        let l2 = make_covariance(rows(), HammingDistance, L2Distance::new()).unwrap().map(&1).unwrap();
        assert!(l2 * l2 >= 84.0 && l2 < 84f64.sqrt() * (1.0 + 1e-14));
        assert_eq!(make_covariance(rows(), HammingDistance, LInfDistance::new()).unwrap().map(&1), Ok(8.0));
        let monotonic = make_covariance(rows(), HammingDistance, LInfDistance::monotonic()).unwrap();
        assert_eq!(monotonic.map(&1), Ok(12.0));
    }

    #[test]
    fn columns_may_be_vectors_and_nested_pairs() {
        let x = || AtomDomain::i32().with_bounds((0, 4)).unwrap();
        let pairs = VectorDomain::new(PairDomain::new(x(), PairDomain::new(x(), x()))).with_size(3);
        let vectors = VectorDomain::new(VectorDomain::new(x()).with_size(3)).with_size(3);
        let nested = make_covariance(pairs, HammingDistance, L1Distance::new()).unwrap();
        let flat = make_covariance(vectors, HammingDistance, L1Distance::new()).unwrap();
        let entries = nested.invoke(&[(0, (1, 4)), (2, (3, 2)), (4, (2, 0))]).unwrap();
        assert_eq!(flat.invoke(&[vec![0, 1, 4], vec![2, 3, 2], vec![4, 2, 0]]).unwrap(), entries);
        let entries: Vec<f64> = entries.iter().map(|entry| entry.to_f64()).collect();
        assert_eq!((entries, nested.map(&1)), (vec![4.0, 1.0, -4.0, 1.0, -1.0, 4.0], flat.map(&1)));
    }

    #[test]
    fn what_is_missing_is_named() {
        let bounded = AtomDomain::i32().with_bounds((0, 4)).unwrap();
        let kind =
            |rows| make_covariance(rows, HammingDistance, L1Distance::new()).map(|_| ()).map_err(|error| error.kind());
        let vectors = |columns: VectorDomain<AtomDomain<i32>>| VectorDomain::new(columns);
        for rows in [
            vectors(VectorDomain::new(bounded.clone()).with_size(2)),
            vectors(VectorDomain::new(bounded.clone()).with_size(2)).with_size(1),
            vectors(VectorDomain::new(bounded.clone())).with_size(2),
            vectors(VectorDomain::new(bounded.clone()).with_size(0)).with_size(2),
            vectors(VectorDomain::new(bounded.clone()).with_size((1 << 10) + 1)).with_size(2),
            vectors(VectorDomain::new(bounded).with_size(usize::MAX)).with_size(2),
            vectors(VectorDomain::new(AtomDomain::i32()).with_size(2)).with_size(2),
        ] {
            assert_eq!(kind(rows), Err(ErrorKind::Parameter("input_domain")));
        }
    }
}
