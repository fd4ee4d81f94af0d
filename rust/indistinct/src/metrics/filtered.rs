//! The distance between datasets after rows are left out.

use super::{
    ChangeOneDistance, ChangeOneIdDistance, HammingDistance, InsertDeleteDistance, RowByRowMetric, SymmetricDistance,
    SymmetricIdDistance,
};
use crate::core::Fallible;
use indistinct_numeric::RoundedArithmetic;

/// Metrics between datasets of which each row is kept or left out for what it says itself.
///
/// Where rows are added or removed, datasets come no further apart. Where they are replaced, the old row may stay and
/// the new one go: the numbers of rows differ then, so that the distance has to count rows added or removed, and a
/// replaced row counts twice.
pub trait FilterMetric: RowByRowMetric {
    /// The metric between datasets of the rows that are kept.
    type Output: RowByRowMetric<Distance = Self::Distance>;

    /// The metric between datasets of the rows that are kept.
    fn filtered(&self) -> Self::Output;
    /// The distance between them.
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
