//! Statistics of the columns of a table.

use super::{
    frames::{few_apart, frames, individuals_or_null, stable_frames},
    support::*,
};
use indistinct::{core::Owned, frames::*, prelude::*};
use indistinct_audit::{
    Measured, Report, Seen,
    edits::Edits,
    frames::{Layout, Row, frame},
    non_members::Fenced,
    stability::{ladder_of_rows, stability_map_rises},
};
use std::fmt::Debug;

rows! {
    tight make_bound_rows: bound_rows;
    tight make_count_distinct_by: count_distinct_by;
    tight make_count_individuals_by_key: count_individuals_by_key;
    tight make_count_rows_by: count_rows_by;
    tight make_sum_column_by: sum_column_by;
    tight make_sum_column_by_key: sum_column_by_key;
    tight make_sum_column_by_of_individuals: sum_column_by_of_individuals;
}

/// Rows at the places 0 and 1, and at a third that is not listed.
fn placed(bounds: (f64, f64)) -> FrameDomain {
    placed_up_to(1.0, bounds)
}

/// Rows at the places from 0 to the last, and at one that is not listed.
fn placed_up_to(last: f64, bounds: (f64, f64)) -> FrameDomain {
    FrameDomain::new([
        ("who", ColumnDomain::integer()),
        ("place", ColumnDomain::integer().with_bounds(-1.0, last).unwrap()),
        ("x", ColumnDomain::float().with_bounds(bounds.0, bounds.1).unwrap()),
        ("t", ColumnDomain::text().with_missing()),
    ])
    .unwrap()
}

fn row(who: i64, place: i64, x: f64, t: Option<&str>) -> Row {
    vec![who.into(), place.into(), x.into(), t.into()]
}

/// A few rows, the first two of one individual; the last is not counted.
fn few((lower, upper): (f64, f64)) -> Vec<Row> {
    let far = if lower.abs() > upper { lower } else { upper };
    vec![row(1, 0, far, Some("a")), row(1, 1, far, None), row(2, 1, upper, Some("b")), row(2, -1, upper, Some("c"))]
}

/// As `stable`, of a vector of numbers for each place.
#[track_caller]
fn moved_frames<DO, MI, MO>(step: &Transformation<FrameDomain, DO, MI, MO>, few: &[Row]) -> Report
where
    DO: Fenced,
    Owned<DO>: Debug,
    DO::Carrier: Seen,
    MI: Measured<[Batch]> + Edits<FrameDomain> + Metric<Distance = u32>,
    MO: Measured<DO::Carrier> + Metric<Distance = f64>,
{
    let domain = step.input_domain();
    let examples = [frame(domain, few, &Layout::default())];
    let is_finite = [1, 2].iter().any(|d| step.map(d).is_ok_and(|claim| claim > 0.0 && claim.is_finite()));
    // Few of the rows that are drawn have numbers of the greatest size, or are the only ones at their place.
    let floors = if is_finite { (0.95, 0.4) } else { (0.0, 0.0) };
    on_neighbors(floors, step, frames(domain, few), &examples).and(stability_map_rises(step, &ladder_of_rows(), &0.0))
}

/// The reports of a body for each metric of rows and each metric of vectors, not all together.
macro_rules! each_metric {
    (|$metric:ident, $out:ident| $body:expr) => {
        all([
            each_metric!(@ $metric, $out, $body, SymmetricDistance, L1Distance::new()),
            each_metric!(@ $metric, $out, $body, InsertDeleteDistance, LInfDistance::new()),
            each_metric!(@ $metric, $out, $body, ChangeOneDistance, L1Distance::new()),
            each_metric!(@ $metric, $out, $body, ChangeOneDistance, LInfDistance::monotonic()),
            each_metric!(@ $metric, $out, $body, HammingDistance, L2Distance::new()),
        ])
    };
    (@ $metric:ident, $out:ident, $body:expr, $name:ident, $of:expr) => {{
        let ($metric, $out) = ($name, $of);
        $body
    }};
}

fn count_rows_by() -> Report {
    let bounds = (0.0, 1.0);
    each_metric!(|metric, out| {
        moved_frames(&make_count_rows_by(placed(bounds), metric, "place", 2, out).unwrap(), &few(bounds))
    })
}

