//! Sessions from outside: what a curator and analysts do, and what may go wrong.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod attack;
mod canaries;
mod certificates;
mod columns;
mod crashes;
mod files;
mod headers;
mod partitions;
mod prices;
mod releases;
mod units;
mod year;

use indistinct::{frames::*, queries::*};
use indistinct_ledger::{Ledger, Loss};
use indistinct_sessions::{Session, Unit};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder that goes with its test, and the path of a ledger in it.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("survey.ledger");
    (folder, path)
}

fn stays() -> FrameDomain {
    let columns = [
        ("patient", ColumnDomain::integer()),
        ("region", ColumnDomain::text()),
        ("days", ColumnDomain::float().with_missing()),
    ];
    FrameDomain::new(columns).unwrap().with_individuals("patient").unwrap()
}

/// Two rows of each of so many patients, one in each region.
fn rows(patients: i64) -> Frame {
    let row = |row: i64| (row / 2, ["north", "south"][usize::try_from(row % 2).unwrap()], 2.0);
    Frame::new([
        ("patient", (0..2 * patients).map(|number| row(number).0).collect::<Column>()),
        ("region", (0..2 * patients).map(|number| row(number).1).collect()),
        ("days", (0..2 * patients).map(|number| row(number).2).collect()),
    ])
    .unwrap()
}

/// A new ledger with a budget, and a session on its account at the top.
fn session(path: &Path, budget: &Loss, patients: i64) -> Session {
    let ledger = Ledger::create(path, "survey", budget).unwrap();
    Session::new(ledger, "survey", Unit::Individuals(1)).unwrap().with_table("stays", stays(), rows(patients)).unwrap()
}

/// The number of patients, for a budget.
fn individuals(session: &Session, budget: Budget) -> QueryMeasurement {
    session.query("stays").unwrap().count_individuals().measurement(budget).unwrap()
}
