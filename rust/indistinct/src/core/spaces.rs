//! The traits of domains, metrics and measures, and of their valid combinations.

use super::{Distance, Fallible, Internal, Sealed};
use std::{borrow::Borrow, fmt::Debug};

/// A set of values.
///
/// The carrier may be unsized: the values of a vector domain are slices, so reading a caller's million rows needs no
/// copy.
///
/// Promise: two domains with different types or members have different `Debug` texts. Plans identify a domain by this
/// text.
///
/// A user-defined domain may be the input of any constructor that takes every domain. You vouch for its `member`, its
/// equality and its carrier, and plans and explanations mark every step on such a space as caller-trusted.
pub trait Domain: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The Rust type whose values may be members.
    type Carrier: ?Sized + ToOwned<Owned: Clone + Borrow<Self::Carrier> + Send + Sync + 'static> + 'static;

    /// Returns true if `value` is in the set.
    fn member(&self, value: &Self::Carrier) -> bool;

    /// Returns true if all numbers in a member are integers, so two different numbers are at least 1 apart.
    #[doc(hidden)]
    fn is_whole(&self) -> bool {
        false
    }

    /// Returns the membership test for data that arrive in parts, for domains of rows in which every row is checked
    /// alone.
    #[doc(hidden)]
    fn by_parts(&self) -> Option<&dyn MemberByParts<Self::Carrier>> {
        None
    }

    /// Returns true if this domain, or one from which it is made, is user-defined. Other crates cannot override this.
    #[doc(hidden)]
    fn is_callers_own(&self, _: Internal) -> bool {
        true
    }

    /// Returns the number of elements of a member, if all members have the same number, followed by the numbers of
    /// elements of its elements: for a list of data sets, the number of parts and their numbers of rows. The list is
    /// empty if members have no elements.
    #[doc(hidden)]
    fn sizes(&self) -> Vec<Option<usize>> {
        Vec::new()
    }
}

/// Membership of data that arrive in parts.
///
/// Promise: a value that is split into parts is a member if and only if every part and the number of rows are admitted.
#[doc(hidden)]
pub trait MemberByParts<T: ?Sized>: Sync {
    /// Returns true if these rows may be part of a member.
    fn admits_part(&self, part: &T) -> bool;
    /// Returns true if a member may have this number of rows.
    fn admits_rows(&self, rows: usize) -> bool;
}

/// The owned form of a domain's values: `Vec<T>` for slices of `T`, and the carrier itself otherwise.
pub type Owned<D> = <<D as Domain>::Carrier as ToOwned>::Owned;

/// A distance between two values.
#[allow(private_bounds)]
pub trait Metric: Sealed + Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The type of the distance.
    type Distance: Distance;

    /// Returns a distance in words, with its unit.
    fn describe(&self, distance: &Self::Distance) -> String;

    /// Returns the smallest positive distance between two members of a domain. If a loss is infinite there, it
    /// guarantees nothing.
    fn least_distance(&self, domain: &impl Domain) -> Self::Distance;

    /// Returns an error that suggests a different distance if `distance` is above 0 and no two different datasets with
    /// the element counts of [`Domain::sizes`] are that close.
    #[doc(hidden)]
    fn check_neighbors(&self, sizes: &[Option<usize>], distance: &Self::Distance) -> Fallible<()> {
        let _ = (sizes, distance);
        Ok(())
    }

    /// Returns true if any two different values within this distance differ by exactly one added unit of the metric:
    /// one value is the other with one more row or individual. This holds at distance 1 if rows or individuals are
    /// added or removed.
    #[doc(hidden)]
    fn has_direction(&self, distance: &Self::Distance) -> bool {
        let _ = distance;
        false
    }
}

/// A distance between two output distributions.
#[allow(private_bounds)]
pub trait Measure: Sealed + Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The type of the distance.
    type Distance: Distance;

    /// Returns a distance in words, with its unit.
    fn describe(&self, distance: &Self::Distance) -> String;

    /// Returns true if any two distributions are within this distance, so it guarantees nothing. Returns an error
    /// if this cannot be decided.
    fn is_infinite(&self, distance: &Self::Distance) -> Fallible<bool>;

    /// Returns true if this distance depends on which of two distributions belongs to the data with one more row or
    /// individual. Such a distance has a meaning only if the metric [has a direction](Metric::has_direction).
    #[doc(hidden)]
    fn is_directed(&self, distance: &Self::Distance) -> bool {
        let _ = distance;
        false
    }
}

/// Pairs of a domain and a metric that measures the distance between any two of its members.
#[allow(private_bounds)]
pub trait MetricSpace: Sealed {
    /// Returns an error that names what is missing if the metric does not apply to this domain with its stated facts.
    fn check_space(&self) -> Fallible<()>;
}
