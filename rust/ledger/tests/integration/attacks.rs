//! The cases of `tests/vectors/ledger.json`, by their names, and what a naive ledger makes of them.

use crate::{
    faults::{at_every_call, check, struck},
    place::Place,
    writer,
};
use indistinct_ledger::{Charge, Error, Head, Ledger, Loss};
use rusqlite::Connection;
use serde_json::Value;
use std::{
    env, fs,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    sync::{Barrier, Mutex},
    time::Instant,
};

fn is_deep() -> bool {
    env::var_os("TEST_DEEP").is_some()
}

/// The case is the one that the test was written for.
fn case(name: &str, ops: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/ledger.json");
    let family: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let vectors = family["vectors"].as_array().unwrap();
    let case = vectors.iter().find(|vector| vector["id"] == name).unwrap();
    assert!(case["ops"].as_str().unwrap().contains(ops), "{name}");
}

fn epsilon(epsilon: f64) -> Loss {
    Loss::epsilon(epsilon).unwrap()
}

/// A journal as one writes it first: a line for each charge, in a buffer, without a lock; what cannot be read is
/// nothing.
struct Naive {
    path: PathBuf,
    lines: BufWriter<fs::File>,
}

impl Naive {
    fn open(path: &Path) -> Self {
        let file = fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        Self { path: path.into(), lines: BufWriter::new(file) }
    }

    fn charge(&mut self, loss: f64) -> bool {
        let allowed = Self::spent(&self.path) + loss <= 1.0;
        allowed && writeln!(self.lines, "{loss}").is_ok()
    }

    /// As after a kill.
    fn end_as_killed(self) {
        drop(self.lines.into_parts());
    }

    fn spent(path: &Path) -> f64 {
        let text = fs::read_to_string(path).unwrap_or_default();
        let lines: Result<Vec<f64>, _> = text.lines().map(str::parse).collect();
        lines.map_or(0.0, |lines| lines.iter().sum())
    }
}

/// What it says that it has charged is gone.
fn naive_loses_what_it_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let mut naive = Naive::open(&path);
    assert!(naive.charge(0.5));
    naive.end_as_killed();
    assert_eq!(Naive::spent(&path), 0.0, "no power");
}

#[test]
fn kill9_before_write() {
    case("kill9_before_write", "8 writers");
    let states = at_every_call("w", "before");
    assert!(["unknown", "charged", "drawn"].iter().all(|state| states.contains(state)), "{states:?}");
    naive_loses_what_it_acknowledged();
}

#[test]
fn kill9_after_write_before_fsync() {
    case("kill9_after_write_before_fsync", "8 writers");
    let states: Vec<_> = [("s", "before"), ("w", "after"), ("w", "short")]
        .iter()
        .map(|(calls, kind)| at_every_call(calls, kind))
        .collect();
    assert!(states.iter().all(|states| !states.is_empty()), "{states:?}");
    naive_loses_what_it_acknowledged();
}

#[test]
fn kill9_after_fsync_before_noise() {
    case("kill9_after_fsync_before_noise", "8 writers");
    // The commit is on the disk, and the child has not heard of it.
    assert!(!at_every_call("s", "after").is_empty());
    naive_loses_what_it_acknowledged();
}

/// Noise is drawn between the mark and what stores it: at the first write after the mark, it was.
#[test]
fn kill9_after_noise_before_ack() {
    case("kill9_after_noise_before_ack", "8 writers");
    let mut lost = 0;
    for at in 1.. {
        let place = Place::in_memory();
        drop(place.create(&epsilon(1.0)));
        let (said, is_struck) = struck(&place, "w", at, "before");
        let found = check(&place, &said);
        if said.last().is_some_and(|line| line.starts_with("drawn")) {
            assert_eq!(found, Some("drawn"), "{said:?}");
            lost += 1;
        }
        if !is_struck || lost > 1 {
            break;
        }
    }
    assert!(lost > 1);
    naive_loses_what_it_acknowledged();
}

