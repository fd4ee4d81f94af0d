//! Files: cells that do not parse, do not fit, are no numbers or infinite; what errors say.

use super::{cells, table};
use arrow_array::{ArrayRef, Float32Array, Float64Array, RecordBatch};
use indistinct::{frames::*, prelude::*};
use indistinct_audit::{silence::silent, stability::stability};
use indistinct_tables::{Arrow, Csv};
use indistinct_tests::{Exact, covers, float, fraction, runs, vectors};
use serde_json::Value;
use std::sync::Arc;

/// A file of these cells in a column `x`.
fn file(texts: &[String]) -> String {
    let lines: String = texts.iter().map(|text| format!("\"{}\",\n", text.replace('"', "\"\""))).collect();
    format!("x,_\n{lines}")
}

fn read(column: ColumnDomain, texts: &[String]) -> Vec<Batch> {
    Csv::new().from_reader(file(texts).as_bytes(), &table([("x", column)])).unwrap().to_vec()
}

/// The cells of a column that may be missing, which each has in a file of its own, too.
fn images(column: ColumnDomain, texts: &[String]) -> Vec<Cell> {
    let column = column.with_missing();
    let together = cells(&read(column.clone(), texts), "x");
    let alone: Vec<Cell> =
        texts.iter().flat_map(|text| cells(&read(column.clone(), std::slice::from_ref(text)), "x")).collect();
    assert_eq!(together, alone);
    together
}

fn texts(value: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().or_else(|| value[0].as_str()).unwrap().to_string();
    value.as_array().unwrap().iter().map(text).collect()
}

/// What cannot be read is missing, in its own row.
#[test]
fn no_cell_decides_whether_a_file_is_read() {
    let listed = texts(&vectors("int_arith")["parse_int_min"]["x"]);
    let column = ColumnDomain::integer().with_bounds(f64::from(i32::MIN), f64::from(i32::MAX)).unwrap();
    let (least, five, none) = (Cell::Integer(i32::MIN.into()), Cell::Integer(5), Cell::Missing);
    let all = [least, none.clone(), none.clone(), five.clone(), five, none.clone(), none.clone()];
    assert_eq!(images(column, &listed), all);

    // Infinities are floats, within bounds they are none; and not a number is none.
    let specials = texts(&vectors("special_values")["parse_float_special_strings"]["x"]);
    let (inf, low, zero) = (Cell::Float(f64::INFINITY), Cell::Float(f64::NEG_INFINITY), Cell::Float(0.0));
    let floats = [&inf, &low, &none, &none, &inf, &low, &zero, &zero, &none, &none, &Cell::Float(1.0)];
    assert_eq!(images(ColumnDomain::float(), &specials), floats.map(Clone::clone));
    let bounded = ColumnDomain::float().with_bounds(0.0, 1.0).unwrap();
    let infinite = [&none, &none, &none, &none, &none, &none, &zero, &zero, &none, &none, &Cell::Float(1.0)];
    assert_eq!(images(bounded, &specials), infinite.map(Clone::clone));
    // From a record more to what a sum says more.
    let sum = ((table([("x", ColumnDomain::float().with_missing())]), SymmetricDistance)
        >> then_with_columns(vec![("x", col("x").fill_null(0.5).clamp(0.0, 1.0))])
        >> then_rows::<f64, _, _>(vec!["x"])
        >> then_sum())
    .unwrap();
    let first = |n: usize| read(ColumnDomain::float().with_missing(), &specials[..n]);
    let pairs = (0..specials.len()).map(|n| (first(n), first(n + 1)));
    assert!(!stability(&sum, pairs).is_violated());
    assert_eq!(sum.map(&1).unwrap(), 1.0);
    // The negative control reads as the language does, and fails at the first row that is no number.
    let naive = specials.iter().map(|text| text.parse::<f64>()).collect::<std::result::Result<Vec<f64>, _>>();
    assert!(naive.is_err(), "no power");

    // What is no integer is none: it is not cut, wrapped or set to the ends.
    let numbers: Vec<f64> = runs(&vectors("int_arith")["float_to_int_special"]["x"]);
    let written: Vec<String> = numbers.iter().map(|number| format!("{number}")).collect();
    assert_eq!(images(ColumnDomain::integer(), &written), vec![Cell::Missing; numbers.len()]);
}

