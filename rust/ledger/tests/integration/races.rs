//! Processes that want the same.

use crate::{
    place::{Place, everywhere},
    writer,
};
use indistinct_ledger::{Charge, Error, Loss};
use std::env;

everywhere! {
    the_last_unit_goes_to_one
    one_charge_is_drawn_once
}

/// Eight processes for a budget of three, again and again: 10 times, 1,000 with `TEST_DEEP`. The budget is that of an
/// account, of which each round has one.
fn the_last_unit_goes_to_one(place: &Place) {
    let rounds = if env::var_os("TEST_DEEP").is_some() { 1000 } else { 10 };
    let mut ledger = place.create(&Loss::epsilon(1e9).unwrap());
    for round in 0..rounds {
        let account = format!("round {round}");
        ledger.add_account(&account, "survey", &Loss::epsilon(3.0).unwrap()).unwrap();
        let children: Vec<_> = (0..8).map(|one| writer::start(place, &account, &one.to_string(), 1.0)).collect();
        let lines: Vec<String> = children.into_iter().flat_map(writer::Writer::lines).collect();
        let released = lines.iter().filter(|line| line.starts_with("released")).count();
        assert!(released == 3 && lines.iter().all(|line| !line.starts_with("error")), "{lines:?}");
        assert_eq!(ledger.budget(&account).unwrap().remaining, Loss::epsilon(0.0).unwrap());
        assert_eq!(ledger.history(&account).unwrap().len(), 1 + 3 * 3);
    }
    ledger.verify(None).unwrap();
}

/// Two that went on with one charge after a crash: one draws.
fn one_charge_is_drawn_once(place: &Place) {
    let loss = Loss::epsilon(1.0).unwrap();
    let mut first = place.create(&loss);
    let mut second = place.open();
    let Charge::Charged(one) = first.charge("survey", "a", "plan", &loss).unwrap() else { panic!("it is new") };
    let Charge::Charged(other) = second.charge("survey", "a", "plan", &loss).unwrap() else { panic!("it is charged") };
    let drawn = one.draw().unwrap();
    assert!(matches!(other.draw(), Err(Error::Lost { .. })));
    // Not lost: the first is still at work.
    let busy = second.charge("survey", "a", "plan", &loss).unwrap_err().to_string();
    assert!(
        busy.contains("if another process is still working on it") && busy.contains("otherwise the release is lost"),
        "{busy}"
    );
    drawn.release(b"7").unwrap();
    assert!(matches!(second.charge("survey", "a", "plan", &loss), Ok(Charge::Released(bytes)) if bytes == b"7"));
}
