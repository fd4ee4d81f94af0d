//! A session as one interactive measurement, under attack.

use crate::{place, stays};
use indistinct::{
    core::Released,
    frames::*,
    queries::*,
    sampling::{Entropy, testing::SeededEntropy},
};
use indistinct_audit::clopper_pearson;
use indistinct_ledger::{Ledger, Loss};
use indistinct_sessions::{Session, Unit};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// How often each data set is attacked, and the seed of the noise.
const DRAWS: u64 = 1500;
const SEED: u64 = 20_261_123;
/// For each event and side, the probability with which a sound session is found to be wrong: over 36 events, two sides
/// and four attacks, fewer than one of a thousand seeds fails.
const MISS: f64 = 1e-6;

/// A session with room for all draws.
fn session(path: &Path, unit: Unit, rows: &Frame) -> Session {
    let ledger = Ledger::create(path, "survey", &Loss::epsilon(1e6).unwrap()).unwrap();
    let columns: Vec<_> = stays().names().iter().cloned().zip(stays().columns().iter().cloned()).collect();
    let domain = FrameDomain::new(columns).unwrap();
    let domain = if unit == Unit::Individuals(1) { domain.with_individuals("patient").unwrap() } else { domain };
    Session::new(ledger, "survey", unit).unwrap().with_table("t", domain, rows.clone()).unwrap()
}

/// In memory, where there is such a place.
fn quick_place() -> (TempDir, PathBuf) {
    match tempfile::tempdir_in("/dev/shm") {
        Ok(folder) => {
            let path = folder.path().join("survey.ledger");
            (folder, path)
        }
        Err(_) => place(),
    }
}

/// The questions of the attack, each of epsilon 0.5.
struct Questions {
    north: QueryMeasurement,
    long: QueryMeasurement,
    south: QueryMeasurement,
}

impl Questions {
    fn of(session: &Session) -> Self {
        let query = || session.query("t").unwrap();
        let count = |query: Query| query.count().measurement(Budget::Epsilon(0.5)).unwrap();
        let [north, long, south] = [col("region").eq("north"), col("days").gt(5.0), !col("region").eq("south")];
        Self {
            north: count(query().filter(north)),
            long: count(query().filter(long)),
            south: count(query().filter(south)),
        }
    }
}

fn ask(session: &mut Session, question: &QueryMeasurement, key: &str, entropy: &mut dyn Entropy) -> i64 {
    let priced = session.price("t", question).unwrap();
    let release = session.release_with(priced, key, entropy).unwrap();
    let Released::List(parts) = Released::from_json(&release.released).unwrap() else { panic!("parts") };
    let Released::List(counts) = &parts[0] else { panic!("counts") };
    let Released::Integer(count) = counts[0] else { panic!("a count") };
    i64::try_from(count).unwrap()
}

/// The answers of two questions, the second chosen in view of the first, for an epsilon of 1 together.
fn attacked(session: &mut Session, questions: &Questions, draw: u64, entropy: &mut dyn Entropy) -> (i64, i64) {
    let before = session.budget().unwrap().spent;
    let first = ask(session, &questions.north, &format!("{draw}: first"), entropy);
    let next = if first < 1 { &questions.long } else { &questions.south };
    let second = ask(session, next, &format!("{draw}: second"), entropy);
    assert_eq!(session.budget().unwrap().spent, before.plus(&Loss::epsilon(1.0).unwrap()).unwrap());
    (first, second)
}

fn draws(unit: Unit, rows: &Frame, stream: u64) -> Vec<(i64, i64)> {
    let (_folder, path) = quick_place();
    let (mut session, mut entropy) = (session(&path, unit, rows), SeededEntropy::new(SEED ^ stream));
    let questions = Questions::of(&session);
    (0..DRAWS).map(|draw| attacked(&mut session, &questions, draw, &mut entropy)).collect()
}

