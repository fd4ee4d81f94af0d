//! `make_impute_constant`: replaces missing values with a constant.

use super::row_by_row::on_last_part;
use crate::{
    core::{Domain, Fallible, MetricSpace, Owned, ToParameter, Transformation, require},
    domains::{NullDomain, RowDomain, VectorDomain},
    metrics::RowByRowMetric,
};
use indistinct_derive::constructor;
use std::borrow::Borrow;

/// Replaces every null with a constant. [`OptionDomain`](crate::domains::OptionDomain) defines nulls: `None` and NaN.
///
/// In rows that are pairs, it applies to the last part.
///
/// # Parameters
///
/// - `constant`: the replacement for a null, chosen without looking at the data.
///
/// # Stability
///
/// `d_out = d_in`.
///
/// # Errors
///
/// Returns an error if the constant is null or outside the domain of the rows.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(OptionDomain::new(AtomDomain::f64().with_nan())), SymmetricDistance);
/// let impute = (space >> then_impute_constant(0.5))?;
/// assert_eq!(impute.invoke(&[Some(3.0), None, Some(f64::NAN)])?, [3.0, 0.5, 0.5]);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("fill_null fills missing cells in the expressions of plans"))]
pub fn make_impute_constant<D: RowDomain<Last = N>, N: NullDomain, M: RowByRowMetric>(
    input_domain: VectorDomain<D>,
    input_metric: M,
    constant: Owned<N::Present>,
) -> Fallible<Transformation<VectorDomain<D>, VectorDomain<D::With<N::Present>>, M, M>>
where
    (VectorDomain<D>, M): MetricSpace,
    (VectorDomain<D::With<N::Present>>, M): MetricSpace,
    Owned<N::Present>: ToParameter,
{
    let present = input_domain.element().last().present();
    require(present.member(constant.borrow()), "constant", "must be a member of the rows' domain that is not null")?;
    on_last_part((input_domain, input_metric), present, move |row: &N::Carrier| {
        N::value(row).map_or_else(|| constant.clone(), ToOwned::to_owned)
    })
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn the_output_has_no_nulls_and_the_constant_is_none() {
        let bounded = AtomDomain::f64().with_bounds((0.0, 9.0)).unwrap();
        let rows = VectorDomain::new(bounded.clone().with_nan()).with_size(2);
        let impute = make_impute_constant(rows.clone(), HammingDistance, 1.0).unwrap();
        assert_eq!(impute.output_domain(), &VectorDomain::new(bounded).with_size(2));
        assert_eq!((impute.invoke(&[f64::NAN, 4.0]), impute.map(&3)), (Ok(vec![1.0, 4.0]), Ok(3)));
        for constant in [f64::NAN, -0.5, f64::INFINITY] {
            let error = make_impute_constant(rows.clone(), HammingDistance, constant).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Parameter("constant"));
        }
    }

    #[test]
    fn individuals_keep_their_rows() {
        let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), OptionDomain::new(AtomDomain::string())));
        let impute = make_impute_constant(rows, SymmetricIdDistance, "none".into()).unwrap();
        assert_eq!(
            impute.invoke(&[(7, None), (8, Some("tea".into()))]),
            Ok(vec![(7, "none".into()), (8, "tea".into())])
        );
    }
}