fn count_distinct_by() -> Report {
    let bounds = (0.0, 1.0);
    each_metric!(|metric, out| {
        moved_frames(&make_count_distinct_by(placed(bounds), metric, "place", 2, "t", out).unwrap(), &few(bounds))
    })
}

fn sum_column_by() -> Report {
    all([(0.0, 1.0), (-3.0, 2.0)].map(|bounds| {
        each_metric!(|metric, out| {
            let sums = make_sum_column_by::<f64, _, _, _>(placed(bounds), metric, "place", 2, "x", out);
            moved_frames(&sums.unwrap(), &few(bounds))
        })
    }))
    .and({
        // Of integers: the places themselves.
        let sums = make_sum_column_by::<i64, _, _, _>(
            placed((0.0, 1.0)),
            ChangeOneDistance,
            "place",
            2,
            "place",
            L1Distance::new(),
        );
        stable_frames_of_some(&sums.unwrap())
    })
}

/// Of a map that these rows do not attain: its bounds are those of the column, and a place adds no less than 0.
#[track_caller]
fn stable_frames_of_some(
    step: &Transformation<FrameDomain, VectorDomain<AtomDomain<i128>>, ChangeOneDistance, L1Distance>,
) -> Report {
    let few = few((0.0, 1.0));
    on_neighbors(0.4, step, frames(step.input_domain(), &few), &[])
}

/// Rows with a key.
fn keyed(bounds: (f64, f64)) -> FrameDomain {
    FrameDomain::new([
        ("who", ColumnDomain::integer()),
        ("key", ColumnDomain::text()),
        ("x", ColumnDomain::float().with_bounds(bounds.0, bounds.1).unwrap()),
    ])
    .unwrap()
}

/// A few rows of three keys, the first two of one individual.
fn few_keyed((lower, upper): (f64, f64)) -> Vec<Row> {
    let far = if lower.abs() > upper { lower } else { upper };
    let row = |who: i64, key: &str, x: f64| -> Row { vec![who.into(), key.into(), x.into()] };
    vec![row(1, "", far), row(1, "a", far), row(2, "a", upper), row(3, "37", lower)]
}

/// As `stable`, of a map from keys to numbers, of which the truth is at least a share.
#[track_caller]
fn mapped_frames<DO, MI, MO>(share: f64, step: &Transformation<FrameDomain, DO, MI, MO>, few: &[Row]) -> Report
where
    DO: Fenced,
    Owned<DO>: Debug,
    DO::Carrier: Seen,
    MI: Measured<[Batch]> + Edits<FrameDomain> + Metric<Distance = u32>,
    MO: Measured<DO::Carrier> + Metric<Distance = (u32, f64, f64)>,
{
    let domain = step.input_domain();
    let examples = [frame(domain, few, &Layout::default())];
    // Few of the rows that are drawn have numbers of the greatest size.
    let report = on_neighbors((share, 0.2), step, frames(domain, few), &examples);
    report.and(stability_map_rises(step, &ladder_of_rows(), &(0, 0.0, 0.0)))
}

fn sum_column_by_key() -> Report {
    all([(0.0, 1.0), (-3.0, 2.0)].map(|bounds| {
        macro_rules! sum {
            ($metric:expr, $out:expr) => {{
                let sums = make_sum_column_by_key::<f64, _, _, _>(keyed(bounds), $metric, "key", "x", $out).unwrap();
                mapped_frames(0.95, &sums, &few_keyed(bounds))
            }};
        }
        all([
            sum!(SymmetricDistance, L01InfDistance),
            sum!(InsertDeleteDistance, L02InfDistance),
            sum!(ChangeOneDistance, L01InfDistance),
            sum!(HammingDistance, L02InfDistance),
        ])
    }))
}

fn count_individuals_by_key() -> Report {
    let (bounds, few) = ((0.0, 1.0), few_keyed((0.0, 1.0)));
    let persons = || keyed(bounds).with_individuals("who").unwrap();
    macro_rules! count {
        ($share:expr, $metric:expr, $most:expr, $out:expr) => {
            mapped_frames($share, &make_count_individuals_by_key(persons(), $metric, "key", $most, $out).unwrap(), &few)
        };
    }
    all([
        count!(0.95, SymmetricIdDistance, 1, L01InfDistance),
        count!(0.95, SymmetricIdDistance, 2, L01InfDistance),
        count!(0.95, SymmetricIdDistance, 2, L02InfDistance),
        // One individual out and one in change a key by 1 at most; the map claims 2, as for two changes.
        count!(0.5, ChangeOneIdDistance, 1, L01InfDistance),
    ])
}

