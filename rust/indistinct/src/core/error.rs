//! One error type, which names parameters and rules and never contains data.

use indistinct_accounting as accounting;
use indistinct_numeric as numeric;
use indistinct_sampling as sampling;
use std::fmt;

/// A value, or the reason why there is none.
pub type Fallible<T> = Result<T, Error>;

/// What kind of thing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A constructor was given a parameter that breaks a rule; the name is the parameter's.
    Parameter(&'static str),
    /// Two values cannot be chained, because the domain or metric between them differs.
    Mismatch,
    /// A distance is not a number, or negative.
    Distance,
    /// A value lies outside the domain that was declared for it.
    Domain,
    /// A number in a map has no real value or does not fit its type.
    Numeric,
    /// The source of randomness failed; nothing was released.
    Entropy,
    /// A construction has more steps than may follow one another.
    Depth,
    /// No parameter in the range that was searched satisfies the bound.
    Search,
    /// A question to a queryable breaks one of its rules; nothing was drawn or spent.
    Question,
    /// A queryable has given all the answers that it may; nothing was drawn or spent.
    Exhausted,
    /// A question would exceed what is left of a budget; nothing was drawn or spent.
    Budget,
    /// A function was asked to take its data by parts, and needs all of them at once.
    Whole,
    /// An earlier answer of a queryable failed midway, and it answers no more.
    Interrupted,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Parameter(name) => write!(f, "parameter {name}"),
            ErrorKind::Mismatch => f.write_str("mismatch"),
            ErrorKind::Distance => f.write_str("distance"),
            ErrorKind::Domain => f.write_str("domain"),
            ErrorKind::Numeric => f.write_str("numeric"),
            ErrorKind::Entropy => f.write_str("entropy"),
            ErrorKind::Depth => f.write_str("depth"),
            ErrorKind::Search => f.write_str("search"),
            ErrorKind::Question => f.write_str("question"),
            ErrorKind::Exhausted => f.write_str("exhausted"),
            ErrorKind::Budget => f.write_str("budget"),
            ErrorKind::Whole => f.write_str("whole"),
            ErrorKind::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// Why something could not be built, mapped or released.
///
/// An error names parameters and the rules they break. It never contains data, and among data inside the declared
/// domain it does not depend on them.
///
/// ```
/// use indistinct::prelude::*;
/// let rows = VectorDomain::new(AtomDomain::f64());
/// let error = make_clamp(rows, SymmetricDistance, (3.0, 1.0)).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Parameter("bounds"));
/// assert_eq!(error.to_string(), "parameter bounds: the lower bound must not exceed the upper bound");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {message}")]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    pub(crate) fn parameter(name: &'static str, rule: impl Into<String>) -> Self {
        Self::new(ErrorKind::Parameter(name), rule)
    }

    /// What kind of error this is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

/// Refuse a parameter that breaks a rule.
pub(crate) fn require(holds: bool, parameter: &'static str, rule: &str) -> Fallible<()> {
    if holds { Ok(()) } else { Err(Error::parameter(parameter, rule)) }
}

impl From<numeric::Error> for Error {
    fn from(error: numeric::Error) -> Self {
        Self::new(ErrorKind::Numeric, error.to_string())
    }
}

impl From<accounting::Error> for Error {
    fn from(error: accounting::Error) -> Self {
        match error {
            accounting::Error::Parameter { parameter, rule } => Self::parameter(parameter, rule),
            other => Self::new(ErrorKind::Numeric, other.to_string()),
        }
    }
}

impl From<sampling::Error> for Error {
    fn from(error: sampling::Error) -> Self {
        match error {
            sampling::Error::Parameter(rule) => Self::parameter(rule.parameter(), rule.rule()),
            sampling::Error::Entropy => Self::new(ErrorKind::Entropy, error.to_string()),
            other => Self::new(ErrorKind::Numeric, other.to_string()),
        }
    }
}
