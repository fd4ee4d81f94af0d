//! The table of what a key is found as, and budgets in a tree.

use crate::place::{Place, everywhere};
use indistinct_ledger::{Charge, Error, Kind, Ledger, Loss};

everywhere! {
    a_key_is_one_release
    a_charge_is_drawn_for_another_plan
    all_accounts_above_are_charged_or_none
    a_budget_is_spent_to_the_last_bit_and_not_beyond
    names_and_measures_are_checked
    sums_that_could_not_be_read_again_are_refused
    accounts_are_below_so_many_and_no_more
    a_charge_knows_its_entry
}

fn epsilon(epsilon: f64) -> Loss {
    Loss::epsilon(epsilon).unwrap()
}

fn a_key_is_one_release(place: &Place) {
    let mut ledger = place.create(&epsilon(1.0));
    let spent = |ledger: &Ledger| ledger.budget("survey").unwrap().spent;
    let quarter = epsilon(0.25);
    // Charged, and nothing more: goes on.
    assert!(matches!(ledger.charge("survey", "a", "plan", &quarter), Ok(Charge::Charged(_))));
    assert_eq!(spent(&ledger), quarter);
    for (plan, loss) in [("other", epsilon(0.25)), ("plan", epsilon(0.5)), ("plan", epsilon(0.0))] {
        assert!(matches!(ledger.charge("survey", "a", plan, &loss), Err(Error::Conflict { .. })));
    }
    // Drawn, and interrupted: lost.
    let Charge::Charged(charged) = ledger.charge("survey", "a", "plan", &quarter).unwrap() else { panic!("charged") };
    drop(charged.draw().unwrap());
    assert!(matches!(ledger.charge("survey", "a", "plan", &quarter), Err(Error::Lost { .. })));
    assert!(matches!(ledger.charge("survey", "a", "other", &quarter), Err(Error::Conflict { .. })));
    assert_eq!(spent(&ledger), quarter);
    // Released: again and again, free, also once all is spent.
    let Charge::Charged(charged) = ledger.charge("survey", "b", "plan", &quarter).unwrap() else { panic!("new") };
    charged.draw().unwrap().release(b"").unwrap();
    assert!(matches!(ledger.charge("survey", "c", "plan", &epsilon(0.5)), Ok(Charge::Charged(_))));
    assert!(matches!(ledger.charge("survey", "d", "plan", &epsilon(5e-324)), Err(Error::Budget { .. })));
    assert!(matches!(ledger.charge("survey", "b", "plan", &quarter), Ok(Charge::Released(bytes)) if bytes.is_empty()));
    assert!(matches!(ledger.charge("survey", "b", "plan", &epsilon(0.0)), Err(Error::Conflict { .. })));
    assert!(matches!(ledger.charge("survey", "e", "plan", &epsilon(0.0)), Ok(Charge::Charged(_))));
    // A genesis, an account, four charges, two draws, one release.
    assert_eq!(ledger.verify(None).unwrap().entries, 9);
}

/// What was charged and not drawn may be drawn for another plan; whatever was charged for, the key is that plan's then.
fn a_charge_is_drawn_for_another_plan(place: &Place) {
    let mut ledger = place.create(&epsilon(1.0));
    let quarter = epsilon(0.25);
    for key in ["a", "b"] {
        assert!(matches!(ledger.charge("survey", key, "first", &quarter), Ok(Charge::Charged(_))));
    }
    let mut other = place.open();
    let Charge::Charged(late) = other.charge("survey", "a", "first", &quarter).unwrap() else { panic!("charged") };
    let Charge::Charged(charged) = ledger.charge("survey", "a", "first", &quarter).unwrap() else { panic!("charged") };
    let (entry, before, after) = (charged.entry(), charged.before().clone(), charged.after().clone());
    let drawn = charged.draw_for("second").unwrap();
    assert!(matches!(late.draw_for("third"), Err(Error::Lost { .. })), "one draw for each key");
    let draw = drawn.entry();
    drawn.release(b"7").unwrap();
    let found = ledger.request("survey", "a").unwrap().unwrap();
    assert_eq!((found.plan.as_str(), &found.loss, found.draw), ("second", &quarter, Some(draw)));
    assert_eq!((found.charge.entry, found.charge.before, found.charge.after), (entry, before, after));
    assert!(matches!(ledger.charge("survey", "a", "second", &quarter), Ok(Charge::Released(bytes)) if bytes == b"7"));
    assert!(matches!(ledger.charge("survey", "a", "first", &quarter), Err(Error::Conflict { .. })));
    // The same plan is not said twice, and an empty one is none.
    let Charge::Charged(charged) = ledger.charge("survey", "b", "first", &quarter).unwrap() else { panic!("charged") };
    assert!(matches!(charged.draw_for(""), Err(Error::Parameter { .. })));
    let before = ledger.checkpoint().unwrap();
    let Charge::Charged(charged) = ledger.charge("survey", "b", "first", &quarter).unwrap() else { panic!("charged") };
    drop(charged.draw_for("first").unwrap());
    let plans = ledger.history("survey").unwrap().into_iter().filter_map(|entry| Some((entry.kind, entry.plan?)));
    let said = |kind, plan: &str| (kind, plan.to_owned());
    let charges = [said(Kind::Charge, "first"), said(Kind::Charge, "first"), said(Kind::Draw, "second")];
    assert_eq!(plans.collect::<Vec<_>>(), charges);
    ledger.verify_since(&before).unwrap();
    ledger.verify(None).unwrap();
    assert_eq!(ledger.budget("survey").unwrap().spent, epsilon(0.5));
}

