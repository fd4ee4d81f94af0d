//! Statistics of columns are those of typed rows, bit for bit.

use crate::{
    core::{Domain, MetricSpace, ToParameter},
    frames::*,
    metrics::{IndividualMetric, MapMetric, RowByRowMetric, RowMetric},
    prelude::*,
    transformations::categories::CategoryMetric,
};

const DROP: UnknownCategories = UnknownCategories::Drop;

/// Rows of a few individuals, at places that are listed and at others, of floats with every sign and exponent.
fn frame(rows: i64) -> Vec<Batch> {
    let of = |row: i64, most: i64| (row * 7919 + 13) * (row + 3) % most;
    let float =
        |row: i64| [0.25, -0.0, 0.0, 5e-324, -3.5, 1e-300, 10.0, -10.0, 0.1][usize::try_from(of(row, 9)).unwrap()];
    let text = |row: i64| ["a", "", "bcd"][usize::try_from(of(row, 3)).unwrap()];
    let column = Column::from_iter::<Vec<i64>>;
    let columns = [
        ("who", column((0..rows).map(|row| of(row, 61) % 40).collect())),
        ("name", (0..rows).map(|row| format!("{}", of(row, 61) % 40)).collect()),
        (
            "place",
            column(
                (0..rows)
                    .map(|row| [0, 1, 2, 3, 1, -1, i64::MIN, i64::MAX][usize::try_from(of(row, 8)).unwrap()])
                    .collect(),
            ),
        ),
        ("x", (0..rows).map(float).collect()),
        ("n", column((0..rows).map(|row| of(row, 11) - 5).collect())),
        ("t", (0..rows).map(|row| Some(text(row)).filter(|_| of(row, 5) > 0)).collect()),
    ];
    Frame::new(columns).unwrap().to_vec()
}

fn domain() -> FrameDomain {
    let columns = [
        ("who", ColumnDomain::integer()),
        ("name", ColumnDomain::text()),
        ("place", ColumnDomain::integer()),
        ("x", ColumnDomain::float().with_bounds(-10.0, 10.0).unwrap()),
        ("n", ColumnDomain::integer().with_bounds(-5.0, 6.0).unwrap()),
        ("t", ColumnDomain::text().with_missing()),
    ];
    FrameDomain::new(columns).unwrap()
}

fn people() -> FrameDomain {
    domain().with_individuals("who").unwrap()
}

/// Each row with a text for its place, and with ones.
fn keyed() -> Vec<(&'static str, Expr)> {
    vec![("key", col("place").cast(ColumnDomain::text().with_missing()).fill_null("")), ("one", lit(1i64))]
}

/// Rows of nobody, in a batch without columns, must not matter wherever the batch stands.
fn nothing() -> Batch {
    let none = FrameDomain::new([("other", ColumnDomain::text())]).unwrap();
    let text = Frame::new([("other", ["x"].into_iter().collect::<Column>())]).unwrap();
    make_filter_rows(none, SymmetricDistance, lit(false)).unwrap().invoke(&text).unwrap().remove(0)
}

/// Both steps give the same value and the same map; the first also by parts.
#[track_caller]
fn agree<DO: Domain, M: Metric<Distance = u32>, MO: Metric<Distance: PartialEq + std::fmt::Debug>>(
    step: Transformation<FrameDomain, DO, M, MO>,
    typed: Fallible<Transformation<FrameDomain, DO, M, MO>>,
) where
    crate::core::Owned<DO>: PartialEq + std::fmt::Debug,
{
    let typed = typed.unwrap();
    assert_eq!(step.output_domain(), typed.output_domain());
    for d_in in [0, 1, 2, 7, 1000, u32::MAX] {
        assert_eq!(step.map(&d_in), typed.map(&d_in), "{d_in}");
    }
    for rows in [0, 1, 40, 9000] {
        let frame = frame(rows);
        let truth = typed.invoke(&frame).unwrap();
        assert_eq!(step.invoke(&frame).unwrap(), truth);
        let with_nothing: Vec<Batch> = frame.iter().cloned().flat_map(|batch| [nothing(), batch]).collect();
        assert_eq!(step.invoke(&with_nothing).unwrap(), truth);
        let Ok(parts) = step.aggregate() else { continue };
        let parts = frame
            .iter()
            .map(|batch| step.aggregate().unwrap().absorb(std::slice::from_ref(batch)).unwrap())
            .fold(parts, |all, part| part.merge(all).unwrap());
        assert_eq!(parts.finish().unwrap(), truth);
    }
}

