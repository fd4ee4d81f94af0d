//! Steps on tables of named columns.

use super::support::*;
use indistinct::{core::Owned, frames::*, prelude::*};
use indistinct_audit::{
    Measured, Report, Seen,
    edits::Edits,
    frames::{Layout, Row, frame},
    neighbors::{all_pairs, all_vectors},
    non_members::Fenced,
    stability::{ladder_of_rows, stability_map_rises},
};
use std::{fmt::Debug, ops::Div};

rows! {
    tight make_aggregate_individuals: aggregate_individuals;
    tight make_bound_groups: bound_groups;
    tight make_filter_rows: filter_rows;
    tight make_flat_map: flat_map;
    tight make_join_rows: join_rows;
    tight make_window_per_individual: window_per_individual;
    tight make_rows: typed_rows;
    tight make_rows_of_individuals: rows_of_individuals;
    tight make_with_columns: with_columns;
}

/// The reports of a body for each metric of rows, and, on the same columns with individuals, for those of individuals.
macro_rules! each_metric {
    (|$metric:ident, $domain:ident| $body:expr) => {
        all([
            each_metric!(@ $metric, $domain, $body, columns(), SymmetricDistance),
            each_metric!(@ $metric, $domain, $body, columns(), InsertDeleteDistance),
            each_metric!(@ $metric, $domain, $body, columns(), ChangeOneDistance),
            each_metric!(@ $metric, $domain, $body, columns(), HammingDistance),
            each_metric!(@ $metric, $domain, $body, columns().with_size(sized()), ChangeOneDistance),
            each_metric!(@ $metric, $domain, $body, columns().with_size(sized()), SymmetricDistance),
            each_metric!(@ $metric, $domain, $body, persons(), SymmetricIdDistance),
            each_metric!(@ $metric, $domain, $body, persons().with_size(sized()), SymmetricIdDistance),
            each_metric!(@ $metric, $domain, $body, persons(), ChangeOneIdDistance),
            each_metric!(@ $metric, $domain, $body, persons().with_size(sized()), ChangeOneIdDistance),
            each_metric!(@ $metric, $domain, $body, individuals_or_null(), SymmetricIdDistance),
            each_metric!(@ $metric, $domain, $body, individuals_or_null(), ChangeOneIdDistance),
        ])
    };
    (@ $metric:ident, $domain:ident, $body:expr, $columns:expr, $name:ident) => {{
        let ($metric, $domain) = ($name, $columns);
        $body
    }};
}

/// A column of each kind.
pub(crate) fn columns() -> FrameDomain {
    let bounded = ColumnDomain::float().with_bounds(-1.0, 3.0).unwrap();
    FrameDomain::new([
        ("who", ColumnDomain::integer()),
        ("x", ColumnDomain::float().with_missing()),
        ("y", bounded),
        ("n", ColumnDomain::integer().with_missing()),
        ("b", ColumnDomain::bool().with_missing()),
        ("t", ColumnDomain::text().with_missing()),
        ("c", ColumnDomain::category(["a", "37", ""]).unwrap().with_missing()),
        ("d", ColumnDomain::date()),
        ("s", ColumnDomain::time().with_missing()),
    ])
    .unwrap()
}

fn persons() -> FrameDomain {
    columns().with_individuals("who").unwrap()
}

/// The same, where the identifier may be missing and a row without one is an individual of its own.
pub(crate) fn individuals_or_null() -> FrameDomain {
    let columns = columns().names().iter().cloned().zip(columns().columns().to_vec()).collect::<Vec<_>>();
    let or_missing = columns.into_iter().map(|(name, column)| match name.as_str() {
        "who" => (name, column.with_missing()),
        _ => (name, column),
    });
    FrameDomain::new(or_missing).unwrap().with_individuals_or_null("who").unwrap()
}

/// A few rows of whom the last two have no identifier.
pub(crate) fn few_apart() -> Vec<Row> {
    let mut rows = few();
    for row in rows.iter_mut().skip(1) {
        row[0] = Cell::Missing;
    }
    rows
}

/// A few rows of these columns; the first two are one individual's.
pub(crate) fn few() -> Vec<Row> {
    let row = |who: i64, x: Option<f64>, n: Option<i64>, t: Option<&str>, day: i64| -> Row {
        let (b, c, s) = (n.map(|n| n > 0), n.map(|_| 1i64), n.map(|_| 86_399_999_999i64));
        vec![who.into(), x.into(), 0.5.into(), n.into(), b.into(), t.into(), c.into(), day.into(), s.into()]
    };
    vec![
        row(1, Some(0.0), None, Some("a"), 0),
        row(1, Some(3.0), Some(2), None, 20_780),
        row(2, None, Some(-1), Some("37"), i64::MAX),
    ]
}