fn all_accounts_above_are_charged_or_none(place: &Place) {
    let mut ledger = place.create(&epsilon(1.0));
    ledger.add_account("team", "survey", &epsilon(0.75)).unwrap();
    ledger.add_account("ann", "team", &epsilon(0.5)).unwrap();
    ledger.add_account("bob", "team", &epsilon(0.5)).unwrap();
    let left = |ledger: &Ledger, name: &str| ledger.budget(name).unwrap().remaining;
    assert!(ledger.charge("ann", "a", "plan", &epsilon(0.5)).is_ok());
    assert_eq!(
        (left(&ledger, "ann"), left(&ledger, "team"), left(&ledger, "survey")),
        (epsilon(0.0), epsilon(0.25), epsilon(0.5))
    );
    // Their own budget allows it, the team's does not; and nothing is charged.
    let error = ledger.charge("bob", "b", "plan", &epsilon(0.375)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "budget: epsilon 0.375 would exceed what remains of the account \"team\": epsilon 0.25"
    );
    assert_eq!(
        (left(&ledger, "bob"), left(&ledger, "team"), left(&ledger, "survey")),
        (epsilon(0.5), epsilon(0.25), epsilon(0.5))
    );
    assert!(ledger.charge("survey", "c", "plan", &epsilon(0.5)).is_ok());
    assert!(
        matches!(ledger.charge("bob", "d", "plan", &epsilon(0.125)), Err(Error::Budget { account, .. }) if account == "survey")
    );
    assert_eq!(ledger.accounts().unwrap(), ["ann", "bob", "survey", "team"]);
    ledger.verify(None).unwrap();
}

fn a_budget_is_spent_to_the_last_bit_and_not_beyond(place: &Place) {
    let mut ledger = place.create(&epsilon(1.0));
    for number in 0..9 {
        assert!(ledger.charge("survey", &format!("{number}"), "plan", &epsilon(0.1)).is_ok());
    }
    let above = epsilon(0.1f64.next_up());
    assert!(matches!(ledger.charge("survey", "rest", "plan", &above), Err(Error::Budget { .. })));
    assert!(ledger.charge("survey", "rest", "plan", &epsilon(0.1)).is_ok());
    assert_eq!(ledger.budget("survey").unwrap().remaining, epsilon(0.0));
    assert!(matches!(ledger.charge("survey", "more", "plan", &epsilon(5e-324)), Err(Error::Budget { .. })));
}

fn names_and_measures_are_checked(place: &Place) {
    let mut ledger = place.create(&Loss::epsilon_delta(1.0, 1e-6).unwrap());
    let named = |error: Error| if let Error::Parameter { name, .. } = error { name } else { panic!("{error}") };
    assert_eq!(named(ledger.charge("survey", "a", "plan", &epsilon(0.1)).unwrap_err()), "loss");
    assert_eq!(named(ledger.charge("nobody", "a", "plan", &epsilon(0.1)).unwrap_err()), "account");
    let half = Loss::epsilon_delta(0.5, 0.0).unwrap();
    for name in ["", "a\0b", &"x".repeat(1025)] {
        assert_eq!(named(ledger.charge("survey", name, "plan", &half).unwrap_err()), "key");
        assert_eq!(named(ledger.charge("survey", "a", name, &half).unwrap_err()), "plan");
        assert_eq!(named(ledger.add_account(name, "survey", &half).unwrap_err()), "name");
    }
    assert_eq!(named(ledger.add_account("survey", "survey", &half).unwrap_err()), "name");
    assert_eq!(named(ledger.add_account("ann", "nobody", &half).unwrap_err()), "account");
    assert_eq!(named(ledger.add_account("ann", "survey", &epsilon(0.1)).unwrap_err()), "loss");
    assert_eq!(named(ledger.budget("nobody").unwrap_err()), "account");
    assert!(ledger.charge("survey", "a\"'; DROP TABLE entry; --", "plan", &half).is_ok());
    let delta = Loss::epsilon_delta(0.0, 2e-6).unwrap();
    assert!(matches!(ledger.charge("survey", "b", "plan", &delta), Err(Error::Budget { .. })));
    assert_eq!(ledger.verify(None).unwrap().entries, 3);
}

