//! Guarantees as numbers, at arguments of any kind: numbers that are not negative, or an error; bounds in their order.

use crate::Source;
use indistinct::accounting::*;
use std::fmt::Debug;

type P = PrivacyLossDistribution;

pub(crate) fn run(source: &mut Source) {
    match source.below(6) {
        0 => conversions(source),
        1 => of_gaussian_noise(source),
        2 => compositions(source),
        3 => exact_compositions(source),
        4 => curves(source),
        _ => profiles(source),
    }
}

/// A result without NaN and without negative numbers, or an error that names a rule.
fn sane<T: Copy + Debug>(result: Fallible<T>, numbers: impl Fn(T) -> Vec<f64>) -> Option<T> {
    match result {
        Ok(value) => {
            assert!(numbers(value).iter().all(|x| *x >= 0.0), "{value:?}");
            Some(value)
        }
        Err(error) => {
            assert!(error.to_string().len() > 10, "{error}");
            None
        }
    }
}

pub(crate) fn number(result: Fallible<f64>) -> Option<f64> {
    sane(result, |x| vec![x])
}

fn pair(result: Fallible<(f64, f64)>) -> Option<(f64, f64)> {
    sane(result, |(x, y)| vec![x, y])
}

/// Two arguments in their order.
pub(crate) fn ordered(source: &mut Source) -> (f64, f64) {
    let (x, y) = (source.mostly_plain(), source.mostly_plain());
    if x <= y { (x, y) } else { (y, x) }
}

/// A function that rises.
pub(crate) fn rises(source: &mut Source, function: impl Fn(f64) -> Fallible<f64>) {
    let (low, high) = ordered(source);
    let (at_low, at_high) = (number(function(low)), number(function(high)));
    if low <= high
        && let (Some(least), Some(most)) = (at_low, at_high)
    {
        assert!(least <= most, "{least:?} at {low:?}, but {most:?} at {high:?}");
    }
}

/// A function that falls.
pub(crate) fn falls(source: &mut Source, function: impl Fn(f64) -> Fallible<f64>) {
    let (low, high) = ordered(source);
    let (at_low, at_high) = (number(function(low)), number(function(high)));
    if low <= high
        && let (Some(most), Some(least)) = (at_low, at_high)
    {
        assert!(least <= most, "{most:?} at {low:?}, but {least:?} at {high:?}");
    }
}

fn conversions(source: &mut Source) {
    let x = source.mostly_plain();
    match source.below(9) {
        0 => rises(source, pure_to_zcdp),
        1 => rises(source, |epsilon| pure_to_renyi(Epsilon(epsilon), Order(x))),
        2 => rises(source, pure_to_bounded_range),
        3 => rises(source, gaussian_to_zcdp),
        4 => rises(source, bounded_range_to_zcdp),
        5 => rises(source, bounded_range_to_pure),
        6 => rises(source, |rate| amplify_by_sampling(Epsilon(x), Delta(0.0), Rate(rate)).map(|(epsilon, _)| epsilon)),
        7 => drop(pair(amplify_by_sampling(Epsilon(x), Delta(source.probability()), Rate(source.probability())))),
        _ => {
            let amplified = amplify_by_shuffling(Epsilon(x), Delta(source.probability()), source.mostly_plain());
            assert!(amplified.ok().flatten().is_none_or(|epsilon| epsilon >= 0.0));
        }
    }
}

fn of_gaussian_noise(source: &mut Source) {
    let (x, delta) = (source.mostly_plain(), source.probability());
    match source.below(10) {
        0 => rises(source, |mu| gaussian_delta(Mu(mu), Epsilon(x))),
        1 => falls(source, |epsilon| gaussian_delta(Mu(x), Epsilon(epsilon))),
        2 => rises(source, |mu| gaussian_epsilon(Mu(mu), Delta(delta))),
        3 => falls(source, |delta| gaussian_epsilon(Mu(x), Delta(delta))),
        4 => rises(source, |epsilon| gaussian_mu(Epsilon(epsilon), Delta(delta))),
        5 => drop(number(gaussian_sigma(source.mostly_plain(), Epsilon(x), Delta(delta)))),
        6 => rises(source, |rho| cdp_delta(Rho(rho), Epsilon(x))),
        7 => rises(source, |rho| cdp_epsilon(Rho(rho), Delta(delta))),
        8 => rises(source, |epsilon| cdp_rho(Epsilon(epsilon), Delta(delta))),
        _ => drop(number(sampled_gaussian_delta(Sigma(x), Rate(source.probability()), Epsilon(source.mostly_plain())))),
    }
}

