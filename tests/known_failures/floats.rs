//! Statistics, distances and bounds of floats.

use indistinct::prelude::*;
use indistinct_audit::stability::stability;
use indistinct_tests::{Exact, Float, changes, covers, float, fraction, runs, vectors};
use serde_json::Value;

/// The mean and the sum of squared deviations of a textbook, in floats.
fn textbook_deviations(rows: &[f64]) -> f64 {
    fn pairwise(rows: &[f64]) -> f64 {
        match rows.len() {
            0 => 0.0,
            1 => rows[0],
            n => pairwise(&rows[..n / 2]) + pairwise(&rows[n / 2..]),
        }
    }
    let mean = pairwise(rows) / f64::from(u32::try_from(rows.len()).unwrap());
    pairwise(&rows.iter().map(|row| (row - mean) * (row - mean)).collect::<Vec<_>>())
}

#[test]
fn squared_deviations_do_not_round_their_mean() {
    let vector = &vectors("float_sum")["ssd_f64_mean_rounding_n1024_p50"];
    let bounds = (float(&vector["bounds"][0]), float(&vector["bounds"][1]));
    let (x, y) = (runs(&vector["x"]), runs(&vector["y"]));
    let rows = VectorDomain::new(AtomDomain::f64().with_bounds(bounds).unwrap()).with_size(x.len());
    let deviations = make_sum_of_squared_deviations(rows, ChangeOneDistance).unwrap();
    let [at_x, at_y] = [&x, &y].map(|rows| deviations.invoke(rows).unwrap().exact());
    let (change, map) = ((at_x - at_y).abs(), deviations.map(&1).unwrap());
    assert_eq!(change, fraction(&vector["exact_change"]));
    assert!(covers(map, &change) && covers(map, &fraction(&vector["ideal_sensitivity"])));
    assert!((textbook_deviations(&x) - textbook_deviations(&y)).abs() > map, "no power");
}

/// Floats with one total order: zeros of both signs are one key, and all that are not numbers are one.
#[test]
fn distances_see_both_zeros_and_all_nans_as_one() {
    let vector = &vectors("stability")["histogram_neg_zero_nan_keys"];
    let [x, y] = ["x", "y"].map(|side| vector[side].as_array().unwrap().iter().map(float).collect::<Vec<f64>>());
    // Floats are no keys: `make_count_by` does not take them. Rows that are counted as distinct are compared alike.
    let distinct = make_count_distinct(VectorDomain::new(AtomDomain::f64().with_nan()), SymmetricDistance).unwrap();
    assert_eq!((distinct.invoke(&x).unwrap(), distinct.invoke(&y).unwrap()), (2, 2));
    let by_bits: std::collections::BTreeMap<u64, i64> = x.iter().map(|row| (row.to_bits(), 1)).collect();
    let keys: std::collections::BTreeMap<Float, i64> = x.iter().map(|row| (Float(*row), 1)).collect();
    assert!(by_bits.len() > keys.len() && changes(&keys, &keys).is_empty(), "no power");
}

fn floats() -> VectorDomain<AtomDomain<f64>> {
    VectorDomain::new(AtomDomain::f64())
}

#[test]
fn clamps_and_sums_refuse_bounds_that_are_none() {
    let vectors = vectors("special_values");
    let rows = || VectorDomain::new(AtomDomain::f64());
    let pair = |bounds: &Value| (float(&bounds[0]), float(&bounds[1]));
    let listed = vectors["clamp_inverted_or_nan_bounds"]["bounds"].as_array().unwrap();
    let made: Vec<bool> =
        listed.iter().map(|bounds| make_clamp(rows(), SymmetricDistance, pair(bounds)).is_ok()).collect();
    assert_eq!(made, [false, false, false, false, true]);
    // The negative control panics at its first row.
    for (bounds, made) in listed.iter().zip(made) {
        let (low, high) = pair(bounds);
        assert_eq!(std::panic::catch_unwind(|| 0.5f64.clamp(low, high)).is_ok(), made, "{bounds}: no power");
    }
    for bounds in vectors["nan_bound_masked_by_max"]["bounds"].as_array().unwrap() {
        let (low, high) = pair(bounds);
        assert!(AtomDomain::f64().with_bounds((low, high)).is_err());
        assert!(low.abs().max(high).is_finite(), "no power");
    }
    // Not a number is refused as a constant, and as a row of what is clamped.
    let options = VectorDomain::new(OptionDomain::new(AtomDomain::f64()));
    let constant = float(&vectors["impute_constant_outside_domain"]["constant"]);
    let imputed = make_impute_constant(options, SymmetricDistance, constant);
    let imputed = imputed.map(|step| step.output_domain().element().has_nan());
    assert!(imputed.is_err() || imputed.is_ok_and(|nan| nan));
    // The negative control fills with it, and says of its output that there is none.
    let options = VectorDomain::new(OptionDomain::new(AtomDomain::f64()));
    let fill = move |rows: &[Option<f64>]| rows.iter().map(|row| row.unwrap_or(constant)).collect::<Vec<f64>>();
    let control =
        make_user_transformation(options, SymmetricDistance, self::floats(), SymmetricDistance, fill, |d: &u32| Ok(*d));
    assert!(stability(&control.unwrap(), [(vec![None], vec![])]).is_violated(), "no power");
    let x: Vec<f64> = vectors["clamp_nan_passes_through"]["x"].as_array().unwrap().iter().map(float).collect();
    let sum = ((rows(), SymmetricDistance) >> then_clamp((0.0, 1.0)) >> then_sum()).unwrap();
    assert_eq!(sum.invoke(&x).unwrap_err().kind(), ErrorKind::Domain);
    assert!(x.iter().map(|row| row.clamp(0.0, 1.0)).sum::<f64>().is_nan(), "no power");
}
