//! Ledgers that were made by earlier versions.

use indistinct_ledger::{Charge, Head, Ledger, Loss};
use rusqlite::Connection;
use std::{fs, path::Path};

/// Made by version 1, with a release of `ann`.
const OF_VERSION_1: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/version_1.ledger");

/// The rest of the number is of the place.
fn version(path: &Path) -> i64 {
    let number = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
    Connection::open(path).unwrap().pragma_query_value(None, "user_version", number).unwrap() & 0xff
}

#[test]
fn a_ledger_of_the_first_version_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.ledger");
    fs::copy(OF_VERSION_1, &path).unwrap();
    assert_eq!(version(&path), 1);
    let entries = || -> Vec<(i64, String, Vec<u8>)> {
        let connection = Connection::open(&path).unwrap();
        let mut statement = connection.prepare("SELECT number, body, hash FROM entry ORDER BY number").unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let before = entries();
    let mut ledger = Ledger::open(&path).unwrap();
    assert_eq!(version(&path), 2);
    assert_eq!(entries(), before, "no entry is changed");
    // What was known of it then: its head, and a checkpoint's text.
    let head: Head = "8:1e99d879c5dedc5a4f58613d09966e446ed5f97f48a94f981aa7c826a6563723".parse().unwrap();
    assert_eq!(ledger.verify(None).unwrap(), head);
    assert_eq!(ledger.checkpoint().unwrap().to_string().parse::<indistinct_ledger::Checkpoint>().unwrap().head(), head);
    assert_eq!(ledger.budget("ann").unwrap().remaining, Loss::epsilon(0.5).unwrap());
    // And what is new in this one.
    let half = Loss::epsilon(0.5).unwrap();
    ledger.open_partition("survey", &half, &[("north".into(), "region = north".into())].into()).unwrap();
    let Charge::Charged(charged) = ledger.charge("north", "a", "plan", &half).unwrap() else { panic!("new") };
    charged.draw().unwrap().release(b"36").unwrap();
    ledger.close_account("ann").unwrap();
    drop(ledger);
    let ledger = Ledger::open(&path).unwrap();
    assert_eq!(ledger.verify(Some(head)).unwrap().entries, 13);
}
