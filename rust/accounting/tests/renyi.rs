//! Renyi curves: values, interpolation, conversion.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::{BITS, cases, is_above, number, truth};
use indistinct_accounting::{RenyiCurve, cdp_delta, cdp_epsilon, pure_to_renyi};
use proptest::prelude::*;
use rug::Float;

fn wide(x: f64) -> Float {
    Float::with_val(BITS, x)
}

#[test]
fn gaussian_references() {
    for case in cases("rdp", "gaussian") {
        let (alpha, sigma) = (number(&case, "alpha"), number(&case, "sigma"));
        let mu = indistinct_numeric::RoundedArithmetic::inf_div(1f64, sigma).unwrap();
        let divergence = RenyiCurve::gaussian(mu).unwrap().at(alpha).unwrap();
        assert!(is_above(divergence, &truth(&case, "rdp"), 1e-15), "{case}: {divergence:e}");
    }
}

/// The references convert one order; a point says something about the smaller ones too, so we may do better, never worse.
#[test]
fn conversion_references() {
    let mut same = 0;
    for case in cases("rdp", "conv_eps") {
        let curve = RenyiCurve::from_points(vec![(number(&case, "alpha"), number(&case, "rdp"))]).unwrap();
        let epsilon = curve.epsilon(number(&case, "delta")).unwrap();
        let (improved, classic) = (truth(&case, "eps_improved").max(&wide(0.0)), truth(&case, "eps_classic"));
        assert!(epsilon <= improved.clone() * (1.0 + 1e-15) && epsilon <= classic, "{case}: {epsilon:e}");
        same += u32::from(is_above(epsilon, &improved, 1e-14));
    }
    for case in cases("rdp", "conv_delta") {
        let curve = RenyiCurve::from_points(vec![(number(&case, "alpha"), number(&case, "rdp"))]).unwrap();
        let delta = curve.delta(number(&case, "eps")).unwrap();
        let at_order = truth(&case, "delta").min(&wide(1.0));
        assert!(delta <= at_order.clone() * (1.0 + 1e-15) || delta == 5e-324, "{case}: {delta:e}");
        same += u32::from(is_above(delta, &at_order, 1e-14));
    }
    assert!(same > 20, "{same}");
}

/// The least of the printed bound over all orders, for a true curve, by scanning at high precision.
fn scanned_delta(divergence: impl Fn(&Float) -> Float, epsilon: f64) -> Float {
    let mut least = wide(1.0);
    for step in -3000i32..3000 {
        let t = wide(f64::from(step) / 200.0).exp();
        let alpha = Float::with_val(BITS, &t + 1u32);
        let constant = Float::with_val(BITS, t.recip_ref()).ln_1p() * &alpha;
        let logarithm = (divergence(&alpha) - epsilon) * &t - constant - Float::with_val(BITS, t.ln_ref());
        least = least.min(&logarithm.exp());
    }
    least
}

#[test]
fn pure_curves_convert_at_the_best_order() {
    for (own, epsilon) in [(0.1f64, 0.05), (1.0, 0.5), (1.0, 0.0), (5.0, 3.0), (0.01, 0.009)] {
        let divergence = |alpha: &Float| {
            let ratio = (Float::with_val(BITS, alpha - 0.5) * own).cosh() / (wide(own) / 2u32).cosh();
            ratio.ln() / Float::with_val(BITS, alpha - 1u32)
        };
        let delta = RenyiCurve::pure(own).unwrap().delta(epsilon).unwrap();
        let scanned = scanned_delta(divergence, epsilon);
        // The scan's steps in ln t are 1/200 wide; where the best order is infinite delta vanishes with it.
        assert!(delta <= scanned && delta >= scanned * (1.0 - 1e-3), "{own} {epsilon}: {delta:e}");
    }
}

