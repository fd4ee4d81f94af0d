//! All that is left, as a budget of a question.

use crate::error::{Fallible, refuse};
use indistinct::queries::Budget;
use indistinct_ledger::{Amount, Ledger, Measure};

/// All that a question can still spend of an account: the least that is left of its budget and of those above it that
/// pay with it, in floats that are not above it.
///
/// # Errors
///
/// An account that is unknown, of which nothing is left, or whose measure no question spends.
pub fn rest(ledger: &Ledger, account: &str) -> Fallible<Budget> {
    let rest = ledger.rest(account)?;
    let numbers: Vec<f64> = rest.numbers().iter().map(Amount::to_f64).collect();
    match (rest.measure(), numbers.as_slice()) {
        (Measure::Epsilon, &[epsilon]) => Ok(Budget::Epsilon(epsilon)),
        (Measure::EpsilonDelta, &[epsilon, delta]) if delta > 0.0 => Ok(Budget::EpsilonDelta(epsilon, delta)),
        (Measure::EpsilonDelta, &[epsilon, _]) => Ok(Budget::Epsilon(epsilon)),
        (Measure::Rho, &[rho]) => Ok(Budget::Rho(rho)),
        (measure, _) => Err(refuse(format!("spend: no question spends an account in {}", measure.name()))),
    }
}
