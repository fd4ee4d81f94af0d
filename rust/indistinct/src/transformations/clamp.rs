//! `make_clamp`: limits every number to bounds.

use crate::{
    core::{Domain, Fallible, Function, MetricSpace, Owned, Sealed, StabilityMap, ToParameter, Transformation},
    domains::{AtomDomain, Number, PairDomain, VectorDomain, checked_bounds},
    metrics::RowByRowMetric,
};
use indistinct_derive::constructor;

/// Replaces every number below the lower bound with the lower bound, and every number above the upper bound with the
/// upper bound.
///
/// In rows that are pairs, the last part is clamped, and the other parts are unchanged.
///
/// # Parameters
///
/// - `bounds`: the smallest and the largest number of the output, both finite, in the data's own unit. Choose them
///   without looking at the data.
///
/// # Stability
///
/// `d_out = d_in`: equal rows have equal images.
///
/// # Errors
///
/// Returns an error if the bounds are NaN, infinite or out of order, or if the input domain allows NaN, which cannot be
/// clamped.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
/// let clamp = (space >> then_clamp((0.0, 10.0)))?;
/// assert_eq!(clamp.invoke(&[-1.0, 5.0, f64::INFINITY])?, [0.0, 5.0, 10.0]);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("clamp is an expression in plans"))]
pub fn make_clamp<D: ClampDomain, M: RowByRowMetric>(
    input_domain: VectorDomain<D>,
    input_metric: M,
    bounds: (D::Number, D::Number),
) -> Fallible<Transformation<VectorDomain<D>, VectorDomain<D>, M, M>>
where
    (VectorDomain<D>, M): MetricSpace,
    M::Distance: Clone,
{
    let bounds = checked_bounds(bounds)?;
    let output_domain = input_domain.with_element(input_domain.element().clamped(&bounds)?);
    Transformation::new(
        (input_domain, input_metric.clone()),
        (output_domain, input_metric),
        Function::row_by_row(move |row: &Owned<D>| D::clamp(row, &bounds)),
        StabilityMap::new(|d_in: &M::Distance| Ok(d_in.clone())),
    )
}

/// Domains of rows whose last part is a number.
#[diagnostic::on_unimplemented(
    message = "rows of `{Self}` cannot be clamped",
    label = "expects numbers, or pairs that end in a number",
    note = "if the number of a row may be missing, drop or impute missing numbers first, with `then_drop_null` or `then_impute_constant`"
)]
#[allow(private_bounds)]
pub trait ClampDomain: Sealed + Domain {
    /// The type of the number.
    type Number: Number + ToParameter;
    /// Returns this domain with the number limited to the bounds.
    fn clamped(&self, bounds: &(Self::Number, Self::Number)) -> Fallible<Self>;
    /// Returns the row with the number limited to the bounds.
    fn clamp(row: &Owned<Self>, bounds: &(Self::Number, Self::Number)) -> Owned<Self>;
}

impl<T: Number + ToParameter> ClampDomain for AtomDomain<T> {
    type Number = T;

    fn clamped(&self, bounds: &(T, T)) -> Fallible<Self> {
        crate::core::require(!self.has_nan(), "input_domain", "numbers must not be NaN: impute or drop it first")?;
        self.clone().with_bounds(bounds.clone())
    }

    /// The comparisons map even NaN, which the domain excludes, to a bound.
    fn clamp(row: &T, (lower, upper): &(T, T)) -> T {
        let at_least = if row >= lower { row.clone() } else { lower.clone() };
        if at_least > *upper { upper.clone() } else { at_least }
    }
}

impl<A: Domain, B: ClampDomain> ClampDomain for PairDomain<A, B> {
    type Number = B::Number;

    fn clamped(&self, bounds: &(B::Number, B::Number)) -> Fallible<Self> {
        Ok(PairDomain::new(self.first().clone(), self.second().clamped(bounds)?))
    }

    fn clamp((first, second): &Owned<Self>, bounds: &(B::Number, B::Number)) -> Owned<Self> {
        (first.clone(), B::clamp(second, bounds))
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn bad_bounds_are_refused() {
        let rows = VectorDomain::new(AtomDomain::f64());
        for bounds in [(1.0, 0.0), (f64::NAN, 1.0), (0.0, f64::NAN), (f64::NEG_INFINITY, 0.0), (0.0, f64::INFINITY)] {
            let error = make_clamp(rows.clone(), SymmetricDistance, bounds).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Parameter("bounds"));
        }
        let with_nan = VectorDomain::new(AtomDomain::f64().with_nan());
        let error = make_clamp(with_nan, SymmetricDistance, (0.0, 1.0)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("input_domain"));
    }

    /// Equal bounds make one transformation, to the bits of what it gives and of its plan.
    #[cfg(feature = "serde")]
    #[test]
    fn bounds_of_zero_have_no_sign() {
        let rows = || VectorDomain::new(AtomDomain::f64());
        for (lower, upper) in [(-0.0, -0.0), (-0.0, 0.0), (0.0, -0.0), (0.0, 0.0)] {
            let clamp = make_clamp(rows(), SymmetricDistance, (lower, upper)).unwrap();
            assert!(clamp.invoke(&[3.0, -3.0, 5e-324]).unwrap().iter().all(|x| x.to_bits() == 0), "{lower} {upper}");
            let plan = serde_json::to_string(clamp.plan()).unwrap();
            assert!(
                plan.ends_with(r#""parameters":[["bounds",[{"float":"0.0"},{"float":"0.0"}]]]}"#)
                    && !plan.contains("-0.0"),
                "{plan}"
            );
        }
    }

    #[test]
    fn nan_does_not_pass() {
        let clamp = make_clamp(VectorDomain::new(AtomDomain::f64()), SymmetricDistance, (0.0, 1.0)).unwrap();
        assert_eq!(clamp.invoke(&[0.5, f64::NAN]).unwrap_err().kind(), ErrorKind::Domain);
        assert_eq!(<AtomDomain<f64> as super::ClampDomain>::clamp(&f64::NAN, &(0.0, 1.0)).to_bits(), 0);
    }

    #[test]
    fn the_last_part_of_a_keyed_row_is_clamped() {
        let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::i64()));
        let clamp = make_clamp(rows, SymmetricIdDistance, (0, 9)).unwrap();
        assert_eq!(clamp.invoke(&[(7, -3), (8, 12)]).unwrap(), [(7, 0), (8, 9)]);
        assert_eq!(clamp.output_domain().element().second().bounds(), Some(&(0, 9)));
        assert_eq!(clamp.map(&3), Ok(3));
    }
}