/// The same of the parts of a table: the second question is of the part that the first was of, or of the other one.
fn draws_of_parts(rows: &Frame, stream: u64) -> Vec<(i64, i64)> {
    let (_folder, path) = quick_place();
    let (mut all, mut entropy) = (session(&path, Unit::Rows(1), rows), SeededEntropy::new(SEED ^ stream));
    let parts = [("n", "north"), ("s", "south")];
    all.open_partition("t", "region", parts, &Loss::epsilon(1e5).unwrap()).unwrap();
    let part = |account| {
        let ledger = Ledger::open(&path).unwrap();
        let domain = all.query("t").unwrap().domain().clone();
        Session::new(ledger, account, Unit::Rows(1)).unwrap().with_table("t", domain, rows.clone()).unwrap()
    };
    let (mut north, mut south) = (part("n"), part("s"));
    let count = north.query("t").unwrap().count().measurement(Budget::Epsilon(0.5)).unwrap();
    let attack = |draw| {
        let first = ask(&mut north, &count, &format!("{draw}: first"), &mut entropy);
        let next = if first < 1 { &mut south } else { &mut north };
        (first, ask(next, &count, &format!("{draw}: second"), &mut entropy))
    };
    (0..DRAWS).map(attack).collect()
}

fn table(rows: &[(i64, &str, f64)]) -> Frame {
    Frame::new([
        ("patient", rows.iter().map(|row| row.0).collect::<Column>()),
        ("region", rows.iter().map(|row| row.1).collect()),
        ("days", rows.iter().map(|row| row.2).collect()),
    ])
    .unwrap()
}

/// No event is more frequent on one neighbor than the budget allows, and some event is more frequent than a loss of
/// `power` would allow.
fn check(draws: impl Fn(&Frame, u64) -> Vec<(i64, i64)> + Sync, left: &Frame, right: &Frame, power: f64) {
    let (left, right) = std::thread::scope(|scope| {
        let left = scope.spawn(|| draws(left, 1));
        let right = draws(right, 2);
        (left.join().unwrap(), right)
    });
    let count = |draws: &[(i64, i64)], first: i64, second: i64| {
        let count = draws.iter().filter(|draw| draw.0 >= first && draw.1 >= second).count();
        u64::try_from(count).unwrap()
    };
    let mut shown = 0f64;
    for (first, second) in (-2..4).flat_map(|first| (-2..4).map(move |second| (first, second))) {
        for (more, less) in [(&left, &right), (&right, &left)] {
            let least = clopper_pearson(count(more, first, second), DRAWS, MISS).0;
            let greatest = clopper_pearson(count(less, first, second), DRAWS, MISS).1;
            shown = shown.max((least / greatest).ln());
        }
    }
    assert!(shown <= 1.0, "seed {SEED}: {shown}");
    assert!(shown > power, "seed {SEED}: {shown} has no power");
}

const BASE: (i64, &str, f64) = (1, "south", 2.0);
const PERSON: [(i64, &str, f64); 3] = [(7, "north", 9.0), (7, "north", 9.0), (7, "north", 9.0)];

#[test]
fn no_event_tells_a_row_beyond_the_budget() {
    check(|rows, stream| draws(Unit::Rows(1), rows, stream), &table(&[BASE]), &table(&[BASE, PERSON[0]]), 0.5);
}

/// A row of one part, asked twice of it or once of each.
#[test]
fn no_event_tells_a_row_of_a_part_beyond_its_budget() {
    check(draws_of_parts, &table(&[BASE]), &table(&[BASE, PERSON[0]]), 0.3);
}

/// A row that is replaced counts as two, of which each question sees one.
#[test]
fn no_event_tells_a_changed_row_beyond_the_budget() {
    let (left, right) = (table(&[BASE, (3, "south", 0.0)]), table(&[BASE, PERSON[0]]));
    check(|rows, stream| draws(Unit::ChangedRows(1), rows, stream), &left, &right, 0.05);
}

#[test]
fn no_event_tells_an_individual_beyond_the_budget() {
    let rows: Vec<_> = [&[BASE][..], &PERSON].concat();
    check(|rows, stream| draws(Unit::Individuals(1), rows, stream), &table(&[BASE]), &table(&rows), 0.5);
}