fn bound_rows() -> Report {
    let (bounds, few) = ((-3.0, 2.0), few((-3.0, 2.0)));
    let persons = || placed(bounds).with_individuals("who").unwrap();
    macro_rules! bound {
        ($domain:expr, $metric:expr, $columns:expr, $most:expr, $few:expr) => {
            // Few of the individuals that are drawn have as many rows as the limit.
            stable_frames((0.95, 0.4), &make_bound_rows($domain, $metric, $columns, $most).unwrap(), $few)
        };
    }
    all([
        bound!(persons(), SymmetricIdDistance, vec!["place"], 1, &few),
        bound!(persons(), SymmetricIdDistance, vec!["x", "t"], 1, &few),
        bound!(persons(), SymmetricIdDistance, vec!["t", "who"], 2, &few),
        bound!(persons(), ChangeOneIdDistance, vec!["x"], 1, &few),
        bound!(persons().with_size(2), SymmetricIdDistance, vec!["t"], 1, &few),
        bound!(individuals_or_null(), SymmetricIdDistance, vec!["x", "d"], 1, &few_apart()),
        bound!(individuals_or_null(), ChangeOneIdDistance, vec!["x", "d"], 1, &few_apart()),
    ])
}

fn sum_column_by_of_individuals() -> Report {
    all([(0.0, 1.0), (-3.0, 2.0), (-1e308, 1e308)].map(|bounds| {
        let persons = || placed(bounds).with_individuals("who").unwrap();
        // One row at a place, two, or as many as in all.
        all([(1, 1), (2, 1), (2, 2)].map(|(most, each)| {
            macro_rules! sum {
                ($metric:expr, $out:expr) => {
                    moved_frames(
                        &make_sum_column_by_of_individuals::<f64, _, _, _>(
                            persons(),
                            $metric,
                            "place",
                            2,
                            "x",
                            most,
                            each,
                            $out,
                        )
                        .unwrap(),
                        &few(bounds),
                    )
                };
            }
            let (l1, l2, linf) = (L1Distance::new(), L2Distance::new(), LInfDistance::new());
            if bounds.1 > 1e300 {
                return sum!(SymmetricIdDistance, linf);
            }
            let added =
                all([sum!(SymmetricIdDistance, l1), sum!(SymmetricIdDistance, l2), sum!(SymmetricIdDistance, linf)]);
            // Where an individual has a row at each of the two places, a replacement moves no others: the map is
            // attained at four places, below.
            if (most, each) == (2, 1) { added } else { added.and(sum!(ChangeOneIdDistance, l1)) }
        }))
    }))
    .and(one_row_at_each_place())
}

/// Two rows of an individual at different places: replaced by rows at two others, and a sum that rises beside one that
/// falls.
fn one_row_at_each_place() -> Report {
    let bounds = (-3.0, 3.0);
    macro_rules! sum {
        ($places:expr, $metric:expr, $out:expr, $few:expr) => {{
            let persons = placed_up_to(f64::from($places) - 1.0, bounds).with_individuals("who").unwrap();
            let sums =
                make_sum_column_by_of_individuals::<f64, _, _, _>(persons, $metric, "place", $places, "x", 2, 1, $out);
            moved_frames(&sums.unwrap(), &$few)
        }};
    }
    let one_each = [0, 1, 2, 3].map(|place| row(1, place, 3.0, None));
    let opposite = [row(1, 0, 3.0, None), row(1, 1, -3.0, None), row(2, 0, -3.0, None), row(2, 1, 3.0, None)];
    all([
        sum!(4u32, ChangeOneIdDistance, L1Distance::new(), one_each),
        sum!(2u32, SymmetricIdDistance, LInfDistance::monotonic(), opposite),
        sum!(2u32, ChangeOneIdDistance, LInfDistance::monotonic(), opposite),
    ])
}
