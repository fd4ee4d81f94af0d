//! The snapping mechanism: its arithmetic is charged, and its scales and bounds are exact.

use super::floats;
use indistinct::{
    numeric::gmp::Rational,
    prelude::*,
    sampling::{SnappedNoise, testing::BitTape},
};
use indistinct_tests::{Exact, covers, float, fraction, vectors};
use serde_json::Value;

#[test]
fn snapping_charges_its_arithmetic() {
    for (name, vector) in vectors("snapping").iter().filter(|(name, _)| name.starts_with("eps_eff")) {
        let (lambda, bound) = (float(&vector["lambda"]), float(&vector["B"]));
        let truth = fraction(&vector["eps_eff"]);
        // The vectors allow B up to 2^46 excluded; the third is at 2^46 / 3 scales.
        let snapping = make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), lambda, bound).unwrap();
        assert!(covers(snapping.map(&1.0).unwrap(), &truth), "{name}");
        assert!(!covers(1.0 / lambda, &truth), "{name}: no power");
    }
}

#[test]
fn snapping_refuses_bounds_and_rounds_scales_exactly() {
    let vectors = vectors("snapping");
    for case in vectors["reject_B_out_of_range"]["cases"].as_array().unwrap() {
        let case = floats(case);
        assert!(make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), case[0], case[1]).is_err(), "{case:?}");
    }
    // A check that asks whether a bound is wrong lets one pass that is not a number.
    let passes = |[scale, bound]: [f64; 2]| !(bound <= scale || bound >= scale * 2f64.powi(46));
    assert!(passes([1.0, f64::NAN]) && !passes([1.0, 1.0]), "no power");
    let naive = |scale: f64| 2f64.powf(scale.log2().ceil());
    for (scale, grid) in vectors["Lambda_exact_power"]["cases"].as_object().unwrap() {
        let (scale, grid) = (float(&Value::from(scale.as_str())), float(grid));
        let noise = SnappedNoise::new(scale, scale * 100.0).unwrap();
        let power = |grid: i32| 2f64.powi(grid / 2) * 2f64.powi(grid - grid / 2);
        assert_eq!((power(noise.grid()), naive(scale)), (grid, grid), "{scale:e}");
    }
    // The negative control, a logarithm in floats, is right on these numbers, and wrong on the float next to most other
    // powers of two.
    let wrong = (-1000..1000).map(|k| 2f64.powi(k).next_up()).filter(|scale| naive(*scale) < *scale).count();
    assert!(wrong > 1000, "no power: {wrong}");
}

/// Ends at 2000 scales are reached from both sides: the exponent of U has no end, unlike that of a float.
#[test]
fn snapping_reaches_its_ends_from_both_sides() {
    let params = &vectors("snapping")["support_gap_beyond_745_lambda"]["params"];
    let (scale, bound) = (float(&params["lambda"]), float(&params["B"]));
    let noise = SnappedNoise::new(scale, bound).unwrap();
    let mut reached = Vec::new();
    for first in [false, true] {
        // Zeros beyond the least exponent of a float, then ones.
        let bits: Vec<bool> = std::iter::once(first).chain((0..8000).map(|bit| bit > 6000)).collect();
        reached.extend([-bound, bound].map(|from| noise.add(from, &mut BitTape::new(&bits)).unwrap()));
    }
    assert!(reached.contains(&bound) && reached.contains(&-bound), "{reached:?}");
    let far = |release: &f64| (*release - bound).abs() >= bound * 2.0;
    assert!(reached.iter().step_by(2).all(|release| release.abs() == bound) && reached.iter().any(far));
    // The negative control's U is a float, the least of which is 745 scales away.
    assert!(-f64::from_bits(1).ln() * scale < 2.0 * bound, "no power");
}

#[test]
fn snapping_charges_sensitivities_that_are_no_powers_of_two() {
    let params = &vectors("snapping")["sensitivity_scaling_charged"]["params"];
    let (sensitivity, bound) = (float(&params["Delta"]), float(&params["B"]));
    let snapping = make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), 4.0, bound).unwrap();
    let [at, of_one] = [sensitivity, 1.0].map(|d| snapping.map(&d).unwrap());
    // The loss of the distribution itself, and of arithmetic: neither is scaled away.
    let (arithmetic, law) = (of_one.exact() - Rational::from((1, 4)), sensitivity.exact() / 4u32);
    // What the vector asks for a division by the sensitivity: 2 B eta / scale. The negative control scales, and charges
    // the distribution alone.
    let extra = (bound.exact() * 2u32 / 4u32) >> 53u32;
    assert!(covers(at, &(law.clone() + &extra)) && !covers(law.to_f64(), &(law.clone() + extra)), "no power");
    assert!(arithmetic > 0 && covers(at, &(law.clone() + arithmetic)) && !covers(law.to_f64(), &at.exact()));
}
