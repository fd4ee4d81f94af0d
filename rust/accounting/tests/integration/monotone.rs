//! What maps are made of rises with the distance, but for what each accountant leaves open: SECURITY.md, promise 2.
//!
//! A value between the truth T and `T (1 + w)`, where T rises, falls by at most the share w of what it was: so the
//! widths below are those that the documentation promises, or less.

use indistinct_accounting::{
    Delta, Epsilon, Fallible, Mu, Order, PrivacyLossDistribution, PrivacyProfile, Rate, RenyiCurve, Rho, Scale, Sigma,
    advanced_composition, amplify_by_sampling, amplify_by_shuffling, basic_composition, bounded_range_to_zcdp,
    cdp_delta, cdp_epsilon, gaussian_composition, gaussian_delta, gaussian_epsilon, gaussian_to_zcdp,
    optimal_composition_delta, optimal_composition_epsilon, pure_to_bounded_range, pure_to_renyi, pure_to_zcdp,
    sampled_gaussian_delta,
};
use indistinct_numeric::RoundedArithmetic;

type P = PrivacyLossDistribution;

/// About each of some numbers so many neighboring floats, and some that are 2^10 and 2^20 floats apart; steps of a
/// third over all that anybody asks for; and extremes.
fn distances(dense: u32) -> Vec<f64> {
    let mut all = vec![0.0, 5e-324, 1e-300, 1e9, 1e300];
    for start in [1e-9f64, 1.7e-5, 0.01, 0.1, 0.3, 0.7, 1.0f64.next_down(), 1.3, 2.9, 7.0, 30.0] {
        let beside = |floats: u64| f64::from_bits(start.to_bits() + floats);
        all.extend((0..u64::from(dense)).map(beside));
        all.extend((0..u64::from(dense / 4)).flat_map(|i| [beside(i << 10), beside(i << 20)]));
    }
    all.extend((-40..20).map(|i| (f64::from(i) / 3.0).exp()));
    all.sort_by(f64::total_cmp);
    all
}

/// The greatest share by which a value is below an earlier one.
fn fall(dense: u32, map: impl Fn(f64) -> Fallible<f64>) -> f64 {
    let (mut greatest, mut most) = (0f64, 0f64);
    for x in distances(dense) {
        let value = map(x).unwrap();
        // An infinite value, and then a finite one, is a fall of all there is.
        if value < greatest {
            most = most.max(if greatest < f64::INFINITY { (greatest - value) / greatest } else { 1.0 });
        }
        greatest = greatest.max(value);
    }
    most
}

type Map = Box<dyn Fn(f64) -> Fallible<f64>>;

/// Each with the share that it may fall by, on grids of so many neighboring floats about each number.
fn check(dense: u32, allowed: f64, maps: Vec<(&str, Map)>) {
    for (name, map) in maps {
        let found = fall(dense, map);
        assert!(found <= allowed, "{name}: {found:e}");
    }
}

/// Sums, products and roots: each rounding rises, and so do all together.
#[test]
fn arithmetic_never_falls() {
    check(
        400,
        0.0,
        vec![
            ("bounded_range_to_zcdp", Box::new(bounded_range_to_zcdp)),
            ("pure_to_bounded_range", Box::new(pure_to_bounded_range)),
            ("gaussian_to_zcdp", Box::new(gaussian_to_zcdp)),
            ("gaussian_composition", Box::new(|x| gaussian_composition(&[x, 0.3, x]))),
            ("basic_composition", Box::new(|x| Ok(basic_composition(&[(x, 0.1), (0.1, 0.2)])?.0))),
            ("a line", Box::new(|x| RenyiCurve::concentrated(x)?.at(2.5))),
        ],
    );
}

