//! Files that are moved, linked and copied, while they are open, and between kills.

use crate::{
    faults::{check, struck},
    place::Place,
    writer,
};
use indistinct_ledger::{Charge, Error, Fallible, Ledger, Loss};
use rusqlite::Connection;
use std::{
    env, fs,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

fn epsilon(epsilon: f64) -> Loss {
    Loss::epsilon(epsilon).unwrap()
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    format!("{}{ending}", path.display()).into()
}

fn is_misplaced<T>(found: &Fallible<T>) -> bool {
    matches!(found, Err(Error::Misplaced(_)))
}

fn spent(ledger: &Ledger) -> Loss {
    ledger.budget("survey").unwrap().spent
}

fn charge(ledger: &mut Ledger, key: &str) -> Fallible<()> {
    ledger.charge("survey", key, "plan", &epsilon(0.125)).map(drop)
}

/// A program has it open while it is renamed: nobody else sees less spent, and the program is refused until it is back.
#[test]
fn a_ledger_that_is_renamed_while_open_keeps_its_charges() {
    let place = Place::in_memory();
    let (path, other) = (place.path(), place.path().with_file_name("survey.ledger"));
    let mut first = place.create(&epsilon(2.0));
    for number in 0..4 {
        charge(&mut first, &number.to_string()).unwrap();
    }
    fs::rename(&path, &other).unwrap();
    let mut second = Ledger::open(&other).unwrap();
    assert_eq!(spent(&second), epsilon(0.5));
    charge(&mut second, "4").unwrap();
    assert!(is_misplaced(&charge(&mut first, "5")) && is_misplaced(&first.budget("survey")));
    assert!(is_misplaced(&first.verify(None)));
    // Another ledger in its place.
    drop(Ledger::create(&path, "survey", &epsilon(2.0)).unwrap());
    assert!(is_misplaced(&charge(&mut first, "5")));
    assert_eq!(spent(&Ledger::open(&path).unwrap()), epsilon(0.0));
    fs::rename(&other, &path).unwrap();
    assert!(is_misplaced(&charge(&mut second, "5")));
    charge(&mut first, "5").unwrap();
    assert_eq!(spent(&first), epsilon(0.75));
    // The path leads there by a symbolic link, and the journal would have another name.
    fs::rename(&path, &other).unwrap();
    std::os::unix::fs::symlink(&other, &path).unwrap();
    assert!(is_misplaced(&charge(&mut first, "6")));
    let mut linked = Ledger::open(&path).unwrap();
    charge(&mut linked, "6").unwrap();
    charge(&mut second, "7").unwrap();
    assert_eq!(spent(&linked), epsilon(1.0));
    linked.verify(None).unwrap();
}

/// The negative control of these tests: a write-ahead log, as ledgers had it, is beside the file when a commit is
/// acknowledged.
#[test]
fn a_write_ahead_log_loses_what_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("a"), folder.path().join("b"));
    let first = Connection::open(&path).unwrap();
    first.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE x (y); PRAGMA wal_checkpoint(TRUNCATE);").unwrap();
    first.execute_batch("INSERT INTO x VALUES (1)").unwrap();
    fs::copy(&path, &other).unwrap();
    let second = Connection::open(&other).unwrap();
    let rows: i64 = second.query_row("SELECT COUNT(*) FROM x", [], |row| row.get(0)).unwrap();
    assert_eq!(rows, 0, "no power");
}

#[test]
fn several_names_are_refused() {
    let place = Place::in_memory();
    let (path, other) = (place.path(), place.path().with_file_name("b.ledger"));
    let mut ledger = place.create(&epsilon(2.0));
    fs::hard_link(&path, &other).unwrap();
    for path in [&path, &other] {
        assert!(is_misplaced(&Ledger::open(path)));
    }
    assert!(is_misplaced(&charge(&mut ledger, "a")) && is_misplaced(&ledger.budget("survey")));
    assert!(ledger.verify(None).unwrap_err().to_string().contains("2 names (hard links)"));
    fs::remove_file(&other).unwrap();
    charge(&mut ledger, "a").unwrap();
    fs::hard_link(&path, &other).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(is_misplaced(&charge(&mut ledger, "b")));
    assert_eq!(spent(&Ledger::open(&other).unwrap()), epsilon(0.125));
}

#[test]
fn what_lies_beside_a_ledger_is_its_own() {
    let place = Place::in_memory();
    let path = place.path();
    drop(place.create(&epsilon(2.0)));
    for (ending, bytes) in [("-wal", &b""[..]), ("-journal", b"of something else")] {
        fs::write(beside(&path, ending), bytes).unwrap();
        assert!(is_misplaced(&Ledger::open(&path)), "{ending}");
        let new = path.with_file_name("new.ledger");
        fs::rename(beside(&path, ending), beside(&new, ending)).unwrap();
        assert!(is_misplaced(&Ledger::create(&new, "survey", &epsilon(1.0))) && !new.exists(), "{ending}");
        fs::remove_file(beside(&new, ending)).unwrap();
        charge(&mut place.open(), ending).unwrap();
    }
    // What SQLite would not undo does not matter.
    fs::write(beside(&path, "-journal"), [0; 512]).unwrap();
    charge(&mut place.open(), "a").unwrap();
}