fn orders() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(1.01f64..200.0, 1..30).prop_map(|mut orders| {
        orders.sort_by(f64::total_cmp);
        orders.dedup();
        orders
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Points on a true curve give bounds above it everywhere.
    #[test]
    fn interpolation_is_above_the_curve(orders in orders(), epsilon in 0.01f64..5.0, probe in 1.0001f64..250.0) {
        let points = orders.iter().map(|&order| (order, pure_to_renyi(epsilon, order).unwrap())).collect();
        let curve = RenyiCurve::from_points(points)?;
        let ratio = (Float::with_val(BITS, wide(probe) - 0.5) * epsilon).cosh() / (wide(epsilon) / 2u32).cosh();
        let truth = ratio.ln() / Float::with_val(BITS, wide(probe) - 1u32);
        prop_assert!(curve.at(probe)? >= truth);
        prop_assert_eq!(curve.at(probe)?.is_finite(), probe <= *orders.last().unwrap());
    }

    /// What points on a line imply is no better than what the line implies.
    #[test]
    fn points_are_no_better_than_the_line(orders in orders(), power in -4f64..2.0, deviations in 0.0f64..10.0) {
        let rho = 10f64.powf(power);
        let points = orders.iter().map(|&order| (order, indistinct_numeric::RoundedArithmetic::inf_mul(order, rho).unwrap()));
        let curve = RenyiCurve::from_points(points.collect())?;
        let epsilon = rho + deviations * (2.0 * rho).sqrt();
        prop_assert!(curve.delta(epsilon)? >= cdp_delta(rho, epsilon)? * (1.0 - 1e-12));
        prop_assert!(curve.epsilon(1e-6)? >= cdp_epsilon(rho, 1e-6)? * (1.0 - 1e-12));
    }

    /// Converting after composing is no worse than the sum of what was converted before, deltas being halved.
    #[test]
    fn composition_commutes_safely(rho in 0.001f64..1.0, epsilon in 0.01f64..1.0) {
        let (first, second) = (RenyiCurve::concentrated(rho)?, RenyiCurve::pure(epsilon)?);
        let both = first.compose(&second)?;
        prop_assert_eq!(&both, &second.compose(&first)?);
        prop_assert!(both.epsilon(1e-6)? <= first.epsilon(1e-6)? + epsilon + 1e-12);
        prop_assert!(both.at(3.0)? >= first.at(3.0)? && both.at(3.0)? >= second.at(3.0)?);
        prop_assert!(first <= RenyiCurve::concentrated(rho * 2.0)? && first.partial_cmp(&second).is_none());
    }
}

#[test]
fn bad_points_are_refused_and_stored_curves_are_checked() {
    for points in [
        vec![],
        vec![(1.0, 0.5)],
        vec![(2.0, 0.5), (2.0, 0.6)],
        vec![(2.0, -0.5)],
        vec![(2.0, f64::NAN)],
        vec![(f64::NAN, 1.0)],
    ] {
        assert!(RenyiCurve::from_points(points.clone()).is_err(), "{points:?}");
    }
    let curve = RenyiCurve::from_points(vec![(2.0, 0.5), (3.0, 0.75)]).unwrap();
    let curve =
        curve.compose(&RenyiCurve::pure(0.1).unwrap()).unwrap().compose(&RenyiCurve::gaussian(0.5).unwrap()).unwrap();
    assert_eq!(curve.to_string(), "0.125 alpha + pure 0.1 + 2 points");
    let stored = serde_json::to_string(&curve).unwrap();
    assert_eq!(serde_json::from_str::<RenyiCurve>(&stored).unwrap(), curve);
    assert!(serde_json::from_str::<RenyiCurve>(&stored.replace("\"0.125", "\"-0.125")).is_err());
    assert!(serde_json::from_str::<RenyiCurve>(&stored.replace("[\"2.0", "[\"0.5")).is_err());
    // A bound of infinite order holds at all, and above the greatest order nothing does.
    let curve = RenyiCurve::from_points(vec![(2.0, 0.5), (f64::INFINITY, 1.0)]).unwrap();
    assert_eq!((curve.at(1e9).unwrap(), curve.epsilon(0.0).unwrap()), (1.0, 1.0));
    let curve = RenyiCurve::from_points(vec![(2.0, 0.5)]).unwrap();
    assert_eq!((curve.epsilon(0.0).unwrap(), curve.delta(f64::INFINITY).unwrap()), (f64::INFINITY, 0.0));
    assert!(curve.at(1.0).is_err() && curve.delta(f64::NAN).is_err() && curve.epsilon(-0.1).is_err());
    assert_eq!(RenyiCurve::pure(0.5).unwrap().delta(0.5), Ok(0.0));
    // Nothing known.
    let curve = RenyiCurve::from_points(vec![(2.0, f64::INFINITY)]).unwrap();
    assert_eq!((curve.epsilon(0.5).unwrap(), curve.delta(5.0).unwrap()), (f64::INFINITY, 1.0));
    assert_eq!(curve.delta(f64::INFINITY), Ok(1.0));
}

/// Interpolating the divergence itself, not the logarithm of the moment, would be unsound: it falls below a true curve.
#[test]
fn broken_twin_straight_interpolation() {
    let at = |order: f64| pure_to_renyi(3.0, order).unwrap();
    let straight = (at(1.1) + at(20.0)) / 2.0;
    let middle = (1.1 + 20.0) / 2.0;
    assert!(straight < at(middle));
    let curve = RenyiCurve::from_points(vec![(1.1, at(1.1)), (20.0, at(20.0))]).unwrap();
    assert!(curve.at(middle).unwrap() >= at(middle));
}
