//! Distances between numbers and vectors of numbers, in the numbers' own unit.

use crate::{
    core::{Domain, Fallible, Metric, MetricSpace, Sealed, Sensitivity, parameter_by_debug, require, sealed},
    domains::{AtomDomain, Number, VectorDomain},
};
use std::{fmt, marker::PhantomData};

/// Metrics whose distances a scale of noise can be compared with.
#[allow(private_bounds)]
pub trait SensitivityMetric: Sealed + Metric<Distance: Sensitivity> {}

macro_rules! norm_metrics {
    ($($(#[$doc:meta])* $metric:ident, $words:literal, [$($generics:tt)*] $space:ty;)+) => {$(
        $(#[$doc])*
        pub struct $metric<Q: Sensitivity = f64>(PhantomData<fn() -> Q>);

        impl $metric {
            /// With distances in f64, the usual case. For another type of distance say `Default::default()`.
            pub fn new() -> Self {
                Self(PhantomData)
            }
        }

        impl<Q: Sensitivity> Default for $metric<Q> {
            fn default() -> Self {
                Self(PhantomData)
            }
        }

        impl<Q: Sensitivity> Clone for $metric<Q> {
            fn clone(&self) -> Self {
                Self(PhantomData)
            }
        }

        impl<Q: Sensitivity> PartialEq for $metric<Q> {
            fn eq(&self, _: &Self) -> bool {
                true
            }
        }

        impl<Q: Sensitivity> fmt::Debug for $metric<Q> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($metric))
            }
        }

        impl<Q: Sensitivity> Metric for $metric<Q> {
            type Distance = Q;

            fn describe(&self, distance: &Q) -> String {
                format!(concat!($words, " {:?}"), distance)
            }

            fn least_distance(&self, domain: &impl Domain) -> Q {
                Q::least(domain.is_whole())
            }
        }

        impl<Q: Sensitivity> SensitivityMetric for $metric<Q> {}

        sealed!((Q: Sensitivity) $metric<Q>);

        impl<Q: Sensitivity, $($generics)*> MetricSpace for ($space, $metric<Q>) {
            fn check_space(&self) -> Fallible<()> {
                require(!self.0.has_numbers_missing(), "input_domain", "numbers must not be NaN: impute or drop it first")
            }
        }

        parameter_by_debug!((Q: Sensitivity) $metric<Q>);
    )+};
}

/// Whether NaN may stand where a number is needed.
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
    /// The size of the difference of two numbers, `|x - y|`. An infinity is at distance 0 from itself and infinitely far
    /// from all else.
    AbsoluteDistance, "absolute distance", [T: Number] AtomDomain<T>;

    /// The sum of the sizes of the differences of two vectors; infinite between vectors of different lengths.
    L1Distance, "L1 distance", [T: Number] VectorDomain<AtomDomain<T>>;

    /// The Euclidean length of the difference of two vectors; infinite between vectors of different lengths.
    L2Distance, "L2 distance", [T: Number] VectorDomain<AtomDomain<T>>;
}
