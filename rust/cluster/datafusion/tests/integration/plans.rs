//! Plans with every fold that there is, and with steps that need all rows of an individual.

use indistinct::{
    core::Plan,
    frames::*,
    plans::FrameMeasurement,
    prelude::*,
    queries::{Budget, Query},
};
use std::collections::BTreeSet;

pub(crate) fn visits() -> FrameDomain {
    FrameDomain::new([
        ("person", ColumnDomain::text()),
        ("city", ColumnDomain::text().with_missing()),
        ("n", ColumnDomain::integer().with_bounds(0.0, 10.0).unwrap()),
        ("x", ColumnDomain::float().with_missing()),
        ("y", ColumnDomain::float().with_bounds(0.0, 125.0).unwrap()),
        ("bad", ColumnDomain::bool()),
    ])
    .unwrap()
}

pub(crate) fn people() -> FrameDomain {
    visits().with_individuals("person").unwrap()
}

/// The plan of a chain.
macro_rules! of {
    ($chain:expr) => {
        FrameMeasurement::from_plan(($chain).unwrap().plan()).unwrap()
    };
}

fn asked(query: Query) -> FrameMeasurement {
    query.measurement(Budget::Epsilon(1.0)).unwrap().measurement().clone()
}

pub(crate) fn bounded_sum() -> FrameMeasurement {
    let keys = KeySet::product([("n", (0..10i64).collect::<Vec<_>>())]).unwrap();
    asked(Query::new(&people()).max_rows_per_individual(3).sum(col("x"), (-1e16, 1e16)).count().group_by(keys))
}

/// All of them, for so many rows where a number of rows is stated.
pub(crate) fn all(rows: usize) -> Vec<FrameMeasurement> {
    let (n, y) = (vec!["n"], vec!["y"]);
    let keys = || KeySet::product([("n", (0..10i64).collect::<Vec<_>>())]).unwrap();
    let input = || (visits(), SymmetricDistance);
    let floats = || {
        input()
            >> then_filter_rows(!col("x").is_null())
            >> then_with_columns(vec![("x", col("x").fill_null(0.0).clamp(-1e16, 1e16))])
            >> then_rows::<f64, _, _>(vec!["x"])
    };
    let ints = || input() >> then_rows::<i64, _, _>(n.clone());
    let keyed = || input() >> then_with_columns(vec![("key", text_key([col("n"), col("city")])), ("one", lit(1i64))]);
    let sized = || (visits().with_size(rows), ChangeOneDistance) >> then_rows::<f64, _, _>(y.clone());
    let two = (visits().with_size(rows), SymmetricDistance) >> then_rows::<(f64, f64), _, _>(vec!["y", "y"]);
    let over = || {
        (people(), SymmetricIdDistance)
            >> then_window_per_individual(Vec::<&str>::new(), vec![("rows", PerIndividual::count())])
    };
    let joined = (people(), SymmetricIdDistance)
        >> then_join_rows(
            (col("bad"), !col("bad")),
            vec!["city"],
            vec![("other", col("n") + 1)],
            2,
            UnmatchedRows::Keep,
        )
        >> then_with_columns(vec![("other", col("other").fill_null(0).clamp(0, 7))])
        >> then_bound_rows(vec!["other"], 2)
        >> then_rows::<i64, _, _>(vec!["other"]);
    let per_person = [("days", PerIndividual::sum(col("x"))), ("any", PerIndividual::count())];
    vec![
        of!(floats() >> then_sum() >> then_laplace(1e16)),
        of!(ints() >> then_sum() >> then_laplace(10.0)),
        of!(floats() >> then_count() >> then_laplace(1.0)),
        of!(floats() >> then_quantile_scores(vec![-1e9, 0.0, 0.1, 1e9], 0.9) >> then_noisy_max(MaxDivergence, 2.0)),
        of!(input() >> then_count_rows_by("n", 7, L1Distance::new()) >> then_laplace(1.0)),
        of!(keyed()
            >> then_sum_column_by_key::<i64, _, _, _>("key", "one", L01InfDistance)
            >> then_laplace_threshold(0.5, 8)),
        of!(keyed()
            >> then_sum_column_by_key::<f64, _, _, _>("key", "y", L01InfDistance)
            >> then_laplace_threshold(0.5, 2000.5)),
        of!(input() >> then_sum_column_by::<f64, _, _, _>("n", 7, "y", L1Distance::new()) >> then_laplace(125.0)),
        of!(input() >> then_count_distinct_by("n", 7, "person", L1Distance::new()) >> then_laplace(1.0)),
        of!(input() >> then_rows::<String, _, _>(vec!["person"]) >> then_count_distinct() >> then_laplace(1.0)),
        of!(sized() >> then_mean() >> then_laplace(0.5)),
        of!(sized() >> then_variance() >> then_laplace(5.0)),
        of!(sized() >> then_sum_of_squared_deviations() >> then_gaussian(ZeroConcentratedDivergence, 50.0)),
        of!(two >> then_covariance(L2Distance::new()) >> then_gaussian(ZeroConcentratedDivergence, 50.0)),
        of!(over()
            >> then_bound_groups(vec!["city", "n"], 2, 1)
            >> then_with_columns(vec![("key", text_key([col("n")]))])
            >> then_count_individuals_by_key("key", 2, L01InfDistance)
            >> then_laplace_threshold(2.0, 30)),
        of!(joined >> then_sum() >> then_laplace(14.0)),
        bounded_sum(),
        asked(
            Query::new(&people())
                .aggregate_per_individual(per_person)
                .variance(col("days"), (-1e17, 1e17))
                .count_individuals(),
        ),
        asked(
            Query::new(&visits())
                .filter(!col("bad"))
                .mean(col("y"), (0.0, 9.0))
                .quantiles(col("x"), vec![-1e9, 0.0, 1e9], &[0.5])
                .group_by(keys()),
        ),
        asked(Query::new(&people()).group_by(keys()).max_groups_per_individual(2).max_rows_per_individual(3).count()),
        Query::new(&people())
            .max_groups_per_individual(2)
            .count_unknown_keys(["city"], (1.0, 1e-9))
            .unwrap()
            .measurement()
            .clone(),
        Query::new(&visits()).count_unknown_keys(["city", "n"], (1.0, 1e-9)).unwrap().measurement().clone(),
    ]
}

/// All folds that a plan can have are in one of them, and all steps that need individuals' rows together.
#[test]
fn no_fold_is_left_out() {
    fn note(plan: &Plan, seen: &mut BTreeSet<String>) {
        seen.insert(plan.name.clone());
        plan.children.iter().for_each(|plan| note(plan, seen));
    }
    let mut seen = BTreeSet::new();
    all(10).iter().for_each(|plan| note(plan.plan(), &mut seen));
    let folds = [
        "make_aggregate_individuals",
        "make_bound_groups",
        "make_bound_rows",
        "make_composition",
        "make_count",
        "make_count_distinct",
        "make_count_distinct_by",
        "make_count_individuals_by_key",
        "make_count_rows_by",
        "make_covariance",
        "make_join_rows",
        "make_mean",
        "make_window_per_individual",
        "make_quantile_scores",
        "make_sum",
        "make_sum_column_by",
        "make_sum_column_by_key",
        "make_sum_column_by_of_individuals",
        "make_sum_of_squared_deviations",
        "make_variance",
    ];
    let missing: Vec<_> = folds.into_iter().filter(|name| !seen.contains(*name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
