//! What stands where a cell is missing.

/// What a missing cell becomes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Missing<T> {
    /// This value.
    Is(T),
    /// It stays missing: NaN in a column of `f64`, else null.
    Stays,
}
