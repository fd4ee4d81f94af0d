//! Expressions and filters: special floats, overflow, casts, what is filled in, bounds and numbers of rows that are no
//! longer true after a step.

use super::{images, ones, pairs, table, ways};
use indistinct::{frames::*, numeric::Dyadic, numeric::gmp::Rational, prelude::*};
use indistinct_audit::{
    frames::{Layout, Row, frame},
    stability::stability,
};
use indistinct_tests::{covers, decimal, float, neighbors::Random, runs, vectors};
use serde_json::Value;

fn floats() -> FrameDomain {
    table([("x", ColumnDomain::float())])
}

/// A sum of the column `x` after a step that computes it anew.
fn sum_of(
    domain: FrameDomain,
    x: Expr,
) -> Fallible<Transformation<FrameDomain, AtomDomain<Dyadic>, SymmetricDistance, AbsoluteDistance>> {
    (domain, SymmetricDistance) >> then_with_columns(vec![("x", x)]) >> then_rows::<f64, _, _>(vec!["x"]) >> then_sum()
}

/// Each pattern of bits beside each, in every operation on floats: a value of the domain that the step tells, or none;
/// and for equal numbers, both zeros, and all that are no numbers, equal ones.
#[test]
fn special_floats_in_every_operation() {
    let vector = &vectors("special_values")["f64_matrix"];
    let bits = |value: &Value| float(&format!("bits:{}", value.as_str().unwrap()).into());
    let values: Vec<f64> = vector["values"].as_object().unwrap().values().map(bits).collect();
    let column = || ColumnDomain::float().with_missing();
    let domain = table([("a", column()), ("b", column())]);
    let rows: Vec<Row> = values.iter().flat_map(|a| values.iter().map(|b| vec![(*a).into(), (*b).into()])).collect();
    // The same rows with 0.0 for -0.0.
    let plain: Vec<Row> = rows
        .iter()
        .map(|row| row.iter().map(|cell| if *cell == Cell::Float(0.0) { 0.0.into() } else { cell.clone() }).collect())
        .collect();
    let (a, b) = (|| col("a"), || col("b"));
    let operations = [
        a() + b(),
        a() - b(),
        a() * b(),
        a() / b(),
        -a(),
        a().min(b()),
        a().max(b()),
        a().clamp(-1.0, 1.0),
        a().fill_null(b()),
        a().fill_null(0.5).clamp(0.0, 1.0),
        when(a().gt(b()), a(), b()),
        when(a().lt(b()), a(), 0.0),
        a().eq(b()),
        a().ne(b()) | a().le(b()),
        !a().ge(b()) & b().is_null(),
        a().cut([-1.0, 0.0, 1.0]),
        a().cast(ColumnDomain::integer()),
        a().cast(ColumnDomain::text()),
        a().cast(ColumnDomain::bool()),
        a().cast(ColumnDomain::float().with_bounds(0.0, 1.0).unwrap()),
        a().is_null(),
    ];
    for operation in operations {
        let text = operation.to_string();
        assert_eq!(images(&domain, &rows, operation.clone()), images(&domain, &plain, operation), "{text}");
    }
    // The negative control writes equal numbers as two texts.
    assert!(-0.0 == 0.0 && (-0.0f64).to_string() != 0.0f64.to_string(), "no power");
}

