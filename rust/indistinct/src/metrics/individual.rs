//! The distance between datasets, counted in individuals.

use super::{RowByRowMetric, dataset::check_least, dataset::has_size};
use crate::{
    core::{Domain, Fallible, Metric, MetricSpace, parameter_by_debug, require, sealed},
    domains::{Atom, AtomDomain, PairDomain, VectorDomain},
};

/// The smallest number of individuals that must be added or removed, each with any number of rows, to turn one keyed
/// dataset into the other, ignoring the order of rows.
///
/// The first part of each row identifies its individual. An individual whose rows change counts twice: once to remove
/// the old rows, and once to add the new ones. A guarantee at distance 1 protects the presence of a whole individual; a
/// guarantee at distance 2 also protects the contents of all of their rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SymmetricIdDistance;

impl Metric for SymmetricIdDistance {
    type Distance = u32;

    fn describe(&self, distance: &u32) -> String {
        match distance {
            1 => "1 individual added or removed".into(),
            _ => format!("{distance} individuals added or removed"),
        }
    }

    /// One individual, unless the size is known, because adding an individual changes the size.
    fn least_distance(&self, domain: &impl Domain) -> u32 {
        if has_size(domain) { 2 } else { 1 }
    }

    fn check_neighbors(&self, sizes: &[Option<usize>], distance: &u32) -> Fallible<()> {
        check_least(self, sizes, *distance, (2, "one individual with other rows, or replaced"))
    }

    fn has_direction(&self, distance: &u32) -> bool {
        *distance <= 1
    }
}

impl RowByRowMetric for SymmetricIdDistance {}

sealed!(() SymmetricIdDistance);

impl<K: Atom, D: Domain> MetricSpace for (VectorDomain<PairDomain<AtomDomain<K>, D>>, SymmetricIdDistance) {
    fn check_space(&self) -> Fallible<()> {
        let (rows, _) = self;
        require(!rows.element().first().has_nan(), "input_domain", "an individual's identifier must not be NaN")
    }
}

parameter_by_debug!(() SymmetricIdDistance);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    /// Two NaNs are not one individual, nor two.
    #[test]
    fn individuals_have_keys_that_can_be_told_apart() {
        let keyed = |key| VectorDomain::new(PairDomain::new(key, AtomDomain::bool()));
        assert!((keyed(AtomDomain::f64()), SymmetricIdDistance).check_space().is_ok());
        let refused = |error: Error| error.kind() == ErrorKind::Parameter("input_domain");
        assert!((keyed(AtomDomain::f64().with_nan()), SymmetricIdDistance).check_space().is_err_and(refused));
        let parts = VectorDomain::new(keyed(AtomDomain::f64().with_nan()));
        assert!((parts, PartitionDistance(SymmetricIdDistance)).check_space().is_err_and(refused));
        let parts = VectorDomain::new(keyed(AtomDomain::f64()));
        assert!((parts, PartitionDistance(SymmetricIdDistance)).check_space().is_ok());
    }
}
