//! Errors of sampling.

use std::{fmt, io};

/// Errors of sampling. After an error, nothing is released.
// The type is small enough for a `Result` of it to be returned in registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The source of random bits failed, or a tape ran out.
    #[error("the source of entropy failed")]
    Entropy,
    /// The operating system gave no random bits.
    #[error("the source of entropy failed")]
    System(#[source] SystemError),
    /// A parameter violates a rule.
    #[error("{}: {}", .0.parameter(), .0.rule())]
    Parameter(Rule),
    /// A number is not finite, or leaves the range in which the algorithm is defined.
    #[error("a number is not finite or out of range")]
    Range,
}

/// The operating system's error, when it gave no random bits.
// The system's error number, or 0 if it has none. It is stored in two bytes: with four, results are returned in memory,
// and a draw takes twice as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemError(u16);

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("the system gives no reason"),
            number => io::Error::from_raw_os_error(number.into()).fmt(f),
        }
    }
}

impl std::error::Error for SystemError {}

impl Error {
    pub(crate) fn system(error: getrandom::Error) -> Self {
        let number = error.raw_os_error().and_then(|number| u16::try_from(number).ok());
        Error::System(SystemError(number.unwrap_or(0)))
    }
}

/// A rule that a parameter must satisfy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// A scale must be 0, or positive and in the range of f64.
    Scale,
    /// A scale must be positive and finite if the distribution has no limit at scale 0.
    PositiveScale,
    /// A request must be for at most 64 bits.
    Bits,
    /// The exponent k of a grid must be from -1074 to 1023.
    Grid,
    /// The bound of a uniform integer must be at least 1.
    Bound,
    /// A probability must be from 0 to 1.
    Probability,
    /// The exponent x of a bias exp(-x) must not be negative.
    Exponent,
    /// The epsilon of canonical noise must be from 2^-40 to 2^10.
    Epsilon,
    /// The delta of canonical noise must be at least 0 and below 1.
    Delta,
    /// The ends of an interval must be in order.
    Interval,
    /// The scale must be positive for an interval without 0.
    ScaleOfInterval,
    /// The bound of snapped noise must be above the scale, and below 2^46 times it.
    SnappingBound,
}

impl Rule {
    /// The parameter's name.
    pub fn parameter(self) -> &'static str {
        match self {
            Rule::Scale | Rule::PositiveScale => "scale",
            Rule::Bits => "count",
            Rule::Grid => "k",
            Rule::Bound => "bound",
            Rule::Probability => "p",
            Rule::Exponent => "x",
            Rule::Epsilon => "epsilon",
            Rule::Delta => "delta",
            Rule::Interval => "lower",
            Rule::ScaleOfInterval => "scale",
            Rule::SnappingBound => "bound",
        }
    }

    /// The rule that the parameter must satisfy.
    pub fn rule(self) -> &'static str {
        match self {
            Rule::Scale => "must be 0, or positive and in the range of f64",
            Rule::PositiveScale => "must be positive and finite",
            Rule::Bits => "must be at most 64",
            Rule::Grid => "must be from -1074 to 1023",
            Rule::Bound => "must be at least 1",
            Rule::Probability => "must be from 0 to 1",
            Rule::Exponent => "must not be negative",
            Rule::Epsilon => "must be from 2^-40 to 2^10",
            Rule::Delta => "must be at least 0 and below 1",
            Rule::Interval => "must not exceed the upper end",
            Rule::ScaleOfInterval => "must be positive for an interval without 0",
            Rule::SnappingBound => "must be finite, above the scale and below 2^46 times it",
        }
    }
}

impl From<indistinct_numeric::Error> for Error {
    fn from(_: indistinct_numeric::Error) -> Self {
        Error::Range
    }
}

/// The result of a draw.
pub type Fallible<T> = Result<T, Error>;

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error as _;

    #[test]
    fn the_system_is_quoted() {
        let error = Error::system(getrandom::Error::UNSUPPORTED);
        assert_eq!(error.to_string(), Error::Entropy.to_string());
        assert_eq!(error.source().unwrap().to_string(), "the system gives no reason");
        assert!(Error::Entropy.source().is_none() && Error::Range.source().is_none());
        let refused = Error::System(SystemError(1)).source().unwrap().to_string();
        assert_eq!(refused, io::Error::from_raw_os_error(1).to_string());
    }

    /// An error takes four bytes next to a word, so that results are passed in registers.
    #[test]
    fn an_error_is_small() {
        assert_eq!((size_of::<Error>(), size_of::<Fallible<u64>>()), (4, 16));
    }
}
