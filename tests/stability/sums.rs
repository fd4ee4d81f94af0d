//! Sums of floats are exact, and those of a textbook are not: the vectors `float_sum`.

use super::attained::l1;
use indistinct::prelude::*;
use indistinct_tests::{covers, float, fraction, runs, vectors};

fn clamped<M: indistinct::bounds::RowMetric>(
    metric: M,
    bounds: (f64, f64),
) -> Transformation<VectorDomain<AtomDomain<f64>>, VectorDomain<AtomDomain<f64>>, M, M> {
    make_clamp(VectorDomain::new(AtomDomain::f64()), metric, bounds).unwrap()
}

/// A sum of floats by halves.
fn pairwise(rows: &[f64]) -> f64 {
    match rows.len() {
        0 => 0.0,
        1 => rows[0],
        n => pairwise(&rows[..n / 2]) + pairwise(&rows[n / 2..]),
    }
}

/// A sum of floats that carries what was rounded away.
fn kahan(rows: &[f64]) -> f64 {
    let (mut sum, mut carry) = (0.0, 0.0);
    for row in rows {
        let row = row - carry;
        let next: f64 = sum + row;
        (sum, carry) = (next, (next - sum) - row);
    }
    sum
}

/// A sum of 32-bit floats in order, of rows that are such.
fn single(rows: &[f64]) -> f64 {
    let rows = rows.iter().map(|row| row.to_string().parse::<f32>().unwrap());
    rows.sum::<f32>().into()
}

#[test]
fn float_sum_vectors() {
    type Sum = fn(&[f64]) -> f64;
    let sequential: Sum = |rows| rows.iter().sum();
    // The sums that each vector is made to break.
    let controls: [(&str, Sum); 9] = [
        ("sum_f64_seq_binade_cascade_n64", sequential),
        ("sum_f64_seq_binade_cascade_n1024", sequential),
        ("sum_f64_pairwise_binade_cascade_n64", pairwise),
        ("sum_f64_reorder_absorb_2p16", sequential),
        ("sum_f64_reorder_inf_nan", sequential),
        ("sum_f64_kahan_killer", kahan),
        ("sum_f64_kahan_killer", sequential),
        ("sum_f64_constant_tenth_add_one_N40962", sequential),
        ("sum_f32_overflow_one_row", single),
    ];
    for (name, vector) in vectors("float_sum").into_iter().filter(|(_, vector)| vector["statistic"] == "sum") {
        let bounds = (float(&vector["bounds"][0]), float(&vector["bounds"][1]));
        let (x, y) = (runs(&vector["x"]), runs(&vector["y"]));
        let d_in = u32::try_from(vector["d_in"].as_u64().unwrap()).unwrap();
        let (map, change) = match vector["metric"].as_str().unwrap() {
            "change_one" => {
                let sum = (clamped(ChangeOneDistance, bounds) >> then_sum()).unwrap();
                (sum.map(&d_in).unwrap(), l1(&[sum.invoke(&x).unwrap()], &[sum.invoke(&y).unwrap()]))
            }
            _ => {
                let sum = (clamped(SymmetricDistance, bounds) >> then_sum()).unwrap();
                (sum.map(&d_in).unwrap(), l1(&[sum.invoke(&x).unwrap()], &[sum.invoke(&y).unwrap()]))
            }
        };
        assert_eq!(change, fraction(&vector["exact_change"]), "{name}: the sums are not exact");
        assert!(covers(map, &change) && covers(map, &fraction(&vector["ideal_sensitivity"])), "{name}: map {map}");
        let mut broken = 0;
        for (_, control) in controls.iter().filter(|(of, _)| *of == name) {
            let naive = (control(&x) - control(&y)).abs();
            assert!(naive.is_nan() || naive > map, "{name}: no power, {naive:e}");
            broken += 1;
        }
        // The width of all floats overflows: infinite, which is right, here as in the naive difference.
        let width = name == "sum_f64_bounds_width_overflow";
        assert!(
            if width { (bounds.1 - bounds.0, map) == (f64::INFINITY, f64::INFINITY) } else { broken > 0 },
            "{name}"
        );
    }
}

/// Rows of 32-bit floats are summed exactly as well.
#[test]
fn sum_f32_overflow_one_row() {
    let vector = &vectors("float_sum")["sum_f32_overflow_one_row"];
    let narrow = |value: f64| -> f32 { value.to_string().parse().unwrap() };
    let rows = |side: &str| -> Vec<f32> { runs(&vector[side]).into_iter().map(narrow).collect() };
    let bounds = (narrow(float(&vector["bounds"][0])), narrow(float(&vector["bounds"][1])));
    let space = (VectorDomain::new(AtomDomain::f32()), SymmetricDistance);
    let sum = (space >> then_clamp(bounds) >> then_sum()).unwrap();
    let change = l1(&[sum.invoke(&rows("x")).unwrap()], &[sum.invoke(&rows("y")).unwrap()]);
    assert!(change == fraction(&vector["exact_change"]) && covers(sum.map(&1).unwrap(), &change));
    assert!((rows("x").iter().sum::<f32>() - rows("y").iter().sum::<f32>()).is_infinite(), "no power");
}
