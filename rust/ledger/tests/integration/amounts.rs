//! Decimal amounts, as somebody says them and a ledger adds them up.

use crate::place::Place;
use indistinct_ledger::{Amount, Error, Ledger, Loss};
use proptest::prelude::*;

fn epsilon(epsilon: &str) -> Loss {
    Loss::epsilon(epsilon).unwrap()
}

fn charge(ledger: &mut Ledger, key: &str, loss: &Loss) -> Result<(), Error> {
    ledger.charge("survey", key, "plan", loss).map(drop)
}

fn remaining(ledger: &Ledger, account: &str) -> String {
    ledger.budget(account).unwrap().remaining.to_string()
}

#[test]
fn ten_tenths_are_one_and_an_eleventh_is_refused() {
    let place = Place::file();
    let mut ledger = place.create(&Loss::epsilon(1.0).unwrap());
    for number in 0..10 {
        if number == 8 {
            assert_eq!(remaining(&ledger, "survey"), "epsilon 0.2");
        }
        charge(&mut ledger, &number.to_string(), &Loss::epsilon(0.1).unwrap()).unwrap();
    }
    assert_eq!(remaining(&ledger, "survey"), "epsilon 0");
    for one_more in ["0.1", "1e-400", "0.1000000000000000000000001"] {
        let error = charge(&mut ledger, "one more", &epsilon(one_more)).unwrap_err();
        assert!(matches!(error, Error::Budget { .. }), "{error}");
    }
    ledger.verify(None).unwrap();
    drop(ledger);
    let ledger = place.open();
    assert_eq!(ledger.budget("survey").unwrap().spent, epsilon("1"));
    ledger.verify(None).unwrap();
}

/// A tenth is one amount, however it is written: a key that is tried again with another text of it is the same request.
#[test]
fn an_amount_is_one_number() {
    let place = Place::in_memory();
    let mut ledger = place.create(&epsilon("0.3"));
    for same in [Loss::epsilon(0.1).unwrap(), epsilon("0.100"), epsilon("1e-1"), epsilon(".1")] {
        charge(&mut ledger, "a", &same).unwrap();
    }
    let error = charge(&mut ledger, "a", &Loss::epsilon(Amount::exact(0.1).unwrap()).unwrap()).unwrap_err();
    assert!(matches!(error, Error::Conflict { .. }), "{error}");
    charge(&mut ledger, "b", &Loss::epsilon(0.2).unwrap()).unwrap();
    assert_eq!((remaining(&ledger, "survey"), ledger.rest("survey").is_err()), ("epsilon 0".into(), true));
}

/// All that is left can be charged, also where an account above has less, and to the last digit.
#[test]
fn the_rest_can_be_charged() {
    let place = Place::in_memory();
    let mut ledger = place.create(&Loss::epsilon(1.0).unwrap());
    ledger.add_account("ann", "survey", &Loss::epsilon(5.0).unwrap()).unwrap();
    for (key, loss) in [("a", "0.1"), ("b", "0.2"), ("c", "0.3")] {
        assert!(ledger.charge("ann", key, "plan", &epsilon(loss)).is_ok());
    }
    let text = ledger.charge("ann", "d", "plan", &epsilon("0.41")).unwrap_err().to_string();
    assert!(text.contains("epsilon 0.41 would exceed") && text.ends_with(": epsilon 0.4"), "{text}");
    assert!(ledger.charge("ann", "e", "plan", &epsilon("0.34567890123456789012345")).is_ok());
    let rest = ledger.rest("ann").unwrap();
    assert_eq!(rest.to_string(), "epsilon 0.05432109876543210987655");
    assert!(ledger.charge("ann", "f", "plan", &rest).is_ok());
    assert_eq!(remaining(&ledger, "survey"), "epsilon 0");
    assert!(matches!(ledger.rest("ann"), Err(Error::Spent { account, .. }) if account == "survey"));
}

