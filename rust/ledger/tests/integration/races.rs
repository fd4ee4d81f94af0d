//! Processes that want the same.

use crate::writer;
use indistinct_ledger::{Charge, Error, Ledger, Loss};
use std::env;

/// Eight processes for a budget of three, in ten rounds (200 with `TEST_DEEP`).
#[test]
fn the_last_unit_goes_to_one() {
    let rounds = if env::var_os("TEST_DEEP").is_some() { 200 } else { 10 };
    for _ in 0..rounds {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ledger");
        drop(Ledger::create(&path, "survey", &Loss::epsilon(3.0).unwrap()).unwrap());
        let children: Vec<_> = (0..8).map(|one| writer::start(&path, &one.to_string(), 1.0)).collect();
        let lines: Vec<String> = children.into_iter().flat_map(writer::Writer::lines).collect();
        let released = lines.iter().filter(|line| line.starts_with("released")).count();
        assert!(released == 3 && lines.iter().all(|line| !line.starts_with("error")), "{lines:?}");
        let ledger = Ledger::open(&path).unwrap();
        assert_eq!(ledger.budget("survey").unwrap().left, Loss::epsilon(0.0).unwrap());
        assert_eq!(ledger.verify(None).unwrap().entries, 2 + 3 * 3);
    }
}

/// Two that went on with one charge after a crash: one draws.
#[test]
fn one_charge_is_drawn_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ledger");
    let loss = Loss::epsilon(1.0).unwrap();
    let mut first = Ledger::create(&path, "survey", &loss).unwrap();
    let mut second = Ledger::open(&path).unwrap();
    let Charge::Charged(one) = first.charge("survey", "a", "plan", &loss).unwrap() else { panic!("it is new") };
    let Charge::Charged(other) = second.charge("survey", "a", "plan", &loss).unwrap() else { panic!("it is charged") };
    let drawn = one.draw().unwrap();
    assert!(matches!(other.draw(), Err(Error::Lost { .. })));
    drawn.release(b"7").unwrap();
    assert!(matches!(second.charge("survey", "a", "plan", &loss), Ok(Charge::Released(bytes)) if bytes == b"7"));
}
