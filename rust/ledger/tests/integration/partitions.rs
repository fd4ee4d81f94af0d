//! Parts that are paid for once, and accounts that are closed.

use crate::place::{Place, everywhere};
use indistinct_ledger::{Charge, Error, Kind, Ledger, Loss};
use proptest::{prelude::*, test_runner::TestRunner};
use rusqlite::Connection;
use std::collections::BTreeMap;

everywhere! {
    parts_are_paid_for_once
    what_is_closed_stays_closed
}

fn epsilon(epsilon: f64) -> Loss {
    Loss::epsilon(epsilon).unwrap()
}

fn regions<const N: usize>(names: [&str; N]) -> BTreeMap<String, String> {
    names.map(|name| (name.to_owned(), format!("region = {name}"))).into()
}

fn release(ledger: &mut Ledger, account: &str, key: &str, loss: &Loss) -> Result<(), Error> {
    match ledger.charge(account, key, "plan", loss)? {
        Charge::Charged(charged) => charged.draw()?.release(key.as_bytes()),
        Charge::Released(bytes) => {
            assert_eq!(bytes, key.as_bytes());
            Ok(())
        }
    }
}

fn left(ledger: &Ledger, account: &str) -> f64 {
    ledger.budget(account).unwrap().remaining.numbers()[0].to_f64()
}

fn parts_are_paid_for_once(place: &Place) {
    let mut ledger = place.create(&epsilon(2.0));
    ledger.add_account("team", "survey", &epsilon(1.0)).unwrap();
    let parts = regions(["north", "south", "west"]);
    ledger.open_partition("team", &epsilon(0.75), &parts).unwrap();
    assert_eq!((left(&ledger, "survey"), left(&ledger, "team")), (1.25, 0.25));
    // The same again is there already; anything else with one of the names is not it.
    ledger.open_partition("team", &epsilon(0.75), &parts).unwrap();
    let mut other = parts.clone();
    other.insert("south".into(), "region = east".into());
    let fewer = regions(["north", "south"]);
    for (account, budget, parts) in [
        ("team", 0.75, &other),
        ("team", 0.75, &fewer),
        ("team", 0.25, &parts),
        ("survey", 0.75, &parts),
        ("survey", 0.25, &regions(["east", "team"])),
        ("survey", 0.25, &BTreeMap::new()),
        ("nobody", 0.25, &regions(["east"])),
    ] {
        let refused = ledger.open_partition(account, &epsilon(budget), parts);
        assert!(matches!(refused, Err(Error::Parameter { .. })), "{account} {budget} {parts:?}: {refused:?}");
    }
    // More than is left, of the account or of one above it: nothing is opened, and nothing is spent.
    let refused = ledger.open_partition("team", &epsilon(0.5), &regions(["east"]));
    assert!(matches!(refused, Err(Error::Budget { .. })));
    assert!(ledger.budget("east").is_err());
    assert_eq!((left(&ledger, "survey"), left(&ledger, "team")), (1.25, 0.25));
    // Each part has the whole of it, and those below a part have it from there.
    ledger.add_account("ann", "north", &epsilon(9.0)).unwrap();
    release(&mut ledger, "ann", "a", &epsilon(0.5)).unwrap();
    release(&mut ledger, "south", "a", &epsilon(0.75)).unwrap();
    release(&mut ledger, "south", "a", &epsilon(0.75)).unwrap();
    assert!(
        matches!(release(&mut ledger, "ann", "b", &epsilon(0.5)), Err(Error::Budget { account, .. }) if account == "north")
    );
    let all = ["survey", "team", "north", "ann", "south", "west"].map(|account| left(&ledger, account));
    assert_eq!(all, [1.25, 0.25, 0.25, 8.5, 0.0, 0.75]);
    // A part of a part.
    ledger.open_partition("west", &epsilon(0.75), &regions(["old", "young"])).unwrap();
    assert_eq!((left(&ledger, "west"), left(&ledger, "survey")), (0.0, 1.25));
    release(&mut ledger, "old", "a", &epsilon(0.75)).unwrap();
    let budget = ledger.budget("old").unwrap();
    assert_eq!((budget.parent.as_deref(), budget.prepaid.as_deref()), (Some("west"), Some("region = old")));
    let kinds: Vec<Kind> = ledger.history("team").unwrap().iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [Kind::Account, Kind::Partition]);
    let opened = ledger.history("south").unwrap().into_iter().find(|entry| entry.kind == Kind::Partition);
    assert_eq!(opened.unwrap().loss, Some(epsilon(0.75)));
    let checkpoint = ledger.checkpoint().unwrap();
    release(&mut ledger, "young", "a", &epsilon(0.25)).unwrap();
    let kept = checkpoint.to_string().parse().unwrap();
    assert_eq!(ledger.verify_since(&kept).unwrap(), ledger.checkpoint().unwrap());
}

