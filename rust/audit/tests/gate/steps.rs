//! Steps on single rows, on missing values, and statistics of a known number of rows.

use super::support::*;
use indistinct::{domains::Norm, prelude::*};
use indistinct_audit::{
    Report,
    neighbors::all_pairs,
    stability::{ladder_of_numbers, stability, stability_map_rises},
};

rows! {
    tight make_b_ary_tree: b_ary_tree;
    tight make_cast: cast;
    tight make_count_distinct: count_distinct;
    tight make_covariance: covariance;
    tight make_drop_null: drop_null;
    tight make_filter: filter;
    tight make_find: find;
    tight make_find_bin: find_bin;
    tight make_impute_constant: impute_constant;
    tight make_is_equal: is_equal;
    tight make_is_null: is_null;
    tight make_mean: mean;
    tight make_metric_cast: metric_cast;
    tight make_norm_clip: norm_clip;
    tight make_partition_individuals_by_categories: partition_individuals;
    tight make_quantile_scores: quantile_scores;
    tight make_resize: resize;
    tight make_sum_of_squared_deviations: sum_of_squared_deviations;
    tight make_variance: variance;
    tight make_vector_sum: vector_sum;
}

fn words() -> [String; 3] {
    ["37", "tea", "milk"].map(String::from)
}

const PRESENT: [Option<f64>; 3] = [None, Some(1.0), Some(-0.0)];

fn options() -> VectorDomain<OptionDomain<AtomDomain<f64>>> {
    VectorDomain::new(OptionDomain::new(AtomDomain::f64()))
}

fn not_numbers() -> VectorDomain<AtomDomain<f64>> {
    VectorDomain::new(AtomDomain::f64().with_nan())
}

fn cast() -> Report {
    let space = (VectorDomain::new(AtomDomain::string()), SymmetricDistance);
    let ages = (space >> then_cast(AtomDomain::u8().with_bounds((0, 120)).unwrap())).unwrap();
    stable(0.95, &ages, &words())
}

fn count_distinct() -> Report {
    let rows = || VectorDomain::new(AtomDomain::string());
    let added = make_count_distinct(rows(), SymmetricDistance).unwrap();
    let replaced = make_count_distinct(rows(), ChangeOneDistance).unwrap();
    let numbers = make_count_distinct(not_numbers(), SymmetricDistance).unwrap();
    stable(0.95, &added, &words()).and(stable(0.95, &replaced, &words())).and(stable(
        0.95,
        &numbers,
        &[f64::NAN, 0.0, -0.0],
    ))
}

fn drop_null() -> Report {
    let drop = ((options(), SymmetricDistance) >> then_drop_null()).unwrap();
    let numbers = ((not_numbers(), SymmetricDistance) >> then_drop_null()).unwrap();
    stable(0.95, &drop, &PRESENT).and(stable(0.95, &numbers, &[f64::NAN, 1.0, -0.0]))
}

fn impute_constant() -> Report {
    parts(
        0.95,
        [0.5, 0.0].map(|constant| {
            let impute = ((options(), SymmetricDistance) >> then_impute_constant(constant)).unwrap();
            let numbers = ((not_numbers(), SymmetricDistance) >> then_impute_constant(constant)).unwrap();
            stable(0.95, &impute, &PRESENT).and(stable(0.95, &numbers, &[f64::NAN, 1.0, -0.0]))
        }),
    )
}

fn is_null() -> Report {
    let missing = ((options(), HammingDistance) >> then_is_null()).unwrap();
    let numbers = ((not_numbers(), HammingDistance) >> then_is_null()).unwrap();
    stable(0.95, &missing, &PRESENT).and(stable(0.95, &numbers, &[f64::NAN, 1.0, -0.0]))
}

