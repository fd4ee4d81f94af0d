//! Which types may take part in a map's arithmetic.

/// Implemented by types whose promises the library itself keeps. A privacy map trusts what such a type says of itself (how
/// noise is added to it, what a step of it does), so that no other crate may add one.
pub trait Sealed {}

macro_rules! sealed {
    ($(($($generics:tt)*) $type:ty),+ $(,)?) => {$(
        impl<$($generics)*> crate::core::Sealed for $type {}
    )+};
}
pub(crate) use sealed;
