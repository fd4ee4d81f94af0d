//! Distances between numbers and vectors of numbers, in the numbers' own unit.

use crate::{
    core::{Domain, Fallible, Metric, MetricSpace, Sealed, parameter_by_debug, require, sealed},
    domains::{AtomDomain, Number, VectorDomain},
};

/// Metrics whose distances have the unit of a scale of noise.
#[allow(private_bounds)]
pub trait SensitivityMetric: Sealed + Metric<Distance = f64> {}

/// Returns the smallest positive distance between numbers, which is 1 for integers.
pub(super) fn least_difference(domain: &impl Domain) -> f64 {
    if domain.is_whole() { 1.0 } else { f64::from_bits(1) }
}

macro_rules! norm_metrics {
    ($($(#[$doc:meta])* $metric:ident, $words:literal, [$($generics:tt)*] $space:ty;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        #[non_exhaustive]
        pub struct $metric;

        impl $metric {
            /// Makes the metric.
            pub fn new() -> Self {
                Self
            }
        }

        impl Metric for $metric {
            type Distance = f64;

            fn describe(&self, distance: &f64) -> String {
                format!(concat!($words, " {:?}"), distance)
            }

            fn least_distance(&self, domain: &impl Domain) -> f64 {
                least_difference(domain)
            }
        }

        impl SensitivityMetric for $metric {}

        sealed!(() $metric);

        impl<$($generics)*> MetricSpace for ($space, $metric) {
            fn check_space(&self) -> Fallible<()> {
                require(!self.0.has_numbers_missing(), "input_domain", "numbers must not be NaN: impute or drop it first")
            }
        }

        parameter_by_debug!(() $metric);
    )+};
}

/// Domains in which a number may be NaN.
trait NumbersMissing {
    fn has_numbers_missing(&self) -> bool;
}

impl<T: Number> NumbersMissing for AtomDomain<T> {
    fn has_numbers_missing(&self) -> bool {
        self.has_nan()
    }
}

impl<T: Number> NumbersMissing for VectorDomain<AtomDomain<T>> {
    fn has_numbers_missing(&self) -> bool {
        self.element().has_nan()
    }
}

norm_metrics! {
    /// The absolute difference of two numbers, `|x - y|`. An infinity is at distance 0 from itself and infinitely far
    /// from every other value.
    AbsoluteDistance, "absolute distance", [T: Number] AtomDomain<T>;

    /// The sum of the absolute differences of two vectors; infinite between vectors of different lengths.
    L1Distance, "L1 distance", [T: Number] VectorDomain<AtomDomain<T>>;

    /// The Euclidean length of the difference of two vectors; infinite between vectors of different lengths.
    L2Distance, "L2 distance", [T: Number] VectorDomain<AtomDomain<T>>;
}
