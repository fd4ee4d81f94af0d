//! Each constructor's plan is written, read, and built again as what it was.

mod chains;
mod own;
mod refused;
mod soups;
mod states;

use super::{FrameMeasurement, Released, registry::entries};
use crate::{
    core::{Fallible, How, Measure, Measurement, Metric, Plan, Releasable},
    frames::{Column, ColumnDomain, Frame, FrameDomain},
    sampling::testing::SeededEntropy,
};
use std::{cell::RefCell, collections::BTreeSet};

/// A table of a column of each kind.
pub(crate) fn columns() -> FrameDomain {
    FrameDomain::new([
        ("id", ColumnDomain::integer()),
        ("ward", ColumnDomain::text()),
        ("sex", ColumnDomain::category(["f", "m"]).unwrap()),
        ("age", ColumnDomain::integer().with_bounds(0.0, 120.0).unwrap().with_missing()),
        ("n", ColumnDomain::integer().with_bounds(0.0, 9.0).unwrap()),
        ("x", ColumnDomain::float().with_bounds(-1.0, 10.5).unwrap()),
        ("y", ColumnDomain::float().with_bounds(0.0, 1.0).unwrap()),
        ("free", ColumnDomain::float()),
        ("gap", ColumnDomain::float().with_missing()),
        ("odd \"name\"", ColumnDomain::bool()),
        ("maybe", ColumnDomain::bool().with_missing()),
        ("note", ColumnDomain::text().with_missing()),
        ("day", ColumnDomain::date()),
    ])
    .unwrap()
}

fn persons() -> FrameDomain {
    columns().with_individuals("id").unwrap()
}

/// Forty rows of these columns.
fn frame() -> Frame {
    let rows = || 0..40i64;
    let word = |i: i64| ["a", "b", "c"][usize::try_from(i % 3).unwrap()];
    let real = |i: i64| f64::from(i32::try_from(i).unwrap());
    let column = |column: Column| column;
    Frame::new([
        ("id", column(rows().map(|i| i / 2).collect())),
        ("ward", rows().map(word).collect()),
        ("sex", Column::from_cells(crate::frames::Kind::Category, rows().map(|i| (i % 2).into()))),
        ("age", rows().map(|i| (i % 5 != 0).then_some(i * 2)).collect()),
        ("n", rows().map(|i| i % 10).collect()),
        ("x", rows().map(|i| real(i) / 4.0 - 0.5).collect()),
        ("y", rows().map(|i| real(i) / 40.0).collect()),
        ("free", rows().map(|i| real(i) * 1e3).collect()),
        ("gap", rows().map(|i| (i % 4 != 0).then_some(real(i))).collect()),
        ("odd \"name\"", rows().map(|i| i % 3 == 0).collect()),
        ("maybe", rows().map(|i| (i % 7 != 0).then_some(i % 2 == 0)).collect()),
        ("note", rows().map(|i| (i % 6 != 0).then(|| word(i))).collect()),
        ("day", rows().map(|i| i + 19_000).collect()),
    ])
    .unwrap()
}

