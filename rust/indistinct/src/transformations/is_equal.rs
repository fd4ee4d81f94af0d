//! `make_is_equal`: tests whether values equal a given value.

use super::row_by_row::on_last_part;
use crate::{
    core::{Domain, Fallible, MetricSpace, ToParameter, Transformation, require},
    domains::{Atom, AtomDomain, NullDomain, RowDomain, VectorDomain},
    metrics::RowByRowMetric,
};
use indistinct_derive::constructor;

/// Replaces each value with `true` if it equals a given value, and with `false` otherwise. A null equals no value.
///
/// In rows that are pairs, it applies to the last part. -0.0 equals 0.0.
///
/// # Parameters
///
/// - `value`: the value to compare with.
///
/// # Stability
///
/// `d_out = d_in`.
///
/// # Errors
///
/// Returns an error if the value is null or outside the domain of the rows.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::u32()), SymmetricDistance);
/// let free = (space >> then_is_equal(0))?;
/// assert_eq!(free.invoke(&[0, 95, 0])?, [true, false, true]);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("== is an expression in plans"))]
pub fn make_is_equal<D, N, T, M>(
    input_domain: VectorDomain<D>,
    input_metric: M,
    value: T,
) -> Fallible<Transformation<VectorDomain<D>, VectorDomain<D::With<AtomDomain<bool>>>, M, M>>
where
    D: RowDomain<Last = N>,
    N: NullDomain<Present = AtomDomain<T>>,
    T: Atom + ToParameter,
    M: RowByRowMetric,
    (VectorDomain<D>, M): MetricSpace,
    (VectorDomain<D::With<AtomDomain<bool>>>, M): MetricSpace,
{
    let present = input_domain.element().last().present();
    require(present.member(&value), "value", "must be a member of the rows' domain that is not null")?;
    on_last_part((input_domain, input_metric), AtomDomain::bool(), move |row: &N::Carrier| {
        N::value(row) == Some(&value)
    })
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn zeros_are_one_value_and_nulls_none() {
        let rows = VectorDomain::new(OptionDomain::new(AtomDomain::f64().with_nan()));
        let zero = make_is_equal(rows.clone(), ChangeOneDistance, -0.0).unwrap();
        assert_eq!(
            zero.invoke(&[Some(0.0), Some(-0.0), None, Some(f64::NAN), Some(5e-324)]),
            Ok(vec![true, true, false, false, false])
        );
        let error = make_is_equal(rows, ChangeOneDistance, f64::NAN).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("value"));
    }
}
