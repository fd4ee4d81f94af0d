//! `make_drop_null`: keeps the rows without nulls.

use super::row_by_row::keep;
use crate::{
    core::{Fallible, MetricSpace, Transformation},
    domains::{NullDomain, RowDomain, VectorDomain},
    metrics::FilterMetric,
};
use indistinct_derive::constructor;

/// Drops every row that is null: `None` or NaN, as [`OptionDomain`](crate::domains::OptionDomain) defines it.
///
/// In rows that are pairs, the last part decides. The number of remaining rows is unknown, even if the number of rows
/// was known. So if rows are replaced, the metric changes to one that counts rows added or removed.
///
/// # Stability
///
/// `d_out = d_in` if rows or individuals are added or removed. From
/// [`ChangeOneDistance`](crate::metrics::ChangeOneDistance) to
/// [`SymmetricDistance`](crate::metrics::SymmetricDistance), and from
/// [`HammingDistance`](crate::metrics::HammingDistance) to
/// [`InsertDeleteDistance`](crate::metrics::InsertDeleteDistance): `2 d_in`.
///
/// # Errors
///
/// The map fails if `2 d_in` exceeds 2^32 - 1.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(OptionDomain::new(AtomDomain::f64().with_nan())), SymmetricDistance);
/// let present = (space >> then_drop_null())?;
/// assert_eq!(present.invoke(&[Some(3.0), None, Some(f64::NAN)])?, [3.0]);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("filter_rows leaves out rows in plans"))]
pub fn make_drop_null<D: RowDomain<Last = N>, N: NullDomain, M: FilterMetric>(
    input_domain: VectorDomain<D>,
    input_metric: M,
) -> Fallible<Transformation<VectorDomain<D>, VectorDomain<D::With<N::Present>>, M, M::Output>>
where
    (VectorDomain<D>, M): MetricSpace,
    (VectorDomain<D::With<N::Present>>, M::Output): MetricSpace,
{
    let element = input_domain.element().with_last(input_domain.element().last().present());
    keep((input_domain, input_metric), element, |row: &D::Carrier| {
        N::value(D::last_of(row)).map(|value| D::replace::<N::Present>(row, value.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn the_size_is_not_known_afterwards() {
        let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64().with_nan())).with_size(2);
        let present = make_drop_null(rows, ChangeOneDistance).unwrap();
        assert_eq!(present.output_domain(), &VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64())));
        assert_eq!(present.output_metric(), &SymmetricDistance);
        assert_eq!((present.invoke(&[(1, f64::NAN), (2, 0.5)]), present.map(&3)), (Ok(vec![(2, 0.5)]), Ok(6)));
        assert_eq!(present.map(&u32::MAX).unwrap_err().kind(), ErrorKind::Numeric);
    }
}
