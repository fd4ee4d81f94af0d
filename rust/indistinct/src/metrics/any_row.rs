//! The metrics that count rows, as one type.

use super::{
    ChangeOneDistance, FilterMetric, FlatMapMetric, HammingDistance, InsertDeleteDistance, RowByRowMetric, RowChange,
    RowMetric, SymmetricDistance,
};
use crate::core::{Domain, Fallible, Metric, parameter_by_debug, sealed};
use std::{any::Any, fmt};

/// Evaluates the same expression for each of the metrics.
macro_rules! of_each_row_metric {
    ($value:expr, $metric:ident => $body:expr) => {
        match $value {
            AnyRowMetric::SymmetricDistance($metric) => $body,
            AnyRowMetric::InsertDeleteDistance($metric) => $body,
            AnyRowMetric::ChangeOneDistance($metric) => $body,
            AnyRowMetric::HammingDistance($metric) => $body,
        }
    };
}

macro_rules! any_row_metric {
    ($($metric:ident),+) => {
        /// One of the metrics that count rows, known when a plan is read.
        ///
        /// Its distances, texts and rules are those of the metric that it holds, whose name `Debug` writes. A step of a
        /// plan is compiled once for this type, not once for each metric.
        #[derive(Clone, Copy, PartialEq, Eq)]
        // The variants have the names of their metrics, by which macros find them.
        #[allow(clippy::enum_variant_names)]
        pub(crate) enum AnyRowMetric {
            $($metric($metric),)+
        }

        impl AnyRowMetric {
            /// Returns the variant for this metric, if it is one of them.
            pub(crate) fn of(metric: &dyn Any) -> Option<Self> {
                $(if let Some(metric) = metric.downcast_ref::<$metric>() {
                    return Some(Self::$metric(*metric));
                })+
                None
            }
        }

        $(impl From<$metric> for AnyRowMetric {
            fn from(metric: $metric) -> Self {
                Self::$metric(metric)
            }
        })+
    };
}

any_row_metric!(SymmetricDistance, InsertDeleteDistance, ChangeOneDistance, HammingDistance);

impl fmt::Debug for AnyRowMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        of_each_row_metric!(self, metric => metric.fmt(f))
    }
}

impl Metric for AnyRowMetric {
    type Distance = u32;

    fn describe(&self, distance: &u32) -> String {
        of_each_row_metric!(self, metric => metric.describe(distance))
    }

    fn least_distance(&self, domain: &impl Domain) -> u32 {
        of_each_row_metric!(self, metric => metric.least_distance(domain))
    }

    fn check_neighbors(&self, sizes: &[Option<usize>], distance: &u32) -> Fallible<()> {
        of_each_row_metric!(self, metric => metric.check_neighbors(sizes, distance))
    }

    fn has_direction(&self, distance: &u32) -> bool {
        of_each_row_metric!(self, metric => metric.has_direction(distance))
    }
}

impl RowMetric for AnyRowMetric {
    fn unit(&self) -> RowChange {
        of_each_row_metric!(self, metric => metric.unit())
    }
}

impl RowByRowMetric for AnyRowMetric {}

impl FilterMetric for AnyRowMetric {
    type Output = Self;

    fn filtered(&self) -> Self {
        of_each_row_metric!(self, metric => metric.filtered().into())
    }

    fn filter_distance(&self, d_in: &u32) -> Fallible<u32> {
        of_each_row_metric!(self, metric => metric.filter_distance(d_in))
    }
}

impl FlatMapMetric for AnyRowMetric {
    fn repeated_distance(&self, d_in: &u32, times: u32) -> Fallible<u32> {
        of_each_row_metric!(self, metric => metric.repeated_distance(d_in, times))
    }
}

sealed!(() AnyRowMetric);

parameter_by_debug!(() AnyRowMetric);
