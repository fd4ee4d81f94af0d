//! Requests that are charged, drawn and released together.

use crate::place::{Place, everywhere};
use indistinct_ledger::{Charge, Error, Ledger, Loss, Part, Request};

everywhere! {
    all_or_none_are_charged
    each_of_a_group_has_its_own_state
}

fn quarter() -> Loss {
    Loss::epsilon(0.25).unwrap()
}

fn requests<'r>(keys: &[&'r str], loss: &'r Loss) -> Vec<Request<'r>> {
    keys.iter().map(|key| Request { account: "survey", key, plan: "plan", loss }).collect()
}

fn all_or_none_are_charged(place: &Place) {
    let (mut ledger, loss) = (place.create(&Loss::epsilon(1.0).unwrap()), quarter());
    let spent = |ledger: &Ledger| ledger.budget("survey").unwrap().spent;
    let refused = ledger.charge_all(&requests(&["a", "b", "c", "d", "e"], &loss));
    assert!(matches!(refused, Err(Error::Budget { .. })));
    let twice = ledger.charge_all(&requests(&["a", "b", "a"], &loss));
    assert!(matches!(twice, Err(Error::Parameter { name: "requests", .. })));
    let mut wrong = requests(&["a", "b"], &loss);
    wrong[1].account = "nobody";
    assert!(ledger.charge_all(&wrong).is_err());
    assert_eq!(spent(&ledger), Loss::epsilon(0.0).unwrap());
    let charged = ledger.charge_all(&requests(&["a", "b", "c", "d"], &loss)).unwrap();
    let mut sums = Vec::new();
    for part in charged.parts() {
        let Part::Charged(receipt) = part else { panic!("new") };
        sums.push((receipt.entry.entries, receipt.before.numbers()[0].to_f64(), receipt.after.numbers()[0].to_f64()));
    }
    assert_eq!(sums, [(3, 0.0, 0.25), (4, 0.25, 0.5), (5, 0.5, 0.75), (6, 0.75, 1.0)]);
    drop(charged);
    // Nothing, too, is a group.
    ledger.charge_all(&[]).unwrap().draw().unwrap().release(&[]).unwrap();
    assert_eq!((spent(&ledger), ledger.verify(None).unwrap().entries), (Loss::epsilon(1.0).unwrap(), 6));
}

fn each_of_a_group_has_its_own_state(place: &Place) {
    let (mut ledger, loss) = (place.create(&Loss::epsilon(2.0).unwrap()), quarter());
    let Charge::Charged(one) = ledger.charge("survey", "released", "plan", &loss).unwrap() else { panic!("new") };
    one.draw().unwrap().release(b"7").unwrap();
    assert!(ledger.charge("survey", "charged", "plan", &loss).is_ok());
    let group = requests(&["charged", "released", "new"], &loss);
    // Another process goes on with one of them: none is drawn.
    let mut other = place.open();
    let charged = ledger.charge_all(&group).unwrap();
    assert!(matches!(charged.parts().nth(1), Some(Part::Released(b"7"))));
    let Charge::Charged(theirs) = other.charge("survey", "charged", "plan", &loss).unwrap() else { panic!("charged") };
    let theirs = theirs.draw().unwrap();
    assert!(matches!(charged.draw(), Err(Error::Lost { .. })));
    theirs.release(b"8").unwrap();
    let charged = ledger.charge_all(&group).unwrap();
    assert!(matches!(charged.parts().next(), Some(Part::Released(b"8"))));
    let drawn = charged.draw().unwrap();
    assert_eq!(drawn.entries().count(), 1);
    drawn.release(&[b"9"]).unwrap();
    assert!(ledger.charge_all(&group).unwrap().parts().all(|part| matches!(part, Part::Released(_))));
    assert_eq!(ledger.budget("survey").unwrap().spent, Loss::epsilon(0.75).unwrap());
    // As many releases as draws, or they are lost, as what is dropped is.
    let drawn = ledger.charge_all(&requests(&["x", "y"], &loss)).unwrap().draw().unwrap();
    assert!(matches!(drawn.release(&[b"1"]), Err(Error::Parameter { name: "releases", .. })));
    assert!(matches!(ledger.charge_all(&requests(&["z", "x"], &loss)), Err(Error::Lost { .. })));
    assert_eq!(ledger.budget("survey").unwrap().spent, Loss::epsilon(1.25).unwrap());
    ledger.verify(None).unwrap();
}