/// A key that was drawn is lost, whether the same is asked or something else; one that was charged goes on, once.
#[test]
fn retry_same_idempotency_key() {
    case("retry_same_idempotency_key", "retry k=7");
    let (mut found, mut at) = (Vec::new(), 0);
    while !(found.contains(&"drawn") && found.contains(&"charged")) {
        at += 1;
        let place = Place::in_memory();
        drop(place.create(&epsilon(1.0)));
        // `check` asks for each key with the same plan and with another.
        let (said, is_struck) = struck(&place, "w", at, "before");
        assert!(is_struck, "no call was struck in each state");
        found.extend(check(&place, &said));
    }
}

/// Of a journal that was cut anywhere, or of which any bit was changed, in the middle of a commit: as much is spent as
/// was acknowledged, or the ledger is refused, or found not to hold together.
#[test]
fn torn_record_every_byte() {
    case("torn_record_every_byte", "10 charges");
    let place = Place::in_memory();
    let mut ledger = place.create(&epsilon(2.0));
    for number in 0..10 {
        assert!(ledger.charge("survey", &format!("old {number}"), "plan", &epsilon(1.0 / 16.0)).is_ok());
    }
    let head = ledger.verify(None).unwrap();
    drop(ledger);
    let before = fs::read(place.path()).unwrap();
    let beside = |place: &Place| PathBuf::from(format!("{}-journal", place.text));
    // Killed in the middle of a commit: of the pages of the file, some are written.
    let (file, journal) = (1..)
        .find_map(|at| {
            fs::write(place.path(), &before).unwrap();
            let _ = fs::remove_file(beside(&place));
            assert!(struck(&place, "w", at, "before").1, "no commit was interrupted");
            let journal = fs::read(beside(&place)).unwrap_or_default();
            let file = fs::read(place.path()).unwrap();
            (journal.first().is_some_and(|first| *first != 0) && file != before).then_some((file, journal))
        })
        .unwrap();
    let found = |journal: &[u8]| -> Result<Head, Error> {
        fs::write(place.path(), &file).unwrap();
        fs::write(beside(&place), journal).unwrap();
        Ledger::open(place.path())?.verify(Some(head))
    };
    assert_eq!(found(&journal).unwrap(), head);
    let is_error = |error: &Error| {
        matches!(error, Error::Misplaced(_) | Error::Tampered(_) | Error::Refused(_) | Error::Storage(_))
    };
    let step = if is_deep() { 1 } else { 211 };
    for length in (0..journal.len()).rev().step_by(step).skip(1) {
        assert!(found(&journal[..length]).is_err_and(|error| is_error(&error)), "cut at {length}");
    }
    for bit in (0..journal.len() * 8).step_by(step * 13) {
        let mut changed = journal.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        match found(&changed) {
            Ok(found) => assert_eq!(found, head, "byte {}", bit / 8),
            Err(error) => assert!(is_error(&error), "{error}"),
        }
    }
    // The negative control adds up what it can read, and finds nothing where one line is torn.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    fs::write(&path, "0.0625\n0.0625\n0.06x").unwrap();
    assert_eq!(Naive::spent(&path), 0.0, "no power");
}

#[test]
fn missing_file_is_not_zero() {
    case("missing_file_is_not_zero", "then delete");
    let spent = || {
        let place = Place::file();
        assert!(place.create(&epsilon(1.0)).charge("survey", "a", "plan", &epsilon(1.0)).is_ok());
        place
    };
    let changes: [&dyn Fn(&Path); 4] = [
        &|path| fs::remove_file(path).unwrap(),
        &|path| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        },
        &|path| fs::write(path, b"").unwrap(),
        &|path| fs::write(path, [0; 8192]).unwrap(),
    ];
    for change in changes {
        let place = spent();
        change(&place.path());
        for _ in 0..2 {
            let opened = Ledger::open(place.path());
            assert!(matches!(opened, Err(Error::System(_) | Error::Refused(_))), "{opened:?}");
        }
    }
    // Nobody may read it; to root that is no obstacle.
    use std::os::unix::fs::PermissionsExt;
    let place = spent();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(place.path()).is_err() {
        assert!(Ledger::open(place.path()).is_err());
    }
    assert_eq!(Naive::spent(Path::new("/nowhere/journal")), 0.0, "no power");
}

