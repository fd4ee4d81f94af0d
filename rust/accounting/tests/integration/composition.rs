//! Composition, amplification and closed-form conversions beside references and beside sums at high precision.

use crate::common::{cases, is_above, number, truth};
use indistinct_accounting::{
    Delta, Epsilon, Mu, Order, PrivacyProfile, Rate, RenyiCurve, Rho, advanced_composition, amplify_by_sampling,
    basic_composition, bounded_range_to_zcdp, cdp_epsilon, cdp_rho, gaussian_composition, gaussian_epsilon,
    gaussian_mu, gaussian_to_zcdp, laplace_to_zcdp, optimal_composition_delta, optimal_composition_epsilon,
    pure_to_renyi, pure_to_zcdp, range_to_zcdp,
};
use proptest::prelude::*;
use rug::{Float, Integer};

const BITS: u32 = 400;

fn wide(x: f64) -> Float {
    Float::with_val(BITS, x)
}

fn count(case: &serde_json::Value) -> u32 {
    u32::try_from(case["k"].as_u64().unwrap()).unwrap()
}

#[test]
fn basic_references() {
    for case in cases("composition", "basic") {
        let part = (number(&case, "eps"), number(&case, "delta"));
        let (epsilon, delta) = basic_composition(&vec![part; usize::try_from(count(&case)).unwrap()]).unwrap();
        assert!(is_above(epsilon, &truth(&case, "eps_total"), 1e-15), "{case}");
        assert!(is_above(delta, &truth(&case, "delta_total"), 1e-15), "{case}");
    }
}

#[test]
fn advanced_references() {
    for case in cases("composition", "drv") {
        let (k, epsilon, delta) = (count(&case), number(&case, "eps"), number(&case, "delta"));
        let (total, total_delta) =
            advanced_composition(k, Epsilon(epsilon), Delta(delta), number(&case, "delta_prime")).unwrap();
        let bound = truth(&case, "eps_total_kl");
        let basic = wide(epsilon) * k;
        assert!(is_above(total, if basic < bound { &basic } else { &bound }, 1e-14), "{case}: {total:e}");
        assert!(is_above(total_delta, &truth(&case, "delta_total"), 1e-15), "{case}: {total_delta:e}");
        assert!(total < truth(&case, "eps_total"), "{case}: the original bound is looser");
        // The optimum at the same delta is below.
        let optimum = optimal_composition_epsilon(k, Epsilon(epsilon), Delta(delta), Delta(total_delta)).unwrap();
        assert!(optimum <= total, "{case}: {optimum:e} {total:e}");
    }
}

#[test]
fn optimal_delta_references() {
    for case in cases("composition", "kov_delta") {
        let (k, epsilon, delta) = (count(&case), number(&case, "eps"), number(&case, "delta"));
        let total =
            optimal_composition_delta(k, Epsilon(epsilon), Delta(delta), Epsilon(number(&case, "eps_total"))).unwrap();
        let truth = truth(&case, "delta_total");
        assert!(truth < 1e-300 && total < 1e-300 || is_above(total, &truth, 1e-14), "{case}: {total:e}");
    }
}

#[test]
fn optimal_epsilon_references() {
    for case in cases("composition", "kov_eps") {
        let (k, epsilon, delta) = (count(&case), number(&case, "eps"), number(&case, "delta"));
        let total = optimal_composition_epsilon(k, Epsilon(epsilon), Delta(delta), Delta(number(&case, "delta_total")))
            .unwrap();
        if case["truth"]["eps_total"] == "inf" {
            assert_eq!(total, f64::INFINITY, "{case}");
        } else {
            assert!(is_above(total, &truth(&case, "eps_total"), 1e-12), "{case}: {total:e}");
        }
    }
}

#[test]
fn amplification_references() {
    for case in cases("amplification", "lemma") {
        let (epsilon, delta) =
            amplify_by_sampling(Epsilon(number(&case, "eps")), Delta(number(&case, "delta")), Rate(number(&case, "q")))
                .unwrap();
        assert!(is_above(epsilon, &truth(&case, "eps"), 1e-15), "{case}: {epsilon:e}");
        assert!(is_above(delta, &truth(&case, "delta"), 1e-15), "{case}: {delta:e}");
    }
}

#[test]
fn pure_references() {
    for case in cases("zcdp", "pure") {
        let rho = pure_to_zcdp(number(&case, "eps")).unwrap();
        assert!(is_above(rho, &truth(&case, "rho_tight"), 1e-15), "{case}: {rho:e}");
        assert!(rho <= truth(&case, "rho_classic"), "{case}");
    }
}

/// The least rho that is true of all pairs with that range, and the least that is true of Laplace noise, are not above
/// what is used.
#[test]
fn concentrated_references() {
    for case in cases("zcdp", "bounded_range") {
        let rho = bounded_range_to_zcdp(number(&case, "eta")).unwrap();
        assert!(is_above(rho, &truth(&case, "rho_classic"), 1e-15), "{case}: {rho:e}");
        assert!(rho >= truth(&case, "rho_tight"), "{case}");
        let least = range_to_zcdp(number(&case, "eta")).unwrap();
        assert!(least <= rho && is_above(least, &truth(&case, "rho_tight"), 1e-15), "{case}: {least:e}");
    }
    for case in cases("zcdp", "laplace") {
        assert!(pure_to_zcdp(number(&case, "eps")).unwrap() >= truth(&case, "rho"), "{case}");
        let least = laplace_to_zcdp(number(&case, "eps")).unwrap();
        assert!(is_above(least, &truth(&case, "rho"), 1e-15), "{case}: {least:e}");
    }
}

