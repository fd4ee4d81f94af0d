//! Families with exact compositions beside references: enclosures contain the truth and are narrow.
#![allow(clippy::as_conversions)] // numbers of cells

use crate::common::{BITS, cases, number, truth};
use indistinct_accounting::{
    Delta, Epsilon, Fallible, PrivacyLossDistribution, Rate, Scale, Sigma, optimal_composition_delta,
};
use indistinct_numeric::enclosure::Bounds;
use proptest::prelude::*;
use rug::{Float, Integer, ops::Pow};
use serde_json::Value;

type P = PrivacyLossDistribution;

fn repeated(one: P, count: u32) -> Fallible<P> {
    if count == 0 { Ok(P::none()) } else { one.repeat(u64::from(count)) }
}

fn laplace(count: u32, epsilon: f64) -> Fallible<P> {
    repeated(P::laplace(Scale(epsilon.recip()))?, count)
}

fn gaussian(count: u32, mu: f64) -> Fallible<P> {
    repeated(P::gaussian(Sigma(mu.recip()))?, count)
}

fn pure(count: u32, epsilon: f64) -> Fallible<P> {
    repeated(P::pure(epsilon)?, count)
}

fn approximate(parts: &[(u32, f64, f64)]) -> Fallible<P> {
    parts.iter().try_fold(P::none(), |all, &(count, epsilon, delta)| {
        all.compose(&repeated(P::approximate(Epsilon(epsilon), Delta(delta))?, count)?)
    })
}

/// Both sides of the truth, and no further apart than this share of it.
fn encloses(bounds: Bounds, truth: &Float, tolerance: f64) -> bool {
    encloses_up_to(bounds, truth, 1e-29, tolerance)
}

/// The same for a truth that is known up to a share of it.
fn encloses_up_to(bounds: Bounds, truth: &Float, error: f64, tolerance: f64) -> bool {
    let slack = Float::with_val(BITS, truth.abs_ref()) * error;
    let width = Float::with_val(BITS, bounds.upper) - bounds.lower;
    bounds.lower <= Float::with_val(BITS, truth + &slack)
        && bounds.upper >= Float::with_val(BITS, truth - &slack)
        && (width <= Float::with_val(BITS, truth * tolerance) || bounds.lower.next_up() >= bounds.upper)
}

fn count(component: &Value) -> u32 {
    u32::try_from(component["count"].as_u64().unwrap()).unwrap()
}

/// Whatever is asked of a composition in a case, or its inverse.
fn check(case: &Value, composition: &P, tolerance: f64) {
    if case["truth"]["eps"].is_string() {
        let bounds = composition.epsilon(number(case, "delta")).unwrap();
        assert!(encloses(bounds, &truth(case, "eps"), tolerance), "{case}: {bounds:?}");
    } else {
        let epsilon = number(case, "eps");
        let bounds = composition.delta(epsilon).unwrap();
        assert!(encloses(bounds, &truth(case, "delta"), tolerance), "{case}: {bounds:?}");
        // There and back: what gives this delta lies around epsilon.
        let back = composition.epsilon(bounds.upper).unwrap();
        assert!(
            back.lower <= epsilon
                && back.upper >= epsilon * (1.0 - 1e-11)
                && back.upper - back.lower <= 1e-10 * epsilon.max(1e-3),
            "{case}: {back:?}"
        );
    }
}

#[test]
fn gaussian_references() {
    for case in cases("families", "gaussian_k") {
        let component = &case["components"][0];
        let one = P::gaussian(Sigma(number(component, "sigma"))).unwrap();
        check(&case, &repeated(one, count(component)).unwrap(), 1e-12);
    }
}

/// How near bounds on delta of several Laplace releases are promised to be.
const LAPLACE: f64 = 1e-4;
/// What the truth is off by, relatively, where a scale is a rounded inverse.
const ROUNDED_SCALE: f64 = 3e-12;

