//! Which of two neighbors the first distribution belongs to, and what makes two datasets neighbors.

/// Which of two neighbors the first distribution of each pair is that of, in all releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Of the one with one individual more, who is removed in the other; or of the first of a replaced pair.
    Remove,
    /// Of the one to which an individual is added in the other.
    Add,
}

/// Which data sets are neighbors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Neighbors {
    /// One of the two has one individual more (unbounded differential privacy).
    AddRemove,
    /// The two have the same number of individuals, and the data of one are replaced (bounded differential privacy).
    Replace,
}