fn of_rows<M: RowMetric, MO: CategoryMetric + ToParameter>(metric: M, output: MO)
where
    (VectorDomain<AtomDomain<i64>>, MO): MetricSpace,
    (VectorDomain<AtomDomain<i128>>, MO): MetricSpace,
    (VectorDomain<AtomDomain<crate::numeric::Dyadic>>, MO): MetricSpace,
{
    let space = || (domain(), metric.clone());
    let (listed, of) = (|| (0..3i64).collect::<Vec<_>>(), || output.clone());
    agree(
        make_count_rows_by(domain(), metric.clone(), "place", 3, of()).unwrap(),
        space() >> then_rows::<i64, _, _>(vec!["place"]) >> then_count_by_categories(listed(), DROP, of()),
    );
    agree(
        make_sum_column_by::<f64, _, _, _>(domain(), metric.clone(), "place", 3, "x", of()).unwrap(),
        space() >> then_rows::<(i64, f64), _, _>(vec!["place", "x"]) >> then_sum_by_categories(listed(), DROP, of()),
    );
    agree(
        make_sum_column_by::<i64, _, _, _>(domain(), metric.clone(), "place", 3, "n", of()).unwrap(),
        space() >> then_rows::<(i64, i64), _, _>(vec!["place", "n"]) >> then_sum_by_categories(listed(), DROP, of()),
    );
    agree(
        make_count_distinct_by(domain(), metric.clone(), "place", 3, "x", of()).unwrap(),
        space()
            >> then_rows::<(i64, f64), _, _>(vec!["place", "x"])
            >> then_count_distinct_by_categories(listed(), DROP, of()),
    );
}

#[test]
fn statistics_of_columns_are_those_of_typed_rows() {
    of_rows(SymmetricDistance, L1Distance::new());
    of_rows(InsertDeleteDistance, L2Distance::new());
    of_rows(ChangeOneDistance, L2Distance::new());
    of_rows(ChangeOneDistance, LInfDistance::monotonic());
    of_rows(HammingDistance, L1Distance::new());
}

/// More places than wait to be added in bulk.
#[test]
fn sums_at_many_places_are_those_at_few() {
    let many = 1000;
    let listed: Vec<i64> = (0..i64::from(many)).collect();
    agree(
        make_sum_column_by::<f64, _, _, _>(domain(), SymmetricDistance, "place", many, "x", L1Distance::new()).unwrap(),
        (domain(), SymmetricDistance)
            >> then_rows::<(i64, f64), _, _>(vec!["place", "x"])
            >> then_sum_by_categories(listed, DROP, L1Distance::new()),
    );
}

#[test]
fn a_missing_value_is_not_counted_among_different_ones() {
    let distinct = make_count_distinct_by(domain(), SymmetricDistance, "place", 3, "t", L1Distance::new()).unwrap();
    let present = (domain(), SymmetricDistance)
        >> then_filter_rows(!col("t").is_null())
        >> then_with_columns(vec![("t", col("t").fill_null(""))])
        >> then_count_distinct_by("place", 3, "t", L1Distance::new());
    agree(distinct, present);
}

