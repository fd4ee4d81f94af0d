//! Files that may not grow.

use crate::{place::Place, writer};
use indistinct_ledger::{Charge, Loss};
use std::{
    path::Path,
    process::{Command, Stdio},
};

/// Writes fail at many lengths of the file (`ulimit -f`, with the signal ignored, so that each is an error): what was
/// acknowledged is there, and the ledger goes on once there is room.
#[test]
fn a_full_disk_loses_nothing() {
    for blocks in (60..400).step_by(20) {
        let place = Place::file();
        drop(place.create(&Loss::epsilon(1e9).unwrap()));
        let inner = writer::command(&place, "survey", "full", 0.1);
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\""));
        shell.arg(inner.get_program()).args(inner.get_args());
        for (name, value) in inner.get_envs() {
            shell.env(name, value.unwrap());
        }
        let output = shell.stderr(Stdio::null()).output().unwrap();
        let lines = writer::lines(&String::from_utf8(output.stdout).unwrap());
        check(&place, &lines);
    }
}

/// What was released is there, the rest holds, and there is room for more.
fn check(place: &Place, lines: &[String]) {
    let (mut ledger, loss) = (place.open(), Loss::epsilon(0.1).unwrap());
    ledger.verify(None).unwrap();
    for key in lines.iter().filter_map(|line| line.strip_prefix("released ")) {
        let again = ledger.charge("survey", key, "plan", &loss).unwrap();
        assert!(matches!(again, Charge::Released(bytes) if bytes == key.as_bytes()), "{key}");
    }
    assert!(ledger.charge("survey", "after", "plan", &loss).is_ok());
}

fn mount(arguments: &[&str], folder: &Path) -> bool {
    Command::new("mount")
        .args(arguments)
        .arg(folder)
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// A file system of a few hundred kilobytes, of this test's own: where nobody may mount one, `ulimit` and the faults at
/// every write stand for it.
#[test]
fn a_small_file_system_that_is_full_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for kilobytes in [96, 128, 200, 300] {
        if !mount(&["-t", "tmpfs", "-o", &format!("size={kilobytes}k"), "tmpfs"], folder.path()) {
            println!("no file system can be mounted here");
            return;
        }
        let place = Place::at(&folder.path().join("a.ledger"));
        drop(place.create(&Loss::epsilon(1e9).unwrap()));
        let output = writer::command(&place, "survey", "full", 0.1).stderr(Stdio::null()).output().unwrap();
        let lines = writer::lines(&String::from_utf8(output.stdout).unwrap());
        let is_larger = mount(&["-o", "remount,size=16m"], folder.path());
        let checked = std::panic::catch_unwind(|| check(&place, &lines));
        assert!(Command::new("umount").arg(folder.path()).status().unwrap().success());
        assert!(is_larger && checked.is_ok() && lines.len() > 2, "{kilobytes} {lines:?}");
    }
}