thread_local! {
    /// The constructors of all plans that were built again.
    static SEEN: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

fn note(plan: &Plan) {
    SEEN.with_borrow_mut(|seen| seen.insert(plan.name.clone()));
    plan.children.iter().for_each(note);
}

/// The number of distances a map is compared at; of losses that are curves fewer, where one takes milliseconds.
pub(crate) struct Distances(u32);

impl Distances {
    pub(crate) const ALL: Self = Self(10_000);
    const OF_CURVES: Self = Self(40);
}

/// The plan of a chain in Rust, from all texts.
#[track_caller]
pub(crate) fn same<TO: Releasable, M: Metric<Distance = u32>, MO: Measure<Distance: PartialEq> + Default>(
    measurement: Fallible<Measurement<FrameDomain, TO, M, MO>>,
    distances: &Distances,
) {
    let measurement = measurement.unwrap();
    note(measurement.plan());
    let built = FrameMeasurement::from_plan(measurement.plan()).unwrap();
    states::check(&built);
    let (json, toml) = (built.to_json().unwrap(), built.to_toml().unwrap());
    let again = [FrameMeasurement::from_json(&json), FrameMeasurement::from_toml(&toml)];
    for other in [Ok(built.clone())].into_iter().chain(again) {
        let other = other.unwrap_or_else(|error| panic!("{error}\n{toml}\n{json}"));
        assert_eq!(other.plan(), measurement.plan(), "{toml}");
        assert_eq!(other.to_json().as_ref(), Ok(&json));
        assert_eq!(other.hash(), built.hash());
        let other = other.under::<MO>().unwrap();
        for d_in in (0..distances.0).chain([u32::MAX]) {
            assert_eq!(other.map(&d_in), measurement.map(&d_in), "{d_in}: {json}");
        }
        for seed in 0..3 {
            let release = measurement.invoke_with(&frame(), &mut SeededEntropy::new(seed));
            let of_other = other.invoke_with(&frame(), &mut SeededEntropy::new(seed));
            let bits = |release: &Released| format!("{release:?}");
            assert_eq!(of_other.as_ref().map(bits), release.as_ref().map(|release| bits(&release.released())));
            assert!(release.is_ok(), "{:?}", release.err());
        }
        let told = other.explain(&1).map(|told| told.to_string());
        assert_eq!(told, measurement.explain(&1).map(|told| told.to_string()));
    }
}

/// Steps that a chain in Rust shares are the first of each measurement in what is built, which releases the same.
#[track_caller]
fn shares<TO: Releasable, M: Metric<Distance = u32>, MO: Measure<Distance: PartialEq> + Default>(
    shared: Fallible<Measurement<FrameDomain, TO, M, MO>>,
    apart: Fallible<Measurement<FrameDomain, TO, M, MO>>,
) {
    let (shared, apart) = (shared.unwrap(), apart.unwrap());
    let built = FrameMeasurement::from_plan(shared.plan()).unwrap();
    assert!(shared.plan() != apart.plan() && built.plan() == apart.plan());
    let built = built.under::<MO>().unwrap();
    assert!((0..100).all(|d_in| built.map(&d_in) == shared.map(&d_in)));
    for seed in 0..3 {
        let release = shared.invoke_with(&frame(), &mut SeededEntropy::new(seed)).map(|release| release.released());
        assert_eq!(built.invoke_with(&frame(), &mut SeededEntropy::new(seed)), release);
    }
}

/// Returns true if the tests in a constructor's own file compare a chain with it.
fn is_compared_in_its_file(name: &str) -> bool {
    let stem = name.strip_prefix("make_").unwrap();
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    ["combinators", "measurements", "transformations"].into_iter().any(|folder| {
        let code = std::fs::read_to_string(source.join(folder).join(stem).with_extension("rs"));
        // The chain that is compared has this constructor.
        let chain = |code: String| code.split_once("plans::tests::same(").map(|(_, chain)| chain.to_owned());
        code.ok().and_then(chain).is_some_and(|chain| chain.contains(&format!("then_{stem}(")))
    })
}

/// Every constructor that is not exempt stands in a chain of these tests, or of the tests in its file.
#[test]
fn every_constructor_is_built_again() {
    chains::all();
    let seen = SEEN.take();
    let missing: Vec<_> = entries()
        .filter(|entry| !matches!(entry.how, How::Exempt(_)))
        .map(|entry| entry.name)
        .filter(|name| !seen.contains(*name) && !is_compared_in_its_file(name))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    states::seen_all();
}

/// Names are there once, with a reason where they are exempt.
#[test]
fn the_registry_lists_each_constructor_once() {
    let names: Vec<_> = entries().map(|entry| entry.name).collect();
    let once: BTreeSet<_> = names.iter().copied().collect();
    assert_eq!(names.len(), once.len());
    // Those with a proof page.
    let levels = include_str!("../../../../derive/src/levels.rs");
    let paged: BTreeSet<_> = levels.split('"').filter(|name| name.starts_with("make_")).collect();
    assert_eq!(once, paged);
    assert!(entries().all(|entry| !matches!(entry.how, How::Exempt(reason) if reason.is_empty())));
}
