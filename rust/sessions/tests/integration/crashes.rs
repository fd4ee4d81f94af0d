//! A crash in each state.

use crate::{individuals, place, rows, session, stays};
use indistinct::{frames::Frame, queries::*};
use indistinct_ledger::{Charge, Error as LedgerError, Ledger, Loss};
use indistinct_sessions::{Error, Session, Unit};
use std::{io, panic::AssertUnwindSafe};

/// As the session asks for it.
fn request(measurement: &QueryMeasurement) -> String {
    let plan = measurement.measurement();
    format!("plan {} of table stays, proof {}", plan.hash().unwrap(), plan.weakest_proof().unwrap())
}

#[test]
fn a_crash_before_the_charge_costs_nothing() {
    let (_folder, path) = place();
    let session = session(&path, &Loss::epsilon(1.0).unwrap(), 10);
    drop(session.price("stays", &individuals(&session, Budget::Epsilon(0.5))).unwrap());
    assert_eq!(session.budget().unwrap().spent, Loss::epsilon(0.0).unwrap());
}

/// The table's source ends the program while rows are read: the key goes on, charged once.
#[test]
fn a_crash_while_rows_are_read_is_taken_up_again() {
    let (_folder, path) = place();
    let ledger = Ledger::create(&path, "survey", &Loss::epsilon(1.0).unwrap()).unwrap();
    let crashing = || -> Result<Frame, io::Error> { panic!("the machine is gone") };
    let mut crashing =
        Session::new(ledger, "survey", Unit::Individuals(1)).unwrap().with_table("stays", stays(), crashing).unwrap();
    let count = individuals(&crashing, Budget::Epsilon(0.5));
    let priced = crashing.price("stays", &count).unwrap();
    assert!(std::panic::catch_unwind(AssertUnwindSafe(|| crashing.release(priced, "patients"))).is_err());
    drop(crashing);
    let ledger = Ledger::open(&path).unwrap();
    let mut after =
        Session::new(ledger, "survey", Unit::Individuals(1)).unwrap().with_table("stays", stays(), rows(10)).unwrap();
    let release = after.release(after.price("stays", &count).unwrap(), "patients").unwrap();
    assert!(!release.is_replay);
    release.certificate.verify(&release.released).unwrap();
    release.certificate.verify_in(after.ledger().unwrap()).unwrap();
    assert_eq!(after.budget().unwrap().spent, Loss::epsilon(0.5).unwrap());
}

/// After the draw nobody saw the noise, and nobody ever will: a second draw could depend on the first.
#[test]
fn a_crash_after_the_draw_is_lost_for_ever() {
    let (_folder, path) = place();
    let mut session = session(&path, &Loss::epsilon(1.0).unwrap(), 10);
    let count = individuals(&session, Budget::Epsilon(0.5));
    let mut crashed = Ledger::open(&path).unwrap();
    let loss = Loss::epsilon(0.5).unwrap();
    let Charge::Charged(charged) = crashed.charge("survey", "patients", &request(&count), &loss).unwrap() else {
        panic!("a new key")
    };
    drop(charged.draw().unwrap());
    for _ in 0..2 {
        let error = session.release(session.price("stays", &count).unwrap(), "patients").unwrap_err();
        assert!(matches!(error, Error::Ledger(LedgerError::Lost { .. })), "{error}");
    }
    assert_eq!(session.budget().unwrap().spent, loss, "charged, and once");
    session.release(session.price("stays", &count).unwrap(), "patients again").unwrap();
    assert_eq!(session.budget().unwrap().spent, Loss::epsilon(1.0).unwrap());
}

/// The release was stored, and the program ended before anybody saw it.
#[test]
fn a_crash_after_the_release_gives_it_again() {
    let (_folder, path) = place();
    let mut session = session(&path, &Loss::epsilon(1.0).unwrap(), 10);
    let count = individuals(&session, Budget::Epsilon(0.5));
    let first = session.release(session.price("stays", &count).unwrap(), "patients").unwrap();
    drop(session);
    let ledger = Ledger::open(&path).unwrap();
    let mut after =
        Session::new(ledger, "survey", Unit::Individuals(1)).unwrap().with_table("stays", stays(), rows(10)).unwrap();
    let again = after.release(after.price("stays", &count).unwrap(), "patients").unwrap();
    assert!(again.is_replay);
    assert_eq!((again.released, again.certificate), (first.released, first.certificate));
}