/// What SQLite alone makes of these files: whether some charge is entered and not spent, or the other way round; and
/// whether what is committed under the other name is lost when the file is back.
fn by_sqlite_alone(path: &Path) -> (bool, bool) {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let (own, other) = (folder.path().join("a.ledger"), folder.path().join("b.ledger"));
    fs::copy(path, &other).unwrap();
    let _ = fs::copy(beside(path, "-journal"), beside(&own, "-journal"));
    let database = Connection::open(&other).unwrap();
    let number = |sql| database.query_row(sql, [], |row| row.get::<_, i64>(0));
    let text = |sql| database.query_row(sql, [], |row| row.get::<_, String>(0));
    let spent = text("SELECT spent FROM account").map(|spent| spent.parse::<Loss>().ok());
    let charges = number("SELECT COUNT(*) FROM entry WHERE kind = 'charge'");
    let requests = number("SELECT COUNT(*) FROM request");
    let is_whole = matches!((&spent, &charges, &requests), (Ok(Some(spent)), Ok(charges), Ok(requests))
        if charges == requests && *spent == epsilon(0.25 * f64::from(i32::try_from(*charges).unwrap())));
    let is_later = database.execute_batch("CREATE TABLE later (x)").is_ok();
    drop(database);
    fs::rename(&other, &own).unwrap();
    let back = Connection::open(&own).unwrap();
    let is_lost = is_later && back.query_row("SELECT COUNT(*) FROM later", [], |_| Ok(())).is_err();
    (!is_whole, is_lost)
}

/// Killed at each write, the file alone is moved: all that was said is there, or the ledger is refused, and is there
/// once the file is back. Charged under the other name, and moved back to where the journal may be: the same.
#[test]
fn a_file_that_is_moved_after_a_kill_is_whole_or_refused() {
    let (mut torn, mut stale, mut torn_alone, mut stale_alone, mut both) = (0, 0, 0, 0, 0);
    for kind in ["before", "short"] {
        for at in 1.. {
            let place = Place::in_memory();
            let (path, other) = (place.path(), Place::at(&place.path().with_file_name("b.ledger")));
            drop(place.create(&epsilon(1.0)));
            let (said, is_struck) = struck(&place, "w", at, kind);
            let (is_torn, is_lost) = by_sqlite_alone(&path);
            both += u32::from(with_its_journal(&path, &said));
            torn_alone += u32::from(is_torn);
            stale_alone += u32::from(is_lost);
            fs::rename(&path, other.path()).unwrap();
            match Ledger::open(other.path()) {
                Ok(ledger) => {
                    drop(ledger);
                    check(&other, &said);
                    let head = other.open().verify(None).unwrap();
                    fs::rename(other.path(), &path).unwrap();
                    if is_misplaced(&Ledger::open(&path)) {
                        stale += 1;
                        fs::remove_file(beside(&path, "-journal")).unwrap();
                    }
                    assert_eq!(place.open().verify(Some(head)).unwrap(), head);
                    check(&place, &said);
                }
                Err(Error::Misplaced(_)) => {
                    torn += 1;
                    fs::rename(other.path(), &path).unwrap();
                    check(&place, &said);
                }
                Err(error) => panic!("{error}"),
            }
            if !is_struck {
                break;
            }
        }
    }
    println!("{torn} torn and {stale} stale; by SQLite alone {torn_alone} and {stale_alone}");
    assert!(torn > 0 && stale > 0 && torn_alone > 0 && stale_alone > 0, "{torn} {stale} {torn_alone} {stale_alone}");
    assert!(both > 0, "no half commit was undone elsewhere");
}

/// A copy of the file and its journal, elsewhere: all that was said is there. Whether SQLite has undone half a commit.
fn with_its_journal(path: &Path, said: &[String]) -> bool {
    let place = Place::in_memory();
    fs::copy(path, place.path()).unwrap();
    let is_alone = fs::copy(beside(path, "-journal"), beside(&place.path(), "-journal")).is_err();
    let found = Ledger::open(place.path());
    let is_undone = found.is_ok() && !is_alone;
    if is_misplaced(&found) {
        // The commit is there, whole: so the journal is not needed.
        fs::remove_file(beside(&place.path(), "-journal")).unwrap();
    }
    drop(found);
    check(&place, said);
    is_undone
}

