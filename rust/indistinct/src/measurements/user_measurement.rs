//! `make_user_measurement`: a custom mechanism.

use crate::{
    core::{Domain, Fallible, Measure, Measurement, Metric, MetricSpace, PrivacyMap, RandomizedFunction, ToParameter},
    sampling::Entropy,
};
use indistinct_derive::constructor;

/// Makes a measurement from a user-defined function and privacy map. The library checks neither of them.
///
/// Its plan, and every explanation of values built with it, mark it as unproven. Test it before you trust it.
/// [`Measurement::named`] adds a name and a reference, which explanations show.
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
/// )?
/// .named("randomized response with two coins", "Warner 1965")?;
/// let release: bool = coin.invoke(&true)?;
/// assert_eq!(coin.explain(&1)?.weakest_proof(), ProofLevel::Unproven);
/// assert!(coin.explain(&1)?.to_string().contains("Warner 1965"));
/// # let _ = release;
/// # Ok::<(), Error>(())
/// ```
#[constructor(caller_trusted(function, privacy_map), exempt("a plan cannot store its user-defined function"))]
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

    /// The texts change neither the map nor the level of proof, and no step of the library takes them.
    #[test]
    fn a_name_and_a_reference_are_shown() {
        let space = || (AtomDomain::bool(), DiscreteDistance);
        let constant = || {
            let (domain, metric) = space();
            make_user_measurement(domain, metric, MaxDivergence, |_: &bool, _| Ok(7), |_: &u32| Ok(0.25)).unwrap()
        };
        let named = constant().named("a constant", "Nobody 2026").unwrap();
        assert_eq!((named.invoke(&true), named.map(&1)), (Ok(7), constant().map(&1)));
        let explanation = named.explain(&1).unwrap();
        assert_eq!(explanation.weakest_proof(), ProofLevel::Unproven);
        let told = explanation.to_string();
        for word in ["caller-trusted", "name = \"a constant\"", "reference = \"Nobody 2026\"", "0.25"] {
            assert!(told.contains(word), "{word}: {told}");
        }
        let both = make_composition((named.clone(), constant())).unwrap().explain(&1).unwrap().to_string();
        assert_eq!(both.matches("Nobody 2026").count(), 1, "{both}");

        let kind = |named: Fallible<Measurement<_, i32, _, _>>| named.map(drop).unwrap_err().kind();
        let long = "b".repeat(1001);
        let wrong =
            [("", "b", "name"), ("a", "", "reference"), ("a\n", "b", "name"), ("a", long.as_str(), "reference")];
        for (name, reference, parameter) in wrong {
            assert_eq!(
                kind(constant().named(name, reference)),
                ErrorKind::Parameter(parameter),
                "{name:?} {reference:?}"
            );
        }
        assert_eq!(kind(named.named("again", "b")), ErrorKind::Parameter("self"));
        let library = make_randomized_response_bool(space().0, space().1, 0.75).unwrap();
        assert_eq!(library.named("a", "b").map(drop).unwrap_err().kind(), ErrorKind::Parameter("self"));
    }
}
