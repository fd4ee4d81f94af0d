//! The distance that shows only whether values are equal.

use crate::core::{Domain, Fallible, Metric, MetricSpace, parameter_by_debug, sealed};

/// The distance is 0 between equal values and 1 between different values: the metric of local differential privacy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DiscreteDistance;

impl Metric for DiscreteDistance {
    type Distance = u32;

    fn describe(&self, distance: &u32) -> String {
        match distance {
            0 => "equal values".into(),
            _ => "any two values".into(),
        }
    }

    fn least_distance(&self, _: &impl Domain) -> u32 {
        1
    }
}

impl<D: Domain> MetricSpace for (D, DiscreteDistance) {
    fn check_space(&self) -> Fallible<()> {
        Ok(())
    }
}

sealed!(() DiscreteDistance);
parameter_by_debug!(() DiscreteDistance);
