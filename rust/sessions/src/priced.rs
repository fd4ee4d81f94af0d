//! A question with its price.

use crate::{
    cost::covers,
    error::{Fallible, refuse},
    question::Question,
    unit::Unit,
};
use indistinct::{accuracy::Accuracy, core::Explanation};
use indistinct_ledger::{Budget, Loss};
use std::{fmt, sync::Arc};

/// The sizes of groups for which the accuracy of a mean is shown.
const SIZES: [u32; 3] = [100, 1_000, 10_000];

/// A question about a table with its price, to be released at most once.
///
/// It prints the facts needed before spending the budget: the cost, the remaining budget, the accuracy of the answer,
/// and the steps with every map.
#[must_use]
pub struct PricedQuery<Q: Question> {
    pub(crate) question: Q,
    pub(crate) table: String,
    /// The charge, which is at least the bound.
    pub(crate) loss: Loss,
    /// The exact numbers from the map.
    pub(crate) bound: Loss,
    /// True if the loss is the requested budget.
    pub(crate) is_asked: bool,
    pub(crate) alpha: f64,
    pub(crate) unit: Unit,
    pub(crate) explanation: Explanation,
    /// The account and those above it, as they were when the question was priced; empty without a ledger.
    pub(crate) budgets: Vec<(String, Budget)>,
    /// The identity of the session that priced it.
    pub(crate) identity: Arc<()>,
}

impl<Q: Question> PricedQuery<Q> {
    /// Sets the probability with which each interval fails, instead of 0.05. Intervals cost nothing.
    ///
    /// # Errors
    ///
    /// Returns an error if `alpha` is outside (0, 1), or so small that a share of it is 0, as the answer would.
    pub fn with_alpha(self, alpha: f64) -> Fallible<Self> {
        self.question.accuracy(alpha)?;
        Ok(Self { alpha, ..self })
    }

    /// Charges exactly `spend`, if the question has a budget in its measure. Use it for an amount with more digits than
    /// a float has, such as the whole remaining budget. Make the question with [`budget_of`](crate::budget_of).
    ///
    /// # Errors
    ///
    /// Returns an error if the loss is less than the loss from the question's map.
    pub fn spending(self, spend: &Loss) -> Fallible<Self> {
        if !self.is_asked || spend.measure() != self.loss.measure() {
            return Ok(self);
        }
        if !covers(spend, &self.bound) {
            return Err(refuse(format!(
                "spend: {spend} is less than the loss of the question, {}",
                self.bound.rounded_up()
            )));
        }
        Ok(Self { loss: spend.clone(), ..self })
    }

    /// Returns the probability with which each interval of the answer fails.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Returns the question, in the measure of the account.
    pub fn question(&self) -> &Q {
        &self.question
    }

    /// Returns the loss of the release.
    pub fn loss(&self) -> &Loss {
        &self.loss
    }

    /// Returns its steps, with every map evaluated at the session's unit, and the level of each proof.
    pub fn explanation(&self) -> &Explanation {
        &self.explanation
    }

    /// Returns bounds, by name, on the error that noise adds to its statistics. Each bound fails with the probability
    /// set by [`with_alpha`](Self::with_alpha).
    ///
    /// # Errors
    ///
    /// Returns no error for a price from [`Session::price`](crate::Session::price).
    pub fn accuracy(&self) -> Fallible<Vec<(String, Accuracy)>> {
        Ok(self.question.accuracy(self.alpha)?)
    }

    /// Returns the accuracy in words. For means it depends on the number of values in a group; for quantiles it is the
    /// number of a group's values in the interval.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`accuracy`](Self::accuracy).
    pub fn accuracy_in_words(&self) -> Fallible<Vec<(String, String)>> {
        let sizes = SIZES.map(|size| Ok((size, self.question.accuracy_of_means(size, self.alpha)?)));
        let sizes = sizes.into_iter().collect::<Fallible<Vec<_>>>()?;
        let of_mean = |name: &str| -> Option<String> {
            let within = |(size, means): &(u32, Vec<(String, Option<f64>)>)| {
                let (_, within) = means.iter().find(|(mean, _)| mean == name)?;
                Some(match within {
                    Some(within) => format!("within about {} in a group of {size} values", three_digits(*within)),
                    None => format!("unknown in a group of {size} values"),
                })
            };
            Some(sizes.iter().map(within).collect::<Option<Vec<_>>>()?.join(", "))
        };
        let quantiles = self.question.accuracy_of_quantiles(self.alpha)?;
        let of_quantile = |name: &str| {
            let (_, values) = quantiles.iter().find(|(quantile, _)| quantile == name)?;
            Some(format!("an interval of about {} values of its group to either side, plus a bin", values.ceil()))
        };
        let words = |(name, accuracy): (String, Accuracy)| {
            let words = of_mean(&name).or_else(|| of_quantile(&name)).unwrap_or_else(|| accuracy.to_string());
            (name, words)
        };
        Ok(self.accuracy()?.into_iter().map(words).collect())
    }

    /// Returns a summary for display, without the steps.
    ///
    /// # Errors
    ///
    /// Returns no error for a price from [`Session::price`](crate::Session::price).
    pub fn summary(&self) -> Fallible<String> {
        let mut lines = vec![format!("a question about table {:?}, for {}", self.table, self.unit)];
        lines.push(format!("cost: {}", self.loss));
        if self.budgets.is_empty() {
            lines.push("account: none, because no ledger was named".into());
        }
        for (name, Budget { remaining, .. }) in &self.budgets {
            lines.push(match remaining.minus(&self.loss) {
                Ok(Some(then)) => format!("account {name:?}: {remaining} remains, and {then} after it"),
                _ => format!("account {name:?}: {remaining} remains, which is not enough"),
            });
        }
        lines.push(format!("accuracy (each line fails with probability {} at most):", self.alpha));
        lines.extend(self.accuracy_in_words()?.into_iter().map(|(name, accuracy)| format!("  {name}: {accuracy}")));
        lines.extend(self.question.notes());
        lines.push(format!("weakest proof: {}", self.explanation.weakest()));
        Ok(lines.join("\n"))
    }

    /// Returns true if the account, and each account above it that pays, was open and had enough budget left when the
    /// question was priced. Returns false for a session without a ledger.
    pub fn is_affordable(&self) -> bool {
        let is_paid = |(_, budget): &(String, Budget)| {
            !budget.is_closed && matches!(budget.remaining.minus(&self.loss), Ok(Some(_)))
        };
        !self.budgets.is_empty() && self.budgets.iter().all(is_paid)
    }
}

/// Returns a number with three digits, or more if it has more before the point.
fn three_digits(number: f64) -> String {
    let (mut least, mut decimals) = (100.0, 0);
    while number < least && decimals < 12 {
        (least, decimals) = (least / 10.0, decimals + 1);
    }
    format!("{number:.decimals$}")
}

impl<Q: Question> fmt::Display for PricedQuery<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.summary().map_err(|_| fmt::Error)?)?;
        writeln!(f, "construction:")?;
        write!(f, "{}", self.explanation)
    }
}

impl<Q: Question> fmt::Debug for PricedQuery<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PricedQuery").field("table", &self.table).field("loss", &self.loss).finish_non_exhaustive()
    }
}
