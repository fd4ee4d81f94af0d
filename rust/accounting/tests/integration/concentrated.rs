//! The conversions of rho, beside references and beside an independent search in 300-bit floats.

use crate::common::{BITS, cases, is_above, is_below, number, truth};
use indistinct_accounting::{Delta, Epsilon, Rho, cdp_delta, cdp_epsilon, cdp_rho};
use proptest::prelude::*;
use rug::Float;

fn wide(x: f64) -> Float {
    Float::with_val(BITS, x)
}

/// ln delta at the order 1 + t, from the formula as it is printed.
fn ln_delta_at(rho: &Float, epsilon: &Float, t: &Float) -> Float {
    let alpha = Float::with_val(BITS, t + 1u32);
    let first = Float::with_val(BITS, &alpha * rho) - epsilon;
    let power = Float::with_val(BITS, t.recip_ref()).ln_1p() * &alpha;
    first * t - power - Float::with_val(BITS, t.ln_ref())
}

/// The minimum over t of a function that is unimodal in ln t, by golden section.
fn golden(function: impl Fn(&Float) -> Float, steps: u32) -> Float {
    let (mut low, mut high) = (wide(-1500.0), wide(1500.0));
    // (1 - 1/alpha)^alpha is (1 + 1/t)^-alpha, which does not cancel for large t.
    let ratio = (wide(5.0).sqrt() - 1u32) / 2u32;
    let at = |s: &Float| function(&Float::with_val(BITS, s.exp_ref()));
    let inner = |low: &Float, high: &Float| {
        let part = Float::with_val(BITS, high - low) * &ratio;
        (Float::with_val(BITS, high - &part), Float::with_val(BITS, low + &part))
    };
    let (mut left, mut right) = inner(&low, &high);
    let (mut at_left, mut at_right) = (at(&left), at(&right));
    for _ in 0..steps {
        if at_left < at_right {
            high = right;
            (right, at_right) = (left.clone(), at_left.clone());
            left = inner(&low, &high).0;
            at_left = at(&left);
        } else {
            low = left;
            (left, at_left) = (right.clone(), at_right.clone());
            right = inner(&low, &high).1;
            at_right = at(&right);
        }
    }
    if at_left < at_right { at_left } else { at_right }
}

fn true_delta(rho: f64, epsilon: f64) -> Float {
    golden(|t| ln_delta_at(&wide(rho), &wide(epsilon), t), 150).exp().min(&wide(1.0))
}

fn true_epsilon(rho: f64, delta: f64) -> Float {
    let (zero, logarithm) = (wide(0.0), wide(delta).ln());
    let at = |t: &Float| (ln_delta_at(&wide(rho), &zero, t) - &logarithm) / t;
    golden(at, 150).max(&wide(0.0))
}

fn true_rho(epsilon: f64, delta: f64) -> Float {
    let (epsilon, logarithm) = (wide(epsilon), wide(delta).ln());
    let at = |t: &Float| {
        let share = (ln_delta_at(&wide(0.0), &epsilon, t) - &logarithm) / t;
        share / Float::with_val(BITS, t + 1u32)
    };
    (-golden(at, 150)).max(&wide(0.0))
}

#[test]
fn references() {
    for case in cases("zcdp", "delta") {
        let delta = cdp_delta(Rho(number(&case, "rho")), Epsilon(number(&case, "eps"))).unwrap();
        assert!(is_above(delta, &truth(&case, "delta"), 1e-15), "{case}: {delta:e}");
    }
    for case in cases("zcdp", "eps") {
        let epsilon = cdp_epsilon(Rho(number(&case, "rho")), Delta(number(&case, "delta"))).unwrap();
        assert!(is_above(epsilon, &truth(&case, "eps"), 1e-15), "{case}: {epsilon:e}");
    }
}

/// A size over the whole range, or among those that are used.
fn size() -> impl Strategy<Value = f64> {
    prop_oneof![(-320f64..300.0).prop_map(|power| 10f64.powf(power)), (-6f64..4.0).prop_map(|power| 10f64.powf(power))]
}

/// An epsilon where something is to be seen: within 40 deviations of rho, or anything.
fn with_epsilon() -> impl Strategy<Value = (f64, f64)> {
    (size(), -3f64..40.0, prop_oneof![Just(0.0), size()], any::<bool>()).prop_map(|(rho, deviations, other, near)| {
        let near_epsilon = (rho + deviations * (2.0 * rho).sqrt()).clamp(0.0, 1e300);
        (rho.min(1e300), if near { near_epsilon } else { other })
    })
}

