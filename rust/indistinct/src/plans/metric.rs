//! The metrics between tables, as one type.

use crate::{
    core::{Domain, Error, ErrorKind, Fallible, Metric, MetricSpace, sealed},
    frames::FrameDomain,
    metrics::{
        AnyRowMetric, ChangeOneDistance, ChangeOneIdDistance, HammingDistance, InsertDeleteDistance, SymmetricDistance,
        SymmetricIdDistance,
    },
};
use std::{any::Any, fmt, str::FromStr};

/// One of the metrics between tables of named columns, chosen when a plan is read.
///
/// It has the distances, texts and rules of that metric, whose name `Debug` writes.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameMetric {
    /// Rows added or removed.
    Symmetric(SymmetricDistance),
    /// Rows inserted or deleted.
    InsertDelete(InsertDeleteDistance),
    /// Rows replaced.
    ChangeOne(ChangeOneDistance),
    /// Rows replaced at their positions.
    Hamming(HammingDistance),
    /// Individuals added or removed, with all their rows.
    SymmetricId(SymmetricIdDistance),
    /// Individuals replaced, with all their rows.
    ChangeOneId(ChangeOneIdDistance),
}

/// The same expression of whichever metric it is.
macro_rules! of_each {
    ($value:expr, $metric:ident => $body:expr) => {
        match $value {
            FrameMetric::Symmetric($metric) => $body,
            FrameMetric::InsertDelete($metric) => $body,
            FrameMetric::ChangeOne($metric) => $body,
            FrameMetric::Hamming($metric) => $body,
            FrameMetric::SymmetricId($metric) => $body,
            FrameMetric::ChangeOneId($metric) => $body,
        }
    };
}

impl FrameMetric {
    const ALL: [Self; 6] = [
        Self::Symmetric(SymmetricDistance),
        Self::InsertDelete(InsertDeleteDistance),
        Self::ChangeOne(ChangeOneDistance),
        Self::Hamming(HammingDistance),
        Self::SymmetricId(SymmetricIdDistance),
        Self::ChangeOneId(ChangeOneIdDistance),
    ];

    /// The metric itself, if it is of this type; or as one of those that count rows.
    pub(super) fn of_type<M: Metric>(&self) -> Option<M> {
        let metric: &dyn Any = of_each!(self, metric => metric);
        if let Some(metric) = metric.downcast_ref::<M>() {
            return Some(metric.clone());
        }
        let rows: &dyn Any = &AnyRowMetric::of(metric)?;
        rows.downcast_ref::<M>().cloned()
    }
}

impl fmt::Debug for FrameMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        of_each!(self, metric => metric.fmt(f))
    }
}

/// By the name of the metric: `SymmetricDistance`.
impl FromStr for FrameMetric {
    type Err = Error;

    fn from_str(text: &str) -> Fallible<Self> {
        Self::ALL.into_iter().find(|metric| format!("{metric:?}") == text).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|metric| format!("{metric:?}")).collect();
            Error::new(ErrorKind::Plan, format!("must be one of {}", names.join(", ")))
        })
    }
}

impl Metric for FrameMetric {
    type Distance = u32;

    fn describe(&self, distance: &u32) -> String {
        of_each!(self, metric => metric.describe(distance))
    }

    fn least_distance(&self, domain: &impl Domain) -> u32 {
        of_each!(self, metric => metric.least_distance(domain))
    }

    fn check_neighbors(&self, sizes: &[Option<usize>], distance: &u32) -> Fallible<()> {
        of_each!(self, metric => metric.check_neighbors(sizes, distance))
    }

    fn has_direction(&self, distance: &u32) -> bool {
        of_each!(self, metric => metric.has_direction(distance))
    }
}

sealed!(() FrameMetric);

impl MetricSpace for (FrameDomain, FrameMetric) {
    fn check_space(&self) -> Fallible<()> {
        of_each!(self.1, metric => (self.0.clone(), metric).check_space())
    }
}
