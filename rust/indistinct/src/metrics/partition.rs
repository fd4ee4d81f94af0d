//! The distance between datasets that have been split into parts.

use super::{
    ChangeOneDistance, HammingDistance, InsertDeleteDistance, RowMetric, SymmetricDistance, SymmetricIdDistance,
};
use crate::{
    core::{Domain, Fallible, Metric, MetricSpace, ToParameter, parameter_by_debug, sealed},
    domains::{Atom, AtomDomain, PairDomain, VectorDomain},
};
use indistinct_numeric::RoundedArithmetic;

/// The distance between lists of datasets, compared part by part, is a triple: the number of parts that differ, the sum
/// of the distances of the parts under `M`, and the largest of these distances. All three must hold. It is infinite
/// between lists of different lengths.
///
/// ```
/// use indistinct::prelude::*;
/// let metric = PartitionDistance(SymmetricDistance);
/// assert_eq!(metric.describe(&(2, 3, 2)), "2 parts, together 3 rows added or removed, each at most 2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PartitionDistance<M: Metric>(pub M);

impl<M: Metric<Distance = u32>> Metric for PartitionDistance<M> {
    type Distance = (u32, u32, u32);

    fn describe(&self, (parts, total, greatest): &Self::Distance) -> String {
        let noun = if *parts == 1 { "part" } else { "parts" };
        format!("{parts} {noun}, together {}, each at most {greatest}", self.0.describe(total))
    }

    /// One part differs by one row, or by two if its size is known and rows are added or removed.
    fn least_distance(&self, domain: &impl Domain) -> Self::Distance {
        let sizes = domain.sizes();
        let rows = self.0.check_neighbors(sizes.get(1..).unwrap_or_default(), &1).map_or(2, |()| 1);
        (1, rows, rows)
    }

    /// A part that differs does so by at most the largest distance, and by at most the total.
    fn check_neighbors(&self, sizes: &[Option<usize>], (parts, total, greatest): &Self::Distance) -> Fallible<()> {
        let of_one = if *parts == 0 { &0 } else { total.min(greatest) };
        match sizes.split_first() {
            Some((Some(0), _)) => self.0.check_neighbors(&[Some(0)], of_one),
            Some((_, sizes)) => self.0.check_neighbors(sizes, of_one),
            None => Ok(()),
        }
    }
}

impl<D: Domain, M: RowMetric> MetricSpace for (VectorDomain<VectorDomain<D>>, PartitionDistance<M>) {
    fn check_space(&self) -> Fallible<()> {
        (self.0.element().clone(), self.1.0.clone()).check_space()
    }
}

impl<K: Atom, D: Domain> MetricSpace
    for (VectorDomain<VectorDomain<PairDomain<AtomDomain<K>, D>>>, PartitionDistance<SymmetricIdDistance>)
{
    fn check_space(&self) -> Fallible<()> {
        (self.0.element().clone(), self.1.0).check_space()
    }
}

sealed!((M: Metric) PartitionDistance<M>);
parameter_by_debug!((M: Metric) PartitionDistance<M>);

/// Metrics between datasets whose rows can be split into parts.
pub trait PartitionMetric: RowMetric + ToParameter + Default {
    /// The metric within a part. A replaced row may leave one part and enter another, so parts may change in size.
    type Part: RowMetric;

    /// The total distance within parts that one step makes, and the maximum number of parts that it changes.
    #[doc(hidden)]
    const STEP: u32;

    /// Returns the metric within a part.
    #[doc(hidden)]
    fn part() -> Self::Part;

    /// Returns the distance of parts after `d_in` steps.
    #[doc(hidden)]
    fn moved(d_in: u32) -> Fallible<(u32, u32, u32)> {
        // A row replaced within its part leaves it and enters it.
        let all = d_in.inf_mul(Self::STEP)?;
        Ok((all, all, all))
    }
}

macro_rules! partition_metrics {
    ($($metric:ident -> $step:literal $part:ident;)+) => {$(
        impl PartitionMetric for $metric {
            type Part = $part;
            const STEP: u32 = $step;

            fn part() -> $part {
                $part
            }
        }
    )+};
}

partition_metrics! {
    SymmetricDistance -> 1 SymmetricDistance;
    InsertDeleteDistance -> 1 InsertDeleteDistance;
    ChangeOneDistance -> 2 SymmetricDistance;
    HammingDistance -> 2 InsertDeleteDistance;
}