/// The optimal composition's sum, as printed, at 400 bits.
fn printed_sum(k: u32, epsilon: f64, total: f64) -> Float {
    let (unit, mut sum) = (wide(epsilon), wide(0.0));
    for l in 0..=k {
        let gain = Float::with_val(BITS, &unit * (k - l)).exp();
        let loss = (Float::with_val(BITS, &unit * l) + total).exp();
        if gain > loss {
            sum += (gain - loss) * Integer::from(Integer::binomial_u(k, l));
        }
    }
    let base = unit.exp() + 1u32;
    sum / rug::ops::Pow::pow(base, k)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn optimal_delta_is_the_sum(k in 1u32..60, epsilon in 1e-4f64..3.0, share in 0.0f64..1.1) {
        let total = epsilon * f64::from(k) * share;
        let (delta, truth) = (optimal_composition_delta(k, Epsilon(epsilon), Delta(0.0), Epsilon(total))?, printed_sum(k, epsilon, total));
        prop_assert!(is_above(delta, &truth, 1e-13), "{k} {epsilon:e} {total:e}: {delta:e} for {truth:e}");
    }

    /// The line alpha epsilon tanh(epsilon/2) is above the divergence of randomized response at every order.
    #[test]
    fn line_of_pure_privacy(power in -8f64..2.5, order in -6f64..6.0) {
        let (epsilon, alpha) = (10f64.powf(power), 1.0 + 10f64.powf(order));
        let (wide_epsilon, wide_alpha) = (wide(epsilon), wide(alpha));
        let cosh = |x: Float| x.cosh();
        let ratio = cosh((wide_alpha.clone() - 0.5) * &wide_epsilon) / cosh(wide_epsilon / 2u32);
        let truth = ratio.ln() / (wide_alpha.clone() - 1u32);
        let rho = pure_to_zcdp(epsilon)?;
        prop_assert!(wide_alpha * rho >= truth);
        let divergence = pure_to_renyi(Epsilon(epsilon), Order(alpha))?;
        prop_assert!(is_above(divergence, &truth, 1e-14), "{epsilon:e} {alpha:e}: {divergence:e} for {truth:e}");
    }

    #[test]
    fn monotone(epsilon in 1e-6f64..50.0, delta in 0.0f64..0.1, rate in 0.0f64..1.0, factor in 1.0f64..1.5) {
        let (base, base_delta) = amplify_by_sampling(Epsilon(epsilon), Delta(delta), Rate(rate))?;
        prop_assert!(base <= epsilon && base_delta <= delta);
        prop_assert!(base <= amplify_by_sampling(Epsilon(epsilon * factor), Delta(delta), Rate(rate))?.0.next_up());
        prop_assert!(base <= amplify_by_sampling(Epsilon(epsilon), Delta(delta), Rate((rate * factor).min(1.0)))?.0.next_up());
        prop_assert!(pure_to_zcdp(epsilon)? <= pure_to_zcdp(epsilon * factor)?.next_up());
        prop_assert!(pure_to_zcdp(epsilon)? <= bounded_range_to_zcdp(2.0 * epsilon)?.next_up());
        prop_assert!(gaussian_to_zcdp(epsilon)? <= gaussian_to_zcdp(epsilon * factor)?);
        let twice = gaussian_composition(&[epsilon, epsilon * factor])?;
        prop_assert!(twice >= epsilon.hypot(epsilon * factor) * (1.0 - 1e-15));
        prop_assert!(twice <= epsilon.hypot(epsilon * factor) * (1.0 + 1e-15));
    }
}

