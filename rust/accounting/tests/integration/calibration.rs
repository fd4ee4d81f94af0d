//! What a budget allows keeps the budget, and a little more does not.

use indistinct_accounting::{Delta, Epsilon, Error, PrivacyLossDistribution as P, Rate, Sigma};
use proptest::prelude::*;

fn delta(rate: f64, sigma: f64, steps: u64, epsilon: f64) -> (f64, f64) {
    let training = P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap();
    let bounds = training.delta(epsilon).unwrap();
    (bounds.lower, bounds.upper)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn budgets_are_kept_and_used(rate in -3.0f64..0.0, steps in 0.0f64..3.5, epsilon in -1.0f64..1.0, wanted in -10.0f64..-3.0) {
        let [rate, steps, epsilon, wanted] = [rate, steps, epsilon, wanted].map(|power| 10f64.powf(power));
        let whole = (1..).find(|&n: &u32| f64::from(n) >= steps.floor()).unwrap();
        let steps = u64::from(whole);
        let sigma = P::calibrate_sigma(Rate(rate), steps, Epsilon(epsilon), Delta(wanted))?;
        prop_assert!(delta(rate, sigma, steps, epsilon).1 <= wanted);
        let most = P::calibrate_rate(Sigma(sigma), steps, Epsilon(epsilon), Delta(wanted))?;
        prop_assert!(delta(most, sigma, steps, epsilon).1 <= wanted && most >= rate * (1.0 - 1e-5));
        let count = P::calibrate_steps(Sigma(sigma), Rate(rate), Epsilon(epsilon), Delta(wanted))?;
        prop_assert!(count >= steps && delta(rate, sigma, count, epsilon).1 <= wanted);
        // A tenth more is seen to be too much, but for individuals who are hardly ever sampled.
        if rate * f64::from(whole) > 10.0 * wanted {
            prop_assert!(delta(rate, sigma * 0.9, steps, epsilon).0 > wanted, "{sigma}");
            prop_assert!(most == 1.0 || delta((most * 1.1).min(1.0), sigma, steps, epsilon).0 > wanted, "{most}");
            prop_assert!(delta(rate, sigma, count + count / 5 + 1, epsilon).0 > wanted, "{count}");
        }
    }
}

/// Where a budget is kept if an individual is removed, and not if one is added; after many steps, where a contour tells
/// little next to where it tells much; and where delta is known to a part of itself.
#[test]
fn in_both_directions_and_next_to_what_is_not_known() {
    let (rate, steps, wanted) = (1.894_200_942_967_9e-3, 45, 2.815_619_946_279_826e-5);
    let sigma = P::calibrate_sigma(Rate(rate), steps, Epsilon(0.0), Delta(wanted)).unwrap();
    assert!(delta(rate, sigma, steps, 0.0).1 <= wanted);
    let (epsilon, delta) = (Epsilon(0.152_879_212_710_710_7), Delta(2.620_465_647_394_838_5e-9));
    let rate = P::calibrate_rate(Sigma(2.012_459_012_956_726_6), 773_011, epsilon, delta).unwrap();
    assert!((rate / 6.656_009e-5 - 1.0).abs() < 1e-5, "{rate}");
    let (epsilon, delta) = (Epsilon(0.122_912_847_132_306_3), Delta(0.081_921_919_107_716_62));
    let steps = P::calibrate_steps(Sigma(0.545_890_331_943_718_8), Rate(0.087_855_978_743_589_1), epsilon, delta);
    assert_eq!(steps, Ok(2));
    let (epsilon, delta) = (Epsilon(1.404_072_162_804_451_6e-4), Delta(3.004_536_255_800_95e-6));
    let steps = P::calibrate_steps(Sigma(383.436_695_516_919_7), Rate(3.801_988_357_472_578e-5), epsilon, delta);
    assert!(steps.as_ref().is_ok_and(|steps| *steps > 929_000), "{steps:?}");
}

