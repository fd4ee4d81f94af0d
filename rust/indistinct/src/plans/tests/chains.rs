//! A chain in Rust for each constructor.

use super::{Distances, columns, persons, same, shares};
use crate::{
    core::{MetricSpace, ToParameter},
    frames::{KeySet, PerIndividual, col, lit, lookup, when, *},
    measurements::Scale,
    prelude::*,
    transformations::categories::CategoryMetric,
};

const ALL: &Distances = &Distances::ALL;
const CURVES: &Distances = &Distances::OF_CURVES;

pub(super) fn all() {
    frames();
    row_by_row();
    statistics();
    statistics_of_columns();
    keys();
    selections();
    vectors();
    conversions();
    compositions();
    texts();
    functions();
}

fn rows<R: FrameRow>(
    names: &[&'static str],
) -> Fallible<Transformation<FrameDomain, VectorDomain<R::Domain>, SymmetricDistance, SymmetricDistance>> {
    make_rows::<R, _, _>(columns(), SymmetricDistance, names.to_vec())
}

fn frames() {
    macro_rules! under {
        ($($metric:ident),+) => {$(
            let rows = (columns(), $metric)
                >> then_filter_rows(col("age").ge(18).fill_null(false) & !col("odd \"name\""))
                >> then_with_columns(vec![("share", (col("x") / 3).fill_null(0.1).clamp(-0.5, 2.0)), ("x", col("n").cast(ColumnDomain::float()).fill_null(0.0))]);
            same(rows.clone() >> then_rows::<f64, _, _>(vec!["share"]) >> then_sum() >> then_laplace(1.5), ALL);
            same(rows >> then_rows::<String, _, _>(vec!["ward"]) >> then_count() >> then_geometric(2.0, Some((0, 99))), ALL);
        )+};
    }
    under!(SymmetricDistance, InsertDeleteDistance, ChangeOneDistance, HammingDistance);
    macro_rules! twice_under {
        ($($metric:ident),+) => {$(
            let values = vec![col("n"), col("age").fill_null(0).clamp(0, 9), lit(3)];
            let rows = (columns(), $metric) >> then_flat_map(vec![("n", values), ("rank", vec![lit(1), lit(2), lit(3)])]);
            same(rows >> then_rows::<i64, _, _>(vec!["n"]) >> then_sum() >> then_laplace(27.0), ALL);
        )+};
    }
    twice_under!(SymmetricDistance, InsertDeleteDistance, ChangeOneDistance, HammingDistance);
    macro_rules! joined_under {
        ($($metric:ident $unmatched:ident),+) => {$(
            let sides = (col("odd \"name\""), !col("odd \"name\"") | col("maybe").fill_null(false));
            let values = vec![("other", col("n") + 1), ("word", col("ward"))];
            let rows = (persons(), $metric)
                >> then_flat_map(vec![("n", vec![col("n"), lit(3)])])
                >> then_join_rows(sides, vec!["ward", "note"], values, 2, UnmatchedRows::$unmatched)
                >> then_with_columns(vec![("other", col("other").fill_null(0).clamp(0, 7))])
                >> then_bound_rows(vec!["other"], 2)
                >> then_rows::<i64, _, _>(vec!["other"]);
            same(rows >> then_sum() >> then_laplace(14.0), ALL);
        )+};
    }
    joined_under!(SymmetricIdDistance Keep, SymmetricIdDistance Drop, ChangeOneIdDistance Keep);
    let per_person = || {
        vec![
            ("rows", PerIndividual::count()),
            ("kinds", PerIndividual::distinct(col("ward"))),
            ("total", PerIndividual::sum(col("x") * 2)),
            ("least", PerIndividual::min(col("y"))),
            ("most", PerIndividual::max(col("n"))),
            ("any", PerIndividual::any(col("odd \"name\""))),
            ("all", PerIndividual::all(col("x").gt(0.5))),
            ("first", PerIndividual::first(col("ward"), col("day"))),
            ("last", PerIndividual::last(col("x"), col("day"))),
        ]
    };
    let people = || (persons(), SymmetricIdDistance);
    let one = || people() >> then_aggregate_individuals(vec!["sex"], per_person());
    same(
        one()
            >> then_with_columns(vec![("rows", col("rows").clamp(0, 7))])
            >> then_bound_rows(vec!["rows"], 2)
            >> then_rows::<i64, _, _>(vec!["rows"])
            >> then_sum()
            >> then_laplace(14.0),
        ALL,
    );
    // The same from individuals who are replaced.
    same(
        (persons(), ChangeOneIdDistance)
            >> then_filter_rows(col("age").ge(18))
            >> then_with_columns(vec![("n", col("n") + 1)])
            >> then_window_per_individual(vec!["ward"], per_person())
            >> then_bound_groups(vec!["ward"], 2, 1)
            >> then_aggregate_individuals(vec!["sex"], vec![("rows", PerIndividual::max(col("rows")))])
            >> then_with_columns(vec![("rows", col("rows").fill_null(0).clamp(0, 7))])
            >> then_bound_rows(vec!["rows"], 2)
            >> then_rows::<i64, _, _>(vec!["rows"])
            >> then_sum()
            >> then_laplace(28.0),
        ALL,
    );
    let over = people()
        >> then_window_per_individual(Vec::<&str>::new(), per_person())
        >> then_bound_groups(vec!["ward", "sex"], 2, 1);
    same(
        over.clone()
            >> then_filter_rows(col("rows").le(5))
            >> then_count_individuals_by_key("ward", 2, L01InfDistance)
            >> then_laplace_threshold(2.0, 30),
        ALL,
    );
    same(
        over.clone() >> then_count_individuals_by_key("ward", 2, L02InfDistance) >> then_gaussian_threshold(2.0, 30),
        ALL,
    );
    let counts = over.clone() >> then_count_individuals_by_key("ward", 2, L01InfDistance);
    let sums = over.clone()
        >> then_with_columns(vec![("x", col("x").fill_null(0.0).clamp(-0.5, 2.0))])
        >> then_bound_rows(vec!["ward", "x"], 2)
        >> then_sum_column_by_key::<f64, _, _, _>("ward", "x", L01InfDistance);
    same(make_sums_of_unknown_keys(counts.unwrap(), 2.0, 30, vec![sums.unwrap()], vec![9.5]), ALL);
    same(over >> then_count_individuals_by_key("ward", 2, L01InfDistance) >> then_select_keys((0.5, 1e-6), 3), ALL);
    same(
        (persons(), ChangeOneIdDistance)
            >> then_count_individuals_by_key("ward", 2, L01InfDistance)
            >> then_laplace_threshold(2.0, 30),
        ALL,
    );
    // The number of rows is part of the plan.
    let sized = (columns().with_size(40), ChangeOneDistance) >> then_rows::<f64, _, _>(vec!["x"]);
    same(sized.clone() >> then_mean() >> then_laplace(Scale::new(0.5).on_grid(-10)), ALL);
    same(sized.clone() >> then_variance() >> then_laplace(0.5), ALL);
    same(sized >> then_sum_of_squared_deviations() >> then_gaussian(ZeroConcentratedDivergence, 0.5), ALL);
    let two = (columns().with_size(40), SymmetricDistance) >> then_rows::<(f64, f64), _, _>(vec!["x", "y"]);
    same(two.clone() >> then_covariance(L2Distance::new()) >> then_gaussian(GaussianDivergence, 0.5), ALL);
    same(two >> then_covariance(L1Distance::new()) >> then_laplace(0.5), ALL);
}

fn row_by_row() {
    let sum = |floats: Fallible<
        Transformation<FrameDomain, VectorDomain<AtomDomain<f64>>, SymmetricDistance, SymmetricDistance>,
    >| {
        same(floats >> then_sum() >> then_laplace(4.0), ALL);
    };
    let computed = |value: Expr| {
        (columns(), SymmetricDistance)
            >> then_with_columns(vec![("value", value.clamp(0.0, 4.0))])
            >> then_rows::<f64, _, _>(vec!["value"])
    };
    sum(computed(col("free")));
    sum(computed(col("gap").fill_null(1.5)));
    sum(computed(col("free").fill_null(f64::INFINITY)));
    sum(computed(col("n").cast(ColumnDomain::float()).fill_null(0.0)));
    sum((columns(), SymmetricDistance)
        >> then_filter_rows(!col("gap").is_null())
        >> then_with_columns(vec![("gap", col("gap").fill_null(0.0).clamp(0.0, 4.0))])
        >> then_rows::<f64, _, _>(vec!["gap"]));
    same(rows::<bool>(&["odd \"name\""]) >> then_count() >> then_laplace(4.0), ALL);
    same(rows::<i64>(&["day"]) >> then_count() >> then_laplace(4.0), ALL);
    same(rows::<String>(&["ward"]) >> then_count_distinct() >> then_laplace(1.0), ALL);
    same(rows::<f64>(&["free"]) >> then_count_distinct() >> then_laplace(1.0), ALL);
    let bits = (columns(), HammingDistance) >> then_rows::<bool, _, _>(vec!["odd \"name\""]);
    same(bits >> then_randomized_response_bitvec(0.75), ALL);
}

fn statistics() {
    let floats = || rows::<f64>(&["x"]);
    let candidates = || vec![-1.0, 0.0, 0.1, 2.5, 10.0];
    same(floats() >> then_private_quantile(MaxDivergence, candidates(), 0.25, 2.0), ALL);
    same(floats() >> then_private_quantile(RangeDivergence, candidates(), 0.5, 2.0), ALL);
    same(rows::<i64>(&["n"]) >> then_private_quantile(ZeroConcentratedDivergence, vec![0, 3, 9], 0.5, 2.0), ALL);
    same(floats() >> then_quantile_scores(candidates(), 0.9) >> then_noisy_max(MaxDivergence, 2.0), ALL);
    same(floats() >> then_private_bounds((-3, 8), 0.5, 1e-3), ALL);
    same(rows::<i64>(&["n"]) >> then_private_bounds((0, 8), 0.5, 1e-3), ALL);
}

fn keys() {
    let space = || (columns(), SymmetricDistance);
    let ones = || vec![("one", lit(1))];
    let counts =
        |metric| space() >> then_with_columns(ones()) >> then_sum_column_by_key::<i64, _, _, _>("ward", "one", metric);
    same(counts(L01InfDistance) >> then_laplace_threshold(0.5, 8), ALL);
    let sums = |metric| space() >> then_sum_column_by_key::<f64, _, _, _>("ward", "x", metric);
    same(sums(L01InfDistance) >> then_laplace_threshold(0.5, 200.5), ALL);
    let of_l2 = space() >> then_sum_column_by_key::<f64, _, _, _>("ward", "x", L02InfDistance);
    same(of_l2 >> then_gaussian_threshold(0.5, 200.5), ALL);
    let of_pairs = sums(L01InfDistance).unwrap();
    let sums = vec![of_pairs.clone(), of_pairs];
    same(make_sums_of_unknown_keys(counts(L01InfDistance).unwrap(), 0.5, 8, sums, vec![20.0, 30.5]), ALL);
    let bins = vec![("bin", col("x").cut([0.0, 2.5]).fill_null(-1))];
    same(
        space() >> then_with_columns(bins) >> then_count_rows_by("bin", 3, L1Distance::new()) >> then_laplace(1.0),
        ALL,
    );
}

/// The number of rows with each value of a column.
fn counts<MO: CategoryMetric + ToParameter>(
    places: u32,
    metric: MO,
) -> Fallible<Transformation<FrameDomain, VectorDomain<AtomDomain<i64>>, SymmetricDistance, MO>>
where
    (VectorDomain<AtomDomain<i64>>, MO): MetricSpace,
{
    make_count_rows_by(columns(), SymmetricDistance, "n", places, metric)
}

fn selections() {
    let (plain, monotonic) = (LInfDistance::new, LInfDistance::monotonic);
    same(counts(10, plain()) >> then_noisy_max(MaxDivergence, 2.0), ALL);
    same(counts(10, monotonic()) >> then_noisy_max(RangeDivergence, 2.0), ALL);
    same(counts(10, monotonic()) >> then_exponential(ZeroConcentratedDivergence, 2.0), ALL);
    same(counts(10, plain()) >> then_permute_and_flip(2.0), ALL);
    same(counts(10, monotonic()) >> then_noisy_top_k(MaxDivergence, 3, 2.0), ALL);
    let sums = make_sum_column_by::<f64, _, _, _>(columns(), SymmetricDistance, "n", 10, "x", plain());
    same(sums >> then_noisy_max(MaxDivergence, 20.0), ALL);
}

/// Statistics of columns, of rows under each metric and of individuals.
fn statistics_of_columns() {
    let (l1, l2, greatest) = (L1Distance::new, L2Distance::new, LInfDistance::new);
    let computed = || vec![("share", (col("x") / 3).fill_null(0.1).clamp(-0.5, 2.0)), ("ones", lit(1))];
    macro_rules! of_rows {
        ($($metric:ident),+) => {$({
            let space = || (columns(), $metric);
            same(space() >> then_count_rows_by("n", 10, l1()) >> then_laplace(2.0), ALL);
            let (axes, sets) = (vec![("n", 10), ("sex", 2)], vec![vec![], vec![1], vec![0, 1]]);
            same(space() >> then_marginals(axes, sets, vec![3.0, 2.0, 1.0]), ALL);
            same(
                space() >> then_with_columns(computed()) >> then_sum_column_by::<f64, _, _, _>("n", 4, "share", l2())
                    >> then_gaussian(ZeroConcentratedDivergence, 3.0),
                ALL,
            );
            same(
                space() >> then_sum_column_by::<f64, _, _, _>("sex", 2, "x", greatest())
                    >> then_noisy_max(MaxDivergence, 20.0),
                ALL,
            );
            same(space() >> then_sum_column_by::<i64, _, _, _>("sex", 2, "n", l1()) >> then_laplace(20.0), ALL);
            same(space() >> then_count_distinct_by("n", 3, "note", l1()) >> then_laplace(2.0), ALL);
        })+};
    }
    of_rows!(SymmetricDistance, InsertDeleteDistance, ChangeOneDistance, HammingDistance);
    macro_rules! of_individuals {
        ($($metric:ident),+) => {$({
            let space = || (persons(), $metric);
            let bounded = || space() >> then_with_columns(computed()) >> then_bound_rows(vec!["n", "share", "ward"], 1);
            same(bounded() >> then_count_rows_by("n", 10, l2()) >> then_gaussian(ZeroConcentratedDivergence, 2.0), ALL);
            same(bounded() >> then_marginals(vec![("n", 10)], vec![vec![0]], vec![2.0]), ALL);
            same(
                bounded() >> then_filter_rows(col("ward").eq("a"))
                    >> then_sum_column_by::<f64, _, _, _>("n", 10, "share", l1())
                    >> then_laplace(2.0),
                ALL,
            );
            same(bounded() >> then_count_distinct_by("n", 10, "ward", l1()) >> then_laplace(2.0), ALL);
            same(bounded() >> then_rows::<f64, _, _>(vec!["share"]) >> then_sum() >> then_laplace(4.0), ALL);
            same(
                space() >> then_with_columns(computed())
                    >> then_sum_column_by_of_individuals::<f64, _, _, _>("n", 4, "share", 6, 2, l2())
                    >> then_gaussian(ZeroConcentratedDivergence, 3.0),
                ALL,
            );
            same(
                space() >> then_with_columns(computed())
                    >> then_sum_column_by_of_individuals::<f64, _, _, _>("sex", 2, "share", 1, 1, greatest())
                    >> then_noisy_max(MaxDivergence, 20.0),
                ALL,
            );
            same(
                space()
                    >> then_with_columns(computed())
                    >> then_sum_column_by_of_individuals::<i64, _, _, _>("sex", 2, "ones", 3, 2, l1())
                    >> then_laplace(6.0),
                ALL,
            );
        })+};
    }
    of_individuals!(SymmetricIdDistance, ChangeOneIdDistance);
}

fn vectors() {
    let l1 = L1Distance::new;
    same(counts(10, l1()) >> then_b_ary_tree(3, l1()) >> then_laplace(3.0), ALL);
    same(
        counts(10, l1()) >> then_b_ary_tree(4, L2Distance::new()) >> then_gaussian(ZeroConcentratedDivergence, 3.0),
        ALL,
    );
    let matrix = || vec![vec![1.0, 0.0, -0.5], vec![0.1, 1e-300, 3.0]];
    same(counts(3, l1()) >> then_linear_queries(matrix(), l1()) >> then_laplace(3.0), ALL);
    same(
        counts(3, l1()) >> then_linear_queries(matrix(), LInfDistance::new()) >> then_noisy_max(MaxDivergence, 3.0),
        ALL,
    );
    let l2 = L2Distance::new;
    same(counts(3, l1()) >> then_linear_queries(matrix(), l2()) >> then_gaussian(GaussianDivergence, 3.0), ALL);
    same(counts(3, l2()) >> then_linear_queries(matrix(), l2()) >> then_gaussian(GaussianDivergence, 3.0), ALL);
}

fn conversions() {
    let count = || rows::<bool>(&["odd \"name\""]) >> then_count();
    let pure = || (count() >> then_laplace(2.0)).unwrap();
    let rho = || (count() >> then_gaussian(ZeroConcentratedDivergence, 2.0)).unwrap();
    let mu = || (rows::<f64>(&["x"]) >> then_sum() >> then_gaussian(GaussianDivergence, 20.0)).unwrap();
    let range = || (counts(10, LInfDistance::monotonic()) >> then_exponential(RangeDivergence, 2.0)).unwrap();
    same(make_pureDP_to_zCDP(pure()), ALL);
    same(make_pureDP_to_approxDP(pure()), ALL);
    same(make_pureDP_to_bounded_range(pure()), ALL);
    same(make_pureDP_to_PLD(pure()), CURVES);
    same(make_approximate(pure()), ALL);
    same(make_approximate(rho()), ALL);
    same(make_bounded_range_to_pureDP(range()), ALL);
    same(make_bounded_range_to_zCDP(range()), ALL);
    same(make_bounded_range_to_PLD(range()), CURVES);
    same(make_zCDP_to_RDP(rho()), CURVES);
    same(make_zCDP_to_approxDP(rho()), CURVES);
    same(make_zCDP_to_approxDP(make_approximate(rho()).unwrap()), CURVES);
    same(make_zCDP_to_RDP(rho()).and_then(make_RDP_to_approxDP), CURVES);
    same(make_GDP_to_zCDP(mu()), ALL);
    same(make_GDP_to_approxDP(mu()), CURVES);
    same(make_GDP_to_PLD(mu()), CURVES);
    same(make_GDP_to_PLD(mu()).and_then(make_PLD_to_RDP), CURVES);
    same(make_GDP_to_PLD(mu()).and_then(make_PLD_to_approxDP).and_then(|m| make_fix_delta(m, 1e-6)), CURVES);
    same(make_zCDP_to_approxDP(rho()).and_then(|m| make_fix_epsilon(m, 1.5)), CURVES);
    same(make_pureDP_to_approxDP(pure()).and_then(make_fixed_approxDP_to_approxDP), CURVES);
    same(make_pureDP_to_approxDP(pure()).and_then(make_fixed_approxDP_to_PLD), CURVES);
}

fn compositions() {
    let sum = |scale: f64| (rows::<f64>(&["x"]) >> then_sum() >> then_laplace(scale)).unwrap();
    let count = || (rows::<bool>(&["odd \"name\""]) >> then_count() >> then_laplace(3.0)).unwrap();
    same(make_composition((sum(20.0), count())), ALL);
    same(make_composition(vec![sum(20.0), sum(30.0), sum(40.0)]), ALL);
    let both = || make_composition((sum(20.0), make_composition((count(), sum(1.0))).unwrap())).unwrap();
    same(make_pureDP_to_zCDP(both()), ALL);
    same(make_composition((make_pureDP_to_approxDP(both()).unwrap(), make_pureDP_to_approxDP(count()).unwrap())), ALL);
}

/// Whatever an expression, a category or a name says.
fn texts() {
    let keys =
        KeySet::list(["ward", "sex"], [vec![Cell::from("a"), Cell::from("f")], vec![Cell::Missing, Cell::from("m")]])
            .unwrap();
    let columns_of = vec![
        ("key", keys.position()),
        ("and", when(col("ward").eq("a\"\\\n]"), lit(1), col("n") - -1)),
        (
            "t",
            lookup([col("ward")], [(vec![Cell::from("none")], 1.5), (vec![Cell::from("")], -0.0)])
                .fill_null(f64::INFINITY)
                .clamp(0.0, 1e-300),
        ),
        (
            "inf",
            col("day")
                .year()
                .cast(ColumnDomain::text())
                .cast(ColumnDomain::category(["2022", "inf", "1", "missing"]).unwrap())
                .fill_null("inf"),
        ),
        ("late", col("day").ge("2022-02-02") & col("sex").is_in(["f"])),
    ];
    let rows = (columns(), SymmetricDistance) >> then_with_columns(columns_of);
    same(
        rows.clone()
            >> then_with_columns(vec![("key", col("key").fill_null(2))])
            >> then_count_rows_by("key", 3, L1Distance::new())
            >> then_laplace(1.0),
        ALL,
    );
    same(rows.clone() >> then_rows::<f64, _, _>(vec!["t"]) >> then_sum() >> then_laplace(1.0), ALL);
    same(rows >> then_rows::<i64, _, _>(vec!["inf"]) >> then_sum() >> then_laplace(1.0), ALL);
}

/// Functions of releases, and steps before a composition or a conversion.
fn functions() {
    let monotonic = LInfDistance::monotonic;
    same(
        counts(10, monotonic())
            >> then_noisy_max(MaxDivergence, 2.0)
            >> positions_to_categories((0..10).map(|i| format!("{i}")).collect()),
        ALL,
    );
    same(
        counts(10, monotonic())
            >> then_noisy_top_k(MaxDivergence, 3, 2.0)
            >> positions_to_categories((0..10i64).collect()),
        ALL,
    );
    same(
        counts(10, monotonic())
            >> then_noisy_max(MaxDivergence, 2.0)
            >> positions_to_categories((0..10).map(f64::from).collect()),
        ALL,
    );
    let pairs = ((persons(), SymmetricIdDistance) >> then_bound_rows(vec!["n", "x"], 2)).unwrap();
    let sums = (pairs.output_space()
        >> then_sum_column_by::<f64, _, _, _>("n", 2, "x", L1Distance::new())
        >> then_laplace(120.0))
    .unwrap();
    let counts = (pairs.output_space() >> then_count_rows_by("n", 2, L1Distance::new()) >> then_laplace(4.0)).unwrap();
    let apart = |step: &Measurement<_, _, _, MaxDivergence>| (pairs.clone() >> step.clone()).unwrap();
    let of_counts = (pairs.clone() >> counts.clone()).unwrap();
    same(make_composition((apart(&sums), of_counts.clone())).unwrap() >> group_means((-1.0, 10.5)).unwrap(), ALL);
    let shared = pairs.clone()
        >> make_composition((sums.clone(), counts.clone())).unwrap()
        >> group_means((-1.0, 10.5)).unwrap();
    shares(shared, make_composition((apart(&sums), of_counts.clone())).unwrap() >> group_means((-1.0, 10.5)).unwrap());
    let converted = pairs.clone() >> make_pureDP_to_zCDP(counts).unwrap();
    shares(converted, make_pureDP_to_zCDP(of_counts));
}
