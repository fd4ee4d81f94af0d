//! What the tests under this folder share: distances computed a second time, independently of the library, and the
//! vectors of known failures.

// This crate only serves tests: a failure here is a failed test.
#![allow(clippy::expect_used, clippy::indexing_slicing)]

use indistinct::numeric::{
    Dyadic,
    gmp::{Integer, Rational},
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

pub mod neighbors;

/// Distances between datasets, straight from their definitions; `None` is infinity.
pub use indistinct_audit::distances;

/// A float that is ordered and compared as the library sees it: -0.0 equals 0.0, and all NaN are equal.
#[derive(Debug, Clone, Copy)]
pub struct Float(pub f64);

impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Float {}

impl PartialOrd for Float {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Float {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let canonical = |x: f64| if x.is_nan() { f64::NAN } else { x + 0.0 };
        canonical(self.0).total_cmp(&canonical(other.0))
    }
}

/// Numbers as exact fractions.
pub trait Exact {
    /// The number, exactly.
    fn exact(&self) -> Rational;
}

impl Exact for f64 {
    fn exact(&self) -> Rational {
        Rational::from_f64(*self).expect("a finite float")
    }
}

impl Exact for Dyadic {
    fn exact(&self) -> Rational {
        self.to_gmp_rational()
    }
}

impl Exact for i128 {
    fn exact(&self) -> Rational {
        Rational::from(*self)
    }
}

impl Exact for i64 {
    fn exact(&self) -> Rational {
        Rational::from(*self)
    }
}

/// Whether a reported bound is at least the exact truth.
pub fn covers(reported: f64, truth: &Rational) -> bool {
    reported == f64::INFINITY || reported.exact() >= *truth
}

/// Whether a reported bound is the exact truth, or exceeds it by no more than one part in 10^12 or one subnormal step.
pub fn is_tight(reported: f64, truth: &Rational) -> bool {
    let allowed = truth * Rational::from((1_000_000_000_001u64, 1_000_000_000_000u64));
    let below = if reported == f64::INFINITY { f64::MAX } else { reported.next_down() };
    reported.is_finite() && reported.exact() <= allowed || below.exact() < *truth
}

/// Whether a reported bound is the least float at or above the exact truth.
pub fn is_least(reported: f64, truth: &Rational) -> bool {
    covers(reported, truth) && (reported == 0.0 || reported.next_down().exact() < *truth)
}

/// The vectors of one file under `tests/vectors`, by name.
pub fn vectors(file: &str) -> BTreeMap<String, Value> {
    let path = format!("{}/vectors/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let content: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("a readable file")).expect("JSON");
    let vectors = content["vectors"].as_array().expect("a list of vectors");
    vectors.iter().map(|vector| (vector["id"].as_str().expect("a name").into(), vector.clone())).collect()
}

/// A float as the vectors write it: C99 hexadecimal, `inf`, `nan`, or `bits:` and the pattern.
pub fn float(value: &Value) -> f64 {
    let text = value.as_str().expect("a float in a string");
    if let Some(bits) = text.strip_prefix("bits:") {
        return f64::from_bits(u64::from_str_radix(bits, 16).expect("sixteen digits"));
    }
    let Some((sign, digits)) =
        text.strip_prefix("0x").map(|d| (1.0, d)).or(text.strip_prefix("-0x").map(|d| (-1.0, d)))
    else {
        return text.parse().expect("a float");
    };
    let (mantissa, exponent) = digits.split_once('p').expect("an exponent");
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mantissa = Integer::from_str_radix(&format!("{whole}{fraction}"), 16).expect("hexadecimal digits");
    let shift = exponent.parse::<i32>().expect("an exponent") - 4 * i32::try_from(fraction.len()).expect("few digits");
    sign * Dyadic::from_gmp(mantissa, shift).expect("an exponent in range").to_f64()
}

/// A fraction, as `num/den` or a decimal integer.
pub fn fraction(value: &Value) -> Rational {
    value.as_str().expect("a fraction in a string").parse().expect("a fraction")
}

/// A decimal such as `0.0049`, exactly.
pub fn decimal(value: &Value) -> Rational {
    let text = value.as_str().expect("a decimal in a string");
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let places = exponent.parse::<i32>().expect("an exponent") - i32::try_from(fraction.len()).expect("few digits");
    let mantissa: Rational = format!("{whole}{fraction}").parse().expect("digits");
    let power = Rational::from(Integer::from(Integer::u_pow_u(10, places.unsigned_abs())));
    if places < 0 { mantissa / power } else { mantissa * power }
}

/// The sizes of the differences of two maps, key by key, where a key that is absent has 0; those that are not 0.
pub fn changes<K: Ord + Clone, T: Exact>(x: &BTreeMap<K, T>, y: &BTreeMap<K, T>) -> Vec<Rational> {
    let number = |map: &BTreeMap<K, T>, key: &K| map.get(key).map(Exact::exact).unwrap_or_default();
    let keys: BTreeSet<&K> = x.keys().chain(y.keys()).collect();
    let sizes = keys.into_iter().map(|key| (number(x, key) - number(y, key)).abs());
    sizes.filter(|size| *size != 0).collect()
}

/// A list of floats written as `[[value, repeat], …]`.
pub fn runs(value: &Value) -> Vec<f64> {
    let run = |run: &Value| {
        let times = run[1].as_u64().and_then(|n| usize::try_from(n).ok()).expect("a number of repeats");
        std::iter::repeat_n(float(&run[0]), times)
    };
    value.as_array().expect("a list of runs").iter().flat_map(run).collect()
}