fn what_is_closed_stays_closed(place: &Place) {
    let mut ledger = place.create(&epsilon(4.0));
    ledger.add_account("team", "survey", &epsilon(2.0)).unwrap();
    ledger.add_account("ann", "team", &epsilon(1.0)).unwrap();
    ledger.open_partition("team", &epsilon(0.5), &regions(["north"])).unwrap();
    release(&mut ledger, "ann", "a", &epsilon(0.5)).unwrap();
    let Charge::Charged(_) = ledger.charge("ann", "b", "plan", &epsilon(0.25)).unwrap() else { panic!("new") };
    ledger.close_account("team").unwrap();
    ledger.close_account("team").unwrap();
    assert!(ledger.close_account("nobody").is_err());
    // Neither it nor what is below it, prepaid or not, and nothing new there.
    for account in ["team", "ann", "north"] {
        let refused = release(&mut ledger, account, "c", &epsilon(0.25)).unwrap_err();
        assert!(refused.to_string().contains("\"team\" is closed"), "{account}: {refused}");
    }
    assert!(ledger.open_partition("ann", &epsilon(0.25), &regions(["south"])).is_err());
    // What was released is given again, what was charged goes on, and others are not concerned.
    release(&mut ledger, "ann", "a", &epsilon(0.5)).unwrap();
    release(&mut ledger, "ann", "b", &epsilon(0.25)).unwrap();
    release(&mut ledger, "survey", "c", &epsilon(1.0)).unwrap();
    assert!(ledger.budget("team").unwrap().is_closed && !ledger.budget("ann").unwrap().is_closed);
    assert_eq!(ledger.history("team").unwrap().last().unwrap().kind, Kind::Closed);
    let checkpoint = ledger.checkpoint().unwrap();
    assert_eq!(checkpoint.to_string().parse::<indistinct_ledger::Checkpoint>().unwrap(), checkpoint);
}

#[test]
fn parts_that_were_changed_from_outside_are_found() {
    for change in [
        "UPDATE account SET prepaid = NULL WHERE name = 'north'",
        "UPDATE account SET prepaid = 'region = south' WHERE name = 'north'",
        "UPDATE account SET prepaid = 'x' WHERE name = 'ann'",
        "UPDATE account SET above = 'ann' WHERE name = 'north'",
        "UPDATE account SET spent = 'epsilon 0' WHERE name = 'survey'",
        "UPDATE account SET closed = NULL WHERE name = 'ann'",
        "DELETE FROM account WHERE name = 'south'",
    ] {
        let place = Place::in_memory();
        let mut ledger = place.create(&epsilon(2.0));
        ledger.add_account("ann", "survey", &epsilon(1.0)).unwrap();
        ledger.open_partition("survey", &epsilon(1.0), &regions(["north", "south"])).unwrap();
        ledger.close_account("ann").unwrap();
        let empty = indistinct_ledger::Checkpoint::clone(&ledger.checkpoint().unwrap());
        Connection::open(place.path()).unwrap().execute_batch(change).unwrap();
        assert!(matches!(ledger.verify(None), Err(Error::Tampered(_))), "{change}");
        assert!(matches!(ledger.verify_since(&empty), Err(Error::Tampered(_))), "{change}");
    }
}

