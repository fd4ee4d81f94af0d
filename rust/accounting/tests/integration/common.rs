//! Reference values, and what it means to agree with them.

use rug::Float;
use serde_json::Value;
use std::{fs, path::Path};

pub(crate) const BITS: u32 = 300;

/// The cases of one group of a file: 30 digits of the truth each, computed for the exact inputs.
pub(crate) fn cases(file: &str, group: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(file).with_extension("json");
    let mut text: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let cases: Vec<Value> = serde_json::from_value(text["groups"][group].take()).unwrap();
    assert!(!cases.is_empty(), "{group}");
    cases
}

pub(crate) fn number(case: &Value, key: &str) -> f64 {
    case[key].as_f64().unwrap()
}

/// A decimal string to 300 bits.
pub(crate) fn truth(case: &Value, key: &str) -> Float {
    Float::with_val(BITS, Float::parse(case["truth"][key].as_str().unwrap()).unwrap())
}

/// The references have 30 digits, the last of them rounded.
fn half_digit(truth: &Float) -> Float {
    Float::with_val(BITS, truth.abs_ref()) * 1e-29
}

/// Not below the truth, and above it by at most `tolerance` of it (or by one float, if that is more).
pub(crate) fn is_above(value: f64, truth: &Float, tolerance: f64) -> bool {
    let slack = half_digit(truth);
    let most = Float::with_val(BITS, truth * (1.0 + tolerance)) + &slack;
    value >= Float::with_val(BITS, truth - &slack) && (value <= most || value.next_down() <= *truth)
}

/// Not above the truth, and below it by at most `tolerance` of it.
pub(crate) fn is_below(value: f64, truth: &Float, tolerance: f64) -> bool {
    let slack = half_digit(truth);
    let least = Float::with_val(BITS, truth * (1.0 - tolerance)) - &slack;
    value <= Float::with_val(BITS, truth + &slack) && (value >= least || value.next_up() >= *truth)
}
