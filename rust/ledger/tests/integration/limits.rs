//! Files that may not grow.

use crate::{place::Place, writer};
use indistinct_ledger::Loss;
use std::process::{Command, Stdio};

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
        let mut ledger = place.open();
        ledger.verify(None).unwrap();
        for key in lines.iter().filter_map(|line| line.strip_prefix("released ")) {
            let again = ledger.charge("survey", key, "plan", &Loss::epsilon(0.1).unwrap()).unwrap();
            assert!(matches!(again, indistinct_ledger::Charge::Released(bytes) if bytes == key.as_bytes()), "{key}");
        }
        assert!(ledger.charge("survey", "after", "plan", &Loss::epsilon(0.1).unwrap()).is_ok());
    }
}