/// Where bounds on delta are worse for fewer steps, a search has to begin near the edge: it found 14,172 steps here.
/// And where noise without any sampling keeps the budget, less does with it; and as near as bounds on delta are
/// promised to be.
#[test]
fn what_is_found_is_the_edge() {
    let (epsilon, wanted) = (0.118_454_623_610_415_71, 1.292_321_366_788_397e-7);
    let (sigma, rate) = (1.376_342_089_207_588_5, 4.756_275_641_558_015e-7);
    let steps = P::calibrate_steps(Sigma(sigma), Rate(rate), Epsilon(epsilon), Delta(wanted)).unwrap();
    assert!(steps > 5_263_000_000 && delta(rate, sigma, steps, epsilon).1 <= wanted, "{steps}");
    // Bounds that know nothing begin again; next to rate 1 noise alone is known to all digits; where both directions
    // are the same, one may be found to be a hair above the other.
    let rate = P::calibrate_rate(Sigma(0.25), 5, Epsilon(0.05), Delta(1e-3)).unwrap();
    assert!(rate > 2.97e-4, "{rate}");
    let sigma = P::calibrate_sigma(Rate(0.999_999_9), 2_000_000, Epsilon(5.0), Delta(1e-6)).unwrap();
    assert!(sigma < 1386.001, "{sigma}");
    let rate = P::calibrate_rate(Sigma(37.725_283_567_782_24), 10, Epsilon(0.0), Delta(9.705_742_078_661_358e-11));
    assert!(rate.as_ref().is_ok_and(|rate| *rate > 2.9e-9), "{rate:?}");
    for (rate, steps, epsilon, wanted, near) in [
        (0.949_780_858_746_498_4, 128, 7.765_313_299_662_618, 5.849_894_585_827_853e-6, 1e-4),
        (0.297_551_119_083_497_1, 256, 2.360_973_061_244_486, 2.698_300_231_561_762_3e-5, 1e-4),
        // Where a look takes thousands of points.
        (4.708_669_413_817_583e-6, 8, 0.738_392_535_036_015_4, 3.696_173_676_003_383_5e-5, 1e-3),
    ] {
        let sigma = P::calibrate_sigma(Rate(rate), steps, Epsilon(epsilon), Delta(wanted)).unwrap();
        let less = delta(rate, sigma * (1.0 - near), steps, epsilon).0;
        assert!(delta(rate, sigma, steps, epsilon).1 <= wanted && less > wanted, "{rate}: {sigma}");
    }
}

#[test]
fn extremes_and_bad_input() {
    let sigma = |rate, steps, epsilon, delta| P::calibrate_sigma(Rate(rate), steps, Epsilon(epsilon), Delta(delta));
    let rate = |sigma, steps, epsilon, delta| P::calibrate_rate(Sigma(sigma), steps, Epsilon(epsilon), Delta(delta));
    // As the others: no number, but an error.
    let steps = |sigma, rate, epsilon, delta| {
        P::calibrate_steps(Sigma(sigma), Rate(rate), Epsilon(epsilon), Delta(delta)).map(|_| f64::NAN)
    };
    assert!(sigma(0.0, 10, 1.0, 1e-6).unwrap() < 0.01);
    assert_eq!(rate(1e5, 10, 1.0, 1e-6), Ok(1.0));
    // Where nothing is asked.
    assert_eq!(rate(0.5, 10, 0.0, 1.0), Ok(1.0));
    assert!(sigma(0.5, 10, 0.0, 1.0).unwrap() < 2e-3 && sigma(0.25, 1, 0.0, 0.2501).unwrap() < 2e-3);
    assert!(sigma(0.25, 1, 0.0, 0.25).unwrap() < 2e-3);
    // One step is known to all digits.
    assert!((sigma(0.25, 1, 0.0, 0.2499).unwrap() / 0.141_239_6 - 1.0).abs() < 1e-6);
    assert!(P::calibrate_steps(Sigma(0.5), Rate(0.5), Epsilon(0.0), Delta(1.0)).unwrap() > 1 << 39);
    // Tiny rates and much noise, much noise and many steps.
    let found = sigma(1e-9, 10_000_000, 0.1, 1e-9).unwrap();
    assert!(delta(1e-9, found, 10_000_000, 0.1).1 <= 1e-9);
    let found = sigma(1.0, 1 << 32, 1.0, 1e-9).unwrap();
    assert!(delta(1.0, found, 1 << 32, 1.0).1 <= 1e-9 && found > 1e5);
    for (result, name) in [
        (sigma(1.5, 10, 1.0, 1e-6), "rate"),
        (sigma(f64::NAN, 10, 1.0, 1e-6), "rate"),
        (sigma(0.1, 0, 1.0, 1e-6), "steps"),
        (sigma(0.1, 10, -1.0, 1e-6), "epsilon"),
        (sigma(0.1, 10, 1.0, 0.0), "delta"),
        (sigma(0.1, 10, 1.0, 2.0), "delta"),
        (sigma(1.0, 1 << 39, 1e-6, 1e-9), "epsilon"),
        (rate(0.0, 10, 1.0, 1e-6), "sigma"),
        (rate(1.0, 0, 1.0, 1e-6), "steps"),
        (rate(1.0, 10, f64::NAN, 1e-6), "epsilon"),
        (steps(1.0, -0.1, 1.0, 1e-6), "rate"),
        (steps(f64::NAN, 0.1, 1.0, 1e-6), "sigma"),
        (steps(0.1, 1.0, 0.1, 1e-6), "epsilon"),
    ] {
        let Err(error @ Error::Parameter { .. }) = &result else { panic!("{name}: {result:?}") };
        assert!(error.to_string().starts_with(name), "{name}: {error}");
    }
}
