//! Which of two neighbors the first distribution belongs to, and what makes two datasets neighbors.

/// Which of two neighbors the first distribution of each pair is that of, in all releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Of the one with one individual more, who is removed in the other; or of the first of a replaced pair.
    Remove,
    /// Of the one to which an individual is added in the other.
    Add,
}

/// What makes two datasets neighbors, where a pair is for one kind only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Neighbors {
    OneMore,
    OneReplaced,
}