/// The number of rows where it is known: with three, all pairs are nine times as many as with two.
fn sized() -> usize {
    if is_deep() { 3 } else { 2 }
}

/// All pairs of frames of up to so many of some rows, each written in a way of its own.
pub(crate) fn frames(domain: &FrameDomain, few: &[Row]) -> Vec<(Vec<Batch>, Vec<Batch>)> {
    let longest = domain.size().unwrap_or(2);
    let rows = all_vectors(few, longest).into_iter().filter(|rows| domain.size().is_none_or(|size| rows.len() == size));
    let [one, cut, around] = Layout::some();
    let pairs = all_pairs(&rows.collect::<Vec<_>>()).into_iter().zip(0..);
    pairs
        .map(|((x, y), at): ((Vec<Row>, Vec<Row>), usize)| {
            let other = if at % 2 == 0 { &cut } else { &around };
            (frame(domain, &x, &one), frame(domain, &y, other))
        })
        .collect()
}

/// As `stable`, of a step on frames.
#[track_caller]
pub(crate) fn stable_frames<DO, MI, MO>(
    floors: impl Into<Floors>,
    step: &Transformation<FrameDomain, DO, MI, MO>,
    few: &[Row],
) -> Report
where
    DO: Fenced,
    Owned<DO>: Debug,
    DO::Carrier: Seen,
    MI: Measured<[Batch]> + Edits<FrameDomain> + Metric<Distance = u32>,
    MO: Measured<DO::Carrier> + Metric<Distance = u32>,
{
    let domain = step.input_domain();
    let examples = [frame(&any_number(domain), few, &Layout::default())];
    on_neighbors(floors, step, frames(domain, few), &examples).and(stability_map_rises(step, &ladder_of_rows(), &0))
}

/// The same columns, of any number of rows.
fn any_number(domain: &FrameDomain) -> FrameDomain {
    FrameDomain::new(domain.names().iter().cloned().zip(domain.columns().iter().cloned())).unwrap()
}

/// Conditions in which all operations stand somewhere, each true of some of the few rows and not of others.
fn conditions() -> Vec<Expr> {
    let keys = KeySet::list(["n", "c"], [vec![Cell::from(2), Cell::from("37")], vec![Cell::Missing, Cell::from("a")]]);
    let position = keys.unwrap().position();
    let cast = |name: &str, to: ColumnDomain| col(name).cast(to);
    vec![
        // Which zero it is, and which NaN, is not seen.
        (col("x") * 2.0 + col("n") / 3).lt(1.0) | col("x").is_null(),
        lit(1.0).div(col("x")).is_null() & col("x").le(0.0).fill_null(true),
        cast("x", ColumnDomain::text()).eq("0") | !col("b"),
        cast("x", ColumnDomain::bool()).fill_null(col("b")),
        (-col("x")).min(col("y")).max(-1).ge(-1.0).fill_null(false),
        col("n").cut([0.0, 2.0]).ne(1),
        (col("n") * col("n") - col("who")).gt(0).fill_null(col("d").gt("2000-01-01")),
        when(col("c").eq("37"), col("n"), col("who")).clamp(-1, 1).eq(1),
        col("t").is_in(["37", "x", ""]).fill_null(true),
        cast("t", ColumnDomain::integer()).replace([(Some(37i64), 1), (None, 0)]).eq(0),
        position.lt(2),
        lookup(
            [col("b"), col("t")],
            [(vec![Cell::from(true), Cell::Missing], true), (vec![Cell::Missing, Cell::from("a")], false)],
        ),
        (col("d") + 1).year().is_null() | (col("d") - col("s").date()).eq(0),
        (col("d").month().eq(1) & col("d").day().eq(1)) | col("s").weekday().gt(4).fill_null(false),
        col("s").hour().eq(23) & col("t").length().is_null(),
        cast("d", ColumnDomain::time()).is_null() | cast("c", ColumnDomain::category(["37"]).unwrap()).is_null(),
    ]
}

