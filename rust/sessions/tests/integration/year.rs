//! A curator and two analysts over a year.

use crate::{individuals, place, rows, stays};
use indistinct::{combinators::split, frames::*, queries::*};
use indistinct_ledger::{Error as LedgerError, Ledger, Loss};
use indistinct_sessions::{Error, Session, Unit};
use std::path::Path;

fn open(path: &Path, account: &str) -> Session {
    let ledger = Ledger::open(path).unwrap();
    Session::new(ledger, account, Unit::Individuals(1)).unwrap().with_table("stays", stays(), rows(500)).unwrap()
}

/// The budget is spent to its last bit and not beyond, by releases of two analysts whose own budgets are more together
/// than what there is.
#[test]
fn a_year_ends_with_the_budget_spent_to_its_last_bit() {
    let (_folder, path) = place();
    let total = 1.0;
    let mut ledger = Ledger::create(&path, "survey", &Loss::epsilon(total).unwrap()).unwrap();
    for (analyst, budget) in [("ann", 0.75), ("ben", 0.5)] {
        ledger.add_account(analyst, "survey", &Loss::epsilon(budget).unwrap()).unwrap();
    }
    drop(ledger);
    // Ann has a plan for her year: parts by weights that sum to her budget, each a float.
    let parts = split(0.75, &[1.0, 2.0, 3.0, 1.0]).unwrap();
    for (month, epsilon) in parts.iter().enumerate() {
        // Each month from a process of its own.
        let mut session = open(&path, "ann");
        let count = individuals(&session, Budget::Epsilon(*epsilon));
        let release = session.release(session.price("stays", &count).unwrap(), &format!("month {month}")).unwrap();
        release.certificate.verify(&release.released).unwrap();
        release.certificate.verify_in(session.ledger()).unwrap();
    }
    let mut ann = open(&path, "ann");
    let spent = ann.budget().unwrap().spent;
    assert!(ann.budget().unwrap().remaining.minus(&Loss::epsilon(1e-12).unwrap()).unwrap().is_none(), "{spent}");
    // Ben chooses each question in view of the answers before it.
    let mut ben = open(&path, "ben");
    let regions = KeySet::product([("region", ["north", "south"])]).unwrap();
    let by_region = ben.query("stays").unwrap().max_rows_per_individual(2).group_by(regions).count();
    let by_region = by_region.measurement(Budget::Epsilon(0.125)).unwrap();
    let first = ben.release(ben.price("stays", &by_region).unwrap(), "by region").unwrap();
    let larger = (0..2).max_by(|row, other| {
        let value = |row: &usize| first.answer.estimate(*row, "count").unwrap().value.unwrap_or(0.0);
        value(row).total_cmp(&value(other))
    });
    let region = ["north", "south"][larger.unwrap()];
    let mean = ben.query("stays").unwrap().filter(col("region").eq(region)).mean(col("days"), (0.0, 30.0));
    let mean = mean.measurement(Budget::Epsilon(0.0625)).unwrap();
    ben.release(ben.price("stays", &mean).unwrap(), "mean of the larger").unwrap();
    // What is left above binds, though Ben has more.
    let dear = individuals(&ben, Budget::Epsilon(0.25));
    let priced = ben.price("stays", &dear).unwrap();
    assert!(!priced.is_affordable());
    let Err(Error::Ledger(LedgerError::Budget { account, .. })) = ben.release(priced, "dear") else {
        panic!("beyond the budget of the survey")
    };
    assert_eq!(account, "survey");
    // The last unit to the last bit: the greatest float that is left, and then what that leaves, until nothing is.
    let mut key = 0;
    loop {
        let left = ben.ledger().budget("survey").unwrap().remaining.numbers()[0].to_f64();
        let next = if left > 0.0 { left } else { break };
        let count = individuals(&ben, Budget::Epsilon(next));
        let priced = ben.price("stays", &count).unwrap();
        let priced = if priced.is_affordable() {
            priced
        } else {
            ben.price("stays", &individuals(&ben, Budget::Epsilon(next.next_down()))).unwrap()
        };
        ben.release(priced, &format!("rest {key}")).unwrap();
        key += 1;
        if key > 8 {
            break;
        }
    }
    let budget = ben.ledger().budget("survey").unwrap();
    assert!(budget.remaining.numbers()[0].to_f64() <= 1e-15 * total, "{} is left after {key}", budget.remaining);
    let one_more = individuals(&ann, Budget::Epsilon(1e-9));
    assert!(ann.release(ann.price("stays", &one_more).unwrap(), "one more").is_err());
    // What was released is there for ever.
    let count = individuals(&ann, Budget::Epsilon(parts[0]));
    assert!(ann.release(ann.price("stays", &count).unwrap(), "month 0").unwrap().is_replay);
    ann.ledger().verify(None).unwrap();
}

/// The survey of README's session costs what the same chain costs by itself, to the bit.
#[test]
fn a_session_charges_what_the_map_of_the_chain_says() {
    let (_folder, path) = place();
    let ledger = Ledger::create(&path, "survey", &Loss::rho(1.0).unwrap()).unwrap();
    let mut session =
        Session::new(ledger, "survey", Unit::Individuals(1)).unwrap().with_table("stays", stays(), rows(500)).unwrap();
    let query = session.query("stays").unwrap().max_rows_per_individual(2).count().variance(col("days"), (0.0, 30.0));
    let measurement = query.measurement(Budget::Rho(0.1)).unwrap();
    let direct = measurement.measurement().under::<indistinct::measures::ZeroConcentratedDivergence>().unwrap();
    let direct = direct.map(&1).unwrap();
    let priced = session.price("stays", &measurement).unwrap();
    assert_eq!(priced.loss().numbers(), Loss::rho(direct).unwrap().numbers());
    assert_eq!(priced.explanation(), &measurement.measurement().explain(1).unwrap());
    session.release(priced, "variance").unwrap();
    assert_eq!(session.budget().unwrap().spent, Loss::rho(direct).unwrap());
}
