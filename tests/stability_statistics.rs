//! Statistics of datasets: 10^5 random neighbors for each constructor, under each metric and with and without a known size. Distances on both
//! sides are computed a second time, exactly, and maps are attained.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a panic is a failed test

use indistinct::prelude::*;
use indistinct_tests::neighbors::{Random, absolute, check_statistic, linf};

const PAIRS: usize = 20_000;

/// Check a statistic under each metric, on datasets of any size, and on those of known size.
macro_rules! check_under_each_metric {
    (|$rows:ident, $metric:ident| $make:expr, $domain:expr, $row:expr, $distance:expr, attained: $attained:expr) => {
        check_under_each_metric!(@ $rows, $metric, $make, $domain, $row, $distance, $attained,
            SymmetricDistance InsertDeleteDistance ChangeOneDistance HammingDistance);
        check_sized!(|$rows, $metric| $make, $domain, $row, $distance, attained: $attained)
    };
    (@ $rows:ident, $metric:ident, $make:expr, $domain:expr, $row:expr, $distance:expr, $attained:expr, $($name:ident)+) => {$({
        let ($rows, $metric) = ($domain, $name);
        let mut random = Random::new(17);
        check_statistic(&$make.unwrap(), (PAIRS, $attained), || random.pair($row), $distance);
    })+};
}

/// The same on datasets of known size.
macro_rules! check_sized {
    (|$rows:ident, $metric:ident| $make:expr, $domain:expr, $row:expr, $distance:expr, attained: $attained:expr) => {
        check_sized!(@ $rows, $metric, $make, $domain, $row, $distance, $attained,
            SymmetricDistance 2, InsertDeleteDistance 4, ChangeOneDistance 3, HammingDistance 5)
    };
    (@ $rows:ident, $metric:ident, $make:expr, $domain:expr, $row:expr, $distance:expr, $attained:expr, $($name:ident $size:literal),+) => {$({
        let ($rows, $metric) = ($domain.with_size($size), $name);
        let mut random = Random::new(19);
        check_statistic(&$make.unwrap(), (PAIRS, $attained), || random.pair_of_size($size, $row), $distance);
    })+};
}

#[test]
fn distinct_rows() {
    let rows = || VectorDomain::new(PairDomain::new(AtomDomain::u8(), OptionDomain::new(AtomDomain::f64().with_nan())));
    let row = |random: &mut Random| {
        (random.of(&[0, 1]), random.of(&[None, Some(f64::NAN), Some(-f64::NAN), Some(0.0), Some(-0.0), Some(1.0)]))
    };
    check_under_each_metric!(|rows, metric| make_count_distinct(rows, metric), rows(), row, absolute, attained: true);
}

#[test]
fn scores_of_quantiles() {
    let rows = || VectorDomain::new(AtomDomain::f64());
    let candidates = || vec![f64::NEG_INFINITY, -1.0, 0.0, 5e-324, 0.5, 3.0, f64::MAX];
    let row = |random: &mut Random| random.float();
    check_under_each_metric!(|rows, metric| make_quantile_scores(rows, metric, candidates(), 0.5), rows(), row, linf, attained: true);
    check_under_each_metric!(|rows, metric| make_quantile_scores(rows, metric, candidates(), 0.9), rows(), row, linf, attained: true);
    check_under_each_metric!(|rows, metric| make_quantile_scores(rows, metric, candidates(), 0.0), rows(), row, linf, attained: true);
}