/// The rows that are kept are those that typed steps keep, whatever the types of identifiers and columns.
#[test]
fn an_individual_keeps_the_rows_that_typed_steps_keep() {
    for max_rows in [1, 2, 5, 100, 10_000] {
        for rows in [0, 1, 40, 9000] {
            let frame = frame(rows);
            let bounded = make_bound_rows(people(), SymmetricIdDistance, vec!["t", "place"], max_rows).unwrap();
            assert_eq!((bounded.map(&3), bounded.map(&0)), (Ok(3 * max_rows), Ok(0)));
            let read = (bounded >> then_rows::<(Option<String>, i64), _, _>(vec!["t", "place"])).unwrap();
            let typed = ((people(), SymmetricIdDistance)
                >> then_rows_of_individuals::<i64, (Option<String>, i64), _, _>(vec!["t", "place"])
                >> then_bound_contributions(max_rows))
            .unwrap();
            let sorted = |mut rows: Vec<(Option<String>, i64)>| {
                rows.sort_unstable();
                rows
            };
            assert_eq!(sorted(read.invoke(&frame).unwrap()), sorted(typed.invoke(&frame).unwrap()));
            let named = domain().with_individuals("name").unwrap();
            let bounded = make_bound_rows(named.clone(), SymmetricIdDistance, vec!["n"], max_rows).unwrap();
            let read = (bounded >> then_rows::<i64, _, _>(vec!["n"])).unwrap();
            let typed = ((named, SymmetricIdDistance)
                >> then_rows_of_individuals::<String, i64, _, _>(vec!["n"])
                >> then_bound_contributions(max_rows))
            .unwrap();
            let sorted = |mut rows: Vec<i64>| {
                rows.sort_unstable();
                rows
            };
            assert_eq!(sorted(read.invoke(&frame).unwrap()), sorted(typed.invoke(&frame).unwrap()));
        }
    }
}

fn of_individuals<M: IndividualMetric, MO: CategoryMetric + ToParameter>(metric: M, output: MO)
where
    (FrameDomain, M): MetricSpace,
    (VectorDomain<AtomDomain<i128>>, MO): MetricSpace,
    (VectorDomain<AtomDomain<crate::numeric::Dyadic>>, MO): MetricSpace,
{
    let listed = || (0..3i64).collect::<Vec<_>>();
    for (all, each) in [(1, 1), (2, 1), (3, 2), (7, 3), (2, 18), (1000, 2), (100_000, 100_000)] {
        let (space, of) = (|| (people(), metric), || output.clone());
        agree(
            make_sum_column_by_of_individuals::<f64, _, _, _>(people(), metric, "place", 3, "x", all, each, of())
                .unwrap(),
            space()
                >> then_rows_of_individuals::<i64, (i64, f64), _, _>(vec!["place", "x"])
                >> then_sum_by_categories_of_individuals(listed(), DROP, all, each, of()),
        );
        agree(
            make_sum_column_by_of_individuals::<i64, _, _, _>(people(), metric, "place", 3, "n", all, each, of())
                .unwrap(),
            space()
                >> then_rows_of_individuals::<i64, (i64, i64), _, _>(vec!["place", "n"])
                >> then_sum_by_categories_of_individuals(listed(), DROP, all, each, of()),
        );
    }
}

#[test]
fn sums_of_individuals_are_those_of_typed_rows() {
    of_individuals(SymmetricIdDistance, L1Distance::new());
    of_individuals(SymmetricIdDistance, L2Distance::new());
    of_individuals(ChangeOneIdDistance, LInfDistance::monotonic());
}

fn maps_of_rows<M: RowMetric + RowByRowMetric, MO: MapMetric + ToParameter>(metric: M, out: MO)
where
    (FrameDomain, M): MetricSpace,
    (MapDomain<String, AtomDomain<i64>>, MO): MetricSpace,
    (MapDomain<String, AtomDomain<i128>>, MO): MetricSpace,
    (MapDomain<String, AtomDomain<crate::numeric::Dyadic>>, MO): MetricSpace,
{
    let space = || (domain(), metric.clone()) >> then_with_columns(keyed());
    agree(
        (space() >> then_sum_column_by_key::<f64, _, _, _>("key", "x", out.clone())).unwrap(),
        space() >> then_rows::<(String, f64), _, _>(vec!["key", "x"]) >> then_sum_by(out.clone()),
    );
    agree(
        (space() >> then_sum_column_by_key::<i64, _, _, _>("key", "n", out.clone())).unwrap(),
        space() >> then_rows::<(String, i64), _, _>(vec!["key", "n"]) >> then_sum_by(out.clone()),
    );
    let ones = (space() >> then_sum_column_by_key::<i64, _, _, _>("key", "one", out.clone())).unwrap();
    let counts = (space() >> then_rows::<String, _, _>(vec!["key"]) >> then_count_by(out)).unwrap();
    assert!((0..9).all(|d_in| ones.map(&d_in) == counts.map(&d_in)));
    let widened = |(key, count)| (key, i128::from(count));
    let counted = counts.invoke(&frame(900)).unwrap().into_iter().map(widened).collect();
    assert_eq!(ones.invoke(&frame(900)), Ok(counted));
}