/// Not a number goes through no clamp into a sum, and bounds that are none make no bounds.
#[test]
fn clamps_have_bounds_and_leave_nothing_else() {
    let vectors = vectors("special_values");
    let row = |value: &Value| float(value);
    let [x, y] = ["x", "y"].map(|side| {
        let rows = vectors["clamp_nan_passes_through"][side].as_array().unwrap();
        ones(rows.iter().map(row))
    });
    // It is a missing cell, which is no row of floats until it is filled.
    let missing = table([("x", ColumnDomain::float().with_missing())]);
    assert!(sum_of(missing.clone(), col("x").clamp(0.0, 1.0)).is_err());
    for filled in [col("x").clamp(0.0, 1.0).fill_null(1.0), col("x").fill_null(5.0).clamp(0.0, 1.0)] {
        let sum = sum_of(missing.clone(), filled).unwrap();
        assert!(!stability(&sum, pairs(&missing, &x, &y)).is_violated() && covers(sum.map(&1).unwrap(), Rational::ONE));
    }
    // Where none is missing, a frame with one is no member.
    let sum = sum_of(floats(), col("x").clamp(0.0, 1.0)).unwrap();
    for frame in ways(&missing, &x) {
        assert_eq!(sum.invoke(&frame).unwrap_err().kind(), ErrorKind::Domain);
    }

    // Bounds in the wrong order leave one value, the lower; what is no number, and what is infinite, bounds nothing.
    let listed = vectors["clamp_inverted_or_nan_bounds"]["bounds"].as_array().unwrap().iter();
    let bounds: Vec<(f64, f64)> = listed.map(|bounds| (float(&bounds[0]), float(&bounds[1]))).collect();
    let sums = bounds.iter().map(|(low, high)| sum_of(floats(), col("x").clamp(*low, *high)));
    let maps: Vec<Option<f64>> = sums.map(|sum| sum.ok().map(|sum| sum.map(&1).unwrap())).collect();
    assert_eq!(maps, [Some(1.0), None, None, None, Some(0.0)]);
    let inverted = sum_of(floats(), col("x").clamp(bounds[0].0, bounds[0].1)).unwrap();
    let rows = ones([f64::NEG_INFINITY, 0.5, 7.0]);
    assert!((0..3).all(|n| !stability(&inverted, pairs(&floats(), &rows[..n], &rows[..n + 1])).is_violated()));
    for bounds in vectors["nan_bound_masked_by_max"]["bounds"].as_array().unwrap() {
        let (low, high) = (float(&bounds[0]), float(&bounds[1]));
        assert!(ColumnDomain::float().with_bounds(low, high).is_err());
        assert!(sum_of(floats(), col("x").clamp(low, high)).is_err());
    }
    // What is filled in counts: nothing fills nothing, and an infinity has no bounds.
    let constant = float(&vectors["impute_constant_outside_domain"]["constant"]);
    assert!(sum_of(missing.clone(), col("x").clamp(0.0, 1.0).fill_null(constant)).is_err());
    let infinite = float(&vectors["impute_infinite_bounds"]["bounds"][1]);
    assert!(sum_of(missing, col("x").clamp(0.0, 1.0).fill_null(infinite)).is_err());
}

/// Integers that go beyond 64 bits are missing, and are not wrapped, cut or set to the ends.
#[test]
fn integers_do_not_wrap_in_expressions() {
    assert!(vectors("int_arith").contains_key("abs_of_min_i64"));
    let domain = table([("a", ColumnDomain::integer())]);
    let rows = ones([i64::MIN, -1, 0, i64::MAX]);
    let whole = |value: i64| Cell::Integer(value);
    for (expression, cells) in [
        (-col("a"), [Cell::Missing, whole(1), whole(0), whole(-i64::MAX)]),
        (col("a") - 1, [Cell::Missing, whole(-2), whole(-1), whole(i64::MAX - 1)]),
        (col("a") + col("a"), [Cell::Missing, whole(-2), whole(0), Cell::Missing]),
        (col("a") * col("a"), [Cell::Missing, whole(1), whole(0), Cell::Missing]),
        (col("a") / 0, [const { Cell::Missing }; 4]),
        (col("a").max(-col("a")), [Cell::Missing, whole(1), whole(0), whole(i64::MAX)]),
    ] {
        assert_eq!(images(&domain, &rows, expression.clone()), cells, "{expression}");
        // So its values may be missing and have no bounds, whatever those of the column are.
        let few = table([("a", ColumnDomain::integer().with_bounds(0.0, 1.0).unwrap())]);
        let step = make_with_columns(few, SymmetricDistance, vec![("a", expression)]).unwrap();
        assert!(step.output_domain().column("a").unwrap().has_missing());
        assert!(step.output_domain().column("a").unwrap().bounds().is_none());
    }
    assert_eq!((i64::MIN.wrapping_neg(), i64::MAX.wrapping_add(i64::MAX)), (i64::MIN, -2), "no power");
}

