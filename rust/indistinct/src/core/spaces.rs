//! The traits of domains, metrics and measures, and which domain goes with which metric.

use super::{Distance, Fallible, Internal, Sealed};
use std::{borrow::Borrow, fmt::Debug};

/// A set of values.
///
/// The carrier may be unsized: a vector domain's values are slices, so a caller's million rows are never copied just to
/// be looked at.
///
/// Promise: two domains of different types or members differ in what `Debug` writes, which stands for them in plans.
///
/// A user-defined domain may be the input of any constructor that takes every domain. You vouch for its `member`, its
/// equality and its carrier, and plans and explanations mark every step on such a space as caller-trusted.
pub trait Domain: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The Rust type whose values may be members.
    type Carrier: ?Sized + ToOwned<Owned: Clone + Borrow<Self::Carrier> + Send + Sync + 'static> + 'static;

    /// Returns true if `value` is in the set.
    fn member(&self, value: &Self::Carrier) -> bool;

    /// Returns true if all numbers in a member are whole, so that two that differ are at least 1 apart.
    #[doc(hidden)]
    fn is_whole(&self) -> bool {
        false
    }

    /// How the same is decided for data that come by parts: for domains of rows, in which every row stands alone.
    #[doc(hidden)]
    fn by_parts(&self) -> Option<&dyn MemberByParts<Self::Carrier>> {
        None
    }

    /// Returns true if this domain, or one that it is made of, is a caller's own. No other crate can answer for itself.
    #[doc(hidden)]
    fn is_callers_own(&self, _: Internal) -> bool {
        true
    }

    /// The number of elements a member has, where all have the same number, then how many each of its elements has: of
    /// a list of datasets, parts and rows. Nothing for what has no elements.
    #[doc(hidden)]
    fn sizes(&self) -> Vec<Option<usize>> {
        Vec::new()
    }
}

/// Membership of data that come by parts.
///
/// Promise: a value that is cut into parts is a member if and only if every part is admitted and so is the number of
/// rows.
#[doc(hidden)]
pub trait MemberByParts<T: ?Sized>: Sync {
    /// Returns true if these rows may be part of a member.
    fn admits_part(&self, part: &T) -> bool;
    /// Returns true if a member may have so many rows.
    fn admits_rows(&self, rows: usize) -> bool;
}

/// The owned form of a domain's values: `Vec<T>` for slices of `T`, and the carrier itself otherwise.
pub type Owned<D> = <<D as Domain>::Carrier as ToOwned>::Owned;

/// A way to say how far apart two values are.
#[allow(private_bounds)]
pub trait Metric: Sealed + Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The type of the distance.
    type Distance: Distance;

    /// A distance in words, with its unit.
    fn describe(&self, distance: &Self::Distance) -> String;

    /// The least distance above 0 that two members of a domain may have. Where a loss is infinite there, nothing is
    /// promised to anybody.
    fn least_distance(&self, domain: &impl Domain) -> Self::Distance;

    /// An error that names a distance to ask for instead, if `distance` is not 0 and yet no two different datasets with
    /// as many elements as [`Domain::sizes`] says are so close.
    #[doc(hidden)]
    fn check_neighbors(&self, sizes: &[Option<usize>], distance: &Self::Distance) -> Fallible<()> {
        let _ = (sizes, distance);
        Ok(())
    }

    /// Returns true if of two values at most so far apart, unless they are at distance 0, one is the other and one more
    /// of what the metric counts: so at distance 1, where rows or individuals are added or removed.
    #[doc(hidden)]
    fn has_direction(&self, distance: &Self::Distance) -> bool {
        let _ = distance;
        false
    }
}

/// A way to say how far apart two output distributions are.
#[allow(private_bounds)]
pub trait Measure: Sealed + Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The type of the distance.
    type Distance: Distance;

    /// A distance in words, with its unit.
    fn describe(&self, distance: &Self::Distance) -> String;

    /// Returns true if any two distributions are within this distance, so that it promises nothing; an error if that
    /// cannot be decided.
    fn is_infinite(&self, distance: &Self::Distance) -> Fallible<bool>;

    /// Returns true if this distance says which of two distributions is that of data with one more, so that it has a
    /// meaning only where the metric [has a direction](Metric::has_direction).
    #[doc(hidden)]
    fn is_directed(&self, distance: &Self::Distance) -> bool {
        let _ = distance;
        false
    }
}

/// Pairs of a domain and a metric that measures the distance between any two of its members.
#[allow(private_bounds)]
pub trait MetricSpace: Sealed {
    /// An error that names what is missing if this domain, with the facts it states, does not go with the metric.
    fn check_space(&self) -> Fallible<()>;
}