#[test]
fn maps_of_columns_are_those_of_typed_rows() {
    maps_of_rows(SymmetricDistance, L01InfDistance);
    maps_of_rows(InsertDeleteDistance, L02InfDistance);
    maps_of_rows(ChangeOneDistance, L02InfDistance);
    maps_of_rows(HammingDistance, L01InfDistance);
}

/// Individuals count in the keys in which typed steps count them.
#[test]
fn individuals_by_key_are_those_of_typed_rows() {
    for max_keys in [1, 2, 3, 7, u32::MAX] {
        let space = || (people(), SymmetricIdDistance) >> then_with_columns(keyed());
        let read = || space() >> then_rows_of_individuals::<i64, String, _, _>(vec!["key"]);
        agree(
            (space() >> then_count_individuals_by_key("key", max_keys, L01InfDistance)).unwrap(),
            read() >> then_count_individuals_by(max_keys, L01InfDistance),
        );
        agree(
            (space() >> then_count_individuals_by_key("key", max_keys, L02InfDistance)).unwrap(),
            read() >> then_count_individuals_by(max_keys, L02InfDistance),
        );
        let replaced = || (people(), ChangeOneIdDistance) >> then_with_columns(keyed());
        agree(
            (replaced() >> then_count_individuals_by_key("key", max_keys, L02InfDistance)).unwrap(),
            replaced()
                >> then_rows_of_individuals::<i64, String, _, _>(vec!["key"])
                >> then_count_individuals_by(max_keys, L02InfDistance),
        );
        let named = || (domain().with_individuals("name").unwrap(), SymmetricIdDistance) >> then_with_columns(keyed());
        agree(
            (named() >> then_count_individuals_by_key("key", max_keys, L01InfDistance)).unwrap(),
            named()
                >> then_rows_of_individuals::<String, String, _, _>(vec!["key"])
                >> then_count_individuals_by(max_keys, L01InfDistance),
        );
    }
}

/// A row without an identifier is an individual of its own: each counts, and none takes the place of another.
#[test]
fn rows_without_an_identifier_are_individuals() {
    let columns = [("who", ColumnDomain::integer().with_missing()), ("place", ColumnDomain::integer())];
    let ones = vec![("one", lit(1i64))];
    let domain = FrameDomain::new(columns).unwrap().with_individuals_or_null("who").unwrap();
    let who = [Some(7i64), None, Some(7), None, None, Some(7)];
    let frame = Frame::new([
        ("who", who.into_iter().collect::<Column>()),
        ("place", [0i64, 0, 0, 0, 1, 1].into_iter().collect()),
    ])
    .unwrap();
    let space = || (domain.clone(), SymmetricIdDistance);
    let counts =
        (space() >> then_bound_rows(vec!["place"], 1) >> then_count_rows_by("place", 1, L1Distance::new())).unwrap();
    let kept = counts.invoke(&frame).unwrap();
    assert!(kept == [2] || kept == [3], "{kept:?}");
    let sums = (space()
        >> then_with_columns(ones)
        >> then_sum_column_by_of_individuals::<i64, _, _, _>("place", 2, "one", 2, 1, L1Distance::new()))
    .unwrap();
    assert_eq!(sums.invoke(&frame), Ok(vec![3, 2]));
    let keyed = then_with_columns(vec![("key", col("place").cast(ColumnDomain::text().with_missing()).fill_null(""))]);
    let counts =
        (space() >> keyed >> then_count_individuals_by_key("key", 1, L01InfDistance)).unwrap().invoke(&frame).unwrap();
    // The individual with an identifier counts at one place alone.
    assert!(counts.values().sum::<i64>() == 4 && counts["0"] >= 2 && counts["1"] >= 1, "{counts:?}");
}

