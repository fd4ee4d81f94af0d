//! Individuals: many rows of one, their order, rows that are nobody's, what a bound on rows is worth after a step.

use super::{super::integer, cells, pairs, table, ways};
use indistinct::{frames::*, numeric::gmp::Rational, prelude::*};
use indistinct_audit::{
    frames::{Row, rows},
    stability::stability,
};
use indistinct_tables::Csv;
use indistinct_tests::{covers, float, runs, vectors};
use std::collections::BTreeSet;

fn people(x: ColumnDomain) -> FrameDomain {
    table([("who", ColumnDomain::integer()), ("x", x)]).with_individuals("who").unwrap()
}

fn of<T: Into<Cell>>(who: i64, cells: impl IntoIterator<Item = T>) -> Vec<Row> {
    cells.into_iter().map(|cell| vec![who.into(), cell.into()]).collect()
}

/// At most three rows of each individual, each in [-10, 10]: one individual exchanged for another is two individuals
/// and 60, not 30.
#[test]
fn an_exchanged_individual_counts_twice() {
    let vector = &vectors("stability")["max_length_is_not_max_change"];
    let domain = people(ColumnDomain::integer());
    let sum = ((domain.clone(), SymmetricIdDistance)
        >> then_bound_groups(Vec::<&str>::new(), 1, 3)
        >> then_rows_of_individuals::<i64, i64, _, _>(vec!["x"])
        >> then_bound_contributions(3)
        >> then_clamp((-10, 10))
        >> then_sum())
    .unwrap();
    let side = |side: &str| of(1, vector[side].as_array().unwrap().iter().map(|value| value.as_i64().unwrap()));
    let (x, y) = (side("x"), side("y"));
    let change = sum.invoke(&ways(&domain, &x)[0]).unwrap() - sum.invoke(&ways(&domain, &y)[0]).unwrap();
    assert_eq!(change.abs(), integer(&vector["true_d_out"]));
    assert!(covers(sum.map(&2).unwrap(), &Rational::from(change.abs())));
    assert!(!stability(&sum, pairs(&domain, &x, &y)).is_violated());
    // One who has more rows than are kept, and some of them twice, adds no more.
    let many = of(1, (0..40).map(|row| row % 7));
    for (x, y) in [(&many[..], &[][..]), (&many[..], &x[..])] {
        assert!(!stability(&sum, pairs(&domain, x, y)).is_violated());
    }
}

/// A bound by groups says nothing once the groups are overwritten: no fact of it is in the domain, and the chain bounds
/// rows anew.
#[test]
fn a_bound_on_groups_is_not_kept_when_they_are_overwritten() {
    let vector = &vectors("stability")["stale_truncation"];
    let domain = people(ColumnDomain::integer());
    let count = |rows: u32| {
        ((domain.clone(), SymmetricIdDistance)
            >> then_bound_groups(vec!["x"], 100, 1)
            >> then_with_columns(vec![("x", lit(0))])
            >> then_rows_of_individuals::<i64, i64, _, _>(vec!["x"])
            >> then_bound_contributions(rows)
            >> then_count_by_categories(vec![0i64], UnknownCategories::Drop, L2Distance::new()))
        .unwrap()
    };
    let both: Vec<Row> = (0..2).flat_map(|who| of(who, 0..100i64)).collect();
    let one = of(1, 0..100i64);
    for rows in [1, 10, 100] {
        assert!(!stability(&count(rows), pairs(&domain, &both, &one)).is_violated(), "{rows}");
    }
    assert!(covers(count(100).map(&1).unwrap(), &Rational::from(integer(&vector["true_d_out"]))));
    // The negative control claims the root of 100 groups, as before.
    let change = |count: i64| Rational::from(count);
    assert!(!covers(integer(&vector["claimed"]).to_string().parse().unwrap(), &change(100)), "no power");
}

