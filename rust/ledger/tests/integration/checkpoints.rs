//! Verification from a checkpoint.

use crate::place::{Place, everywhere};
use indistinct_ledger::{Charge, Checkpoint, Error, Ledger, Loss};
use rusqlite::Connection;

everywhere! {
    checkpoints_follow_one_another
}

fn quarter() -> Loss {
    Loss::epsilon(0.25).unwrap()
}

/// Releases; those that do not end so stay drawn.
fn draw(ledger: &mut Ledger, account: &str, key: &str, is_released: bool) {
    let Charge::Charged(charged) = ledger.charge(account, key, "plan", &quarter()).unwrap() else { panic!("new") };
    let drawn = charged.draw().unwrap();
    if is_released {
        drawn.release(key.as_bytes()).unwrap();
    }
}

/// A charge, a draw and a release, before a checkpoint; another account, and the charge goes on, after it.
fn write(ledger: &mut Ledger) -> Checkpoint {
    assert!(ledger.charge("survey", "a", "plan", &quarter()).is_ok());
    draw(ledger, "survey", "b", false);
    draw(ledger, "survey", "c", true);
    let checkpoint = ledger.checkpoint().unwrap();
    ledger.add_account("ann", "survey", &Loss::epsilon(0.5).unwrap()).unwrap();
    draw(ledger, "survey", "a", true);
    draw(ledger, "ann", "c", true);
    checkpoint
}

fn checkpoints_follow_one_another(place: &Place) {
    let mut ledger = place.create(&Loss::epsilon(1.5).unwrap());
    let first = write(&mut ledger);
    assert_eq!((first.head().entries, first.to_string().parse::<Checkpoint>().unwrap()), (8, first.clone()));
    let (next, all) = (ledger.verify_since(&first).unwrap(), ledger.checkpoint().unwrap());
    assert_eq!((next.clone(), next.head()), (all, ledger.verify(Some(first.head())).unwrap()));
    assert_eq!(ledger.verify_since(&next).unwrap(), next);
    let text = next.to_string();
    for wrong in ["", "{}", &text.replace("settled", "other"), &text.replace(":{\"budget", ": {\"budget")] {
        assert!(wrong.parse::<Checkpoint>().is_err(), "{wrong}");
    }
    // Another ledger's, and one of a later time.
    let elsewhere = Place::file();
    let other = elsewhere.create(&Loss::epsilon(1.5).unwrap());
    assert!(matches!(other.verify_since(&first), Err(Error::Tampered(_))));
}

/// What is changed behind a checkpoint, too, except entries that nothing else follows from any more: these are a full
/// verification's.
#[test]
fn changes_from_outside_are_found_from_a_checkpoint() {
    for change in [
        "UPDATE account SET spent = 'epsilon 0' WHERE name = 'ann'",
        "UPDATE request SET released = NULL, result = NULL WHERE key = 'c' AND account = 'survey'",
        "UPDATE request SET drawn = NULL, released = NULL, result = NULL WHERE key = 'c' AND account = 'survey'",
        "UPDATE request SET result = x'61' WHERE key = 'c' AND account = 'survey'",
        "UPDATE request SET plan = 'other' WHERE key = 'c' AND account = 'survey'",
        "UPDATE request SET result = x'61' WHERE key = 'c' AND account = 'ann'",
        "UPDATE request SET drawn = NULL WHERE key = 'b'",
        "UPDATE request SET released = 7, result = x'61' WHERE key = 'b'",
        "DELETE FROM request WHERE key = 'c' AND account = 'survey'",
        "DELETE FROM request WHERE key = 'b'",
        "INSERT INTO request VALUES ('survey', 'z', 'plan', 'epsilon 0', 3, 4, 5, x'61')",
        "INSERT INTO request VALUES ('survey', 'z', 'plan', 'epsilon 0', 3, NULL, NULL, NULL)",
        "DROP TRIGGER entry_is_not_changed; UPDATE entry SET kind = 'charge' WHERE number = 10",
        "DROP TRIGGER entry_is_not_deleted; PRAGMA foreign_keys = OFF; DELETE FROM entry WHERE number >= 8",
    ] {
        let place = Place::in_memory();
        let mut ledger = place.create(&Loss::epsilon(1.5).unwrap());
        let first = write(&mut ledger);
        Connection::open(place.path()).unwrap().execute_batch(change).unwrap();
        let found = ledger.verify_since(&first);
        assert!(matches!(found, Err(Error::Tampered(_))), "{change}: {found:?}");
    }
    let place = Place::in_memory();
    let mut ledger = place.create(&Loss::epsilon(1.5).unwrap());
    let first = write(&mut ledger);
    let change = "DROP TRIGGER entry_is_not_changed; UPDATE entry SET body = '{}' WHERE number = 4";
    Connection::open(place.path()).unwrap().execute_batch(change).unwrap();
    assert!(ledger.verify_since(&first).is_ok() && ledger.verify(None).is_err());
}
