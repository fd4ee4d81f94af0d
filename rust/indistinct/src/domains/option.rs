//! Values that may be missing.

use super::{Atom, AtomDomain};
use crate::core::{Domain, Internal, Owned, Sealed, parameter_by_debug, sealed};
use std::{borrow::Borrow, fmt};

/// All members of a domain, and `None`, which represents a missing value.
///
/// # Nulls
///
/// Everywhere in the library, a value is *null* if it is `None`, or a float that is NaN. `None` is a member of an
/// `OptionDomain` only, and NaN only of an [`AtomDomain`] that [allows it](AtomDomain::with_nan), so a domain always
/// states whether there may be nulls. As rows, `None` and NaN are different values, and all NaN are equal. Steps that
/// need numbers reject a domain with nulls when they are built.
/// [`make_impute_constant`](crate::transformations::make_impute_constant) and
/// [`make_drop_null`](crate::transformations::make_drop_null) remove both kinds of nulls. No step turns a null into a
/// number on its own.
///
/// ```
/// use indistinct::prelude::*;
/// let ages = OptionDomain::new(AtomDomain::u8().with_bounds((0, 120))?);
/// assert!(ages.member(&Some(37)) && ages.member(&None) && !ages.member(&Some(200)));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct OptionDomain<D: Domain> {
    element: D,
}

impl<D: Domain> OptionDomain<D> {
    /// Makes the domain of the members of `element` and `None`.
    pub fn new(element: D) -> Self {
        Self { element }
    }

    /// Returns the domain of the values that are not `None`.
    pub fn element(&self) -> &D {
        &self.element
    }
}

impl<D: Domain> fmt::Debug for OptionDomain<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OptionDomain({:?})", self.element)
    }
}

impl<D: Domain> Domain for OptionDomain<D> {
    type Carrier = Option<Owned<D>>;

    fn member(&self, value: &Self::Carrier) -> bool {
        value.as_ref().is_none_or(|value| self.element.member(value.borrow()))
    }

    fn is_callers_own(&self, internal: Internal) -> bool {
        self.element.is_callers_own(internal)
    }
}

sealed!((D: Domain) OptionDomain<D>);
parameter_by_debug!((D: Domain) OptionDomain<D>);

/// Domains that know which of their members are null.
#[allow(private_bounds)]
pub trait NullDomain: Sealed + Domain {
    /// A domain of the members that are not null.
    type Present: Domain;

    /// Returns the domain of the members that are not null.
    fn present(&self) -> Self::Present;

    /// Returns the value, unless it is null.
    fn value(row: &Self::Carrier) -> Option<&<Self::Present as Domain>::Carrier>;
}

impl<T: Atom> NullDomain for AtomDomain<T> {
    type Present = Self;

    fn present(&self) -> Self {
        self.clone().without_nan()
    }

    fn value(row: &T) -> Option<&T> {
        if row.is_nan() { None } else { Some(row) }
    }
}

impl<D: NullDomain> NullDomain for OptionDomain<D> {
    type Present = D::Present;

    fn present(&self) -> D::Present {
        self.element.present()
    }

    fn value(row: &Self::Carrier) -> Option<&<D::Present as Domain>::Carrier> {
        row.as_ref().and_then(|row| D::value(row.borrow()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_and_nan_are_null_and_nothing_else_is() {
        type Ages = OptionDomain<AtomDomain<f64>>;
        assert_eq!((Ages::value(&None), Ages::value(&Some(f64::NAN))), (None, None));
        assert_eq!((Ages::value(&Some(-0.0)), Ages::value(&Some(f64::INFINITY))), (Some(&0.0), Some(&f64::INFINITY)));
        let ages = OptionDomain::new(AtomDomain::f64().with_bounds((0.0, 9.0)).unwrap().with_nan());
        assert!(ages.member(&Some(f64::NAN)) && ages.member(&None) && !ages.member(&Some(10.0)));
        assert_eq!(ages.present(), AtomDomain::f64().with_bounds((0.0, 9.0)).unwrap());
    }
}