#[test]
fn laplace_references() {
    for case in cases("families", "laplace_k") {
        let component = &case["components"][0];
        let own = 1.0 / number(component, "b");
        let bounds = laplace(count(component), own).unwrap().delta(number(&case, "eps")).unwrap();
        // The inverse of a scale is a float, or else the reference is for a scale that is not the float's inverse.
        let is_exact = own.recip() == number(component, "b") && own.log2().fract() == 0.0;
        let error = if is_exact { 1e-29 } else { ROUNDED_SCALE };
        assert!(encloses_up_to(bounds, &truth(&case, "delta"), error, LAPLACE), "{case}: {bounds:?}");
    }
    for case in cases("families", "laplace") {
        let own = 1.0 / number(&case, "b");
        let bounds = laplace(1, own).unwrap().delta(number(&case, "eps")).unwrap();
        let truth = truth(&case, "delta");
        let close =
            (Float::with_val(BITS, bounds.upper) - &truth).abs() <= Float::with_val(BITS, &truth * 1e-12) + own * 1e-15;
        assert!(close, "{case}: {bounds:?}");
    }
}

#[test]
fn randomized_response_references() {
    for case in cases("families", "rr_k") {
        let component = &case["components"][0];
        check(&case, &pure(count(component), number(component, "eps0")).unwrap(), 1e-12);
    }
    for case in cases("families", "rr") {
        check(&case, &pure(1, number(&case, "eps0")).unwrap(), 1e-12);
    }
}

#[test]
fn one_step_on_a_sample() {
    for case in cases("families", "one_step") {
        let at = |sigma: f64| {
            indistinct_accounting::sampled_gaussian_delta(
                Sigma(sigma),
                Rate(number(&case, "q")),
                Epsilon(number(&case, "eps")),
            )
            .unwrap()
        };
        let (delta, there, back) =
            (at(number(&case, "sigma")), truth(&case, "delta_remove"), truth(&case, "delta_add"));
        let greater = if there > back { there } else { back };
        assert!(encloses(Bounds { lower: delta * (1.0 - 1e-12), upper: delta }, &greater, 2e-12), "{case}: {delta:e}");
    }
}

fn parts(case: &Value) -> Vec<(u32, f64, f64)> {
    let part = |part: &Value| (count(part), number(part, "eps"), number(part, "delta"));
    case["parts"].as_array().unwrap().iter().map(part).collect()
}

#[test]
fn heterogeneous_references() {
    for case in cases("composition", "mv_delta") {
        let bounds = approximate(&parts(&case)).unwrap().delta(number(&case, "eps_total")).unwrap();
        assert!(encloses(bounds, &truth(&case, "delta_total"), 1e-4), "{case}: {bounds:?}");
    }
    for case in cases("composition", "mv_eps") {
        let bounds = approximate(&parts(&case)).unwrap().epsilon(number(&case, "delta_total")).unwrap();
        assert!(encloses(bounds, &truth(&case, "eps_total"), 1e-4), "{case}: {bounds:?}");
    }
}

#[test]
fn homogeneous_references() {
    for (group, key) in [("kov_delta", "eps_total"), ("kov_eps", "delta_total")] {
        for case in cases("composition", group) {
            let k = u32::try_from(case["k"].as_u64().unwrap()).unwrap();
            let composition = approximate(&[(k, number(&case, "eps"), number(&case, "delta"))]).unwrap();
            let (bounds, answer) = if group == "kov_delta" {
                (composition.delta(number(&case, key)).unwrap(), "delta_total")
            } else {
                if case["truth"]["eps_total"] == "inf" {
                    assert!(composition.epsilon(number(&case, key)).is_err(), "{case}");
                    continue;
                }
                (composition.epsilon(number(&case, key)).unwrap(), "eps_total")
            };
            let truth = truth(&case, answer);
            assert!(truth < 1e-300 && bounds.upper < 1e-300 || encloses(bounds, &truth, 1e-12), "{case}: {bounds:?}");
        }
    }
}

