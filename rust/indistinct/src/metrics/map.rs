//! Distances between maps from private keys to numbers.

use super::{RowChange, norm::least_difference};
use crate::{
    core::{Domain, Fallible, Metric, MetricSpace, Sealed, parameter_by_debug, require, sealed},
    domains::{Atom, AtomDomain, MapDomain, Number},
};
use indistinct_numeric::{RoundedArithmetic, RoundedMath};

/// Metrics between maps from keys to numbers. Their distances are triples: the number of keys whose numbers differ, the
/// norm of the differences, and the largest difference.
///
/// An absent key has the number 0, so a key with the number 0 counts as absent.
#[allow(private_bounds)]
pub trait MapMetric: Sealed + Metric<Distance = (u32, f64, f64)> {
    /// Returns the norm of `number` differences of size 1, rounded up.
    #[doc(hidden)]
    fn norm_of_ones(number: u32) -> Fallible<f64>;

    /// Returns the distance of maps after `d_in` steps of a dataset metric, rounded up, if each row adds to one key a
    /// number of at most `magnitude` in size, from an interval of length `range`.
    ///
    /// Adding or removing a row changes one key by at most `magnitude`. Replacing a row changes a single key by at most
    /// `range`, or two keys by at most `magnitude` each. All steps may change the same key.
    #[doc(hidden)]
    fn moved(d_in: u32, unit: RowChange, magnitude: f64, range: f64) -> Fallible<(u32, f64, f64)> {
        let (keys, norm, greatest) = match unit {
            RowChange::AddOrRemove => (1, magnitude, magnitude),
            RowChange::Replace => (2, range.max(magnitude.inf_mul(Self::norm_of_ones(2)?)?), range.max(magnitude)),
        };
        Ok((d_in.inf_mul(keys)?, super::moved(d_in, norm)?, super::moved(d_in, greatest)?))
    }
}

macro_rules! map_metrics {
    ($($(#[$doc:meta])* $metric:ident, $norm:literal, |$number:ident| $norm_of_ones:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct $metric;

        impl Metric for $metric {
            type Distance = (u32, f64, f64);

            fn describe(&self, (keys, norm, greatest): &Self::Distance) -> String {
                let noun = if *keys == 1 { "key" } else { "keys" };
                format!(concat!("{} {}, ", $norm, " distance {:?}, each at most {:?}"), keys, noun, norm, greatest)
            }

            fn least_distance(&self, domain: &impl Domain) -> Self::Distance {
                let least = least_difference(domain);
                (1, least, least)
            }
        }

        impl MapMetric for $metric {
            fn norm_of_ones($number: u32) -> Fallible<f64> {
                Ok($norm_of_ones)
            }
        }

        sealed!(() $metric);

        impl<K: Atom + Ord, T: Number> MetricSpace for (MapDomain<K, AtomDomain<T>>, $metric) {
            fn check_space(&self) -> Fallible<()> {
                let (maps, _) = self;
                require(!maps.key().has_nan(), "input_domain", "a key must not be NaN")?;
                require(!maps.value().has_nan(), "input_domain", "numbers must not be NaN: impute or drop it first")
            }
        }

        parameter_by_debug!(() $metric);
    )+};
}

map_metrics! {
    /// The distance between maps from keys to numbers is a triple: the number of keys whose numbers differ, the sum of
    /// the absolute differences, and the largest absolute difference. An absent key has the number 0. All three must
    /// hold.
    ///
    /// This is the metric of Laplace noise with a threshold. The first and the last part bound the probability that a
    /// key in only one of the maps is released.
    L01InfDistance, "L1", |number| f64::from(number);

    /// The distance between maps from keys to numbers is a triple: the number of keys whose numbers differ, the
    /// Euclidean length of the differences, and the largest absolute difference. An absent key has the number 0. All
    /// three must hold.
    ///
    /// This is the metric of Gaussian noise with a threshold.
    L02InfDistance, "L2", |number| f64::from(number).inf_sqrt()?;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_by_metric() {
        let (add, replace) = (RowChange::AddOrRemove, RowChange::Replace);
        assert_eq!(L01InfDistance::moved(3, add, 1.0, 0.0), Ok((3, 3.0, 3.0)));
        assert_eq!(L01InfDistance::moved(3, replace, 1.0, 0.0), Ok((6, 6.0, 3.0)));
        // From -4 to 4 within one key, or away from one key and to another.
        assert_eq!(L02InfDistance::moved(1, replace, 4.0, 8.0), Ok((2, 8.0, 8.0)));
        assert_eq!(L02InfDistance::moved(2, add, 4.0, 8.0), Ok((2, 8.0, 8.0)));
        let (_, norm, _) = L02InfDistance::moved(1, replace, 1.0, 0.0).unwrap();
        assert!(norm * norm >= 2.0 && norm.next_down() * norm.next_down() < 2.0);
        assert_eq!(L01InfDistance::moved(0, replace, f64::INFINITY, f64::INFINITY), Ok((0, 0.0, 0.0)));
        assert!(L01InfDistance::moved(u32::MAX, replace, 1.0, 0.0).is_err(), "more keys than u32 holds");
    }

    #[test]
    fn distances_in_words() {
        assert_eq!(L01InfDistance.describe(&(1, 2.0, 2.0)), "1 key, L1 distance 2.0, each at most 2.0");
        assert_eq!(L02InfDistance.describe(&(3, 2.5, 1.0)), "3 keys, L2 distance 2.5, each at most 1.0");
    }

    #[test]
    fn numbers_that_may_be_missing_are_refused() {
        let maps = MapDomain::new(AtomDomain::string(), AtomDomain::f64().with_nan());
        let error = (maps, L01InfDistance).check_space().unwrap_err();
        assert_eq!(error.kind(), crate::core::ErrorKind::Parameter("input_domain"));
    }
}
