//! A curator and two analysts over a year.

use crate::{individuals, place, rows, stays};
use indistinct::{combinators::split, frames::*, queries::*};
use indistinct_ledger::{Amount, Error as LedgerError, Ledger, Loss};
use indistinct_sessions::{Error, Session, Unit, budget_of};
use std::path::Path;

fn open(path: &Path, account: &str) -> Session {
    let ledger = Ledger::open(path).unwrap();
    Session::new(ledger, account, Unit::Individuals(1)).unwrap().with_table("stays", stays(), rows(500)).unwrap()
}

/// The budget is spent to its last digit and not beyond, by releases of two analysts whose own budgets are more
/// together than what there is.
#[test]
fn a_year_ends_with_the_budget_spent_to_its_last_digit() {
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
        release.certificate.verify_in(session.ledger().unwrap()).unwrap();
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
    // All that is left, to the last digit.
    let rest = ben.ledger().unwrap().rest("ben").unwrap();
    let count = individuals(&ben, budget_of(&rest).unwrap());
    let priced = ben.price("stays", &count).unwrap().spending(&rest).unwrap();
    assert_eq!(priced.loss(), &rest);
    ben.release(priced, "rest").unwrap();
    assert_eq!(ben.ledger().unwrap().budget("survey").unwrap().remaining, Loss::epsilon(0.0).unwrap());
    assert!(matches!(ben.ledger().unwrap().rest("ben"), Err(LedgerError::Spent { .. })));
    let one_more = individuals(&ann, Budget::Epsilon(1e-9));
    assert!(ann.release(ann.price("stays", &one_more).unwrap(), "one more").is_err());
    // What was released is there for ever.
    let count = individuals(&ann, Budget::Epsilon(parts[0]));
    assert!(ann.release(ann.price("stays", &count).unwrap(), "month 0").unwrap().is_replay);
    ann.ledger().unwrap().verify(None).unwrap();
}

/// A query costs the decimal that was asked for, which its chain's map keeps within; a plan of the same chain costs
/// what the map says, rounded up.
#[test]
fn a_session_charges_what_was_asked_for_or_what_the_map_says() {
    let (_folder, path) = place();
    let ledger = Ledger::create(&path, "survey", &Loss::rho(1.0).unwrap()).unwrap();
    let mut session =
        Session::new(ledger, "survey", Unit::Individuals(1)).unwrap().with_table("stays", stays(), rows(500)).unwrap();
    let query = session.query("stays").unwrap().max_rows_per_individual(2).count().variance(col("days"), (0.0, 30.0));
    let measurement = query.measurement(Budget::Rho(0.1)).unwrap();
    let direct = measurement.measurement().under::<indistinct::measures::ZeroConcentratedDivergence>().unwrap();
    let direct = Amount::exact(direct.map(&1).unwrap()).unwrap();
    let priced = session.price("stays", &measurement).unwrap();
    assert_eq!(priced.loss(), &Loss::rho(0.1).unwrap());
    assert!(direct <= "0.1".parse().unwrap());
    assert_eq!(priced.explanation(), &measurement.measurement().explain(1).unwrap());
    let plan = session.price("stays", measurement.measurement()).unwrap();
    assert_eq!(plan.loss(), &Loss::rho(direct.clone()).unwrap().rounded_up());
    assert!(plan.loss().numbers()[0] >= direct);
    session.release(priced, "variance").unwrap();
    session.release(plan, "variance as a plan").unwrap();
    let spent = session.budget().unwrap().spent;
    assert!(spent.numbers()[0] >= direct.plus(&direct));
}

/// Ten releases of a tenth, and no eleventh. Each chain's loss is exactly within the tenth that is charged, and each
/// certificate says so; one that says less is refused.
#[test]
fn ten_releases_of_a_tenth_fit_one() {
    let (_folder, path) = place();
    drop(Ledger::create(&path, "survey", &Loss::epsilon(1.0).unwrap()).unwrap());
    let mut session = open(&path, "survey");
    let tenth = Amount::try_from(0.1).unwrap();
    let mut sum = Amount::zero();
    for number in 0..10 {
        if number == 8 {
            assert_eq!(session.budget().unwrap().remaining.to_string(), "epsilon 0.2");
        }
        let count = individuals(&session, Budget::Epsilon(0.1));
        let map = count.measurement().under::<indistinct::measures::MaxDivergence>().unwrap().map(&1).unwrap();
        let bound = Amount::exact(map).unwrap();
        assert!(bound <= tenth, "the nearest float of a tenth is above it");
        sum = sum.plus(&bound);
        let release = session.release(session.price("stays", &count).unwrap(), &number.to_string()).unwrap();
        release.certificate.verify(&release.released).unwrap();
        assert_eq!(release.certificate.loss, "epsilon 0.1");
        let mut less = release.certificate.clone();
        less.loss = "epsilon 0.0999".into();
        assert!(less.verify(&release.released).unwrap_err().to_string().contains("loss is less than"));
    }
    let budget = session.budget().unwrap();
    assert!(budget.spent.numbers()[0] >= sum && budget.remaining == Loss::epsilon(0.0).unwrap());
    let count = individuals(&session, Budget::Epsilon(0.1));
    let priced = session.price("stays", &count).unwrap();
    assert!(!priced.is_affordable());
    assert!(matches!(session.release(priced, "11"), Err(Error::Ledger(LedgerError::Budget { .. }))));
}

/// Amounts with more digits than a float are charged as they are, and never below the loss of the question.
#[test]
fn an_amount_is_charged_as_it_is_written() {
    let (_folder, path) = place();
    drop(Ledger::create(&path, "survey", &Loss::epsilon(1.0).unwrap()).unwrap());
    let session = open(&path, "survey");
    for text in ["0.1000000000000000000000001", "0.0999999999999999999999999", "0.3333333333333333333333333"] {
        let spend = Loss::epsilon(text).unwrap();
        let count = individuals(&session, budget_of(&spend).unwrap());
        let priced = session.price("stays", &count).unwrap().spending(&spend).unwrap();
        assert_eq!(priced.loss(), &spend);
        let less = Loss::epsilon("0.01").unwrap();
        let refused = priced.spending(&less).unwrap_err().to_string();
        assert!(refused.contains("is less than the loss of the question"), "{refused}");
    }
    // Less than any float, and more than all of them.
    let spend = |text: &str| Loss::epsilon(text).unwrap();
    let none = session.query("stays").unwrap().count_individuals().measurement(budget_of(&spend("1e-400")).unwrap());
    assert!(none.is_err_and(|error| error.to_string().contains("must be positive")));
    let much = individuals(&session, budget_of(&spend("1e400")).unwrap());
    let priced = session.price("stays", &much).unwrap().spending(&spend("1e400")).unwrap();
    assert!(priced.loss() == &spend("1e400") && !priced.is_affordable());
    // What is asked for another number of individuals costs what the map says of one.
    let two = Query::new(&stays()).group_size(2).count_individuals().measurement(Budget::Epsilon(0.5)).unwrap();
    assert_eq!(session.price("stays", &two).unwrap().loss(), &Loss::epsilon(0.25).unwrap());
}
