//! `make_user_transformation`: a user-defined step.

use crate::core::{Domain, Fallible, Function, Metric, MetricSpace, Owned, StabilityMap, ToParameter, Transformation};
use indistinct_derive::constructor;

/// Makes a transformation from a user-defined function and stability map. The library checks neither of them.
///
/// Its plan, and every explanation of values built with it, mark it as unproven. For a function of single rows, prefer
/// [`make_map`](super::make_map), which needs no map.
///
/// # Parameters
///
/// - `output_domain`, `output_metric`: the space of the function's values, for every member of the input domain.
/// - `function`: maps data to data. It must depend on its argument alone, and have a value for every member of the
///   input domain.
/// - `stability_map`: maps a distance between inputs to a distance between outputs that is never below the true
///   distance, rounding included.
///
/// # Errors
///
/// Returns an error if a metric does not apply to its domain.
///
/// ```
/// use indistinct::prelude::*;
/// let rows = VectorDomain::new(AtomDomain::i32());
/// // How many rows are even: one row changes it by at most one.
/// let even = make_user_transformation(
///     rows,
///     SymmetricDistance,
///     AtomDomain::i64(),
///     AbsoluteDistance::new(),
///     |rows: &[i32]| rows.iter().map(|row| i64::from(row % 2 == 0)).sum(),
///     |d_in: &u32| Ok(f64::from(*d_in)),
/// );
/// let release = (even >> then_laplace(1.0))?;
/// assert_eq!(release.map(&2)?, 2.0);
/// assert_eq!(release.explain(&1)?.weakest_proof(), ProofLevel::Unproven);
/// # Ok::<(), Error>(())
/// ```
#[constructor(caller_trusted(function, stability_map), exempt("a plan cannot store its user-defined function"))]
pub fn make_user_transformation<DI, DO, MI, MO>(
    input_domain: DI,
    input_metric: MI,
    output_domain: DO,
    output_metric: MO,
    function: impl Fn(&DI::Carrier) -> Owned<DO> + Send + Sync + 'static,
    stability_map: impl Fn(&MI::Distance) -> Fallible<MO::Distance> + Send + Sync + 'static,
) -> Fallible<Transformation<DI, DO, MI, MO>>
where
    DI: Domain,
    DO: Domain + ToParameter,
    MI: Metric,
    MO: Metric + ToParameter,
    (DI, MI): MetricSpace,
    (DO, MO): MetricSpace,
{
    Transformation::<DI, DO, MI, MO>::new(
        (input_domain, input_metric),
        (output_domain, output_metric),
        Function::new(function),
        StabilityMap::new(stability_map),
    )
}
