//! Datasets and vectors: any number of elements of one domain.

use crate::core::{Domain, Internal, MemberByParts, Owned, parameter_by_debug, sealed};
use std::{borrow::Borrow, fmt};

/// All vectors whose elements are members of a domain; with a size, those of that many elements.
///
/// Its values are slices, so that `&Vec<T>`, `&[T; N]` and `&[T]` can be passed alike and nothing is copied.
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
    /// Vectors of any size.
    pub fn new(element: D) -> Self {
        Self { element, size: None }
    }

    /// Only vectors of `size` elements. State a size only if it is public: it is not protected.
    ///
    /// No two datasets of one size are one row added or removed apart: where a metric counts these, the nearest are at
    /// distance 2, one row replaced. A smaller distance protects nothing, and searches for a scale reject it.
    pub fn with_size(self, size: usize) -> Self {
        Self { size: Some(size), ..self }
    }

    /// The domain of the elements.
    pub fn element(&self) -> &D {
        &self.element
    }

    /// The number of elements, if all members have the same.
    pub fn size(&self) -> Option<usize> {
        self.size
    }

    /// Vectors of the same size with elements of another domain.
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
    /// Every element is looked at, for that is faster than to ask after each whether to go on.
    fn admits_part(&self, part: &[Owned<D>]) -> bool {
        part.iter().fold(true, |all, element| all & self.element.member(element.borrow()))
    }

    fn admits_rows(&self, rows: usize) -> bool {
        self.size.is_none_or(|size| size == rows)
    }
}

sealed!((D: Domain) VectorDomain<D>);
parameter_by_debug!((D: Domain) VectorDomain<D>);