/// Killed before anything of the first commit at a new place is written, moved back and charged there, and moved to
/// where the journal is: it counts one commit less, and is that of the same place. What was charged is not undone.
#[test]
fn a_journal_of_a_commit_that_was_not_begun_is_not_undone() {
    let place = Place::in_memory();
    let (path, other) = (place.path(), Place::at(&place.path().with_file_name("b.ledger")));
    let mut tried = 0;
    for at in 1.. {
        let _ = fs::remove_file(&path);
        drop(place.create(&epsilon(1.0)));
        fs::rename(&path, other.path()).unwrap();
        let before = fs::read(other.path()).unwrap();
        assert!(struck(&other, "w", at, "before").1, "no journal was left");
        let is_begun = fs::read(other.path()).unwrap() != before;
        let journal = fs::read(beside(&other.path(), "-journal")).unwrap_or_default();
        let is_hot = journal.first().is_some_and(|first| *first != 0);
        fs::rename(other.path(), &path).unwrap();
        if is_begun {
            break;
        }
        if is_hot {
            charge(&mut place.open(), "at the old place").unwrap();
            let head = place.open().verify(None).unwrap();
            fs::rename(&path, other.path()).unwrap();
            assert!(is_misplaced(&Ledger::open(other.path())));
            fs::remove_file(beside(&other.path(), "-journal")).unwrap();
            assert_eq!(other.open().verify(Some(head)).unwrap(), head);
            fs::rename(other.path(), &path).unwrap();
            tried += 1;
        }
        let _ = fs::remove_file(beside(&other.path(), "-journal"));
    }
    assert!(tried > 0, "no journal was hot before the file was written");
}

/// 60 kills in `make test`, 2,000 with `TEST_DEEP`.
fn kills() -> u32 {
    if env::var_os("TEST_DEEP").is_some() { 2_000 } else { 60 }
}

/// Each key that was said to be released is.
fn check_released(path: &Path, said: &[String]) -> Fallible<()> {
    let mut ledger = Ledger::open(path)?;
    for key in said.iter().filter_map(|line| line.strip_prefix("released ")) {
        match ledger.charge("survey", key, "plan", &epsilon(0.125))? {
            Charge::Released(bytes) => assert_eq!(bytes, key.as_bytes()),
            Charge::Charged(_) => panic!("{key} was released, and is not in the ledger"),
        }
    }
    Ok(())
}

/// Between kills the file is moved, linked and copied: what was released stays so.
#[test]
fn kills_and_moves_lose_nothing() {
    // On a disk, where a commit takes long.
    let folder = Place::file();
    let name = |number: u64| folder.path().with_file_name(format!("{number}.ledger"));
    let mut path = name(0);
    drop(Ledger::create(&path, "survey", &epsilon(1e9)).unwrap());
    let mut seed = 11u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let (mut released, mut refused, mut stale) = (0, 0, 0);
    for round in 0..kills() {
        let mut child = writer::start(&Place::at(&path), "survey", &round.to_string(), 0.125);
        thread::sleep(Duration::from_micros(random(120_000)));
        child.kill();
        let said = child.lines();
        released += said.iter().filter(|line| line.starts_with("released")).count();
        let other = name(random(4));
        let has_own = beside(&path, "-journal").exists();
        if other == path {
            check_released(&path, &said).unwrap();
            continue;
        }
        match random(4) {
            0 => fs::rename(&path, &other).unwrap(),
            1 => {
                let _ = fs::rename(beside(&path, "-journal"), beside(&other, "-journal"));
                fs::rename(&path, &other).unwrap();
            }
            2 => {
                fs::hard_link(&path, &other).unwrap();
                assert!(is_misplaced(&Ledger::open(&path)) && is_misplaced(&Ledger::open(&other)));
                fs::remove_file(&path).unwrap();
            }
            _ => {
                // The copy has all of it, or is refused.
                fs::copy(&path, &other).unwrap();
                let copied = check_released(&other, &said);
                assert!(copied.is_ok() || is_misplaced(&copied), "{copied:?}");
                fs::remove_file(&other).unwrap();
                let _ = fs::remove_file(beside(&other, "-journal"));
                check_released(&path, &said).unwrap();
                continue;
            }
        }
        match check_released(&other, &said) {
            Ok(()) => path = other,
            // Another time's journal lies there.
            Err(Error::Misplaced(text)) if text.contains("is not a journal of the current file") => {
                stale += 1;
                fs::remove_file(beside(&other, "-journal")).unwrap();
                match check_released(&other, &said) {
                    Ok(()) => path = other,
                    Err(Error::Misplaced(_)) if has_own => fs::rename(&other, &path).unwrap(),
                    Err(error) => panic!("{error}"),
                }
            }
            // Half a commit, whose journal is where the file was.
            Err(Error::Misplaced(_)) => {
                assert!(has_own);
                refused += 1;
                fs::rename(&other, &path).unwrap();
            }
            Err(error) => panic!("{error}"),
        }
        check_released(&path, &said).unwrap();
    }
    println!("{released} released, {refused} times half a commit, {stale} times another time's journal");
    assert!(released > 30, "nothing was tried: {released}");
    let ledger = Ledger::open(&path).unwrap();
    ledger.verify(None).unwrap();
}

