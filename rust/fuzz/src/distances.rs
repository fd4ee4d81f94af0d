//! Distances: drawn, and compared with none.

use crate::Source;
use indistinct::{core::Distance, prelude::*};

/// A distance that is drawn as what a map is given.
pub(crate) trait Drawn: Distance {
    const ZERO: Self;
    fn draw(source: &mut Source) -> Self;
}

macro_rules! drawn {
    ($($distance:ty: $zero:expr, $draw:expr;)+) => {$(
        impl Drawn for $distance {
            const ZERO: Self = $zero;
            fn draw(source: &mut Source) -> Self {
                $draw(source)
            }
        }
    )+};
}

drawn! {
    u32: 0, Source::word;
    f64: 0.0, |source: &mut Source| if source.coin() { source.plain() } else { source.float() };
    i64: 0, Source::integer;
    (u32, f64, f64): (0, 0.0, 0.0), |source: &mut Source| (source.word(), f64::draw(source), f64::draw(source));
    (u32, u32, u32): (0, 0, 0), |source: &mut Source| (source.word(), source.word(), source.word());
}

/// A distance that a map gives.
pub(crate) trait Given: Distance {
    /// Whether it says that two outputs are the same.
    fn is_none(&self) -> bool;

    /// Whether it is no more than another.
    fn is_at_most(&self, other: &Self) -> bool {
        self.is_within(other)
    }
}

impl Given for u32 {
    fn is_none(&self) -> bool {
        *self == 0
    }
}

impl Given for f64 {
    fn is_none(&self) -> bool {
        *self == 0.0
    }
}

impl Given for (u32, f64, f64) {
    fn is_none(&self) -> bool {
        *self == Self::ZERO
    }
}

impl Given for (u32, u32, u32) {
    fn is_none(&self) -> bool {
        *self == Self::ZERO
    }
}

impl<L: Given> Given for (L, f64)
where
    (L, f64): Distance,
{
    fn is_none(&self) -> bool {
        self.0.is_none() && self.1 == 0.0
    }

    /// A delta of 1 or more says nothing, whatever is beside it.
    fn is_at_most(&self, other: &Self) -> bool {
        other.1 >= 1.0 || self.0.is_at_most(&other.0) && self.1 <= other.1
    }
}

impl Given for PrivacyProfile {
    fn is_none(&self) -> bool {
        self.delta(0.0) == Ok(0.0)
    }

    /// Profiles of one kind are compared by their parameter, others here by their deltas, which are rounded.
    fn is_at_most(&self, other: &Self) -> bool {
        let is_below = |epsilon| match (self.delta(epsilon), other.delta(epsilon)) {
            (Ok(mine), Ok(others)) => mine <= others * (1.0 + 1e-9),
            _ => true,
        };
        self.is_within(other) || [0.0, 0.5, 20.0].into_iter().all(is_below)
    }
}

impl Given for RenyiCurve {
    fn is_none(&self) -> bool {
        [1.5, 2.0, 1e6].iter().all(|alpha| self.at(*alpha) == Ok(0.0))
    }
}

impl Given for PrivacyLossDistribution {
    fn is_none(&self) -> bool {
        self.delta(0.0).is_ok_and(|delta| delta.upper == 0.0)
    }
}
