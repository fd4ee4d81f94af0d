//! The charge of a question.

use crate::error::{Fallible, refuse};
use indistinct::queries::Budget;
use indistinct_ledger::{Amount, Loss, Measure};

/// Returns the budget of a question that should spend this loss: the largest floats whose decimals are at most its
/// numbers.
///
/// # Errors
///
/// Returns an error for a measure in which questions have no budget.
pub fn budget_of(loss: &Loss) -> Fallible<Budget> {
    let numbers: Vec<f64> = loss.numbers().iter().map(Amount::to_f64_down).collect();
    match (loss.measure(), numbers.as_slice()) {
        (Measure::Epsilon, &[epsilon]) => Ok(Budget::Epsilon(epsilon)),
        (Measure::EpsilonDelta, &[epsilon, delta]) if delta > 0.0 => Ok(Budget::EpsilonDelta(epsilon, delta)),
        (Measure::EpsilonDelta, &[epsilon, _]) => Ok(Budget::Epsilon(epsilon)),
        (Measure::Rho, &[rho]) => Ok(Budget::Rho(rho)),
        (measure, _) => Err(refuse(format!(
            "spend: a question cannot spend {}: use epsilon, epsilon with delta, or rho",
            measure.name()
        ))),
    }
}

/// Returns a budget as a loss in a measure, with its decimals; `None` if it needs a conversion.
fn written(budget: Budget, measure: Measure) -> Fallible<Option<Loss>> {
    Ok(match (budget, measure) {
        (Budget::Epsilon(epsilon), Measure::Epsilon) => Some(Loss::epsilon(epsilon)?),
        (Budget::Epsilon(epsilon), Measure::EpsilonDelta) => Some(Loss::epsilon_delta(epsilon, 0.0)?),
        (Budget::EpsilonDelta(epsilon, delta), Measure::EpsilonDelta) => Some(Loss::epsilon_delta(epsilon, delta)?),
        (Budget::Rho(rho), Measure::Rho) => Some(Loss::rho(rho)?),
        _ => None,
    })
}

/// Returns true if `bound`, the exact numbers of a map, is within a loss.
pub(crate) fn covers(loss: &Loss, bound: &Loss) -> bool {
    matches!(loss.minus(bound), Ok(Some(_)))
}

/// Returns the charge of a question whose map gave this bound, and whether it is the requested budget. The requested
/// budget is charged if the bound is within it; otherwise the charge is the bound, rounded up. A question that releases
/// nothing private costs nothing.
pub(crate) fn cost(asked: Option<Budget>, bound: &Loss) -> Fallible<(Loss, bool)> {
    let is_free = bound.numbers().first().is_none_or(Amount::is_zero);
    let asked = asked.filter(|_| !is_free).map(|asked| written(asked, bound.measure())).transpose()?.flatten();
    Ok(match asked.filter(|asked| covers(asked, bound)) {
        Some(asked) => (asked, true),
        None => (bound.rounded_up(), false),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(epsilon: f64) -> Loss {
        Loss::epsilon(Amount::exact(epsilon).unwrap()).unwrap()
    }

    /// A loss is what was asked for or the bound rounded up, and never below the bound. The control: the float 0.1 is
    /// above one tenth, so that a bound of it is not charged as one tenth.
    #[test]
    fn no_charge_is_below_the_bound() {
        let tenth = Some(Budget::Epsilon(0.1));
        for (bound, loss) in [
            (0.1f64.next_down(), "epsilon 0.1"),
            (0.05, "epsilon 0.1"),
            (0.1, "epsilon 0.10000000000000001"),
            (0.2, "epsilon 0.20000000000000002"),
            (0.0, "epsilon 0"),
        ] {
            let (charged, is_asked) = cost(tenth, &exact(bound)).unwrap();
            assert_eq!((charged.to_string().as_str(), is_asked), (loss, loss == "epsilon 0.1"), "{bound}");
            assert!(covers(&charged, &exact(bound)));
        }
        assert_eq!(cost(None, &exact(0.25)).unwrap(), (Loss::epsilon(0.25).unwrap(), false));
        // Other measures: with a delta of nothing, or after a conversion.
        let pair = Loss::epsilon_delta(Amount::exact(0.0999).unwrap(), 0.0).unwrap();
        assert_eq!(cost(tenth, &pair).unwrap().0, Loss::epsilon_delta(0.1, 0.0).unwrap());
        let rho = Loss::rho(Amount::exact(0.005).unwrap()).unwrap();
        assert_eq!(cost(tenth, &rho).unwrap(), (rho.rounded_up(), false));
    }

    #[test]
    fn budgets_are_not_above_the_loss() {
        let of = |text: &str| budget_of(&Loss::epsilon(text).unwrap()).unwrap();
        assert_eq!((of("0.1"), of("0.2")), (Budget::Epsilon(0.1), Budget::Epsilon(0.2)));
        assert_eq!(of("0.1000000000000000000000001"), Budget::Epsilon(0.1));
        assert_eq!(of("0.0999999999999999999999999"), Budget::Epsilon(0.1f64.next_down()));
        assert_eq!(of("1e-400"), Budget::Epsilon(0.0));
        let pair = Loss::epsilon_delta("0.5", "1e-6").unwrap();
        assert_eq!(budget_of(&pair).unwrap(), Budget::EpsilonDelta(0.5, 1e-6));
        assert_eq!(budget_of(&Loss::epsilon_delta("0.5", 0.0).unwrap()).unwrap(), Budget::Epsilon(0.5));
        assert_eq!(budget_of(&Loss::rho(0.5).unwrap()).unwrap(), Budget::Rho(0.5));
        assert!(budget_of(&Loss::mu(0.5).unwrap()).is_err());
    }
}
