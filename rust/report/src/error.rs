//! Why there is no page.

/// Why there is no page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The guarantee does not state this, or it cannot be drawn.
    #[error("{0}")]
    Guarantee(String),
    /// A plan has no such loss.
    #[error(transparent)]
    Plan(#[from] indistinct::core::Error),
    /// A number is none that a guarantee can have.
    #[error(transparent)]
    Bound(#[from] indistinct::accounting::Error),
}

/// A value, or an error.
pub type Fallible<T> = Result<T, Error>;
