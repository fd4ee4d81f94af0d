//! A cluster on this machine's loopback: a scheduler and executors, as processes of the program.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // a panic is a failed test

mod cluster;
mod lost;
mod releases;
mod tls;

use indistinct::{
    frames::*,
    plans::FrameMeasurement,
    queries::{Budget, Query},
};
use indistinct_engine::{Engine, Native};
use indistinct_tables::{Csv, TableJob};
use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

/// Files of records that belong to individuals.
fn files(place: &Path, rows: u32, number: u32) -> Vec<PathBuf> {
    let file = |index: u32| {
        let mut text = "person,city,n,x\n".to_owned();
        for row in (0..rows).filter(|row| row % number == index) {
            let person = (row.wrapping_mul(2_654_435_761) >> 8) % (rows / 10);
            let city = ["Bern", "\"Aar\nau\"", "", "Chur"][usize::try_from(row % 4).unwrap()];
            let x = ["1e16", "-1e16", "0.1", "1e-9", "secret-cell"][usize::try_from(row % 5).unwrap()];
            writeln!(text, "p{person},{city},{},{x}", row % 11).unwrap();
        }
        let path = place.join(format!("{index}.csv"));
        fs::write(&path, text).unwrap();
        path
    };
    (0..number).map(file).collect()
}

fn visits() -> FrameDomain {
    FrameDomain::new([
        ("person", ColumnDomain::text()),
        ("city", ColumnDomain::text().with_missing()),
        ("n", ColumnDomain::integer().with_bounds(0.0, 10.0).unwrap().with_missing()),
        ("x", ColumnDomain::float().with_missing()),
    ])
    .unwrap()
}

fn people() -> FrameDomain {
    visits().with_individuals("person").unwrap()
}

fn reader() -> Csv {
    Csv::new().drop_null("person")
}

/// Without and with steps that need all rows of an individual; with unknown keys.
fn plans() -> Vec<FrameMeasurement> {
    let keys = || KeySet::product([("n", (0..10i64).collect::<Vec<_>>())]).unwrap();
    let of = |query: Query| query.measurement(Budget::Epsilon(1.0)).unwrap().measurement().clone();
    let per_person = [("days", PerIndividual::sum(col("x"))), ("any", PerIndividual::count())];
    vec![
        of(Query::new(&visits()).sum(col("x"), (-1e16, 1e16)).count().group_by(keys())),
        of(Query::new(&people()).max_rows_per_individual(3).sum(col("x"), (-1e16, 1e16)).count().group_by(keys())),
        of(Query::new(&people())
            .aggregate_per_individual(per_person)
            .variance(col("days"), (-1e17, 1e17))
            .count_individuals()),
        Query::new(&people())
            .max_groups_per_individual(2)
            .count_unknown_keys(["city"], (1.0, 1e-9))
            .unwrap()
            .measurement()
            .clone(),
    ]
}

fn run(engine: &dyn Engine, plan: &FrameMeasurement, paths: &[PathBuf]) -> indistinct_engine::Result<Vec<u8>> {
    let (domain, _) = plan.input_space();
    let reader = reader();
    engine.run(&TableJob::csv(&reader, paths, &domain, plan).unwrap())
}

fn native(plan: &FrameMeasurement, paths: &[PathBuf]) -> Vec<u8> {
    run(&Native::new(), plan, paths).unwrap()
}

const FAILED: &str = "the engine failed: nothing was released, and the same request may be run again";
