//! Enclosures beside references, exact enumerations, each other, and negative controls.
use crate::pld::{
    distribution::{PrivacyLossDistribution, losses},
    integrate::{contour::Contour, discretized::Discretized, lattice_sum::LatticeSum},
    loss::{
        direction::Direction,
        discretize::discretize,
        exponential::Exponential,
        finite_loss::{FiniteLoss, FiniteLosses},
        lattice::{LatticeKind, LatticeLoss},
    },
};
use crate::units::{Delta, Epsilon, Mu, Rate, Scale, Sigma};
use indistinct_numeric::{enclosure::Bounds, gmp::Rational};
use proptest::prelude::*;
use rug::Float;
use serde_json::Value;
use std::path::Path;

type P = PrivacyLossDistribution;

fn smooth(losses: &FiniteLosses, epsilon: f64) -> Option<Bounds> {
    let to = |goal| Contour::to(goal, losses, epsilon, 0.0);
    let found = [(32.0, 384.0), (24.0, 768.0), (19.0, 4_096.0)].into_iter().find_map(to);
    Some(found?.delta(epsilon))
}

fn lattice(losses: &FiniteLosses, epsilon: f64) -> Option<Bounds> {
    LatticeSum::new(losses, epsilon, 0.0)?.delta(epsilon)
}

fn discretized(losses: &FiniteLosses, epsilon: f64) -> Bounds {
    Discretized::new(losses, epsilon, 0.0)
        .and_then(|discretized| discretized.delta(epsilon))
        .unwrap_or(Bounds { lower: 0.0, upper: 1.0 })
}

fn cases(group: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/pld.json");
    let mut text: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases: Vec<Value> = serde_json::from_value(text["groups"][group].take()).unwrap();
    assert!(!cases.is_empty(), "{group}");
    cases
}

fn number(case: &Value, key: &str) -> f64 {
    case[key].as_f64().unwrap()
}

fn truth(case: &Value, key: &str) -> Float {
    Float::with_val(300, Float::parse(case["truth"][key].as_str().unwrap()).unwrap())
}

fn distribution(case: &Value) -> (P, Direction) {
    let mut direction = Direction::Remove;
    let mut all = P::none();
    for part in case["components"].as_array().unwrap() {
        let value = |key| number(part, key);
        let one = match part["kind"].as_str().unwrap() {
            "gaussian" => P::gaussian(Sigma(value("sigma"))),
            "poisson_gaussian_remove" => P::poisson_gaussian(Sigma(value("sigma")), Rate(value("q"))),
            "poisson_gaussian_add" => {
                direction = Direction::Add;
                P::poisson_gaussian(Sigma(value("sigma")), Rate(value("q")))
            }
            kind @ ("mixture_remove" | "mixture_add") => {
                if kind == "mixture_add" {
                    direction = Direction::Add;
                }
                let amounts: Vec<(f64, f64)> = serde_json::from_value(part["amounts"].clone()).unwrap();
                P::mixture_gaussian(Sigma(value("sigma")), &amounts)
            }
            "sampled_gaussian_replace" => P::poisson_gaussian_replace(Sigma(value("sigma")), Rate(value("q"))),
            "laplace" => P::laplace(Scale(value("b"))),
            "rr" => P::pure(value("eps0")),
            "discrete_gaussian" => {
                let (over, under) = part["sigma2"].as_str().unwrap().split_once('/').unwrap();
                let sigma = (over.parse::<f64>().unwrap() / under.parse::<f64>().unwrap()).sqrt();
                P::discrete_gaussian(Sigma(sigma), u32::try_from(part["sens"].as_u64().unwrap()).unwrap())
            }
            kind => panic!("{kind}"),
        };
        all = all.compose(&one.unwrap().repeat(part["count"].as_u64().unwrap()).unwrap()).unwrap();
    }
    (all, direction)
}

/// The truth is within the bounds, up to the digits it is given with, and they are within `width` of each other.
fn assert_encloses(bounds: Bounds, truth: &Float, digits: f64, width: f64, name: &dyn std::fmt::Display) {
    let slack = Float::with_val(300, truth * digits);
    assert!(bounds.lower <= Float::with_val(300, truth + &slack), "{name}: {bounds:?} above {truth:.25}");
    assert!(bounds.upper >= Float::with_val(300, truth - &slack), "{name}: {bounds:?} below {truth:.25}");
    assert!(
        bounds.upper - bounds.lower <= truth.to_f64() * width + 1e-300,
        "{name}: {bounds:?} wide off_axis {truth:.25}"
    );
}

/// All references of a group: delta in its direction, or epsilon (where a reference has one, it is always the larger
/// direction's).
fn references(group: &str, width: f64) {
    for case in cases(group) {
        let (all, direction) = distribution(&case);
        if case["fn"] == "pld_delta" {
            let epsilon = number(&case, "eps");
            let bounds = all.delta_in_direction(epsilon, direction);
            assert_encloses(bounds, &truth(&case, "delta"), 1e-24, width, &case);
            let both = all.delta(epsilon).unwrap();
            assert!(both.lower >= bounds.lower && both.upper >= bounds.upper, "{case}");
        } else {
            let delta = number(&case, "delta");
            let bounds = if direction == Direction::Remove {
                all.epsilon(delta).unwrap()
            } else {
                // No one asks for this direction alone: bracket the reference.
                let wanted = truth(&case, "eps").to_f64();
                let (low, high) = (wanted * (1.0 - width), wanted * (1.0 + width));
                assert!(
                    all.delta_in_direction(low, direction).lower > delta
                        && all.delta_in_direction(high, direction).upper <= delta,
                    "{case}"
                );
                Bounds { lower: low, upper: high }
            };
            assert_encloses(bounds, &truth(&case, "eps"), 1e-24, width * 2.5, &case);
        }
    }
}

