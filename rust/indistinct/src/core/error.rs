//! The library's error type, which names parameters and rules, and never contains data.

use indistinct_accounting as accounting;
use indistinct_numeric as numeric;
use indistinct_sampling as sampling;
use std::fmt;

/// A result with the library's error type.
pub type Fallible<T> = Result<T, Error>;

/// The kind of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A constructor's parameter violates a rule. The string is the parameter's name.
    Parameter(&'static str),
    /// Two steps cannot be chained, because the domain or metric between them differs.
    Mismatch,
    /// A distance is not a number or is negative, or no two different datasets of the declared size are this close.
    Distance,
    /// A value lies outside its declared domain.
    Domain,
    /// A number in a map has no real value, or its type cannot represent it.
    Numeric,
    /// The source of randomness failed; nothing was released.
    Entropy,
    /// A construction has too many steps in sequence, or too many steps in total.
    Depth,
    /// No parameter in the searched range satisfies the bound.
    Search,
    /// A query to a queryable breaks one of its rules; nothing was drawn or spent.
    Question,
    /// A queryable has given its maximum number of responses; nothing was drawn or spent.
    Exhausted,
    /// A query would exceed the remaining budget; nothing was drawn or spent.
    Budget,
    /// A function that needs all data at once was given parts.
    Whole,
    /// The loss of a measurement is infinite at every distance, and the caller did not
    /// [`accept_infinite_loss`](super::Measurement::accept_infinite_loss); nothing was drawn.
    InfiniteLoss,
    /// An earlier response of a queryable failed midway, so it answers no more queries.
    Interrupted,
    /// A queryable or an aggregate was used in a forked child of the process that made it; nothing was drawn or spent.
    Process,
    /// A stored plan cannot be read or rebuilt; the message begins with the position in the plan.
    Plan,
    /// A user-defined function failed and returned [`Error::user`].
    User,
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
            ErrorKind::InfiniteLoss => f.write_str("infinite loss"),
            ErrorKind::Interrupted => f.write_str("interrupted"),
            ErrorKind::Process => f.write_str("process"),
            ErrorKind::Plan => f.write_str("plan"),
            ErrorKind::User => f.write_str("user"),
        }
    }
}

/// A position in a text. Lines and columns count from 1, and columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Place {
    /// Makes a position.
    pub fn new(line: usize, column: usize) -> Self {
        Self { line, column }
    }

    /// Returns the position of a byte in a text.
    ///
    /// ```
    /// use indistinct::core::Place;
    /// assert_eq!(Place::at("a\nbé c", 5).to_string(), "line 2, column 3");
    /// ```
    pub fn at(text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
        Self { line: before.matches('\n').count().saturating_add(1), column: column.saturating_add(1) }
    }
}

/// Writes `line 2, column 3`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The reason that something could not be built, mapped or released.
///
/// An error names parameters and the rules that they violate. It never contains data, and does not depend on data
/// inside the declared domain. If an error of arithmetic, accounting or sampling caused it, that error is its
/// [`source`](std::error::Error::source). `Debug` prints the same text as `Display`, so a `main` that returns an error
/// prints a sentence.
///
/// ```
/// use indistinct::prelude::*;
/// let rows = VectorDomain::new(AtomDomain::f64());
/// let error = make_clamp(rows, SymmetricDistance, (3.0, 1.0)).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Parameter("bounds"));
/// assert_eq!(error.to_string(), "parameter bounds: the lower bound must not exceed the upper bound");
/// assert_eq!(format!("{error:?}"), error.to_string());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    place: Option<Place>,
    cause: Option<Box<Cause>>,
}

/// The error of another crate that caused this one.
#[derive(Clone, PartialEq, Eq)]
enum Cause {
    Numeric(numeric::Error),
    Accounting(accounting::Error),
    Sampling(sampling::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.kind)?;
        self.place.map_or(Ok(()), |place| write!(f, "{place}: "))?;
        f.write_str(&self.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.cause.as_deref()? {
            Cause::Numeric(error) => Some(error),
            Cause::Accounting(error) => Some(error),
            Cause::Sampling(error) => Some(error),
        }
    }
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), place: None, cause: None }
    }

    /// Returns the same error with a position in the text that caused it.
    #[cfg(feature = "plans")]
    pub(crate) fn in_text(self, place: Option<Place>) -> Self {
        Self { place, ..self }
    }

    fn because(self, cause: Cause) -> Self {
        Self { cause: Some(Box::new(cause)), ..self }
    }

    /// Returns the violated rule, without the error's kind.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    pub(crate) fn parameter(name: &'static str, rule: impl Into<String>) -> Self {
        Self::new(ErrorKind::Parameter(name), rule)
    }

    /// Makes the error of a map or a user-defined post-processing function that fails for its own reasons.
    ///
    /// The reason is static text, so it contains no data. But a failure itself reveals something about the data, so a
    /// function *of the data* must not fail for data in its domain.
    ///
    /// ```
    /// use indistinct::prelude::*;
    /// let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    /// let share = |count: &i64| match count {
    ///     1.. => Ok(100 / count),
    ///     _ => Err(Error::user("the noise hides whether there are rows")),
    /// };
    /// let release = (space >> then_count() >> then_laplace(1.0) >> Function::new_fallible(share))?;
    /// match release.invoke(&[]) {
    ///     Ok(share) => assert!(share <= 100),
    ///     Err(error) => assert_eq!(error.kind(), ErrorKind::User),
    /// }
    /// assert_eq!(Error::user("no rows").to_string(), "user: no rows");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn user(reason: &'static str) -> Self {
        Self::new(ErrorKind::User, reason)
    }

    /// Returns the kind of this error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the position in the text of a plan to which the error refers, if there is one.
    pub fn place(&self) -> Option<Place> {
        self.place
    }
}

