//! Rows, and the part of them to which a step applies.

use super::{Atom, AtomDomain, BallDomain, OptionDomain, PairDomain, VectorDomain};
use crate::core::{Domain, Owned, Sealed};
use std::borrow::Borrow;

/// Domains of rows whose last part a step can change. The last part of a pair is the last part of its second part; any
/// other row is its own last part.
///
/// So the same step applies to a single column and to a column after an identifier or a category; the parts before it
/// are unchanged.
#[allow(private_bounds)]
pub trait RowDomain: Sealed + Domain {
    /// The domain of the last part.
    type Last: Domain;
    /// Rows whose last part lies in another domain.
    type With<E: Domain>: Domain;

    /// Returns the domain of the last part.
    fn last(&self) -> &Self::Last;
    /// Returns this domain with another domain for the last part.
    fn with_last<E: Domain>(&self, last: E) -> Self::With<E>;
    /// Returns the last part of a row.
    fn last_of(row: &Self::Carrier) -> &<Self::Last as Domain>::Carrier;
    /// Returns a row with its last part replaced.
    fn replace<E: Domain>(row: &Self::Carrier, last: Owned<E>) -> Owned<Self::With<E>>;
}

macro_rules! one_part {
    ($(($($generics:tt)*) $domain:ty),+ $(,)?) => {$(
        impl<$($generics)*> RowDomain for $domain {
            type Last = Self;
            type With<E: Domain> = E;

            fn last(&self) -> &Self {
                self
            }
            fn with_last<E: Domain>(&self, last: E) -> E {
                last
            }
            fn last_of(row: &Self::Carrier) -> &Self::Carrier {
                row
            }
            fn replace<E: Domain>(_: &Self::Carrier, last: Owned<E>) -> Owned<E> {
                last
            }
        }
    )+};
}

one_part!((T: Atom) AtomDomain<T>, (D: Domain) OptionDomain<D>, (D: Domain) VectorDomain<D>, () BallDomain);

impl<A: Domain, B: RowDomain> RowDomain for PairDomain<A, B> {
    type Last = B::Last;
    type With<E: Domain> = PairDomain<A, B::With<E>>;

    fn last(&self) -> &B::Last {
        self.second().last()
    }
    fn with_last<E: Domain>(&self, last: E) -> Self::With<E> {
        PairDomain::new(self.first().clone(), self.second().with_last(last))
    }
    fn last_of((_, second): &Self::Carrier) -> &<B::Last as Domain>::Carrier {
        B::last_of(second.borrow())
    }
    fn replace<E: Domain>((first, second): &Self::Carrier, last: Owned<E>) -> Owned<Self::With<E>> {
        (first.clone(), B::replace::<E>(second.borrow(), last))
    }
}
