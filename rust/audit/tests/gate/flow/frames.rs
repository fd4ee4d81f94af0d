//! Chains of a step on frames and noise.

use super::{Flow, alike, but, flow};
use indistinct::{frames::*, prelude::*};
use indistinct_audit::Report;

pub(super) const FLOWS: &[Flow] = &[
    alike("make_aggregate_individuals", || {
        let total = vec![("x", PerIndividual::sum(col("x")))];
        let (people, metric) = people();
        let totals = make_aggregate_individuals(people, metric, Vec::<&str>::new(), total);
        summed(totals >> then_with_columns(vec![("x", col("x").fill_null(0.0).clamp(0.0, 10.0))]))
    }),
    alike("make_bound_groups", || {
        let (people, metric) = people();
        summed(make_bound_groups(people, metric, vec!["city"], 1, 1) >> clamped())
    }),
    alike("make_bound_rows", || {
        let rows = people() >> clamped() >> then_bound_rows(vec!["x"], 1) >> then_rows::<f64, _, _>(vec!["x"]);
        flow(rows >> then_sum() >> then_laplace(10.0), &tables())
    }),
    alike("make_count_distinct_by", || {
        let counts = (people().0, SymmetricDistance) >> then_count_distinct_by("person", 3, "city", L1Distance::new());
        flow(counts >> then_laplace(1.0), &tables())
    }),
    but(
        "make_count_individuals_by_key",
        || persons(&[&[(1, "a", 1.0), (2, "b", 0.0)], &[(7, "a", 5.0), (2, "b", 1.0), (2, "b", 3.0), (8, "b", 1.0)]]),
        "keys that are not in the data have no noise",
        || persons(&[&[(1, "a", 1.0), (2, "b", 0.0)], &[(1, "a", 1.0)]]),
    ),
    alike("make_count_rows_by", || {
        let counts = (people().0, SymmetricDistance) >> then_count_rows_by("person", 3, L1Distance::new());
        flow(counts >> then_laplace(1.0), &tables())
    }),
    alike("make_marginals", || {
        let sets = vec![vec![], vec![0], vec![1], vec![0, 1]];
        let axes = vec![("person", 3), ("person", 2)];
        flow(make_marginals(people().0, SymmetricDistance, axes, sets, vec![1.0, 2.0, 0.5, 3.0]), &tables())
    }),
    alike("make_sum_column_by", || {
        let clamped = then_with_columns(vec![("x", col("x").fill_null(0.0).clamp(0.0, 10.0))]);
        let sums = (people().0, SymmetricDistance)
            >> clamped
            >> then_sum_column_by::<f64, _, _, _>("person", 3, "x", L1Distance::new());
        flow(sums >> then_laplace(10.0), &tables())
    }),
    but(
        "make_sum_column_by_key",
        || sums_by_key(&[&[(1, "a", 1.0), (2, "b", 2.5)], &[(1, "a", 9.0), (1, "b", 2.0), (3, "b", 5e-324)]]),
        "keys that are not in the data, or have a sum of 0, have no noise",
        || sums_by_key(&[&[(1, "a", 1.0), (2, "b", 2.5)], &[(1, "a", 1.0), (2, "b", 0.0)]]),
    ),
    alike("make_sum_column_by_of_individuals", || {
        let sums = people()
            >> clamped()
            >> then_sum_column_by_of_individuals::<f64, _, _, _>("person", 3, "x", 2, 1, L1Distance::new());
        flow(sums >> then_laplace(20.0), &tables())
    }),
    alike("make_filter_rows", || summed((people() >> then_filter_rows(col("city").eq("a"))) >> clamped())),
    alike("make_flat_map", || {
        summed((people() >> then_flat_map(vec![("x", vec![col("x"), col("x") * 2])])) >> clamped())
    }),
    alike("make_join_rows", || {
        let (people, metric) = people();
        let (sides, most) = ((col("x").gt(0.0), lit(true)), vec![("most", col("x"))]);
        let joined = make_join_rows(people, metric, sides, vec!["city"], most, 2, UnmatchedRows::Keep);
        summed(joined >> then_filter_rows(col("most").ge(2.0)) >> clamped())
    }),
    alike("make_window_per_individual", || {
        let most = vec![("most", PerIndividual::max(col("x")))];
        let (people, metric) = people();
        let beside = make_window_per_individual(people, metric, Vec::<&str>::new(), most);
        summed(beside >> then_filter_rows(col("most").ge(2.0)) >> clamped())
    }),
    alike("make_rows", || {
        let counted = (people().0, SymmetricDistance) >> then_rows::<(i64, Option<f64>), _, _>(vec!["person", "x"]);
        flow(counted >> then_count() >> then_laplace(1.0), &tables())
    }),
    alike("make_rows_of_individuals", || summed(people() >> clamped())),
    alike("make_with_columns", || {
        let text = col("city").length() * col("person");
        let computed = (people() >> then_with_columns(vec![("text", text), ("x", col("x") / col("x"))])) >> clamped();
        summed(computed)
    }),
];