/// The sum of the definition, at 400 bits.
fn binomial(count: u32, own: f64, total: f64) -> Float {
    let wide = |x: f64| Float::with_val(400, x);
    let shrunk = wide(-own).exp();
    let scale = (Float::with_val(400, shrunk.ln_1p_ref()) * -f64::from(count)).exp();
    let mut sum = wide(0.0);
    for l in 0..=count {
        let loss = wide(own) * (i64::from(count) - 2 * i64::from(l));
        let share = wide(1.0) - (wide(total) - &loss).exp();
        if share > 0 {
            let weight =
                Float::with_val(400, Integer::from(Integer::binomial_u(count, l))) * (wide(own) * -f64::from(l)).exp();
            sum += weight * share;
        }
    }
    sum * scale
}

/// Laplace noise many times, by powers with alternating signs in place of splines, at 600 bits.
fn laplace_by_powers(count: u32, own: f64, epsilon: f64) -> Float {
    const WIDE: u32 = 600;
    let wide = |x: f64| Float::with_val(WIDE, x);
    let choose = |n: u32, i: u32| Float::with_val(WIDE, Integer::from(Integer::binomial_u(n, i)));
    let below = wide(own) * count - epsilon;
    let reach = Float::with_val(WIDE, &below / own) / 2u32;
    let mut sum = wide(0.0);
    for n in 0..=count {
        for i in 0..=count - n {
            let weight = (choose(count, n) * choose(count - n, i) * Float::with_val(WIDE, own).pow(n)) >> count;
            for j in 0..=n {
                let x = Float::with_val(WIDE, &reach - (i + j));
                if x <= 0 {
                    break;
                }
                // x^(n + 2p + 1) / (n + 2p + 1)! times a^(2p), over p.
                let mut term =
                    Float::with_val(WIDE, x.clone().pow(n + 1)) / Float::with_val(WIDE, Float::factorial(n + 1));
                let (mut series, mut p) = (wide(0.0), 0);
                while p < 60 {
                    series += &term;
                    p += 1;
                    term *= Float::with_val(WIDE, &x * own).square() / ((n + 2 * p) * (n + 2 * p + 1));
                }
                let signed = Float::with_val(WIDE, &weight * choose(n, j)) * series;
                if j % 2 == 0 { sum += signed } else { sum -= signed }
            }
        }
    }
    sum * own * 2u32 * Float::with_val(WIDE, -below / 2u32).exp()
}

/// Laplace noise many times by its definition, on a grid of losses: to about `(own / 200)^2` or 2e-5, if that is more.
fn laplace_by_grid(count: u32, own: f64, epsilon: f64) -> f64 {
    const CELLS: u32 = 400;
    let width = own / f64::from(CELLS);
    // A loss is so many half cells below the greatest; a cell's mass is at its middle.
    let once: Vec<f64> = (0..=2 * CELLS)
        .map(|half| match half {
            0 => 0.5,
            _ if half == 2 * CELLS => (-own).exp() / 2.0,
            _ if half % 2 == 0 => 0.0,
            _ => (-width * f64::from(half - 1) / 2.0).exp() * -(-width).exp_m1() / 2.0,
        })
        .collect();
    let mut law = vec![1.0];
    for _ in 0..count {
        let mut sums = vec![0.0; law.len() + once.len() - 1];
        for (i, x) in law.iter().enumerate() {
            once.iter().zip(&mut sums[i..]).for_each(|(y, sum)| *sum += x * y);
        }
        law = sums;
    }
    let losses = (0u32..).map(|half| f64::from(count) * own - width * f64::from(half));
    law.iter().zip(losses).map(|(mass, loss)| mass * (1.0 - (epsilon - loss).exp()).max(0.0)).sum()
}

