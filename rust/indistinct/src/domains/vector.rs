//! Datasets and vectors: any number of elements of one domain.

use crate::core::{Domain, Internal, MemberByParts, Owned, parameter_by_debug, sealed};
use std::{borrow::Borrow, fmt};

/// All vectors whose elements are members of a domain, optionally with a given size.
///
/// Its values are slices, so `&Vec<T>`, `&[T; N]` and `&[T]` can all be passed without copying.
///
/// ```
/// use indistinct::prelude::*;
/// let pairs = VectorDomain::new(AtomDomain::i32()).with_size(2);
/// assert!(pairs.member(&[1, 2]) && !pairs.member(&[1, 2, 3]));
/// ```
#[derive(Clone, PartialEq)]
pub struct VectorDomain<D: Domain> {
    element: D,
    size: Option<usize>,
}

impl<D: Domain> VectorDomain<D> {
    /// Makes the domain of vectors of any size.
    pub fn new(element: D) -> Self {
        Self { element, size: None }
    }

    /// Restricts the domain to vectors of `size` elements. State a size only if it is public: it is not protected.
    ///
    /// Two data sets of the same size never differ by one added or removed row. Under a metric that counts added and
    /// removed rows, the nearest data sets are at distance 2: one row replaced. A smaller distance would protect
    /// nothing, and searches for a scale reject it.
    pub fn with_size(self, size: usize) -> Self {
        Self { size: Some(size), ..self }
    }

    /// Returns the domain of the elements.
    pub fn element(&self) -> &D {
        &self.element
    }

    /// Returns the number of elements, if it is the same for all members.
    pub fn size(&self) -> Option<usize> {
        self.size
    }

    /// Returns the domain of vectors of the same size with elements of another domain.
    pub(crate) fn with_element<E: Domain>(&self, element: E) -> VectorDomain<E> {
        VectorDomain { element, size: self.size }
    }
}

impl<D: Domain> fmt::Debug for VectorDomain<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.size {
            Some(size) => write!(f, "VectorDomain({:?}, size {size})", self.element),
            None => write!(f, "VectorDomain({:?})", self.element),
        }
    }
}

impl<D: Domain> Domain for VectorDomain<D> {
    type Carrier = [Owned<D>];

    fn member(&self, value: &[Owned<D>]) -> bool {
        self.admits_rows(value.len()) && value.chunks(1 << 10).all(|part| self.admits_part(part))
    }

    fn is_whole(&self) -> bool {
        self.element.is_whole()
    }

    fn sizes(&self) -> Vec<Option<usize>> {
        [self.size].into_iter().chain(self.element.sizes()).collect()
    }

    fn by_parts(&self) -> Option<&dyn MemberByParts<[Owned<D>]>> {
        Some(self)
    }

    fn is_callers_own(&self, internal: Internal) -> bool {
        self.element.is_callers_own(internal)
    }
}

impl<D: Domain> MemberByParts<[Owned<D>]> for VectorDomain<D> {
    /// Every element is tested, because that is faster than checking after each whether to stop.
    fn admits_part(&self, part: &[Owned<D>]) -> bool {
        part.iter().fold(true, |all, element| all & self.element.member(element.borrow()))
    }

    fn admits_rows(&self, rows: usize) -> bool {
        self.size.is_none_or(|size| size == rows)
    }
}

sealed!((D: Domain) VectorDomain<D>);
parameter_by_debug!((D: Domain) VectorDomain<D>);
