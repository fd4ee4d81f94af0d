//! The traits of domains, metrics and measures, and which domain goes with which metric.

use super::{Distance, Fallible};
use std::{borrow::Borrow, fmt::Debug};

/// A set of values.
///
/// The carrier may be unsized: a vector domain's values are slices, so a caller's million rows are never copied just to
/// be looked at.
pub trait Domain: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The Rust type whose values may be members.
    type Carrier: ?Sized + ToOwned<Owned: Clone + Borrow<Self::Carrier> + Send + Sync + 'static> + 'static;

    /// Whether `value` is in the set.
    fn member(&self, value: &Self::Carrier) -> bool;

    /// How the same is decided for data that come by parts: for domains of rows, in which every row stands alone.
    #[doc(hidden)]
    fn by_parts(&self) -> Option<&dyn MemberByParts<Self::Carrier>> {
        None
    }

    /// How many elements a member has, where all have the same number, then how many each of its elements has: of a list of datasets, parts and rows. Nothing for
    /// what has no elements.
    #[doc(hidden)]
    fn sizes(&self) -> Vec<Option<usize>> {
        Vec::new()
    }
}

/// Membership of data that come by parts.
///
/// Promise: a value that is cut into parts is a member if and only if every part is admitted and so is the number of rows.
#[doc(hidden)]
pub trait MemberByParts<T: ?Sized>: Sync {
    /// Whether these rows may be part of a member.
    fn admits_part(&self, part: &T) -> bool;
    /// Whether a member may have so many rows.
    fn admits_rows(&self, rows: usize) -> bool;
}

/// The owned form of a domain's values: `Vec<T>` for slices of `T`, else the carrier itself.
pub type Owned<D> = <<D as Domain>::Carrier as ToOwned>::Owned;

/// A way to say how far apart two values are.
pub trait Metric: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The type of the distance.
    type Distance: Distance;

    /// A distance in words, with its unit.
    fn describe(&self, distance: &Self::Distance) -> String;

    /// An error that names a distance to ask for instead, if `distance` is not 0 and yet no two different datasets with as many elements as
    /// [`Domain::sizes`] says are so close.
    #[doc(hidden)]
    fn check_neighbors(&self, sizes: &[Option<usize>], distance: &Self::Distance) -> Fallible<()> {
        let _ = (sizes, distance);
        Ok(())
    }
}

/// A way to say how far apart two output distributions are.
pub trait Measure: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The type of the distance.
    type Distance: Distance;

    /// A distance in words, with its unit.
    fn describe(&self, distance: &Self::Distance) -> String;
}

/// Pairs of a domain and a metric that measures the distance between any two of its members.
pub trait MetricSpace {
    /// An error that names what is missing if this domain, with the facts it states, does not go with the metric.
    fn check_space(&self) -> Fallible<()>;
}
