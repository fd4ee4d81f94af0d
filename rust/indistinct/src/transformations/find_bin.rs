//! `make_find_bin`: the bin of each number.

use super::row_by_row::on_last_part;
use crate::{
    core::{Error, Fallible, MetricSpace, ToParameter, Transformation, require},
    domains::{AtomDomain, Number, RowDomain, VectorDomain},
    metrics::RowByRowMetric,
};
use indistinct_derive::constructor;

/// Replaces each number with the number of edges at or below it. With n edges, there are n + 1 bins, numbered from 0
/// to n; each bin includes its lower edge and excludes its upper edge.
///
/// A *histogram* is this step followed by [`make_count_by_categories`](super::make_count_by_categories) over the bins.
/// In rows that are pairs, it applies to the last part. Infinities lie in the outermost bins.
///
/// # Parameters
///
/// - `edges`: at least one number, in ascending order, chosen without looking at the data.
///
/// # Stability
///
/// `d_out = d_in`.
///
/// # Errors
///
/// Returns an error if there are no edges or they are not ascending, or if rows may be null.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
/// let histogram = (space
///     >> then_find_bin(vec![0.0, 10.0, 20.0])
///     >> then_count_by_categories((0..=3).collect(), UnknownCategories::Drop, L1Distance::new()))?;
/// assert_eq!(histogram.invoke(&[-1.0, 0.0, 9.5, 20.0, f64::INFINITY])?, [1, 2, 0, 2]);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "make_histogram")]
#[constructor(exempt("cut finds bins in the expressions of plans"))]
pub fn make_find_bin<D, T, M>(
    input_domain: VectorDomain<D>,
    input_metric: M,
    edges: Vec<T>,
) -> Fallible<Transformation<VectorDomain<D>, VectorDomain<D::With<AtomDomain<u32>>>, M, M>>
where
    D: RowDomain<Last = AtomDomain<T>>,
    T: Number + ToParameter,
    M: RowByRowMetric,
    (VectorDomain<D>, M): MetricSpace,
    (VectorDomain<D::With<AtomDomain<u32>>>, M): MetricSpace,
{
    let nulls = input_domain.element().last().has_nan();
    require(!nulls, "input_domain", "numbers must not be NaN: impute or drop it first")?;
    require(is_rising(&edges), "edges", "must be at least one number, in ascending order")?;
    let last = u32::try_from(edges.len()).map_err(|_| Error::parameter("edges", "must be fewer than 2^32"))?;
    let bins = AtomDomain::u32().with_bounds((0, last))?;
    on_last_part((input_domain, input_metric), bins, move |row: &T| {
        u32::try_from(edges.partition_point(|edge| edge <= row)).unwrap_or(last)
    })
}

/// Returns true if there is at least one number, and each is above the one before.
pub(crate) fn is_rising<T: Number>(numbers: &[T]) -> bool {
    let rising = numbers.windows(2).all(|pair| matches!(pair, [one, next] if one < next));
    !numbers.is_empty() && rising && !numbers.iter().any(T::is_nan)
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn bins_have_their_lower_edge() {
        let rows = || VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64()));
        let bins = make_find_bin(rows(), SymmetricDistance, vec![0.0, 1.0]).unwrap();
        let data = [f64::NEG_INFINITY, -5e-324, -0.0, 0.0, 1.0f64.next_down(), 1.0, f64::INFINITY].map(|x| (1, x));
        let found: Vec<u32> = bins.invoke(&data).unwrap().into_iter().map(|row| row.1).collect();
        assert_eq!(found, [0, 0, 1, 1, 1, 2, 2]);
        assert_eq!(bins.output_domain().element().second().bounds(), Some(&(0, 2)));
        for edges in [vec![], vec![1.0, 1.0], vec![0.0, -0.0], vec![2.0, 1.0], vec![f64::NAN], vec![0.0, f64::NAN]] {
            let error = make_find_bin(rows(), SymmetricDistance, edges).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Parameter("edges"));
        }
        let nulls = VectorDomain::new(AtomDomain::f64().with_nan());
        let error = make_find_bin(nulls, SymmetricDistance, vec![0.0]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("input_domain"));
    }
}