fn filter() -> Report {
    let rows = VectorDomain::new(AtomDomain::i32());
    let adults = ((rows, SymmetricDistance) >> then_filter(|age: &i32| *age >= 18)).unwrap();
    let any = ((not_numbers(), SymmetricDistance) >> then_filter(|row: &f64| row.is_nan() || *row <= 1.0)).unwrap();
    stable(0.95, &adults, &[17, 18, 40]).and(stable(0.95, &any, &[f64::NAN, 1.0, 2.0]))
}

fn find() -> Report {
    let space = (VectorDomain::new(AtomDomain::string()), SymmetricDistance);
    let found = (space >> then_find(["tea", "milk"].map(String::from).to_vec())).unwrap();
    stable(0.95, &found, &words())
}

fn find_bin() -> Report {
    let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let bins = (space >> then_find_bin(vec![0.0, 10.0, 20.0])).unwrap();
    stable(0.95, &bins, &[-0.0, 0.0, 10.0, 15.0, 20.0, 25.0])
}

fn is_equal() -> Report {
    let space = (VectorDomain::new(AtomDomain::u32()), SymmetricDistance);
    let free = (space >> then_is_equal(0)).unwrap();
    stable(0.95, &free, &[0, 1])
}

fn metric_cast() -> Report {
    macro_rules! each_pair_of_metrics {
        ($($from:ident => $to:ident),+) => {
            parts(0.95, [$({
                let cast = make_metric_cast(VectorDomain::new(AtomDomain::u8()), $from, $to).unwrap();
                stable(0.95, &cast, &[0, 1, 2])
            }),+])
        };
    }
    let sized = (VectorDomain::new(AtomDomain::u8()).with_size(3), SymmetricDistance);
    let bounded = (sized >> then_metric_cast(ChangeOneDistance)).unwrap();
    stable(0.95, &bounded, &[0, 1, 2]).and(each_pair_of_metrics!(
        InsertDeleteDistance => SymmetricDistance,
        HammingDistance => ChangeOneDistance,
        ChangeOneDistance => SymmetricDistance,
        HammingDistance => InsertDeleteDistance
    ))
}

fn resize() -> Report {
    parts(
        0.95,
        [1, 2, 3].map(|size| {
            let resized =
                ((VectorDomain::new(AtomDomain::f64()), SymmetricDistance) >> then_resize(size, 0.0)).unwrap();
            stable(0.95, &resized, &[-0.0, 1.0, 2.0])
        }),
    )
}

fn quantile_scores() -> Report {
    let space = || (VectorDomain::new(AtomDomain::i32()), SymmetricDistance);
    parts(
        0.95,
        [0.0, 0.25, 0.5, 1.0].map(|alpha| {
            let scores = (space() >> then_quantile_scores(vec![1, 2, 4], alpha)).unwrap();
            stable(0.95, &scores, &[0, 1, 2, 3, 4, 5])
        }),
    )
}

/// Rows of three or four, within bounds.
fn sized(bounds: (f64, f64), size: usize) -> VectorDomain<AtomDomain<f64>> {
    VectorDomain::new(AtomDomain::f64().with_bounds(bounds).unwrap()).with_size(size)
}

const BOUNDS: [(f64, f64); 4] = [(0.0, 1.0), (-3.0, 2.0), (1125899906842624.0, 1125899906842625.0), (0.1, 0.3)];

fn ends((lower, upper): (f64, f64)) -> [f64; 3] {
    [lower, upper, f64::midpoint(lower, upper)]
}

fn mean() -> Report {
    parts(
        0.95,
        BOUNDS.map(|bounds| {
            let replaced = make_mean(sized(bounds, 3), ChangeOneDistance).unwrap();
            let added = make_mean(sized(bounds, 3), SymmetricDistance).unwrap();
            stable(0.95, &replaced, &ends(bounds)).and(stable(0.95, &added, &ends(bounds)))
        }),
    )
}

fn variance() -> Report {
    parts(
        0.95,
        BOUNDS.map(|bounds| {
            let two = make_variance(sized(bounds, 2), ChangeOneDistance).unwrap();
            let three = make_variance(sized(bounds, 3), SymmetricDistance).unwrap();
            stable(0.95, &two, &ends(bounds)).and(stable(0.95, &three, &ends(bounds)))
        }),
    )
}

