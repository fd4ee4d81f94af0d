//! Pairs: keyed rows, and rows of several columns.

use crate::core::{Domain, Internal, Owned, parameter_by_debug, sealed};
use std::{borrow::Borrow, fmt};

/// All pairs of a member of one domain and a member of another.
///
/// A row with an identifier is a pair of the identifier and the rest. A row of several columns is a pair of a column
/// and the rest.
///
/// ```
/// use indistinct::prelude::*;
/// let visits = PairDomain::new(AtomDomain::u32(), AtomDomain::f64().with_bounds((0.0, 100.0))?);
/// assert!(visits.member(&(125024, 3.0)) && !visits.member(&(125024, -3.0)));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct PairDomain<A: Domain, B: Domain> {
    first: A,
    second: B,
}

impl<A: Domain, B: Domain> PairDomain<A, B> {
    /// Makes the domain of pairs of a member of `first` and a member of `second`.
    pub fn new(first: A, second: B) -> Self {
        Self { first, second }
    }

    /// Returns the domain of the first part, which is the key of a keyed row.
    pub fn first(&self) -> &A {
        &self.first
    }

    /// Returns the domain of the second part, which is the value of a keyed row.
    pub fn second(&self) -> &B {
        &self.second
    }
}

impl<A: Domain, B: Domain> fmt::Debug for PairDomain<A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PairDomain({:?}, {:?})", self.first, self.second)
    }
}

impl<A: Domain, B: Domain> Domain for PairDomain<A, B> {
    type Carrier = (Owned<A>, Owned<B>);

    fn member(&self, (first, second): &Self::Carrier) -> bool {
        self.first.member(first.borrow()) && self.second.member(second.borrow())
    }

    fn is_callers_own(&self, _: Internal) -> bool {
        self.first.is_callers_own(Internal) || self.second.is_callers_own(Internal)
    }
}

sealed!((A: Domain, B: Domain) PairDomain<A, B>);
parameter_by_debug!((A: Domain, B: Domain) PairDomain<A, B>);

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn both_parts_are_checked() {
        let digit = || AtomDomain::u8().with_bounds((0, 9)).unwrap();
        let pairs = PairDomain::new(digit(), digit());
        assert!(
            pairs.member(&(9, 0)) && !pairs.member(&(10, 0)) && !pairs.member(&(0, 10)) && !pairs.member(&(10, 10))
        );
    }
}
