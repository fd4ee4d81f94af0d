//! `make_user_measurement`: a custom mechanism.

use crate::{
    core::{Domain, Fallible, Measure, Measurement, Metric, MetricSpace, PrivacyMap, RandomizedFunction, ToParameter},
    sampling::Entropy,
};
use indistinct_derive::constructor;

/// Makes a measurement from a user-defined function and privacy map. The library checks neither of them.
///
/// Its plan, and every explanation of values built with it, mark it as unproven. Test it before you trust it.
///
/// # Parameters
///
/// - `function`: maps data and random bits to a release. It must take all its randomness from the bits, and keep no
///   state between calls. It can pass on an error of the entropy source with `?`. The release must be plain data. It
///   must not be a queryable, a closure, or anything else that still holds the data or answers questions, because the
///   library would not know that it requires concurrent composition.
/// - `privacy_map`: maps a distance between inputs to a loss that is never below the true loss, rounding included.
///
/// # Errors
///
/// Returns an error if the metric does not apply to the domain.
///
/// ```
/// use indistinct::{prelude::*, sampling};
/// // Half of the time, a coin instead of the truth.
/// let coin = make_user_measurement(
///     AtomDomain::bool(),
///     DiscreteDistance,
///     MaxDivergence,
///     |truth: &bool, entropy| {
///         let instead = entropy.bit()?;
///         let coin = entropy.bit()?;
///         Ok(if instead { coin } else { *truth })
///     },
///     |d_in: &u32| Ok(if *d_in == 0 { 0.0 } else { 1.0986122886681100 }), // ln(3), rounded up
/// )?;
/// let release: bool = coin.invoke(&true)?;
/// assert_eq!(coin.explain(&1)?.weakest_proof(), ProofLevel::Unproven);
/// # let _ = release;
/// # Ok::<(), Error>(())
/// ```
#[constructor(caller_trusted(function, privacy_map), exempt("its function is the caller's"))]
pub fn make_user_measurement<DI, TO, MI, MO>(
    input_domain: DI,
    input_metric: MI,
    output_measure: MO,
    function: impl Fn(&DI::Carrier, &mut dyn Entropy) -> Fallible<TO> + Send + Sync + 'static,
    privacy_map: impl Fn(&MI::Distance) -> Fallible<MO::Distance> + Send + Sync + 'static,
) -> Fallible<Measurement<DI, TO, MI, MO>>
where
    DI: Domain,
    TO: 'static,
    MI: Metric,
    MO: Measure + ToParameter,
    (DI, MI): MetricSpace,
{
    Measurement::new(
        (input_domain, input_metric),
        output_measure,
        RandomizedFunction::new(function),
        PrivacyMap::new(privacy_map),
    )
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn maps_and_inputs_are_checked_as_for_any_measurement() {
        let constant = make_user_measurement(
            AtomDomain::f64(),
            AbsoluteDistance::new(),
            MaxDivergence,
            |_: &f64, _| Ok(7),
            |d_in: &f64| Ok(if *d_in > 1.0 { -1.0 } else { 0.0 }),
        )
        .unwrap();
        assert_eq!((constant.invoke(&3.0), constant.map(&1.0)), (Ok(7), Ok(0.0)));
        assert_eq!(constant.invoke(&f64::NAN).unwrap_err().kind(), ErrorKind::Domain);
        assert_eq!(constant.map(&2.0).unwrap_err().kind(), ErrorKind::Distance);
        let explanation = constant.explain(&1.0).unwrap().to_string();
        assert!(explanation.contains("unproven") && explanation.contains("caller-trusted"), "{explanation}");
    }
}
