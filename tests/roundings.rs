//! Maps of several steps, each of which must be rounded up: at random parameters none is below the exact truth, which a
//! step that is rounded down would be for one in some. Where the truth is a root, squares are compared.

use indistinct::{domains::Norm, numeric::gmp::Rational, prelude::*};
use indistinct_tests::{Exact, covers, is_least};
use proptest::prelude::*;
use std::ops::Mul;

/// Whether the square of what is reported covers the square of the truth.
fn covers_root(reported: f64, square: &Rational) -> bool {
    reported == f64::INFINITY || reported.exact().square() >= *square
}

/// A float of random digits, with more weight on few.
fn size() -> impl Strategy<Value = f64> {
    prop_oneof![(1u32..64).prop_map(f64::from), 1e-3f64..1e3]
}

/// Rows of one known number, which may be no float.
fn number_of_rows() -> impl Strategy<Value = usize> {
    prop_oneof![2usize..1000, (1usize << 53)..(1 << 62)]
}

/// Scores of three candidates.
fn scores() -> VectorDomain<AtomDomain<f64>> {
    VectorDomain::new(AtomDomain::f64()).with_size(3)
}

/// How many lengths 1, 2, 4, … fit a horizon.
fn levels(horizon: u32) -> u32 {
    u32::BITS - horizon.leading_zeros()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn selections(d in 1e-3f64..1e3, scale in 1e-3f64..1e3, k in 1u32..3, monotonic in any::<bool>()) {
        let metric = || if monotonic { LInfDistance::monotonic() } else { LInfDistance::new() };
        let eta = d.exact() * if monotonic { 1u32 } else { 2u32 } / scale.exact();
        let rho = Rational::from(eta.square_ref()) / 8u32;
        let number = usize::try_from(k).unwrap();
        macro_rules! reported {
            ($measure:ident) => {(
                make_noisy_max(scores(), metric(), $measure, scale).unwrap().map(&d).unwrap(),
                make_noisy_top_k(scores(), metric(), $measure, number, scale).unwrap().map(&d).unwrap(),
            )};
        }
        let (one, several) = reported!(MaxDivergence);
        prop_assert!(is_least(one, &eta) && is_least(several, &Rational::from(&eta * k)), "{one:e} {several:e}");
        let (one, several) = reported!(RangeDivergence);
        prop_assert!(is_least(one, &eta) && is_least(several, &Rational::from(&eta * (2 * k - 1))), "{one:e} {several:e}");
        let (one, several) = reported!(ZeroConcentratedDivergence);
        prop_assert!(is_least(one, &rho) && is_least(several, &Rational::from(&rho * k)), "{one:e} {several:e}");
    }

    /// Bounds whose multiples are floats, and those that are none themselves.
    #[test]
    fn running_sums(d in 1u32..1000, horizon in 1u32..100_000, low in any::<i64>(), high in any::<i64>(), small in any::<bool>(), scale in size()) {
        let (low, high) = (low.min(high), low.max(high));
        let (low, high) = if small { (low % 1000, low % 1000 + high.rem_euclid(1000)) } else { (low, high) };
        let items = || VectorDomain::new(AtomDomain::i64().with_bounds((low, high)).unwrap());
        let pure = make_tree_aggregation(items(), HammingDistance, MaxDivergence, horizon, scale).unwrap();
        let rho = make_tree_aggregation(items(), HammingDistance, ZeroConcentratedDivergence, horizon, scale).unwrap();
        let moved = (Rational::from(high) - low) * d / scale.exact();
        let (one, other) = (pure.map(&d).unwrap(), rho.map(&d).unwrap());
        prop_assert!(is_least(one, &(moved.clone() * levels(horizon))), "{one:e}");
        prop_assert!(is_least(other, &(moved.square() / 2u32 * levels(horizon))), "{other:e}");
    }

    /// A range that is a float, times so many that the product is none.
    #[test]
    fn running_sums_of_wide_ranges(d in 1u32.., horizon in 1u32..100_000, range in (1i64 << 40)..(1 << 53), scale in -20i32..20) {
        let items = VectorDomain::new(AtomDomain::i64().with_bounds((0, range)).unwrap());
        let scale = 2f64.powi(scale);
        let pure = make_tree_aggregation(items, HammingDistance, MaxDivergence, horizon, scale).unwrap().map(&d).unwrap();
        prop_assert!(is_least(pure, &(Rational::from(range) * d / scale.exact() * levels(horizon))), "{pure:e}");
    }

    /// Never below the exact fraction, whose square is compared, and above it by a few roundings at most.
    #[test]
    fn running_sums_of_a_factor(diagonals in prop::collection::vec(-2f64..2.0, 1..6), parts in 1usize..5, n in 1u32..9, sensitivity in size(), scale in size()) {
        prop_assume!(diagonals[0] != 0.0);
        let factor = ToeplitzFactor::new(diagonals.clone(), 7).unwrap();
        let space = VectorDomain::new(VectorDomain::new(AtomDomain::f64())).with_size(parts);
        let metric = PartitionDistance(SymmetricDistance);
        let sums = make_matrix_factorization(space, metric, GaussianDivergence, factor, 1, (1, sensitivity), scale).unwrap();
        let mu = sums.map(&(n, n, 1)).unwrap();
        let column = |step: usize| (0..=step).filter(|other| (step - other).is_multiple_of(parts)).filter_map(|k| diagonals.get(k)).map(|c| c.abs().exact()).sum::<Rational>();
        let square: Rational = (0..7).map(|step| column(step).square()).sum();
        let ratio = sensitivity.exact() * n.min(u32::try_from(parts).unwrap()) / scale.exact();
        let (told, truth) = (mu.exact().square(), square * ratio.square());
        prop_assert!(told >= truth && told <= truth * Rational::from((1_000_000_000_001u64, 1_000_000_000_000u64)), "{mu:e}");
    }

    /// Bounds that no float is.
    #[test]
    fn sums_of_great_integers(d in 1u32..1000, one in any::<i64>(), other in any::<i64>()) {
        let (low, high) = (one.min(other), one.max(other));
        let rows = || VectorDomain::new(AtomDomain::i64().with_bounds((low, high)).unwrap());
        let added = make_sum(rows(), SymmetricDistance).unwrap().map(&d).unwrap();
        prop_assert!(covers(added, &(Rational::from(low).abs().max(Rational::from(high).abs()) * d)), "{added:e}");
        let replaced = make_sum(rows(), ChangeOneDistance).unwrap().map(&d).unwrap();
        prop_assert!(covers(replaced, &((Rational::from(high) - low) * d)), "{replaced:e}");
    }

    /// A replaced row takes a number from one category to another, or changes it within one.
    #[test]
    fn sums_by_categories(d in 1u32..1000, low in -1e3f64..1e3, width in 0f64..1e3) {
        let bounds = (low, low + width);
        let (magnitude, range) = (low.exact().abs().max(bounds.1.exact().abs()), bounds.1.exact() - low.exact());
        let rows = || VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64().with_bounds(bounds).unwrap()));
        macro_rules! replaced {
            ($metric:expr) => {
                make_sum_by_categories(rows(), ChangeOneDistance, vec![0, 1], UnknownCategories::Drop, $metric).unwrap().map(&d).unwrap()
            };
        }
        let (l1, l2) = (replaced!(L1Distance::new()), replaced!(L2Distance::new()));
        let (linf, monotonic) = (replaced!(LInfDistance::new()), replaced!(LInfDistance::monotonic()));
        let twice = Rational::from(&magnitude * 2u32);
        prop_assert!(covers(l1, &(twice.clone().max(range.clone()) * d)), "{l1:e}");
        let square = (magnitude.clone().square() * 2u32).max(range.clone().square());
        prop_assert!(covers_root(l2, &(square * d * d)), "{l2:e}");
        prop_assert!(covers(linf, &(magnitude.max(range.clone()) * d)), "{linf:e}");
        prop_assert!(covers(monotonic, &(twice.max(range) * d)), "{monotonic:e}");
    }

    /// Rows of one individual in few entries, and few in each.
    #[test]
    fn sums_of_individuals(d in 1u32..1000, low in -1e3f64..1e3, width in 0f64..1e3, limits in (1u32..5000, 1u32..200), great in any::<bool>(), entries in 1u8..20) {
        let bounds = (low, low + width);
        let magnitude = low.exact().abs().max(bounds.1.exact().abs());
        let (all, each) = if great { (u32::MAX - limits.0, u32::MAX / 3 - limits.1) } else { limits };
        let rows = PairDomain::new(AtomDomain::u8(), AtomDomain::f64().with_bounds(bounds).unwrap());
        let rows = || VectorDomain::new(PairDomain::new(AtomDomain::u8(), rows.clone()));
        macro_rules! map {
            ($metric:expr) => {
                make_sum_by_categories_of_individuals(rows(), SymmetricIdDistance, (0..entries).collect(), UnknownCategories::Drop, all, each, $metric)
                    .unwrap()
                    .map(&d)
                    .unwrap()
            };
        }
        // As many rows as there are, each of the greatest size, in as few entries as their limit allows.
        let each = u64::from(each.min(all));
        let all = u64::from(all).min(each * u64::from(entries));
        let (full, rest) = (all / each, all % each);
        let moved = magnitude * d;
        let (l1, l2) = (map!(L1Distance::new()), map!(L2Distance::new()));
        let (linf, monotonic) = (map!(LInfDistance::new()), map!(LInfDistance::monotonic()));
        prop_assert!(covers(l1, &(moved.clone() * all)), "{l1:e}");
        let squares = Rational::from(each) * each * full + Rational::from(rest) * rest;
        prop_assert!(covers_root(l2, &(moved.clone().square() * squares)), "{l2:e}");
        prop_assert!(covers(linf, &(moved.clone() * each)), "{linf:e}");
        prop_assert!(covers(monotonic, &(moved * all.min(2 * each))), "{monotonic:e}");
    }

    /// The longest vector of a ball, in another norm: one number, or all alike.
    #[test]
    fn sums_of_vectors(d in 1u32..1000, size in 1u32..50, radius in 1e-3f64..1e3) {
        let balls = |norm| VectorDomain::new(BallDomain::new(usize::try_from(size).unwrap(), norm, radius).unwrap());
        macro_rules! added {
            ($norm:ident, $metric:expr) => {
                make_vector_sum(balls(Norm::$norm), SymmetricDistance, $metric).unwrap().map(&d).unwrap()
            };
        }
        let moved = radius.exact() * d;
        let square = Rational::from(moved.square_ref());
        for same in [added!(L1, L1Distance::new()), added!(L2, L2Distance::new()), added!(LInf, LInfDistance::new()), added!(L2, LInfDistance::new())] {
            prop_assert!(covers(same, &moved), "{same:e}");
        }
        let (of_disk, of_cube) = (added!(L2, L1Distance::new()), added!(LInf, L2Distance::new()));
        prop_assert!(covers_root(of_disk, &Rational::from(&square * size)), "{of_disk:e}");
        prop_assert!(covers_root(of_cube, &(square * size)), "{of_cube:e}");
        let of_cube = added!(LInf, L1Distance::new());
        prop_assert!(covers(of_cube, &(moved * size)), "{of_cube:e}");
    }

    #[test]
    fn sums_by_keys(d in 1u32..1000, low in -1e3f64..0.0, width in 0f64..1e3) {
        let bounds = (low, low + width);
        let (magnitude, range) = (low.exact().abs().max(bounds.1.exact().abs()), bounds.1.exact() - low.exact());
        let rows = || VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64().with_bounds(bounds).unwrap()));
        let (_, l1, one) = make_sum_by(rows(), ChangeOneDistance, L01InfDistance).unwrap().map(&d).unwrap();
        let (_, l2, other) = make_sum_by(rows(), ChangeOneDistance, L02InfDistance).unwrap().map(&d).unwrap();
        prop_assert!(covers(l1, &(Rational::from(&magnitude * 2u32) * d)), "{l1:e}");
        prop_assert!(covers_root(l2, &(magnitude.clone().square() * 2u32).max(range.clone().square()).mul(d).mul(d)), "{l2:e}");
        let greatest = magnitude.max(range) * d;
        prop_assert!(covers(one, &greatest) && covers(other, &greatest), "{one:e} {other:e}");
    }

    #[test]
    fn sums_of_floats(d in 1u32..1000, low in -1e3f64..1e3, width in 0f64..1e3) {
        let rows = VectorDomain::new(AtomDomain::f64().with_bounds((low, low + width)).unwrap());
        let replaced = make_sum(rows, ChangeOneDistance).unwrap().map(&d).unwrap();
        prop_assert!(covers(replaced, &(((low + width).exact() - low.exact()) * d)), "{replaced:e}");
    }

    /// Of a known number of rows of which one is replaced, each with bounds 0 and `high`.
    #[test]
    fn moments(number in number_of_rows(), high in size(), other in size()) {
        let bounded = |high| AtomDomain::f64().with_bounds((0.0, high)).unwrap();
        let rows = || VectorDomain::new(bounded(high)).with_size(number);
        let (range, square) = (high.exact(), high.exact().square());
        let mean = make_mean(rows(), ChangeOneDistance).unwrap().map(&1).unwrap();
        prop_assert!(covers(mean, &(range / number)), "{mean:e}");
        let variance = make_variance(rows(), ChangeOneDistance).unwrap().map(&1).unwrap();
        prop_assert!(covers(variance, &(square.clone() / number)), "{variance:e}");
        let deviations = make_sum_of_squared_deviations(rows(), ChangeOneDistance).unwrap().map(&1).unwrap();
        prop_assert!(covers(deviations, &(square.clone() * (number - 1) / number)), "{deviations:e}");
        let pairs = VectorDomain::new(PairDomain::new(bounded(high), bounded(other))).with_size(number);
        let covariance = make_covariance(pairs, ChangeOneDistance, L1Distance::new()).unwrap().map(&1).unwrap();
        let mixed = high.exact() * other.exact();
        prop_assert!(covers(covariance, &((square + mixed + other.exact().square()) / number)), "{covariance:e}");
    }

    /// Each row counts in every layer: three of them here.
    #[test]
    fn trees_of_counts(d in size()) {
        let bins = || VectorDomain::new(AtomDomain::i64()).with_size(9);
        let l1 = make_b_ary_tree(bins(), L1Distance::new(), 3, L1Distance::new()).unwrap().map(&d).unwrap();
        let l2 = make_b_ary_tree(bins(), L1Distance::new(), 3, L2Distance::new()).unwrap().map(&d).unwrap();
        prop_assert!(covers(l1, &(d.exact() * 3u32)) && covers_root(l2, &(d.exact().square() * 3u32)), "{l1:e} {l2:e}");
    }

    /// The matrices (a b; b a), (a) and, for the geometric mean of the sums of columns and of rows, (a a 0; 0 0 c).
    #[test]
    fn matrices(d in size(), a in size(), b in size(), more in 0f64..1.0) {
        let floats = |size| VectorDomain::new(AtomDomain::f64()).with_size(size);
        let both = || vec![vec![a, b], vec![b, a]];
        let sum = a.exact() + b.exact();
        let l2 = make_linear_queries(floats(2), L2Distance::new(), both(), L2Distance::new()).unwrap().map(&d).unwrap();
        prop_assert!(covers(l2, &(&sum * d.exact())), "{l2:e}");
        // What moves a row, or two apart: (a b), and (a - b, b - a), whose length is root 2 times the difference.
        let monotonic = make_linear_queries(floats(2), L2Distance::new(), both(), LInfDistance::monotonic()).unwrap().map(&d).unwrap();
        let apart = (a.exact() - b.exact()).square() * 2u32;
        let square = apart.max(a.exact().square() + b.exact().square()) * d.exact().square();
        prop_assert!(covers_root(monotonic, &square), "{monotonic:e}");
        let c = a + more * a;
        let apart = vec![vec![a, a, 0.0], vec![0.0, 0.0, c]];
        let apart = make_linear_queries(floats(3), L2Distance::new(), apart, L2Distance::new()).unwrap().map(&d).unwrap();
        prop_assert!(covers_root(apart, &(a.exact() * c.exact() * 2u32).min(a.exact().square() * 2u32 + c.exact().square()).mul(d.exact().square())));
        let one = make_linear_queries(floats(1), L1Distance::new(), vec![vec![a]], L1Distance::new()).unwrap().map(&d).unwrap();
        prop_assert!(covers(one, &(a.exact() * d.exact())), "{one:e}");
    }
}

