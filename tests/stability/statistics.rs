//! Statistics of datasets: 10^5 random neighbors for each constructor, under each metric and with and without a known
//! size. Distances on both sides are computed a second time, exactly, and maps are attained.

use indistinct::{domains::Norm, prelude::*};
use indistinct_tests::neighbors::{Random, Truth, absolute, check_statistic, l1, l2, linf, linf_monotonic};

const PAIRS: usize = 20_000;
/// On datasets of known size, for each pair of bounds.
const SIZED_PAIRS: usize = 5_000;
/// For each form of a matrix.
const MATRIX_PAIRS: usize = 1_500;

/// Check a statistic under each metric, on datasets of any size, and on those of known size.
macro_rules! check_under_each_metric {
    (|$rows:ident, $metric:ident| $make:expr, $domain:expr, $row:expr, $distance:expr, attained: $attained:expr) => {
        check_under_each_metric!(@ $rows, $metric, $make, $domain, $row, $distance, $attained,
            SymmetricDistance InsertDeleteDistance ChangeOneDistance HammingDistance);
        check_sized!(|$rows, $metric| $make, $domain, $row, $distance, attained: $attained, pairs: SIZED_PAIRS)
    };
    (@ $rows:ident, $metric:ident, $make:expr, $domain:expr, $row:expr, $distance:expr, $attained:expr, $($name:ident)+) => {$({
        let ($rows, $metric) = ($domain, $name);
        let mut random = Random::new(17);
        check_statistic(&$make.unwrap(), (PAIRS, $attained), || random.pair($row), $distance);
    })+};
}

