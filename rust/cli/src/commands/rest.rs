//! `--spend rest`: all that is left.

use crate::{arguments::QuestionArguments, commands::budget::open, failure::Failure};
use indistinct::queries::Budget;
use indistinct_ledger::{Amount, Budget as Budgeted, Ledger, Measure};
use indistinct_sessions::{Priced, Question, Session};

/// The ledger, and the account of it that pays.
pub(super) fn payer(arguments: &QuestionArguments) -> Result<(Ledger, String), Failure> {
    let ledger = open(&arguments.ledger)?;
    let accounts = ledger.accounts()?;
    let account = match (&arguments.account, accounts.as_slice()) {
        (Some(account), _) => account.clone(),
        (None, [only]) => only.clone(),
        (None, _) => {
            return Err(Failure::new(2, format!("name the account that pays by --account: {}", accounts.join(", "))));
        }
    };
    Ok((ledger, account))
}

/// What is less than this share of a budget is taken for the work of roundings.
const ROUNDING: f64 = 1e-9;

/// All that is left of the account that pays, and of those above it that pay, too, in floats that are not above it.
pub(super) fn rest(arguments: &QuestionArguments) -> Result<Budget, Failure> {
    let (ledger, account) = payer(arguments)?;
    let Budgeted { total, left, parent, prepaid, .. } = ledger.budget(&account)?;
    let (measure, mut left) = (left.measure(), left.numbers().to_vec());
    let mut above = parent.filter(|_| prepaid.is_none());
    while let Some(name) = above {
        let budget = ledger.budget(&name)?;
        for (least, other) in left.iter_mut().zip(budget.left.numbers()) {
            *least = other.min(least).clone();
        }
        above = budget.parent.filter(|_| budget.prepaid.is_none());
    }
    let numbers: Vec<f64> = left.iter().map(rounded_down).collect();
    let all = total.numbers().first().map_or(0.0, Amount::to_f64);
    let (budget, said) = match (measure, numbers.as_slice()) {
        // What roundings have left is no budget.
        (_, [first, ..]) if *first <= all * ROUNDING => {
            let rule = "a release that was made with `--spend rest` is asked for with the number that it said then";
            return Err(Failure::new(4, format!("nothing is left of the account {account:?}; {rule}")));
        }
        (Measure::Epsilon, [epsilon]) => (Budget::Epsilon(*epsilon), format!("epsilon={epsilon}")),
        (Measure::EpsilonDelta, [epsilon, delta]) if *delta > 0.0 => {
            (Budget::EpsilonDelta(*epsilon, *delta), format!("epsilon={epsilon},delta={delta}"))
        }
        (Measure::EpsilonDelta, [epsilon, _]) => (Budget::Epsilon(*epsilon), format!("epsilon={epsilon}")),
        (Measure::Rho, [rho]) => (Budget::Rho(*rho), format!("rho={rho}")),
        _ => return Err(Failure::new(2, format!("--spend rest: not of an account in {}", measure.name()))),
    };
    eprintln!("note: the rest is --spend {said}");
    Ok(budget)
}

/// A float that is not above an exact amount: the nearest one or one next to it, or the one before that.
fn rounded_down(amount: &Amount) -> f64 {
    let near = amount.to_f64();
    let is_below = |float: &f64| Amount::new(*float).is_ok_and(|float| float <= *amount);
    [near, near.next_down(), near.next_down().next_down()].into_iter().find(is_below).unwrap_or(0.0)
}

/// Say how to spend all that is left, where a price is more than that by less than a billionth of it.
pub(super) fn note_rest<Q: Question>(session: &Session, priced: &Priced<Q>) -> Result<(), Failure> {
    let left = session.budget()?.left;
    let pairs: Vec<_> = priced.loss().numbers().iter().zip(left.numbers()).collect();
    let is_near = |(cost, left): &(&Amount, &Amount)| cost.to_f64() - left.to_f64() <= left.to_f64() * ROUNDING;
    let is_more = pairs.iter().any(|(cost, left)| cost > left);
    if is_more && pairs.iter().all(is_near) && left.measure() == priced.loss().measure() {
        eprintln!("note: the cost is more than what is left by less than a billionth of it; say --spend rest");
    }
    Ok(())
}
