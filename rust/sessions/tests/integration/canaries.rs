//! Values of the data that must be seen nowhere.

use crate::place;
use indistinct::{frames::*, queries::*};
use indistinct_ledger::{Ledger, Loss};
use indistinct_sessions::{Session, Unit};

const CANARY: &str = "zzcanaryzz";
const NUMBER: i64 = 7_340_911_256_430_188;

fn session(path: &std::path::Path, rows: Frame) -> Session {
    let columns = [("patient", ColumnDomain::integer()), ("region", ColumnDomain::text())];
    let domain = FrameDomain::new(columns).unwrap().with_individuals("patient").unwrap();
    let ledger = match path.exists() {
        true => Ledger::open(path).unwrap(),
        false => Ledger::create(path, "survey", &Loss::epsilon(1.0).unwrap()).unwrap(),
    };
    Session::new(ledger, "survey", Unit::Individuals(1)).unwrap().with_table("stays", domain, rows).unwrap()
}

fn rows() -> Frame {
    Frame::new([
        ("patient", (0..50).map(|row| NUMBER + row).collect::<Column>()),
        ("region", (0..50).map(|_| CANARY).collect()),
    ])
    .unwrap()
}

/// Neither in a price nor in a release, a certificate, an error, a log of the session, or the ledger's file.
#[test]
fn canaries_are_seen_nowhere() {
    let (folder, path) = place();
    let mut seen = String::new();
    let mut session = self::session(&path, rows());
    let keys = KeySet::product([("region", ["north", "south"])]).unwrap();
    let query = session.query("stays").unwrap().group_by(keys).count().count_individuals();
    let query = query.measurement(Budget::Epsilon(0.25)).unwrap();
    let priced = session.price("stays", &query).unwrap();
    seen.push_str(&format!("{priced} {priced:?} {session:?}"));
    let release = session.release(priced, "first").unwrap();
    seen.push_str(&format!("{} {} {:?}", release.answer, release.released, release.certificate));
    // Rows of another domain, whose error is of the domain.
    let wrong = Frame::new([("patient", (0..3).map(|row| NUMBER + row).collect::<Column>())]).unwrap();
    let mut wrong = self::session(&path, wrong);
    let error = wrong.release(wrong.price("stays", &query).unwrap(), "second").unwrap_err();
    seen.push_str(&format!("{error} {error:?} {:?}", wrong.ledger().unwrap().history("survey").unwrap()));
    drop((session, wrong));
    for file in std::fs::read_dir(folder.path()).unwrap() {
        seen.push_str(&String::from_utf8_lossy(&std::fs::read(file.unwrap().path()).unwrap()));
    }
    assert!(seen.contains("first") && seen.len() > 10_000);
    for canary in [CANARY.to_owned(), NUMBER.to_string(), (NUMBER + 49).to_string()] {
        assert!(!seen.contains(&canary), "{canary}");
    }
}

/// What a release writes has one length on neighbors, except the digits of its noise.
#[test]
fn what_is_written_is_as_long_for_neighbors() {
    let lengths = |patients: i64| {
        let (folder, path) = place();
        let mut session = crate::session(&path, &Loss::epsilon(1.0).unwrap(), patients);
        let query = crate::individuals(&session, Budget::Epsilon(0.25));
        let priced = session.price("stays", &query).unwrap();
        let text = priced.to_string();
        let mut entropy = indistinct::sampling::testing::SeededEntropy::new(3);
        let release = session.release_with(priced, "first", &mut entropy).unwrap();
        drop(folder);
        (text, release.certificate.to_json().unwrap().len(), release.released.len())
    };
    assert_eq!(lengths(500), lengths(501));
}
