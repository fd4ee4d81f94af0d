//! `--spend rest`: all that remains.

use crate::{arguments::QuestionArguments, commands::budget::open, failure::Failure};
use indistinct_ledger::{Error as LedgerError, Ledger, Loss};

/// The ledger, and the account of it that pays.
pub(super) fn payer(arguments: &QuestionArguments) -> Result<(Ledger, String), Failure> {
    let ledger = open(arguments.ledger())?;
    let accounts = ledger.accounts()?;
    let account = match (&arguments.account, accounts.as_slice()) {
        (Some(account), _) => account.clone(),
        (None, [only]) => only.clone(),
        (None, _) => {
            return Err(Failure::new(
                2,
                format!("use --account to name the account to charge: {}", accounts.join(", ")),
            ));
        }
    };
    Ok((ledger, account))
}

/// The same; none for a price where neither ledger nor account is named and there is no ledger at the usual place.
pub(super) fn payer_of_price(arguments: &QuestionArguments) -> Result<Option<(Ledger, String)>, Failure> {
    let is_named = arguments.ledger.is_some() || arguments.account.is_some();
    let is_there = arguments.ledger().try_exists().unwrap_or(true);
    if is_named || is_there { payer(arguments).map(Some) } else { Ok(None) }
}

/// All that is left of the account that pays.
pub(super) fn rest(arguments: &QuestionArguments) -> Result<Loss, Failure> {
    let (ledger, account) = payer(arguments)?;
    let rest = ledger.rest(&account).map_err(|error| {
        let is_spent = matches!(error, LedgerError::Spent { .. });
        let failure = Failure::from(error);
        let rule = "to repeat a release made with `--spend rest`, use the --spend value that it printed";
        if is_spent { failure.with(rule) } else { failure }
    })?;
    let names = rest.measure().name();
    let numbers = names.split('+').zip(rest.numbers()).map(|(name, number)| format!("{name}={number}"));
    eprintln!("note: the rest is --spend {}", numbers.collect::<Vec<_>>().join(","));
    Ok(rest)
}
