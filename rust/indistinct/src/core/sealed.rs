//! The sealed trait of the types in a map's arithmetic.

/// Implemented by types whose promises the library itself keeps. A privacy map trusts statements of such a type (how
/// noise is added to it, what one step of it is, which of its values are equal), so no other crate may add one.
///
/// `proofs/core/open_traits.md` lists the traits that other crates may implement, and argues that none can falsify a
/// guarantee.
pub trait Sealed {}

/// Other crates cannot implement a trait of this crate for a tuple.
impl<A, B> Sealed for (A, B) {}
impl<A, B, C> Sealed for (A, B, C) {}

/// An argument of methods in open traits that only this crate may implement, because no other crate can name the type.
pub struct Internal;

macro_rules! sealed {
    ($(($($generics:tt)*) $type:ty),+ $(,)?) => {$(
        impl<$($generics)*> crate::core::Sealed for $type {}
    )+};
}
pub(crate) use sealed;