/// A sum with more digits than an amount may have is refused before anything is committed.
fn sums_that_could_not_be_read_again_are_refused(place: &Place) {
    let (budget, loss) = (Loss::epsilon("9e1099").unwrap(), Loss::epsilon("5e1099").unwrap());
    let mut ledger = place.create(&budget);
    assert!(ledger.charge("survey", "a", "plan", &loss).is_ok());
    assert!(ledger.charge("survey", "b", "plan", &loss).is_err());
    assert_eq!(ledger.budget("survey").unwrap().spent, loss);
    ledger.verify(None).unwrap();
}

fn accounts_are_below_so_many_and_no_more(place: &Place) {
    let mut ledger = place.create(&epsilon(1.0));
    let mut parent = "survey".to_owned();
    for depth in 2.. {
        let name = format!("account {depth}");
        if let Err(error) = ledger.add_account(&name, &parent, &epsilon(1.0)) {
            assert!(depth == 65 && matches!(error, Error::Parameter { name: "parent", .. }), "{depth} {error}");
            break;
        }
        parent = name;
    }
    assert!(ledger.charge(&parent, "a", "plan", &epsilon(0.5)).is_ok());
    ledger.verify(None).unwrap();
}

/// A charge knows its entry and what was spent, also once it is taken up again after others.
fn a_charge_knows_its_entry(place: &Place) {
    let mut ledger = place.create(&epsilon(1.0));
    ledger.add_account("ann", "survey", &epsilon(1.0)).unwrap();
    assert!(ledger.charge("survey", "before", "plan", &epsilon(0.125)).is_ok());
    assert!(ledger.charge("ann", "a", "plan", &epsilon(0.25)).is_ok());
    let charge = |ledger: &mut Ledger| {
        let Charge::Charged(charged) = ledger.charge("ann", "b", "plan", &epsilon(0.5)).unwrap() else { panic!("new") };
        assert_eq!((charged.before(), charged.after()), (&epsilon(0.25), &epsilon(0.75)));
        charged.entry()
    };
    let entry = charge(&mut ledger);
    assert_eq!((entry.entries, entry), (6, ledger.verify(Some(entry)).unwrap()));
    assert!(ledger.charge("ann", "c", "plan", &epsilon(0.0625)).is_ok());
    drop(ledger);
    let mut ledger = place.open();
    assert_eq!(charge(&mut ledger), entry);
    let Charge::Charged(charged) = ledger.charge("ann", "b", "plan", &epsilon(0.5)).unwrap() else { panic!("there") };
    let drawn = charged.draw().unwrap();
    let draw = drawn.entry();
    assert_eq!(draw.entries, 8);
    drawn.release(b"7").unwrap();
    ledger.verify(Some(draw)).unwrap();
    // What was written down of each account, in order.
    let history = ledger.history("ann").unwrap();
    let read: Vec<_> = history.iter().map(|entry| (entry.entry.entries, entry.kind, entry.key.as_deref())).collect();
    let expected = [
        (3, Kind::Account, None),
        (5, Kind::Charge, Some("a")),
        (6, Kind::Charge, Some("b")),
        (7, Kind::Charge, Some("c")),
        (8, Kind::Draw, Some("b")),
        (9, Kind::Release, Some("b")),
    ];
    assert_eq!(read, expected);
    assert_eq!((history[2].entry, history[4].entry), (entry, draw));
    assert_eq!((&history[0].loss, &history[2].loss), (&Some(epsilon(1.0)), &Some(epsilon(0.5))));
    assert_eq!(ledger.history("survey").unwrap().len(), 2);
    assert!(ledger.history("nobody").is_err());
}
