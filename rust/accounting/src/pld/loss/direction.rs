//! The direction of a pair of neighbors, and the neighbor relation.

/// The neighbor that the first distribution of each pair belongs to, in all releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The dataset with one individual more, who is removed in the other; or the first of a replaced pair.
    Remove,
    /// The dataset to which an individual is added in the other.
    Add,
}

/// The relation that makes two data sets neighbors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Neighbors {
    /// One of the two has one individual more (unbounded differential privacy).
    AddRemove,
    /// The two have the same number of individuals, and the data of one are replaced (bounded differential privacy).
    Replace,
}
