//! Textbook bounds hold, and each is looser than what conversions use.

use crate::common::{BITS, cases, is_above, number, truth};
use indistinct_accounting::{Delta, Epsilon, Mu, Order, Rho, Scale};
use indistinct_accounting::{
    RenyiCurve, advanced_composition,
    bounds::{self, GaussianBound},
    cdp_epsilon, gaussian_delta, gaussian_mu, optimal_composition_epsilon, pure_to_zcdp,
};
use indistinct_numeric::RoundedArithmetic;
use proptest::prelude::*;
use rug::Float;

fn wide(x: f64) -> Float {
    Float::with_val(BITS, x)
}

fn power(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low..high).prop_map(|power| 10f64.powf(power))
}

#[test]
fn references() {
    for case in cases("rdp", "conv_eps") {
        let (alpha, divergence, delta) = (number(&case, "alpha"), number(&case, "rdp"), number(&case, "delta"));
        let epsilon = bounds::renyi_epsilon(Order(alpha), divergence, Delta(delta)).unwrap();
        assert!(is_above(epsilon, &truth(&case, "eps_classic"), 1e-15), "{case}: {epsilon:e}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn markov_is_looser(rho in power(-8.0, 4.0), delta in power(-300.0, -1.0), alpha in 1.01f64..500.0) {
        let loose = bounds::concentrated_epsilon(Rho(rho), Delta(delta))?;
        let printed = wide(rho) + (wide(delta).ln() * -rho).sqrt() * 2u32;
        prop_assert!(is_above(loose, &printed, 1e-14));
        prop_assert!(loose > cdp_epsilon(Rho(rho), Delta(delta))?);
        let divergence = alpha * rho;
        let curve = RenyiCurve::from_points(vec![(alpha, divergence)])?;
        prop_assert!(bounds::renyi_epsilon(Order(alpha), divergence, Delta(delta))? > curve.epsilon(delta)?);
    }

    #[test]
    fn gaussian_tails_are_looser(epsilon in power(-3.0, 2.0), delta in power(-30.0, -0.5), sensitivity in power(-3.0, 3.0)) {
        let least = sensitivity.inf_div(gaussian_mu(Epsilon(epsilon), Delta(delta))?)?;
        for bound in GaussianBound::ALL {
            let scale = bounds::gaussian_scale(Epsilon(epsilon), Delta(delta), sensitivity, bound)?;
            prop_assert!(scale > least, "{bound:?}: {scale:e} {least:e}");
            prop_assert!(gaussian_delta(Mu(sensitivity.inf_div(scale)?), Epsilon(epsilon))? <= delta);
            let loose = bounds::gaussian_delta(Epsilon(epsilon), Scale(scale), sensitivity)?;
            prop_assert!(loose > gaussian_delta(Mu(sensitivity.inf_div(scale)?), Epsilon(epsilon))?);
        }
        // The forms that come from the bound on delta meet it.
        for bound in [GaussianBound::Sum, GaussianBound::Root] {
            let scale = bounds::gaussian_scale(Epsilon(epsilon), Delta(delta), sensitivity, bound)?;
            prop_assert!(bounds::gaussian_delta(Epsilon(epsilon), Scale(scale), sensitivity)? <= delta * (1.0 + 1e-9));
        }
    }

    #[test]
    fn advanced_composition_is_looser(count in 1u32..60, epsilon in power(-3.0, 0.5), slack in power(-12.0, -2.0), delta in power(-12.0, -6.0)) {
        prop_assert!(bounds::mean_loss(epsilon)? > pure_to_zcdp(epsilon)?);
        let (tight, sum) = advanced_composition(count, Epsilon(epsilon), Delta(delta), slack)?;
        let independent = bounds::independent_composition(count, Epsilon(epsilon), Delta(delta), slack)?;
        let adaptive = bounds::adaptive_composition(count, Epsilon(epsilon), Delta(delta), slack)?;
        prop_assert!(tight <= independent.0 && independent.0 <= adaptive.0);
        prop_assert_eq!((sum, sum), (independent.1, adaptive.1));
        prop_assert!(optimal_composition_epsilon(count, Epsilon(epsilon), Delta(delta), Delta(sum))? <= tight);
    }
}

/// Where the ends of each inequality are strict.
#[test]
fn strictly_looser_somewhere() {
    let (count, epsilon, slack) = (1000, 0.05, 1e-6);
    let optimum = optimal_composition_epsilon(count, Epsilon(epsilon), Delta(0.0), Delta(slack)).unwrap();
    let tight = advanced_composition(count, Epsilon(epsilon), Delta(0.0), slack).unwrap().0;
    let independent = bounds::independent_composition(count, Epsilon(epsilon), Delta(0.0), slack).unwrap().0;
    let adaptive = bounds::adaptive_composition(count, Epsilon(epsilon), Delta(0.0), slack).unwrap().0;
    assert!(optimum < tight && tight < independent && independent < adaptive);
    assert!(adaptive < f64::from(count) * epsilon);
}

#[test]
fn bad_parameters_are_named() {
    let named = |result: Result<f64, indistinct_accounting::Error>, name: &str| {
        let text = result.unwrap_err().to_string();
        assert!(text.starts_with(name), "{text}");
    };
    named(bounds::concentrated_epsilon(Rho(-1.0), Delta(0.1)), "rho");
    named(bounds::concentrated_epsilon(Rho(1.0), Delta(0.0)), "delta");
    named(bounds::renyi_epsilon(Order(1.0), 1.0, Delta(0.1)), "alpha");
    named(bounds::renyi_epsilon(Order(2.0), f64::NAN, Delta(0.1)), "divergence");
    named(bounds::gaussian_delta(Epsilon(1.0), Scale(0.0), 1.0), "scale");
    named(bounds::gaussian_delta(Epsilon(f64::NAN), Scale(1.0), 1.0), "epsilon");
    named(bounds::gaussian_scale(Epsilon(0.0), Delta(0.1), 1.0, GaussianBound::Sum), "epsilon");
    named(bounds::gaussian_scale(Epsilon(1.0), Delta(1.5), 1.0, GaussianBound::Sum), "delta");
    named(bounds::gaussian_scale(Epsilon(1.0), Delta(0.5), -1.0, GaussianBound::Sum), "sensitivity");
    named(bounds::independent_composition(2, Epsilon(1.0), Delta(0.0), 0.0).map(|pair| pair.0), "slack");
    assert_eq!(bounds::gaussian_delta(Epsilon(0.1), Scale(1.0), 1.0), Ok(1.0));
    assert_eq!(bounds::gaussian_delta(Epsilon(0.0), Scale(1.0), 0.0), Ok(0.0));
    assert_eq!(bounds::concentrated_epsilon(Rho(1.0), Delta(1.0)), Ok(1.0));
}

/// A scale a little below the least is not enough, so that a bound with a factor lost would be seen: (6.81) with
/// ln(1/delta) for 2 ln(1/delta).
#[test]
fn negative_control_without_the_factor() {
    let (epsilon, delta) = (0.1, 1e-9f64);
    let wrong = (-delta.ln()).sqrt() / epsilon + (2.0 * epsilon).sqrt().recip();
    assert!(gaussian_delta(Mu(1.0 / wrong), Epsilon(epsilon)).unwrap() > delta);
}