#[test]
fn gaussian_references() {
    references("gaussian_k", 1e-12);
}

#[test]
fn randomized_response_references() {
    references("rr_k", 1e-9);
}

#[test]
fn laplace_references() {
    // Two of them are known to 7e-5, others to 1e-6.
    references("laplace_k", 1e-4);
}

#[test]
fn discrete_gaussian_references() {
    references("discrete_gaussian_k", 1e-10);
}

#[test]
fn mixed_references() {
    references("mix", 1e-9);
}

#[test]
fn sampled_references() {
    references("dpsgd", 1e-3);
    references("dpsgd_add", 1e-8);
    references("dpsgd_replace", 1e-8);
}

#[test]
fn sampled_epsilons_are_tight() {
    for case in cases("dpsgd") {
        if case["fn"] == "pld_eps" {
            let bounds = distribution(&case).0.epsilon(number(&case, "delta")).unwrap();
            let width = (bounds.upper - bounds.lower) / bounds.upper;
            assert!(width < 2e-5, "{case}: {width:e}");
            // All but a million steps.
            assert!(width < 3e-8 || case["components"][0]["count"] == 1_000_000, "{case}: {width:e}");
        }
    }
}

#[test]
fn single_mechanisms() {
    for case in cases("one_step") {
        let one = P::poisson_gaussian(Sigma(number(&case, "sigma")), Rate(number(&case, "q"))).unwrap();
        for (direction, key) in [(Direction::Remove, "delta_remove"), (Direction::Add, "delta_add")] {
            // One step has no smooth tail: the grid.
            let bounds = one.delta_in_direction(number(&case, "eps"), direction);
            let truth = truth(&case, key);
            assert!(bounds.lower <= truth && truth <= bounds.upper, "{case} {bounds:?}");
            assert!(bounds.upper <= truth.to_f64() * 1.01 + 1e-40, "{case} {bounds:?}");
        }
    }
    for case in cases("once_laplace") {
        let bounds = P::laplace(Scale(number(&case, "b"))).unwrap().delta(number(&case, "eps")).unwrap();
        let truth = truth(&case, "delta");
        // The references are of a scale that was rounded more than once.
        // At the very end of the losses the last cell is all there is.
        let width = if truth < 1e-9 { 1e12 } else { 1e-10 };
        assert_encloses(bounds, &truth, 3e-12, width, &case);
    }
    for case in cases("once_rr") {
        let bounds = P::pure(number(&case, "eps0")).unwrap().delta(number(&case, "eps")).unwrap();
        assert_encloses(bounds, &truth(&case, "delta"), 1e-28, 1e-9, &case);
    }
    for case in cases("once_discrete_gaussian") {
        let (sigma, sensitivity) = (number(&case, "sigma"), u32::try_from(case["sens"].as_u64().unwrap()).unwrap());
        if truth(&case, "delta") < 1e-290 {
            continue;
        }
        let bounds = P::discrete_gaussian(Sigma(sigma), sensitivity).unwrap().delta(number(&case, "eps")).unwrap();
        assert_encloses(bounds, &truth(&case, "delta"), 1e-28, 1e-9, &case);
    }
}