/// Small losses and great ones, against powers at 600 bits, and these against the definition; and back to epsilon.
#[test]
fn few_laplace_releases_against_powers_and_a_grid() {
    for (count, own, epsilon) in [
        (1, 0.7, 0.2),
        (2, 0.5, 0.3),
        (3, 1.3, 0.0),
        (3, 1.3, 2.9),
        (4, 0.2, 0.55),
        (5, 3.0, 4.0),
        (3, 6.0, 1.0),
        (8, 18.0, 140.4),
        (2, 30.0, 45.0),
        (3, 20.0, 59.0),
        (5, 12.0, 40.0),
        (8, 18.0, 100.0),
        (2, 400.0, 799.0),
        (16, 9.0, 90.0),
    ] {
        let releases = laplace(count, own).unwrap();
        let (bounds, truth) = (releases.delta(epsilon).unwrap(), laplace_by_powers(count, own, epsilon));
        let name = format!("{count} {own} {epsilon}: {bounds:?} {truth:.20e}");
        let near = laplace_by_grid(count, own, epsilon) / truth.to_f64() - 1.0;
        assert!(near.abs() < 2e-5f64.max((own / 200.0).powi(2)), "{name}");
        assert!(encloses_up_to(bounds, &truth, ROUNDED_SCALE, LAPLACE), "{name}");
        let back = releases.epsilon(truth.to_f64()).unwrap();
        let wanted = Float::with_val(BITS, epsilon);
        // At a delta of nearly 1, little of it is much of epsilon.
        assert!(epsilon == 0.0 || encloses_up_to(back, &wanted, ROUNDED_SCALE, 2.0 * LAPLACE), "{name}: {back:?}");
    }
    for (count, own, epsilon) in [(48, 10.0, 450.0), (60, 5.0, 290.0)] {
        let (bounds, truth) =
            (laplace(count, own).unwrap().delta(epsilon).unwrap(), laplace_by_powers(count, own, epsilon));
        assert!(encloses_up_to(bounds, &truth, ROUNDED_SCALE, LAPLACE), "{count}: {bounds:?} {truth:.20e}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::tries(20)))]

    /// What halving finds, certified at every step, the search for epsilon finds too.
    #[test]
    fn laplace_epsilons_by_halves(count in 2u32..3000, mu in -1.5f64..0.5, wanted in -20.0f64..-0.2) {
        let (own, wanted) = (10f64.powf(mu) / f64::from(count).sqrt(), 10f64.powf(wanted));
        let releases = laplace(count, own)?;
        let halve = |is_above: fn(Bounds, f64) -> bool| {
            let (mut low, mut high) = (0.0, f64::from(count) * own);
            for _ in 0..25 {
                let middle = low + (high - low) / 2.0;
                if is_above(releases.delta(middle).unwrap(), wanted) { low = middle } else { high = middle }
            }
            (low, high)
        };
        let lower = halve(|delta, wanted| delta.lower > wanted).0;
        let slow = Bounds { lower, upper: halve(|delta, wanted| delta.upper > wanted).1 };
        let bounds = releases.epsilon(wanted)?;
        let name = format!("{count} {own:e} {wanted:e}: {bounds:?} {slow:?}");
        prop_assert!(bounds.lower <= slow.upper && slow.lower <= bounds.upper, "{}", name);
        prop_assert!(bounds.upper - bounds.lower <= 2.0 * (slow.upper - slow.lower) + 1e-11 * bounds.upper, "{}", name);
    }
}

/// Parts whose epsilons are 100 orders of magnitude apart: the large one alone loses no more.
#[test]
fn tiny_parts_take_nothing_away() {
    for (large, tiny, epsilon) in [(10.0, 1e-100, 1.0), (10.0, 1e-100, 9.9), (0.5, 2e-100, 0.1), (0.5, 1e-100, 0.0)] {
        let both = pure(1, large).unwrap().compose(&pure(2, tiny).unwrap()).unwrap();
        // At most the tiny ones' sum of epsilons more, which no digit shows.
        let truth = binomial(1, large, epsilon);
        let bounds = both.delta(epsilon).unwrap();
        assert!(encloses(bounds, &truth, 1e-4), "{large} {tiny} {epsilon}: {bounds:?} {truth:.20e}");
        for delta in [1e-6, 1e-100] {
            let growth = Float::with_val(BITS, large).exp();
            let rest = Float::with_val(BITS, &growth - Float::with_val(BITS, &growth + 1u32) * delta);
            let truth = rest.ln();
            let bounds = both.epsilon(delta).unwrap();
            assert!(encloses(bounds, &truth, 1e-4), "{large} {tiny} {delta}: {bounds:?} {truth:.20e}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn laplace_is_exact(count in 2u32..12, power in -3.0f64..0.5, share in 0.0f64..1.0) {
        let own = 10f64.powf(power);
        let total = own * f64::from(count) * share;
        let bounds = laplace(count, own)?.delta(total)?;
        let truth = laplace_by_powers(count, own, total);
        prop_assert!(encloses(bounds, &truth, 10.0 * LAPLACE), "{count} {own:e} {total:e}: {bounds:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn pure_is_exact(count in 1u32..600, power in -6.0f64..1.0, share in 0.0f64..1.0) {
        let own = 10f64.powf(power);
        let total = own * f64::from(count) * share * share;
        let bounds = pure(count, own)?.delta(total)?;
        let truth = binomial(count, own, total);
        prop_assert!(truth < 1e-290 && bounds.lower <= truth || encloses(bounds, &truth, 1e-13), "{count} {own:e} {total:e}: {bounds:?} {truth:e}");
    }

    /// Laplace noise is between the randomized response of its halves and any pure mechanism; deltas fall in epsilon.
    #[test]
    fn laplace_is_between(count in 1u32..200, power in -2.0f64..0.0, share in 0.0f64..0.9) {
        let own = 10f64.powf(power);
        let total = own * f64::from(count).sqrt() * share * 3.0;
        let releases = laplace(count, own)?;
        let bounds = releases.delta(total)?;
        let width = bounds.upper - bounds.lower;
        prop_assert!(width >= 0.0 && width <= 10.0 * LAPLACE * bounds.upper, "{bounds:?}");
        prop_assert!(bounds.lower <= pure(count, own)?.delta(total)?.upper);
        let halves = (2.0 * (own / 2.0).exp() - 1.0).ln() * (1.0 - 1e-12);
        prop_assert!(bounds.upper >= pure(count, halves)?.delta(total)?.lower);
        prop_assert!(releases.delta(total * 1.01)?.lower <= bounds.upper);
        // One release more says more.
        prop_assert!(laplace(count + 1, own)?.delta(total)?.upper >= bounds.lower);
    }

    /// Groups of equal mechanisms are one group; and one more group says more.
    #[test]
    fn groups_are_merged(first in 1u32..20, second in 1u32..20, own in 0.01f64..1.0, share in 0.0f64..1.0) {
        let total = own * f64::from(first + second) * share;
        let split = approximate(&[(first, own, 1e-9), (second, own, 1e-9)])?;
        let whole = approximate(&[(first + second, own, 1e-9)])?;
        let (split, whole) = (split.delta(total)?, whole.delta(total)?);
        prop_assert!(split.lower <= whole.upper && whole.lower <= split.upper);
        let more = approximate(&[(first, own, 1e-9), (second, own, 1e-9), (3, own / 2.0, 0.0)])?.delta(total)?;
        prop_assert!(more.upper >= whole.lower);
        // A different float beside it: nearly the same.
        let near = approximate(&[(first, own, 1e-9), (second, own.next_up(), 1e-9)])?.delta(total)?;
        prop_assert!((near.upper - whole.upper).abs() <= 1e-12, "{near:?} {whole:?}");
    }
}

#[test]
fn extremes_and_bad_input() {
    for count in [1_000_000, 10_000_000] {
        for own in [1e-9, 1e-6, 1e-3, 1.0, 600.0, 1e99] {
            for composition in
                [laplace(count, own).unwrap(), pure(count, own.min(600.0)).unwrap(), gaussian(count, own).unwrap()]
            {
                for epsilon in [0.0, 1e-3, 1.0, 1e6] {
                    let bounds = composition.delta(epsilon).unwrap();
                    assert!(
                        0.0 <= bounds.lower && bounds.lower <= bounds.upper && bounds.upper <= 1.0,
                        "{composition:?} {bounds:?}"
                    );
                }
                // Coarse where sums are too long, yet around what is asked for.
                let around = composition.epsilon(1e-6).unwrap();
                let (above, below) =
                    (composition.delta(around.lower).unwrap(), composition.delta(around.upper).unwrap());
                assert!(around.lower <= around.upper, "{composition:?} {around:?}");
                assert!(above.upper >= 1e-6 || around.lower == 0.0, "{composition:?} {around:?} {above:?}");
                assert!(below.lower <= 1e-6, "{composition:?} {around:?} {below:?}");
            }
        }
    }
    for (make, name) in [
        (laplace(2, -1.0), "scale"),
        (laplace(2, f64::NAN), "scale"),
        (laplace(2, 0.0), "scale"),
        (pure(2, f64::NAN), "epsilon"),
        (gaussian(2, -0.5), "sigma"),
        (approximate(&[(1, 1.0, 1.5)]), "delta"),
        (approximate(&[(1, 1.0, 0.5), (1, -1.0, 0.5)]), "epsilon"),
    ] {
        assert!(make.unwrap_err().to_string().starts_with(name));
    }
    let one = laplace(1, 1.0).unwrap();
    assert!(one.delta(-1.0).unwrap_err().to_string().starts_with("epsilon"));
    assert!(one.epsilon(f64::NAN).unwrap_err().to_string().starts_with("delta"));
    let zero = Bounds { lower: 0.0, upper: 0.0 };
    for none in [laplace(0, 1.0).unwrap(), gaussian(0, 1.0).unwrap(), pure(0, 1.0).unwrap(), approximate(&[]).unwrap()]
    {
        assert_eq!((none.delta(0.0).unwrap(), none.epsilon(1e-9).unwrap()), (zero, zero), "{none:?}");
    }
    // What no epsilon makes up for.
    let lossy = approximate(&[(5, 0.1, 0.1), (2, 0.2, 0.0)]).unwrap();
    assert!(lossy.epsilon(1e-3).unwrap_err().to_string().starts_with("delta"));
    // Too many combinations for a sum.
    let groups: Vec<_> = (1..40u32).map(|i| (10, f64::from(i) / 100.0, 0.0)).collect();
    let bounds = approximate(&groups).unwrap().delta(1.0).unwrap();
    assert!(bounds.lower <= bounds.upper && bounds.upper - bounds.lower < 1e-5 * bounds.upper, "{bounds:?}");
}

/// Losses that are all but linear are those of larger ones, scaled.
#[test]
fn tiny_losses() {
    for count in [2, 7, 300] {
        let one = binomial(count, 1e-40, 1.5e-40) * 1e40;
        for own in [1e-100, 1e-61, 1e-50] {
            let bounds = pure(count, own).unwrap().delta(own * 1.5).unwrap();
            let scaled: Float = Float::with_val(BITS, bounds.upper) / own / &one - 1u32;
            assert!(
                scaled.abs() < 1e-14 && bounds.upper - bounds.lower < bounds.upper * 1e-14,
                "{count} {own:e}: {bounds:?}"
            );
        }
        let truth = binomial(count, 1e-70, 1.3e-70);
        assert!(encloses(pure(count, 1e-70).unwrap().delta(1.3e-70).unwrap(), &truth, 1e-14));
    }
}

/// Bounds that leave out what they neglect, or round the wrong way, are seen.
#[test]
fn negative_controls_are_rejected() {
    let exact = binomial(50, 0.2, 1.0);
    let bounds = pure(50, 0.2).unwrap().delta(1.0).unwrap();
    assert!(encloses(bounds, &exact, 1e-12));
    let shifted = Bounds { lower: bounds.lower * (1.0 + 2e-15), upper: bounds.upper * (1.0 + 2e-15) };
    assert!(!encloses(shifted, &exact, 1e-12));
    assert!(!encloses(Bounds { lower: 0.0, upper: 1.0 }, &exact, 1e-12));
    // As wide as is promised, and below the truth.
    let below = Bounds { lower: bounds.lower * (1.0 - 1.8e-4), upper: bounds.upper * (1.0 - 9e-5) };
    assert!(!encloses_up_to(below, &exact, ROUNDED_SCALE, LAPLACE));
    // Plain floats lose the ends: at a total near the sum of epsilons nothing is left of 1 - e^x.
    let near = 50.0 * 0.2 - 1e-13;
    let truth = binomial(50, 0.2, near);
    assert!(encloses(pure(50, 0.2).unwrap().delta(near).unwrap(), &truth, 1e-12));
    assert!(optimal_composition_delta(50, Epsilon(0.2), Delta(0.0), Epsilon(near)).unwrap() >= truth);
}
