//! `make_is_null`: tests whether values are missing.

use super::row_by_row::on_last_part;
use crate::{
    core::{Fallible, MetricSpace, Transformation},
    domains::{AtomDomain, NullDomain, RowDomain, VectorDomain},
    metrics::RowByRowMetric,
};
use indistinct_derive::constructor;

/// Replaces each value with `true` if it is null, and with `false` otherwise. Null means `None` or NaN, as
/// [`OptionDomain`](crate::domains::OptionDomain) defines it.
///
/// In rows that are pairs, it applies to the last part.
///
/// # Stability
///
/// `d_out = d_in`.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(OptionDomain::new(AtomDomain::f64().with_nan())), SymmetricDistance);
/// let missing = (space >> then_is_null())?;
/// assert_eq!(missing.invoke(&[Some(3.0), None, Some(f64::NAN)])?, [false, true, true]);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("is_null is an expression in plans"))]
pub fn make_is_null<D: RowDomain<Last = N>, N: NullDomain, M: RowByRowMetric>(
    input_domain: VectorDomain<D>,
    input_metric: M,
) -> Fallible<Transformation<VectorDomain<D>, VectorDomain<D::With<AtomDomain<bool>>>, M, M>>
where
    (VectorDomain<D>, M): MetricSpace,
    (VectorDomain<D::With<AtomDomain<bool>>>, M): MetricSpace,
{
    on_last_part((input_domain, input_metric), AtomDomain::bool(), |row: &N::Carrier| N::value(row).is_none())
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn behind_an_individual() {
        let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::f64().with_nan()));
        let missing = make_is_null(rows, SymmetricIdDistance).unwrap();
        assert_eq!(missing.invoke(&[(7, f64::NAN), (8, -0.0)]), Ok(vec![(7, true), (8, false)]));
        assert_eq!(missing.map(&2), Ok(2));
    }
}
