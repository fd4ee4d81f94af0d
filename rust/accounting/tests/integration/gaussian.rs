//! The exact privacy of Gaussian noise, beside references and beside the printed formula at high precision.

use crate::{
    common::{cases, is_above, is_below, number, truth},
    tries,
};
use indistinct_accounting::{Delta, Epsilon, Mu, gaussian_delta, gaussian_epsilon, gaussian_mu, gaussian_sigma};
use indistinct_numeric::RoundedArithmetic;
use proptest::prelude::*;
use rug::Float;

/// What cancels between the two terms is at most the ratio of mu to 1, about 2^-120 here, and epsilon / mu < 2^7.
const BITS: u32 = 700;

fn wide(x: f64) -> Float {
    Float::with_val(BITS, x)
}

/// The upper tail of the normal distribution.
fn tail(x: Float) -> Float {
    (x * wide(0.5).sqrt()).erfc() / 2u32
}

/// Phi(-a) - e^epsilon Phi(-b), as printed.
fn true_delta(mu: &Float, epsilon: &Float) -> Float {
    let (middle, half) = (Float::with_val(BITS, epsilon / mu), Float::with_val(BITS, mu / 2u32));
    let growth = Float::with_val(BITS, epsilon.exp_ref());
    tail(Float::with_val(BITS, &middle - &half)) - growth * tail(middle + half)
}

#[test]
fn delta_references() {
    for case in cases("gdp", "delta") {
        let delta = gaussian_delta(Mu(number(&case, "mu")), Epsilon(number(&case, "eps"))).unwrap();
        let truth = truth(&case, "delta");
        assert!(truth < 1e-300 && delta < 1e-300 || is_above(delta, &truth, 1e-15), "{case}: {delta:e}");
    }
    // The references take sigma; mu is its reciprocal, so only powers of two are the same question.
    let mut compared = 0;
    for case in cases("gaussian", "delta") {
        let (sigma, epsilon) = (number(&case, "sigma"), number(&case, "eps"));
        let (least, most) = (1f64.neg_inf_div(sigma).unwrap(), 1f64.inf_div(sigma).unwrap());
        let truth = truth(&case, "delta");
        assert!(gaussian_delta(Mu(most), Epsilon(epsilon)).unwrap() >= truth, "{case}");
        if least == most && truth > 1e-300 {
            compared += 1;
            assert!(is_above(gaussian_delta(Mu(most), Epsilon(epsilon)).unwrap(), &truth, 1e-15), "{case}");
        }
    }
    assert!(compared >= 5, "{compared}");
}

#[test]
fn epsilon_references() {
    for case in cases("gdp", "eps") {
        let epsilon = gaussian_epsilon(Mu(number(&case, "mu")), Delta(number(&case, "delta"))).unwrap();
        assert!(is_above(epsilon, &truth(&case, "eps"), 1e-14), "{case}: {epsilon:e}");
    }
    for case in cases("gaussian", "eps") {
        let mu = 1f64.inf_div(number(&case, "sigma")).unwrap();
        let (epsilon, truth) = (gaussian_epsilon(Mu(mu), Delta(number(&case, "delta"))).unwrap(), truth(&case, "eps"));
        assert!(is_above(epsilon, &truth, 1e-13), "{case}: {epsilon:e}");
    }
}

#[test]
fn sigma_references() {
    for case in cases("gaussian", "sigma") {
        let truth = truth(&case, "sigma");
        for sensitivity in [1.0, 0.25, 1024.0] {
            let sigma =
                gaussian_sigma(sensitivity, Epsilon(number(&case, "eps")), Delta(number(&case, "delta"))).unwrap();
            assert!(is_above(sigma / sensitivity, &truth, 1e-13), "{case}: {sigma:e}");
        }
    }
}

/// The whole range that is promised, corner by corner.
#[test]
fn every_corner_of_the_range() {
    for epsilon in (-18..=10).map(|step| 10f64.powf(f64::from(step) / 2.0)) {
        for power in [0.4, 1.0, 3.0, 9.0, 27.0, 81.0, 200.0, 300.0] {
            let delta = 10f64.powf(-power);
            let mu = gaussian_mu(Epsilon(epsilon), Delta(delta)).unwrap();
            assert!(true_delta(&wide(mu), &wide(epsilon)) <= delta, "{epsilon:e} {delta:e}: {mu:e}");
            assert!(true_delta(&(wide(mu) * (1.0 + 1e-13)), &wide(epsilon)) > delta, "{epsilon:e} {delta:e}: {mu:e}");
            let at = gaussian_delta(Mu(mu), Epsilon(epsilon)).unwrap();
            assert!(is_above(at, &true_delta(&wide(mu), &wide(epsilon)), 1e-13), "{epsilon:e} {delta:e}: {at:e}");
            let back = gaussian_epsilon(Mu(mu), Delta(delta)).unwrap();
            assert!(true_delta(&wide(mu), &wide(back)) <= delta, "{epsilon:e} {delta:e}: {back:e}");
            assert!(true_delta(&wide(mu), &(wide(back) * (1.0 - 1e-13))) > delta, "{epsilon:e} {delta:e}: {back:e}");
            let sigma = gaussian_sigma(3.0, Epsilon(epsilon), Delta(delta)).unwrap();
            assert!(is_above(sigma, &(wide(3.0) / mu), 1e-15), "{epsilon:e} {delta:e}: {sigma:e}");
        }
    }
}

