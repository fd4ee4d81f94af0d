//! The distance between datasets after a filter.

use super::{
    ChangeOneDistance, ChangeOneIdDistance, HammingDistance, InsertDeleteDistance, RowByRowMetric, SymmetricDistance,
    SymmetricIdDistance,
};
use crate::core::Fallible;
use indistinct_numeric::RoundedArithmetic;

/// Metrics between datasets that can be filtered, where each row is kept or dropped by its own contents.
///
/// If rows are added or removed, a filter does not increase the distance. If they are replaced, the filter may keep the
/// old row and drop the new one, so the number of rows may change. The distance must then count rows added or removed,
/// and a replaced row counts twice.
pub trait FilterMetric: RowByRowMetric {
    /// The metric between datasets of the kept rows.
    type Output: RowByRowMetric<Distance = Self::Distance>;

    /// Returns the metric between datasets of the kept rows.
    fn filtered(&self) -> Self::Output;
    /// Returns the distance between them.
    fn filter_distance(&self, d_in: &Self::Distance) -> Fallible<Self::Distance>;
}

macro_rules! filter_metrics {
    ($($metric:ident => $output:ident, |$d_in:ident| $d_out:expr;)+) => {$(
        impl FilterMetric for $metric {
            type Output = $output;

            fn filtered(&self) -> $output {
                $output
            }
            fn filter_distance(&self, &$d_in: &u32) -> Fallible<u32> {
                Ok($d_out)
            }
        }
    )+};
}

filter_metrics! {
    SymmetricDistance => SymmetricDistance, |d_in| d_in;
    InsertDeleteDistance => InsertDeleteDistance, |d_in| d_in;
    SymmetricIdDistance => SymmetricIdDistance, |d_in| d_in;
    ChangeOneIdDistance => ChangeOneIdDistance, |d_in| d_in;
    ChangeOneDistance => SymmetricDistance, |d_in| d_in.inf_mul(2)?;
    HammingDistance => InsertDeleteDistance, |d_in| d_in.inf_mul(2)?;
}