/// `sum over outcomes of (P - e^epsilon Q)+` for k draws, to 300 bits.
fn enumerate(weights: &[(u32, u32)], count: u32, epsilon: f64, rate: Option<(u32, u32)>, add: bool) -> Float {
    let totals = weights.iter().fold((0, 0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    let ratio = |x: u32, y: u32| Rational::from((x, y));
    let pairs: Vec<(Rational, Rational)> = weights
        .iter()
        .map(|(p, q)| {
            let (p, q) = (ratio(*p, totals.0), ratio(*q, totals.1));
            let p = rate.map_or_else(|| p.clone(), |(x, y)| (&p * ratio(x, y)) + (&q * ratio(y - x, y)));
            if add { (q, p) } else { (p, q) }
        })
        .collect();
    let mut laws = vec![(Rational::from(1), Rational::from(1))];
    for _ in 0..count {
        laws = laws
            .iter()
            .flat_map(|(x, y)| pairs.iter().map(move |(p, q)| (Rational::from(x * p), Rational::from(y * q))))
            .collect();
    }
    let growth = Float::with_val(300, epsilon).exp();
    laws.iter().fold(Float::with_val(300, 0), |sum, (p, q)| {
        let excess = Float::with_val(300, p) - Float::with_val(300, q) * &growth;
        if excess > 0 { sum + excess } else { sum }
    })
}

#[test]
fn small_laws_by_enumeration() {
    let laws: [&[(u32, u32)]; 4] =
        [&[(3, 1), (1, 3)], &[(4, 1), (2, 2), (1, 4)], &[(5, 3), (1, 1), (2, 7)], &[(6, 5), (0, 2), (1, 0)]];
    let mut exact = 0;
    for weights in laws {
        let floats: Vec<_> = weights.iter().map(|(p, q)| (f64::from(*p), f64::from(*q))).collect();
        let whole = P::discrete(&floats).unwrap();
        for count in [1u32, 2, 6] {
            for epsilon in [0.0, 0.1, 0.75, 2.0] {
                for rate in [None, Some((1, 4))] {
                    let one = rate.map_or_else(|| whole.clone(), |_| whole.poisson_sampled(0.25).unwrap());
                    let all = one.repeat(u64::from(count)).unwrap();
                    for (direction, add) in [(Direction::Remove, false), (Direction::Add, true)] {
                        let truth = enumerate(weights, count, epsilon, rate, add);
                        let bounds = all.delta_in_direction(epsilon, direction);
                        let name = format!("{weights:?} {count} {epsilon} {rate:?} {add}");
                        assert!(bounds.lower <= truth && truth <= bounds.upper, "{name}: {bounds:?} {truth:.20}");
                        assert!(bounds.upper - bounds.lower <= 3e-3, "{name}: {bounds:?} {truth:.20}");
                        exact += u32::from(bounds.upper - bounds.lower <= 1e-11);
                    }
                }
            }
        }
    }
    // Those of two outcomes, and of three whose losses are evenly spaced.
    assert!(exact > 60, "{exact}");
}

#[test]
fn discrete_laplace_and_responses_by_enumeration() {
    // Scale 1/ln 2: the weights are powers of two, as near as a float comes.
    let scale = 1.0 / std::f64::consts::LN_2;
    let one = P::discrete_laplace(Scale(scale), 2).unwrap().repeat(4).unwrap();
    // Below or at 0, 1, at or above 2: 2/3, 1/6, 1/6 against the same mirrored.
    let truth = enumerate(&[(4, 1), (1, 1), (1, 4)], 4, 0.3, None, false).to_f64();
    let bounds = one.delta(0.3).unwrap();
    assert!(
        (bounds.lower / truth - 1.0).abs() < 1e-12 && (bounds.upper / truth - 1.0).abs() < 1e-12,
        "{bounds:?} {truth}"
    );
    let one = P::randomized_response(3f64.ln(), 4).unwrap().repeat(4).unwrap();
    let truth = enumerate(&[(3, 1), (1, 3), (1, 1), (1, 1)], 4, 0.3, None, false).to_f64();
    let bounds = one.delta(0.3).unwrap();
    assert!(
        (bounds.lower / truth - 1.0).abs() < 1e-12 && (bounds.upper / truth - 1.0).abs() < 1e-12,
        "{bounds:?} {truth}"
    );
}

#[test]
fn infinite_losses_add_up() {
    // 100 times (1, 1e-8): the truth is that of the optimal composition.
    let all = P::approximate(Epsilon(1.0), Delta(1e-8)).unwrap().repeat(100).unwrap();
    for epsilon in [10.0, 50.0, 79.0] {
        let optimal = crate::optimal_composition_delta(100, Epsilon(1.0), Delta(1e-8), Epsilon(epsilon)).unwrap();
        let bounds = all.delta(epsilon).unwrap();
        assert!(bounds.lower <= optimal && optimal <= bounds.upper * (1.0 + 1e-13), "{bounds:?} {optimal}");
        assert!(bounds.upper - bounds.lower < optimal * 1e-11);
    }
    let epsilon = all.epsilon(1e-5).unwrap();
    assert!(79.89 < epsilon.lower && epsilon.upper < 79.9 && epsilon.upper - epsilon.lower < 1e-8, "{epsilon:?}");
    assert!(all.epsilon(1e-7).is_err());
    assert_eq!(P::approximate(Epsilon(1.0), Delta(1.0)).unwrap().delta(3.0), Ok(Bounds { lower: 1.0, upper: 1.0 }));
}

#[test]
fn bounded_ranges_attain_the_supremum() {
    for eta in [0.1, 1.0, 5.0] {
        for epsilon in [0.0, 0.3 * eta, 0.9 * eta] {
            let root = (Float::with_val(200, epsilon - eta) / 2u32).exp();
            let whole = Float::with_val(200, -eta).exp_m1();
            let truth = -Float::with_val(200, 1u32 - root).square() / whole;
            let bounds = P::bounded_range(eta).unwrap().delta(epsilon).unwrap();
            assert_encloses(bounds, &truth, 1e-15, 1e-3, &eta);
        }
    }
}

#[test]
fn fixed_sizes_lie_between() {
    // Once: the curve of the pair above zero, which is that of removing from a Poisson sample.
    let (fixed, poisson) =
        (P::fixed_size_gaussian(Sigma(1.0), Rate(0.1)).unwrap(), P::poisson_gaussian(Sigma(1.0), Rate(0.1)).unwrap());
    for epsilon in [0.0, 0.2, 1.0] {
        let (x, y) = (fixed.delta(epsilon).unwrap(), poisson.delta_in_direction(epsilon, Direction::Remove));
        assert!(x.lower <= y.upper && y.lower <= x.upper && x.upper - x.lower < 1e-3 * x.upper, "{x:?} {y:?}");
    }
    // Composed: at least either direction of the Poisson pair, as the loss is at least theirs.
    let (fixed, poisson) = (fixed.repeat(50).unwrap(), poisson.repeat(50).unwrap());
    let (x, y) = (fixed.delta(1.0).unwrap(), poisson.delta(1.0).unwrap());
    assert!(x.lower >= y.lower * 0.999 && x.upper - x.lower < 0.01 * x.upper, "{x:?} {y:?}");
}

#[test]
fn two_roads_agree() {
    let parts = [
        P::poisson_gaussian(Sigma(1.5), Rate(0.1)).unwrap().repeat(200).unwrap(),
        P::gaussian(Sigma(4.0)).unwrap().repeat(3).unwrap(),
        P::gaussian(Sigma(4.0)).unwrap().compose(&P::laplace(Scale(3.0)).unwrap()).unwrap(),
        P::gaussian(Sigma(6.0)).unwrap().compose(&P::bounded_range(0.4).unwrap().repeat(5).unwrap()).unwrap(),
        P::gaussian(Sigma(6.0)).unwrap().compose(&P::discrete(&[(4.0, 1.0), (2.0, 2.3), (1.0, 4.0)]).unwrap()).unwrap(),
        P::gaussian(Sigma(6.0)).unwrap().compose(&P::pure(0.3).unwrap().poisson_sampled(0.3).unwrap()).unwrap(),
        P::bounded_range(0.4).unwrap().repeat(12).unwrap(),
        P::bounded_range(0.05).unwrap().repeat(700).unwrap(),
        P::laplace(Scale(12.0)).unwrap().repeat(3_000).unwrap().compose(&P::bounded_range(0.3).unwrap()).unwrap(),
    ];
    for all in parts {
        for direction in [Direction::Remove, Direction::Add] {
            let losses = losses(&all, direction);
            for epsilon in [0.0, 0.5, 2.0] {
                let (x, y) = (smooth(&losses, epsilon).unwrap(), discretized(&losses, epsilon));
                assert!(x.lower <= y.upper && y.lower <= x.upper, "{all} {epsilon}: {x:?} {y:?}");
                assert!(x.upper - x.lower <= 1e-9 * x.upper, "{all} {epsilon}: {x:?}");
                assert!(y.upper - y.lower <= 0.02 * x.upper, "{all} {epsilon}: {y:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn smooth_and_gridded_agree_anywhere(
        sigma in 0.5f64..8.0, rate in 0.01f64..0.9, count in 60u64..2000, scale in 0.5f64..30.0, deviations in 0.0f64..6.0, add: bool,
    ) {
        let all = P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(count).unwrap();
        let all = all.compose(&P::laplace(Scale(scale)).unwrap().repeat(2).unwrap()).unwrap();
        let losses = losses(&all, if add { Direction::Add } else { Direction::Remove });
        let epsilon = deviations * rate / sigma * f64::from(u32::try_from(count).unwrap()).sqrt();
        let fine = smooth(&losses, epsilon).unwrap_or(Bounds { lower: 0.0, upper: 1.0 });
        let coarse = discretized(&losses, epsilon);
        prop_assert!(fine.lower <= coarse.upper && coarse.lower <= fine.upper, "{:?} {:?}", fine, coarse);
    }
}

#[test]
fn control_of_the_wrong_direction_is_caught() {
    let mut caught = 0;
    for case in cases("dpsgd") {
        if case["fn"] == "pld_delta" {
            let all = distribution(&case).0;
            caught +=
                u32::from(all.delta_in_direction(number(&case, "eps"), Direction::Add).upper < truth(&case, "delta"));
        }
    }
    assert!(caught >= 15, "{caught}");
}

#[test]
fn mixture_references() {
    references("mixtures", 1e-10);
    references("mixtures_twice", 1e-3);
}

/// With the neighbors in the wrong order bounds are wrong.
#[test]
fn control_that_exchanges_mixtures_is_caught() {
    let mut caught = 0;
    for case in cases("mixtures").into_iter().chain(cases("mixtures_twice")) {
        let (all, direction) = distribution(&case);
        let other = if direction == Direction::Remove { Direction::Add } else { Direction::Remove };
        let (bounds, truth) = (all.delta_in_direction(number(&case, "eps"), other), truth(&case, "delta"));
        caught += u32::from(bounds.upper < truth || bounds.lower > truth);
    }
    assert!(caught >= 35, "{caught}");
}

/// A mixture of nothing and of one amount is noise on a Poisson sample, which is integrated along contours.
#[test]
fn mixtures_of_one_amount_are_poisson_samples() {
    for (sigma, rate, count, epsilon) in
        [(1.0, 0.125, 1, 1.0), (2.0, 0.25, 2, 0.5), (1.0, 0.015_625, 30, 1.0), (1.5, 0.007_812_5, 2_000, 0.7)]
    {
        let mixture = P::mixture_gaussian(Sigma(2.0 * sigma), &[(0.0, 1.0 - rate), (2.0, rate)]).unwrap();
        let sample = P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap();
        for direction in [Direction::Remove, Direction::Add] {
            let [found, truth] =
                [&mixture, &sample].map(|one| one.repeat(count).unwrap().delta_in_direction(epsilon, direction));
            let name = format!("{sigma} {rate} {count} {direction:?}: {found:?} {truth:?}");
            assert!(found.lower <= truth.upper && truth.lower <= found.upper, "{name}");
            // Two steps are put on a grid.
            let width = if count == 2 { 1e-3 } else { 1e-6 };
            assert!(found.upper - found.lower <= width * found.upper, "{name}");
        }
        let one = P::poisson_gaussian_records(Sigma(sigma), Rate(rate), 1).unwrap().delta(epsilon).unwrap();
        let truth = sample.delta(epsilon).unwrap();
        assert!(one.upper >= truth.lower && one.lower <= truth.upper * (1.0 + 1e-12), "{one:?} {truth:?}");
    }
}

/// More records lose more, beside other releases too, and no more than noise on all of them.
#[test]
fn individuals_of_several_records() {
    let delta = |records| {
        let training = P::poisson_gaussian_records(Sigma(4.0), Rate(0.05), records).unwrap().repeat(100).unwrap();
        let all = training.compose(&P::gaussian(Sigma(5.0)).unwrap()).unwrap();
        all.compose(&P::pure(0.1).unwrap()).unwrap().delta(1.0).unwrap()
    };
    let found = [1, 2, 4, 8].map(delta);
    for pair in found.windows(2) {
        assert!(pair[0].upper < pair[1].lower, "{found:?}");
    }
    for bounds in found {
        assert!(bounds.upper - bounds.lower < 1e-6 * bounds.upper, "{found:?}");
    }
    let all = P::poisson_gaussian_records(Sigma(4.0), Rate(1.0), 8).unwrap();
    assert!(
        all.delta(1.0).unwrap().upper <= P::gaussian(Sigma(0.5)).unwrap().delta(1.0).unwrap().upper * (1.0 + 1e-12)
    );
    for (rate, records) in [(1e-300, 1), (1e-300, 1024), (1.0 - 1e-16, 1024), (0.5, 1024), (1e-9, 1024)] {
        let one = P::poisson_gaussian_records(Sigma(1e3), Rate(rate), records).unwrap();
        let bounds = one.delta(0.01).unwrap();
        assert!(bounds.lower <= bounds.upper && bounds.upper < 1.0, "{rate} {records}: {bounds:?}");
    }
}

/// Amounts in two dimensions, in different directions: a mixture along one line loses no less. With amounts that are a
/// tenth shorter it would.
#[test]
fn amounts_in_several_dimensions_lose_no_more() {
    let amounts: [([f64; 2], f64); 4] = [([0.0, 0.0], 0.7), ([1.0, 0.0], 0.1), ([0.8, 0.6], 0.1), ([1.9, 0.3], 0.1)];
    let (step, half) = (0.04, 250i32);
    let delta = |epsilon: f64, turned: bool| {
        let mut sum = 0.0;
        for (i, j) in (-half..=half).flat_map(|i| (-half..=half).map(move |j| (i, j))) {
            let (x, y) = (f64::from(i) * step, f64::from(j) * step);
            let part = |([a, b], weight): &([f64; 2], f64)| weight * (a * x + b * y - (a * a + b * b) / 2.0).exp();
            let ratio: f64 = amounts.iter().map(part).sum();
            let excess = if turned { 1.0 - epsilon.exp() * ratio } else { ratio - epsilon.exp() };
            sum += excess.max(0.0) * (-(x * x + y * y) / 2.0).exp();
        }
        sum * step * step / std::f64::consts::TAU
    };
    let on_line = |shrunk: f64| {
        let lengths = amounts.map(|([a, b], weight)| (a.hypot(b) * shrunk, weight));
        P::mixture_gaussian(Sigma(1.0), &lengths).unwrap()
    };
    for (direction, turned) in [(Direction::Remove, false), (Direction::Add, true)] {
        for epsilon in [0.1, 0.3] {
            let truth = delta(epsilon, turned);
            let [bound, control] = [1.0, 0.9].map(|shrunk| on_line(shrunk).delta_in_direction(epsilon, direction));
            assert!(truth <= bound.upper * (1.0 + 1e-3), "{epsilon} {turned}: {truth} {bound:?}");
            assert!(truth > control.upper * (1.0 + 1e-3), "{epsilon} {turned}: {truth} {control:?}");
        }
    }
}

/// The Laplace distribution with the mass of each cell moved to one of its ends.
fn one_ended(scale: f64, parts: u32, upper_end: bool) -> LatticeLoss {
    let law = FiniteLoss::Exponential(Exponential::Laplace { scale });
    let step = Rational::from_f64(scale).unwrap().recip() * 2u32 / parts;
    let mut found = discretize(&law, &step, -115.0).unwrap().above;
    let LatticeKind::Table { first, masses, .. } = &found.kind else { panic!("a table") };
    // The atoms at both ends stay, the inner ones take what is half a cell away.
    let moved: Vec<f64> = (0..masses.len())
        .map(|i| {
            let at = |i: Option<usize>| i.and_then(|i| masses.get(i)).copied().unwrap_or(0.0);
            let other = if upper_end { i.checked_sub(1) } else { Some(i + 1) };
            let inner = |x: Option<usize>| {
                if x.is_some_and(|x| x > 1 && u32::try_from(x).unwrap() <= parts) { at(x) } else { 0.0 }
            };
            at(Some(i)) - inner(Some(i)) / 2.0 + inner(other) / 2.0
        })
        .collect();
    found.kind = LatticeKind::table(*first, moved);
    found
}

#[test]
fn control_that_rounds_losses_down_is_caught() {
    // 30 times Laplace noise of scale 3, from a coarse grid: rounded the wrong way, delta is below the truth.
    let truth = 0.314_352_591_438_623_5;
    let control = [(FiniteLoss::Lattice(one_ended(3.0, 64, false)), 30)];
    assert!(lattice(&control, 1.5).unwrap().upper < truth);
    let above = [(FiniteLoss::Lattice(one_ended(3.0, 64, true)), 30)];
    assert!(lattice(&above, 1.5).unwrap().upper > truth);
    let honest = P::laplace(Scale(3.0)).unwrap().repeat(30).unwrap().delta(1.5).unwrap();
    assert!(honest.lower <= truth && truth <= honest.upper);
}

#[test]
fn control_that_drops_a_tail_is_caught() {
    // A Gaussian distribution truncated four deviations out, the rest neither kept nor charged.
    let loss = FiniteLoss::Gaussian { sigma: 1.0 };
    let step = Rational::from((1, 512));
    let honest = discretize(&loss, &step, -115.0).unwrap();
    let LatticeKind::Table { first, masses, .. } = &honest.above.kind else { panic!("a table") };
    let truncation = usize::try_from(4 * 512 + 256 - first).unwrap();
    let kind = LatticeKind::table(*first, masses[..truncation].to_vec());
    let control = [(FiniteLoss::Lattice(LatticeLoss { kind, ..honest.above.clone() }), 1)];
    let whole = [(FiniteLoss::Lattice(honest.above), 1)];
    let truth = crate::gaussian_delta(Mu(1.0), Epsilon(4.0)).unwrap();
    assert!(lattice(&control, 4.0).unwrap().upper < truth);
    assert!(lattice(&whole, 4.0).unwrap().upper >= truth * (1.0 - 1e-12));
}

#[test]
fn extremes_end_in_valid_bounds() {
    let valid = |bounds: Bounds| bounds.lower >= 0.0 && bounds.lower <= bounds.upper;
    for sigma in [1e-3, 0.05, 1.0, 1e6] {
        for rate in [1e-9, 1e-4, 0.5] {
            for count in [1, 1000, 10_000_000] {
                let all = P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(count).unwrap();
                for epsilon in [0.0, 1.0, 100.0] {
                    let delta = all.delta(epsilon).unwrap();
                    assert!(valid(delta) && delta.upper <= 1.0, "{all} {epsilon}: {delta:?}");
                }
            }
        }
    }
    for all in [
        P::gaussian(Sigma(1e-3)),
        P::laplace(Scale(1e-3)),
        P::laplace(Scale(1e6)),
        P::bounded_range(600.0),
        P::discrete_gaussian(Sigma(0.01), 1),
    ] {
        let all = all.unwrap().repeat(10_000_000).unwrap();
        assert!(valid(all.delta(1.0).unwrap()) && valid(all.epsilon(1e-9).unwrap()), "{all}");
    }
    assert_eq!(P::none().delta(0.0), Ok(Bounds { lower: 0.0, upper: 0.0 }));
    assert_eq!(P::none().epsilon(1e-9), Ok(Bounds { lower: 0.0, upper: 0.0 }));
    for bad in [f64::NAN, -1.0] {
        assert!(P::none().delta(bad).is_err() && P::none().epsilon(bad).is_err());
    }
    assert!(P::pure(1.0).unwrap().epsilon(0.0).is_err());
}

/// Beyond 10^6 nothing is looked at, however far beyond an epsilon is: a map must not fall again.
#[test]
fn epsilons_too_great_to_be_looked_at_are_infinite() {
    let epsilon = |sigma| P::gaussian(Sigma(sigma)).unwrap().epsilon(1e-9).unwrap();
    assert!((2e4..3e4).contains(&epsilon(5e-3).upper));
    for sigma in [7e-4, 1e-6, 1e-12, 1e-50] {
        let bounds = epsilon(sigma);
        assert!(bounds.upper == f64::INFINITY && bounds.lower <= 1e6, "{sigma}: {bounds:?}");
    }
}

#[test]
fn calibrated_on_the_safe_side() {
    let sigma = P::calibrate_sigma(Rate(0.01), 1000, Epsilon(2.124_515_171_120_121), Delta(1e-6)).unwrap();
    // The reference at sigma = 1 has this epsilon.
    assert!((1.0..1.000_001).contains(&sigma), "{sigma}");
    let rate = P::calibrate_rate(Sigma(1.0), 1000, Epsilon(2.124_515_171_120_121_5), Delta(1e-6)).unwrap();
    assert!(rate <= 0.010_000_000_001 && rate > 0.009_999_9, "{rate}");
    let steps = P::calibrate_steps(Sigma(1.0), Rate(0.01), Epsilon(2.124_52), Delta(1e-6)).unwrap();
    assert_eq!(steps, 1000);
    assert!(P::calibrate_sigma(Rate(0.01), 0, Epsilon(1.0), Delta(1e-6)).is_err());
    assert!(P::calibrate_sigma(Rate(0.01), 10, Epsilon(1.0), Delta(0.0)).is_err());
    assert!(P::calibrate_sigma(Rate(1.5), 10, Epsilon(1.0), Delta(1e-6)).is_err());
    assert!(P::calibrate_rate(Sigma(f64::NAN), 10, Epsilon(1.0), Delta(1e-6)).is_err());
    assert!(P::calibrate_steps(Sigma(0.1), Rate(0.5), Epsilon(0.001), Delta(1e-9)).is_err());
}

/// From epsilons and deltas that are known to 25 digits, and a float says to 16: never less noise, nor a higher rate,
/// nor more steps than what they are of.
#[test]
fn calibration_finds_what_references_are_of() {
    let mut seen = 0;
    for case in cases("dpsgd") {
        let [one] = case["components"].as_array().unwrap().as_slice() else { continue };
        let (epsilon, delta) = match case["fn"].as_str().unwrap() {
            "pld_eps" => (truth(&case, "eps").to_f64(), number(&case, "delta")),
            _ => (number(&case, "eps"), truth(&case, "delta").to_f64()),
        };
        let (sigma, rate, steps) = (number(one, "sigma"), number(one, "q"), one["count"].as_u64().unwrap());
        let budget = (Epsilon(epsilon), Delta(delta));
        let found = P::calibrate_sigma(Rate(rate), steps, budget.0, budget.1).unwrap() / sigma;
        assert!((1.0 - 1e-12..1.0 + 1e-6).contains(&found), "{case}: {found}");
        let found = P::calibrate_rate(Sigma(sigma), steps, budget.0, budget.1).unwrap() / rate;
        assert!((1.0 - 1e-6..1.0 + 1e-12).contains(&found), "{case}: {found}");
        let found = P::calibrate_steps(Sigma(sigma), Rate(rate), budget.0, budget.1).unwrap();
        // All but a million steps to the step, or the next.
        assert!(found <= steps && steps - found <= if steps < 1_000_000 { 1 } else { 100 }, "{case}: {found}");
        seen += 1;
    }
    assert_eq!(seen, 47);
}

/// Near the least floats logarithms of delta tell little, and halves do; and looks are long, so that few are taken.
#[test]
fn calibrated_near_the_least_floats() {
    for delta in [1e-290, 1e-299, 1e-300, 1e-305] {
        let sigma = P::calibrate_sigma(Rate(0.01), 1000, Epsilon(2.0), Delta(delta)).unwrap();
        let at = |sigma| {
            P::poisson_gaussian(Sigma(sigma), Rate(0.01)).unwrap().repeat(1000).unwrap().delta(2.0).unwrap().upper
        };
        assert!(at(sigma) <= delta && at(sigma * (1.0 - 2e-2)) > delta, "{delta:e}: {sigma}");
    }
}

#[test]
fn small_rates_over_few_steps() {
    // A few large losses weigh on the saddle point.
    let all = P::poisson_gaussian(Sigma(1.0), Rate(1e-4)).unwrap().repeat(10_000).unwrap();
    for epsilon in [0.01, 0.05] {
        let bounds = all.delta(epsilon).unwrap();
        assert!(bounds.lower > 0.0 && bounds.upper - bounds.lower < 1e-3 * bounds.upper, "{bounds:?}");
    }
}

/// Two steps are one after the other: the mean of one step's delta, which has a closed form, over the other's loss.
#[test]
fn two_steps_by_the_law_of_one() {
    for (sigma, rate) in [(1.0, 0.1), (5.0, 0.1), (2.0, 0.02), (0.8, 0.3), (0.7, 1e-3), (1.0, 1e-2)] {
        let one = P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap();
        let two = one.repeat(2).unwrap();
        let middle = |bounds: Bounds| bounds.lower / 2.0 + bounds.upper / 2.0;
        for (direction, other) in [(Direction::Remove, Direction::Add), (Direction::Add, Direction::Remove)] {
            let alone = |epsilon: f64| {
                if epsilon >= 0.0 {
                    middle(one.delta_in_direction(epsilon, direction))
                } else {
                    -epsilon.exp_m1() + epsilon.exp() * middle(one.delta_in_direction(-epsilon, other))
                }
            };
            for epsilon in [0.05, 0.3, 1.0] {
                // One step's delta changes within the rate.
                let is_small = rate < 0.02;
                if is_small && (direction == Direction::Add || epsilon < 0.1) {
                    continue;
                }
                let parts: i32 = if is_small { 5000 } else { 256 };
                let step = 1.0 / f64::from(parts);
                let mean: f64 = (-9 * parts..13 * parts)
                    .map(|i| {
                        let y = f64::from(i) * step;
                        let log_g = (rate * (y / sigma - 0.5 / sigma / sigma).exp_m1()).ln_1p();
                        let (weight, loss) =
                            if direction == Direction::Remove { (log_g, log_g) } else { (0.0, -log_g) };
                        (weight - y * y / 2.0).exp() * alone(epsilon - loss)
                    })
                    .sum();
                let truth = mean * step / std::f64::consts::TAU.sqrt();
                let bounds = two.delta_in_direction(epsilon, direction);
                let close = truth * 1e-9 + 1e-18;
                assert!(
                    bounds.lower <= truth + close && truth <= bounds.upper + close,
                    "{sigma} {rate} {direction:?} {epsilon}: {bounds:?} {truth:e}"
                );
                let width = if is_small { 1e-6 } else { 1e-2 };
                assert!(
                    bounds.upper < 1e-15 || bounds.upper - bounds.lower < width * bounds.upper,
                    "{sigma} {rate} {direction:?} {epsilon}: {bounds:?}"
                );
            }
        }
    }
}

/// A loss that is infinite but for a probability below the last place of 1 is not certain, and not nothing either.
#[test]
fn an_almost_certain_infinite_loss_is_charged() {
    for rest in [1e-10, 1e-17, 1e-20, 1e-150] {
        let disjoint = P::discrete(&[(1.0, 0.0), (rest, rest), (0.0, 1.0)]).unwrap();
        let other = P::discrete(&[(1.0, 0.0), (rest, 1.0)]).unwrap();
        let mixed =
            disjoint.compose(&P::poisson_gaussian(Sigma(1.0), Rate(0.01)).unwrap().repeat(1000).unwrap()).unwrap();
        for all in [disjoint.clone(), disjoint.repeat(100).unwrap(), other, mixed] {
            for epsilon in [0.0, 1.0, 50.0] {
                let delta = all.delta(epsilon).unwrap();
                assert!(delta.upper >= 1.0 - 1e-9 && delta.lower >= 1.0 - 1e-6, "{rest:e} {epsilon}: {delta:?}");
            }
            let epsilon = all.epsilon(1e-6);
            assert!(epsilon.as_ref().map_or(true, |epsilon| epsilon.upper == f64::INFINITY), "{epsilon:?}");
        }
    }
}

/// A parameter is returned as the float at which it was seen to do, also where its logarithm does not give it back.
#[test]
fn what_calibration_returns_was_seen_to_do() {
    for (sigma, rate) in [(4.0, 0.1), (4.0, 0.00625), (2.0, 0.1)] {
        let wanted =
            P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(3).unwrap().delta(0.1).unwrap().upper;
        let found = P::calibrate_rate(Sigma(sigma), 3, Epsilon(0.1), Delta(wanted)).unwrap();
        let reached =
            P::poisson_gaussian(Sigma(sigma), Rate(found)).unwrap().repeat(3).unwrap().delta(0.1).unwrap().upper;
        assert!(reached <= wanted, "{sigma} {rate}: {found} {reached:e} {wanted:e}");
        let found = P::calibrate_sigma(Rate(rate), 3, Epsilon(0.1), Delta(wanted)).unwrap();
        let reached =
            P::poisson_gaussian(Sigma(found), Rate(rate)).unwrap().repeat(3).unwrap().delta(0.1).unwrap().upper;
        assert!(reached <= wanted, "{sigma} {rate}: {found} {reached:e} {wanted:e}");
    }
}

/// Integers that are far apart: the continuous noise that stands for theirs dominates it, and is hardly more; what is
/// not a little wider does not dominate.
#[test]
fn laplace_noise_on_integers_that_are_far_apart() {
    let mut caught = 0;
    for (scale, sensitivity) in [(0.2, 1), (0.7, 3), (1.0, 5), (3.0, 40), (12.5, 7), (80.0, 4096)] {
        let discrete = P::discrete_laplace(Scale(scale), sensitivity).unwrap();
        let stands = |more: f64| P::laplace(Scale(scale / (f64::from(sensitivity) + more))).unwrap();
        let more = (0.25 / scale).min(1.0);
        for share in [0.0, 0.3, 0.61, 0.9, 0.999, 1.1] {
            let epsilon = share * f64::from(sensitivity) / scale;
            let (exact, above) = (discrete.delta(epsilon).unwrap(), stands(more).delta(epsilon).unwrap());
            assert!(exact.lower <= above.upper, "{scale} {sensitivity} {epsilon}: {exact:?} {above:?}");
            caught += u32::from(exact.lower > stands(0.0).delta(epsilon).unwrap().upper);
        }
    }
    assert!(caught >= 8, "{caught}");
    let far = |sensitivity: u32| P::discrete_laplace(Scale(20_000.0), sensitivity).unwrap().repeat(30).unwrap();
    let (last, first) = (far(65_536).epsilon(1e-6).unwrap(), far(65_537).epsilon(1e-6).unwrap());
    assert!(last.lower <= first.upper && first.upper < last.upper * 1.0001, "{last:?} {first:?}");
    assert!(far(u32::MAX).delta(1e3).unwrap().lower > 0.9);
    assert!(P::discrete_laplace(Scale(1.0), 0).is_err());
}

/// Discrete Gaussian noise that is too wide to look at atom by atom is near continuous noise, alone and beside others;
/// what needs atoms says that it does not know.
#[test]
fn wide_discrete_gaussian_noise() {
    for (sigma, sensitivity) in [(5000.0, 777), (1e6, 100_000), (1e9, 4_000_000_000)] {
        let discrete = P::discrete_gaussian(Sigma(sigma), sensitivity).unwrap();
        let continuous = P::gaussian(Sigma(sigma / f64::from(sensitivity))).unwrap();
        for others in [P::none(), P::laplace(Scale(30.0)).unwrap(), P::pure(0.01).unwrap()] {
            let with = |one: &P| one.repeat(20).unwrap().compose(&others).unwrap().epsilon(1e-6).unwrap();
            let (found, near) = (with(&discrete), with(&continuous));
            assert!(found.upper - found.lower < 1e-6 * found.upper, "{sigma}: {found:?}");
            assert!((found.upper - near.upper).abs() < 1e-6 * near.upper, "{sigma}: {found:?} {near:?}");
        }
    }
    let wide = P::discrete_gaussian(Sigma(5000.0), 1).unwrap();
    let FiniteLoss::Lattice(law) = losses(&wide, Direction::Remove).remove(0).0 else { panic!() };
    assert!(law.losses().is_none());
    assert!(P::discrete_gaussian(Sigma(1e13), 1).is_err() && P::discrete_gaussian(Sigma(1.0), 0).is_err());
}

/// A grid may know an upper bound alone: that is more than nothing, and was lost where bounds were chosen by how far
/// they are apart.
#[test]
fn a_grid_that_knows_an_upper_bound_is_kept() {
    let (sigma, rate) = (Sigma(0.539_445_269_409_003_7), Rate(2.055_592_813_289_983_6e-8));
    let all = P::poisson_gaussian(sigma, rate).unwrap().repeat(643).unwrap();
    assert!(all.delta(2.940_028_301_800_720_6e-3).unwrap().upper < 2e-12);
}

/// Vectors of a looseness: where delta at 0 is below what is asked for, epsilon is 0, and not as little as 1e-56.
#[test]
fn epsilon_is_zero_where_delta_is_less() {
    for (sigma, rate, steps, delta) in [
        (0.984_338_843_112_398_4, 1.064_337_376_024_936_4e-6, 20_433, 1.583_771_514_473_388_7e-4),
        (0.733_227_865_669_655, 1.285_377_494_606_955_8e-6, 22_589, 2.898_373_049_241_994e-4),
    ] {
        let all = P::fixed_size_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap();
        assert_eq!(all.epsilon(delta).unwrap().upper, 0.0);
        assert!(all.delta(0.0).unwrap().upper < delta);
        let less = all.delta(0.0).unwrap().lower * 0.999;
        assert!(all.epsilon(less).unwrap().lower > 0.0);
    }
}