/// What is computed of an individual does not depend on the order of rows, on batches, or on anybody else: floats are
/// added exactly, integers neither wrap nor saturate on the way.
#[test]
fn values_of_individuals_do_not_depend_on_the_order_of_rows() {
    let domain = people(ColumnDomain::float().with_missing());
    let (x, by) = (|| col("x"), || vec!["x"]);
    let columns = vec![
        ("rows", PerIndividual::count()),
        ("distinct", PerIndividual::distinct(x())),
        ("sum", PerIndividual::sum(x())),
        ("min", PerIndividual::min(x())),
        ("max", PerIndividual::max(x())),
        ("any", PerIndividual::any(x().gt(1.0))),
        ("all", PerIndividual::all(x().gt(1.0))),
        ("first", PerIndividual::first(x(), x() * 0.0)),
        ("last", PerIndividual::last(x(), x() * 0.0)),
    ];
    let space = || (domain.clone(), SymmetricIdDistance);
    let aggregate = (space() >> then_aggregate_individuals(Vec::<&str>::new(), columns.clone())).unwrap();
    let over = (space() >> then_window_per_individual(Vec::<&str>::new(), columns)).unwrap();
    let bounded = (space() >> then_bound_groups(by(), 2, 2)).unwrap();
    let mut run = 0;
    let float_sums = vectors("float_sum").into_iter().filter(|(_, vector)| vector["metric"] == "symmetric");
    let specials =
        vectors("stability")["histogram_neg_zero_nan_keys"]["x"].as_array().unwrap().iter().map(float).collect();
    let mut lists: Vec<(String, Vec<f64>)> = float_sums.map(|(name, vector)| (name, runs(&vector["x"]))).collect();
    lists.push(("histogram_neg_zero_nan_keys".into(), specials));
    for (name, list) in lists {
        let few: Vec<f64> = list.iter().take(20).chain(list.iter().rev().take(20)).copied().collect();
        let forwards = [of(1, few.clone()), of(2, [0.5])].concat();
        let others = [of(3, [7.0, 8.0]), forwards.iter().rev().cloned().collect()].concat();
        for step in [&aggregate, &over, &bounded] {
            assert!(!stability(step, pairs(&domain, &forwards, &others)).is_violated(), "{name}");
            let mine = |data: &[Row], layout: usize| {
                let mut mine = rows(&step.invoke(&ways(&domain, data)[layout]).unwrap());
                mine.retain(|row| row[0] == Cell::Integer(1));
                let mut texts: Vec<String> = mine.iter().map(|row| format!("{row:?}").replace("-0.0", "0.0")).collect();
                texts.sort_unstable();
                texts
            };
            assert!((0..3).all(|layout| mine(&forwards, 0) == mine(&others, layout)), "{name}");
        }
        run += 1;
    }
    assert_eq!(run, 6);
}

/// The sums of individuals, of integers at the ends of 64 bits.
#[test]
fn sums_of_individuals_neither_wrap_nor_saturate() {
    assert!(vectors("int_arith").contains_key("sum_i32_saturating_reorder"));
    let domain = people(ColumnDomain::integer());
    let columns = vec![("sum", PerIndividual::sum(col("x")))];
    let step =
        ((domain.clone(), SymmetricIdDistance) >> then_aggregate_individuals(Vec::<&str>::new(), columns)).unwrap();
    let (least, most) = (i64::MIN, i64::MAX);
    for (rows, sum) in [
        (vec![most, most, least, least], Some(-2)),
        (vec![most, least, most, least], Some(-2)),
        (vec![most, 1], None),
        (vec![least, -1, 1], Some(least)),
        (vec![], None),
    ] {
        let data = [of(1, rows.clone()), of(2, [0i64])].concat();
        for frame in ways(&domain, &data) {
            let found = cells(&step.invoke(&frame).unwrap(), "sum");
            let expected: Vec<Cell> =
                (!rows.is_empty()).then_some(sum).into_iter().chain([Some(0)]).map(Cell::from).collect();
            assert_eq!(found, expected);
        }
    }
    assert_eq!(most.wrapping_add(1), least, "no power");
}

/// Rows without an identifier are nobody's: a domain has them only if it declares each to be an individual of its own,
/// and a reader leaves them out only if it is told to.
#[test]
fn a_row_without_an_identifier_is_nobodys() {
    assert!(vectors("stability").contains_key("histogram_neg_zero_nan_keys"));
    let missing = table([("who", ColumnDomain::text().with_missing()), ("x", ColumnDomain::float())]);
    assert!(missing.clone().with_individuals("who").is_err());
    let floats = table([("who", ColumnDomain::float()), ("x", ColumnDomain::float())]);
    assert!(floats.with_individuals("who").is_err());
    let domain = table([("who", ColumnDomain::text()), ("x", ColumnDomain::float())]).with_individuals("who").unwrap();
    let data = "who,x\na,1\n,1\nNA,1\n a,1\nA,1\n";
    let reader = || Csv::new().fill_null("x", 0.0).missing(["NA"]);
    assert!(reader().from_reader(data.as_bytes(), &domain).is_err());
    let frame = reader().drop_null("who").from_reader(data.as_bytes(), &domain).unwrap();
    // Identifiers are as they are spelled, but for spaces around them; what is missing in one column takes its own row
    // alone.
    assert_eq!(cells(&frame, "who"), ["a", "a", "A"].map(Cell::from));
    let who: BTreeSet<String> = cells(&frame, "who").iter().map(Cell::to_string).collect();
    assert_eq!(who.len(), 2);
    // Declared to be individuals, they are four with the others, and not three.
    let declared = missing.with_individuals_or_null("who").unwrap();
    let frame = reader().from_reader(data.as_bytes(), &declared).unwrap();
    let rows = then_rows_of_individuals::<String, f64, _, _>(vec!["x"]);
    let count = ((declared, SymmetricIdDistance) >> rows >> then_bound_contributions(1) >> then_count()).unwrap();
    assert_eq!((count.invoke(&frame), count.map(&1)), (Ok(4), Ok(1.0)));
    // The column stays as it is: a step that computes it anew is refused.
    let anew = vec![("who", lit("a"))];
    assert!(make_with_columns(domain, SymmetricIdDistance, anew).is_err());
}
