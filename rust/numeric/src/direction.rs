//! The direction in which a result is rounded.

use rug::float::Round;

/// The direction in which the result of an arithmetic operation is rounded when it is not representable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Towards +infinity: never less than the real result, as in `inf_*`.
    Up,
    /// Towards -infinity: never more than the real result, as in `neg_inf_*`.
    Down,
}

impl Direction {
    /// Returns MPFR's constant for this direction.
    pub(crate) fn round(self) -> Round {
        match self {
            Direction::Up => Round::Up,
            Direction::Down => Round::Down,
        }
    }
}
