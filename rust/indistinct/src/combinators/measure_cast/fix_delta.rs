//! `make_fix_delta`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric, require},
    measures::{Approximate, MaxDivergence, ProfileMeasure},
};
use indistinct_derive::constructor;

/// Evaluates a privacy profile at one delta.
///
/// # Parameters
///
/// - `delta`: from 0 to 1.
///
/// # Privacy
///
/// `(epsilon(delta), delta)`, with the profile's epsilon, rounded up; infinite if no finite epsilon is known. If
/// epsilon is 0, delta is the smaller of `delta` and the profile's delta at 0. A failure probability p is subtracted
/// first: the profile is evaluated at `delta - p`.
///
/// # Errors
///
/// Returns an error if the delta is out of range.
///
/// ```
/// use indistinct::prelude::*;
/// let noisy = make_gaussian(AtomDomain::i64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, 2.0)?;
/// let fixed = make_fix_delta(make_zCDP_to_approxDP(noisy)?, 1e-6)?;
/// let (epsilon, delta) = fixed.map(&1.0)?;
/// assert!(epsilon > 2.0 && epsilon < 2.7 && delta == 1e-6);
/// # Ok::<(), Error>(())
/// ```
#[constructor(children(measurement))]
pub fn make_fix_delta<DI: Domain, TO: 'static, MI: Metric, MO: ProfileMeasure>(
    measurement: Measurement<DI, TO, MI, MO>,
    delta: f64,
) -> Fallible<Measurement<DI, TO, MI, Approximate<MaxDivergence>>> {
    require((0.0..=1.0).contains(&delta), "delta", "must be from 0 to 1")?;
    Ok(measurement.under(Approximate(MaxDivergence), move |profile| {
        let epsilon = MO::epsilon(profile, delta)?;
        // Where epsilon is 0 the profile may have less than was asked for: nothing at all at distance 0.
        let delta = if epsilon == 0.0 { MO::delta(profile, 0.0)?.min(delta) } else { delta };
        Ok((epsilon, delta))
    }))
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn both_ways_of_fixing_agree_and_refuse_what_is_no_delta_or_epsilon() {
        let noisy =
            || make_gaussian(AtomDomain::i64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, 3.0).unwrap();
        let profile = || make_zCDP_to_approxDP(noisy()).unwrap();
        let (epsilon, delta) = make_fix_delta(profile(), 1e-5).unwrap().map(&1.0).unwrap();
        let (same, back) = make_fix_epsilon(profile(), epsilon).unwrap().map(&1.0).unwrap();
        assert!(same == epsilon && back <= delta && back > delta * (1.0 - 1e-9));
        assert_eq!(make_fix_delta(profile(), 0.0).unwrap().map(&1.0).unwrap(), (f64::INFINITY, 0.0));
        assert_eq!(make_fix_delta(profile(), 1e-5).unwrap().map(&0.0).unwrap(), (0.0, 0.0));
        for bad in [-1e-9, 1.1, f64::NAN] {
            assert_eq!(make_fix_delta(profile(), bad).unwrap_err().kind(), ErrorKind::Parameter("delta"));
        }
        for bad in [-1e-9, f64::NAN] {
            assert_eq!(make_fix_epsilon(profile(), bad).unwrap_err().kind(), ErrorKind::Parameter("epsilon"));
        }
    }

    /// A selection under bounded range, converted to rho, composed, converted to a profile, read at one delta.
    #[test]
    fn conversions_chain_and_commute_with_composition_on_the_safe_side() {
        let scores = || VectorDomain::new(AtomDomain::i64()).with_size(3);
        let select = || make_exponential(scores(), LInfDistance::new(), RangeDivergence, 4.0).unwrap();
        let concentrated = || make_bounded_range_to_zCDP(select()).unwrap();
        let twice = make_composition(vec![concentrated(), concentrated()]).unwrap();
        let rho = twice.map(&1.0).unwrap();
        assert_eq!(rho, 0.0625);
        let fixed = make_fix_delta(make_zCDP_to_approxDP(twice).unwrap(), 1e-6).unwrap();
        let (epsilon, _) = fixed.map(&1.0).unwrap();
        // Composed as ranges and then converted, the bound is twice as large.
        let ranges = make_bounded_range_to_zCDP(make_composition(vec![select(), select()]).unwrap()).unwrap();
        assert!(ranges.map(&1.0).unwrap() >= rho);
        // Composed as curves, it is the same.
        let curve = || make_zCDP_to_RDP(concentrated()).unwrap();
        let curves = make_RDP_to_approxDP(make_composition(vec![curve(), curve()]).unwrap()).unwrap();
        let by_curves = make_fix_delta(curves, 1e-6).unwrap().map(&1.0).unwrap().0;
        assert!((by_curves / epsilon - 1.0).abs() < 1e-6, "{by_curves} {epsilon}");
        // The profile of pure privacy: nothing at its epsilon.
        let pure = make_bounded_range_to_pureDP(select()).unwrap();
        let profile =
            make_fixed_approxDP_to_approxDP(make_pureDP_to_approxDP(pure).unwrap()).unwrap().map(&1.0).unwrap();
        assert_eq!(profile.delta(0.5), Ok(0.0));
        let explanation = fixed.explain(&1.0).unwrap().to_string();
        for step in [
            "make_fix_delta",
            "make_zCDP_to_approxDP",
            "make_composition",
            "make_bounded_range_to_zCDP",
            "make_exponential",
        ] {
            assert!(explanation.contains(step), "{explanation}");
        }
    }

    /// A histogram of unknown keys under Gaussian noise: the delta of the threshold is part of the delta that is asked
    /// for.
    #[test]
    fn a_probability_of_failure_is_part_of_delta() {
        let maps = MapDomain::new(AtomDomain::string(), AtomDomain::i64());
        let histogram = make_gaussian_threshold(maps, L02InfDistance, 4.0, 30).unwrap();
        let d_in = (1, 1.0, 1.0);
        let (rho, failure) = histogram.map(&d_in).unwrap();
        let profile = make_zCDP_to_approxDP(histogram).unwrap();
        let (epsilon, delta) = make_fix_delta(profile.clone(), 1e-6).unwrap().map(&d_in).unwrap();
        let without = PrivacyProfile::concentrated(rho).unwrap();
        assert!(failure > 1e-13 && delta == 1e-6 && epsilon > without.epsilon(1e-6).unwrap());
        assert!(without.delta(epsilon).unwrap() + failure <= 1e-6 * (1.0 + 1e-12));
        let (same, back) = make_fix_epsilon(profile.clone(), epsilon).unwrap().map(&d_in).unwrap();
        assert!(same == epsilon && back <= delta && back > delta * (1.0 - 1e-9));
        let little = make_fix_delta(profile, failure / 2.0).unwrap().map(&d_in).unwrap();
        assert_eq!(little, (f64::INFINITY, failure / 2.0));
    }
}
