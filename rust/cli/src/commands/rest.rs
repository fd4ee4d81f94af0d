//! `--spend rest`: all that remains.

use crate::{arguments::QuestionArguments, commands::budget::open, failure::Failure};
use indistinct::queries::Budget;
use indistinct_ledger::{Amount, Error as LedgerError, Ledger};
use indistinct_sessions::{Error as SessionError, PricedQuery, Question, Session};

/// The ledger, and the account of it that pays.
pub(super) fn payer(arguments: &QuestionArguments) -> Result<(Ledger, String), Failure> {
    let ledger = open(&arguments.ledger)?;
    let accounts = ledger.accounts()?;
    let account = match (&arguments.account, accounts.as_slice()) {
        (Some(account), _) => account.clone(),
        (None, [only]) => only.clone(),
        (None, _) => {
            return Err(Failure::new(2, format!("name the account to charge with --account: {}", accounts.join(", "))));
        }
    };
    Ok((ledger, account))
}

/// A remainder below this share of a budget is taken for a rounding error.
const ROUNDING: f64 = 1e-9;

/// All that is left of the account that pays.
pub(super) fn rest(arguments: &QuestionArguments) -> Result<Budget, Failure> {
    let (ledger, account) = payer(arguments)?;
    let rest = indistinct_sessions::rest(&ledger, &account).map_err(|error| {
        let is_spent = matches!(error, SessionError::Ledger(LedgerError::Spent { .. }));
        let failure = Failure::from(error);
        let rule = "to ask again for a release made with `--spend rest`, give the number that it printed then";
        if is_spent { failure.with(rule) } else { failure }
    })?;
    let said = match rest {
        Budget::Epsilon(epsilon) => format!("epsilon={epsilon}"),
        Budget::Rho(rho) => format!("rho={rho}"),
        Budget::EpsilonDelta(epsilon, delta) => format!("epsilon={epsilon},delta={delta}"),
        _ => return Err(Failure::new(2, "--spend rest: no question spends an account in this measure")),
    };
    eprintln!("note: the rest is --spend {said}");
    Ok(rest)
}

/// Say how to spend all that is left, where a price is more than that by less than a billionth of it.
pub(super) fn note_rest<Q: Question>(session: &Session, priced: &PricedQuery<Q>) -> Result<(), Failure> {
    let left = session.budget()?.remaining;
    let pairs: Vec<_> = priced.loss().numbers().iter().zip(left.numbers()).collect();
    let is_near = |(cost, left): &(&Amount, &Amount)| cost.to_f64() - left.to_f64() <= left.to_f64() * ROUNDING;
    let is_more = pairs.iter().any(|(cost, left)| cost > left);
    if is_more && pairs.iter().all(is_near) && left.measure() == priced.loss().measure() {
        eprintln!("note: the cost exceeds what remains by less than a billionth of it; use --spend rest");
    }
    Ok(())
}
