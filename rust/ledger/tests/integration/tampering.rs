//! Files that were changed by others.

use indistinct_ledger::{Charge, Error, Head, Ledger, Loss};
use rusqlite::Connection;
use std::{fs, path::PathBuf};
use tempfile::TempDir;

/// A ledger with accounts, a charge, a draw and a release, closed.
fn written() -> (TempDir, PathBuf, Head) {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let path = folder.path().join("a.ledger");
    let quarter = Loss::epsilon(0.25).unwrap();
    let mut ledger = Ledger::create(&path, "survey", &Loss::epsilon(1.0).unwrap()).unwrap();
    ledger.add_account("ann", "survey", &Loss::epsilon(0.75).unwrap()).unwrap();
    assert!(ledger.charge("survey", "a", "plan", &quarter).is_ok());
    for (key, is_released) in [("b", false), ("c", true)] {
        let Charge::Charged(charged) = ledger.charge("ann", key, "plan", &quarter).unwrap() else { panic!("new") };
        let drawn = charged.draw().unwrap();
        if is_released {
            drawn.release(b"about 36").unwrap();
        }
    }
    let head = ledger.verify(None).unwrap();
    drop(ledger);
    (folder, path, head)
}

#[test]
fn what_does_not_follow_from_the_entries_is_found() {
    let open = "DROP TRIGGER entry_is_not_changed; DROP TRIGGER entry_is_not_deleted; PRAGMA foreign_keys = OFF; ";
    for change in [
        "UPDATE account SET spent = 'epsilon 0' WHERE name = 'ann'",
        "UPDATE account SET budget = 'epsilon 1p1' WHERE name = 'survey'",
        "UPDATE account SET above = NULL WHERE name = 'ann'",
        "INSERT INTO account VALUES ('eve', 'survey', 'epsilon 1', 'epsilon 0', 3, NULL, NULL)",
        "UPDATE account SET prepaid = 'nothing' WHERE name = 'ann'",
        "UPDATE account SET closed = 3 WHERE name = 'ann'",
        "UPDATE account SET opened = 2 WHERE name = 'ann'",
        "DELETE FROM account WHERE name = 'ann'",
        "UPDATE account SET above = 'ann' WHERE name = 'survey'",
        "UPDATE request SET drawn = NULL WHERE key = 'b'",
        "UPDATE request SET drawn = NULL, released = NULL, result = NULL WHERE key = 'c'",
        "UPDATE request SET released = NULL, result = NULL WHERE key = 'c'",
        "UPDATE request SET charged = 1 WHERE key = 'c'",
        "UPDATE request SET released = released + 1 WHERE key = 'c'",
        "UPDATE request SET result = 'about 37' WHERE key = 'c'",
        "UPDATE request SET result = x'61626f7574203337' WHERE key = 'c'",
        "UPDATE request SET plan = 'other' WHERE key = 'a'",
        "UPDATE request SET plan = 'other' WHERE key = 'c'",
        "UPDATE request SET loss = 'epsilon 0.125' WHERE key = 'a'",
        "DELETE FROM request WHERE key = 'a'",
        "INSERT INTO request VALUES ('ann', 'z', 'plan', 'epsilon 0', 4, NULL, NULL, NULL)",
        "UPDATE entry SET body = replace(body, '0.25', '0.125') WHERE number = 4",
        "UPDATE entry SET kind = 'draw' WHERE number = 4",
        "UPDATE entry SET hash = zeroblob(32) WHERE number = 4",
        "DELETE FROM entry WHERE number = 4",
        "DELETE FROM entry WHERE number > 4",
        "DELETE FROM entry",
    ] {
        let (_folder, path, _) = written();
        let other = Connection::open(&path).unwrap();
        if let Err(error) = other.execute_batch(&format!("{open}{change}")) {
            // The table's own types refuse it.
            assert!(change.contains("result = 'about 37'"), "{change}: {error}");
            continue;
        }
        drop(other);
        let found = Ledger::open(&path).and_then(|ledger| ledger.verify(None));
        assert!(matches!(found, Err(Error::Tampered(_) | Error::Refused(_))), "{change}: {found:?}");
    }
    let (_folder, path, _) = written();
    let other = Connection::open(&path).unwrap();
    for change in ["UPDATE entry SET kind = 'draw'", "DELETE FROM entry WHERE number = 9"] {
        assert!(other.execute_batch(change).is_err(), "{change}");
    }
}

/// A file that is set back as a whole holds together; the head of a later time tells.
#[test]
fn a_file_that_was_set_back_is_found_by_a_later_head() {
    let (folder, path, head) = written();
    let copy = folder.path().join("copy");
    fs::copy(&path, &copy).unwrap();
    let mut ledger = Ledger::open(&path).unwrap();
    assert!(ledger.charge("survey", "later", "plan", &Loss::epsilon(0.125).unwrap()).is_ok());
    let later = ledger.verify(Some(head)).unwrap();
    assert_eq!(later.entries, head.entries + 1);
    drop(ledger);
    let back = Ledger::open(&copy).unwrap();
    assert_eq!(back.verify(None).unwrap(), head);
    assert!(matches!(back.verify(Some(later)), Err(Error::Tampered(_))));
    let (_other, path, _) = written();
    let mut wrong = head;
    wrong.hash[0] ^= 1;
    assert!(Ledger::open(&path).unwrap().verify(Some(wrong)).is_err());
}

/// Each byte of the file that the entries are on: never other numbers.
#[test]
fn no_byte_changes_a_budget_without_a_trace() {
    let (folder, path, head) = written();
    let bytes = fs::read(&path).unwrap();
    let changed = folder.path().join("changed");
    for at in (0..bytes.len()).step_by(7) {
        let mut other = bytes.clone();
        other[at] ^= 0x10;
        fs::write(&changed, &other).unwrap();
        // Either it is noticed, or nothing that the ledger says is another.
        if let Ok(ledger) = Ledger::open(&changed)
            && let Ok(found) = ledger.verify(None)
        {
            let spent = ledger.budget("survey").unwrap().spent;
            assert_eq!((found, spent), (head, Loss::epsilon(0.75).unwrap()), "byte {at}");
        }
        let _ = fs::remove_file(folder.path().join("changed-wal"));
    }
}

/// An account that was put above itself, in a file that nobody verified: a charge ends.
#[test]
fn circles_of_accounts_end() {
    let (_folder, path, _) = written();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("UPDATE account SET above = 'ann' WHERE name = 'survey'").unwrap();
    drop(other);
    let mut ledger = Ledger::open(&path).unwrap();
    let nothing = Loss::epsilon(0.0).unwrap();
    assert!(matches!(ledger.charge("ann", "z", "plan", &nothing), Err(Error::Tampered(_))));
}

/// Bytes that were changed are not given again, and a charge is taken up again from its own entry alone, also where
/// nobody has verified the file.
#[test]
fn what_is_given_again_is_compared_with_its_entry() {
    let quarter = Loss::epsilon(0.25).unwrap();
    for (account, key, change) in [
        ("ann", "c", "UPDATE request SET result = x'61' WHERE key = 'c'"),
        ("survey", "a", "UPDATE request SET charged = 5 WHERE key = 'a'"),
    ] {
        let (_folder, path, _) = written();
        let mut ledger = Ledger::open(&path).unwrap();
        let is_given = ledger.charge(account, key, "plan", &quarter).is_ok();
        Connection::open(&path).unwrap().execute_batch(change).unwrap();
        let found = ledger.charge(account, key, "plan", &quarter);
        let is_found = matches!(found, Err(Error::Tampered(_)));
        assert!(is_given && is_found, "{change}: {found:?}");
    }
}
