//! Processes that are killed at any moment.

use crate::{
    place::{Place, everywhere},
    writer,
};
use indistinct_ledger::{Charge, Error, Loss};
use std::{collections::BTreeSet, env, thread, time::Duration};

everywhere! {
    nothing_that_was_acknowledged_is_lost
}

/// 1,000 kills in `make test`, 10,000 with `TEST_DEEP`.
fn kills() -> u32 {
    if env::var_os("TEST_DEEP").is_some() { 10_000 } else { 1_000 }
}

/// What children said that they did.
#[derive(Default)]
pub(crate) struct Said {
    charged: BTreeSet<String>,
    released: BTreeSet<String>,
}

impl Said {
    pub(crate) fn hear(&mut self, lines: Vec<String>) {
        for line in lines {
            let (what, key) = line.split_once(' ').unwrap();
            match what {
                "charged" => self.charged.insert(key.to_owned()),
                "released" => self.released.insert(key.to_owned()),
                _ => panic!("{line}"),
            };
        }
    }

    /// It is in the ledger, and no more was spent than keys were charged; the chain holds.
    pub(crate) fn check(&self, place: &Place, loss: &Loss) {
        let Self { charged, released } = self;
        let mut ledger = place.open();
        let head = ledger.verify(None).unwrap();
        assert!(charged.len() > 10 && released.len() > 10, "nothing was tried: {} {}", charged.len(), released.len());
        assert!(head.entries >= u64::try_from(2 + charged.len() + 2 * released.len()).unwrap());
        for key in released {
            match ledger.charge("survey", key, "plan", loss).unwrap() {
                Charge::Released(bytes) => assert_eq!(bytes, key.as_bytes()),
                Charge::Charged(_) => panic!("{key} was released and is not in the ledger"),
            }
        }
        let before = ledger.budget("survey").unwrap().spent;
        for key in charged.difference(released) {
            match ledger.charge("survey", key, "plan", loss) {
                Ok(_) | Err(Error::Lost { .. }) => {}
                Err(error) => panic!("{key}: {error}"),
            }
        }
        assert_eq!(ledger.budget("survey").unwrap().spent, before, "what was charged is not charged again");
        ledger.verify(Some(head)).unwrap();
    }
}

fn nothing_that_was_acknowledged_is_lost(place: &Place) {
    const WRITERS: u32 = 4;
    let (budget, loss) = (Loss::epsilon(1e9).unwrap(), Loss::epsilon(0.1).unwrap());
    drop(place.create(&budget));
    let mut said = Said::default();
    // Moments from a seed; what the processes do meanwhile is up to the machine.
    let mut seed = 7u64;
    for round in 0..kills() / WRITERS {
        let children: Vec<_> =
            (0..WRITERS).map(|one| writer::start(place, "survey", &format!("{round}-{one}"), 0.1)).collect();
        for mut child in children {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            thread::sleep(Duration::from_micros((seed >> 33) % 8_000));
            child.kill();
            said.hear(child.lines());
        }
    }
    said.check(place, &loss);
}