/// How many: any number, where the work does not grow with it.
fn compositions(source: &mut Source) {
    let (count, epsilon) = (source.word(), source.mostly_plain());
    let (delta, slack) = (source.probability(), source.probability());
    match source.below(6) {
        0 => {
            let losses = source.several(4, |source| (source.mostly_plain(), source.probability()));
            pair(basic_composition(&losses));
        }
        1 => {
            number(gaussian_composition(&source.several(4, Source::mostly_plain)));
        }
        2 => drop(pair(advanced_composition(count, Epsilon(epsilon), Delta(delta), slack))),
        3 => falls(source, |total| {
            optimal_composition_delta(count % 1000, Epsilon(epsilon), Delta(delta), Epsilon(total))
        }),
        4 => drop(number(optimal_composition_epsilon(count % 1000, Epsilon(epsilon), Delta(delta), Delta(slack)))),
        _ => {
            number(optimal_composition_delta(count, Epsilon(epsilon), Delta(delta), Epsilon(slack)));
            number(optimal_composition_epsilon(count, Epsilon(epsilon), Delta(delta), Delta(slack)));
        }
    }
}

/// Bounds in their order.
macro_rules! bounds {
    ($result:expr) => {
        if let Ok(bounds) = $result {
            assert!(0.0 <= bounds.lower && bounds.lower <= bounds.upper, "{bounds:?}");
        }
    };
}
pub(crate) use bounds;

fn exact_compositions(source: &mut Source) {
    let (count, epsilon) = (source.word(), source.mostly_plain());
    let all = match source.below(4) {
        0 => P::gaussian(Sigma(epsilon)).and_then(|one| one.repeat(u64::from(count))),
        1 => P::laplace(Scale(epsilon)).and_then(|one| one.repeat(u64::from(count))),
        2 => P::pure(epsilon).and_then(|one| one.repeat(u64::from(count))),
        _ => {
            // Mixed kinds are combined one by one.
            let parts = source.several(3, |source| (source.word() % 20, source.mostly_plain(), source.probability()));
            parts.into_iter().try_fold(P::none(), |all, (count, epsilon, delta)| {
                all.compose(&P::approximate(Epsilon(epsilon), Delta(delta))?.repeat(u64::from(count))?)
            })
        }
    };
    let Ok(all) = all else { return };
    bounds!(all.delta(source.mostly_plain()));
    bounds!(all.epsilon(source.probability()));
}

fn curve(source: &mut Source) -> Fallible<RenyiCurve> {
    let x = source.mostly_plain();
    match source.below(8) {
        0 => RenyiCurve::concentrated(x),
        1 => RenyiCurve::gaussian(Mu(x)),
        2 => RenyiCurve::pure(x),
        3 => P::laplace(Scale(x))?.renyi(),
        4 => P::discrete_laplace(Scale(x), source.word())?.renyi(),
        5 => P::poisson_gaussian(Sigma(x), Rate(source.probability()))?.renyi(),
        6 => P::discrete(&source.several(4, |source| (source.mostly_plain(), source.mostly_plain())))?.renyi(),
        _ => RenyiCurve::from_points(source.several(4, |source| (source.mostly_plain(), source.mostly_plain()))),
    }
}

fn curves(source: &mut Source) {
    let (Ok(one), Ok(other)) = (curve(source), curve(source)) else { return };
    let Ok(both) = one.compose(&other).and_then(|both| both.repeat(source.word())) else { return };
    assert!(one <= one.clone() && !format!("{both}").is_empty());
    number(both.at(source.mostly_plain()));
    number(both.delta(source.mostly_plain()));
    number(both.epsilon(source.probability()));
    if let Ok(sampled) = both.sampled_without_replacement(source.probability(), source.word() % 64) {
        number(sampled.at(source.mostly_plain()));
    }
}

/// Profiles of each kind.
fn profiles(source: &mut Source) {
    let (count, x) = (source.word(), source.mostly_plain());
    let (y, delta, slack) = (source.mostly_plain(), source.probability(), source.probability());
    let profile = match source.below(5) {
        0 => PrivacyProfile::pure(x),
        1 => PrivacyProfile::approximate(vec![(x, delta), (y, slack)]),
        2 => PrivacyProfile::repeated(count % 1000, Epsilon(x), Delta(delta)),
        3 => PrivacyProfile::concentrated(x),
        _ => PrivacyProfile::gaussian(Mu(x)),
    };
    let Ok(profile) = profile else { return };
    falls(source, |epsilon| profile.delta(epsilon));
    falls(source, |delta| profile.epsilon(delta));
    falls(source, |alpha| profile.beta(alpha));
}
