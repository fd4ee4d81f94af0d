//! The one error: a parameter outside its range.

/// Why a bound was not computed. It names the parameter and the rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter breaks its rule.
    #[error("{parameter} {rule}")]
    Parameter {
        /// Its name.
        parameter: &'static str,
        /// The rule that it breaks.
        rule: &'static str,
    },
    /// An operation of arithmetic has no answer.
    #[error(transparent)]
    Numeric(#[from] indistinct_numeric::Error),
}

/// A value, or the reason for its absence.
pub type Fallible<T> = Result<T, Error>;

/// An error that names the parameter, unless its rule holds.
pub(crate) fn require(holds: bool, parameter: &'static str, rule: &'static str) -> Fallible<()> {
    if holds { Ok(()) } else { Err(Error::Parameter { parameter, rule }) }
}

/// A loss or a budget: neither negative nor a NaN. Minus zero becomes zero.
pub(crate) fn non_negative(x: f64, parameter: &'static str) -> Fallible<f64> {
    require(x >= 0.0, parameter, "must be a number that is not negative")?;
    Ok(x + 0.0)
}

/// The delta of a guarantee or a budget: a probability. A sum of deltas may exceed 1, and promises as much as 1.
pub(crate) fn probability_of_failure(delta: f64, parameter: &'static str) -> Fallible<f64> {
    let delta = non_negative(delta, parameter)?;
    require(delta <= 1.0, parameter, "must be at most 1")?;
    Ok(delta)
}
