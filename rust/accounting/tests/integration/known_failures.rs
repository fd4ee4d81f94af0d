//! What went wrong in other libraries: values below the truth, negative epsilons, searches that do not end.

use crate::common::{BITS, cases, number};
use indistinct_accounting::{
    Delta, Epsilon, Fallible, Mu, Order, Rate, Rho, amplify_by_sampling, bounded_range_to_zcdp, cdp_delta, cdp_epsilon,
    gaussian_delta, gaussian_epsilon, gaussian_mu, gaussian_to_zcdp, optimal_composition_delta, pure_to_renyi,
    pure_to_zcdp,
};
use rug::Float;

#[test]
fn never_below_the_truth_and_at_most_the_next_float_but_one() {
    let mut right = Vec::new();
    for case in cases("attacks", "maps") {
        let (id, params) = (case["id"].as_str().unwrap(), &case["params"]);
        let value = match id.split('_').next().unwrap() {
            "agm" => gaussian_delta(Mu(1.0 / number(params, "sigma")), Epsilon(number(params, "eps"))).unwrap(),
            "zcdp" => cdp_delta(Rho(number(params, "rho")), Epsilon(number(params, "eps"))).unwrap(),
            _ => amplify_by_sampling(Epsilon(number(params, "eps")), Delta(0.0), Rate(number(params, "q"))).unwrap().0,
        };
        let truth = Float::with_val(BITS, Float::parse(case["truth"].as_str().unwrap()).unwrap());
        // A tenth is no double: there mu is rounded, and with it delta, by some 900 times as much.
        if id == "agm_delta_s10.0_e3.0" {
            assert!(value >= truth && value <= truth.clone() * (1.0 + 1e-12), "{id}: {value:e}");
        } else {
            let best = number(&case, "round_up_f64");
            assert!(value == best || value == best.next_up(), "{id}: {value:e} {best:e}");
        }
        // The negative controls, in floats: the textbook's formulas, and a search with a denominator that is off by
        // one.
        let naive = match id.split('_').next().unwrap() {
            "agm" => textbook_delta(1.0 / number(params, "sigma"), number(params, "eps")),
            "zcdp" => off_by_one_delta(number(params, "rho"), number(params, "eps")),
            _ => (1.0 + number(params, "q") * (number(params, "eps").exp() - 1.0)).ln(),
        };
        if naive >= truth {
            right.push(id.to_string());
        }
    }
    assert_eq!(right, ["agm_delta_s1.0_e20.0"], "where the textbook's formula is right");
}

/// The curve of Gaussian noise, every step rounded to nearest in 53 bits.
fn textbook_delta(mu: f64, epsilon: f64) -> f64 {
    let normal = |x: f64| Float::with_val(53, -x / std::f64::consts::SQRT_2).erfc().to_f64() / 2.0;
    normal(mu / 2.0 - epsilon / mu) - Float::with_val(53, epsilon).exp().to_f64() * normal(-mu / 2.0 - epsilon / mu)
}

/// The least of the bounds over orders alpha, divided by alpha where it is to be divided by one less.
fn off_by_one_delta(rho: f64, epsilon: f64) -> f64 {
    let orders = (1..100_000).map(|step| 1.0 + f64::from(step) / 1000.0);
    let bound = |alpha: f64| ((alpha - 1.0) * (alpha * rho - epsilon)).exp() / alpha * (1.0 - 1.0 / alpha).powf(alpha);
    orders.map(bound).fold(1.0, f64::min)
}

#[test]
fn searches_end_where_there_is_nothing_to_find() {
    assert_eq!(cdp_epsilon(Rho(0.5), Delta(0.0)), Ok(f64::INFINITY));
    assert_eq!(cdp_epsilon(Rho(0.5), Delta(1.0)), Ok(0.0));
    assert_eq!(gaussian_epsilon(Mu(1.0), Delta(0.0)), Ok(f64::INFINITY));
    assert!(
        gaussian_delta(Mu(1.0), Epsilon(0.0)).unwrap() > 0.38 && gaussian_mu(Epsilon(0.0), Delta(0.1)).unwrap() > 0.25
    );
    // Where the unclamped inverse is negative.
    let (rho, delta) = (0.1, f64::from_bits(0x3fef_f7ce_d916_872b));
    assert_eq!(cdp_epsilon(Rho(rho), Delta(delta)), Ok(0.0));
    // The negative controls: the inverse as it stands, and a search that halves an interval without an end.
    let inverse = |rho: f64, delta: f64| {
        let orders = (1..100_000).map(|step| 1.0 + f64::from(step) / 1000.0);
        let bound = |a: f64| a * rho + (1.0 / (a * delta)).ln() / (a - 1.0) + (1.0 - 1.0 / a).ln();
        orders.map(bound).fold(f64::INFINITY, f64::min)
    };
    assert!(inverse(rho, delta) < 0.0 && inverse(0.5, 1.0) < 0.0, "no power");
    let rounds = |within: &dyn Fn(f64) -> bool| {
        let (mut low, mut high, mut rounds) = (0.0, f64::INFINITY, 0);
        while high - low > 1e-6 && rounds < 10_000 {
            let middle: f64 = low + (high - low) / 2.0;
            if within(middle) {
                high = middle
            } else {
                low = middle
            }
            rounds += 1;
        }
        rounds
    };
    assert_eq!(rounds(&|epsilon| cdp_delta(Rho(0.5), Epsilon(epsilon)).unwrap() <= 0.0), 10_000, "no power");
    assert_eq!(rounds(&|scale| gaussian_delta(Mu(1.0 / scale), Epsilon(0.0)).unwrap() <= 0.0), 10_000, "no power");
}

/// Adjacent floats, subnormals and infinity included.
#[test]
fn maps_are_monotone_on_the_grid_of_special_distances() {
    let grid = [
        0.0,
        5e-324,
        f64::MIN_POSITIVE,
        1e-300,
        0.1,
        0.1f64.next_up(),
        1.0,
        1.0f64.next_up(),
        2f64.powi(53),
        1e300,
        f64::MAX,
        f64::INFINITY,
    ];
    let maps: [(&str, &dyn Fn(f64) -> Fallible<f64>); 9] = [
        ("cdp_delta", &|rho| cdp_delta(Rho(rho), Epsilon(1.0))),
        ("cdp_epsilon", &|rho| cdp_epsilon(Rho(rho), Delta(1e-6))),
        ("gaussian_delta", &|mu| gaussian_delta(Mu(mu), Epsilon(1.0))),
        ("gaussian_epsilon", &|mu| gaussian_epsilon(Mu(mu), Delta(1e-6))),
        ("pure_to_zcdp", &pure_to_zcdp),
        ("pure_to_renyi", &|epsilon| pure_to_renyi(Epsilon(epsilon), Order(3.0))),
        ("bounded_range_to_zcdp", &bounded_range_to_zcdp),
        ("gaussian_to_zcdp", &gaussian_to_zcdp),
        ("optimal_composition_delta", &|epsilon| {
            optimal_composition_delta(5, Epsilon(epsilon), Delta(0.0), Epsilon(0.25))
        }),
    ];
    for (name, map) in maps {
        let values: Vec<f64> = grid.iter().map(|&x| map(x).unwrap()).collect();
        assert!(values.is_sorted(), "{name}: {values:?}");
        assert_eq!(values[0], 0.0, "{name}");
    }
}
