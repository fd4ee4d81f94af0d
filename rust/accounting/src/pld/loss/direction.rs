//! Which of two neighbors the first distribution belongs to, and what makes two datasets neighbors.

/// Which of two neighbors the first distribution is that of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Of the one with one individual more, or of the first of a replaced pair.
    Remove,
    Add,
}

/// What makes two datasets neighbors, where a pair is for one kind only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Neighbors {
    OneMore,
    OneReplaced,
}
