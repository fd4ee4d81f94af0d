//! The direction in which a result is rounded.

use rug::float::Round;

/// The direction in which the result of an arithmetic operation is rounded when it is not representable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Towards +infinity: never less than the real result. This is what `inf_*` does.
    Up,
    /// Towards -infinity: never more than the real result. This is what `neg_inf_*` does.
    Down,
}

impl Direction {
    /// The same direction in MPFR's words.
    pub(crate) fn round(self) -> Round {
        match self {
            Direction::Up => Round::Up,
            Direction::Down => Round::Down,
        }
    }
}
