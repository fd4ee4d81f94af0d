//! Errors: a parameter that breaks its rule, a number that does not fit its type, a solver without an answer.

/// The reason that there is no result. It names the parameter, the rule and public numbers, and never a cell.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter breaks its rule.
    #[error("{parameter} {rule}")]
    Parameter {
        /// The name of the parameter.
        parameter: &'static str,
        /// The rule that it breaks, with the public numbers that it broke it by.
        rule: String,
    },
    /// A marginal is not in the closure of the workload.
    #[error("marginal {marginal} is in no marginal of the workload; add it to the workload")]
    UnknownMarginal {
        /// The marginal's axes, such as `(0, 2)`.
        marginal: String,
    },
    /// An integer does not fit its type.
    #[error("{operation}: an integer does not fit in {bits} bits; use smaller tables or smaller sums")]
    Overflow {
        /// The operation that computed the integer.
        operation: &'static str,
        /// The size of the type.
        bits: u32,
    },
    /// An iteration ended before it could show that its answer is good enough.
    #[error("{solver} did not reach its tolerance: {reason}")]
    NotConverged {
        /// The name of the solver.
        solver: &'static str,
        /// How far it came.
        reason: String,
    },
}

/// A result with this crate's error type.
pub type Fallible<T> = Result<T, Error>;

/// Returns an error that names the parameter, unless `holds`.
pub(crate) fn require(holds: bool, parameter: &'static str, rule: impl Into<String>) -> Fallible<()> {
    if holds { Ok(()) } else { Err(Error::Parameter { parameter, rule: rule.into() }) }
}
