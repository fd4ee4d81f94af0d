//! Maps from keys to values, with one entry for each group in the data.

use super::{Atom, AtomDomain};
use crate::core::{Domain, Internal, Owned, parameter_by_debug, sealed};
use std::{borrow::Borrow, collections::BTreeMap, fmt};

/// All finite maps from members of a domain of keys to members of a domain of values.
///
/// The keys of a member are not known in advance: they are private data, and need the protection of a threshold. The
/// carrier is an ordered map, so the order of its entries reveals nothing beyond the keys.
///
/// ```
/// use indistinct::prelude::*;
/// use std::collections::BTreeMap;
/// let visits_by_city = MapDomain::new(AtomDomain::string(), AtomDomain::i64().with_bounds((0, 1000))?);
/// assert!(visits_by_city.member(&BTreeMap::from([("Dayton".into(), 7), ("Seattle".into(), 1000)])));
/// assert!(!visits_by_city.member(&BTreeMap::from([("Dayton".into(), -7)])));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct MapDomain<K: Atom + Ord, D: Domain> {
    key: AtomDomain<K>,
    value: D,
}

impl<K: Atom + Ord, D: Domain> MapDomain<K, D> {
    /// Makes the domain of maps from members of `key` to members of `value`.
    pub fn new(key: AtomDomain<K>, value: D) -> Self {
        Self { key, value }
    }

    /// Returns the domain of the keys.
    pub fn key(&self) -> &AtomDomain<K> {
        &self.key
    }

    /// Returns the domain of the values.
    pub fn value(&self) -> &D {
        &self.value
    }
}

impl<K: Atom + Ord, D: Domain> fmt::Debug for MapDomain<K, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MapDomain({:?}, {:?})", self.key, self.value)
    }
}

impl<K: Atom + Ord, D: Domain> Domain for MapDomain<K, D> {
    type Carrier = BTreeMap<K, Owned<D>>;

    fn member(&self, map: &Self::Carrier) -> bool {
        map.iter().all(|(key, value)| self.key.member(key) && self.value.member(value.borrow()))
    }

    fn is_callers_own(&self, internal: Internal) -> bool {
        self.value.is_callers_own(internal)
    }

    fn is_whole(&self) -> bool {
        self.value.is_whole()
    }
}

sealed!((K: Atom + Ord, D: Domain) MapDomain<K, D>);
parameter_by_debug!((K: Atom + Ord, D: Domain) MapDomain<K, D>);

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn keys_and_values_are_both_checked() {
        let key = AtomDomain::u8().with_bounds((1, 3)).unwrap();
        let maps = MapDomain::new(key, AtomDomain::f64());
        assert!(maps.member(&BTreeMap::new()) && maps.member(&BTreeMap::from([(1, 0.5), (3, f64::INFINITY)])));
        assert!(!maps.member(&BTreeMap::from([(1, 0.5), (4, 0.5)])), "a key outside");
        assert!(!maps.member(&BTreeMap::from([(1, 0.5), (2, f64::NAN)])), "a value outside");
    }

    #[test]
    fn a_domain_tells_its_parts() {
        let (key, value) = (AtomDomain::u8().with_bounds((1, 3)).unwrap(), AtomDomain::f64().with_nan());
        let maps = MapDomain::new(key.clone(), value.clone());
        assert!(*maps.key() == key && *maps.value() == value && *maps.key() != AtomDomain::u8());
    }
}