/// Each cell has the image that it has alone, and none fails.
#[test]
fn casts_of_cells_are_total() {
    let listed = &vectors("int_arith")["parse_int_min"]["x"];
    let texts = ones(listed.as_array().unwrap().iter().map(|row| row[0].as_str().unwrap()));
    let column = ColumnDomain::integer().with_bounds(f64::from(i32::MIN), f64::from(i32::MAX)).unwrap();
    let domain = table([("x", ColumnDomain::text())]);
    let none = Cell::Missing;
    let (least, five) = (Cell::Integer(i32::MIN.into()), Cell::Integer(5));
    let all = [&least, &none, &none, &five, &none, &none, &none].map(Clone::clone);
    assert_eq!(images(&domain, &texts, col("x").cast(column)), all);

    let specials = &vectors("special_values")["parse_float_special_strings"]["x"];
    let texts = ones(specials.as_array().unwrap().iter().map(|row| row.as_str().unwrap()));
    let (inf, low, zero) = (Cell::Float(f64::INFINITY), Cell::Float(f64::NEG_INFINITY), Cell::Float(0.0));
    let all = [&inf, &low, &none, &none, &inf, &low, &zero, &zero, &none, &none, &none].map(Clone::clone);
    assert_eq!(images(&domain, &texts, col("x").cast(ColumnDomain::float())), all);

    let numbers = runs(&vectors("int_arith")["float_to_int_special"]["x"]);
    let domain = table([("x", ColumnDomain::float().with_missing())]);
    let all = [&none, &none, &none, &none, &none, &Cell::Integer(0), &none].map(Clone::clone);
    assert_eq!(images(&domain, &ones(numbers), col("x").cast(ColumnDomain::integer())), all);
}

/// After a cast that may fail, rows of a known number are of an unknown number once those without a value are left out.
#[test]
fn what_a_cast_loses_is_counted() {
    let vector = &vectors("stability")["stale_nonnull_after_cast"];
    let number = |row: &Value| row.as_f64().unwrap_or(f64::NAN);
    let [x, y] = ["x", "y"].map(|side| ones(vector[side].as_array().unwrap().iter().map(number)));
    let domain = table([("x", ColumnDomain::float().with_missing())]).with_size(x.len());
    let cast = || then_with_columns(vec![("n", col("x").fill_null(f64::NAN).cast(ColumnDomain::integer()))]);
    let space = || (domain.clone(), ChangeOneDistance);
    let kept = (space() >> cast() >> then_filter_rows(!col("n").is_null())).unwrap();
    assert_eq!(kept.output_domain().size(), None);
    assert!(kept.output_domain().column("n").unwrap().has_missing());
    let filled = then_with_columns(vec![("n", col("n").fill_null(0))]);
    let count = (kept >> filled >> then_rows::<i64, _, _>(vec!["n"]) >> then_count()).unwrap();
    assert!(covers(count.map(&1).unwrap(), &decimal(&vector["true_d_out"])));
    assert!(!stability(&count, pairs(&domain, &x, &y)).is_violated());
    // A filter that keeps all rows does not know that it does.
    let all = (space() >> then_filter_rows(lit(true))).unwrap();
    assert_eq!((all.output_domain().size(), all.map(&1).unwrap()), (None, 2));
}