type Of<MO> = Fallible<Transformation<FrameDomain, FrameDomain, SymmetricIdDistance, MO>>;

fn people() -> (FrameDomain, SymmetricIdDistance) {
    let columns = [
        ("person", ColumnDomain::integer()),
        ("city", ColumnDomain::text().with_missing()),
        ("x", ColumnDomain::float().with_missing()),
    ];
    (FrameDomain::new(columns).unwrap().with_individuals("person").unwrap(), SymmetricIdDistance)
}

fn clamped() -> PartialTransformation<FrameDomain, FrameDomain, SymmetricIdDistance, SymmetricIdDistance> {
    then_with_columns(vec![("x", col("x").fill_null(0.0).clamp(0.0, 10.0))])
}

/// Tables of individuals, keys and numbers.
fn keyed(tables: &[&[(i64, &str, f64)]]) -> (FrameDomain, Vec<Vec<Batch>>) {
    let x = ColumnDomain::float().with_bounds(0.0, 9.0).unwrap();
    let columns = [("person", ColumnDomain::integer()), ("key", ColumnDomain::text()), ("x", x)];
    let table = |rows: &&[(i64, &str, f64)]| {
        let columns = [
            ("person", rows.iter().map(|row| row.0).collect::<Column>()),
            ("key", rows.iter().map(|row| row.1).collect()),
            ("x", rows.iter().map(|row| row.2).collect()),
        ];
        Frame::new(columns).unwrap().to_vec()
    };
    (FrameDomain::new(columns).unwrap(), tables.iter().map(table).collect())
}

fn persons(tables: &[&[(i64, &str, f64)]]) -> Report {
    let (domain, tables) = keyed(tables);
    let people = domain.with_individuals("person").unwrap();
    let counts = make_count_individuals_by_key(people, SymmetricIdDistance, "key", 1, L01InfDistance);
    flow(counts >> then_laplace_threshold(1.0, 3), &tables)
}

fn sums_by_key(tables: &[&[(i64, &str, f64)]]) -> Report {
    let (domain, tables) = keyed(tables);
    let sums = make_sum_column_by_key::<f64, _, _, _>(domain, SymmetricDistance, "key", "x", L01InfDistance);
    flow(sums >> then_laplace_threshold(9.0, 30.0), &tables)
}

/// The noisy sum of one row of each individual.
fn summed(rows: Of<SymmetricIdDistance>) -> Report {
    let sum =
        rows >> then_rows_of_individuals::<i64, f64, _, _>(vec!["x"]) >> then_bound_contributions(1) >> then_sum();
    flow(sum >> then_laplace(10.0), &tables())
}

/// Numbers of every size and sign, missing cells, several rows of one individual, one batch, none and more.
fn tables() -> Vec<Vec<Batch>> {
    let table = |rows: &[(i64, Option<&str>, Option<f64>)]| {
        let columns = [
            ("person", rows.iter().map(|row| row.0).collect::<Column>()),
            ("city", rows.iter().map(|row| row.1).collect()),
            ("x", rows.iter().map(|row| row.2).collect()),
        ];
        Frame::new(columns).unwrap().to_vec()
    };
    let one = table(&[(1, Some("a"), Some(3.5)), (1, None, Some(-1e300)), (2, Some("bcd"), None)]);
    let other = table(&[(i64::MAX, Some(""), Some(5e-324)), (1, Some("a"), Some(-0.0))]);
    vec![Vec::new(), one.clone(), [one, other.clone()].concat(), other]
}
