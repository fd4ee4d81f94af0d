//! Profiles: both directions, the tradeoff function, composition, and what is stored.

use indistinct_accounting::{Delta, Epsilon, Mu, PrivacyLossDistribution, PrivacyProfile, RenyiCurve};
use proptest::prelude::*;
use rug::Float;

const BITS: u32 = 200;

fn examples() -> Vec<PrivacyProfile> {
    vec![
        PrivacyProfile::pure(1.0).unwrap(),
        PrivacyProfile::approximate(vec![(0.5, 1e-3), (1.0, 1e-6)]).unwrap(),
        PrivacyProfile::repeated(20, Epsilon(0.1), Delta(1e-9)).unwrap(),
        PrivacyProfile::concentrated(0.1).unwrap(),
        PrivacyProfile::gaussian(Mu(0.7)).unwrap(),
        PrivacyProfile::renyi(RenyiCurve::from_points(vec![(2.0, 0.3), (8.0, 1.0), (64.0, 9.0)]).unwrap()),
        PrivacyProfile::renyi(RenyiCurve::pure(0.8).unwrap().compose(&RenyiCurve::gaussian(Mu(0.3)).unwrap()).unwrap()),
        PrivacyProfile::losses(PrivacyLossDistribution::pure(0.3).unwrap().repeat(9).unwrap()),
    ]
}

#[test]
fn both_directions_are_monotone_and_agree() {
    for profile in examples() {
        let (mut delta_before, mut epsilon_before) = (1.0, f64::INFINITY);
        for step in 0..60 {
            let epsilon = f64::from(step) / 20.0;
            let delta = profile.delta(epsilon).unwrap();
            assert!((0.0..=1.0).contains(&delta) && delta <= delta_before * (1.0 + 1e-9), "{profile} {epsilon}");
            delta_before = delta;
            if delta > 0.0 {
                let back = profile.epsilon(delta).unwrap();
                assert!(back <= epsilon * (1.0 + 1e-8) + 1e-9, "{profile}: {epsilon} {delta:e} {back}");
            }
            let epsilon = profile.epsilon(10f64.powf(-f64::from(60 - step) / 6.0)).unwrap();
            assert!(epsilon >= 0.0 && epsilon <= epsilon_before * (1.0 + 1e-9), "{profile}");
            epsilon_before = epsilon;
        }
        assert_eq!(profile.epsilon(1.0).unwrap(), 0.0, "{profile}");
        assert!(profile.delta(f64::NAN).is_err() && profile.epsilon(-1.0).is_err() && profile.beta(1.5).is_err());
    }
}

/// The upper tail of the normal distribution.
fn tail(x: &Float) -> Float {
    Float::with_val(BITS, x * Float::with_val(BITS, 0.5).sqrt()).erfc() / 2u32
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// For Gaussian noise the tradeoff function is known: Phi(Phi^-1(1 - alpha) - mu).
    #[test]
    fn tradeoff_of_gaussian_noise(mu in 0.01f64..6.0, threshold in -4f64..6.0) {
        let alpha = tail(&Float::with_val(BITS, threshold)).to_f64();
        let truth = tail(&Float::with_val(BITS, mu - threshold)).to_f64();
        let beta = PrivacyProfile::gaussian(Mu(mu))?.beta(alpha)?;
        prop_assert!(beta <= truth * (1.0 + 1e-13) && beta >= truth * (1.0 - 1e-7), "{beta:e} {truth:e}");
    }

    /// For pure privacy it is two lines: max(1 - e^eps alpha, e^-eps (1 - alpha)).
    #[test]
    fn tradeoff_of_pure_privacy(epsilon in 0.0f64..10.0, alpha in 0.0f64..=1.0) {
        let truth = (1.0 - epsilon.exp() * alpha).max((-epsilon).exp() * (1.0 - alpha));
        let beta = PrivacyProfile::pure(epsilon)?.beta(alpha)?;
        prop_assert!(beta <= truth + 1e-15 && beta >= truth * (1.0 - 1e-6) - 1e-14, "{beta:e} {truth:e}");
    }

    /// Never above the diagonal, falling, and lower for less privacy.
    #[test]
    fn tradeoff_is_ordered(index in 0usize..7, alpha in 0.0f64..=1.0, more in 0.0f64..=1.0) {
        let profile = &examples()[index];
        let beta = profile.beta(alpha)?;
        prop_assert!((0.0..=1.0 - alpha + 1e-15).contains(&beta), "{profile} {alpha} {beta}");
        prop_assert!(profile.beta(alpha.max(more))? <= beta * (1.0 + 1e-6) + 1e-9);
        let worse = profile.compose(&PrivacyProfile::pure(0.1)?);
        if let Ok(worse) = worse {
            prop_assert!(worse.beta(alpha)? <= beta * (1.0 + 1e-6) + 1e-9, "{profile} {worse}");
        }
    }
}

