//! What went wrong in other libraries: values below the truth, negative epsilons, searches that do not end.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::{BITS, cases, number};
use indistinct_accounting::{
    Fallible, amplify_by_sampling, bounded_range_to_zcdp, cdp_delta, cdp_epsilon, gaussian_delta, gaussian_epsilon,
    gaussian_mu, gaussian_to_zcdp, optimal_composition_delta, pure_to_renyi, pure_to_zcdp,
};
use rug::Float;

#[test]
fn never_below_the_truth_and_at_most_the_next_float_but_one() {
    for case in cases("attacks", "maps") {
        let (id, params) = (case["id"].as_str().unwrap(), &case["params"]);
        let value = match id.split('_').next().unwrap() {
            "agm" => gaussian_delta(1.0 / number(params, "sigma"), number(params, "eps")).unwrap(),
            "zcdp" => cdp_delta(number(params, "rho"), number(params, "eps")).unwrap(),
            _ => amplify_by_sampling(number(params, "eps"), 0.0, number(params, "q")).unwrap().0,
        };
        let truth = Float::with_val(BITS, Float::parse(case["truth"].as_str().unwrap()).unwrap());
        // A tenth is no double: there mu is rounded, and with it delta, by some 900 times as much.
        if id == "agm_delta_s10.0_e3.0" {
            assert!(value >= truth && value <= truth * (1.0 + 1e-12), "{id}: {value:e}");
        } else {
            let best = number(&case, "round_up_f64");
            assert!(value == best || value == best.next_up(), "{id}: {value:e} {best:e}");
        }
    }
}

#[test]
fn searches_end_where_there_is_nothing_to_find() {
    assert_eq!(cdp_epsilon(0.5, 0.0), Ok(f64::INFINITY));
    assert_eq!(cdp_epsilon(0.5, 1.0), Ok(0.0));
    assert_eq!(gaussian_epsilon(1.0, 0.0), Ok(f64::INFINITY));
    assert!(gaussian_delta(1.0, 0.0).unwrap() > 0.38 && gaussian_mu(0.0, 0.1).unwrap() > 0.25);
    // Where the unclamped inverse is negative.
    let (rho, delta) = (0.1, f64::from_bits(0x3fef_f7ce_d916_872b));
    assert_eq!(cdp_epsilon(rho, delta), Ok(0.0));
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
        ("cdp_delta", &|rho| cdp_delta(rho, 1.0)),
        ("cdp_epsilon", &|rho| cdp_epsilon(rho, 1e-6)),
        ("gaussian_delta", &|mu| gaussian_delta(mu, 1.0)),
        ("gaussian_epsilon", &|mu| gaussian_epsilon(mu, 1e-6)),
        ("pure_to_zcdp", &pure_to_zcdp),
        ("pure_to_renyi", &|epsilon| pure_to_renyi(epsilon, 3.0)),
        ("bounded_range_to_zcdp", &bounded_range_to_zcdp),
        ("gaussian_to_zcdp", &gaussian_to_zcdp),
        ("optimal_composition_delta", &|epsilon| optimal_composition_delta(5, epsilon, 0.0, 0.25)),
    ];
    for (name, map) in maps {
        let values: Vec<f64> = grid.iter().map(|&x| map(x).unwrap()).collect();
        assert!(values.is_sorted(), "{name}: {values:?}");
        assert_eq!(values[0], 0.0, "{name}");
    }
}
