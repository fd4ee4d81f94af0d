//! A process of its own that charges and releases: this test program, started again.

use crate::place::Place;
use indistinct_ledger::{Charge, Error, Loss};
use std::{
    env,
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdout, Command, Stdio},
};

/// What the child is told, by its environment.
const PLACE: &str = "LEDGER_OF_A_WRITER";
const ACCOUNT: &str = "ACCOUNT_OF_A_WRITER";
const NAME: &str = "NAME_OF_A_WRITER";
const LOSS: &str = "LOSS_OF_A_WRITER";
/// What it says when it has opened the ledger.
const READY: &str = "ready\n";

/// A child that makes releases under keys `name/0`, `name/1` … until it is killed, or the budget is spent, and writes a
/// line of each: `charged name/0` once it is charged, `released name/0` once it is released.
///
/// It is ready when this returns.
pub(crate) fn start(place: &Place, account: &str, name: &str, loss: f64) -> Writer {
    let mut child = command(place, account, name, loss).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.ends_with(READY) {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0, "the child ended before it was ready");
    }
    Writer { child, lines }
}

/// A child, and what it writes.
pub(crate) struct Writer {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Writer {
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
    }

    /// All lines that it has written in the end.
    pub(crate) fn lines(mut self) -> Vec<String> {
        let mut text = String::new();
        self.lines.read_to_string(&mut text).unwrap();
        self.child.wait().unwrap();
        lines(&text)
    }
}

pub(crate) fn command(place: &Place, account: &str, name: &str, loss: f64) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "writer::writes", "--nocapture", "--test-threads", "1"]);
    command.env(PLACE, &place.text).env(ACCOUNT, account).env(NAME, name).env(LOSS, loss.to_string());
    command
}

/// Lines of a child that ended in whatever way; the last one may be half.
pub(crate) fn lines(text: &str) -> Vec<String> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let is_ours = |line: &&str| ["charged ", "released ", "error "].iter().any(|word| line.starts_with(word));
    whole.lines().filter(is_ours).map(str::to_owned).collect()
}

/// Does nothing unless it is a child.
#[test]
fn writes() {
    let Ok(place) = env::var(PLACE) else { return };
    let (account, name) = (env::var(ACCOUNT).unwrap(), env::var(NAME).unwrap());
    let loss = Loss::epsilon(env::var(LOSS).unwrap().as_str()).unwrap();
    let mut ledger = crate::place::open(&place).unwrap();
    let say = |line: String| {
        let mut out = std::io::stdout().lock();
        out.write_all(line.as_bytes()).unwrap();
        out.flush().unwrap();
    };
    // The test's own name stands before it on the line.
    say(READY.into());
    for number in 0.. {
        let key = format!("{name}/{number}");
        match ledger.charge(&account, &key, "plan", &loss) {
            Ok(Charge::Charged(charged)) => {
                say(format!("charged {key}\n"));
                charged.draw().unwrap().release(key.as_bytes()).unwrap();
                say(format!("released {key}\n"));
            }
            Ok(Charge::Released(_)) => {}
            Err(Error::Budget { .. }) => return,
            Err(error) => {
                say(format!("error {key}: {error}\n"));
                return;
            }
        }
    }
}
