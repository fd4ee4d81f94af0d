//! The types that may take part in a map's arithmetic.

/// Implemented by types whose promises the library itself keeps. A privacy map trusts what such a type says of itself
/// (how noise is added to it, what a step of it does, which of its values are equal), so that no other crate may add
/// one.
///
/// `proofs/core/open_traits.md` lists the traits that other crates may implement, and why none falsifies a claim.
pub trait Sealed {}

/// No other crate may implement a trait of this one for a tuple.
impl<A, B> Sealed for (A, B) {}
impl<A, B, C> Sealed for (A, B, C) {}

/// Given to a method of an open trait that only this crate may implement: nobody else can write the type.
pub struct Internal;

macro_rules! sealed {
    ($(($($generics:tt)*) $type:ty),+ $(,)?) => {$(
        impl<$($generics)*> crate::core::Sealed for $type {}
    )+};
}
pub(crate) use sealed;