/// The same on datasets of known size.
macro_rules! check_sized {
    (|$rows:ident, $metric:ident| $make:expr, $domain:expr, $row:expr, $distance:expr, attained: $attained:expr, pairs: $pairs:expr) => {
        check_sized!(@ $rows, $metric, $make, $domain, $row, $distance, $attained, $pairs,
            SymmetricDistance 2, InsertDeleteDistance 4, ChangeOneDistance 3, HammingDistance 5)
    };
    (@ $rows:ident, $metric:ident, $make:expr, $domain:expr, $row:expr, $distance:expr, $attained:expr, $pairs:expr, $($name:ident $size:literal),+) => {$({
        let ($rows, $metric) = ($domain.with_size($size), $name);
        let mut random = Random::new(19);
        check_statistic(&$make.unwrap(), ($pairs, $attained), || random.pair_of_size($size, $row), $distance);
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

/// Bounds between which sums, squares and their roundings break, and whether the map of a square is attained there.
const BOUNDS: [(f64, f64, bool); 7] = [
    (0.0, 1.0, true),
    (-3.0, 2.0, true),
    (1125899906842624.0, 1125899906842625.0, true), // 2^50, 2^50 + 1
    (-1e308, 1e308, true),
    (0.0, 5e-323, false), // whose square is below the least float
    (0.1, 0.1, false),
    (-0.0, 1e16, true),
];

fn between((low, high): (f64, f64)) -> impl Fn(&mut Random) -> f64 + Copy {
    move |random| match random.below(3) {
        0 => random.float().clamp(low, high),
        1 => low,
        _ => high,
    }
}

fn bounded(bounds: (f64, f64)) -> VectorDomain<AtomDomain<f64>> {
    VectorDomain::new(AtomDomain::f64().with_bounds(bounds).unwrap())
}

#[test]
fn means() {
    for (low, high, _) in BOUNDS {
        let (rows, row) = (|| bounded((low, high)), between((low, high)));
        // A range that does not fit a float is rounded up, and so is a third.
        let attained = low < high && high < 1e300;
        check_sized!(|rows, metric| make_mean(rows, metric), rows(), row, absolute, attained: attained, pairs: SIZED_PAIRS);
    }
}

#[test]
fn sums_of_squared_deviations() {
    for (low, high, attained) in BOUNDS {
        let (rows, row) = (|| bounded((low, high)), between((low, high)));
        check_sized!(|rows, metric| make_sum_of_squared_deviations(rows, metric), rows(), row, absolute, attained: attained, pairs: SIZED_PAIRS);
    }
}

#[test]
fn variances() {
    for (low, high, attained) in BOUNDS {
        let (rows, row) = (|| bounded((low, high)), between((low, high)));
        check_sized!(|rows, metric| make_variance(rows, metric), rows(), row, absolute, attained: attained, pairs: SIZED_PAIRS);
    }
    let ends = || VectorDomain::new(AtomDomain::i64().with_bounds((i64::MIN, i64::MAX)).unwrap());
    let row = |random: &mut Random| random.of(&[i64::MIN, i64::MAX, 0, -1, 7]);
    // The width, 2^64 - 1, is rounded up to a float.
    check_sized!(|rows, metric| make_variance(rows, metric), ends(), row, absolute, attained: false, pairs: SIZED_PAIRS);
    check_sized!(|rows, metric| make_mean(rows, metric), ends(), row, absolute, attained: false, pairs: SIZED_PAIRS);
}

#[test]
fn covariances() {
    // Few of these pairs move all entries in one row; the next test has one that does.
    for (low, high, _) in BOUNDS {
        let (one, two) = (between((low, high)), between((-3.0, 2.0)));
        let row = |random: &mut Random| (one(random), two(random));
        let column = |bounds| AtomDomain::f64().with_bounds(bounds).unwrap();
        let rows = || VectorDomain::new(PairDomain::new(column((low, high)), column((-3.0, 2.0))));
        check_sized!(|rows, metric| make_covariance(rows, metric, L1Distance::new()), rows(), row, l1, attained: false, pairs: MATRIX_PAIRS);
        check_sized!(|rows, metric| make_covariance(rows, metric, L2Distance::new()), rows(), row, l2, attained: false, pairs: MATRIX_PAIRS);
        check_sized!(|rows, metric| make_covariance(rows, metric, LInfDistance::new()), rows(), row, linf, attained: false, pairs: MATRIX_PAIRS);
        check_sized!(|rows, metric| make_covariance(rows, metric, LInfDistance::monotonic()), rows(), row, linf_monotonic, attained: false, pairs: MATRIX_PAIRS);
    }
    let columns =
        || VectorDomain::new(VectorDomain::new(AtomDomain::f64().with_bounds((0.0, 1.0)).unwrap()).with_size(3));
    let row = |random: &mut Random| (0..3).map(|_| between((0.0, 1.0))(random)).collect::<Vec<f64>>();
    check_sized!(|rows, metric| make_covariance(rows, metric, L1Distance::new()), columns(), row, l1, attained: false, pairs: MATRIX_PAIRS);
    check_sized!(|rows, metric| make_covariance(rows, metric, L2Distance::new()), columns(), row, l2, attained: false, pairs: MATRIX_PAIRS);
}

/// One row takes all entries of a matrix as far as the map says.
#[test]
fn covariances_are_attained() {
    let columns = VectorDomain::new(VectorDomain::new(AtomDomain::f64().with_bounds((0.0, 2.0)).unwrap()).with_size(2))
        .with_size(4);
    let covariance = make_covariance(columns, ChangeOneDistance, L2Distance::new()).unwrap();
    let others = [vec![0.0, 0.0], vec![0.0, 0.0], vec![0.0, 0.0]];
    let value = |row: Vec<f64>| covariance.invoke(&[others.as_slice(), &[row]].concat()).unwrap();
    let Truth::Squared(truth) = l2(&value(vec![0.0, 0.0]), &value(vec![2.0, 2.0])) else { panic!("a square") };
    let l1_bound =
        make_covariance(covariance.input_domain().clone(), ChangeOneDistance, L1Distance::new()).unwrap().map(&1);
    assert_eq!(l1_bound, Ok(3.0));
    let bound = covariance.map(&1).unwrap();
    assert!(truth == 3 && bound >= 3f64.sqrt() && bound < 1.7320508075688776, "{bound}");
}

#[test]
fn trees() {
    let mut random = Random::new(23);
    for (leaves, branching) in [(1, 2), (2, 2), (5, 2), (9, 3), (10, 3), (4, 7)] {
        let bins = || VectorDomain::new(AtomDomain::i64()).with_size(leaves);
        let l1_tree = make_b_ary_tree(bins(), L1Distance::new(), branching, L1Distance::new()).unwrap();
        let l2_tree = make_b_ary_tree(bins(), L1Distance::new(), branching, L2Distance::new()).unwrap();
        let linf_tree = make_b_ary_tree(bins(), L1Distance::new(), branching, LInfDistance::new()).unwrap();
        let monotonic_tree = make_b_ary_tree(bins(), L1Distance::new(), branching, LInfDistance::monotonic()).unwrap();
        let mut attained = 0;
        for _ in 0..PAIRS {
            let x: Vec<i64> = (0..leaves).map(|_| random.of(&[0, 1, 7, -3, 1 << 40, -(1 << 40)])).collect();
            let moved = |random: &mut Random, x: &i64| x + random.of(&[0, 0, 0, 1, -1, 2, 5]);
            let y: Vec<i64> = x.iter().map(|x| moved(&mut random, x)).collect();
            let Truth::Plain(d_in) = l1(&x, &y) else { panic!("an L1 distance") };
            let d_in = d_in.to_f64();
            let (tx, ty) = (l1_tree.invoke(&x).unwrap(), l1_tree.invoke(&y).unwrap());
            assert!(l1_tree.output_domain().member(&tx));
            assert!(l1(&tx, &ty).is_covered_by(l1_tree.map(&d_in).unwrap()));
            assert!(l2(&tx, &ty).is_covered_by(l2_tree.map(&d_in).unwrap()));
            assert!(linf(&tx, &ty).is_covered_by(linf_tree.map(&d_in).unwrap()));
            assert!(linf_monotonic(&tx, &ty).is_covered_by(monotonic_tree.map(&d_in).unwrap()));
            let less = |bound: f64| bound * (1.0 - 1e-12);
            attained += u32::from(
                d_in > 0.0
                    && !l1(&tx, &ty).is_covered_by(less(l1_tree.map(&d_in).unwrap()))
                    && !l2(&tx, &ty).is_covered_by(less(l2_tree.map(&d_in).unwrap()))
                    && !linf_monotonic(&tx, &ty).is_covered_by(less(monotonic_tree.map(&d_in).unwrap())),
            );
        }
        assert!(attained > 0, "{leaves} leaves, {branching}");
    }
}

#[test]
fn sums_of_vectors() {
    let rows = || VectorDomain::new(VectorDomain::new(AtomDomain::f64()).with_size(2));
    let row = |random: &mut Random| vec![random.float(), random.of(&[0.0, 1.0, -3.0, f64::INFINITY])];
    for (norm, radius) in [(Norm::L1, 3.0), (Norm::L2, 3.0), (Norm::L2, 1e-300), (Norm::L2, 1e308), (Norm::LInf, 3.0)] {
        macro_rules! sum {
            ($metric:expr, $output:expr, $distance:expr, $attained:expr) => {
                let sum = ((rows(), $metric) >> then_norm_clip(norm, radius) >> then_vector_sum($output)).unwrap();
                let mut random = Random::new(29);
                check_statistic(&sum, (SIZED_PAIRS / 2, $attained), || random.pair(row), $distance);
            };
        }
        let (same_l1, same_l2) = (norm == Norm::L1, norm == Norm::L2);
        sum!(SymmetricDistance, L1Distance::new(), l1, same_l1);
        sum!(ChangeOneDistance, L1Distance::new(), l1, same_l1);
        sum!(InsertDeleteDistance, L2Distance::new(), l2, same_l2 && radius < 1e300);
        sum!(HammingDistance, L2Distance::new(), l2, false);
        sum!(SymmetricDistance, LInfDistance::new(), linf, true);
        sum!(HammingDistance, LInfDistance::new(), linf, false);
        sum!(SymmetricDistance, LInfDistance::monotonic(), linf_monotonic, false);
        sum!(ChangeOneDistance, LInfDistance::monotonic(), linf_monotonic, false);
    }
}