fn power(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low..high).prop_map(|power| 10f64.powf(power))
}

/// Epsilon between 1e-9 and 1e5, and a mu at which delta is not below 1e-300.
fn visible() -> impl Strategy<Value = (f64, f64)> {
    (power(-9.0, 5.0), -9.0f64..37.0).prop_map(|(epsilon, deviations)| {
        // a = epsilon/mu - mu/2 = deviations
        let root = (deviations * deviations + 2.0 * epsilon).sqrt();
        let mu = if deviations > 0.0 { 2.0 * epsilon / (root + deviations) } else { root - deviations };
        (mu, epsilon)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tries(1000)))]

    #[test]
    fn delta_is_exact((mu, epsilon) in visible()) {
        let (delta, truth) = (gaussian_delta(Mu(mu), Epsilon(epsilon)).unwrap(), true_delta(&wide(mu), &wide(epsilon)));
        prop_assert!(is_above(delta, &truth, 1e-13), "{mu:e} {epsilon:e}: {delta:e} for {truth:e}");
    }

    #[test]
    fn delta_at_small_distances(mu in power(-60.0, 0.0), share in prop_oneof![Just(0.0), power(-3.0, 1.5)]) {
        let epsilon = mu * share;
        let (delta, truth) = (gaussian_delta(Mu(mu), Epsilon(epsilon)).unwrap(), true_delta(&wide(mu), &wide(epsilon)));
        prop_assert!(is_above(delta, &truth, 1e-13), "{mu:e} {epsilon:e}: {delta:e} for {truth:e}");
    }

    /// The true delta at what is returned fits, and at 1e-13 less it does not.
    #[test]
    fn epsilon_is_least((mu, wish) in visible()) {
        let delta = gaussian_delta(Mu(mu), Epsilon(wish)).unwrap();
        prop_assume!(delta < 1.0 - 1e-6);
        let epsilon = gaussian_epsilon(Mu(mu), Delta(delta)).unwrap();
        prop_assert!(true_delta(&wide(mu), &wide(epsilon)) <= delta, "{mu:e} {delta:e}: {epsilon:e}");
        let less = wide(epsilon) * (1.0 - 1e-13);
        prop_assert!(epsilon < 1e-9 || true_delta(&wide(mu), &less) > delta, "{mu:e} {delta:e}: {epsilon:e}");
    }

    #[test]
    fn mu_is_greatest((wish, epsilon) in visible()) {
        let delta = gaussian_delta(Mu(wish), Epsilon(epsilon)).unwrap();
        prop_assume!(delta < 1.0 - 1e-6);
        let mu = gaussian_mu(Epsilon(epsilon), Delta(delta)).unwrap();
        prop_assert!(true_delta(&wide(mu), &wide(epsilon)) <= delta, "{epsilon:e} {delta:e}: {mu:e}");
        let more = wide(mu) * (1.0 + 1e-13);
        prop_assert!(true_delta(&more, &wide(epsilon)) > delta, "{epsilon:e} {delta:e}: {mu:e}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tries(5000)))]

    /// Up to one unit in the last place, which rounding may cost neighbors.
    #[test]
    fn monotone((mu, epsilon) in visible(), factor in 1.0f64..1.1) {
        let delta = gaussian_delta(Mu(mu), Epsilon(epsilon))?;
        prop_assert!(delta <= gaussian_delta(Mu(mu * factor), Epsilon(epsilon))?.next_up());
        prop_assert!(gaussian_delta(Mu(mu), Epsilon(epsilon * factor))? <= delta.next_up());
        let more = (delta * factor).min(1.0);
        prop_assert!(gaussian_epsilon(Mu(mu), Delta(more))? <= gaussian_epsilon(Mu(mu), Delta(delta))? * (1.0 + 1e-13));
        prop_assert!(gaussian_mu(Epsilon(epsilon), Delta(delta))? <= gaussian_mu(Epsilon(epsilon), Delta(more))? * (1.0 + 1e-13));
    }
}

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
            for result in [
                gaussian_delta(Mu(x), Epsilon(y)),
                gaussian_epsilon(Mu(x), Delta(delta)),
                gaussian_mu(Epsilon(x), Delta(delta)),
            ] {
                assert!(result.clone().unwrap() >= 0.0, "{x:e} {y:e} {result:?}");
            }
            assert!(gaussian_delta(Mu(x), Epsilon(y)).unwrap() <= 1.0);
        }
    }
}

#[test]
fn negative_controls_are_rejected() {
    let exact = true_delta(&wide(0.5), &wide(3.0));
    let delta = gaussian_delta(Mu(0.5), Epsilon(3.0)).unwrap();
    assert!(is_above(delta, &exact, 1e-15) && !is_above(delta.next_down(), &exact, 1e-15));
    // The textbook in plain floats, as in many libraries: the second term's sign and the shift are what goes wrong.
    let shifted = tail(wide(3.0 / 0.5)) - wide(3.0).exp() * tail(wide(3.0 / 0.5 + 0.5));
    assert!(!is_above(shifted.to_f64(), &exact, 1e-12));
    let mu = gaussian_mu(Epsilon(1.0), Delta(1e-6)).unwrap();
    assert!(true_delta(&wide(mu.next_up().next_up()), &wide(1.0)) > 1e-6);
    assert!(is_below(mu, &wide(mu), 1e-15) && !is_below(mu.next_up(), &wide(mu), 1e-15));
}
