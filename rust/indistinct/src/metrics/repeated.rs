//! The distance between datasets after each row becomes several.

use super::{
    ChangeOneDistance, ChangeOneIdDistance, HammingDistance, InsertDeleteDistance, RowByRowMetric, SymmetricDistance,
    SymmetricIdDistance,
};
use crate::core::Fallible;
use indistinct_numeric::RoundedArithmetic;

/// Metrics between datasets of which each row becomes the same number of rows, for what it says itself.
///
/// A row that is added, removed or replaced becomes this many rows, in the place of the one. The number of individuals
/// stays the same.
pub trait FlatMapMetric: RowByRowMetric {
    /// The distance between datasets that have `times` rows for each.
    fn repeated_distance(d_in: &Self::Distance, times: u32) -> Fallible<Self::Distance>;
}

macro_rules! flat_map_metrics {
    ($($metric:ident, |$d_in:ident, $times:ident| $d_out:expr;)+) => {$(
        impl FlatMapMetric for $metric {
            fn repeated_distance(&$d_in: &u32, $times: u32) -> Fallible<u32> {
                Ok($d_out)
            }
        }
    )+};
}

flat_map_metrics! {
    SymmetricDistance, |d_in, times| d_in.inf_mul(times)?;
    InsertDeleteDistance, |d_in, times| d_in.inf_mul(times)?;
    ChangeOneDistance, |d_in, times| d_in.inf_mul(times)?;
    HammingDistance, |d_in, times| d_in.inf_mul(times)?;
    SymmetricIdDistance, |d_in, _times| d_in;
    ChangeOneIdDistance, |d_in, _times| d_in;
}