/// Each condition under one metric. Of rows that are replaced, the old one and the new one must be kept to attain the
/// map, and few of the rows are so for each condition.
fn filter_rows() -> Report {
    let mut conditions = conditions().into_iter().cycle();
    each_metric!(|metric, domain| part(
        0.95,
        all(conditions
            .by_ref()
            .take(2)
            .map(|condition| {
                let step = make_filter_rows(domain.clone(), metric, condition).unwrap();
                stable_frames(0.5, &step, &few())
            })
            .collect::<Vec<_>>())
    ))
}

/// Some conditions as columns under each metric, and columns of all kinds.
fn with_columns() -> Report {
    let mut conditions = conditions().into_iter().cycle();
    let mut computed = || -> Vec<(String, Expr)> {
        let others = [
            ("x", col("x") / col("y")),
            ("y", col("x").fill_null(col("n")).fill_null(0).clamp(-1.0, 3.0)),
            ("n", -col("n") - (col("s") - col("s").fill_null("2026-11-23T06:17:45"))),
            ("t", col("d").cast(ColumnDomain::text()).fill_null(col("t"))),
            ("c", col("t").cast(ColumnDomain::category(["a", "37", ""]).unwrap())),
            ("d", col("d").max("1970-01-02").min("2026-11-23")),
            ("bin", (col("x") - col("y")).cut([-1.0, 0.0, 2.5])),
        ];
        let conditions = ["p", "q", "r"].into_iter().zip(conditions.by_ref());
        others.into_iter().chain(conditions).map(|(name, expression)| (name.to_owned(), expression)).collect()
    };
    each_metric!(|metric, domain| {
        stable_frames(0.95, &make_with_columns(domain, metric, computed()).unwrap(), &few())
    })
}

/// Two rows of each, in columns that were there and in others.
fn flat_map() -> Report {
    let in_turn = || {
        vec![
            ("n", vec![col("n"), col("who")]),
            ("v", vec![col("x"), col("y") / col("x")]),
            ("t", vec![lit(Cell::Missing), col("t")]),
            ("which", vec![lit(true), lit(false)]),
        ]
    };
    each_metric!(|metric, domain| {
        // Of a row without an identifier would come two individuals, and no step is made.
        let domain = if domain.has_individuals_or_null() { persons() } else { domain };
        stable_frames(0.95, &make_flat_map(domain, metric, in_turn()).unwrap(), &few())
    })
}

fn typed_rows() -> Report {
    macro_rules! read_as {
        ($row:ty, $columns:expr, $metric:expr, $domain:expr) => {
            stable_frames(0.95, &make_rows::<$row, _, _>($domain, $metric, $columns).unwrap(), &few())
        };
    }
    type Wide = ((i64, f64), (Option<bool>, (Option<String>, Option<i64>)));
    let wide = || vec!["d", "y", "b", "t", "c"];
    all([
        read_as!(i64, vec!["who"], SymmetricDistance, columns()),
        read_as!(Option<f64>, vec!["x"], ChangeOneDistance, columns()),
        read_as!(Wide, wide(), SymmetricDistance, columns()),
        read_as!(Wide, wide(), InsertDeleteDistance, columns()),
        read_as!(Wide, wide(), ChangeOneDistance, columns().with_size(sized())),
        read_as!(Wide, wide(), HammingDistance, columns()),
    ])
}

/// Every value of an individual's rows.
fn per_individual() -> Vec<(&'static str, PerIndividual)> {
    vec![
        ("rows", PerIndividual::count()),
        ("texts", PerIndividual::distinct(col("t"))),
        ("numbers", PerIndividual::distinct(col("x"))),
        ("sum", PerIndividual::sum(col("x"))),
        ("whole", PerIndividual::sum(col("n"))),
        ("least", PerIndividual::min(col("x"))),
        ("latest", PerIndividual::max(col("s"))),
        ("any", PerIndividual::any(col("b"))),
        ("all", PerIndividual::all(col("x").gt(col("y")))),
        ("first", PerIndividual::first(col("t"), col("d"))),
        ("last", PerIndividual::last(col("x"), col("x").fill_null(col("y")))),
    ]
}

const NONE: [&str; 0] = [];

fn aggregate_individuals() -> Report {
    let step = |domain, by| make_aggregate_individuals(domain, SymmetricIdDistance, by, per_individual()).unwrap();
    let replaced = make_aggregate_individuals(persons(), ChangeOneIdDistance, vec!["t"], per_individual()).unwrap();
    all([
        stable_frames(0.95, &replaced, &few()),
        stable_frames(0.95, &step(persons(), NONE.into()), &few()),
        stable_frames(0.95, &step(persons(), vec!["c", "x"]), &few()),
        stable_frames(0.95, &step(persons().with_size(sized()), vec!["t"]), &few()),
        stable_frames(0.95, &step(individuals_or_null(), NONE.into()), &few_apart()),
    ])
}

