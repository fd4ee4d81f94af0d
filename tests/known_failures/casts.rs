//! Casts of values and of metrics.

use indistinct::prelude::*;
use indistinct_audit::stability::stability;
use indistinct_tests::{covers, decimal, runs, vectors};
use serde_json::Value;

/// Each row alone has the image that it has among others, and none fails.
fn images<T, U>(cast: impl Fn(&[T]) -> Fallible<Vec<Option<U>>>, rows: &[T]) -> Vec<Option<U>>
where
    U: Clone + PartialEq + std::fmt::Debug,
    T: Clone,
{
    let together = cast(rows).unwrap();
    let alone: Vec<Option<U>> = rows.iter().map(|row| cast(std::slice::from_ref(row)).unwrap()[0].clone()).collect();
    assert_eq!(together, alone);
    together
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_string()).collect()
}

#[test]
fn no_row_decides_whether_a_cast_succeeds() {
    let (integers, specials) = (vectors("int_arith"), vectors("special_values"));
    let strings = || VectorDomain::new(AtomDomain::string());
    let listed: Vec<Value> =
        integers["parse_int_min"]["x"].as_array().unwrap().iter().map(|row| row[0].clone()).collect();
    let to_i32 = make_cast(strings(), SymmetricDistance, AtomDomain::i32()).unwrap();
    let read = images(|rows: &[String]| to_i32.invoke(rows), &texts(&listed.clone().into()));
    assert_eq!(read, [Some(i32::MIN), None, None, Some(5), None, None, None]);
    // The negative control fails where one row does.
    assert!(
        texts(&listed.into()).iter().map(|text| text.parse::<i32>()).collect::<Result<Vec<i32>, _>>().is_err(),
        "no power"
    );

    // Infinities are floats, and not a number is none.
    let to_f64 = make_cast(strings(), SymmetricDistance, AtomDomain::f64()).unwrap();
    let vector = &specials["parse_float_special_strings"];
    let read = images(|rows: &[String]| to_f64.invoke(rows), &texts(&vector["x"]));
    let (inf, low) = (Some(f64::INFINITY), Some(f64::NEG_INFINITY));
    assert_eq!(read, [inf, low, None, None, inf, low, Some(0.0), Some(0.0), None, None, None]);
    // The sum of what was read is bounded, row by row. The negative control takes what the language reads, and its sum
    // is no number.
    let space = (strings(), SymmetricDistance);
    let sum =
        (space >> then_cast(AtomDomain::f64()) >> then_drop_null() >> then_clamp((0.0, 1.0)) >> then_sum()).unwrap();
    let all = texts(&vector["x"]);
    assert!(!stability(&sum, (0..all.len()).map(|n| (all[..n].to_vec(), all[..=n].to_vec()))).is_violated());
    let naive: f64 = all.iter().filter_map(|text| text.parse::<f64>().ok()).map(|row| row.clamp(0.0, 1.0)).sum();
    assert!(naive.is_nan(), "no power");

    // What `as` makes of these is in the domain, and here it is none.
    let rows: Vec<f64> = runs(&integers["float_to_int_special"]["x"]);
    let to_i64 =
        make_cast(VectorDomain::new(AtomDomain::f64().with_nan()), SymmetricDistance, AtomDomain::i64()).unwrap();
    let read = images(|rows: &[f64]| to_i64.invoke(rows), &rows);
    assert_eq!(read, [None, None, None, None, None, Some(0), None]);
    // The negative control makes numbers of them all.
    #[allow(clippy::as_conversions, clippy::cast_possible_truncation)]
    let cast: Vec<i64> = rows.iter().map(|row| *row as i64).collect();
    assert_eq!(cast, [0, i64::MAX, i64::MIN, i64::MAX, i64::MIN, 0, i64::MAX], "no power");
}

/// After a cast that may fail, rows of a known number are of an unknown number again once nulls are dropped, and their
/// count costs.
#[test]
fn what_a_cast_loses_is_counted() {
    let vector = &vectors("stability")["stale_nonnull_after_cast"];
    let number = |row: &Value| row.as_f64().unwrap_or(f64::NAN);
    let [x, y] = ["x", "y"].map(|side| vector[side].as_array().unwrap().iter().map(number).collect::<Vec<f64>>());
    let rows = VectorDomain::new(AtomDomain::f64().with_nan()).with_size(x.len());
    let count = ((rows, ChangeOneDistance)
        >> then_metric_cast(SymmetricDistance)
        >> then_cast(AtomDomain::i64())
        >> then_drop_null()
        >> then_count())
    .unwrap();
    assert!(covers(count.map(&1).unwrap(), &decimal(&vector["true_d_out"])));
    assert_eq!((count.invoke(&x).unwrap() - count.invoke(&y).unwrap()).abs(), 1);
    assert!(!stability(&count, [(x, y)]).is_violated());
}

/// Positions are not to be had from an ordered metric: casts lead to metrics without order alone, and the compiler
/// knows no other.
#[test]
fn casts_of_metrics_forget_order() {
    let vector = &vectors("stability")["metric_cast_ordered"];
    let rows =
        |side: &str| -> Vec<i64> { vector[side].as_array().unwrap().iter().map(|row| row.as_i64().unwrap()).collect() };
    let (x, y) = (rows("x"), rows("y"));
    let sized = || VectorDomain::new(AtomDomain::i64()).with_size(3);
    let forget = (sized(), InsertDeleteDistance) >> then_metric_cast(SymmetricDistance);
    let cast = (forget >> then_metric_cast(ChangeOneDistance)).unwrap();
    assert!(!stability(&cast, [(x.clone(), y.clone())]).is_violated());
    // The negative control claims positions.
    let identity = |rows: &[i64]| rows.to_vec();
    let control = make_user_transformation(
        sized(),
        InsertDeleteDistance,
        sized(),
        HammingDistance,
        identity,
        |d: &u32| Ok(d / 2),
    );
    assert!(stability(&control.unwrap(), [(x, y)]).is_violated(), "no power");
}