/// Accounts below, parts of a partition, and deltas.
#[test]
fn accounts_and_parts_share_decimals() {
    let place = Place::file();
    let mut ledger = place.create(&Loss::epsilon_delta(1.0, 1e-6).unwrap());
    ledger.add_account("ann", "survey", &Loss::epsilon_delta(0.3, 3e-7).unwrap()).unwrap();
    for number in 0..3 {
        let loss = Loss::epsilon_delta(0.1, 1e-7).unwrap();
        let _ = ledger.charge("ann", &number.to_string(), "plan", &loss).unwrap();
    }
    assert_eq!(remaining(&ledger, "ann"), "epsilon 0, delta 0");
    assert_eq!(remaining(&ledger, "survey"), "epsilon 0.7, delta 0.0000007");
    let parts = ["north", "south"].map(|name| (name.to_owned(), format!("region = {name}"))).into();
    ledger.open_partition("survey", &Loss::epsilon_delta(0.7, 7e-7).unwrap(), &parts).unwrap();
    assert_eq!(remaining(&ledger, "survey"), "epsilon 0, delta 0");
    for number in 0..7 {
        let loss = Loss::epsilon_delta(0.1, 1e-7).unwrap();
        let _ = ledger.charge("north", &number.to_string(), "plan", &loss).unwrap();
    }
    let error = ledger.charge("north", "8", "plan", &Loss::epsilon_delta("1e-300", 0.0).unwrap()).unwrap_err();
    assert!(matches!(error, Error::Budget { account, .. } if account == "north"));
    assert_eq!(remaining(&ledger, "south"), "epsilon 0.7, delta 0.0000007");
    ledger.verify(None).unwrap();
    let checkpoint = ledger.checkpoint().unwrap().to_string();
    assert!(checkpoint.contains("epsilon+delta 0.7 0.0000007"), "{checkpoint}");
    assert_eq!(ledger.verify_since(&checkpoint.parse().unwrap()).unwrap().to_string(), checkpoint);
}

#[test]
fn very_large_and_very_small_amounts_add_up() {
    let place = Place::in_memory();
    let mut ledger = place.create(&epsilon("1e400"));
    charge(&mut ledger, "a", &epsilon("1e-400")).unwrap();
    charge(&mut ledger, "b", &epsilon("1e399")).unwrap();
    let spent = ledger.budget("survey").unwrap().spent.to_string();
    assert!(spent.starts_with("epsilon 1.000") && spent.ends_with("1e399") && spent.len() > 800, "{spent}");
    ledger.verify(None).unwrap();
    // Just below the greatest amount there is room for no more digits.
    let place = Place::in_memory();
    let mut ledger = place.create(&epsilon(&format!("{}e1098", "9".repeat(2))));
    charge(&mut ledger, "a", &epsilon("1e-1100")).unwrap();
    assert!(matches!(charge(&mut ledger, "b", &epsilon("99e1098")), Err(Error::Budget { .. })));
    assert!(matches!(charge(&mut ledger, "c", &epsilon("0.99e1100")), Err(Error::Budget { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Bounds of maps are charged as decimals that are not below them, so that the sum that was charged is not below
    /// the exact sum of the bounds, nor above the budget. Decimals that are shortest for their floats are the negative
    /// control: their sum may be below the sum of the floats.
    #[test]
    fn charges_are_not_below_the_bounds(bounds in prop::collection::vec(0.0..0.3f64, 1..12)) {
        let place = Place::in_memory();
        let mut ledger = place.create(&epsilon("1"));
        let mut sum = Amount::zero();
        for (number, bound) in bounds.iter().enumerate() {
            let exact = Amount::exact(*bound).unwrap();
            let loss = Loss::epsilon(exact.clone()).unwrap().rounded_up();
            match charge(&mut ledger, &number.to_string(), &loss) {
                Ok(()) => sum = sum.plus(&exact),
                Err(error) => {
                    let is_refused = matches!(error, Error::Budget { .. });
                    prop_assert!(is_refused);
                }
            }
        }
        let spent = ledger.budget("survey").unwrap().spent;
        prop_assert!(spent.numbers()[0] >= sum && spent.numbers()[0].to_f64() <= 1.0);
        prop_assert!(spent.numbers()[0].to_f64() - sum.to_f64() < 1e-14);
    }
}

/// The control: charged as the decimal that is written for it, the float above a tenth is undercharged.
#[test]
fn a_bound_that_is_charged_as_its_shortest_decimal_is_undercharged() {
    let (bound, charged) = (Amount::exact(0.1).unwrap(), Loss::epsilon(0.1).unwrap());
    assert!(charged.numbers()[0] < bound);
    let right = Loss::epsilon(bound.clone()).unwrap().rounded_up();
    assert!(right.numbers()[0] >= bound);
    assert_eq!(right.to_string(), "epsilon 0.10000000000000001");
}
