//! A ledger belongs to the process that opened it: what it has begun, no forked child goes on with.
//!
//! A program of its own, with one thread, for only then may a forked child do as it likes.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use fork::{Fork, fork, waitpid};
use indistinct_ledger::{Charge, Charged, Drawn, Error, Fallible, Ledger, Loss};
use std::io::{Read, Write};

/// How something ends, as a byte that goes through a pipe.
fn ends<T>(answer: Fallible<T>) -> u8 {
    match answer {
        Ok(_) => b'a',
        Err(Error::Process) => b'p',
        Err(_) => b'?',
    }
}

/// In a forked child.
fn in_child(ask: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    let (mut reader, mut writer) = std::io::pipe().unwrap();
    match fork().unwrap() {
        Fork::Child => {
            writer.write_all(&ask()).unwrap();
            drop(writer);
            std::process::exit(0);
        }
        Fork::Parent(child) => {
            drop(writer);
            let mut answers = Vec::new();
            reader.read_to_end(&mut answers).unwrap();
            waitpid(child).unwrap();
            answers
        }
    }
}

fn charged<'a>(ledger: &'a mut Ledger, key: &str) -> Charged<'a> {
    match ledger.charge("survey", key, "plan", &Loss::epsilon(0.25).unwrap()).unwrap() {
        Charge::Charged(charged) => charged,
        Charge::Released(_) => panic!("{key} is new"),
    }
}

/// The value is used up in the child, which has a copy of its own, and is there in the parent.
fn used_in_child<T, R>(value: T, using: impl FnOnce(T) -> Fallible<R>) -> (u8, T) {
    let cell = std::cell::Cell::new(Some(value));
    let answers = in_child(|| vec![ends(using(cell.take().unwrap()))]);
    (answers.first().copied().unwrap(), cell.take().unwrap())
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ledger");
    let (budget, loss) = (Loss::epsilon(1.0).unwrap(), Loss::epsilon(0.25).unwrap());
    let mut ledger = Ledger::create(&path, "survey", &budget).unwrap();
    // Between the charge and the draw, and between the draw and the release.
    let (end, one) = used_in_child(charged(&mut ledger, "a"), Charged::draw);
    assert_eq!(end, b'p');
    let (end, drawn) = used_in_child(one.draw().unwrap(), |drawn: Drawn<'_>| drawn.release(b"8"));
    assert_eq!(end, b'p');
    drawn.release(b"7").unwrap();
    // The ledger itself; the child may open it anew, and is then a process as any other.
    let mut ledger = Some(ledger);
    let answers = in_child(|| {
        let mut own = ledger.take().unwrap();
        vec![
            ends(own.charge("survey", "b", "plan", &loss)),
            ends(own.budget("survey")),
            ends(own.history("survey")),
            ends(own.verify(None)),
            ends(Ledger::open(&path).unwrap().charge("survey", "b", "plan", &loss)),
        ]
    });
    assert_eq!(answers, b"ppppa");
    let mut ledger = ledger.unwrap();
    assert!(matches!(ledger.charge("survey", "a", "plan", &loss), Ok(Charge::Released(bytes)) if bytes == b"7"));
    assert_eq!(ledger.budget("survey").unwrap().remaining, Loss::epsilon(0.5).unwrap());
    ledger.verify(None).unwrap();
    println!("a ledger belongs to the process that opened it");
}