fn sum_of_squared_deviations() -> Report {
    parts(
        0.95,
        BOUNDS.map(|bounds| {
            let two = make_sum_of_squared_deviations(sized(bounds, 2), ChangeOneDistance).unwrap();
            let three = make_sum_of_squared_deviations(sized(bounds, 3), SymmetricDistance).unwrap();
            stable(0.95, &two, &ends(bounds)).and(stable(0.95, &three, &ends(bounds)))
        }),
    )
}

fn covariance() -> Report {
    /// Rows whose columns are at their ends, and one within.
    macro_rules! columns {
        ($first:expr, $second:expr) => {{
            let ((a, b), (c, d)) = ($first, $second);
            let column = |bounds| AtomDomain::f64().with_bounds(bounds).unwrap();
            let rows = || VectorDomain::new(PairDomain::new(column($first), column($second))).with_size(3);
            let corners = [(a, c), (a, d), (b, d), (b, c)];
            let l1 = make_covariance(rows(), ChangeOneDistance, L1Distance::new()).unwrap();
            let l2 = make_covariance(rows(), ChangeOneDistance, L2Distance::new()).unwrap();
            let linf = make_covariance(rows(), ChangeOneDistance, LInfDistance::new()).unwrap();
            let monotonic = make_covariance(rows(), ChangeOneDistance, LInfDistance::monotonic()).unwrap();
            let added = make_covariance(rows(), SymmetricDistance, L1Distance::new()).unwrap();
            // Three rows must be at their corners at once, which few that are drawn are.
            let by_chance = (0.95, 0.93);
            stable(by_chance, &l1, &corners)
                .and(stable(0.95, &l2, &corners))
                .and(stable(0.95, &linf, &corners))
                .and(stable(by_chance, &monotonic, &corners))
                .and(stable(by_chance, &added, &corners))
        }};
    }
    // Equal widths, and either column wider than the other, around zero and beside it.
    all([columns!((-1.0, 3.0), (-1.0, 3.0)), columns!((-1.0, 3.0), (5.0, 5.5)), columns!((0.0, 0.25), (-7.0, 1.0))])
}

fn pairs_of_numbers() -> VectorDomain<VectorDomain<AtomDomain<f64>>> {
    VectorDomain::new(VectorDomain::new(AtomDomain::f64()).with_size(2))
}

fn norm_clip() -> Report {
    parts(
        0.95,
        [Norm::L1, Norm::L2, Norm::LInf].map(|norm| {
            let clip = ((pairs_of_numbers(), SymmetricDistance) >> then_norm_clip(norm, 0.7)).unwrap();
            stable(0.95, &clip, &[vec![3.0, -4.0], vec![0.0, 0.0], vec![-1.0, 0.1]])
        }),
    )
}

