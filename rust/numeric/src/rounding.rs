//! The treatment of numbers that the target of a conversion cannot represent.

use crate::Direction;

/// The treatment of a value that the target of a conversion cannot represent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// Round to the smallest representable value not below it.
    Up,
    /// Round to the largest representable value not above it.
    Down,
    /// Round to the nearest representable value; ties to even.
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