fn window_per_individual() -> Report {
    let step = |domain, by| make_window_per_individual(domain, SymmetricIdDistance, by, per_individual()).unwrap();
    let replaced = make_window_per_individual(persons(), ChangeOneIdDistance, NONE.into(), per_individual()).unwrap();
    all([
        stable_frames(0.95, &replaced, &few()),
        stable_frames(0.95, &step(persons(), NONE.into()), &few()),
        stable_frames(0.95, &step(persons(), vec!["b"]), &few()),
        stable_frames(0.95, &step(persons().with_size(sized()), vec!["x", "s"]), &few()),
        stable_frames(0.95, &step(individuals_or_null(), NONE.into()), &few_apart()),
    ])
}

fn bound_groups() -> Report {
    let step = |domain, by, max_groups, max_rows| {
        make_bound_groups(domain, SymmetricIdDistance, by, max_groups, max_rows).unwrap()
    };
    let replaced = make_bound_groups(persons(), ChangeOneIdDistance, vec!["n"], 1, 1).unwrap();
    all([
        stable_frames(0.95, &replaced, &few()),
        stable_frames(0.95, &step(persons(), NONE.into(), 1, 1), &few()),
        stable_frames(0.95, &step(persons(), vec!["b"], 1, 2), &few()),
        stable_frames(0.95, &step(persons(), vec!["x", "t"], 2, 1), &few()),
        stable_frames(0.95, &step(persons().with_size(sized()), vec!["c"], 1, 1), &few()),
        stable_frames(0.95, &step(individuals_or_null(), NONE.into(), 1, 1), &few_apart()),
    ])
}

/// Matches among all rows of an individual, among some, in one column and in several, as many as there are and fewer.
fn join_rows() -> Report {
    let (keep, drop) = (UnmatchedRows::Keep, UnmatchedRows::Drop);
    let values = || vec![("other", col("x")), ("text", col("t").fill_null("none")), ("sum", col("n") + col("who"))];
    let every = || (lit(true), lit(true));
    let some = || (col("n").is_null() | col("who").gt(1), col("d").ge("1970-01-01") & !col("b"));
    macro_rules! joined {
        ($domain:expr, $metric:expr, $sides:expr, $on:expr, $most:expr, $unmatched:expr) => {
            stable_frames(
                0.95,
                &make_join_rows($domain, $metric, $sides, $on, values(), $most, $unmatched).unwrap(),
                &few(),
            )
        };
    }
    all([
        joined!(persons(), SymmetricIdDistance, every(), NONE.into(), 1, drop),
        joined!(persons(), SymmetricIdDistance, some(), vec!["y"], 2, keep),
        joined!(persons(), SymmetricIdDistance, every(), vec!["x", "t"], 3, keep),
        joined!(persons().with_size(sized()), SymmetricIdDistance, some(), vec!["y"], 1, keep),
        joined!(persons(), ChangeOneIdDistance, every(), vec!["y"], 1, drop),
        joined!(individuals_or_null(), SymmetricIdDistance, every(), NONE.into(), 2, drop),
    ])
}

fn rows_of_individuals() -> Report {
    macro_rules! read_as {
        ($row:ty, $columns:expr, $domain:expr, $metric:expr) => {
            stable_frames(
                0.95,
                &make_rows_of_individuals::<i64, $row, _, _>($domain, $metric, $columns).unwrap(),
                &few(),
            )
        };
    }
    macro_rules! apart {
        ($metric:expr) => {
            stable_frames(
                0.95,
                &make_rows_of_individuals::<String, Option<f64>, _, _>(individuals_or_null(), $metric, vec!["x"])
                    .unwrap(),
                &few_apart(),
            )
        };
    }
    all([
        read_as!(Option<f64>, vec!["x"], persons(), SymmetricIdDistance),
        read_as!((f64, Option<String>), vec!["y", "t"], persons(), SymmetricIdDistance),
        read_as!(i64, vec!["d"], persons().with_size(sized()), SymmetricIdDistance),
        read_as!(Option<f64>, vec!["x"], persons(), ChangeOneIdDistance),
        read_as!(i64, vec!["d"], persons().with_size(sized()), ChangeOneIdDistance),
        apart!(SymmetricIdDistance),
        apart!(ChangeOneIdDistance),
    ])
}
