//! A fault at every call that writes or syncs a file of the ledger, one after the other: a kill before and after it,
//! half of what was to be written, errors. `faults.c` is loaded before the libraries of a child, and strikes.

use crate::place::Place;
use indistinct_ledger::{Charge, Charged, Drawn, Error, Fallible, Ledger, Loss};
use std::{
    collections::BTreeSet,
    env,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};
use tempfile::TempDir;

const PLACE: &str = "LEDGER_OF_A_VICTIM";
const RELEASES: usize = 3;

fn loss() -> Loss {
    Loss::epsilon(0.25).unwrap()
}

/// The library, built once.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = LIBRARY.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("faults.so");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/integration/faults.c");
        let mut cc = Command::new("cc");
        cc.args(["-shared", "-fPIC", "-Wall", "-Werror", "-o"]).arg(&path).arg(source).arg("-ldl");
        assert!(cc.status().unwrap().success());
        (folder, path)
    });
    path
}

/// A child that makes three releases, with a fault; what it said, and whether it was struck.
pub(crate) fn struck(place: &Place, calls: &str, at: u32, kind: &str) -> (Vec<String>, bool) {
    let mark = place.path().with_extension("struck");
    let faults = [("FAULT_CALLS", calls), ("FAULT_AT", &at.to_string()), ("FAULT_KIND", kind)];
    let said = suffer(place, &faults, &mark);
    (said, mark.exists())
}

fn suffer(place: &Place, faults: &[(&str, &str)], mark: &Path) -> Vec<String> {
    let mut child = Command::new(env::current_exe().unwrap());
    child.args(["--exact", "faults::victim", "--nocapture", "--test-threads", "1"]);
    child.env("LD_PRELOAD", library()).env("FAULT_MARK", mark).env(PLACE, &place.text).envs(faults.iter().copied());
    let output = child.stderr(Stdio::null()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.strip_prefix("victim: ")).map(str::to_owned).collect()
}

/// A clock that is set back to 1970 between two releases changes nothing: no rule asks it.
#[test]
fn clocks_are_not_asked() {
    let place = Place::in_memory();
    let mut ledger = place.create(&Loss::epsilon(1.0).unwrap());
    assert!(ledger.charge("survey", "0", "plan", &loss()).is_ok());
    let head = ledger.verify(None).unwrap();
    let said = suffer(&place, &[("FAULT_CLOCK", "1")], Path::new("/dev/null"));
    assert_eq!(said.len(), 3 * RELEASES, "{said:?}");
    assert_eq!(ledger.verify(Some(head)).unwrap().entries, 2 + 3 * 3);
    check(&place, &said);
}

/// Does nothing unless it is a child.
#[test]
fn victim() {
    let Ok(place) = env::var(PLACE) else { return };
    let say = |line: String| {
        let mut out = std::io::stdout().lock();
        out.write_all(format!("\nvictim: {line}\n").as_bytes()).unwrap();
        out.flush().unwrap();
    };
    let mut ledger = match crate::place::open(&place) {
        Ok(ledger) => ledger,
        Err(error) => return say(format!("error {error}")),
    };
    let mut releases = || -> Fallible<()> {
        for key in (0..RELEASES).map(|number| number.to_string()) {
            if let Charge::Charged(charged) = ledger.charge("survey", &key, "plan", &loss())? {
                say(format!("charged {key}"));
                let drawn = Charged::draw(charged)?;
                say(format!("drawn {key}"));
                Drawn::release(drawn, key.as_bytes())?;
                say(format!("released {key}"));
            }
        }
        Ok(())
    };
    if let Err(error) = releases() {
        say(format!("error {error}"));
        // What failed once is not tried again on this handle.
        match ledger.charge("survey", "another", "plan", &loss()) {
            Err(Error::Refused(_)) => say("closed".into()),
            other => say(format!("went on: {other:?}")),
        }
    }
}

/// What was said of each key is so, and nothing else was charged; what was found of the first key that was not
/// finished.
pub(crate) fn check(place: &Place, said: &[String]) -> Option<&'static str> {
    let mut ledger = place.open();
    ledger.verify(None).unwrap();
    let has = |what: &str, key: &str| said.contains(&format!("{what} {key}"));
    let mut unfinished = None;
    for key in (0..RELEASES).map(|number| number.to_string()) {
        let is_charged =
            |ledger: &Ledger| ledger.history("survey").unwrap().iter().any(|entry| entry.key.as_deref() == Some(&key));
        let was_charged = is_charged(&ledger);
        assert!(was_charged || !has("charged", &key), "{said:?}");
        let found = match ledger.charge("survey", &key, "plan", &loss()) {
            Ok(Charge::Released(bytes)) => {
                assert_eq!(bytes, key.as_bytes());
                "released"
            }
            Ok(Charge::Charged(_)) if was_charged => "charged",
            Ok(Charge::Charged(_)) => "unknown",
            Err(Error::Lost { .. }) => "drawn",
            Err(error) => panic!("{error}"),
        };
        assert!(!has("released", &key) || found == "released", "{said:?} {found}");
        assert!(!has("drawn", &key) || ["drawn", "released"].contains(&found), "{said:?} {found}");
        let other = ledger.charge("survey", &key, "another plan", &loss());
        assert!(matches!(other, Err(Error::Conflict { .. })));
        unfinished = unfinished.or((!has("released", &key)).then_some(found));
    }
    assert_eq!(ledger.budget("survey").unwrap().spent, Loss::epsilon(0.25 * 3.0).unwrap());
    assert!(!said.iter().any(|line| line.starts_with("went on")), "{said:?}");
    ledger.verify(None).unwrap();
    unfinished
}

/// At each call, one after the other. In which states a release was when it was struck.
pub(crate) fn at_every_call(calls: &str, kind: &str) -> BTreeSet<&'static str> {
    let mut states = BTreeSet::new();
    for at in 1.. {
        let place = Place::in_memory();
        drop(place.create(&Loss::epsilon(1.0).unwrap()));
        let (said, is_struck) = struck(&place, calls, at, kind);
        let unfinished = check(&place, &said);
        if !is_struck {
            assert_eq!(unfinished, None, "{calls} {kind} {at}: {said:?}");
            break;
        }
        states.extend(unfinished);
    }
    states
}