/// Every pattern of bits, from Arrow's arrays: one of each is read as it is, or missing.
#[test]
fn special_floats_in_arrays() {
    let vector = &vectors("special_values")["f64_matrix"];
    let bits = |value: &Value| float(&format!("bits:{}", value.as_str().unwrap()).into());
    let values: Vec<f64> = vector["values"].as_object().unwrap().values().map(bits).collect();
    assert_eq!((values.len(), values.iter().filter(|x| x.is_nan()).count()), (18, 4));
    let batch = |values: &[f64]| {
        let array: ArrayRef = Arc::new(Float64Array::from(values.to_vec()));
        RecordBatch::try_from_iter([("x", array)]).unwrap()
    };
    let read = |column: ColumnDomain, values: &[f64]| {
        let domain = table([("x", column.with_missing())]);
        let frame = Arrow::new().batches([batch(values)], &domain).unwrap();
        assert!(domain.member(&frame));
        cells(&frame, "x")
    };
    let some = |x: &f64, is_read: bool| if is_read { Cell::Float(*x) } else { Cell::Missing };
    let floats: Vec<Cell> = values.iter().map(|x| some(x, !x.is_nan())).collect();
    assert_eq!(read(ColumnDomain::float(), &values), floats);
    let bounded: Vec<Cell> = values.iter().map(|x| some(x, (-1.0..=1.0).contains(x))).collect();
    assert_eq!(read(ColumnDomain::float().with_bounds(-1.0, 1.0).unwrap(), &values), bounded);
    // Where none may be missing and nothing is declared, nothing is read, whatever the array holds.
    for values in [&values[..], &[1.0]] {
        assert!(Arrow::new().batches([batch(values)], &table([("x", ColumnDomain::float())])).is_err());
    }
}

/// A column of 32-bit floats becomes one of 64 bits, whose sum one row does not make infinite.
#[test]
fn floats_of_32_bits_are_summed_exactly() {
    let vector = &vectors("float_sum")["sum_f32_overflow_one_row"];
    let narrow = |value: &f64| -> f32 { value.to_string().parse().unwrap() };
    let rows = |side: &str| -> Vec<f32> { runs(&vector[side]).iter().map(narrow).collect() };
    let bounds = (float(&vector["bounds"][0]), float(&vector["bounds"][1]));
    let column = ColumnDomain::float().with_bounds(bounds.0, bounds.1).unwrap();
    let domain = table([("x", column.clone())]);
    let sum = ((domain.clone(), SymmetricDistance) >> then_rows::<f64, _, _>(vec!["x"]) >> then_sum()).unwrap();
    let frame = |side: &str| {
        let array: ArrayRef = Arc::new(Float32Array::from(rows(side)));
        let batch = RecordBatch::try_from_iter([("x", array)]).unwrap();
        Arrow::new().fill_null("x", 0.0).batches([batch], &domain).unwrap()
    };
    let [at_x, at_y] = ["x", "y"].map(|side| sum.invoke(&frame(side)).unwrap().exact());
    assert_eq!((at_x - at_y).abs(), fraction(&vector["exact_change"]));
    assert!(!stability(&sum, [(frame("x").to_vec(), frame("y").to_vec())]).is_violated());
    assert!(covers(sum.map(&1).unwrap(), &fraction(&vector["exact_change"])));
    assert!((rows("x").iter().sum::<f32>() - rows("y").iter().sum::<f32>()).is_infinite(), "no power");
}

/// What takes the place of a missing cell is a value of its column.
#[test]
fn what_is_filled_in_is_in_the_domain() {
    let constant = float(&vectors("special_values")["impute_constant_outside_domain"]["constant"]);
    let bounded = ColumnDomain::float().with_bounds(0.0, 1.0).unwrap();
    let filled = |column: &ColumnDomain, value: f64| {
        let domain = table([("x", column.clone())]);
        Csv::new().fill_null("x", value).from_reader(file(&["".into()]).as_bytes(), &domain).is_ok()
    };
    assert!(!filled(&ColumnDomain::float(), constant) && !filled(&bounded, constant) && !filled(&bounded, 1.5));
    assert!(filled(&bounded, 1.0));
    // Infinite bounds are refused before a value is drawn between them.
    let bounds: Vec<f64> = texts(&vectors("special_values")["impute_infinite_bounds"]["bounds"])
        .into_iter()
        .map(|bound| float(&bound.into()))
        .collect();
    assert!(ColumnDomain::float().with_bounds(bounds[0], bounds[1]).is_err());
}

/// Errors, and what is printed of readers and frames, quote no cell.
#[test]
fn texts_about_files_tell_no_cell() {
    let canaries = texts(&vectors("side_channels")["error_text_no_data"]["inputs"]);
    let kinds = [
        ColumnDomain::integer().with_bounds(0.0, 1.0).unwrap(),
        ColumnDomain::bool(),
        ColumnDomain::date(),
        ColumnDomain::category(["a", "b"]).unwrap(),
    ];
    let (mut said, mut refused) = (Vec::new(), 0);
    for column in kinds {
        let domain = table([("x", column.clone().with_missing())]);
        let frame = Csv::new().from_reader(file(&canaries).as_bytes(), &domain).unwrap();
        said.push(format!("{frame:?} {domain:?}"));
        for strict in [file(&canaries), file(&canaries).replace(",\n", ",\"\n"), canaries.join(",")] {
            if let Err(error) = Csv::new().strict().from_reader(strict.as_bytes(), &domain) {
                refused += 1;
                said.push(format!("{error} {error:?}"));
            }
        }
    }
    assert_eq!(refused, 12);
    // A header in which there is no declared column may be a row: it is not quoted.
    assert!(!silent(&said, &canaries).is_violated(), "{said:?}");
}