/// What was opened below which account, and what each has spent, as a few lines of arithmetic have it.
#[derive(Default)]
struct Model(Vec<(Option<usize>, bool, u32, u32)>);

impl Model {
    /// Whether so much could be spent, and was.
    fn spend(&mut self, account: usize, loss: u32) -> bool {
        let mut payers = vec![account];
        while let (Some(above), false, ..) = self.0[payers[payers.len() - 1]] {
            payers.push(above);
        }
        let can = payers.iter().all(|&payer| self.0[payer].3 + loss <= self.0[payer].2);
        payers.iter().filter(|_| can).for_each(|&payer| self.0[payer].3 += loss);
        can
    }

    /// The most that anybody loses whose rows are in one part of each partition: all that is charged to an account, and
    /// below it the sum of its own accounts and the worst part of each partition.
    fn worst(&self, account: usize, own: &[u32], partitions: &[Vec<usize>]) -> u32 {
        let below = (0..self.0.len()).filter(|&at| self.0[at].0 == Some(account));
        let accounts: u32 = below.filter(|&at| !self.0[at].1).map(|at| self.worst(at, own, partitions)).sum();
        let parts = partitions.iter().filter(|parts| self.0[parts[0]].0 == Some(account));
        let worst = parts.map(|parts| parts.iter().map(|&at| self.worst(at, own, partitions)).max().unwrap());
        own[account] + accounts + worst.sum::<u32>()
    }
}

/// Whatever is opened and charged: what anybody has lost is at most what the account at the top has spent, which is at
/// most its budget; and verification agrees.
#[test]
fn nobody_loses_more_than_was_spent() {
    let step = (0..4u32, 0..12usize, 1..5u32);
    let mut runner = TestRunner::new(ProptestConfig::with_cases(60));
    let done = runner.run(&prop::collection::vec(step, 1..40), |steps| {
        let place = Place::in_memory();
        let mut ledger = place.create(&epsilon(16.0));
        let mut model = Model(vec![(None, false, 16, 0)]);
        let (mut own, mut partitions) = (vec![0], Vec::new());
        let name = |at: usize| if at == 0 { "survey".to_owned() } else { format!("a{at}") };
        for (number, (kind, at, amount)) in steps.into_iter().enumerate() {
            let at = at % model.0.len();
            let loss = epsilon(f64::from(amount));
            match kind {
                0 => {
                    ledger.add_account(&name(model.0.len()), &name(at), &loss).unwrap();
                    model.0.push((Some(at), false, amount, 0));
                    own.push(0);
                }
                1 => {
                    let new = model.0.len()..model.0.len() + 2;
                    let parts = new.clone().map(|at| (name(at), "a part".to_owned())).collect();
                    let is_open = ledger.open_partition(&name(at), &loss, &parts).is_ok();
                    prop_assert_eq!(is_open, model.spend(at, amount));
                    if is_open {
                        model.0.extend(new.clone().map(|_| (Some(at), true, amount, 0)));
                        own.extend([0, 0]);
                        partitions.push(new.collect::<Vec<_>>());
                    }
                }
                _ => {
                    let is_released = release(&mut ledger, &name(at), &number.to_string(), &loss).is_ok();
                    prop_assert_eq!(is_released, model.spend(at, amount));
                    own[at] += if is_released { amount } else { 0 };
                }
            }
            for (at, (_, _, total, spent)) in model.0.iter().enumerate() {
                prop_assert_eq!(left(&ledger, &name(at)), f64::from(total - spent));
            }
            prop_assert!(model.worst(0, &own, &partitions) <= model.0[0].3);
        }
        ledger.verify(None).unwrap();
        Ok(())
    });
    done.unwrap();
}