/// Every norm of a ball in every metric, rows added and rows replaced: vectors at the ball's corners, where the lengths
/// in two norms differ most.
fn vector_sum() -> Report {
    let vector = |x: f64, y: f64| vec![x, y];
    let corners = [
        vector(9.0, 9.0),
        vector(-9.0, -9.0),
        vector(9.0, -9.0),
        vector(-9.0, 9.0),
        vector(9.0, 0.0),
        vector(-9.0, 0.0),
        vector(0.3, 1e-300),
    ];
    macro_rules! sums {
        ($norm:expr, $($metric:expr),+) => {
            all([$({
                let sum = (pairs_of_numbers(), $metric) >> then_norm_clip($norm, 5.0);
                let sum = sum.unwrap();
                let l1 = (sum.clone() >> then_vector_sum(L1Distance::new())).unwrap();
                let l2 = (sum.clone() >> then_vector_sum(L2Distance::new())).unwrap();
                let linf = (sum.clone() >> then_vector_sum(LInfDistance::new())).unwrap();
                let monotonic = (sum >> then_vector_sum(LInfDistance::monotonic())).unwrap();
                stable(0.95, &l1, &corners)
                    .and(stable(0.95, &l2, &corners))
                    .and(stable(0.95, &linf, &corners))
                    .and(stable(0.95, &monotonic, &corners))
            }),+])
        };
    }
    let clipped = all([Norm::L1, Norm::L2, Norm::LInf].map(|norm| sums!(norm, SymmetricDistance, ChangeOneDistance)));
    // Balls as they are, filled to their ends.
    let balls = |norm| VectorDomain::new(BallDomain::new(3, norm, 5.0).unwrap());
    let corners = [(Norm::L1, 1.666), (Norm::L2, 2.886), (Norm::LInf, 5.0)];
    let whole = corners.map(|(norm, corner)| {
        let ends = [vec![5.0, 0.0, 0.0], vec![-5.0, 0.0, 0.0], vec![corner; 3], vec![-corner; 3]];
        let l1 = make_vector_sum(balls(norm), SymmetricDistance, L1Distance::new()).unwrap();
        let l2 = make_vector_sum(balls(norm), ChangeOneDistance, L2Distance::new()).unwrap();
        stable(0.95, &l1, &ends).and(stable(0.95, &l2, &ends))
    });
    clipped.and(all(whole))
}

/// Histograms of one bin up to nine, so that there are up to four layers, and five.
fn b_ary_tree() -> Report {
    parts(
        0.95,
        [(1, 2), (2, 2), (3, 2), (5, 2), (8, 2), (9, 2), (4, 3), (9, 3), (10, 3), (5, 4), (17, 4)].map(
            |(leaves, branching)| {
                let histogram = || VectorDomain::new(AtomDomain::i64()).with_size(leaves);
                let one = |bin: usize, count: i64| {
                    (0..leaves).map(|at| if at == bin { count } else { 0 }).collect::<Vec<_>>()
                };
                let mut inputs = vec![vec![0; leaves], vec![3; leaves], one(0, 7), one(leaves - 1, -2)];
                inputs.extend((0..leaves).map(|bin| one(bin, 1)));
                let pairs = all_pairs(&inputs);
                macro_rules! tree {
                    ($out:expr) => {{
                        let tree = make_b_ary_tree(histogram(), L1Distance::new(), branching, $out).unwrap();
                        on_neighbors(0.95, &tree, pairs.clone(), &[]).and(stability_map_rises(
                            &tree,
                            &ladder_of_numbers(),
                            &0.0,
                        ))
                    }};
                }
                all([
                    tree!(L1Distance::new()),
                    tree!(L2Distance::new()),
                    tree!(LInfDistance::new()),
                    tree!(LInfDistance::monotonic()),
                ])
            },
        ),
    )
}

fn partition_individuals() -> Report {
    let few = [(1, (0, 5)), (1, (1, 5)), (2, (0, 6)), (1, (9, 5))];
    // An individual in all parts: which are kept, a hash decides, and for some individuals it keeps those that a slip
    // would not drop.
    let persons = (1..40).map(|person| (Vec::new(), vec![(person, (0, 5)), (person, (1, 5)), (person, (9, 5))]));
    let (drop, collect) = (UnknownCategories::Drop, UnknownCategories::Other);
    all([(drop, 1), (drop, 2), (drop, 3), (collect, 1), (collect, 2), (collect, 3)].map(|(unknown, max_parts)| {
        let rows = PairDomain::new(AtomDomain::u8(), PairDomain::new(AtomDomain::u8(), AtomDomain::i64()));
        let people = (VectorDomain::new(rows), SymmetricIdDistance);
        let parts = (people >> then_partition_individuals_by_categories(vec![0, 1], unknown, max_parts)).unwrap();
        // Of three parts that an individual may be in there are but two: the claim counts the third.
        let floor = if (unknown, max_parts) == (drop, 3) { 0.66 } else { 0.95 };
        stable(floor, &parts, &few).and(stability(&parts, persons.clone()))
    }))
}