#[test]
fn extremes() {
    assert_eq!(optimal_composition_delta(0, Epsilon(1.0), Delta(0.5), Epsilon(0.0)), Ok(0.0));
    assert_eq!(optimal_composition_delta(3, Epsilon(1.0), Delta(1.0), Epsilon(9.0)), Ok(1.0));
    assert_eq!(optimal_composition_delta(3, Epsilon(f64::INFINITY), Delta(0.0), Epsilon(9.0)), Ok(1.0));
    assert_eq!(optimal_composition_delta(3, Epsilon(1.0), Delta(0.0), Epsilon(3.0)), Ok(0.0));
    assert_eq!(optimal_composition_epsilon(3, Epsilon(0.0), Delta(0.0), Delta(0.0)), Ok(0.0));
    assert_eq!(optimal_composition_epsilon(3, Epsilon(1.0), Delta(0.0), Delta(0.0)), Ok(3.0));
    assert_eq!(advanced_composition(0, Epsilon(1.0), Delta(0.5), 1e-6), Ok((0.0, 1e-6)));
    assert_eq!(advanced_composition(1, Epsilon(1.0), Delta(0.0), 1e-6), Ok((1.0, 1e-6)));
    assert_eq!(gaussian_composition(&[]), Ok(0.0));
    let root = Float::with_val(BITS, wide(1e300) * wide(2.0).sqrt());
    assert!(is_above(gaussian_composition(&[1e300, 1e300]).unwrap(), &root, 1e-15));
    assert!(gaussian_composition(&[5e-324, 5e-324]).unwrap() >= 1e-323);
    assert_eq!(pure_to_zcdp(f64::INFINITY), Ok(f64::INFINITY));
    assert_eq!(pure_to_zcdp(1e300), Ok(1e300));
    assert!(pure_to_zcdp(5e-324).unwrap() > 0.0);
    for bad in [-1.0, f64::NAN] {
        assert!(
            pure_to_zcdp(bad).is_err()
                && pure_to_renyi(Epsilon(bad), Order(2.0)).is_err()
                && pure_to_renyi(Epsilon(1.0), Order(bad)).is_err()
        );
        assert!(bounded_range_to_zcdp(bad).is_err() && gaussian_to_zcdp(bad).is_err());
        assert!(
            optimal_composition_delta(2, Epsilon(bad), Delta(0.0), Epsilon(1.0)).is_err()
                && advanced_composition(2, Epsilon(bad), Delta(0.0), 0.1).is_err()
        );
        assert!(
            optimal_composition_epsilon(2, Epsilon(1.0), Delta(bad), Delta(0.1)).is_err()
                && basic_composition(&[(bad, 0.0)]).is_err()
        );
        assert!(gaussian_composition(&[1.0, bad]).is_err());
    }
    assert!(
        advanced_composition(2, Epsilon(1.0), Delta(0.0), 0.0).is_err()
            && pure_to_renyi(Epsilon(1.0), Order(1.0)).is_err()
    );
}

/// One rule for every delta that is given: a probability. What deltas add up to is at most 1.
#[test]
fn a_delta_is_at_most_1() {
    let above = 1f64.next_up();
    let curve = RenyiCurve::concentrated(0.1).unwrap();
    for refused in [
        basic_composition(&[(1.0, 0.5), (1.0, above)]).map(drop),
        advanced_composition(2, Epsilon(1.0), Delta(above), 0.1).map(drop),
        amplify_by_sampling(Epsilon(1.0), Delta(above), Rate(0.5)).map(drop),
        cdp_epsilon(Rho(1.0), Delta(above)).map(drop),
        cdp_rho(Epsilon(1.0), Delta(above)).map(drop),
        gaussian_epsilon(Mu(1.0), Delta(above)).map(drop),
        gaussian_mu(Epsilon(1.0), Delta(above)).map(drop),
        optimal_composition_delta(2, Epsilon(1.0), Delta(above), Epsilon(1.0)).map(drop),
        optimal_composition_epsilon(2, Epsilon(1.0), Delta(above), Delta(0.5)).map(drop),
        curve.epsilon(above).map(drop),
        PrivacyProfile::pure(1.0).unwrap().epsilon(above).map(drop),
    ] {
        let rule = refused.unwrap_err().to_string();
        assert!(rule.contains("delta must be at most 1"), "{rule}");
    }
    assert!(optimal_composition_epsilon(2, Epsilon(1.0), Delta(0.5), Delta(above)).is_err());
    assert_eq!(basic_composition(&[(1.0, 0.75); 2]), Ok((2.0, 1.0)));
    assert_eq!(advanced_composition(4, Epsilon(1.0), Delta(0.5), 0.1).unwrap().1, 1.0);
}

/// The checks have power: what is a little wrong is rejected.
#[test]
fn negative_controls_are_rejected() {
    let exact = printed_sum(10, 0.1, 0.5);
    let delta = optimal_composition_delta(10, Epsilon(0.1), Delta(0.0), Epsilon(0.5)).unwrap();
    assert!(is_above(delta, &exact, 1e-15) && !is_above(delta.next_down(), &exact, 1e-15));
    assert!(!is_above(
        optimal_composition_delta(10, Epsilon(0.1), Delta(0.0), Epsilon(0.5001)).unwrap(),
        &exact,
        1e-13
    ));
    // ln(1 + q (e^eps - 1)) in plain floats loses a small rate altogether.
    let naive = (1.0 + 1e-20 * (1f64.exp() - 1.0)).ln();
    let (epsilon, _) = amplify_by_sampling(Epsilon(1.0), Delta(0.0), Rate(1e-20)).unwrap();
    let truth = Float::with_val(BITS, wide(1.0).exp_m1() * 1e-20).ln_1p();
    assert!(is_above(epsilon, &truth, 1e-15) && !is_above(naive, &truth, 1e-9));
    // Below the line at an order near 1, nothing is left to take off.
    let smaller = pure_to_zcdp(1.0).unwrap() * (1.0 - 1e-9);
    assert!(pure_to_renyi(Epsilon(1.0), Order(1.0 + 1e-12)).unwrap() > (1.0 + 1e-12) * smaller);
}