/// The first page of a commit was written and names one page more than the file has. The journal lies elsewhere.
#[test]
fn half_of_a_commit_that_grew_the_file_is_misplaced() {
    let place = Place::in_memory();
    charge(&mut place.create(&epsilon(2.0)), "a").unwrap();
    let copy = place.path().with_file_name("copy.ledger");
    let mut bytes = fs::read(place.path()).unwrap();
    let pages = u32::from_be_bytes(bytes[28..32].try_into().unwrap());
    bytes[28..32].copy_from_slice(&(pages + 1).to_be_bytes());
    fs::write(&copy, &bytes).unwrap();
    let opened = Ledger::open(&copy);
    assert!(is_misplaced(&opened), "{:?}", opened.err());
    fs::remove_file(&copy).unwrap();
}

#[test]
fn a_copy_of_an_open_ledger_has_all_of_it_and_a_backup_is_not_charged() {
    let place = Place::in_memory();
    let (path, copy) = (place.path(), place.path().with_file_name("copy.ledger"));
    let mut ledger = place.create(&epsilon(2.0));
    charge(&mut ledger, "a").unwrap();
    fs::copy(&path, &copy).unwrap();
    let copied = Ledger::open(&copy).unwrap();
    assert_eq!(spent(&copied), epsilon(0.125));
    // Nothing is written to what is only read.
    let before = fs::read(&copy).unwrap();
    let head = copied.verify(None).unwrap();
    assert_eq!(fs::read(&copy).unwrap(), before);

    let (backup, new) = (path.with_file_name("backup"), path.with_file_name("new.ledger"));
    assert!(matches!(ledger.backup(&copy), Err(Error::System(_))), "it is there");
    assert!(matches!(ledger.backup(&path), Err(Error::System(_))), "it is there");
    assert_eq!(ledger.backup(&backup).unwrap(), head);
    charge(&mut ledger, "b").unwrap();
    let moved = path.with_file_name("moved");
    fs::rename(&backup, &moved).unwrap();
    let mut kept = Ledger::open(&moved).unwrap();
    assert_eq!((spent(&kept), kept.verify(Some(head)).unwrap()), (epsilon(0.125), head));
    let refused = charge(&mut kept, "c");
    assert!(matches!(&refused, Err(Error::Refused(text)) if text.contains("backup")), "{refused:?}");
    assert!(matches!(Ledger::restore(&path, &new), Err(Error::Refused(_))), "no backup");
    assert!(matches!(Ledger::restore(&moved, &path), Err(Error::System(_))), "it is there");
    let mut restored = Ledger::restore(&moved, &new).unwrap();
    charge(&mut restored, "c").unwrap();
    assert_eq!((spent(&restored), spent(&ledger)), (epsilon(0.25), epsilon(0.25)));
    // Whatever cannot be verified is not kept.
    drop(ledger);
    let other = Connection::open(&path).unwrap();
    other.execute_batch("UPDATE account SET spent = 'epsilon 0'").unwrap();
    drop(other);
    let again = path.with_file_name("again");
    assert!(matches!(place.open().backup(&again), Err(Error::Misplaced(_) | Error::Tampered(_))));
    assert!(!again.exists());
}

/// A budget with delta 1 is none, whoever opens it.
#[test]
fn a_budget_has_a_delta_below_one() {
    let place = Place::in_memory();
    for delta in [1.0, 2.0, f64::MAX] {
        for budget in [Loss::epsilon_delta(1.0, delta), Loss::rho_delta(1.0, delta)] {
            let refused = Ledger::create(place.path(), "survey", &budget.unwrap());
            assert!(matches!(&refused, Err(Error::Parameter { name: "budget", .. })), "{refused:?}");
            assert!(!place.path().exists());
        }
    }
    for wrong in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(Loss::epsilon_delta(1.0, wrong).is_err() && Loss::epsilon_delta(wrong, 0.5).is_err());
    }
    let mut ledger = place.create(&Loss::epsilon_delta(1.0, 1.0f64.next_down()).unwrap());
    let none = Loss::epsilon_delta(0.5, 1.0).unwrap();
    assert!(matches!(ledger.add_account("a", "survey", &none), Err(Error::Parameter { .. })));
    let parts = [("north".to_owned(), "region = north".to_owned())].into();
    assert!(matches!(ledger.open_partition("survey", &none, &parts), Err(Error::Parameter { .. })));
}
