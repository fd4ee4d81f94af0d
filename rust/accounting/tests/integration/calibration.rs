//! What a budget allows keeps the budget, and a little more does not.

use indistinct_accounting::{RenyiCurve, sampled_gaussian_rate, sampled_gaussian_sigma, sampled_gaussian_steps};
use proptest::prelude::*;

fn cost(rate: f64, sigma: f64, steps: u32, delta: f64) -> f64 {
    RenyiCurve::sampled_gaussian(rate, sigma).unwrap().repeat(steps).unwrap().epsilon(delta).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn budgets_are_kept_and_used(rate in -4.0f64..0.0, steps in 0.0f64..5.0, epsilon in -1.0f64..1.5, delta in -14.0f64..-3.0) {
        let [rate, steps, epsilon, delta] = [rate, steps, epsilon, delta].map(|power| 10f64.powf(power));
        let steps = (1..).find(|&n| f64::from(n) >= steps.min(5000.0).floor()).unwrap();
        let sigma = sampled_gaussian_sigma(rate, steps, epsilon, delta)?;
        prop_assert!(cost(rate, sigma, steps, delta) <= epsilon);
        prop_assert!(cost(rate, sigma * (1.0 - 1e-5), steps, delta) > epsilon, "{sigma}");
        let most = sampled_gaussian_rate(sigma, steps, epsilon, delta)?;
        prop_assert!(cost(most, sigma, steps, delta) <= epsilon && most >= rate * (1.0 - 1e-5));
        prop_assert!(most == 1.0 || cost((most * (1.0 + 1e-5)).min(1.0), sigma, steps, delta) > epsilon, "{most}");
        let count = sampled_gaussian_steps(rate, sigma, epsilon, delta)?;
        prop_assert!(count >= steps && cost(rate, sigma, count, delta) <= epsilon);
        prop_assert!(count == u32::MAX || cost(rate, sigma, count + 1, delta) > epsilon);
    }
}

#[test]
fn extremes_and_bad_input() {
    assert_eq!(sampled_gaussian_sigma(0.0, 10, 1.0, 1e-6), Ok(0.0));
    assert_eq!(sampled_gaussian_rate(1e5, 10, 1.0, 1e-6), Ok(1.0));
    assert_eq!(sampled_gaussian_steps(0.0, 1.0, 1.0, 1e-6), Ok(u32::MAX));
    assert_eq!(sampled_gaussian_steps(1.0, 0.1, 0.1, 1e-6), Ok(0));
    // Tiny rates and much noise, much noise and many steps.
    let sigma = sampled_gaussian_sigma(1e-9, 10_000_000, 0.1, 1e-9).unwrap();
    assert!(cost(1e-9, sigma, 10_000_000, 1e-9) <= 0.1);
    let sigma = sampled_gaussian_sigma(1.0, u32::MAX, 1.0, 1e-9).unwrap();
    assert!(cost(1.0, sigma, u32::MAX, 1e-9) <= 1.0 && sigma > 1e5);
    for (message, name) in [
        (sampled_gaussian_sigma(1.5, 10, 1.0, 1e-6), "rate"),
        (sampled_gaussian_sigma(f64::NAN, 10, 1.0, 1e-6), "rate"),
        (sampled_gaussian_sigma(0.1, 0, 1.0, 1e-6), "steps"),
        (sampled_gaussian_sigma(0.1, 10, 0.0, 1e-6), "epsilon"),
        (sampled_gaussian_sigma(0.1, 10, 1.0, 0.0), "delta"),
        (sampled_gaussian_sigma(0.1, 10, 1.0, 1.0), "delta"),
        (sampled_gaussian_sigma(1.0, u32::MAX, 1e-6, 1e-9), "epsilon"),
        (sampled_gaussian_rate(0.0, 10, 1.0, 1e-6), "sigma"),
        (sampled_gaussian_rate(1.0, 0, 1.0, 1e-6), "steps"),
        (sampled_gaussian_rate(1.0, 10, f64::NAN, 1e-6), "epsilon"),
        (sampled_gaussian_steps(-0.1, 1.0, 1.0, 1e-6).map(f64::from), "rate"),
        (sampled_gaussian_steps(0.1, f64::NAN, 1.0, 1e-6).map(f64::from), "sigma"),
    ] {
        assert!(message.clone().unwrap_err().to_string().starts_with(name), "{message:?}");
    }
}
