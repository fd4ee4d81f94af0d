//! Errors of pages.

/// The reason that a page cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The guarantee does not state this bound, or a curve cannot be drawn.
    #[error("{0}")]
    Guarantee(String),
    /// A plan does not have this loss.
    #[error(transparent)]
    Plan(#[from] indistinct::core::Error),
    /// No guarantee can have this number.
    #[error(transparent)]
    Bound(#[from] indistinct::accounting::Error),
}

/// A result with this crate's error type.
pub type Fallible<T> = Result<T, Error>;
