//! Sums of columns of floats, integers and dates: the vectors `float_sum` and `int_arith`.

use super::{super::integer, ones, pairs, table};
use indistinct::{frames::*, numeric::gmp::Rational, prelude::*};
use indistinct_audit::{frames::Row, stability::stability};
use indistinct_tests::{covers, float, fraction, runs, vectors};
use serde_json::Value;

/// A dataset of integers written as `[[value, repeat], …]`, as rows of one column.
fn rows(value: &Value) -> Vec<Row> {
    let run = |run: &Value| {
        let times = usize::try_from(integer(&run[1])).unwrap();
        std::iter::repeat_n(i64::try_from(integer(&run[0])).unwrap(), times)
    };
    ones(value.as_array().unwrap().iter().flat_map(run))
}

/// A clamped sum of the column `x` under a metric: all pairs of ways to write both sides stay within the map, which
/// covers the change that the vector tells and its ideal sensitivity.
macro_rules! holds {
    ($name:expr, $vector:expr, $domain:expr, $metric:expr, $row:ty, $bounds:expr, ($x:expr, $y:expr)) => {{
        let (name, vector, domain) = ($name, $vector, $domain);
        let rows = (domain.clone(), $metric) >> then_rows::<$row, _, _>(vec!["x"]);
        let sum = (rows >> then_clamp($bounds) >> then_sum()).unwrap();
        let d_in = u32::try_from(vector["d_in"].as_u64().unwrap()).unwrap();
        let map = sum.map(&d_in).unwrap();
        let truth = |value: &Value| if value.is_null() { Rational::new() } else { fraction(value) };
        assert!(covers(map, &truth(&vector["ideal_sensitivity"])), "{name}: {map}");
        assert!(covers(map, &truth(&vector["exact_change"])), "{name}: {map}");
        assert!(!stability(&sum, pairs(&domain, &$x, &$y)).is_violated(), "{name}");
    }};
}

/// Floats, in any batches and any order, are summed exactly.
#[test]
fn sums_of_floats_are_exact() {
    let mut run = 0;
    for (name, vector) in vectors("float_sum").into_iter().filter(|(_, vector)| vector["statistic"] == "sum") {
        let bounds = (float(&vector["bounds"][0]), float(&vector["bounds"][1]));
        let [mut x, mut y] = ["x", "y"].map(|side| runs(&vector[side]));
        // Of many rows the first and last few; all of them are summed as typed rows.
        if x.len() > 2000 {
            for rows in [&mut x, &mut y] {
                rows.drain(100..rows.len() - 100);
            }
        }
        let (x, y, domain) = (ones(x), ones(y), table([("x", ColumnDomain::float())]));
        if vector["metric"] == "change_one" {
            holds!(name, vector, domain, ChangeOneDistance, f64, bounds, (x, y));
        } else {
            holds!(name, vector, domain, SymmetricDistance, f64, bounds, (x, y));
        }
        run += 1;
    }
    assert_eq!(run, 9);
}

#[test]
fn sums_of_integers_and_dates_neither_wrap_nor_saturate() {
    let vectors = vectors("int_arith");
    let bounds = |name: &str| {
        let bound = |place: usize| i64::try_from(integer(&vectors[name]["bounds"][place])).unwrap();
        (bound(0), bound(1))
    };
    for name in ["sum_i32_wrap_one_row", "sum_i32_saturating_reorder", "sum_i8_saturating_small"] {
        let (vector, domain) = (&vectors[name], table([("x", ColumnDomain::integer())]));
        let sides = (rows(&vector["x"]), rows(&vector["y"]));
        let vector = &as_fractions(vector);
        holds!(name, vector, domain, SymmetricDistance, i64, bounds(name), (sides.0, sides.1));
    }
    // Dates are the days that they are, and so many that 32 bits do not hold their sum.
    let name = "sum_i32_dates_2024";
    let (vector, domain) = (&vectors[name], table([("x", ColumnDomain::date())]));
    let space = (domain.clone(), SymmetricDistance);
    let sum = (space >> then_rows::<i64, _, _>(vec!["x"]) >> then_clamp(bounds(name)) >> then_sum()).unwrap();
    let invoke = |side: &str| {
        let days = rows(&vector[side]).into_iter().flatten();
        sum.invoke(&Frame::new([("x", Column::from_cells(Kind::Date, days))]).unwrap()).unwrap()
    };
    assert!(i128::from(i32::MAX) < invoke("x"), "no power");
    assert_eq!((invoke("x") - invoke("y")).abs(), integer(&vector["exact_change"]));
    assert!(covers(sum.map(&1).unwrap(), &Rational::from(integer(&vector["ideal_sensitivity"]))));
}

/// Where a vector writes integers, as fractions.
fn as_fractions(vector: &Value) -> Value {
    let mut vector = vector.clone();
    for key in ["ideal_sensitivity", "exact_change"] {
        vector[key] = integer(&vector[key]).to_string().into();
    }
    vector
}

/// Bounds of a column at the ends of the integers, and distances that overflow with them.
#[test]
fn maps_of_extreme_bounds_do_not_overflow() {
    let vectors = vectors("int_arith");
    // The metric, the number of rows if it is known, and the distance.
    for (name, is_replaced, size, d_in) in [
        ("bounds_width_i32_full", false, Some(3), 2),
        ("abs_of_min_i32", false, None, 1),
        ("abs_of_min_i64", false, None, 1),
        ("d_in_times_width_u32_overflow", true, None, 65536),
    ] {
        let vector = &vectors[name];
        let bound = |place: usize| -> f64 { vector["bounds"][place].as_str().unwrap().parse().unwrap() };
        let column = ColumnDomain::integer().with_bounds(bound(0), bound(1)).unwrap();
        let domain = size.map_or(table([("x", column.clone())]), |size| table([("x", column)]).with_size(size));
        let map = if is_replaced {
            ((domain, ChangeOneDistance) >> then_rows::<i64, _, _>(vec!["x"]) >> then_sum()).unwrap().map(&d_in)
        } else {
            ((domain, SymmetricDistance) >> then_rows::<i64, _, _>(vec!["x"]) >> then_sum()).unwrap().map(&d_in)
        };
        assert!(covers(map.unwrap(), &Rational::from(integer(&vector["ideal_sensitivity"]))), "{name}");
    }
    // Bounds that are floats beyond the integers are refused, and not rounded into them.
    assert!(ColumnDomain::integer().with_bounds(0.0, 9_223_372_036_854_775_808.0).is_err());
}