/// Twice and an eighth are exact but for numbers too great and too small: what is beyond the greatest float is
/// infinite, and nothing but 0 is 0.
#[test]
fn at_the_ends_of_floats_all_is_rounded_up() {
    let selection = make_noisy_max(scores(), LInfDistance::new(), MaxDivergence, 1.0).unwrap();
    let balls = VectorDomain::new(BallDomain::new(2, Norm::L1, f64::MAX).unwrap());
    let sum = make_vector_sum(balls, ChangeOneDistance, L1Distance::new()).unwrap();
    let rows = || {
        VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64().with_bounds((0.0, f64::MAX)).unwrap()))
    };
    macro_rules! by_categories {
        ($metric:expr) => {
            make_sum_by_categories(rows(), ChangeOneDistance, vec![0, 1], UnknownCategories::Drop, $metric)
                .unwrap()
                .map(&1)
        };
    }
    assert_eq!((selection.map(&f64::MAX), sum.map(&1)), (Ok(f64::INFINITY), Ok(f64::INFINITY)));
    let square = make_noisy_max(scores(), LInfDistance::new(), ZeroConcentratedDivergence, 1.0).unwrap();
    assert_eq!(square.map(&1e-200), Ok(5e-324));
    assert_eq!(by_categories!(L1Distance::new()), Ok(f64::INFINITY));
    assert_eq!(by_categories!(LInfDistance::monotonic()), Ok(f64::INFINITY));
}