/// Formulas of one number, enclosed to 2^-50.
#[test]
fn formulas_fall_by_four_units_in_the_last_place_at_most() {
    check(
        400,
        4.0 * f64::EPSILON,
        vec![
            ("pure_to_zcdp", Box::new(pure_to_zcdp)),
            ("pure_to_renyi", Box::new(|x| pure_to_renyi(Epsilon(x), Order(3.5)))),
            ("advanced_composition", Box::new(|x| Ok(advanced_composition(100, Epsilon(x), Delta(0.0), 1e-6)?.0))),
            ("gaussian_delta", Box::new(|x| gaussian_delta(Mu(x), Epsilon(1.0)))),
            ("amplify_by_sampling", Box::new(|x| Ok(amplify_by_sampling(Epsilon(x), Delta(0.0), Rate(0.37))?.0))),
            (
                "amplify_by_shuffling",
                Box::new(|x| Ok(amplify_by_shuffling(Epsilon(x), Delta(1e-6), 1e6)?.unwrap_or(f64::INFINITY))),
            ),
            ("Laplace noise", Box::new(|x| P::laplace(scale(x))?.renyi()?.at(2.5))),
            ("discrete Laplace noise", Box::new(|x| P::discrete_laplace(scale(x), 3)?.renyi()?.at(2.5))),
            ("weights", Box::new(|x| P::discrete(&[(1.0, 1.0), (1.0 + x.min(1e9), 1.0)])?.renyi()?.at(2.5))),
        ],
    );
    check(
        100,
        4.0 * f64::EPSILON,
        vec![(
            "sampled_gaussian_delta",
            Box::new(|x| sampled_gaussian_delta(Sigma(1.0 / x.clamp(1e-99, 1e99)), Rate(0.1), Epsilon(1.0))),
        )],
    );
}

/// Sums, searches and inverses, whose bounds are promised to 1e-12.
#[test]
fn accountants_fall_by_a_share_of_1e_12_at_most() {
    check(
        400,
        1e-12,
        vec![
            ("cdp_delta", Box::new(|x| cdp_delta(Rho(x), Epsilon(1.0)))),
            ("cdp_epsilon", Box::new(|x| cdp_epsilon(Rho(x), Delta(1e-6)))),
            ("gaussian_epsilon", Box::new(|x| gaussian_epsilon(Mu(x), Delta(1e-6)))),
            ("gaussian_epsilon of a large delta", Box::new(|x| gaussian_epsilon(Mu(x), Delta(0.3)))),
            ("delta of 10", Box::new(|x| optimal_composition_delta(10, Epsilon(x), Delta(0.0), Epsilon(0.5)))),
            ("epsilon of 1", Box::new(|x| optimal_composition_epsilon(1, Epsilon(x), Delta(0.0), Delta(1e-6)))),
            ("epsilon of 10", Box::new(|x| optimal_composition_epsilon(10, Epsilon(x), Delta(0.0), Delta(1e-6)))),
            (
                "epsilon of 10 with deltas",
                Box::new(|x| optimal_composition_epsilon(10, Epsilon(x), Delta(1e-9), Delta(1e-6))),
            ),
        ],
    );
    check(
        50,
        1e-12,
        vec![
            ("delta of 1000", Box::new(|x| optimal_composition_delta(1000, Epsilon(x), Delta(0.0), Epsilon(0.5)))),
            ("epsilon of 1000", Box::new(|x| optimal_composition_epsilon(1000, Epsilon(x), Delta(0.0), Delta(1e-6)))),
            (
                "epsilon of 10 at a tiny delta",
                Box::new(|x| optimal_composition_epsilon(10, Epsilon(x), Delta(0.0), Delta(1e-60))),
            ),
            ("delta of a mixture", Box::new(|x| Ok(mixture(x)?.delta(0.5)?.upper))),
            ("epsilon of a mixture", Box::new(|x| Ok(mixture(x)?.epsilon(1e-6)?.upper))),
            // By the best order that is found: beside a greatest loss only to so much.
            ("delta of a curve", Box::new(|x| Ok(RenyiCurve::pure(x)?.repeat(10)?.delta(1.0)?.max(1e-15)))),
            ("epsilon of a curve", Box::new(|x| RenyiCurve::pure(x)?.repeat(10)?.epsilon(1e-6))),
            (
                "epsilon of a sum",
                Box::new(|x| P::laplace(scale(x))?.renyi()?.compose(&RenyiCurve::concentrated(x)?)?.epsilon(1e-6)),
            ),
        ],
    );
}

