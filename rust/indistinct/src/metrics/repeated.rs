//! The distance between datasets after each row is replaced by several rows.

use super::{
    ChangeOneDistance, ChangeOneIdDistance, HammingDistance, InsertDeleteDistance, RowByRowMetric, SymmetricDistance,
    SymmetricIdDistance,
};
use crate::core::Fallible;
use indistinct_numeric::RoundedArithmetic;

/// Metrics between datasets in which each row can be replaced by the same number of rows, computed from it alone.
///
/// A row that is added, removed or replaced then counts as this many rows. The number of individuals stays the same.
pub trait FlatMapMetric: RowByRowMetric {
    /// Returns the distance between datasets that have `times` rows for each row.
    fn repeated_distance(&self, d_in: &Self::Distance, times: u32) -> Fallible<Self::Distance>;
}

macro_rules! flat_map_metrics {
    ($($metric:ident, |$d_in:ident, $times:ident| $d_out:expr;)+) => {$(
        impl FlatMapMetric for $metric {
            fn repeated_distance(&self, &$d_in: &u32, $times: u32) -> Fallible<u32> {
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
