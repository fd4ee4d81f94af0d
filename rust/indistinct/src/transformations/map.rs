//! `make_map`: a function of the caller's own on every row.

use crate::{
    core::{Domain, Error, ErrorKind, Fallible, Function, Owned, StabilityMap, ToParameter, Transformation},
    domains::VectorDomain,
    metrics::RowMetric,
};
use indistinct_derive::constructor;

/// Apply a function to every row.
///
/// The plan records the function as *caller-trusted*: nothing can check that it is what it must be, a function of the
/// row alone (equal rows, equal images; -0.0 equals 0.0; no randomness, clock or memory) that ends.
///
/// # Parameters
///
/// - `output_row`: the domain of the function's values.
/// - `function`: the function.
///
/// # Stability
///
/// `d_out = d_in`.
///
/// # Errors
///
/// When invoked: a value of the function outside `output_row`.
///
/// ```
/// use indistinct::prelude::*;
/// let row = PairDomain::new(AtomDomain::u32(), AtomDomain::f64());
/// let space = (VectorDomain::new(row), SymmetricDistance);
/// let first = (space >> then_map(AtomDomain::u32(), |row: &(u32, f64)| row.0))?;
/// assert_eq!(first.invoke(&[(7, 0.5), (8, 1.5)])?, [7, 8]);
/// # Ok::<(), Error>(())
/// ```
#[constructor(caller_trusted(function))]
pub fn make_map<DI: Domain, DO: Domain + ToParameter, M: RowMetric>(
    input_domain: VectorDomain<DI>,
    input_metric: M,
    output_row: DO,
    function: impl Fn(&DI::Carrier) -> Owned<DO> + Send + Sync + 'static,
) -> Fallible<Transformation<VectorDomain<DI>, VectorDomain<DO>, M, M>> {
    use std::borrow::Borrow;
    let output_domain = input_domain.with_element(output_row.clone());
    Transformation::new(
        (input_domain, input_metric.clone()),
        (output_domain, input_metric),
        Function::new_fallible(move |rows: &[Owned<DI>]| {
            let image = |row: &Owned<DI>| {
                let image = function(row.borrow());
                let declared = output_row.member(image.borrow());
                let message = "map: the function left the output domain that was declared for it";
                declared.then_some(image).ok_or_else(|| Error::new(ErrorKind::Domain, message))
            };
            rows.iter().map(image).collect()
        }),
        StabilityMap::new(|&d_in: &u32| Ok(d_in)),
    )
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn a_function_that_leaves_its_domain_is_stopped() {
        let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
        let root = (space >> then_map(AtomDomain::f64(), |x: &f64| x.sqrt())).unwrap();
        assert_eq!(root.invoke(&[4.0]), Ok(vec![2.0]));
        assert_eq!(root.invoke(&[-4.0]).unwrap_err().kind(), ErrorKind::Domain);
        assert!(format!("{:?}", root.plan()).contains("caller-trusted"));
    }
}