#[test]
fn maps_that_do_not_fit_are_errors() {
    let bound = make_bound_rows(people(), SymmetricIdDistance, vec!["n"], u32::MAX).unwrap();
    assert_eq!((bound.map(&1), bound.map(&2).unwrap_err().kind()), (Ok(u32::MAX), ErrorKind::Numeric));
    let replaced = make_bound_rows(people(), ChangeOneIdDistance, vec!["n"], 3).unwrap();
    assert_eq!((replaced.map(&0), replaced.map(&5)), (Ok(0), Ok(30)));
    let count = |most| make_count_individuals_by_key(people(), SymmetricIdDistance, "name", most, L01InfDistance);
    let many = count(u32::MAX).unwrap();
    assert!(many.map(&1).is_ok() && many.map(&2).unwrap_err().kind() == ErrorKind::Numeric);
    assert_eq!(count(4).unwrap().map(&3), Ok((12, 12.0, 3.0)));
    let replaced = make_count_individuals_by_key(people(), ChangeOneIdDistance, "name", 4, L02InfDistance).unwrap();
    assert_eq!((replaced.map(&3), replaced.map(&0)), (Ok((24, 12.0, 6.0)), Ok((0, 0.0, 0.0))));
}

#[test]
fn wrong_parameters_are_named() {
    let l1 = L1Distance::new;
    let count = |place, places| make_count_rows_by(domain(), SymmetricDistance, place, places, l1()).map(drop);
    let kind = |result: Fallible<()>| result.unwrap_err().kind();
    assert_eq!(count("place", 1 << 20), Ok(()));
    for places in [0, (1 << 20) + 1, u32::MAX] {
        assert_eq!(kind(count("place", places)), ErrorKind::Parameter("places"));
    }
    for place in ["x", "t", "there is no such column"] {
        assert_eq!(kind(count(place, 3)), ErrorKind::Parameter("columns"));
    }
    let missing = FrameDomain::new([("place", ColumnDomain::integer().with_missing())]).unwrap();
    assert_eq!(
        kind(make_count_rows_by(missing, SymmetricDistance, "place", 3, l1()).map(drop)),
        ErrorKind::Parameter("columns")
    );

    let sum =
        |column| make_sum_column_by::<f64, _, _, _>(domain(), SymmetricDistance, "place", 3, column, l1()).map(drop);
    let message = |column| sum(column).unwrap_err().to_string();
    assert!(message("t").contains("must contain floats or integers") && message("who").contains("must be bounded"));
    let bound =
        |columns: Vec<&'static str>, rows| make_bound_rows(people(), SymmetricIdDistance, columns, rows).map(drop);
    assert_eq!(kind(bound(vec!["n"], 0)), ErrorKind::Parameter("max_rows"));
    assert_eq!(kind(bound(vec![], 1)), ErrorKind::Parameter("columns"));
    assert_eq!(kind(bound(vec!["n", "n"], 1)), ErrorKind::Parameter("columns"));
    let of = |all, each| {
        make_sum_column_by_of_individuals::<i64, _, _, _>(
            people(),
            SymmetricIdDistance,
            "place",
            3,
            "n",
            all,
            each,
            l1(),
        )
        .map(drop)
    };
    assert_eq!(kind(of(0, 1)), ErrorKind::Parameter("max_rows"));
    assert_eq!(kind(of(1, 0)), ErrorKind::Parameter("max_rows_of_place"));

    let key = |key| make_count_individuals_by_key(people(), SymmetricIdDistance, key, 1, L01InfDistance).map(drop);
    let sums = |key, column| {
        make_sum_column_by_key::<f64, _, _, _>(domain(), SymmetricDistance, key, column, L01InfDistance).map(drop)
    };
    assert_eq!((key("name"), sums("name", "x")), (Ok(()), Ok(())));
    for wrong in ["place", "x", "t"] {
        assert_eq!(
            (kind(key(wrong)), kind(sums(wrong, "x"))),
            (ErrorKind::Parameter("key"), ErrorKind::Parameter("key"))
        );
    }
    assert_eq!(kind(sums("name", "who")), ErrorKind::Parameter("column"));
    let none = make_count_individuals_by_key(people(), SymmetricIdDistance, "name", 0, L01InfDistance).map(drop);
    assert_eq!(kind(none), ErrorKind::Parameter("max_keys"));
    let nobody = make_count_individuals_by_key(domain(), SymmetricIdDistance, "name", 1, L01InfDistance).map(drop);
    assert_eq!(kind(nobody), ErrorKind::Parameter("input_domain"));
}