fn small_delta() -> impl Strategy<Value = f64> {
    prop_oneof![
        (-300f64..0.0).prop_map(|power| 10f64.powf(power)),
        (-17f64..0.0).prop_map(|power| 1.0 - 10f64.powf(power)),
    ]
    .prop_filter("below 1", |delta| *delta > 0.0 && *delta < 1.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn delta_is_the_infimum((rho, epsilon) in with_epsilon()) {
        let (delta, truth) = (cdp_delta(Rho(rho), Epsilon(epsilon)).unwrap(), true_delta(rho, epsilon));
        if truth > 1e-300 {
            prop_assert!(is_above(delta, &truth, 1e-13), "{rho:e} {epsilon:e}: {delta:e} for {truth:e}");
        } else {
            prop_assert!(delta >= truth && delta < 2e-300, "{rho:e} {epsilon:e}: {delta:e} for {truth:e}");
        }
    }

    #[test]
    fn epsilon_is_the_infimum(rho in size(), delta in small_delta()) {
        let (epsilon, truth) = (cdp_epsilon(Rho(rho), Delta(delta)).unwrap(), true_epsilon(rho, delta));
        prop_assert!(is_above(epsilon, &truth, 1e-13), "{rho:e} {delta:e}: {epsilon:e} for {truth:e}");
    }

    #[test]
    fn rho_is_the_supremum(epsilon in prop_oneof![Just(0.0), size()], delta in small_delta()) {
        let (rho, truth) = (cdp_rho(Epsilon(epsilon), Delta(delta)).unwrap(), true_rho(epsilon, delta));
        prop_assert!(is_below(rho, &truth, 1e-13), "{epsilon:e} {delta:e}: {rho:e} for {truth:e}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    /// Up to one unit in the last place, which rounding may cost neighbors.
    #[test]
    fn monotone((rho, epsilon) in with_epsilon(), delta in small_delta(), factor in 1.0f64..1.1) {
        let (more_rho, more_epsilon, more_delta) = (rho * factor, epsilon * factor, (delta * factor).min(1.0));
        prop_assert!(cdp_delta(Rho(rho), Epsilon(epsilon))? <= cdp_delta(Rho(more_rho), Epsilon(epsilon))?.next_up());
        prop_assert!(cdp_delta(Rho(rho), Epsilon(more_epsilon))? <= cdp_delta(Rho(rho), Epsilon(epsilon))?.next_up());
        prop_assert!(cdp_epsilon(Rho(rho), Delta(delta))? <= cdp_epsilon(Rho(more_rho), Delta(delta))?.next_up());
        prop_assert!(cdp_epsilon(Rho(rho), Delta(more_delta))? <= cdp_epsilon(Rho(rho), Delta(delta))?.next_up());
        prop_assert!(cdp_rho(Epsilon(epsilon), Delta(delta))? <= cdp_rho(Epsilon(more_epsilon), Delta(delta))?.next_up());
        prop_assert!(cdp_rho(Epsilon(epsilon), Delta(delta))? <= cdp_rho(Epsilon(epsilon), Delta(more_delta))?.next_up());
    }

    /// Each inverts the others, on the safe side.
    #[test]
    fn inverses(rho in (-6f64..6.0).prop_map(|power| 10f64.powf(power)), delta in small_delta()) {
        let epsilon = cdp_epsilon(Rho(rho), Delta(delta))?;
        let back = cdp_delta(Rho(rho), Epsilon(epsilon))?;
        prop_assert!(back <= delta * (1.0 + 1e-9 + 1e-13 * epsilon / rho), "{back:e} {delta:e}");
        let most = cdp_rho(Epsilon(epsilon), Delta(delta))?;
        prop_assert!(most >= rho * (1.0 - 1e-13), "{epsilon:e} {delta:e}: {most:e} for {rho:e}");
    }
}

/// Never a NaN, never below zero, at any pair of special values.
#[test]
fn special_values() {
    let values = [
        0.0,
        -0.0,
        5e-324,
        1e-310,
        f64::MIN_POSITIVE,
        1e-16,
        0.5,
        1.0f64.next_down(),
        1.0,
        1e16,
        1e300,
        f64::MAX,
        f64::INFINITY,
    ];
    for x in values {
        for y in values {
            let delta = y.min(1.0);
            for result in
                [cdp_delta(Rho(x), Epsilon(y)), cdp_epsilon(Rho(x), Delta(delta)), cdp_rho(Epsilon(x), Delta(delta))]
            {
                assert!(result.clone().unwrap() >= 0.0, "{x:e} {y:e} {result:?}");
            }
            assert!(cdp_delta(Rho(x), Epsilon(y)).unwrap() <= 1.0);
        }
    }
}

/// The checks have power: each wrong variant is rejected.
#[test]
fn negative_controls_are_rejected() {
    let exact = true_delta(0.1, 1.0);
    let delta = cdp_delta(Rho(0.1), Epsilon(1.0)).unwrap();
    assert!(is_above(delta, &exact, 1e-15));
    assert!(!is_above(delta.next_down(), &exact, 1e-15), "a value rounded the wrong way");
    // Mironov's conversion, exp((alpha - 1)(alpha rho - epsilon)), is sound and looser.
    let looser = golden(|t| (Float::with_val(BITS, t + 1u32) * 0.1 - 1u32) * t, 100).exp();
    assert!(looser.to_f64() > delta && !is_above(looser.to_f64(), &exact, 1e-12));
    // The constant with alpha / (alpha - 1) for its inverse, as line (14) of one write-up prints it.
    let upside_down = |t: &Float| {
        let alpha = Float::with_val(BITS, t + 1u32);
        let power = Float::with_val(BITS, t.recip_ref()).ln_1p() * alpha;
        ln_delta_at(&wide(0.1), &wide(1.0), t) + power * 2u32
    };
    assert!(!is_above(golden(upside_down, 100).exp().to_f64(), &exact, 1e-12));
    assert!(!is_above(cdp_epsilon(Rho(0.1), Delta(1e-6)).unwrap().next_down(), &true_epsilon(0.1, 1e-6), 1e-15));
    assert!(!is_below(cdp_rho(Epsilon(1.0), Delta(1e-6)).unwrap().next_up(), &true_rho(1.0, 1e-6), 1e-15));
}
