//! Why a draw could not be made.

/// What can go wrong in sampling. Nothing is released when it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The source of random bits failed, or a tape has run out.
    #[error("the source of entropy failed")]
    Entropy,
    /// A parameter of the law is out of its range.
    #[error("{parameter}: {rule}")]
    Parameter {
        /// The parameter's name.
        parameter: &'static str,
        /// The rule that it breaks.
        rule: &'static str,
    },
    /// A number left the range in which the algorithm is defined.
    #[error(transparent)]
    Numeric(#[from] indistinct_numeric::Error),
}

/// A draw, or the reason why there is none.
pub type Fallible<T> = Result<T, Error>;
