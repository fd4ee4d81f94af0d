//! Processes that are killed at any moment.

use crate::writer;
use indistinct_ledger::{Charge, Error, Ledger, Loss};
use std::{collections::BTreeSet, env, thread, time::Duration};

/// 200 kills in `make test`, 10,000 with `TEST_DEEP`.
fn kills() -> u32 {
    if env::var_os("TEST_DEEP").is_some() { 10_000 } else { 200 }
}

/// What a child said that it did is in the ledger, and no more was spent than keys were charged; the chain holds.
#[test]
fn nothing_that_was_acknowledged_is_lost() {
    const WRITERS: u32 = 4;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ledger");
    let (budget, loss) = (Loss::epsilon(1e9).unwrap(), Loss::epsilon(0.1).unwrap());
    drop(Ledger::create(&path, "survey", &budget).unwrap());
    let (mut charged, mut released) = (BTreeSet::new(), BTreeSet::new());
    // Moments from a seed; what the processes do meanwhile is up to the machine.
    let mut seed = 7u64;
    for round in 0..kills() / WRITERS {
        let children: Vec<_> = (0..WRITERS).map(|one| writer::start(&path, &format!("{round}-{one}"), 0.1)).collect();
        for mut child in children {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            thread::sleep(Duration::from_micros((seed >> 33) % 15_000));
            child.kill();
            for line in child.lines() {
                let (what, key) = line.split_once(' ').unwrap();
                assert_ne!(what, "error", "{line}");
                if what == "charged" {
                    charged.insert(key.to_owned())
                } else {
                    released.insert(key.to_owned())
                };
            }
        }
    }
    let mut ledger = Ledger::open(&path).unwrap();
    let head = ledger.verify(None).unwrap();
    assert!(charged.len() > 10 && released.len() > 10, "nothing was tried: {} {}", charged.len(), released.len());
    assert!(head.entries >= u64::try_from(2 + charged.len() + 2 * released.len()).unwrap());
    for key in &released {
        match ledger.charge("survey", key, "plan", &loss).unwrap() {
            Charge::Released(bytes) => assert_eq!(bytes, key.as_bytes()),
            Charge::Charged(_) => panic!("{key} was released and is not in the ledger"),
        }
    }
    let before = ledger.budget("survey").unwrap().spent;
    for key in charged.difference(&released) {
        match ledger.charge("survey", key, "plan", &loss) {
            Ok(_) | Err(Error::Lost { .. }) => {}
            Err(error) => panic!("{key}: {error}"),
        }
    }
    assert_eq!(ledger.budget("survey").unwrap().spent, before, "what was charged is not charged again");
    ledger.verify(Some(head)).unwrap();
}