/// Each write and each sync fails once, by itself: nothing that was acknowledged is lost, and the handle is closed.
#[test]
fn disk_full() {
    case("disk_full", "until ENOSPC");
    for (calls, kind) in [("w", "ENOSPC"), ("w", "EIO"), ("s", "EIO"), ("s", "late-EIO"), ("w", "late-EIO")] {
        at_every_call(calls, kind);
    }
    // The negative control does not look at what the disk says.
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut naive = Naive { path: "/nowhere/journal".into(), lines: BufWriter::new(full) };
    assert!(naive.charge(1.0) && naive.lines.flush().is_err(), "no power");
    naive.end_as_killed();
}

/// 64 threads, of which each asks a hundred times for a sixty-fourth, of one handle: 64 are charged.
#[test]
fn concurrent_last_unit() {
    case("concurrent_last_unit", "64 threads x 100 charges");
    for _ in 0..if is_deep() { 100 } else { 1 } {
        let place = Place::in_memory();
        let (ledger, start) = (Mutex::new(place.create(&epsilon(1.0))), Barrier::new(64));
        let accepted: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..64)
                .map(|thread| {
                    let (ledger, start) = (&ledger, &start);
                    scope.spawn(move || {
                        start.wait();
                        let charge = |number: &u32| {
                            let key = format!("{thread}/{number}");
                            ledger.lock().unwrap().charge("survey", &key, "plan", &epsilon(1.0 / 64.0)).is_ok()
                        };
                        (0..100).filter(charge).count()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        let ledger = ledger.into_inner().unwrap();
        assert_eq!((accepted, ledger.budget("survey").unwrap().remaining), (64, epsilon(0.0)));
        ledger.verify(None).unwrap();
    }
    naive_race();
}

/// Two that look before either writes.
fn naive_race() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let (mut one, mut other) = (Naive::open(&path), Naive::open(&path));
    assert!(one.charge(1.0) && other.charge(1.0), "no power");
    drop((one, other));
    assert_eq!(Naive::spent(&path), 2.0, "no power");
}

/// Eight processes for a thousand and twenty-four units: so many are released. Where there are no locks, none is
/// opened.
#[test]
fn concurrent_processes() {
    case("concurrent_processes", "8 processes");
    let place = Place::in_memory();
    let mut ledger = place.create(&epsilon(1.0));
    let children: Vec<_> = (0..8).map(|one| writer::start(&place, "survey", &one.to_string(), 1.0 / 1024.0)).collect();
    let lines: Vec<String> = children.into_iter().flat_map(writer::Writer::lines).collect();
    assert_eq!(lines.iter().filter(|line| line.starts_with("released")).count(), 1024);
    assert!(lines.iter().all(|line| !line.starts_with("error")));
    assert!(matches!(ledger.charge("survey", "more", "plan", &epsilon(5e-324)), Err(Error::Budget { .. })));
    assert_eq!(ledger.verify(None).unwrap().entries, 2 + 3 * 1024);
    drop(ledger);
    // Without locks SQLite takes the file for one that another program is writing to, for half a minute.
    for kind in if is_deep() { &["EIO", "ENOLCK"][..] } else { &["EIO"] } {
        let (said, is_struck) = struck(&place, "l", 0, kind);
        assert!(is_struck && said.len() == 1 && said[0].starts_with("error"), "{said:?}");
    }
    naive_race();
}

/// A charge is no value that can be copied; two handles on one are one.
#[test]
fn clone_handle() {
    case("clone_handle", "use it twice");
    let place = Place::in_memory();
    let (mut one, mut other) = (place.create(&epsilon(1.0)), place.open());
    let take = |ledger: &mut Ledger| match ledger.charge("survey", "a", "plan", &epsilon(1.0)).unwrap() {
        Charge::Charged(charged) => charged.draw().map(drop),
        Charge::Released(_) => panic!("nothing was released"),
    };
    let Charge::Charged(held) = other.charge("survey", "a", "plan", &epsilon(1.0)).unwrap() else { panic!("new") };
    assert!(take(&mut one).is_ok());
    assert!(matches!(held.draw(), Err(Error::Lost { .. })));
}

/// What fails, or panics, once its noise is drawn has been charged, and is not given back.
#[test]
fn error_after_noise_not_refunded() {
    case("error_after_noise_not_refunded", "1000 times");
    let place = Place::in_memory();
    let tenth = 1.0 / 16.0;
    let mut ledger = place.create(&epsilon(10.0 * tenth));
    let (mut run, mut refused) = (0, 0);
    for number in 0..1000 {
        match ledger.charge("survey", &number.to_string(), "plan", &epsilon(tenth)) {
            Ok(Charge::Charged(charged)) => {
                run += 1;
                let drawn = charged.draw().unwrap();
                let panics = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
                    let _drawn = drawn;
                    std::panic::resume_unwind(Box::new("the caller's own"));
                }));
                assert!(panics.is_err());
            }
            Ok(Charge::Released(_)) => panic!("nothing was released"),
            Err(Error::Budget { .. }) => refused += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!((run, refused, ledger.budget("survey").unwrap().remaining), (10, 990, epsilon(0.0)));
    ledger.verify(None).unwrap();
}

/// Four times as many charges take four times as long.
#[test]
fn filter_10k_queries_time() {
    case("filter_10k_queries_time", "40000 charges");
    let few = if is_deep() { 10_000 } else { 500 };
    let time = |charges: u32| {
        let place = Place::in_memory();
        let mut ledger = place.create(&epsilon(1e9));
        let start = Instant::now();
        for number in 0..charges {
            assert!(ledger.charge("survey", &number.to_string(), "plan", &epsilon(1.0)).is_ok());
        }
        start.elapsed().as_secs_f64()
    };
    // Others run on this machine as well: of some tries, one is undisturbed.
    let is_linear = |_: &u32| time(4 * few) / time(few) <= 5.0;
    assert!((0..5).any(|number| is_linear(&number)), "more than five times as long, in five tries");
}

/// What a child spends is its parent's, and what is left of either binds.
#[test]
fn interactive_children_share_parent() {
    case("interactive_children_share_parent", "spend the other 1/2 at the parent");
    let place = Place::in_memory();
    let mut ledger = place.create(&epsilon(1.0));
    for child in ["one", "other"] {
        ledger.add_account(child, "survey", &epsilon(0.5)).unwrap();
    }
    let mut is_charged = {
        let mut number = 0;
        move |account: &str, loss: f64| {
            number += 1;
            ledger.charge(account, &number.to_string(), "plan", &epsilon(loss)).is_ok()
        }
    };
    assert!(is_charged("one", 0.25) && is_charged("survey", 0.5) && !is_charged("one", 0.5));
    assert!(is_charged("other", 0.125) && is_charged("one", 0.125) && !is_charged("one", 5e-324));
    assert!(!is_charged("other", 5e-324) && !is_charged("survey", 5e-324));
}

/// Numbers of entries end before they wrap, and amounts of too many digits are refused.
#[test]
fn counter_width() {
    case("counter_width", "near 2^64-1");
    let place = Place::in_memory();
    drop(place.create(&epsilon(1e300)));
    let other = Connection::open(place.path()).unwrap();
    other.execute_batch(&format!("INSERT INTO entry VALUES ({}, 'draw', '{{}}', zeroblob(32))", i64::MAX)).unwrap();
    drop(other);
    let mut ledger = place.open();
    assert!(matches!(ledger.charge("survey", "a", "plan", &epsilon(1.0)), Err(Error::Refused(_))));
    assert_eq!(ledger.budget("survey").unwrap().spent, epsilon(0.0));
    assert!(matches!(ledger.verify(None), Err(Error::Tampered(_))));
    // 2^3000 - 1 has 904 digits, and is read. 2^4096 - 1 has 1,234, more than an amount may have.
    let all_ones = |bits: u32| Loss::epsilon(((num::BigUint::from(1u8) << bits) - 1u8).to_string().as_str());
    assert!(all_ones(4096).is_err());
    let place = Place::in_memory();
    let mut ledger = place.create(&epsilon(1.0));
    let found = ledger.charge("survey", "a", "plan", &all_ones(3000).unwrap());
    assert!(matches!(found, Err(Error::Budget { .. })));
}