/// By a contour, or with a little noise beside the losses, whose bounds are promised to 1e-4.
#[test]
fn laplace_noise_falls_by_a_share_of_1e_4_at_most() {
    check(
        2,
        1e-4,
        vec![
            ("delta of Laplace noise", Box::new(|x| Ok(P::laplace(scale(x))?.repeat(20)?.delta(0.5)?.upper))),
            ("epsilon of Laplace noise", Box::new(|x| Ok(P::laplace(scale(x))?.repeat(20)?.epsilon(1e-6)?.upper))),
        ],
    );
}

/// Of Laplace noise with this greatest loss, as far as scales go.
fn scale(epsilon: f64) -> Scale {
    Scale(1.0 / epsilon.clamp(1e-99, 1e99))
}

fn mixture(x: f64) -> Fallible<P> {
    P::pure(x.clamp(1e-99, 600.0))?.repeat(3)?.compose(&P::pure(0.1)?.repeat(2)?)
}

/// As `make_GDP_to_PLD` and its like make them, and `make_fix_delta` and `make_fix_epsilon` ask them.
#[test]
fn loss_distributions_fall_by_a_share_of_1e_12_at_most() {
    let gaussian = |mu: f64| {
        if mu > 1e99 {
            P::approximate(Epsilon(0.0), Delta(1.0))
        } else {
            P::gaussian(Sigma(1f64.neg_inf_div(mu.max(1e-99))?))
        }
    };
    let pure = |epsilon: f64| {
        if epsilon > 600.0 { P::approximate(Epsilon(0.0), Delta(1.0)) } else { P::pure(epsilon.max(1e-100)) }
    };
    let pair = |epsilon: f64| {
        if epsilon > 600.0 {
            P::approximate(Epsilon(0.0), Delta(1.0))
        } else {
            P::approximate(Epsilon(epsilon.max(1e-100)), Delta(1e-7))
        }
    };
    let range = |eta: f64| {
        if eta > 600.0 { P::approximate(Epsilon(0.0), Delta(1.0)) } else { P::bounded_range(eta.max(1e-100)) }
    };
    let epsilon = |losses: P| PrivacyProfile::losses(losses).epsilon(1e-6);
    let delta = |losses: P| PrivacyProfile::losses(losses).delta(0.5);
    check(
        300,
        1e-12,
        vec![
            ("epsilon of Gaussian noise", Box::new(move |x| epsilon(gaussian(x)?))),
            ("delta of Gaussian noise", Box::new(move |x| delta(gaussian(x)?))),
            ("epsilon of ten", Box::new(move |x| epsilon(gaussian(x)?.repeat(10)?))),
        ],
    );
    check(
        20,
        1e-12,
        vec![
            ("epsilon of ten responses", Box::new(move |x| epsilon(pure(x)?.repeat(10)?))),
            ("delta of ten responses", Box::new(move |x| delta(pure(x)?.repeat(10)?))),
            ("epsilon of ten pairs", Box::new(move |x| epsilon(pair(x)?.repeat(10)?))),
            ("epsilon of a range", Box::new(move |x| epsilon(range(x)?))),
            ("epsilon of ten ranges", Box::new(move |x| epsilon(range(x)?.repeat(10)?))),
        ],
    );
    check(
        4,
        1e-12,
        vec![
            ("epsilon of a hundred ranges", Box::new(move |x| epsilon(range(x)?.repeat(100)?))),
            (
                "epsilon of three kinds",
                Box::new(move |x| epsilon(range(x)?.compose(&gaussian(x)?)?.compose(&pure(x)?)?)),
            ),
            ("delta of three kinds", Box::new(move |x| delta(range(x)?.compose(&gaussian(x)?)?.compose(&pure(x)?)?))),
        ],
    );
}

/// Negative controls: an answer that wavers by more than is left open, and one that is infinite in a place.
#[test]
fn what_wavers_is_noticed() {
    let wavers = |x: f64| Ok(if x.to_bits().is_multiple_of(2) { x * (1.0 + 1e-11) } else { x });
    assert!(fall(20, wavers) > 1e-12);
    assert!(fall(20, |x: f64| Ok(if x == 0.1 { f64::INFINITY } else { x })) == 1.0);
    assert!(fall(20, Ok) == 0.0);
}
