//! The neighbor to which a number without a float is rounded.

use crate::Direction;

/// How a conversion treats a value that the target cannot represent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// To the least representable value not below it.
    Up,
    /// To the greatest representable value not above it.
    Down,
    /// To the nearest representable value, ties to the even one.
    Nearest,
    /// Refuse it with [`Error::Inexact`](crate::Error::Inexact).
    Exact,
}

impl From<Direction> for Rounding {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::Up => Rounding::Up,
            Direction::Down => Rounding::Down,
        }
    }
}