#[test]
fn composition_and_order() {
    let pure = |epsilon| PrivacyProfile::pure(epsilon).unwrap();
    let gaussian = |mu| PrivacyProfile::gaussian(Mu(mu)).unwrap();
    let rho = |rho| PrivacyProfile::concentrated(rho).unwrap();
    assert_eq!(pure(1.0).compose(&pure(0.5)).unwrap(), pure(1.5));
    assert_eq!(gaussian(3.0).compose(&gaussian(4.0)).unwrap(), gaussian(5.0));
    assert_eq!(rho(0.25).compose(&gaussian(1.0)).unwrap(), rho(0.75));
    let pair = PrivacyProfile::approximate(vec![(0.5, 1e-6)]).unwrap();
    assert_eq!(pair.compose(&pure(0.5)).unwrap().to_string(), "epsilon 1.0, delta 1e-6");
    let repeated = |count| PrivacyProfile::repeated(count, Epsilon(0.1), Delta(0.0)).unwrap();
    assert_eq!(repeated(3).compose(&repeated(4)).unwrap(), repeated(7));
    assert!(pair.compose(&gaussian(1.0)).is_err() && repeated(3).compose(&pure(0.1)).is_err());
    assert!(repeated(u32::MAX).compose(&repeated(1)).is_err());
    assert!(
        PrivacyProfile::repeated(10, Epsilon(-0.1), Delta(0.0)).is_err()
            && PrivacyProfile::repeated(10, Epsilon(0.1), Delta(1.1)).is_err()
    );
    // Pure and Gaussian: better than adding epsilons.
    let mixed = pure(0.5).compose(&gaussian(0.5)).unwrap();
    assert_eq!(mixed.to_string(), "Renyi 0.125 alpha + pure 0.5");
    assert!(mixed.epsilon(1e-6).unwrap() < 0.5 + rho(0.125).epsilon(1e-6).unwrap());
    assert!(pure(1.0) < pure(2.0) && gaussian(2.0) > gaussian(1.0) && pure(1.0).partial_cmp(&rho(1.0)).is_none());
}

#[cfg(feature = "serde")]
#[test]
fn stored_profiles_come_back_and_are_checked() {
    for profile in examples() {
        let stored = serde_json::to_string(&profile).unwrap();
        assert_eq!(serde_json::from_str::<PrivacyProfile>(&stored).unwrap(), profile, "{stored}");
    }
    assert_eq!(serde_json::to_string(&PrivacyProfile::gaussian(Mu(0.5)).unwrap()).unwrap(), r#"{"gaussian":"0.5"}"#);
    // Numbers that a parser of JSON may read one unit off, and infinity.
    for epsilon in [0.9522444552911937, 0.393_353_623_069_839_56, 5e-324, f64::MAX, f64::INFINITY] {
        let stored = serde_json::to_string(&PrivacyProfile::pure(epsilon).unwrap()).unwrap();
        assert_eq!(serde_json::from_str::<PrivacyProfile>(&stored).unwrap(), PrivacyProfile::pure(epsilon).unwrap());
    }
    let mut state = 1u64;
    for _ in 0..20_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let profile = PrivacyProfile::pure(f64::from_bits(state >> 1 & !(1 << 62)));
        let stored = serde_json::to_string(&profile.clone().unwrap()).unwrap();
        assert_eq!(serde_json::from_str::<PrivacyProfile>(&stored).unwrap(), profile.unwrap());
    }
    for bad in [
        r#"{"gaussian":"-0.5"}"#,
        r#"{"gaussian":0.5}"#,
        r#"{"pure":null}"#,
        r#"{"pure":"NaN"}"#,
        r#"{"pure":"1e-400"}"#,
        r#"{"pure":"1e400"}"#,
        r#"{"approximate":[]}"#,
        r#"{"approximate":[["1.0","2.0"]]}"#,
        r#"{"repeated":{"count":4294967296,"epsilon":"0.1","delta":"0.0"}}"#,
    ] {
        assert!(serde_json::from_str::<PrivacyProfile>(bad).is_err(), "{bad}");
    }
}

/// The checks have power: a tradeoff function rounded up, or one that forgets the second line, is seen.
#[test]
fn negative_controls_are_rejected() {
    let (mu, threshold) = (1.0, 1.0);
    let alpha = tail(&Float::with_val(BITS, threshold)).to_f64();
    let truth = tail(&Float::with_val(BITS, mu - threshold));
    let beta = PrivacyProfile::gaussian(Mu(mu)).unwrap().beta(alpha).unwrap();
    assert!(beta <= truth && beta.next_up() * (1.0 + 1e-7) > truth);
    let first_line_only = 1.0 - 3f64.exp() * 0.5;
    assert!(first_line_only < 0.0 && PrivacyProfile::pure(3.0).unwrap().beta(0.5).unwrap() > 0.02);
}

/// An infinite epsilon promises nothing: not at infinity, and not for a test that never errs in one way.
#[test]
fn what_promises_nothing_protects_nothing() {
    for profile in [
        PrivacyProfile::pure(f64::INFINITY),
        PrivacyProfile::approximate(vec![(f64::INFINITY, 1e-6)]),
        PrivacyProfile::repeated(3, Epsilon(f64::INFINITY), Delta(0.0)),
        PrivacyProfile::concentrated(f64::INFINITY),
        PrivacyProfile::gaussian(Mu(f64::INFINITY)),
    ] {
        let profile = profile.unwrap();
        assert_eq!(profile.delta(f64::INFINITY), Ok(1.0), "{profile}");
        assert_eq!((profile.beta(0.0), profile.beta(0.3)), (Ok(0.0), Ok(0.0)), "{profile}");
    }
}
