//! `make_map`: applies a user-defined function to every row.

use crate::{
    core::{Domain, Fallible, Function, Owned, StabilityMap, ToParameter, Transformation, require},
    domains::VectorDomain,
    metrics::RowMetric,
};
use indistinct_derive::constructor;
use std::borrow::Borrow;

/// Applies a function to every row.
///
/// The plan records the function as *caller-trusted*, because nothing can check it. It must depend on the row alone,
/// return for every row, and not panic. Equal rows must have equal images, where -0.0 equals 0.0 and all NaN are equal;
/// so the function must not use randomness, a clock or state.
///
/// # Parameters
///
/// - `output_row`: the domain of the function's values.
/// - `otherwise`: the replacement for a value outside that domain, so that no row can make a release fail.
/// - `function`: the function.
///
/// # Stability
///
/// `d_out = d_in`.
///
/// # Errors
///
/// Returns an error if `otherwise` is not a member of `output_row`.
///
/// ```
/// use indistinct::prelude::*;
/// let row = PairDomain::new(AtomDomain::u32(), AtomDomain::f64());
/// let space = (VectorDomain::new(row), SymmetricDistance);
/// let first = (space >> then_map(AtomDomain::u32(), 0, |row: &(u32, f64)| row.0))?;
/// assert_eq!(first.invoke(&[(7, 0.5), (8, 1.5)])?, [7, 8]);
/// # Ok::<(), Error>(())
/// ```
#[constructor(caller_trusted(function), exempt("a plan cannot store its user-defined function"))]
pub fn make_map<DI: Domain, DO: Domain + ToParameter, M: RowMetric>(
    input_domain: VectorDomain<DI>,
    input_metric: M,
    output_row: DO,
    otherwise: Owned<DO>,
    function: impl Fn(&DI::Carrier) -> Owned<DO> + Send + Sync + 'static,
) -> Fallible<Transformation<VectorDomain<DI>, VectorDomain<DO>, M, M>>
where
    Owned<DO>: ToParameter,
{
    require(output_row.member(otherwise.borrow()), "otherwise", "must be a member of the output rows' domain")?;
    let output_domain = input_domain.with_element(output_row.clone());
    Transformation::new(
        (input_domain, input_metric.clone()),
        (output_domain, input_metric),
        Function::row_by_row(move |row: &Owned<DI>| {
            let image = function(row.borrow());
            if output_row.member(image.borrow()) { image } else { otherwise.clone() }
        }),
        StabilityMap::new(|&d_in: &u32| Ok(d_in)),
    )
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn a_function_that_leaves_its_domain_is_replaced() {
        let space = || (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
        let root = (space() >> then_map(AtomDomain::f64(), -1.0, |x: &f64| x.sqrt())).unwrap();
        assert_eq!(root.invoke(&[4.0, -4.0]), Ok(vec![2.0, -1.0]));
        let error = (space() >> then_map(AtomDomain::f64(), f64::NAN, |x: &f64| x.sqrt())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("otherwise"));
        assert!(format!("{:?}", root.plan()).contains("caller-trusted"));
    }
}