/// Bounds are those of what is summed: after each step that computes, they are found anew, or there are none.
#[test]
fn bounds_are_those_of_the_column_that_is_summed() {
    let vectors = vectors("stability");
    let side = |name: &str, side: &str| {
        ones(vectors[name][side].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()))
    };
    let holds = |name: &str, x: Expr, truth: f64| {
        let sum = sum_of(floats(), x).unwrap();
        let (x, y) = (side(name, "x"), side(name, "y"));
        assert!(!stability(&sum, pairs(&floats(), &x, &y)).is_violated(), "{name}");
        assert_eq!(sum.map(&1).unwrap(), truth, "{name}");
    };
    let unit = || col("x").clamp(0.0, 1.0);
    // The clipped column is beside the one that is not, which has no bounds.
    holds("clip_then_use_unclipped", unit(), 1.0);
    let beside = || (floats(), SymmetricDistance) >> then_with_columns(vec![("clipped", unit())]);
    assert!((beside() >> then_rows::<f64, _, _>(vec!["x"]) >> then_sum()).is_err());
    assert!((beside() >> then_rows::<f64, _, _>(vec!["clipped"]) >> then_sum()).is_ok());
    // A product has no bounds but those that are declared anew.
    let squares = || col("x").clamp(0.0, 100.0) * col("x").clamp(0.0, 100.0);
    assert!(sum_of(floats(), squares().fill_null(0.0)).is_err());
    holds("only_lower_bound_used", squares().fill_null(0.0).clamp(0.0, 10_000.0), 10_000.0);
    // Without bounds there is no sum.
    assert!(sum_of(floats(), col("x")).is_err() && vectors.contains_key("bounds_missing_means_no_noise"));
    let name = "stale_bounds_after_scale";
    assert!(sum_of(floats(), (unit() * -3.0).fill_null(0.0)).is_err());
    holds(name, (unit() * -3.0).fill_null(0.0).clamp(-3.0, 0.0), 3.0);
    let negative = make_with_columns(floats(), SymmetricDistance, vec![("x", -unit())]).unwrap();
    let bounds = negative.output_domain().column("x").unwrap().bounds();
    assert_eq!(bounds, Some((Cell::Float(-1.0), Cell::Float(0.0))));
}

/// Rows that are read, that are not, and that overflow: a chain answers for all members of its domain.
#[test]
fn error_vs_success_is_public() {
    assert!(vectors("side_channels").contains_key("error_vs_success_is_public"));
    let domain = table([("t", ColumnDomain::text().with_missing())]);
    let (integer, float) = (ColumnDomain::integer, ColumnDomain::float);
    let number = col("t").cast(integer());
    let sum = ((domain.clone(), SymmetricDistance)
        >> then_with_columns(vec![("n", number.clone() * number.clone() + number), ("x", col("t").cast(float()))])
        >> then_filter_rows(!(col("x") / col("n")).gt(1e300) | col("t").cast(ColumnDomain::date()).is_null())
        >> then_with_columns(vec![("x", (col("x") * col("x")).fill_null(0.0).clamp(0.0, 10.0))])
        >> then_rows::<f64, _, _>(vec!["x"])
        >> then_sum())
    .unwrap();
    let rows =
        ["1", "2.5", "-7", "NaN", "1e400", "", "x", "9223372036854775808", "\u{665}", "0x1p3", "inf", "3037000500"];
    let mut random = Random::new(203);
    let row = |random: &mut Random| vec![if random.below(9) == 0 { Cell::Missing } else { random.of(&rows).into() }];
    let naive = |rows: &[Row]| {
        rows.iter().all(|row| matches!(&row[0], Cell::Text(text) if text.parse::<f64>().is_ok_and(|x| x.is_finite())))
    };
    let mut differ = 0;
    for _ in 0..crate::tries(5_000) {
        let (x, y) = random.pair(row);
        for side in [&x, &y] {
            let layout = random.of(&Layout::some());
            assert!(sum.invoke(&frame(&domain, side, &layout)).is_ok());
        }
        differ += u32::from(naive(&x) != naive(&y));
    }
    assert!(differ > crate::tries(50), "no power: {differ}");
}

/// A construction that is too deep or too large, and a text of one, is refused; it does not end the process.
#[test]
fn expressions_too_deep_for_the_stack_are_refused() {
    let resources = vectors("resources");
    assert!(resources.contains_key("nesting_depth_100000") && resources.contains_key("deserialise_hostile"));
    let deep = (0..100_000).fold(col("x"), |inner, _| inner.clamp(0.0, 1.0));
    let error = sum_of(floats(), deep).map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Parameter("expression"));
    for hostile in ["(".repeat(1_000_000), "not ".repeat(10_000), "x in [NaN, ".repeat(10_000), "\0".into()] {
        assert!(hostile.parse::<Expr>().is_err());
    }
}