/// Returns an error if a parameter violates a rule.
pub(crate) fn require(holds: bool, parameter: &'static str, rule: &str) -> Fallible<()> {
    if holds { Ok(()) } else { Err(Error::parameter(parameter, rule)) }
}

impl From<numeric::Error> for Error {
    fn from(error: numeric::Error) -> Self {
        let rule = match error {
            // Only integers can overflow: floats have an infinity.
            numeric::Error::Overflow { .. } => "a distance, or another integer in a map, does not fit its type".into(),
            other => other.to_string(),
        };
        Self::new(ErrorKind::Numeric, rule).because(Cause::Numeric(error))
    }
}

impl From<accounting::Error> for Error {
    fn from(error: accounting::Error) -> Self {
        let told = match &error {
            accounting::Error::Parameter { parameter, rule } => Self::parameter(parameter, *rule),
            other => Self::new(ErrorKind::Numeric, other.to_string()),
        };
        told.because(Cause::Accounting(error))
    }
}

impl From<sampling::Error> for Error {
    fn from(error: sampling::Error) -> Self {
        let told = match error {
            sampling::Error::Parameter(rule) => Self::parameter(rule.parameter(), rule.rule()),
            sampling::Error::Entropy | sampling::Error::System(_) => Self::new(ErrorKind::Entropy, error.to_string()),
            other => Self::new(ErrorKind::Numeric, other.to_string()),
        };
        told.because(Cause::Sampling(error))
    }
}

#[cfg(test)]
mod tests {
    use super::{accounting, numeric, sampling};
    use crate::prelude::*;
    use std::error::Error as _;

    /// The error of the crate below, by its type.
    fn cause<T: std::error::Error + Clone + 'static>(error: &Error) -> Option<T> {
        error.source()?.downcast_ref::<T>().cloned()
    }

    #[test]
    fn causes_are_kept() {
        let low = numeric::Error::Overflow { operation: "sum" };
        let error = Error::from(low);
        assert_eq!((cause(&error), error.kind()), (Some(low), ErrorKind::Numeric));
        assert_eq!((&error, error == Error::from(numeric::Error::NotANumber { operation: "sum" })), (&error, false));

        let low = accounting::Error::Parameter { parameter: "delta", rule: "must be at most 1" };
        let error = Error::from(low.clone());
        assert_eq!((cause(&error), error.kind()), (Some(low), ErrorKind::Parameter("delta")));

        for (low, kind) in [
            (sampling::Error::Parameter(sampling::Rule::Bound), ErrorKind::Parameter("bound")),
            (sampling::Error::Entropy, ErrorKind::Entropy),
            (sampling::Error::Range, ErrorKind::Numeric),
        ] {
            let error = Error::from(low);
            assert_eq!((cause(&error), error.kind()), (Some(low), kind));
        }
        let own = make_clamp(VectorDomain::new(AtomDomain::f64()), SymmetricDistance, (3.0, 1.0)).unwrap_err();
        assert!(own.source().is_none() && Error::user("no rows").source().is_none());
    }

    #[test]
    fn a_caller_fails_for_a_reason_of_their_own() {
        let error = Error::user("no such thing");
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::User, "user: no such thing".into()));
        let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
        let fails = |_: &i64| Err::<i64, _>(Error::user("no such thing"));
        let release = (space >> then_count() >> then_laplace(1.0) >> Function::new_fallible(fails)).unwrap();
        assert_eq!(release.invoke(&[]), Err(error));
    }

    #[test]
    fn a_distance_that_is_too_great_is_said_to_be() {
        let rows = PairDomain::new(AtomDomain::u32(), AtomDomain::f64());
        let bounded = make_bound_contributions(VectorDomain::new(rows), SymmetricIdDistance, u32::MAX).unwrap();
        let error = bounded.map(&2).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Numeric);
        assert!(error.to_string().contains("a distance, or another integer in a map"), "{error}");
        assert!(matches!(cause(&error), Some(numeric::Error::Overflow { .. })), "{error:?}");
    }
}
