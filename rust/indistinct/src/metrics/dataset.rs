//! Distances between datasets, counted in rows.
//!
//! Two rows are equal if their values are equal, where -0.0 equals 0.0, and all NaN are equal.

use crate::{
    core::{Domain, Error, ErrorKind, Fallible, Metric, MetricSpace, Sealed, parameter_by_debug, sealed},
    domains::VectorDomain,
};
use indistinct_numeric::RoundedArithmetic;

/// The change of a dataset by one unit of a dataset metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowChange {
    /// Adds a row or removes one.
    AddOrRemove,
    /// Replaces a row with another row, so the number of rows stays the same.
    Replace,
}

/// Metrics between datasets that count single rows.
///
/// Promise: two datasets at distance d are joined by a path of d steps, each of which is one [`RowChange`] of the
/// metric's kind (up to the order of rows, in a metric that ignores it). Applying a function of single rows to every
/// row does not increase the distance.
#[diagnostic::on_unimplemented(
    message = "this step takes rows that stand alone, and `{Self}` is not a metric between datasets of such rows",
    label = "expects a metric that counts rows",
    note = "rows of individuals (`SymmetricIdDistance`) are bound first, by `then_bound_contributions`"
)]
pub trait RowMetric: RowByRowMetric + Metric<Distance = u32> {
    /// Returns the change that one step makes.
    fn unit(&self) -> RowChange;
}

impl<D: Domain, M: RowMetric> MetricSpace for (VectorDomain<D>, M) {
    fn check_space(&self) -> Fallible<()> {
        Ok(())
    }
}

/// Returns the largest change of a number or vector by `d_in` steps of at most `step` each: `d_in step`, rounded up.
/// It is 0 for no steps, even if `step` is infinite.
pub(crate) fn moved(d_in: u32, step: f64) -> Fallible<f64> {
    if d_in == 0 { Ok(0.0) } else { Ok(f64::from(d_in).inf_mul(step)?) }
}

/// Metrics that stay the same when a function of single rows is applied to every row. If rows have an individual, the
/// function must keep it.
#[allow(private_bounds)]
pub trait RowByRowMetric: Sealed + Metric {}

fn rows(distance: u32, what: &str) -> String {
    match distance {
        1 => format!("1 row {what}"),
        _ => format!("{distance} rows {what}"),
    }
}

/// Returns true if all members have the same number of rows, so no single addition or removal leads from one member to
/// another.
pub(super) fn has_size(domain: &impl Domain) -> bool {
    matches!(domain.sizes().first(), Some(Some(_)))
}

/// Returns an error if the number of rows is known, and `distance` is above 0 and less than `least`, the smallest
/// distance between two different datasets of that size.
pub(super) fn check_least<M: Metric<Distance = u32>>(
    metric: &M,
    sizes: &[Option<usize>],
    distance: u32,
    (least, step): (u32, &str),
) -> Fallible<()> {
    let rule = match sizes.first() {
        Some(Some(0)) if distance > 0 => {
            format!("no two datasets of 0 rows are {} apart: there is only one", metric.describe(&distance))
        }
        Some(Some(rows)) if (1..least).contains(&distance) => format!(
            "no two datasets of {rows} rows are {} apart, so that a loss of 0 protects nothing: take {least}, {step}, or state no size",
            metric.describe(&distance)
        ),
        _ => return Ok(()),
    };
    Err(Error::new(ErrorKind::Distance, rule))
}

macro_rules! dataset_metrics {
    ($($(#[$doc:meta])* $metric:ident: $unit:ident, $words:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct $metric;

        impl Metric for $metric {
            type Distance = u32;

            fn describe(&self, distance: &u32) -> String {
                rows(*distance, $words)
            }

            /// One row, unless the size is known, because adding a row changes the size.
            fn least_distance(&self, domain: &impl Domain) -> u32 {
                match RowChange::$unit {
                    RowChange::AddOrRemove if has_size(domain) => 2,
                    _ => 1,
                }
            }

            fn check_neighbors(&self, sizes: &[Option<usize>], distance: &u32) -> Fallible<()> {
                let least = match self.unit() {
                    RowChange::AddOrRemove => 2,
                    RowChange::Replace => 1,
                };
                check_least(self, sizes, *distance, (least, "one row replaced"))
            }

            fn has_direction(&self, distance: &u32) -> bool {
                *distance <= 1 && self.unit() == RowChange::AddOrRemove
            }
        }

        impl RowMetric for $metric {
            fn unit(&self) -> RowChange {
                RowChange::$unit
            }
        }

        impl RowByRowMetric for $metric {}

        sealed!(() $metric);

        parameter_by_debug!(() $metric);
    )+};
}

dataset_metrics! {
    /// The smallest number of rows that must be added or removed to turn one dataset into the other, ignoring their
    /// order: the size of the symmetric difference of the two multisets.
    ///
    /// Add/remove neighbors (unbounded differential privacy) are at distance 1; data sets in which one row is replaced
    /// are at distance 2.
    SymmetricDistance: AddOrRemove, "added or removed";

    /// The smallest number of insertions and deletions that turn one sequence of rows into the other.
    ///
    /// Like [`SymmetricDistance`], but the order of rows matters, so this distance is never smaller.
    InsertDeleteDistance: AddOrRemove, "inserted or deleted";

    /// The smallest number of rows that must be replaced to turn one dataset into the other, ignoring their order;
    /// infinite between datasets of different sizes.
    ///
    /// Substitution neighbors (bounded differential privacy) are at distance 1.
    ChangeOneDistance: Replace, "replaced";

    /// The number of positions in which two sequences of rows differ; infinite between sequences of different lengths.
    ///
    /// Like [`ChangeOneDistance`], but the order of rows matters, so this distance is never smaller.
    HammingDistance: Replace, "replaced in place";
}
